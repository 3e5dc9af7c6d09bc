"""The rows of the games. What players write in secret is not here: see games.sealed."""

from games.models.game import OVER, UNDER_WAY, Game, Occupancy, Seat, Status
from games.models.ledger import Event, EventKind
from games.models.options import OPTION_TEXTS, BadOptions, GameOptions, derived_seconds
from games.models.outbox import Letter, LetterKind
from games.models.phase import OpenedBids, Phase, Readiness, Result

__all__ = [
    "OPTION_TEXTS",
    "OVER",
    "UNDER_WAY",
    "BadOptions",
    "Event",
    "EventKind",
    "Game",
    "GameOptions",
    "Letter",
    "LetterKind",
    "Occupancy",
    "OpenedBids",
    "Phase",
    "Readiness",
    "Result",
    "Seat",
    "Status",
    "derived_seconds",
]
