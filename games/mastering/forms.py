"""What the game master fills in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django import forms

from games.kernel.forms import DAY, LENGTHS, Choice, FreeText, Group, OneOf
from games.kernel.log import LONGEST_REASON

if TYPE_CHECKING:
    from collections.abc import Mapping


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
    """Why the game master does what a button beside it says."""

    blamed = "reason"

    reason = ReasonField(needed=False)


class ExtendForm(DeskForm):
    """By how much the game master puts off the deadline."""

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
        error_messages={
            "required": "Name a day and a time.",
            "invalid": "Write day and time as in 2026-11-30 19:00.",
        },
    )
    reason = ReasonField(needed=False)


class Seat(forms.CharField):
    """A power, as the list on the desk sends it."""

    def __init__(self) -> None:
        super().__init__(
            label="Seat", max_length=40, error_messages={"required": "Choose a seat of the list."}
        )


class AccountName(forms.CharField):
    """Who is meant, as the site writes the name."""

    def __init__(self, **kwargs: Any) -> None:
        missing = {"required": "Write the name of the account, as the site shows it."}
        super().__init__(label="Name of the account", max_length=150, error_messages=missing, **kwargs)


class SeatPlayerForm(DeskForm):
    """Whom the game master puts into which seat."""

    blamed = "username"

    power = Seat()
    username = AccountName()
    reason = ReasonField(needed=False)


class InviteForm(DeskForm):
    """Whom the game master asks into which seat. Those who wait for such a seat are offered."""

    blamed = "username"

    power = Seat()
    username = AccountName(widget=forms.TextInput(attrs={"list": "gm-waiting"}))


class EmptySeatForm(DeskForm):
    """Whom the game master takes out of which seat, and why."""

    blamed = "power"

    power = Seat()
    reason = ReasonField(needed=True)


class HandOverForm(DeskForm):
    """Who shall be the next game master."""

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


class PositionForm(forms.Form):
    """Why the position is changed. The changes themselves are lines beside it."""

    seen = forms.CharField(widget=forms.HiddenInput, max_length=60)
    reason = ReasonField(needed=True)


PLAYS, RUNS = "plays", "runs"

SEES, BLIND = "sees", "blind"

SEALED, OPENED = "sealed", "opened"


class MasterGroup(Group):
    title = "The game master, and bids"
    about = "what you do besides, what you may look at, and what is opened at the end"
    template = "mastering/partials/create.html"

    part = OneOf(
        "You",
        (
            Choice(PLAYS, "I play", "You take a seat like everybody else, and never see anybody's bids."),
            Choice(
                RUNS,
                "I only run it",
                "You start, extend, pause and find replacements, and do not play.",
            ),
        ),
    )
    bids_for_gm = OneOf(
        "Bids during the game, where the variant has Diplomacy Points",
        (
            Choice(
                SEES,
                "The game master may look at the bids of closed phases",
                "Only if the game master does not play. Each look is written into the game's public log. "
                "Bids of the open phase stay closed to everybody.",
            ),
            Choice(BLIND, "Blind game master", "Nobody ever sees another's bids, you neither."),
        ),
    )
    gm_previews = forms.BooleanField(
        label="Let me look beforehand",
        required=False,
        help_text=(
            "Only if you do not play. Before a phase ends you may look at what the orders saved so far would lead to. "
            "Each look stands in the public log, and everybody knows this before joining."
        ),
    )
    bids_at_end = OneOf(
        "Sheets and bids after the end",
        (
            Choice(SEALED, "Sealed for ever", "Who paid for what stays a secret when the game is over."),
            Choice(
                OPENED,
                "Opened when the game ends",
                "All sheets are published whole at the end: every bid on them, and every line that came to nothing. "
                "Everybody can then check each result.",
            ),
        ),
    )

    @classmethod
    def like(cls, chosen: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "part": PLAYS if chosen["gm_plays"] else RUNS,
            "bids_for_gm": SEES if chosen["gm_sees_bids"] else BLIND,
            "gm_previews": chosen["gm_previews"],
            "bids_at_end": OPENED if chosen["open_bids_at_end"] else SEALED,
        }

    def options(self) -> dict[str, Any]:
        return {
            "gm_plays": self.cleaned_data["part"] == PLAYS,
            "gm_sees_bids": self.cleaned_data["bids_for_gm"] == SEES,
            "gm_previews": self.cleaned_data["gm_previews"],
            "open_bids_at_end": self.cleaned_data["bids_at_end"] == OPENED,
        }
