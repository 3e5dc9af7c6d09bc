"""What the game master fills in."""

from __future__ import annotations

from django import forms

from games.forms.lengths import DAY, LENGTHS


class ExtendForm(forms.Form):
    """By how much the game master puts off the deadline."""

    seconds = forms.TypedChoiceField(
        label="Put the deadline off by",
        coerce=int,
        choices=LENGTHS,
        initial=DAY,
        error_messages={"invalid_choice": "Choose one of the lengths of the list."},
    )


class SeatPlayerForm(forms.Form):
    """Whom the game master puts into which seat."""

    power = forms.CharField(max_length=40)
    username = forms.CharField(label="Name of the account", max_length=150)
