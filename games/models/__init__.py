"""The rows of the games. What players write in secret is not here: see games.sealed."""

from games.models.commitment import Commitment
from games.models.game import OVER, UNDER_WAY, Departure, Game, Occupancy, Seat, Status
from games.models.handover import Handover
from games.models.joining import Confirmation, Joiner, JoinRequest, Muster
from games.models.ledger import Event, EventKind
from games.models.market import Approach, Sitting, Standby
from games.models.moderation import ActKind, ModerationAct, SignIn, Suspension
from games.models.notify import (
    TOPICS,
    USUAL_HOUR,
    USUAL_MAIL,
    DailyLetter,
    Mail,
    NotificationChoice,
    Topic,
    Webhook,
)
from games.models.options import (
    CLOSABLE,
    DRAW_TEXTS,
    GUNBOAT,
    OPTION_TEXTS,
    PRESS_TEXTS,
    SEAT_TEXTS,
    BadOptions,
    Draws,
    GameOptions,
    Press,
    Seats,
    derived_seconds,
    muster_seconds_for,
)
from games.models.outbox import Letter, LetterKind
from games.models.people import Block, Withheld
from games.models.phase import OpenedBids, Phase, Readiness, Result
from games.models.press import Bookmark, Message, Mute, Notebook, PressLetter, Remark, Report, Thread
from games.models.push import PushDevice, PushSilence
from games.models.repair import Amendment, Undoing
from games.models.timing import Absence, Allowance, CalendarKey, Reminder
from games.models.tokens import ApiToken, Scope
from games.models.votes import LONGEST_STATEMENT, EndKind, Fate, Proposal, Statement, Vote

__all__ = [
    "CLOSABLE",
    "DRAW_TEXTS",
    "GUNBOAT",
    "LONGEST_STATEMENT",
    "OPTION_TEXTS",
    "OVER",
    "PRESS_TEXTS",
    "SEAT_TEXTS",
    "TOPICS",
    "UNDER_WAY",
    "USUAL_HOUR",
    "USUAL_MAIL",
    "Absence",
    "ActKind",
    "Allowance",
    "Amendment",
    "ApiToken",
    "Approach",
    "BadOptions",
    "Block",
    "Bookmark",
    "CalendarKey",
    "Commitment",
    "Confirmation",
    "DailyLetter",
    "Departure",
    "Draws",
    "EndKind",
    "Event",
    "EventKind",
    "Fate",
    "Game",
    "GameOptions",
    "Handover",
    "JoinRequest",
    "Joiner",
    "Letter",
    "LetterKind",
    "Mail",
    "Message",
    "ModerationAct",
    "Muster",
    "Mute",
    "Notebook",
    "NotificationChoice",
    "Occupancy",
    "OpenedBids",
    "Phase",
    "Press",
    "PressLetter",
    "Proposal",
    "PushDevice",
    "PushSilence",
    "Readiness",
    "Remark",
    "Reminder",
    "Report",
    "Result",
    "Scope",
    "Seat",
    "Seats",
    "SignIn",
    "Sitting",
    "Standby",
    "Statement",
    "Status",
    "Suspension",
    "Thread",
    "Topic",
    "Undoing",
    "Vote",
    "Webhook",
    "Withheld",
    "derived_seconds",
    "muster_seconds_for",
]
