"""What people choose to be told, and how."""

from __future__ import annotations

from typing import Any

from django import forms

from games.models import Mail, Topic
from games.outbound import LONGEST_ADDRESS

AS_EVERYWHERE = ("", "As in all my games")
HOURS = [(hour, f"{hour:02}:00") for hour in range(24)]


class MailForm(forms.Form):
    """One choice for each topic, for all games or for one; the hour of the letter of the day with all games."""

    def __init__(self, *args: Any, one_game: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for topic in Topic:
            self.fields[topic.value] = forms.ChoiceField(
                label=topic.label, choices=_choices(topic, one_game=one_game), required=not one_game
            )
        if not one_game:
            self.fields["hour"] = forms.TypedChoiceField(
                label="The letter of the day comes at", choices=HOURS, coerce=int
            )

    def mail(self) -> dict[Topic, str]:
        return {topic: self.cleaned_data[topic.value] for topic in Topic}

    def hour(self) -> int | None:
        return self.cleaned_data.get("hour")

    def topics(self) -> list[forms.BoundField]:
        return [self[topic.value] for topic in Topic]


def _choices(topic: Topic, *, one_game: bool) -> list[tuple[str, str]]:
    """A reminder that comes a day later reminds of nothing, so that there is none once a day."""
    known = [(mail.value, mail.label) for mail in Mail if (topic, mail) != (Topic.DUE, Mail.DAILY)]
    return [AS_EVERYWHERE, *known] if one_game else known


class WebhookForm(forms.Form):
    """Where the news of a game are posted."""

    address = forms.CharField(label="Address", required=False, max_length=LONGEST_ADDRESS)
