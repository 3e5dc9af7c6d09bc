"""Diplomacy as a pure function: positions and orders in, resolutions out. No clock and no randomness.

The names listed here stay the same from version to version. Everything else in the modules may change.
"""

from adjudication.auction import budget
from adjudication.board import Board, Province, ProvinceKind
from adjudication.errors import FormatError, NotationError
from adjudication.judge import adjudicate, resolve
from adjudication.notation import Problem, SheetReading, parse_order, read_sheet, write_order, write_sheet
from adjudication.options import UnitOptions, bid_options, must_decide, order_options
from adjudication.orders import (
    Bid,
    Build,
    Convoy,
    Declare,
    Disband,
    Hold,
    Move,
    Order,
    OrderSheet,
    Retreat,
    Support,
    Waive,
)
from adjudication.position import Dislodged, Position
from adjudication.reasons import Reason
from adjudication.resolution import Notice, OrderOutcome, OrderResult, Private, Public, Resolution, Verdict
from adjudication.ruleset import Ruleset
from adjudication.serialisation import position_from_json, position_to_json, public_from_json, public_to_json
from adjudication.turns import PhaseKind, Season, Turn
from adjudication.units import NEUTRAL, Unit, UnitKind

__all__ = [
    "NEUTRAL",
    "Bid",
    "Board",
    "Build",
    "Convoy",
    "Declare",
    "Disband",
    "Dislodged",
    "FormatError",
    "Hold",
    "Move",
    "NotationError",
    "Notice",
    "Order",
    "OrderOutcome",
    "OrderResult",
    "OrderSheet",
    "PhaseKind",
    "Position",
    "Private",
    "Problem",
    "Province",
    "ProvinceKind",
    "Public",
    "Reason",
    "Resolution",
    "Retreat",
    "Ruleset",
    "Season",
    "SheetReading",
    "Support",
    "Turn",
    "Unit",
    "UnitKind",
    "UnitOptions",
    "Verdict",
    "Waive",
    "adjudicate",
    "bid_options",
    "budget",
    "must_decide",
    "order_options",
    "parse_order",
    "position_from_json",
    "position_to_json",
    "public_from_json",
    "public_to_json",
    "read_sheet",
    "resolve",
    "write_order",
    "write_sheet",
]
