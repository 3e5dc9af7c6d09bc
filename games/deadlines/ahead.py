"""What players wrote ahead, when its phase opens: their saved orders of that phase, which they can still change."""

from collections.abc import Iterable, Mapping

from adjudication.conditional import is_covered, now_due
from adjudication.notation import write_sheet
from adjudication.options import must_decide
from adjudication.orders import NOTHING_AHEAD, Ahead
from adjudication.position import Position
from adjudication.ruleset import Ruleset
from games.kernel.models import Occupancy, Phase


def ahead_of(ahead: Mapping[str, Ahead], before: Phase | None, seated: Iterable[Occupancy]) -> dict[str, Ahead]:
    """Of what was written ahead in the phase `before`, that of the players who still hold their seats."""
    if before is None or before.closed is None:
        return {}
    still = {one.seat.power for one in seated if one.since <= before.closed}
    return {power: found for power, found in ahead.items() if power in still and found != NOTHING_AHEAD}


def brought_forward(ahead: Mapping[str, Ahead], position: Position, ruleset: Ruleset) -> dict[str, tuple[str, bool]]:
    """Power -> the lines of its sheet for this phase, and whether they count as saved: not if they leave everything
    open that it has to decide."""
    deciding, found = must_decide(position, ruleset), {}
    for power, written in ahead.items():
        sheet = now_due(written, power, position, ruleset)
        covered = power not in deciding or is_covered(written, power, position, ruleset)
        if sheet.orders or sheet.ahead != NOTHING_AHEAD:
            found[power] = write_sheet(sheet, position), covered or bool(sheet.orders)
    return found
