"""The days that a player books."""

from __future__ import annotations

from django import forms


class AbsenceForm(forms.Form):
    """Both days are booked, and all between them."""

    first = forms.DateField(
        label="First day",
        widget=forms.DateInput({"type": "date"}),
        error_messages={
            "required": "Choose the first day.",
            "invalid": "Write the first day as in 2026-12-24.",
        },
    )
    last = forms.DateField(
        label="Last day",
        widget=forms.DateInput({"type": "date"}),
        error_messages={
            "required": "Choose the last day.",
            "invalid": "Write the last day as in 2026-12-24.",
        },
    )
