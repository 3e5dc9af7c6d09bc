"""What a moderator writes."""

from __future__ import annotations

from django import forms

from games.forms.free_text import FreeText
from games.services.ledger import LONGEST_REASON

ROOM_FOR_LENGTH = 40
LENGTHS = (("1", "1 day"), ("7", "7 days"), ("30", "30 days"), ("", "until a moderator ends it"))


class ReasonForm(forms.Form):
    """Why: it stands in the moderators' log for ever."""

    reason = FreeText(
        label="Reason",
        max_length=LONGEST_REASON - ROOM_FOR_LENGTH,
        error_messages={"required": "Write why: the reason stands in the log."},
    )


class SuspendForm(ReasonForm):
    days = forms.ChoiceField(label="How long", choices=LENGTHS, required=False, initial="7")


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
