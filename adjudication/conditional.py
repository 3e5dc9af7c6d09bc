"""Orders written ahead: retreats, builds and removals that a power decides before it knows whether it will need them.

A line is "IF MUN DISLODGED: BUR, SIL", "BUILDS: A BER, F KIE" or "REMOVALS: MUN, BUR", with the best wishes first. When
their phase comes, the first wish that is possible counts. If none is, nothing is chosen instead: a unit disbands, and a
build is waived, only where that is the last wish.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from adjudication.adjustments import adjustment_refusal
from adjudication.board import province_of
from adjudication.civil_disorder import playable_powers
from adjudication.errors import NotationError
from adjudication.legality import next_order_refusal, unit_refusal
from adjudication.line_words import VERBS, check_item_length
from adjudication.options import every_build, order_options
from adjudication.orders import NOTHING_AHEAD, Ahead, Build, Disband, Hold, Order, OrderSheet, Retreat, Waive
from adjudication.parser import Parser
from adjudication.position import Position
from adjudication.reasons import Facts, Misreading, OrderRefusal, Reason
from adjudication.retreats import open_retreats
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import Calendar, PhaseKind, Turn
from adjudication.units import Unit, UnitKind, mark_of, may_stand, neighbours

IF, BUILDS, REMOVALS = "IF", "BUILDS", "REMOVALS"
_HEADS = {
    **dict.fromkeys(("IF",), IF),
    **dict.fromkeys(("BUILD", "BUILDS"), BUILDS),
    **dict.fromkeys(("REMOVAL", "REMOVALS", "REMOVE", "REMOVES", "DISBAND", "DISBANDS"), REMOVALS),
}
_CONDITION = ("is", "dislodged")
_CHOICES = ("else", "or", "then", "-", "to")
_REMOVES = ("the", "unit", "in")
_LATER = {PhaseKind.RETREAT, PhaseKind.ADJUSTMENT}


def is_written_ahead(text: str) -> bool:
    """Is this line about a later phase?"""
    head, colon, _ = text.partition(":")
    return text[:3].upper() == f"{IF} " or (colon != "" and head.strip().upper() in _HEADS)


def phases_ahead(turn: Turn, calendar: Calendar) -> tuple[Turn, ...]:
    """The phases after this one for which orders can be written ahead: those before units move, or powers declare."""
    if turn.kind not in {PhaseKind.MOVEMENT, PhaseKind.RETREAT}:
        return ()
    turns: list[Turn] = []
    next_turn = calendar.after(turn)
    while next_turn.kind in _LATER:
        turns.append(next_turn)
        next_turn = calendar.after(next_turn)
    return tuple(turns)


# Reading.


def add_line_ahead(text: str, ahead: Ahead, power: str, situation: Situation) -> Ahead:
    """The orders written ahead, with one more line. Raises NotationError for anything that could never come true."""
    head, colon, wishes = text.partition(":")
    kind = _HEADS[head.upper().split()[0]]
    if not colon:
        raise NotationError(Misreading.NO_CONDITION)
    after = {turn.kind: turn for turn in phases_ahead(situation.position.turn, situation.ruleset.calendar)}
    if kind == IF:
        if PhaseKind.RETREAT not in after:
            raise NotationError(Misreading.NOT_AHEAD, case="retreats")
        return ahead._replace(
            retreats=(*ahead.retreats, _read_retreats(head, _separate_wishes(wishes), ahead, power, situation))
        )
    adjustment_turn = after.get(PhaseKind.ADJUSTMENT)
    if adjustment_turn is None:
        raise NotationError(Misreading.NOT_AHEAD, case="adjustments")
    if ahead.builds if kind == BUILDS else ahead.removals:
        raise NotationError(Misreading.LINE_TWICE, case=kind)
    if kind == BUILDS:
        return ahead._replace(builds=_read_builds(_separate_wishes(wishes), power, situation, adjustment_turn))
    return ahead._replace(removals=_read_removals(_separate_wishes(wishes), power, situation))


def _separate_wishes(wishes: str) -> list[str]:
    parts = [part.strip() for part in wishes.split(",")]
    if not all(parts):
        raise NotationError(Misreading.NO_WISH)
    for part in parts:
        check_item_length(part)
    return parts


class _WishParser(Parser):
    """Reads the parts of a line."""

    def read_unit(self) -> Unit:
        """The unit in a condition."""
        self._skip(("if",))
        location, unit = self._take_unit(ordered=True)
        self._skip(_CONDITION)
        self._expect_end("condition")
        there = self.situation.unit_at(location)
        refusal = unit_refusal(Hold(there.location if there else location), self.power, self.situation)
        if refusal:
            raise NotationError(refusal.reason, **refusal.facts)
        if unit is None:
            raise NotationError(Reason.NO_SUCH_UNIT, place=location)
        return unit

    def _skip_to_wish(self, verb: str) -> None:
        """Skip "else" and the name of the action, unless nothing else follows."""
        while self._next_word() in _CHOICES or (VERBS.get(self._next_word()) == verb and self.at + 1 < len(self.words)):
            self.at += 1

    def read_goal(self, unit: Unit) -> str | None:
        """The place to which the unit wants to retreat; None to disband."""
        self._skip_to_wish("retreat")
        if VERBS.get(self._next_word()) == "disband" and len(self.words) == self.at + 1:
            return None
        goal = self._take_arrival(unit.location, unit)
        self._expect_end("wish")
        return goal

    def read_build(self) -> Build | Waive:
        self._skip_to_wish("build")
        if self._next_word() in {"waive", "nothing"} and len(self.words) == self.at + 1:
            return Waive()
        build = self._take_build()
        self._expect_end("wish")
        return build

    def read_province(self) -> str:
        self._skip_to_wish("disband")
        self._skip(_REMOVES)
        self._take_mark()
        place = self._take_place()
        self._expect_end("wish")
        return province_of(place)


def _read_retreats(
    condition: str, wishes: Sequence[str], ahead: Ahead, power: str, situation: Situation
) -> tuple[str, tuple[str | None, ...]]:
    unit = _WishParser(condition, situation, power).read_unit()
    if unit.province in [province_of(location) for location, _ in ahead.retreats]:
        raise NotationError(Misreading.LINE_TWICE, case="unit", unit=unit)
    choices, goals = retreat_choices(unit, situation), list[str | None]()
    for number, wish in enumerate(wishes, start=1):
        goal = _WishParser(wish, situation, power).read_goal(unit)
        if goal is None:
            if number < len(wishes):
                raise NotationError(Misreading.AFTER_THE_LAST, case="disband")
        elif goal in goals:
            raise NotationError(Misreading.NAMED_TWICE, case="retreat", place=goal)
        elif goal not in choices:
            facts: Facts = {"places": choices} if choices else {"case": "nowhere"}
            raise NotationError(Misreading.NO_RETREAT_THERE, unit=unit, place=goal, **facts)
        goals.append(goal)
    return unit.location, tuple(goals)


def retreat_choices(unit: Unit, situation: Situation) -> tuple[str, ...]:
    """All places to which the unit could retreat if nothing were in its way, sorted."""
    empty_position = replace(situation.position, units=(), dislodged=(), contested=frozenset())
    return open_retreats(unit, None, Situation(empty_position, situation.ruleset))


def _read_builds(wishes: Sequence[str], power: str, situation: Situation, turn: Turn) -> tuple[Build | Waive, ...]:
    builds: list[Build | Waive] = []
    for number, wish in enumerate(wishes, start=1):
        build = _WishParser(wish, situation, power).read_build()
        if isinstance(build, Waive):
            if number < len(wishes):
                raise NotationError(Misreading.AFTER_THE_LAST, case="waive")
            return (*builds, build)
        province = province_of(build.location)
        if province in [province_of(other.location) for other in builds if isinstance(other, Build)]:
            raise NotationError(Misreading.NAMED_TWICE, case="build", place=province)
        refusal = _refusal_if_held(build, power, situation, turn)
        if refusal:
            raise NotationError(refusal.reason, **refusal.facts)
        builds.append(build)
    return tuple(builds)


def build_choices(power: str, situation: Situation, turn: Turn) -> Iterator[Build]:
    """Every build that can be wished for in the power's homes, whether or not it holds them now."""
    ruleset = situation.ruleset
    factions = sorted(ruleset.factions_of.get(power, ("",)))
    for home, faction in product(ruleset.builds.homes(power, situation), factions):
        adjustment_situation = _situation_if_held(home, faction, power, situation, turn)
        for build in every_build(home, [faction], situation.board):
            if adjustment_refusal(build, power, adjustment_situation) is None:
                yield build


def _refusal_if_held(build: Build, power: str, situation: Situation, turn: Turn) -> OrderRefusal | None:
    return adjustment_refusal(build, power, _situation_if_held(build.location, build.faction, power, situation, turn))


def _situation_if_held(location: str, faction: str, power: str, situation: Situation, turn: Turn) -> Situation:
    """The adjustment phase that would follow if the power took this place for the faction and nothing else changed."""
    ruleset, there = situation.ruleset, province_of(location)
    kind = UnitKind.ARMY if may_stand(UnitKind.ARMY, there, situation.board) else UnitKind.FLEET
    position = replace(situation.position, units=(Unit(power, kind, there, faction),), dislodged=())
    is_its_own = not ruleset.factions or faction in ruleset.factions_of[power]
    if there in situation.board.centres and is_its_own:
        position, _ = ruleset.control.count_centres(position, ruleset)
    return Situation(replace(position, turn=turn, units=()), ruleset)


def _read_removals(wishes: Sequence[str], power: str, situation: Situation) -> tuple[str, ...]:
    possible_provinces, provinces = frozenset(_reachable_provinces(power, situation)), list[str]()
    for wish in wishes:
        there = _WishParser(wish, situation, power).read_province()
        if there in provinces:
            raise NotationError(Misreading.NAMED_TWICE, place=there)
        if there not in possible_provinces:
            raise NotationError(Misreading.NO_UNIT_CAN_BE_THERE, place=there)
        provinces.append(there)
    return tuple(provinces)


def _reachable_provinces(power: str, situation: Situation) -> Iterator[str]:
    """The provinces in which the power could have a unit at the end of the turn."""
    board, moves = situation.board, situation.position.turn.kind is PhaseKind.MOVEMENT
    for unit in situation.position.units_of(power):
        yield unit.province
        for form in situation.forms(unit) if moves else ():
            yield from map(province_of, neighbours(form.kind, form.location, board))
            yield board.around(form.province)
            if form.kind is UnitKind.ARMY:
                yield from situation.shores_overseas(form.province)
    for dislodged in situation.position.dislodged:
        if dislodged.unit.power == power:
            yield from map(province_of, dislodged.retreats)


# Writing.


def ahead_lines(ahead: Ahead) -> Iterator[str]:
    """The canonical lines that `add_line_ahead` reads back."""
    for location, goals in ahead.retreats:
        yield f"{IF} {location} DISLODGED: {', '.join(goal or 'DISBAND' for goal in goals)}"
    if ahead.builds:
        builds = (
            f"{mark_of(it.kind, it.faction)} {it.location}" if isinstance(it, Build) else "WAIVE" for it in ahead.builds
        )
        yield f"{BUILDS}: {', '.join(builds)}"
    if ahead.removals:
        yield f"{REMOVALS}: {', '.join(ahead.removals)}"


# Carrying out.


class WishesDue(NamedTuple):
    """What comes of the wishes for one unit, or for builds and removals: orders that are given, or not possible."""

    given: tuple[Order, ...]
    skipped: tuple[Order, ...]


def wishes_due(ahead: Ahead, power: str, situation: Situation) -> Iterator[WishesDue]:
    """What comes of the wishes for the phase of this position."""
    due = {PhaseKind.RETREAT: _retreats_due, PhaseKind.ADJUSTMENT: _adjustments_due}.get(situation.position.turn.kind)
    return due(ahead, power, situation) if due else iter(())


def sheet_now_due(ahead: Ahead, power: str, position: Position, ruleset: Ruleset) -> OrderSheet:
    """The orders written ahead for the phase of this position, as lawful orders; and what is still ahead after it."""
    if position.turn.kind not in _LATER or power not in playable_powers(position, ruleset):
        return OrderSheet()
    situation = Situation(position, ruleset)
    orders = tuple([order for wishes in wishes_due(ahead, power, situation) for order in wishes.given])
    return OrderSheet(orders, ahead=_still_ahead(ahead, power, situation))


def _still_ahead(ahead: Ahead, power: str, situation: Situation) -> Ahead:
    """The builds and removals that are still possible after the moves, if their phase is still to come."""
    turn = next(iter(phases_ahead(situation.position.turn, situation.ruleset.calendar)), None)
    if turn is None:
        return NOTHING_AHEAD
    builds = [it for it in ahead.builds if isinstance(it, Waive) or not _refusal_if_held(it, power, situation, turn)]
    possible_provinces = frozenset(_reachable_provinces(power, situation))
    removals = [there for there in ahead.removals if there in possible_provinces]
    return Ahead((), tuple(builds), tuple(removals))


def _retreats_due(ahead: Ahead, power: str, situation: Situation) -> Iterator[WishesDue]:
    """The retreats that are due. Two units of one power never retreat to the same place."""
    used_provinces: set[str] = set()
    for location, goals in ahead.retreats:
        dislodged = situation.position.dislodged_at(location)
        if dislodged is None or dislodged.unit.power != power:
            continue
        here, skipped = dislodged.unit.location, list[Order]()
        given: tuple[Order, ...] = ()
        for goal in goals:
            if goal is None:
                given = (Disband(here),)
            elif goal in dislodged.retreats and province_of(goal) not in used_provinces:
                used_provinces.add(province_of(goal))
                given = (Retreat(here, goal),)
                break
            else:
                skipped.append(Retreat(here, goal))
        yield WishesDue(given, tuple(skipped))


def _adjustments_due(ahead: Ahead, power: str, situation: Situation) -> Iterator[WishesDue]:
    wishes: list[Order] = [it for it in ahead.builds if isinstance(it, Build)]
    for there in ahead.removals:
        wishes += [Disband(unit.location) for unit in _units_in(there, power, situation)] or [Disband(there)]
    accepted, skipped = list[Order](), list[Order]()
    for order in wishes:
        if next_order_refusal(order, accepted, power, situation) is None:
            accepted.append(order)
        elif any(isinstance(it, Disband) is isinstance(order, Disband) for it in _open(accepted, power, situation)):
            skipped.append(order)
    while Waive() in ahead.builds and next_order_refusal(Waive(), accepted, power, situation) is None:
        accepted.append(Waive())
    yield WishesDue(tuple(accepted), tuple(skipped))


def _units_in(province: str, power: str, situation: Situation) -> Iterator[Unit]:
    """The power's units in the province, or in a camp within it."""
    for there in (province, *situation.board.camps.get(province, ())):
        unit = situation.unit_at(there)
        if unit is not None and unit.power == power:
            yield unit


def leaves_nothing_open(orders: Sequence[Order], power: str, position: Position, ruleset: Ruleset) -> bool:
    """Do these orders say everything that the power may say in the phase of this position?"""
    return not any(_open(orders, power, Situation(position, ruleset)))


def _open(orders: Sequence[Order], power: str, situation: Situation) -> Iterator[Order]:
    """Every order that could still be added to these."""
    for choice in order_options(power, situation.position, situation.ruleset):
        yield from (it for it in choice.orders if next_order_refusal(it, orders, power, situation) is None)
