"""The rows of the games. What players write in secret is not here: see games.sealed."""

from games.models.game import OVER, UNDER_WAY, Game, Occupancy, Seat, Status
from games.models.ledger import Event, EventKind
from games.models.options import (
    GUNBOAT,
    OPTION_TEXTS,
    PRESS_TEXTS,
    BadOptions,
    GameOptions,
    Press,
    derived_seconds,
)
from games.models.outbox import Letter, LetterKind
from games.models.phase import OpenedBids, Phase, Readiness, Result
from games.models.press import Bookmark, Message, PressLetter, Thread

__all__ = [
    "GUNBOAT",
    "OPTION_TEXTS",
    "OVER",
    "PRESS_TEXTS",
    "UNDER_WAY",
    "BadOptions",
    "Bookmark",
    "Event",
    "EventKind",
    "Game",
    "GameOptions",
    "Letter",
    "LetterKind",
    "Message",
    "Occupancy",
    "OpenedBids",
    "Phase",
    "Press",
    "PressLetter",
    "Readiness",
    "Result",
    "Seat",
    "Status",
    "Thread",
    "derived_seconds",
]
