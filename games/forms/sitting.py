"""Whom a player asks to sit, and when."""

from __future__ import annotations

from django import forms

from games.forms.absence import AbsenceForm


class SitterForm(AbsenceForm):
    """Both days are meant, and all between them."""

    username = forms.CharField(
        label="Name of the account",
        max_length=150,
        help_text="Somebody who has no part in this game. A letter asks for a yes.",
        error_messages={"required": "Write the name of an account."},
    )
    talks = forms.BooleanField(
        label="The sitter may read and write my messages",
        required=False,
        help_text="Those that come during these days, not what was written before.",
    )
    field_order = ("username", "first", "last", "talks")
