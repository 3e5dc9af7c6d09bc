"""What is chosen when a game is created, and said to everybody before they join."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from adjudication.turns import PhaseKind

SHORTEST_SECONDS = 30
LONGEST_SECONDS = 14 * 24 * 3600
SHORTEST_DERIVED_SECONDS = 60

LENGTHS = {
    "movement_seconds": "movement phases",
    "retreat_seconds": "retreat phases",
    "adjustment_seconds": "adjustment phases",
}


class Press(StrEnum):
    """What players may write to each other."""

    FULL = "full"
    PUBLIC = "public"
    NONE = "none"


class Draws(StrEnum):
    """Which endings that several powers share may be agreed."""

    ANY = "any"
    ALL = "all"
    NONE = "none"


PRESS_TEXTS = {
    Press.FULL: (
        "Full press",
        "Any set of powers may write to each other in private, and everybody may write to all.",
    ),
    Press.PUBLIC: (
        "Public press (Wilson)",
        "Players write only in the open: every message is read by everybody.",
    ),
    Press.NONE: ("No press", "Players write nothing to each other until the game is over."),
}
"""Title and explanation of each."""

GUNBOAT = (
    "Gunboat: no press, hidden names",
    "Players write nothing to each other, and nobody is told who plays which power, until the game is over.",
)

DRAW_TEXTS = {
    Draws.ANY: (
        "Any powers may share the end",
        "All who are left may agree on a draw among any of them, or concede the game to one power or to several.",
    ),
    Draws.ALL: (
        "Only all powers that are left may draw",
        "All who are left may agree on a draw among all of them, or concede the game to one power.",
    ),
    Draws.NONE: (
        "No draws by agreement",
        "Nobody shares the end by agreement. All who are left may concede the game to one power.",
    ),
}
"""Title and explanation of each."""

OPTION_TEXTS = {
    "movement_seconds": "How long players have for orders, and for placing units where a game begins with that.",
    "retreat_seconds": "The time for retreats. Left empty: half of the movement time, at least a minute.",
    "adjustment_seconds": (
        "The time for builds and removals, and for declarations where there are any. Left empty: as for retreats."
    ),
    "by_invitation": "Only people with the invitation link see the game and may join it.",
    "gm_plays": "The game master takes a seat like everybody else, and then may never look at bids.",
    "all_ready": (
        'A phase ends as soon as everybody who has something to decide says "ready". Who is ready is public, '
        "and an early end tells everybody that nobody is still thinking."
    ),
    "gm_processes_early": (
        "The game master may end a phase before its deadline. What is saved by then counts, "
        "and nobody is asked first."
    ),
    "gm_sees_bids": (
        "A game master who does not play may look at the bids of closed phases; every look is written "
        "into the public log. Without this the game master is blind to bids."
    ),
    "open_bids_at_end": (
        "All bids of all phases are published when the game ends. Without this they stay sealed for ever."
    ),
    "press": "What players may write to each other. Left empty: as the rules of the variant say.",
    "hidden_names": (
        "Nobody is told who plays which power until the game is over. Only a game master who does not play "
        "sees the names."
    ),
    "draws": "Which endings that several powers share may be agreed by all who are left.",
    "open_votes": (
        "Everybody sees who has agreed to which proposal. Without this nobody learns who has agreed, or how many."
    ),
    "last_year": (
        "When this year has been played to its end, the powers that are left share a draw. "
        "Left empty: the game has no last year."
    ),
}


class BadOptions(ValueError):
    """Options that no game can have; `problems` maps the option to a sentence."""

    def __init__(self, problems: dict[str, str]) -> None:
        super().__init__(" ".join(problems.values()))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class GameOptions:
    """Lengths are in seconds."""

    movement_seconds: int
    retreat_seconds: int
    adjustment_seconds: int
    gm_plays: bool = False
    all_ready: bool = False
    gm_processes_early: bool = False
    gm_sees_bids: bool = True
    open_bids_at_end: bool = False
    press: str = Press.FULL
    hidden_names: bool = False
    draws: str = Draws.ANY
    open_votes: bool = False
    last_year: int | None = None

    def __post_init__(self) -> None:
        problems = {
            name: f"The time for {title} must be between {SHORTEST_SECONDS} seconds and 14 days."
            for name, title in LENGTHS.items()
            if not SHORTEST_SECONDS <= getattr(self, name) <= LONGEST_SECONDS
        }
        if self.press not in set(Press):
            problems["press"] = f"The press must be one of: {', '.join(Press)}."
        if self.draws not in set(Draws):
            problems["draws"] = f"The draws must be one of: {', '.join(Draws)}."
        if problems:
            raise BadOptions(problems)

    def seconds_for(self, kind: str) -> int:
        """The length of a phase of this kind, as in "M"."""
        return {
            PhaseKind.MOVEMENT: self.movement_seconds,
            PhaseKind.DEPLOYMENT: self.movement_seconds,
            PhaseKind.RETREAT: self.retreat_seconds,
            PhaseKind.ADJUSTMENT: self.adjustment_seconds,
            PhaseKind.DECLARATION: self.adjustment_seconds,
        }[PhaseKind(kind)]

    def gm_may_look(self) -> bool:
        return self.gm_sees_bids and not self.gm_plays

    def gm_sees_names(self) -> bool:
        """Does the game master see who plays which power, also where names are hidden?"""
        return not (self.hidden_names and self.gm_plays)

    @classmethod
    def chosen(cls, **choices: Any) -> GameOptions:
        """From what was chosen: lengths that were left empty (None) follow from that of movement. BadOptions."""
        derived = derived_seconds(choices["movement_seconds"])
        lengths = {name: derived for name in LENGTHS if choices.get(name) is None}
        return cls(**{**choices, **lengths})

    def to_json(self) -> dict[str, Any]:
        return {"format": 1, **asdict(self)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> GameOptions:
        return cls(**{name: value for name, value in stored.items() if name != "format"})


def derived_seconds(movement_seconds: int) -> int:
    """The length of retreats and adjustments when none was chosen."""
    return min(movement_seconds, max(SHORTEST_DERIVED_SECONDS, movement_seconds // 2))
