"""Diplomacy as a pure function: positions and orders in, resolutions out. No clock, no chance."""

from adjudication.adjustments import adjustment_count, adjustment_counts
from adjudication.auction import award, budget
from adjudication.board import Board, BoardError, Kind, Province, province_of
from adjudication.disorder import players, seceded
from adjudication.errors import FormatError, NotationError
from adjudication.judge import adjudicate, resolve, secede
from adjudication.legality import check
from adjudication.notation import (
    Problem,
    Reading,
    parse_order,
    pretty_order,
    read_sheet,
    write_order,
    write_sheet,
)
from adjudication.options import UnitOptions, bid_options, must_decide, order_options
from adjudication.orders import (
    Bid,
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Sheet,
    Support,
    Waive,
)
from adjudication.position import Dislodged, Position
from adjudication.reasons import OrderRefusal, Reason
from adjudication.resolution import (
    Attack,
    Contest,
    Notice,
    OrderOutcome,
    Private,
    Public,
    Resolution,
    Result,
    Verdict,
)
from adjudication.ruleset import Ruleset
from adjudication.turns import Calendar, PhaseKind, Season, Step, Turn
from adjudication.units import NEUTRAL, Unit, UnitKind

__all__ = [
    "NEUTRAL",
    "Attack",
    "Bid",
    "Board",
    "BoardError",
    "Build",
    "Calendar",
    "Contest",
    "Convoy",
    "Disband",
    "Dislodged",
    "FormatError",
    "Hold",
    "Kind",
    "Move",
    "NotationError",
    "Notice",
    "Order",
    "OrderOutcome",
    "OrderRefusal",
    "PhaseKind",
    "Position",
    "Private",
    "Problem",
    "Province",
    "Public",
    "Reading",
    "Reason",
    "Resolution",
    "Result",
    "Retreat",
    "Ruleset",
    "Season",
    "Sheet",
    "Step",
    "Support",
    "Turn",
    "Unit",
    "UnitKind",
    "UnitOptions",
    "Verdict",
    "Waive",
    "adjudicate",
    "adjustment_count",
    "adjustment_counts",
    "award",
    "bid_options",
    "budget",
    "check",
    "must_decide",
    "order_options",
    "parse_order",
    "players",
    "pretty_order",
    "province_of",
    "read_sheet",
    "resolve",
    "secede",
    "seceded",
    "write_order",
    "write_sheet",
]
