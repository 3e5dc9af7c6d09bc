"""What is chosen when a game is created, and said to everybody before they join."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from games.kernel.timetable import Timetable, Week

SHORTEST_SECONDS = 30

LONGEST_SECONDS = 14 * 24 * 3600

SHORTEST_DERIVED_SECONDS = 60

SHORTEST_MUSTER_SECONDS = 5 * 60

SLOW_SECONDS, SLOW_MUSTER_SECONDS = 12 * 3600, 3 * 24 * 3600

WHOLE = 100

LONGEST_GRACE_SECONDS, MOST_GRACE_TIMES = 7 * 24 * 3600, 5

LONGEST_TAKING_BACK_SECONDS = 24 * 3600

MOST_ABSENCE_DAYS = 30

MOST_MISSES = 5

ANY_TIME = Week()

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


class Seats(StrEnum):
    """How the powers are given to the players."""

    CHOICE = "choice"
    RANDOM = "random"
    PREFERENCES = "preferences"


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

SEAT_TEXTS = {
    Seats.CHOICE: ("Seats by choice", "Everybody takes a power that is free; who comes first chooses first."),
    Seats.RANDOM: ("Seats by lot", "The powers are drawn by lot before the first turn."),
    Seats.PREFERENCES: (
        "Seats by wish lists",
        "Everybody may rank the powers, and nobody else ever sees the list. Before the first turn the powers are dealt "
        "so that all together come as near to their wishes as can be; among equally good deals the lot decides.",
    ),
}
"""Title and explanation of each."""

CLOSABLE = {"D": "declarations", "R": "retreats", "A": "builds and removals"}
"""Kinds of phases in which a game may have no talk, with their words."""

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
    "seats": "How the powers are given to the players.",
    "approval": "Who wants to join asks the game master first. Only the two of them see the request.",
    "least_reliability": (
        "Of all phases in which a player had something to decide, how many in a hundred were met, over all games here."
    ),
    "newcomers_welcome": "A player with few phases so far is new, not unreliable, and may join all the same.",
    "muster_seconds": (
        "When the game is full, everybody must say in this time that they are there; then it starts. Who does not "
        "say so loses the place, and it is open again. 0: the game starts as soon as it is full."
    ),
    "show_ready": "Everybody sees who is ready. Without this nobody does; everybody sees that the phase has ended.",
    "gm_plays": "The game master takes a seat like everybody else, and then may never look at bids.",
    "all_ready": (
        'A phase ends as soon as everybody who has something to decide says "ready". '
        "An early end tells everybody that nobody is still thinking."
    ),
    "gm_processes_early": (
        "The game master may end a phase before its deadline. What is saved by then counts, "
        "and nobody is asked first. Who has saved nothing by then has not missed a phase."
    ),
    "panic_seconds": (
        'How long "ready" can still be taken back once everybody has said it. Then the phase ends; if somebody takes '
        "it back, the old deadline holds again."
    ),
    "grace_seconds": (
        "If the deadline comes and somebody has saved nothing, it moves once by this time. Everybody learns that "
        "somebody had not saved, not who, and everybody may change saved orders until the new deadline."
    ),
    "grace_times": "How often that may happen for one player in the whole game.",
    "absence_days": (
        "Days that each player may book ahead. No deadline on which that player must decide falls on a booked day: it "
        "moves to the next allowed time after it. The others learn that a player is away, not who."
    ),
    "vacant_after": (
        "Who has something to decide and saves nothing, so many phases in a row, loses the seat. It is vacant then, "
        "and anybody who may join the game may take it. 0: nobody loses a seat like that."
    ),
    "gm_sees_bids": (
        "A game master who does not play may look at the bids of closed phases; every look is written "
        "into the public log. Without this the game master is blind to bids."
    ),
    "gm_previews": (
        "A game master who does not play may look at what the orders saved so far would lead to, before the phase "
        "ends. Each look stands in the public log. Without this nobody knows anything of them beforehand."
    ),
    "open_bids_at_end": (
        "All sheets of the phases played are published whole when the game ends, with every bid on them. Without this "
        "they stay sealed for ever."
    ),
    "press": "What players may write to each other. Left empty: as the rules of the variant say.",
    "press_closed": (
        "While such a phase is open, players write nothing; the game master still may. What was written stays readable."
    ),
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
    """Lengths are in seconds; for a kind of phase that has fixed times in the week, the length is the least it gets."""

    movement_seconds: int
    retreat_seconds: int
    adjustment_seconds: int
    gm_plays: bool = False
    all_ready: bool = False
    gm_processes_early: bool = False
    gm_sees_bids: bool = True
    gm_previews: bool = False
    open_bids_at_end: bool = False
    press: str = Press.FULL
    press_closed: tuple[str, ...] = ()
    hidden_names: bool = False
    seats: str = Seats.CHOICE
    approval: bool = False
    least_reliability: int = 0
    newcomers_welcome: bool = True
    muster_seconds: int = 0
    show_ready: bool = True
    week: Week = ANY_TIME
    panic_seconds: int = 0
    grace_seconds: int = 0
    grace_times: int = 0
    absence_days: int = 0
    draws: str = Draws.ANY
    open_votes: bool = False
    last_year: int | None = None
    vacant_after: int = 0

    def __post_init__(self) -> None:
        problems = {
            name: f"The time for {title} must be between {SHORTEST_SECONDS} seconds and 14 days."
            for name, title in LENGTHS.items()
            if not SHORTEST_SECONDS <= getattr(self, name) <= LONGEST_SECONDS
        }
        if self.seats not in set(Seats):
            problems["seats"] = f"The seats must be one of: {', '.join(Seats)}."
        if not 0 <= self.least_reliability <= WHOLE:
            problems["least_reliability"] = f"The least reliability must be between 0 and {WHOLE} per cent."
        if self.muster_seconds and not SHORTEST_MUSTER_SECONDS <= self.muster_seconds <= LONGEST_SECONDS:
            problems["muster_seconds"] = "The time to confirm must be between 5 minutes and 14 days."
        if self.draws not in set(Draws):
            problems["draws"] = f"The draws must be one of: {', '.join(Draws)}."
        if self.gm_previews and self.gm_plays:
            problems["gm_previews"] = (
                "Only a game master who does not play may look beforehand. Choose one of the two."
            )
        problems.update(self._problems_of_talk())
        problems.update(self._problems_of_time())
        if problems:
            raise BadOptions(problems)

    def _problems_of_talk(self) -> Iterator[tuple[str, str]]:
        if self.press not in set(Press):
            yield "press", f"The press must be one of: {', '.join(Press)}."
        if not set(self.press_closed) <= set(CLOSABLE):
            yield "press_closed", f"The talk may be closed in phases of {', '.join(CLOSABLE.values())}."
        elif self.press_closed and self.press == Press.NONE:
            yield "press_closed", "Where players write nothing, there is no talk to close."

    def _problems_of_time(self) -> Iterator[tuple[str, str]]:
        if not 0 <= self.panic_seconds <= LONGEST_TAKING_BACK_SECONDS:
            yield "panic_seconds", 'The time to take "ready" back may be up to 24 hours.'
        elif self.panic_seconds and not self.all_ready:
            yield "panic_seconds", 'Without an early end when all are ready there is no "ready" to take back.'
        if bool(self.grace_seconds) != bool(self.grace_times):
            yield "grace_seconds", "Choose both: how long the deadline moves, and how often for one player."
        elif self.grace_seconds and not SHORTEST_SECONDS <= self.grace_seconds <= LONGEST_GRACE_SECONDS:
            yield "grace_seconds", f"The deadline may move by {SHORTEST_SECONDS} seconds to 7 days."
        elif not 0 <= self.grace_times <= MOST_GRACE_TIMES:
            yield "grace_times", f"The deadline may move up to {MOST_GRACE_TIMES} times for one player."
        if not 0 <= self.absence_days <= MOST_ABSENCE_DAYS:
            yield "absence_days", f"Each player may book up to {MOST_ABSENCE_DAYS} days."
        if not 0 <= self.vacant_after <= MOST_MISSES:
            yield "vacant_after", f"A seat may become vacant after 1 to {MOST_MISSES} phases, or never (0)."

    @property
    def timetable(self) -> Timetable:
        return Timetable(self.week, self.movement_seconds, self.retreat_seconds, self.adjustment_seconds)

    @property
    def may_end_early(self) -> bool:
        """Can a phase end before its deadline?"""
        return self.all_ready or self.gm_processes_early

    def gm_may_look(self) -> bool:
        return self.gm_sees_bids and not self.gm_plays

    def gm_may_preview(self) -> bool:
        """May the game master see what an open phase would come to?"""
        return self.gm_previews and not self.gm_plays

    def gm_sees_names(self) -> bool:
        """Does the game master see who plays which power, also where names are hidden?"""
        return not (self.hidden_names and self.gm_plays)

    @classmethod
    def chosen(cls, **choices: Any) -> GameOptions:
        """From what was chosen: times that were left empty (None) follow from that of movement. BadOptions."""
        derived = derived_seconds(choices["movement_seconds"])
        lengths = {name: derived for name in LENGTHS if choices.get(name) is None}
        if choices.get("muster_seconds", 0) is None:
            lengths["muster_seconds"] = muster_seconds_for(choices["movement_seconds"])
        return cls(**{**choices, **lengths})

    def to_json(self) -> dict[str, Any]:
        return {"format": 1, **asdict(self), "week": self.week.to_json()}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> GameOptions:
        chosen = {name: value for name, value in stored.items() if name != "format"}
        if "week" in chosen:
            chosen["week"] = Week.from_json(chosen["week"])
        if "press_closed" in chosen:
            chosen["press_closed"] = tuple(chosen["press_closed"])
        return cls(**chosen)


def muster_seconds_for(movement_seconds: int) -> int:
    """The time to confirm when none was chosen: a slow game musters, a live one starts when it is full."""
    return SLOW_MUSTER_SECONDS if movement_seconds >= SLOW_SECONDS else 0


def derived_seconds(movement_seconds: int) -> int:
    """The length of retreats and adjustments when none was chosen."""
    return min(movement_seconds, max(SHORTEST_DERIVED_SECONDS, movement_seconds // 2))


def press_texts(options: GameOptions) -> tuple[str, str]:
    """Title and explanation of what players may write to each other."""
    if options.press == Press.NONE and options.hidden_names:
        return GUNBOAT
    return PRESS_TEXTS[Press(options.press)]


def closed_phases(options: GameOptions) -> str:
    """The kinds of phases in which the talk is closed, as in "retreats, and builds and removals"."""
    return ", and ".join(words for kind, words in CLOSABLE.items() if kind in options.press_closed)
