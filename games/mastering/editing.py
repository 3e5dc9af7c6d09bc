"""Changing a position by hand: what may go where, a draft of changes as lines, and the differences.

A line is "MUN unit GERMANY A MUN" or "MUN centre GERMANY", with "-" instead of the unit or owner for none; in variants
with factions, "VIE unit GERMANS CA VIE" or "PEC centre GERMANS I".
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from adjudication.board import province_of
from adjudication.civil_disorder import playable_powers
from adjudication.position import Position
from adjudication.reasons import Edit
from adjudication.units import NEUTRAL, Unit, UnitKind, may_stand, unit_from_text
from variants.maps import unit_title
from variants.travel.told_position import WrongPosition, read_position
from variants.variant import Variant
from variants.words import words_for
from variants.words.forms import edited_owner, fact_words
from variants.words.orders import phase_words

UNIT, CENTRE, NOTHING = "unit", "centre", "-"
MOST_CHANGES = 60


class EditError(ValueError):
    """A change that is impossible in this position; `sentence` says why and what is possible."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Option:
    """One possible change at a place: `value` as in a line, `label` for people. `chosen`: it is so now already."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class EditedPlace:
    """The units a province may hold, and the powers that may own its centre (no `owners` without a centre)."""

    id: str
    name: str
    units: tuple[Option, ...]
    owners: tuple[Option, ...]


def powers_with_units(position: Position, variant: Variant) -> tuple[str, ...]:
    """The powers that may own a unit: all that can be played, and the minor powers if there are any."""
    playing = playable_powers(position, variant.ruleset)
    minors = any(unit.power == NEUTRAL for unit in (*variant.start.units, *position.units))
    return (*playing, NEUTRAL) if minors else playing


def place_at(province: str, position: Position, variant: Variant) -> EditedPlace | None:
    """The possible changes in a province; None if there is no such province."""
    board = variant.ruleset.board
    if province not in board.provinces:
        return None
    unit_now = position.unit_at(province)
    choices = tuple(_possible_units(province, position, variant))
    if unit_now is not None and unit_now not in choices:
        choices = (*choices, unit_now)  # a power that can no longer be played keeps what it has
    units = (Option(f"{unit.power} {unit}", unit_title(unit, variant), chosen=unit == unit_now) for unit in choices)
    return EditedPlace(
        id=province,
        name=board.name(province),
        units=(Option(NOTHING, "nothing", chosen=unit_now is None), *units),
        owners=tuple(_possible_owners(province, position, variant)),
    )


def _possible_units(province: str, position: Position, variant: Variant) -> Iterator[Unit]:
    board = variant.ruleset.board
    for power in powers_with_units(position, variant):
        for faction in variant.ruleset.factions_of.get(power, ("",)):
            for kind in UnitKind:
                for location in (province,) if kind is UnitKind.ARMY else board.fleet_locations(province):
                    if may_stand(kind, location, board):
                        yield Unit(power, kind, location, faction)


def _possible_owners(province: str, position: Position, variant: Variant) -> Iterator[Option]:
    if not variant.ruleset.board.provinces[province].centre:
        return
    owner_now, words = _owner_of(province, position, variant), words_for(variant.ruleset)
    yield Option(NOTHING, edited_owner(NOTHING, words), chosen=owner_now == NOTHING)
    for power in playable_powers(position, variant.ruleset):
        for faction in variant.ruleset.control.possible_factions(province, power, variant.ruleset):
            owner = " ".join(filter(None, (power, faction)))
            yield Option(owner, edited_owner(owner, words), chosen=owner_now == owner)


def _owner_of(centre: str, position: Position, variant: Variant) -> str:
    """The power that controls a centre; in variants with factions, also the faction that the centre supplies."""
    power = position.centres.get(centre)
    faction = variant.ruleset.control.factions(position).get(centre, "")
    return " ".join(filter(None, (power, faction))) if power else NOTHING


def apply_edits(position: Position, lines: Iterable[str], variant: Variant) -> Position:
    """The position with these changes, made in order. Raises EditError for a change that the board does not allow.

    Dislodged units stay as they are, but cannot retreat to a province that has received a unit.
    """
    units, with_owner = dict(position.units_by_province()), variant.ruleset.control.with_owner
    changes = list(lines)
    if len(changes) > MOST_CHANGES:
        raise EditError(
            _("That’s {count} changes. Make at most {most} at a time.").format(count=len(changes), most=MOST_CHANGES)
        )
    for line in changes:
        place, what, value = _read_change(line, position, variant)
        if what == CENTRE:
            power, _space, faction = value.partition(" ")
            position = with_owner(place.id, None if value == NOTHING else power, faction, position)
        else:
            units.pop(place.id, None)
            if value != NOTHING:
                units[place.id] = unit_from_text(*value.split(" ", 1))
    return replace(
        position,
        units=tuple(units.values()),
        contested=position.contested - units.keys(),
        dislodged=tuple(
            beaten._replace(retreats=tuple(place for place in beaten.retreats if province_of(place) not in units))
            for beaten in position.dislodged
        ),
    )


def lines_from(text: str, position: Position, variant: Variant) -> list[str]:
    """The changes, as lines, that lead from this position to the one in the text. Raises EditError for a mistake."""
    try:
        reading = read_position(text, variant)
    except WrongPosition as wrong:
        raise EditError(str(wrong)) from wrong
    if reading.asks_for_minors:
        raise EditError(_("Say where the minor powers’ units are."))
    turn, retreating = reading.position.turn, reading.position.dislodged
    if turn != position.turn:
        told = _("The text is about {phase}, but this is {now}.")
        raise EditError(told.format(phase=phase_words(turn), now=phase_words(position.turn)))
    if {it.unit for it in retreating} != {it.unit for it in position.dislodged}:
        raise EditError(_("Units that have to retreat stay as they are. Leave them in the text."))
    return [f"{it.place} {it.what} {it.now}" for it in differences(position, reading.position, variant)]


def _read_change(line: str, position: Position, variant: Variant) -> tuple[EditedPlace, str, str]:
    province, _space, rest = line.partition(" ")
    subject, _space, value = rest.partition(" ")
    place = place_at(province, position, variant)
    if place is None:
        raise EditError(
            _("There is no province “{province}” on this board. Choose one from the list.").format(province=province)
        )
    if subject not in {UNIT, CENTRE}:
        raise EditError(_("A change is either to a unit or to the owner of a supply centre."))
    choices = place.owners if subject == CENTRE else place.units
    if value not in {option.value for option in choices}:
        message = (
            _("{place} can’t be changed like that. Possible choices: {labels}.")
            if choices
            else _("{place} can’t be changed like that. Possible choices: nothing, because it is not a supply centre.")
        )
        raise EditError(message.format(place=place.name, labels=", ".join(str(option.label) for option in choices)))
    return place, subject, value


def differences(before: Position, after: Position, variant: Variant) -> tuple[Edit, ...]:
    """The units and owners of centres that have changed, by province."""
    units_before, units_now = before.units_by_province(), after.units_by_province()
    edits = []
    for province in sorted(variant.ruleset.board.provinces, key=variant.ruleset.board.name):
        edits += [
            Edit(province, UNIT, _unit_at(province, units_now), _unit_at(province, units_before)),
            Edit(province, CENTRE, _owner_of(province, after, variant), _owner_of(province, before, variant)),
        ]
    return tuple(edit for edit in edits if edit.now != edit.was)


def _unit_at(province: str, units: Mapping[str, Unit]) -> str:
    return f"{units[province].power} {units[province]}" if province in units else NOTHING


def edit_words(edit: Edit, variant: Variant) -> str:
    return fact_words("edits", edit, "", words_for(variant.ruleset))
