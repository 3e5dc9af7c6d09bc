"""What a power may order in a position, what its orders choose, and what they leave open."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from django.utils.text import capfirst
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from adjudication import serialisation
from adjudication.adjustments import adjustment_counts
from adjudication.auction import budget
from adjudication.board import province_of
from adjudication.conditional import BUILDS, REMOVALS, build_choices, phases_ahead, retreat_choices
from adjudication.fitting import warnings_about
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
from games.orders.parts import BidView, MinorChoice, OrderChoice, OrderRow, SheetView, WarningView, WishRow
from games.orders.sheets import ReadSheet
from variants.maps import arrows_of, factions_of, marks_placed_by, unit_title
from variants.registry import find
from variants.variant import Variant
from variants.words import say, words_for
from variants.words.ahead import ahead_words, build_words, wishes_by_subject
from variants.words.messages import term, worded
from variants.words.orders import place_words, pretty_order, unit_words

DISBAND = "disband"
POSITIONS_KEPT, ROWS_KEPT = 64, 32
"""How many positions, and forms of one power, are remembered."""


def sheet_view(sheet: ReadSheet) -> SheetView:
    """Orders as the order page shows them, without knowing yet what is stored."""
    power, position, variant = sheet.power, sheet.position, sheet.variant
    rules, lawful = variant.ruleset, sheet.lawful
    open_points, counts_due = missing_from(sheet), _units_due(power, position, variant)
    occupied = {rules.board.around(unit.location) for unit in position.units_of(power)}
    return SheetView(
        ordinal=sheet.ordinal,
        mark="",
        power=power,
        kind=position.turn.kind.value,
        text=sheet.text,
        problems=sheet.problems,
        rows=order_rows(sheet),
        bids=bid_views(lawful, position, variant),
        minors=minor_choices(position, variant),
        budget=budget(power, position, rules),
        spent=sum(bid.points for bid in lawful.bids),
        adjustment=sum(counts_due.values()),
        adjustments=counts_due,
        factions=factions_of(variant),
        saved=False,
        complete=not open_points,
        missing=open_points,
        warnings=warning_views(sheet),
        ready=None,
        nothing_to_decide=power not in must_decide(position, rules),
        arrows=arrows_of(lawful, position, rules.board),
        placed=marks_placed_by(lawful, power, position, variant),
        # of a power that starts without any, the provinces of its units
        homes=rules.builds.homes(power, Situation(position, rules)) or tuple(sorted(occupied)),
        muster=rules.muster == position.turn,
        idle=tuple(unit_words(unit, rules.board) for unit in _idle_units(power, position, variant)),
        idle_because=words_for(rules).clause("idle in disorder", rules.disorder.refusal_facts),
        outdated=(),
        ahead=tuple(ahead_words(lawful.ahead, position, rules)),
        wishes=tuple(wishes_of(sheet)),
    )


def order_rows(sheet: ReadSheet) -> tuple[OrderRow, ...]:
    """The orders that the power may give, one row for each unit or site, with its own orders chosen. A waived build,
    which names no place, takes the first free row. A lawful order that can do nothing is not offered, but is among the
    choices once it has been written."""
    unplaced = Counter(map(order_writer(sheet.position), sheet.lawful.orders))
    order_at = {location_of(order): order for order in sheet.lawful.orders}
    rows = []
    for row in _blank_rows(position_key(sheet.position), sheet.power, sheet.variant.ref, get_language()):
        choice_value = next((choice.value for choice in row.choices if unplaced[choice.value]), "")
        choices = tuple(replace(it, chosen=True) if it.value == choice_value else it for it in row.choices)
        if not choice_value and row.location in order_at:
            (saved_choice,) = _order_choices([order_at[row.location]], sheet.position, sheet.variant)
            choice_value, choices = saved_choice.value, (*choices, replace(saved_choice, chosen=True))
        unplaced[choice_value] -= 1
        rows.append(replace(row, choices=choices if choice_value else row.choices, chosen=choice_value))
    return tuple(rows)


@lru_cache(maxsize=ROWS_KEPT)
def _blank_rows(key: str, power: str, slug: str, _language: str | None) -> tuple[OrderRow, ...]:
    """The rows with nothing chosen. They are the same for everyone who reads them in this language."""
    position, variant = position_from_key(key), find(slug)
    return tuple(
        OrderRow(
            options.location,
            _with_note(_row_label(options, power, position, variant), options.location, variant),
            _order_choices(options.orders, position, variant),
            "",
        )
        for options in order_options(power, position, variant.ruleset)
    )


def position_key(position: Position) -> str:
    """The content of a position, as a cache key."""
    return json.dumps(serialisation.position_to_json(position))


def position_from_key(text: str) -> Position:
    return serialisation.position_from_json(json.loads(text))


def minor_choices(position: Position, variant: Variant) -> tuple[MinorChoice, ...]:
    """The units whose orders can be bid for, with the same choices for every power."""
    return _minor_choices(position_key(position), variant.ref)


@cached_by_language(POSITIONS_KEPT)
def _minor_choices(key: str, slug: str) -> tuple[MinorChoice, ...]:
    position, variant = position_from_key(key), find(slug)
    choices = []
    for options in bid_options(position, variant.ruleset):
        assert options.unit is not None, "points are bid for orders of units"
        label = _with_note(unit_title(options.unit, variant), options.location, variant)
        choices.append(MinorChoice(options.location, label, _order_choices(options.orders, position, variant)))
    return tuple(choices)


def bid_views(sheet: OrderSheet, position: Position, variant: Variant) -> tuple[BidView, ...]:
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


def warning_views(sheet: ReadSheet) -> tuple[WarningView, ...]:
    """What does not fit together in the lawful orders of a sheet."""
    position, rules = sheet.position, sheet.variant.ruleset
    return tuple(
        WarningView(
            order=write_order(it.order, position),
            points=it.points,
            sentence=say(it, rules),
            label=pretty_order(it.order, position, rules.board),
            row=location_of(it.order),
            told=it,
        )
        for it in warnings_about(sheet.lawful, sheet.power, Situation(position, rules))
    )


def missing_from(sheet: ReadSheet) -> tuple[str, ...]:
    """What the orders leave open: units without orders, builds and removals not chosen, or what special rules name."""
    power, position, rules = sheet.power, sheet.position, sheet.variant.ruleset
    special = rules.special.get(position.turn.kind)
    if special:
        return special.unfinished(sheet.lawful.orders, power, Situation(position, rules))
    if position.turn.kind is PhaseKind.ADJUSTMENT:
        return _missing_adjustments(sheet)
    provinces = {province_of(location_of(order)) for order in sheet.lawful.orders}
    if position.turn.kind is PhaseKind.RETREAT:
        units = tuple(beaten.unit for beaten in position.dislodged if beaten.unit.power == power)
    else:
        idle = _idle_units(power, position, sheet.variant)
        units = tuple(unit for unit in position.units_of(power) if unit not in idle)
    return tuple(unit_words(unit, rules.board) for unit in units if unit.province not in provinces)


def _idle_units(power: str, position: Position, variant: Variant) -> tuple[Unit, ...]:
    """The units that cannot be given orders now."""
    leaderless = variant.ruleset.disorder.leaderless(position)
    return tuple(unit for unit in position.units_of(power) if unit.province in leaderless)


def _units_due(power: str, position: Position, variant: Variant) -> dict[str, int]:
    """Units to build or place (>0) or to remove (<0), by faction."""
    if position.turn.kind is not PhaseKind.DEPLOYMENT:
        return adjustment_counts(power, Situation(position, variant.ruleset))
    situation, builds = Situation(position, variant.ruleset), list[Build]()
    for choice in order_options(power, position, variant.ruleset):
        for order in choice.orders:
            if isinstance(order, Build) and next_order_refusal(order, builds, power, situation) is None:
                builds.append(order)
    return dict(Counter(order.faction for order in builds))


def _missing_adjustments(sheet: ReadSheet) -> tuple[str, ...]:
    """The missing builds or removals, as in "2 builds", "1 communist removal". A waived build may be of any faction."""
    rules = sheet.variant.ruleset
    waived = sum(isinstance(order, Waive) for order in sheet.lawful.orders)
    parts = []
    for faction, count in adjustment_counts(sheet.power, Situation(sheet.position, rules)).items():
        open_count = abs(count) - _adjusted_count(sheet, faction, builds=count > 0)
        given_up = min(waived, open_count) if count > 0 else 0
        waived -= given_up
        if open_count > given_up:
            parts.append(_adjustment_words(open_count - given_up, rules.factions.get(faction, ""), builds=count > 0))
    return tuple(parts)


def _adjustment_words(count: int, faction: str, *, builds: bool) -> str:
    if faction and builds:
        words = ngettext("{count} {faction} build", "{count} {faction} builds", count)
    elif faction:
        words = ngettext("{count} {faction} removal", "{count} {faction} removals", count)
    elif builds:
        words = ngettext("{count} build", "{count} builds", count)
    else:
        words = ngettext("{count} removal", "{count} removals", count)
    return words.format(count=count, faction=worded(faction))


def _adjusted_count(sheet: ReadSheet, faction: str, *, builds: bool) -> int:
    """How many units of a faction the orders build or remove."""
    orders = sheet.lawful.orders
    if builds:
        return sum(isinstance(order, Build) and order.faction == faction for order in orders)
    removed = (sheet.position.unit_at(order.location) for order in orders if isinstance(order, Disband))
    return sum(unit is not None and unit.faction == faction for unit in removed)


def _order_choices(orders: Iterable[Order], position: Position, variant: Variant) -> tuple[OrderChoice, ...]:
    write, board, factions = order_writer(position), variant.ruleset.board, variant.ruleset.factions

    def army(order: Order) -> str:
        faction = factions.get(order.faction) if isinstance(order, Build) else None
        return capfirst(_("{faction} army").format(faction=worded(faction))) if faction else ""

    return tuple(
        OrderChoice(write(it), pretty_order(it, position, board), chosen=False, army=army(it)) for it in orders
    )


def _row_label(options: UnitOptions, power: str, position: Position, variant: Variant) -> str:
    """What a row is about: a unit as on the map or, if units have factions, without its power, as in "Communist army in
    Prague"; another power with the present relation, as in "France, now at war with you"; or a place."""
    rules, unit, place = variant.ruleset, options.unit, options.location
    if unit is not None and unit.faction:
        name, faction = rules.board.provinces[unit.province].name, worded(rules.factions[unit.faction])
        return capfirst(term(f"{unit.kind.value} of own faction in", faction=faction, place=name))
    if unit is not None:
        return unit_title(unit, variant, formed=rules.muster != position.turn)
    if place in rules.powers:
        name, stance = variant.power(place).name, stance_towards(place, power, position, variant)
        return term(f"now {stance}", power=name) if stance else name
    name = rules.board.province(place).name
    return name if position.turn.kind is PhaseKind.DEPLOYMENT else _("Build in {province}").format(province=name)


def _with_note(label: str, location: str, variant: Variant) -> str:
    """The label with the variant's note on it, as in "Minor power’s army in Rome (helps Catholic units only)"."""
    note = variant.notes.get(province_of(location))
    return f"{label} ({worded(note)})" if note else label


def wishes_of(sheet: ReadSheet) -> Iterator[WishRow]:
    """What may be written ahead: rows for units that might be dislodged, and for builds and removals if they follow."""
    power, position, rules = sheet.power, sheet.position, sheet.variant.ruleset
    situation, board = Situation(position, rules), rules.board
    lines = wishes_by_subject(sheet.lawful.ahead, board)
    turns_ahead = {turn.kind: turn for turn in phases_ahead(position.turn, rules.calendar)}
    orderable = [unit for unit in position.units_of(power) if unit.province not in situation.leaderless]
    units = sorted(orderable, key=lambda unit: unit.location)
    for unit in units if PhaseKind.RETREAT in turns_ahead else ():
        subject, places = unit.province, [place_words(unit_now, board) for unit_now in retreat_choices(unit, situation)]
        label = _("If {unit} is dislodged").format(unit=unit_words(unit, board))
        yield WishRow(subject, label, lines.get(subject, ""), (*places, DISBAND))
    adjustments = turns_ahead.get(PhaseKind.ADJUSTMENT)
    if adjustments and (units or position.centres_of(power)):
        builds = [build_words(unit_now, board) for unit_now in build_choices(power, situation, adjustments)]
        possible = (*builds, build_words(Waive(), board))
        yield WishRow(BUILDS, _("If you may build"), lines.get(BUILDS, ""), possible)
        if units:
            label = _("If you must remove units (where they are by then)")
            places = [place_words(unit.province, board) for unit in units]
            yield WishRow(REMOVALS, label, lines.get(REMOVALS, ""), tuple(places))
