"""What the game master of a new game does besides, and who sees bids when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from games.forms.groups import Choice, Group, OneOf

if TYPE_CHECKING:
    from collections.abc import Mapping

PLAYS, RUNS = "plays", "runs"
SEES, BLIND = "sees", "blind"
SEALED, OPENED = "sealed", "opened"


class MasterGroup(Group):
    title = "The game master, and bids"
    about = "what you do besides, what you may look at, and what is opened at the end"
    template = "games/create/master.html"

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
