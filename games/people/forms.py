"""What a moderator writes."""

from zoneinfo import available_timezones

from django import forms
from django.contrib.auth import get_user_model

from games.kernel.forms import FreeText
from games.kernel.news import LONGEST_REASON
from games.people.models import LONGEST_TOKEN_NAME, Scope
from games.people.tokens import LIFETIMES

ROOM_FOR_LENGTH = 40
SUSPENSIONS = (("1", "1 day"), ("7", "7 days"), ("30", "30 days"), ("", "until a moderator ends it"))


class ReasonForm(forms.Form):
    """Why: it stands in the moderators' log for ever."""

    reason = FreeText(
        label="Reason",
        max_length=LONGEST_REASON - ROOM_FOR_LENGTH,
        error_messages={"required": "Write why: the reason stands in the log."},
    )


class SuspendForm(ReasonForm):
    days = forms.ChoiceField(label="How long", choices=SUSPENSIONS, required=False, initial="7")


class StopGameForm(ReasonForm):
    game = forms.SlugField(
        label="Game",
        help_text="The last part of its address, as in locarno-1a2b3c4d.",
        error_messages={
            "required": "Name the game.",
            "invalid": "Copy the last part of the address of the game, as in locarno-1a2b3c4d.",
        },
    )


class FindForm(forms.Form):
    name = forms.CharField(label="Name of an account", max_length=150)


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]
    """The zone in which a person reads deadlines."""

    class Meta:
        model = get_user_model()
        fields = ("time_zone",)
        labels = {"time_zone": "Time zone"}  # noqa: RUF012
        help_texts = {"time_zone": "Deadlines are shown in it. Write a name such as Europe/London."}  # noqa: RUF012

    zones = sorted(available_timezones())


class TokenForm(forms.Form):
    name = FreeText(label="Name", max_length=LONGEST_TOKEN_NAME, help_text="What it is for, such as “My reminder bot”.")
    scopes = forms.MultipleChoiceField(
        label="Beside reading what you may read, it may",
        choices=Scope.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.TypedChoiceField(label="It works for", choices=list(LIFETIMES.items()), coerce=int, initial=90)
