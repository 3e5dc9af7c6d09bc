"""The table of bids: how much each power bid for which order of which minor power, and the outcome of the bid."""

import csv
from collections import defaultdict
from collections.abc import Iterable, Mapping
from io import StringIO

from adjudication.auction import is_order_of, outcomes_of_bids, why_bids_do_not_count
from adjudication.board import province_of
from adjudication.notation import write_order
from adjudication.orders import location_of
from adjudication.situation import Situation
from adjudication.units import NEUTRAL
from games.kernel import codec
from games.kernel.languages import later
from games.kernel.models import Phase
from games.orders.parts import MinorBids, PhaseBids, ToldBid
from variants.maps import unit_title
from variants.words.orders import pretty_order, turn_words

COLUMNS = (
    later("phase"),
    later("turn"),
    later("minor power"),
    later("unit"),
    later("power"),
    later("points"),
    later("order"),
    later("result"),
    later("order followed"),
)
NOT_COUNTED = later("did not count")


def bids_by_unit(phase: Phase, lines_by_power: Mapping[str, str]) -> PhaseBids:
    """The bids of a closed phase; `lines_by_power`: power -> canonical lines."""
    position, variant = codec.position_of(phase), codec.variant_of(phase.game)
    situation, board = Situation(position, variant.ruleset), variant.ruleset.board
    bids_made = [
        (power, bid, reason)
        for power, sheet in codec.read_order_sheets(lines_by_power, position, variant).items()
        for bid, reason in zip(sheet.bids, why_bids_do_not_count(sheet.bids, power, situation), strict=True)
    ]
    outcomes = iter(outcomes_of_bids([bid for _, bid, reason in bids_made if reason is None]))
    bids_with_fate = [(power, bid, next(outcomes).value if reason is None else "") for power, bid, reason in bids_made]
    public = codec.public_result_of(phase.result)
    given = {province_of(location_of(it.order)): it.order for it in public.outcomes if it.power == NEUTRAL}
    bids_by_place = defaultdict[str, list[ToldBid]](list)
    for power, bid, fate in sorted(bids_with_fate, key=lambda row: -row[1].points):
        place, name = province_of(location_of(bid.order)), variant.power(power).name
        order, canonical = pretty_order(bid.order, position, board), write_order(bid.order, position)
        done = bool(fate) and is_order_of(bid, given.get(place))
        bids_by_place[place].append(ToldBid(power, name, bid.points, order, canonical, fate, done))
    words = {province: pretty_order(order, position, board) for province, order in given.items()}
    units = [
        MinorBids(
            unit.location, unit_title(unit, variant), words.get(unit.province, ""), tuple(bids_by_place[unit.province])
        )
        for unit in position.units_of(NEUTRAL)
        if bids_by_place[unit.province]
    ]
    return PhaseBids(phase.ordinal, turn_words(position.turn), tuple(units))


def bids_as_csv(phases: Iterable[PhaseBids]) -> str:
    """A line for each bid."""
    text = StringIO()
    lines = csv.writer(text)
    lines.writerow(COLUMNS)
    for phase in phases:
        for minor in phase.minors:
            unit = (phase.ordinal, phase.turn_title, minor.location, minor.label)
            lines.writerows(
                (*unit, it.power, it.points, it.canonical, it.fate or NOT_COUNTED, minor.followed) for it in minor.bids
            )
    return text.getvalue()
