"""What players may write to each other, and when."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from games.kernel.forms import OneOf, Radio, Ticks
from games.kernel.game_options import Heading, Options, Section, option
from games.kernel.options import Names
from variants.registry import ALL
from variants.variant import Variant


class Press(StrEnum):
    """What players may write to each other."""

    FULL = "full"
    PUBLIC = "public"
    NONE = "none"


PRESS_TEXTS = {
    Press.FULL: ("Full press", "Any set of powers may write to each other in private, and everybody may write to all."),
    Press.PUBLIC: ("Public press (Wilson)", "Players write only in the open: every message is read by everybody."),
    Press.NONE: ("No press", "Players write nothing to each other until the game is over."),
}
"""Title and explanation of each."""

GUNBOAT = (
    "Gunboat: no press, hidden names",
    "Players write nothing to each other, and nobody is told who plays which power, until the game is over.",
)

CLOSABLE = {"D": "declarations", "R": "retreats", "A": "builds and removals"}
"""Kinds of phases in which a game may have no talk, with their words."""


def _by_variant() -> str:
    """As in "Full press in 1926, Locarno. Public press (Wilson) in Balkan."."""
    ways: dict[str, list[str]] = {}
    for variant in ALL:
        ways.setdefault(PRESS_TEXTS[Press(variant.press_default)][0], []).append(variant.title)
    if len(ways) == 1:
        return f"{next(iter(ways))} in every variant."
    return " ".join(f"{way} in {', '.join(ways[way])}." for way in sorted(ways))


def _as_the_variant_says(_values: Mapping[str, Any], variant: Variant | None) -> str:
    return variant.press_default if variant else Press.FULL


class Talk(Options):
    section = Section.TALK
    heading = Heading.TALK
    title = "Talk"
    facts = ("press_title",)

    press: str = option(
        help_text="What players may write to each other. Left empty: as the rules of the variant say.",
        allowed=tuple(Press),
        wrong=f"The press must be one of: {', '.join(Press)}.",
        left_empty=_as_the_variant_says,
        asked_as="talk",
        asked=OneOf(
            "Talk",
            (
                Radio("variant", "As the variant's rules say", _by_variant(), None),
                Radio(Press.FULL.value, *PRESS_TEXTS[Press.FULL]),
                Radio(Press.PUBLIC.value, *PRESS_TEXTS[Press.PUBLIC]),
                Radio("gunboat", *GUNBOAT, {"press": Press.NONE.value, "hidden_names": True}),
            ),
        ),
        by_hand=True,
    )
    press_closed: tuple[str, ...] = option(
        (),
        help_text=(
            "While such a phase is open, players write nothing; the game master still may. What was written stays "
            "readable."
        ),
        allowed=CLOSABLE,
        wrong=f"The talk may be closed in phases of {', '.join(CLOSABLE.values())}.",
        parse=tuple,
        asked=Ticks("No talk in phases of", CLOSABLE.items()),
    )

    def problems(self) -> Iterable[tuple[str, str]]:
        if self.press_closed and self.press == Press.NONE:
            yield "press_closed", "Where players write nothing, there is no talk to close."

    @property
    def texts(self) -> tuple[str, str]:
        """Title and explanation of what players may write to each other."""
        gunboat = self.press == Press.NONE and self.whole[Names].hidden_names
        return GUNBOAT if gunboat else PRESS_TEXTS[Press(self.press)]

    @property
    def press_title(self) -> str:
        """What players may write to each other, in a few words."""
        return self.texts[0]

    @property
    def closed_phases(self) -> str:
        """The kinds of phases in which the talk is closed, as in "retreats, and builds and removals"."""
        return ", and ".join(words for kind, words in CLOSABLE.items() if kind in self.press_closed)

    def sentence(self) -> str:
        title, explanation = self.texts
        said = [f"{title}.", explanation]
        if self.press_closed:
            said.append(f"Players write nothing while {self.closed_phases} are open.")
        if self.whole[Names].hidden_names:
            if self.texts != GUNBOAT:
                said.append("Nobody is told who plays which power until the game is over.")
            sees = self.whole[Names].seen_by_gm
            said.append(
                f"The game master {'does not play and sees the names' if sees else 'plays and sees no names either'}."
            )
        return " ".join(said)
