"""What a power may order on a position, what its orders choose, and what they leave open."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from django.utils.text import capfirst
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from adjudication import serialisation
from adjudication.adjustments import adjustment_counts
from adjudication.auction import budget
from adjudication.board import province_of
from adjudication.legality import next_order_refusal
from adjudication.notation import order_writer, write_order
from adjudication.options import UnitOptions, bid_options, must_decide, order_options
from adjudication.orders import Build, Disband, Order, OrderSheet, Waive, location_of
from adjudication.position import Position
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import Unit
from games.history.results import stance_towards
from games.kernel.languages import cached_by_language
from games.orders.parts import BidView, MinorChoice, OrderChoice, OrderRow, SheetView
from games.orders.sheets import ReadSheet
from games.orders.wishes import wishes_of
from variants.maps import arrows_of, factions_of, marks_placed_by, unit_title
from variants.registry import find
from variants.variant import Variant
from variants.words import words_for
from variants.words.ahead import ahead_words
from variants.words.messages import term, worded
from variants.words.orders import pretty_order, unit_words

POSITIONS_KEPT, ROWS_KEPT = 64, 32
"""How many positions, and forms of one power, are remembered."""


def order_sheet_of(sheet: ReadSheet) -> SheetView:
    """Orders as their page lays them out, before anything is known to be stored."""
    power, position, variant = sheet.power, sheet.position, sheet.variant
    rules, lawful = variant.ruleset, sheet.lawful
    missing, due = missing_from(sheet), _units_due(power, position, variant)
    return SheetView(
        ordinal=sheet.ordinal,
        mark="",
        power=power,
        kind=position.turn.kind.value,
        text=sheet.text,
        problems=sheet.problems,
        rows=rows_of(sheet),
        bids=bids_of(lawful, position, variant),
        minors=minors_of(position, variant),
        budget=budget(power, position, rules),
        spent=sum(bid.points for bid in lawful.bids),
        adjustment=sum(due.values()),
        adjustments=due,
        factions=factions_of(variant),
        saved=False,
        complete=not missing,
        missing=missing,
        ready=None,
        nothing_to_decide=power not in must_decide(position, rules),
        arrows=arrows_of(lawful, position, rules.board),
        placed=marks_placed_by(lawful, power, position, variant),
        homes=_homes_of(power, position, variant),
        muster=rules.muster == position.turn,
        idle=tuple(unit_words(unit, rules.board) for unit in _idle_units(power, position, variant)),
        idle_because=words_for(rules).clause("idle in disorder", rules.disorder.refusal_facts),
        outdated=(),
        ahead=tuple(ahead_words(lawful.ahead, position, rules)),
        wishes=tuple(wishes_of(sheet)),
    )


def rows_of(read: ReadSheet) -> tuple[OrderRow, ...]:
    """What the power may order, with its orders chosen, each in one row; a waived build, which names no place, in the
    first free row. A lawful order that is not offered, because it can do nothing, is among the choices once it is
    written."""
    left = Counter(map(order_writer(read.position), read.lawful.orders))
    at = {location_of(order): order for order in read.lawful.orders}
    rows = []
    for row in _offered(written(read.position), read.power, read.variant.slug, get_language()):
        chosen = next((choice.value for choice in row.choices if left[choice.value]), "")
        choices = tuple(replace(it, chosen=True) if it.value == chosen else it for it in row.choices)
        if not chosen and row.location in at:
            (written_too,) = _choices([at[row.location]], read.position, read.variant)
            chosen, choices = written_too.value, (*choices, replace(written_too, chosen=True))
        left[chosen] -= 1
        rows.append(replace(row, choices=choices if chosen else row.choices, chosen=chosen))
    return tuple(rows)


@lru_cache(maxsize=ROWS_KEPT)
def _offered(position: str, power: str, slug: str, _language: str | None) -> tuple[OrderRow, ...]:
    """The rows with nothing chosen, which are the same for all who ask in this language."""
    here, variant = unwritten(position), find(slug)
    return tuple(
        OrderRow(
            options.location,
            _noted(_label(options, power, here, variant), options.location, variant),
            _choices(options.orders, here, variant),
            "",
        )
        for options in order_options(power, here, variant.ruleset)
    )


def written(position: Position) -> str:
    """The content of a position, as a key to what is kept about it."""
    return json.dumps(serialisation.position_to_json(position))


def unwritten(text: str) -> Position:
    return serialisation.position_from_json(json.loads(text))


def minors_of(position: Position, variant: Variant) -> tuple[MinorChoice, ...]:
    """The units whose orders can be bid for, with the same choices for every power."""
    return _minors_of(written(position), variant.slug)


@cached_by_language(POSITIONS_KEPT)
def _minors_of(position: str, slug: str) -> tuple[MinorChoice, ...]:
    here, variant = unwritten(position), find(slug)
    return tuple(_minor(options, here, variant) for options in bid_options(here, variant.ruleset))


def bids_of(sheet: OrderSheet, position: Position, variant: Variant) -> tuple[BidView, ...]:
    board = variant.ruleset.board
    return tuple(
        BidView(
            location_of(bid.order),
            bid.points,
            pretty_order(bid.order, position, board),
            write_order(bid.order, position),
        )
        for bid in sheet.bids
    )


def missing_from(read: ReadSheet) -> tuple[str, ...]:
    """What the orders leave open: units without orders, builds and removals not chosen, or whatever the rules of a
    special phase say."""
    power, position, rules = read.power, read.position, read.variant.ruleset
    special = rules.special.get(position.turn.kind)
    if special:
        return special.unfinished(read.lawful.orders, power, Situation(position, rules))
    if position.turn.kind is PhaseKind.ADJUSTMENT:
        return _missing_adjustments(read)
    ordered = {province_of(location_of(order)) for order in read.lawful.orders}
    if position.turn.kind is PhaseKind.RETREAT:
        units = tuple(beaten.unit for beaten in position.dislodged if beaten.unit.power == power)
    else:
        idle = _idle_units(power, position, read.variant)
        units = tuple(unit for unit in position.units_of(power) if unit not in idle)
    return tuple(unit_words(unit, rules.board) for unit in units if unit.province not in ordered)


def _idle_units(power: str, position: Position, variant: Variant) -> tuple[Unit, ...]:
    """The units that cannot be given orders now."""
    leaderless = variant.ruleset.disorder.leaderless(position)
    return tuple(unit for unit in position.units_of(power) if unit.province in leaderless)


def _units_due(power: str, position: Position, variant: Variant) -> dict[str, int]:
    """Units to build or place (>0) or to remove (<0), by faction."""
    if position.turn.kind is not PhaseKind.DEPLOYMENT:
        return adjustment_counts(power, Situation(position, variant.ruleset))
    situation, placed = Situation(position, variant.ruleset), list[Build]()
    for choice in order_options(power, position, variant.ruleset):
        for order in choice.orders:
            if isinstance(order, Build) and next_order_refusal(order, placed, power, situation) is None:
                placed.append(order)
    return dict(Counter(order.faction for order in placed))


def _homes_of(power: str, position: Position, variant: Variant) -> tuple[str, ...]:
    """Its home provinces or, for a power that starts without any, the provinces of its units."""
    rules = variant.ruleset
    stands = {rules.board.around(unit.location) for unit in position.units_of(power)}
    return rules.builds.homes(power, Situation(position, rules)) or tuple(sorted(stands))


def _missing_adjustments(read: ReadSheet) -> tuple[str, ...]:
    """As in "2 builds", "1 communist removal". A waived build may be of any faction."""
    rules = read.variant.ruleset
    waived = sum(isinstance(order, Waive) for order in read.lawful.orders)
    missing = []
    for faction, count in adjustment_counts(read.power, Situation(read.position, rules)).items():
        left = abs(count) - _adjusted(read, faction, builds=count > 0)
        given_up = min(waived, left) if count > 0 else 0
        waived -= given_up
        if left > given_up:
            missing.append(_left_open(left - given_up, rules.factions.get(faction, ""), builds=count > 0))
    return tuple(missing)


def _left_open(count: int, faction: str, *, builds: bool) -> str:
    if faction and builds:
        words = ngettext("{count} {faction} build", "{count} {faction} builds", count)
    elif faction:
        words = ngettext("{count} {faction} removal", "{count} {faction} removals", count)
    elif builds:
        words = ngettext("{count} build", "{count} builds", count)
    else:
        words = ngettext("{count} removal", "{count} removals", count)
    return words.format(count=count, faction=worded(faction))


def _adjusted(read: ReadSheet, faction: str, *, builds: bool) -> int:
    """How many units of a faction the orders build or remove."""
    orders = read.lawful.orders
    if builds:
        return sum(isinstance(order, Build) and order.faction == faction for order in orders)
    removed = (read.position.unit_at(order.location) for order in orders if isinstance(order, Disband))
    return sum(unit is not None and unit.faction == faction for unit in removed)


def _choices(orders: Iterable[Order], position: Position, variant: Variant) -> tuple[OrderChoice, ...]:
    write, board = order_writer(position), variant.ruleset.board
    return tuple(OrderChoice(write(order), pretty_order(order, position, board), chosen=False) for order in orders)


def _label(options: UnitOptions, power: str, position: Position, variant: Variant) -> str:
    """What a row is about: a unit, another power and its present stance, or a place."""
    if options.unit is not None:
        return _unit_label(options.unit, position, variant)
    if options.location in variant.ruleset.powers:
        return _power_label(options.location, power, position, variant)
    name = variant.ruleset.board.province(options.location).name
    return name if position.turn.kind is PhaseKind.DEPLOYMENT else _("Build in {province}").format(province=name)


def _unit_label(unit: Unit, position: Position, variant: Variant) -> str:
    """As on the map; where units have factions the power goes without saying: "Communist army in Prague"."""
    if unit.faction:
        name = variant.ruleset.board.provinces[unit.province].name
        faction = worded(variant.ruleset.factions[unit.faction])
        return capfirst(term(f"{unit.kind.value} of own faction in", faction=faction, place=name))
    return unit_title(unit, variant, formed=variant.ruleset.muster != position.turn)


def _power_label(other: str, power: str, position: Position, variant: Variant) -> str:
    """As in "France, now war"."""
    name, stance = variant.power(other).name, stance_towards(other, power, position, variant)
    return _("{power}, now {stance}").format(power=name, stance=term(stance)) if stance else name


def _minor(options: UnitOptions, position: Position, variant: Variant) -> MinorChoice:
    choices = _choices(options.orders, position, variant)
    assert options.unit is not None, "points are bid for orders of units"
    label = _noted(unit_title(options.unit, variant), options.location, variant)
    return MinorChoice(options.location, label, choices)


def _noted(label: str, location: str, variant: Variant) -> str:
    """With what the variant says of the province, as in "Minor power’s army in Rome (helps Catholic units only)"."""
    note = variant.notes.get(province_of(location))
    return f"{label} ({worded(note)})" if note else label
