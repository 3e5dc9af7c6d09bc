"""The forms for choosing notifications, devices and webhooks."""

from collections.abc import Mapping, Sequence
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from django import forms
from django.utils.translation import gettext as _

from games.delivery.outbound import LONGEST_ADDRESS, BadAddress, target_of
from games.delivery.push import decode
from games.kernel.forms import FreeText
from games.kernel.languages import later, later_as
from games.kernel.news import Topic
from games.news.models import Mail, PostForm, Push

AS_EVERYWHERE = ("", later_as("as chosen for all games", "Default"))
BY_DEFAULT = {
    Mail.AT_ONCE: later("Default: straight away"),
    Mail.DAILY: later("Default: in a daily digest"),
    Mail.OFF: later("Default: never"),
}
KEY_BYTES, AUTH_BYTES = 65, 16
HOURS = [(hour, f"{hour:02}:00") for hour in range(24)]


class TopicsForm(forms.Form):
    """A choice for each topic on offer."""

    def __init__(self, *args: Any, topics: Sequence[Topic], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offered = topics
        for topic in topics:
            self.fields[topic.value] = self.field_for(topic)

    def field_for(self, topic: Topic) -> forms.ChoiceField:
        raise NotImplementedError

    def choices(self) -> dict[Topic, str]:
        return {topic: self.cleaned_data[topic.value] for topic in self.offered}

    def topics(self) -> list[forms.BoundField]:
        return [self[topic.value] for topic in self.offered]


class MailForm(TopicsForm):
    """A choice for each topic. For all games, the form also asks for the hour of the daily digest. For one game,
    `everywhere` are the choices for all games, which the form offers to keep."""

    def __init__(
        self, *args: Any, one_game: bool, everywhere: Mapping[Topic, str] | None = None, **kwargs: Any
    ) -> None:
        self.one_game, self.everywhere = one_game, everywhere or {}
        super().__init__(*args, **kwargs)
        if not one_game:
            self.fields["hour"] = forms.TypedChoiceField(label=_("Send the daily digest at"), choices=HOURS, coerce=int)
            self.fields["with_map"] = forms.BooleanField(
                label=_("Put a picture of the map into emails with a result"),
                help_text=_("Otherwise they link to it. The daily digest always does."),
                required=False,
            )

    def field_for(self, topic: Topic) -> forms.ChoiceField:
        # Reminders have no daily digest: a day later they would be of no use.
        known = [(mail.value, mail.label) for mail in Mail if (topic, mail) != (Topic.DUE, Mail.DAILY)]
        if self.one_game:
            default = self.everywhere.get(topic)
            known = [("", BY_DEFAULT[Mail(default)]) if default else AS_EVERYWHERE, *known]
        return forms.ChoiceField(label=topic.label, choices=known, required=not self.one_game)

    def hour(self) -> int | None:
        return self.cleaned_data.get("hour")

    def with_map(self) -> bool | None:
        return self.cleaned_data.get("with_map")


class PushHereForm(TopicsForm):
    """Whether to notify devices, for each topic, in one game."""

    prefix = "device"

    def field_for(self, topic: Topic) -> forms.ChoiceField:
        return forms.ChoiceField(label=topic.label, choices=[AS_EVERYWHERE, *Push.choices], required=False)

    def differs(self) -> bool:
        """Does any choice differ from the one for all games?"""
        return bool(self.errors) or any(self[topic.value].value() for topic in self.offered)


class PushForm(forms.Form):
    """Which topics devices are notified of."""

    def __init__(self, *args: Any, topics: Sequence[Topic], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["topics"] = forms.MultipleChoiceField(
            label=_("Notify me about"),
            choices=[(topic.value, topic.label) for topic in topics],
            widget=forms.CheckboxSelectMultiple,
            required=False,
        )


class DeviceForm(forms.Form):
    """What a browser sends when it signs up for notifications."""

    endpoint = forms.CharField()
    key = forms.CharField()
    auth = forms.CharField()

    def clean_endpoint(self) -> str:
        address = str(self.cleaned_data["endpoint"])
        try:
            target_of(address)
        except BadAddress as problem:
            raise forms.ValidationError(problem.sentence) from None
        return address

    def clean_key(self) -> str:
        key = str(self.cleaned_data["key"])
        try:
            EllipticCurvePublicKey.from_encoded_point(SECP256R1(), _decode_of_size(key, KEY_BYTES))
        except ValueError:
            raise forms.ValidationError(_("The browser’s key is not valid.")) from None
        return key

    def clean_auth(self) -> str:
        auth = str(self.cleaned_data["auth"])
        try:
            _decode_of_size(auth, AUTH_BYTES)
        except ValueError:
            raise forms.ValidationError(_("The browser’s secret is not valid.")) from None
        return auth


def _decode_of_size(text: str, size: int) -> bytes:
    """Raises ValueError unless it is URL-safe base64 of this many bytes."""
    data = decode(text)
    if len(data) != size:
        raise ValueError(text)
    return data


class WebhookForm(forms.Form):
    """Where the news of a game is posted, and in which form."""

    address = FreeText(
        label=later("Address"),
        max_length=LONGEST_ADDRESS,
        help_text=later("It starts with https://. Keep it to yourself: anyone who has it can post there."),
        error_messages={"required": later("Enter an address that starts with https://.")},
    )
    form = forms.ChoiceField(label=later("What is posted"), choices=PostForm.choices, initial=PostForm.CHAT)
    reminders = forms.BooleanField(
        label=later("Also post a reminder before each deadline"),
        help_text=later("It comes when players are reminded, and doesn’t say whose orders are missing."),
        required=False,
    )
