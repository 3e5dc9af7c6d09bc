"""What the game master fills in."""

from typing import Any

from django import forms

from games.kernel.days import DAY
from games.kernel.forms import LENGTHS, AccountName, FreeText
from games.kernel.news import LONGEST_REASON

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


class WhyForm(forms.Form):
    reason = ReasonField(needed=False)


class ExtendForm(forms.Form):
    seconds = forms.TypedChoiceField(
        label="Put the deadline off by",
        coerce=int,
        choices=LENGTHS,
        initial=DAY,
        error_messages={"invalid_choice": "Choose one of the lengths of the list."},
    )
    reason = ReasonField(needed=False)


class DeadlineForm(forms.Form):
    """The moment to which the game master puts off the deadline, on the clocks of his own zone."""

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


class SeatPlayerForm(forms.Form):
    power = SeatField()
    username = AccountName()
    reason = ReasonField(needed=False)


class InviteForm(forms.Form):
    """Whom the game master asks into which seat. Those who wait for such a seat are offered."""

    power = SeatField()
    username = AccountName(widget=forms.TextInput(attrs={"list": "gm-waiting"}))


class EmptySeatForm(forms.Form):
    power = SeatField()
    reason = ReasonField(needed=True)


class HandOverForm(forms.Form):
    username = AccountName("Write the name of whoever shall take the game over.")


class RepairForm(forms.Form):
    """Why something is put right. `seen` is the mark of the phase that was open when the page was made."""

    seen = forms.CharField(widget=forms.HiddenInput, max_length=60)
    reason = ReasonField(needed=True)


class AmendForm(RepairForm):
    """Which published order counts as what. `given` is its power and its canonical text."""

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

    def clean(self) -> dict[str, Any]:
        power, _, order = self.cleaned_data.pop("given", "").partition(" ")
        return {**self.cleaned_data, "power": power, "order": order}
