"""What a program may do, and for how long."""

from __future__ import annotations

from django import forms

from games.forms.free_text import FreeText
from games.models import Scope
from games.models.tokens import LONGEST_TOKEN_NAME
from games.services.tokens import LENGTHS


class TokenForm(forms.Form):
    name = FreeText(
        label="Name", max_length=LONGEST_TOKEN_NAME, help_text="What it is for, such as “My reminder bot”."
    )
    scopes = forms.MultipleChoiceField(
        label="Beside reading what you may read, it may",
        choices=Scope.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.TypedChoiceField(label="It works for", choices=list(LENGTHS.items()), coerce=int, initial=90)
