"""Positions and outcomes as maps: what is drawn, and the SVG."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from adjudication.board import Board, ProvinceKind, province_of
from adjudication.legality import with_kinds_ordered
from adjudication.orders import Build, Convoy, Declare, Disband, Hold, Move, Order, OrderSheet, Retreat, Support, Waive
from adjudication.position import Position
from adjudication.resolution import OrderOutcome, OrderResult
from adjudication.ruleset import CentresAlone, Ruleset, owners_of_provinces
from adjudication.serialisation import lists_by_key
from adjudication.situation import Situation
from adjudication.units import NEUTRAL, Unit
from variants.by_slug import load
from variants.drawing import Arrow, draw_board
from variants.signs import CentreMark, UnitMark
from variants.variant import Variant
from variants.words import say
from variants.words.english import listed
from variants.words.messages import term, worded
from variants.words.orders import phase_words, pretty_order

MINOR, NOBODY = "minor", "none"
FAILURES = frozenset(OrderResult) - {OrderResult.SUCCEEDS, OrderResult.GIVEN, OrderResult.AVAILABLE, OrderResult.STANDS}


@dataclass(frozen=True, slots=True)
class FactionView:
    """A faction, as in "C", "communist"; `form` is the number of its outline on the map, from 1."""

    letter: str
    adjective: str
    form: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """What `draw_board` needs besides the map itself. `owners`: province -> colour slot. `holders`: centres that belong
    to a faction of their power. `contested`: provinces closed to retreats by a stand-off. `homes`: homes won during the
    game, and by whom. `stood`: the units, and the dislodged ones, as they were when the orders of the `arrows` were
    given; None if they haven't changed since."""

    owners: Mapping[str, str]
    units: tuple[UnitMark, ...]
    dislodged: tuple[UnitMark, ...]
    arrows: tuple[Arrow, ...]
    holders: tuple[CentreMark, ...]
    title: str
    contested: tuple[str, ...] = ()
    homes: tuple[tuple[str, str], ...] = ()
    stood: tuple[tuple[UnitMark, ...], tuple[UnitMark, ...]] | None = None


def draw_svg(variant_slug: str, drawing: Drawing, ground: str = "") -> str:
    """The map as SVG, with every text in it escaped; without its ground if `ground` names the one that the page has."""
    variant = load(variant_slug)
    return draw_board(
        variant.art,
        drawing.owners,
        drawing.units,
        dislodged=drawing.dislodged,
        arrows=drawing.arrows,
        holders=drawing.holders,
        title=drawing.title,
        letters={str(power.colour): power.letter for power in variant.powers},
        contested={name: term("no retreat here", place=variant.ruleset.board.name(name)) for name in drawing.contested},
        homes={
            name: term("home won", place=variant.ruleset.board.name(name), powers=powers)
            for name, powers in drawing.homes
        },
        stood=drawing.stood,
        bare=ground == variant.art.ground,
    )


def drawing_of(position: Position, variant: Variant, outcomes: Iterable[OrderOutcome] = ()) -> Drawing:
    """A position, with an arrow for each of these outcomes of orders given in it, and the units that were built."""
    outcomes = tuple(outcomes)
    idle_provinces = variant.ruleset.disorder.leaderless(position)
    builds = ((each.order, each.power) for each in outcomes if has_succeeded(each))
    is_muster = position.turn == variant.ruleset.muster  # in which orders choose the types of units
    formed_units = {each.unit.province: each.unit for each in outcomes if is_muster and each.unit}
    units = (formed_units.get(unit.province, unit) for unit in position.units)
    # The home centres that powers have won for good, with the powers: ("BUD", "Austria").
    homes = position.memory.get("homes", {})
    powers_by_home = lists_by_key((home, power.name) for power in variant.powers for home in homes.get(power.id, ()))
    return Drawing(
        owners=_colours_of_provinces(position, variant),
        units=(
            *(_mark_of(unit, variant, idle=unit.province in idle_provinces) for unit in units),
            *_marks_of_builds(builds, variant),
        ),
        dislodged=tuple(_mark_of(dislodged.unit, variant) for dislodged in position.dislodged),
        arrows=_arrows_of_outcomes(outcomes, variant.ruleset),
        holders=_holders(position, variant),
        title=term("map", variant=variant.title, turn=phase_words(position.turn)),
        contested=tuple(sorted(position.contested)),
        homes=tuple((home, listed(names)) for home, names in sorted(powers_by_home.items())),
    )


def with_orders_before(
    drawing: Drawing, before: Position, outcomes: Iterable[OrderOutcome], variant: Variant
) -> Drawing:
    """The drawing of a position with arrows for the orders, given on the position before it, that led to it."""
    old = drawing_of(before, variant)
    return replace(drawing, arrows=_arrows_of_outcomes(outcomes, variant.ruleset), stood=(old.units, old.dislodged))


def arrows_of(sheet: OrderSheet, position: Position, board: Board) -> tuple[Arrow, ...]:
    """The orders of a sheet as arrows, and its bids as arrows of the minor powers' units."""
    rows = [(order, pretty_order(order, position, board), 0) for order in sheet.orders]
    for bid in sheet.bids:
        title = term("bid", points=bid.points, order=pretty_order(bid.order, position, board))
        rows.append((bid.order, title, bid.points))
    arrows = (_arrow_of_order(order, ok=True, title=title, points=points) for order, title, points in rows)
    return tuple(arrow for arrow in arrows if arrow is not None)


def marks_placed_by(sheet: OrderSheet, power: str, position: Position, variant: Variant) -> tuple[UnitMark, ...]:
    """The units that a power's orders would build or place, and those whose type they choose, as they would look."""
    units = with_kinds_ordered(Situation(position, variant.ruleset), {power: sheet.orders}).position.units
    marks = (_mark_of(unit, variant) for unit in units if unit not in position.units)
    return (*marks, *_marks_of_builds(((order, power) for order in sheet.orders), variant))


def with_marks_placed(units: Iterable[UnitMark], new_marks: tuple[UnitMark, ...]) -> tuple[UnitMark, ...]:
    """The marks of a map and of the units that the orders place. Each of these replaces the mark in its province."""
    provinces = {province_of(mark.location) for mark in new_marks}
    return (*(mark for mark in units if province_of(mark.location) not in provinces), *new_marks)


def _marks_of_builds(orders: Iterable[tuple[Order, str]], variant: Variant) -> Iterator[UnitMark]:
    for order, power in orders:
        if isinstance(order, Build):
            yield replace(_mark_of(Unit(power, order.kind, order.location, order.faction), variant), placed=True)


def factions_of(variant: Variant) -> tuple[FactionView, ...]:
    """The factions that units of this variant belong to; most variants have none."""
    entries = enumerate(variant.ruleset.factions.items(), start=1)
    return tuple(FactionView(letter, worded(adjective), form) for form, (letter, adjective) in entries)


def _colours_of_provinces(position: Position, variant: Variant) -> dict[str, str]:
    """Province -> colour slot. If the rules say who owns all land, the rest of the land is unowned."""
    rules = variant.ruleset
    colours = {place: colour_of(power, variant) for place, power in owners_of_provinces(position, rules).items()}
    if isinstance(rules.territory, CentresAlone):
        return colours
    land = (place for place in rules.board.provinces.values() if place.kind is not ProvinceKind.SEA)
    return {**{place.id: NOBODY for place in land if not place.centre}, **colours}


def _holders(position: Position, variant: Variant) -> tuple[CentreMark, ...]:
    views = {faction.letter: faction for faction in factions_of(variant)}
    factions = variant.ruleset.control.factions(position)
    return tuple(
        CentreMark(
            centre, letter, views[letter].form, f"{variant.ruleset.board.name(centre)}: {views[letter].adjective}"
        )
        for centre, letter in sorted(factions.items())
    )


def colour_of(power: str, variant: Variant) -> str:
    """The colour slot on the map: "1" to "8", or "minor"."""
    return MINOR if power == NEUTRAL else str(variant.power(power).colour)


def has_succeeded(outcome: OrderOutcome) -> bool:
    return not FAILURES & set(outcome.results)


def unit_title(unit: Unit, variant: Variant, *, formed: bool = True) -> str:
    """The title of a unit, as in "German army in Munich", "British fleet in the North Sea", "Army in Austria" for a
    minor power, "Turkish unit in Bulgaria" if not `formed`."""
    kind = unit.kind.value if formed else "unit"
    place = variant.ruleset.board.provinces[unit.province]
    province = term("the", name=place.name) if place.kind is ProvinceKind.SEA else place.name
    if unit.power == NEUTRAL:
        return term(f"minor {kind} in", place=province)
    whose = variant.power(unit.power).adjective
    if unit.faction:
        return term(
            f"{kind} of faction in", whose=whose, faction=worded(variant.ruleset.factions[unit.faction]), place=province
        )
    return term(f"{kind} in", whose=whose, place=province)


def _mark_of(unit: Unit, variant: Variant, *, idle: bool = False) -> UnitMark:
    title = unit_title(unit, variant)
    return UnitMark(
        kind=unit.kind.value,
        location=unit.location,
        colour=colour_of(unit.power, variant),
        letter="" if unit.power == NEUTRAL else variant.power(unit.power).letter,
        title=term("no orders", unit=title) if idle else title,
        faction=unit.faction,
        form=list(variant.ruleset.factions).index(unit.faction) + 1 if unit.faction else 0,
        idle=idle,
    )


def _arrows_of_outcomes(outcomes: Iterable[OrderOutcome], ruleset: Ruleset) -> tuple[Arrow, ...]:
    arrows = (
        _arrow_of_order(outcome.order, ok=has_succeeded(outcome), title=say(outcome, ruleset))
        for outcome in outcomes
        if OrderResult.ILLEGAL not in outcome.results
    )
    return tuple(arrow for arrow in arrows if arrow is not None)


def _arrow_of_order(order: Order, *, ok: bool, title: str, points: int = 0) -> Arrow | None:
    places = _arrow_places(order)
    return Arrow(*places, ok=ok, title=title, points=points) if places else None


def _arrow_places(order: Order) -> tuple[str, str, str, str] | None:
    """(kind, unit, target, aux) as in `Arrow`; None for orders that are not drawn."""
    kind = type(order).__name__.lower()
    match order:
        case Support(location, supported, goal):
            return ("support-move", location, goal, supported) if goal else ("support-hold", location, supported, "")
        case Convoy(location, army, destination):
            return kind, location, destination, army
        case Move(location, destination) | Retreat(location, destination):
            return kind, location, destination, ""
        case Build(_, location):
            return kind, location, location, ""
        case Hold(location) | Disband(location):
            return kind, location, "", ""
        case Waive() | Declare():
            return None
