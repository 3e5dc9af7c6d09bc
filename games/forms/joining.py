"""Who may join a new game, how the powers are given, and when it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from games.forms.groups import Choice, Group, OneOf
from games.forms.lengths import DAY, nearest
from games.models import OPTION_TEXTS, SEAT_TEXTS
from games.models.options import muster_seconds_for

if TYPE_CHECKING:
    from collections.abc import Mapping

OPEN, APPROVAL, INVITATION = "open", "approval", "invitation"
BY_PACE = "pace"
MUSTERS = {BY_PACE: None, "day": DAY, "three": 3 * DAY, "week": 7 * DAY, "none": 0}
PERCENTAGES = (50, 75, 90, 95)


class JoiningGroup(Group):
    title = "Joining"
    about = "who may join, how the powers are given, and what comes before the first turn"
    template = "games/create/joining.html"

    entrance = OneOf(
        "Who may join",
        (
            Choice(OPEN, "Everybody", "The game stands in the lobby; anybody may watch it and take a seat."),
            Choice(
                APPROVAL,
                "Whoever you let in",
                "The game stands in the lobby and anybody may watch it. Who wants to play asks you first.",
            ),
            Choice(
                INVITATION, "By invitation link", "Only people with the link see the game and may join it."
            ),
        ),
    )
    least_reliability = forms.TypedChoiceField(
        label="Least reliability",
        choices=[(0, "None"), *((figure, f"{figure} % of phases met") for figure in PERCENTAGES)],
        coerce=int,
        initial=0,
        required=False,
        help_text=OPTION_TEXTS["least_reliability"],
    )
    newcomers = OneOf(
        "New players, where reliability is wanted",
        (
            Choice("welcome", "Welcome", OPTION_TEXTS["newcomers_welcome"]),
            Choice("not", "Not in this game", "Only players who have shown that they keep up."),
        ),
    )
    seats = OneOf(
        "How the powers are given", tuple(Choice(key.value, *texts) for key, texts in SEAT_TEXTS.items())
    )
    muster = OneOf(
        "Before the first turn",
        (
            Choice(
                BY_PACE,
                "As the pace says",
                "In a slow game everybody has 3 days to confirm. A live evening starts as soon as it is full.",
            ),
            Choice("day", "Everybody has 1 day to confirm"),
            Choice("three", "Everybody has 3 days to confirm"),
            Choice("week", "Everybody has a week to confirm"),
            Choice("none", "Start as soon as the game is full", "Nobody is asked once more."),
        ),
    )

    @classmethod
    def like(cls, chosen: Mapping[str, Any]) -> dict[str, Any]:
        entrance = INVITATION if chosen["by_invitation"] else APPROVAL if chosen["approval"] else OPEN
        figures = [(0, ""), *((figure, "") for figure in PERCENTAGES)]
        return {
            "entrance": entrance,
            "least_reliability": nearest(chosen["least_reliability"], figures),
            "newcomers": "welcome" if chosen["newcomers_welcome"] else "not",
            "seats": chosen["seats"],
            "muster": cls._muster(chosen["muster_seconds"], chosen["movement_seconds"]),
        }

    @classmethod
    def _muster(cls, seconds: int, movement_seconds: int) -> str:
        if seconds == muster_seconds_for(movement_seconds):
            return BY_PACE
        known = {length: key for key, length in MUSTERS.items() if length is not None}
        return known[nearest(seconds, ((length, "") for length in known))]

    def options(self) -> dict[str, Any]:
        chosen = self.cleaned_data
        return {
            "by_invitation": chosen["entrance"] == INVITATION,
            "approval": chosen["entrance"] == APPROVAL,
            "least_reliability": chosen["least_reliability"] or 0,
            "newcomers_welcome": chosen["newcomers"] == "welcome",
            "seats": chosen["seats"],
            "muster_seconds": MUSTERS[chosen["muster"]],
        }
