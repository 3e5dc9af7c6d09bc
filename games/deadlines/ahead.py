"""Orders that players wrote ahead become their saved orders when the phase opens. They can still change them, unless
the game's terms end the phase at once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from adjudication.conditional import leaves_nothing_open, sheet_now_due
from adjudication.notation import write_sheet
from adjudication.options import must_decide
from adjudication.orders import NOTHING_AHEAD, Ahead
from adjudication.position import Position
from adjudication.ruleset import Ruleset
from adjudication.turns import PhaseKind
from games.deadlines.options import WrittenAhead
from games.kernel.models import Game, Occupancy, Phase

KINDS_WRITTEN_AHEAD = frozenset({PhaseKind.RETREAT, PhaseKind.ADJUSTMENT})
"""The kinds of phase for which orders can be there before it opens."""


@dataclass(frozen=True, slots=True, repr=False)
class SheetAhead:
    """The lines of a sheet written ahead. `is_saved`: they count as saved orders, unless its power has yet to decide
    everything. `leaves_nothing`: they decide everything; a wish that is not possible decides nothing."""

    lines: str
    is_saved: bool
    leaves_nothing: bool


def sheets_ahead(
    ahead: Mapping[str, Ahead], before: Phase | None, players: Iterable[Occupancy], position: Position, ruleset: Ruleset
) -> dict[str, SheetAhead]:
    """Sheets for a phase that opens in this position, by power, from what players who still hold their seats wrote
    ahead in the phase `before`."""
    if before is None or before.closed is None or position.turn.kind not in KINDS_WRITTEN_AHEAD:
        return {}
    still_seated = {one.seat.power for one in players if one.since <= before.closed}
    powers, sheets = must_decide(position, ruleset), {}
    for power, written in ahead.items():
        if power in still_seated and written != NOTHING_AHEAD:
            sheet = sheet_now_due(written, power, position, ruleset)
            if sheet.orders or sheet.ahead != NOTHING_AHEAD:
                whole = leaves_nothing_open(sheet.orders, power, position, ruleset)
                saved = bool(sheet.orders) or power not in powers
                sheets[power] = SheetAhead(write_sheet(sheet, position), saved, whole)
    return sheets


def all_wrote_ahead(game: Game, sheets: Mapping[str, SheetAhead], position: Position, ruleset: Ruleset) -> bool:
    """Does the phase end at once, because the terms allow it and all who must decide have written ahead?"""
    if not sheets or not game.options[WrittenAhead].ends_if_written_ahead:
        return False
    deciding = must_decide(position, ruleset)
    return bool(deciding) and all(power in sheets and sheets[power].leaves_nothing for power in deciding)
