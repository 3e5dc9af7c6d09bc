"""What people set for themselves."""

from __future__ import annotations

from zoneinfo import available_timezones

from django import forms
from django.contrib.auth import get_user_model


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]
    """The zone in which a person reads deadlines."""

    class Meta:
        model = get_user_model()
        fields = ("time_zone",)
        labels = {"time_zone": "Time zone"}  # noqa: RUF012
        help_texts = {"time_zone": "Deadlines are shown in it. Write a name such as Europe/London."}  # noqa: RUF012

    zones = sorted(available_timezones())
