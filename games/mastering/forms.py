"""The game master's forms."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from games.endings.options import Outcome
from games.kernel.days import DAY
from games.kernel.fields import LENGTHS, Radio
from games.kernel.forms import AccountName, FreeText, WallMoment
from games.kernel.languages import later
from games.kernel.news import LONGEST_REASON
from games.kernel.options import LEVELS
from games.kernel.parts import PowerCard
from games.mastering.services.assistants import CAN
from variants.bots import Level


class ReasonField(FreeText):
    """The reason: one line for the public log. `needed`: None where it depends on whether a player loses the seat."""

    def __init__(self, *, needed: bool | None) -> None:
        depends = later("Reason, needed if a player loses the seat")
        super().__init__(
            label=depends if needed is None else later("Reason") if needed else later("Reason (optional)"),
            required=bool(needed),
            max_length=LONGEST_REASON,
            help_text=later("It appears in the public log."),
            error_messages={
                "required": later("Give a reason. It appears in the public log."),
                "max_length": later(
                    "The reason can have at most %(limit_value)s characters; this one has %(show_value)s."
                ),
            },
        )


class WhyForm(forms.Form):
    reason = ReasonField(needed=False)


OUTCOMES = (
    Radio(Outcome.DRAW, later("A draw between the powers chosen below")),
    Radio(Outcome.SOLO, later("A win for the power chosen below")),
    Radio(Outcome.CONCESSION, later("A concession to the power chosen below")),
    Radio(Outcome.VOID, later("Void: the game counts for no one")),
)


class CloseForm(WhyForm):
    """The form for closing the game. If the terms let the game master choose the outcome, it asks for it too; `left`
    are the powers that the outcome can name, otherwise None."""

    def __init__(self, *args: Any, left: Sequence[PowerCard] | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.left = left
        if left is not None:
            self.outcomes = OUTCOMES
            self.fields["outcome"] = forms.ChoiceField(
                label=_("How the game ends"),
                choices=[(it.value, it.title) for it in OUTCOMES],
                error_messages={"required": _("Choose how the game ends.")},
            )
            self.fields["powers"] = forms.MultipleChoiceField(
                label=_("Powers"), choices=[(card.id, card.name) for card in left], required=False
            )


class ExtendForm(forms.Form):
    seconds = forms.TypedChoiceField(
        label=later("Extend by"),
        coerce=int,
        choices=LENGTHS,
        initial=DAY,
        error_messages={"invalid_choice": later("Choose a length from the list.")},
    )
    reason = ReasonField(needed=False)


class DeadlineForm(forms.Form):
    """The new deadline, in the game master's own time zone."""

    until = WallMoment(label=later("Or move it to"))
    reason = ReasonField(needed=False)


class SeatField(forms.CharField):
    """A power, as the list on the desk sends it."""

    def __init__(self, *, required: bool = True) -> None:
        needed = {"required": later("Choose a seat from the list.")}
        super().__init__(label=later("Seat"), max_length=40, required=required, error_messages=needed)


class AddressField(forms.CharField):
    def __init__(self) -> None:
        super().__init__(
            label=later("Email address"),
            max_length=254,
            error_messages={"required": later("Enter the player’s email address.")},
            widget=forms.TextInput(attrs={"inputmode": "email", "autocapitalize": "none", "autocomplete": "off"}),
        )


class SeatForm(forms.Form):
    """All fields about one seat. It suggests suitable players on the standby list."""

    username = AccountName(widget=forms.TextInput(attrs={"list": "gm-waiting"}))
    email = AddressField()
    reason = ReasonField(needed=None)
    level = forms.ChoiceField(label=later("Bot"), choices=[(level.value, texts[0]) for level, texts in LEVELS.items()])


class PowerForm(forms.Form):
    power = SeatField()


class SeatPlayerForm(PowerForm):
    username = AccountName()
    reason = ReasonField(needed=None)


class InviteForm(PowerForm):
    """An invitation of a player to a seat. It suggests suitable players on the standby list."""

    username = AccountName(widget=forms.TextInput(attrs={"list": "gm-waiting"}))


class MailForm(forms.Form):
    """An invitation by email. If no seat is chosen, it is to a place without a power."""

    power = SeatField(required=False)
    email = AddressField()


class PlaceForm(forms.Form):
    """A player to place. If no seat is chosen, they get a place without a power."""

    power = SeatField(required=False)
    username = AccountName()


class RemoveForm(forms.Form):
    username = AccountName(later("Choose a player from the list."))
    reason = ReasonField(needed=True)


class EmptySeatForm(PowerForm):
    reason = ReasonField(needed=True)


class BotForm(PowerForm):
    level = forms.TypedChoiceField(
        coerce=Level,
        choices=[(level.value, texts[0]) for level, texts in LEVELS.items()],
        error_messages=dict.fromkeys(("required", "invalid_choice"), later("Choose a level from the list.")),
    )


class AssistantForm(forms.Form):
    username = AccountName(later("Enter the name of the player who should be your assistant."))
    rights = forms.MultipleChoiceField(
        label=later("Rights"),
        choices=[(right.value, can) for right, can in CAN.items()],
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": later("Choose at least one right."),
            "invalid_choice": later("There is no right %(value)s. Choose from the list."),
        },
    )


class HandOverForm(forms.Form):
    username = AccountName(later("Enter the name of the player who should take over the game."))


class RepairForm(forms.Form):
    """The reason for a correction. `seen` is the mark of the phase that was open when the page was made."""

    seen = forms.CharField(widget=forms.HiddenInput, max_length=60)
    reason = ReasonField(needed=True)


class CorrectForm(RepairForm):
    """All orders of a power as they should have been and, with `bids`, its bids too."""

    text = FreeText(
        label=later("Orders"), required=False, widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"})
    )
    bids = forms.BooleanField(required=False, widget=forms.HiddenInput)
