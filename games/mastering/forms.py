"""What the game master fills in."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms

from games.kernel.days import DAY
from games.kernel.forms import LENGTHS, FreeText
from games.kernel.log import LONGEST_REASON

LONGEST_ORDER = 80


class ReasonField(FreeText):
    """Why: one line for the public log."""

    def __init__(self, *, needed: bool) -> None:
        super().__init__(
            label="Why" if needed else "Why (if you like)",
            required=needed,
            max_length=LONGEST_REASON,
            help_text="Everybody reads it in the public log.",
            error_messages={
                "required": "Write why: everybody reads the reason in the public log.",
                "max_length": "The reason has %(show_value)s characters, and it may have %(limit_value)s.",
            },
        )


class DeskForm(forms.Form):
    """A form on the desk. `blamed`: the field beside which a refusal stands that names none."""

    blamed: ClassVar[str]


class WhyForm(DeskForm):
    blamed = "reason"

    reason = ReasonField(needed=False)


class ExtendForm(DeskForm):
    blamed = "seconds"

    seconds = forms.TypedChoiceField(
        label="Put the deadline off by",
        coerce=int,
        choices=LENGTHS,
        initial=DAY,
        error_messages={"invalid_choice": "Choose one of the lengths of the list."},
    )
    reason = ReasonField(needed=False)


class DeadlineForm(DeskForm):
    """The moment to which the game master puts off the deadline, on the clocks of his own zone."""

    blamed = "until"

    until = forms.DateTimeField(
        label="Or until",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"],
        error_messages={"required": "Name a day and a time.", "invalid": "Write day and time as in 2026-11-30 19:00."},
    )
    reason = ReasonField(needed=False)


class SeatField(forms.CharField):
    """A power, as the list on the desk sends it."""

    def __init__(self) -> None:
        super().__init__(label="Seat", max_length=40, error_messages={"required": "Choose a seat of the list."})


class AccountName(forms.CharField):
    def __init__(self, **kwargs: Any) -> None:
        missing = {"required": "Write the name of the account, as the site shows it."}
        super().__init__(label="Name of the account", max_length=150, error_messages=missing, **kwargs)


class SeatPlayerForm(DeskForm):
    blamed = "username"

    power = SeatField()
    username = AccountName()
    reason = ReasonField(needed=False)


class InviteForm(DeskForm):
    """Whom the game master asks into which seat. Those who wait for such a seat are offered."""

    blamed = "username"

    power = SeatField()
    username = AccountName(widget=forms.TextInput(attrs={"list": "gm-waiting"}))


class EmptySeatForm(DeskForm):
    blamed = "power"

    power = SeatField()
    reason = ReasonField(needed=True)


class HandOverForm(DeskForm):
    blamed = "username"

    username = forms.CharField(
        label="Name of the account",
        max_length=150,
        error_messages={"required": "Write the name of whoever shall take the game over."},
    )


class RollBackForm(forms.Form):
    """Why the game goes back. `seen` is the mark of the phase that was open when the page was made."""

    seen = forms.CharField(widget=forms.HiddenInput, max_length=60)
    reason = ReasonField(needed=True)


class AmendForm(forms.Form):
    """Which published order counts as what. `given` is its power and its canonical text."""

    seen = forms.CharField(widget=forms.HiddenInput, max_length=60)
    given = forms.CharField(
        label="This order",
        max_length=LONGEST_ORDER + 60,
        error_messages={"required": "Choose the order that was wrong."},
    )
    instead = FreeText(
        label="Counts as",
        required=False,
        max_length=LONGEST_ORDER,
        help_text="As players write it. Left empty, the order does not count, as if nothing had been ordered.",
    )
    reason = ReasonField(needed=True)

    def clean(self) -> dict[str, Any]:
        power, _, order = self.cleaned_data.pop("given", "").partition(" ")
        return {**self.cleaned_data, "power": power, "order": order}


class PositionForm(forms.Form):
    """Why the position is changed. The changes themselves are lines beside it."""

    seen = forms.CharField(widget=forms.HiddenInput, max_length=60)
    reason = ReasonField(needed=True)
