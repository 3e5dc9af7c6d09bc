"""One line of text becomes one order: the grammar of orders as players write them."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from adjudication.board import Board, ProvinceKind, province_of
from adjudication.errors import NotationError
from adjudication.line_words import AND, AT, COAST_WORDS, KINDS, MINE, TOWARDS, VERBS, VIA, words_and_breaks, words_of
from adjudication.orders import Build, Convoy, Declare, Disband, Hold, Move, Order, Retreat, Support, Waive
from adjudication.place_names import coast_at, place_names_of
from adjudication.power_names import power_names_of
from adjudication.reasons import NO_FACTS, Facts, Misreading
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import Unit, UnitKind, mark_of, may_stand, neighbours, shared_unit

_BUILT = frozenset(word for word, verb in VERBS.items() if verb == "build")
_IN_FULL = {"army", "fleet"}
_LEADING = {"build", "disband", "waive", "declare"}
"""An order may begin with them; the first two go on after a comma, as in "Build A BER, F KIE"."""
_ELSEWHERE: tuple[str, Unit | None] = "", None
"""What a reading has asked for that depends on more than the unit of a place: it is not remembered."""


@lru_cache(maxsize=20_000)
def parse_unit(text: str, power: str, board: Board, factions: str = "") -> Unit:
    """A unit and its location, as in "A MUN" or "Fleet Spain (sc)"; with `factions` (their letters), as in "CA VIE".
    Raises NotationError."""
    words = words_of(text)
    mark = _mark(words[0], factions) if words else None
    if mark is None:
        raise NotationError(Misreading.NO_UNIT)
    kind, faction = mark
    where = 2 if words[1:2] and words[1] in AT else 1
    place = _whole_place(text, words[where:], board, kind)
    location = province_of(place) if kind is UnitKind.ARMY else place
    if not may_stand(kind, location, board):
        coasts = tuple(board.province(location).coasts)
        if kind is UnitKind.FLEET and coasts:
            raise NotationError(Misreading.COAST_TO_NAME, places=coasts)
        raise NotationError(Misreading.CANNOT_BE_THERE, kind=kind.value)
    return shared_unit(power, kind, location, faction)


def _mark(word: str, factions: Iterable[str]) -> tuple[UnitKind, str] | None:
    """The kind and the faction in a word such as "fleet", "a" or "ca"; None for any other word."""
    kind, faction = KINDS.get(word), ""
    if kind is None and len(word) > 1 and word[0].upper() in factions:
        kind, faction = KINDS.get(word[1:]), word[0].upper()
    return None if kind is None else (kind, faction)


def parse_place(text: str, board: Board) -> str:
    """A province or coast without a unit. Raises NotationError."""
    return _whole_place(text, words_of(text), board)


def _whole_place(text: str, words: Sequence[str], board: Board, kind: UnitKind | None = None) -> str:
    names = place_names_of(board)
    coast, next_index = coast_at(words, 0)
    place = names.find(words, next_index, kind)
    if place is None and (doubt := names.error_if_ambiguous(words, kind)):
        raise doubt
    if place is None or place[1] != len(words):
        raise NotationError(Misreading.NO_PLACE, typed=text)
    location = names.on_coast(place[0], coast) if coast else place[0]
    if absent := names.error_if_absent(location):
        raise absent
    return location


class Parser:
    """Reads the words of one line from left to right. `at` is the index of the next word, `breaks` those of words after
    a comma; `depends_on` are the provinces, with their units, that the reading depends on. `power` is the writer, "" if
    unknown. `verb`: the action that also applies to the units that follow, as after "Build A BER"."""

    __slots__ = ("at", "board", "breaks", "depends_on", "names", "power", "situation", "spelt", "verb", "words")

    def __init__(self, text: str, situation: Situation, power: str = "", verb: str = "") -> None:
        self.situation = situation
        self.power = power
        self.board = situation.board
        self.names = place_names_of(situation.board)
        self.spelt, self.breaks = words_and_breaks(text)
        self.words = [word.lower() for word in self.spelt]
        self.at = 0
        self.depends_on: list[tuple[str, Unit | None]] = []
        self.verb = verb

    def orders(self) -> list[Order]:
        """All orders of the line. Raises NotationError."""
        orders = [self._order()]
        while self._begins_another():
            orders.append(self._order())
        self._expect_end("order")
        return orders

    def _begins_another(self) -> bool:
        if self._next_word() in AND:
            self.at += 1
            return True
        more = self.at < len(self.words)
        return more and (self.at in self.breaks or self._mark() is not None or VERBS.get(self._next_word()) in _LEADING)

    def _expect_end(self, case: str) -> None:
        if self.at < len(self.words):
            rest = " ".join(self.spelt[self.at :])
            raise NotationError(Misreading.COMPLETE, case=case, rest=rest)

    def _mark(self) -> tuple[UnitKind, str] | None:
        return _mark(self._next_word(), self.situation.ruleset.factions)

    def _order(self) -> Order:
        if self.at >= len(self.words):
            raise NotationError(Misreading.NO_ORDER)
        verb = VERBS.get(self._next_word(), "")
        if verb in _LEADING and (verb != "disband" or self.at + 1 < len(self.words)):
            self.at += 1
            self.verb = verb
        if self.verb:
            return self._order_after_verb()
        if self.situation.position.turn.kind is PhaseKind.DEPLOYMENT and self._mark() is not None:
            return self._take_build()  # only a unit and its place are needed there
        if not _BUILT.isdisjoint(self.words) and self._ends_in_build():
            build = self._take_build()
            self.at += 1
            return build
        place, unit = self._take_unit(ordered=True)
        return self._order_of_unit(place, unit)

    def _order_after_verb(self) -> Order:
        """An order that begins with its action."""
        match self.verb:
            case "waive":
                self.verb = ""
                return Waive()
            case "declare":
                return self._declare()
            case "build":
                return self._take_build()
        place, unit = self._take_unit(ordered=True)
        return Disband(unit.location if unit else place)

    def _ends_in_build(self) -> bool:
        """Does the line end in a build, as in "F KIE B"?"""
        place = self.names.find(self.words, self.at + 1) if self._mark() else None
        return place is not None and VERBS.get(" ".join(self.words[place[1] : place[1] + 1])) == "build"

    def _order_of_unit(self, place: str, unit: Unit | None) -> Order:
        """The order for this unit. A wrong coast of the ordered unit is ignored (DATC 4.B.5)."""
        location = unit.location if unit else place
        match self._verb(location):
            case "hold":
                return Hold(location)
            case "support":
                return self._support(location)
            case "convoy":
                return self._convoy(location)
            case "disband":
                return Disband(location)
            case "move" if self.situation.position.turn.kind is not PhaseKind.RETREAT:
                return self._move(place, unit)
        self._skip(TOWARDS)
        return Retreat(location, self._take_arrival(location, unit))

    def _verb(self, location: str) -> str:
        verb = VERBS.get(self._next_word(), "")
        if verb in ("", "build", "waive", "declare"):
            raise NotationError(Misreading.NO_DEED, place=location, phase=self.situation.position.turn.kind.value)
        self.at += 1
        return verb

    # The verbs.

    def _move(self, place: str, unit: Unit | None) -> Move:
        self._skip(TOWARDS)
        crosses = self._crosses_seas(unit.kind if unit else None)
        destination = self._take_arrival(place, unit)
        via = self._takes_via() or crosses
        if unit is None:
            return Move(place, destination, via)
        if unit.kind is UnitKind.ARMY:
            return Move(unit.location, destination, via or self._goes_by_sea(unit, destination))
        reached_from_there = destination in neighbours(unit.kind, place, self.board)
        if reached_from_there and destination not in neighbours(unit.kind, unit.location, self.board):
            # Possible only from the coast written for the fleet, so the order fails (DATC 6.B.11).
            return Move(place, destination, via)
        return Move(unit.location, destination, via)

    def _goes_by_sea(self, army: Unit, destination: str) -> bool:
        """Must the move go by convoy? It must between two shores that are not adjacent."""
        if destination in neighbours(army.kind, army.location, self.board):
            return False
        shores = self.situation.is_shore(army.province) and self.situation.is_shore(destination)
        return shores and destination != army.province

    def _takes_via(self) -> bool:
        for phrase in VIA:
            if tuple(self.words[self.at : self.at + len(phrase)]) == phrase:
                self.at += len(phrase)
                while self.at not in self.breaks and (sea := self._end_of_sea_name()):
                    self.at = sea
                return True
        return False

    def _crosses_seas(self, kind: UnitKind | None) -> bool:
        """Read the seas on the way of an army, as in "A LON - NTH - NWY", and return whether there were any."""
        first = self.at
        while kind is UnitKind.ARMY and (sea := self._end_of_sea_name()) and self._move_goes_on_at(sea):
            self.at = sea
            self._skip(TOWARDS)
        return self.at > first

    def _end_of_sea_name(self) -> int:
        """The index after the name of a sea that comes next; 0 if there is none."""
        place = self.names.find(self.words, self.at)
        is_sea = place is not None and self.board.province(place[0]).kind is ProvinceKind.SEA
        return place[1] if place and is_sea else 0

    def _move_goes_on_at(self, at: int) -> bool:
        return at not in self.breaks and at < len(self.words) and VERBS.get(self.words[at]) == "move"

    def _support(self, location: str) -> Support:
        if VERBS.get(self._next_word()) == "hold":
            self.at += 1
            self._skip((*TOWARDS, "of"))
            return Support(location, province_of(self._take_unit(helper=location)[0]))
        if "from" in self.words:
            place, unit, goal = self._unit_from(location)
        else:
            place, unit = self._take_unit(helper=location)
            goal = self._goal_of_supported(unit)
        if unit is not None and unit.kind is UnitKind.ARMY:
            goal = province_of(goal)
        return Support(location, province_of(place), goal or None)

    def _goal_of_supported(self, unit: Unit | None) -> str:
        """The destination of the supported unit; "" if it holds."""
        if VERBS.get(self._next_word()) == "move":
            self._skip(TOWARDS)
            if VERBS.get(self._next_word()) != "hold":
                kind = unit.kind if unit else None
                self._crosses_seas(kind)
                goal = self._take_place(kind)
                self._takes_via()
                return goal
        if VERBS.get(self._next_word()) == "hold":
            self.at += 1
        return ""

    def _unit_from(self, helper: str) -> tuple[str, Unit | None, str]:
        """The place and the unit that leaves it, and its destination, as in "to BUR from PAR"."""
        self._skip(TOWARDS)
        owner, mark = self._take_owner(), self._take_mark()
        self._skip(TOWARDS)
        goal, first_place = self._take_place(), ""
        if VERBS.get(self._next_word()) == "move":
            self._skip(TOWARDS)
            goal, first_place = self._take_place(), goal
        if self._next_word() != "from":
            raise NotationError(Misreading.COMPLETE, case="order", rest=" ".join(self.spelt[self.at :]))
        self.at += 1
        start = self.at
        place, unit = self._take_unit(helper, owner=owner, mark=mark)
        if first_place and province_of(first_place) != province_of(place):
            raise NotationError(Misreading.COMPLETE, case="order", rest=" ".join(self.spelt[start - 1 :]))
        self._takes_via()
        return place, unit, goal

    def _convoy(self, location: str) -> Convoy:
        if "from" in self.words:
            place, _, destination = self._unit_from(location)
        else:
            place, _ = self._take_unit(location, convoyed=True)
            if VERBS.get(self._next_word()) != "move":
                raise NotationError(Misreading.CONVOY_WHERE)
            self._skip(TOWARDS)
            self._crosses_seas(UnitKind.ARMY)
            destination = self._take_place(UnitKind.ARMY)
            self._takes_via()
        return Convoy(location, province_of(place), province_of(destination))

    def _take_build(self) -> Build:
        self._skip(MINE)
        mark = self._take_mark()
        if mark is None:
            factions = tuple(self.situation.ruleset.factions)
            facts: Facts = {"case": "factions", "factions": factions} if factions else NO_FACTS
            raise NotationError(Misreading.BUILD_WHAT, **facts)
        kind, faction = mark
        self._skip(AT)
        place = self._take_place(kind)
        return Build(kind, province_of(place) if kind is UnitKind.ARMY else place, faction)

    def _declare(self) -> Declare:
        """A declaration as in "DECLARE WAR ON FRANCE". The rules of the phase decide which words are allowed."""
        stance = self._next_word()
        self.at += 1
        self._skip(("on", "with", "towards", "to", "against", "the"))
        power = power_names_of(self.situation.ruleset).find(self.words, self.at)
        if not stance or power is None or power[0] not in self.situation.ruleset.powers:
            raise NotationError(Misreading.DECLARE_WHAT, powers=tuple(self.situation.ruleset.powers))
        self.at = power[1]
        return Declare(stance, power[0])

    # Units and places.

    def _take_unit(
        self,
        helper: str = "",
        *,
        owner: str = "",
        mark: tuple[UnitKind, str] | None = None,
        ordered: bool = False,
        convoyed: bool = False,
    ) -> tuple[str, Unit | None]:
        """The place that comes next, and the unit there, if any. `helper`: the unit that is to support it. `owner` and
        `mark`: the words about the unit that came before."""
        next_mark = self._take_mark()
        if next_mark is None:
            owner = self._take_owner() or owner
            next_mark = self._take_mark()
        mark = next_mark or mark
        self._skip(AT)
        kind = UnitKind.ARMY if convoyed else mark[0] if mark else None
        place = self._camp_meant(self._take_place(kind), kind, owner, helper, ordered=ordered)
        if convoyed:
            self._check_owner(owner, place, self.situation.unit_at(place) if owner else None)
            return place, None
        there = [self._as_formed(unit, place, mark) for unit in self._units_in(place)]
        if owner:
            units_of_owner = [unit for unit in there if unit.power == owner]
            self._check_owner(owner, place, None if units_of_owner else next(iter(there), None))
            there = units_of_owner
        if mark is None or not there:
            return place, there[0] if there else None
        kind, faction = mark
        for unit in there:
            if kind is unit.kind and faction in ("", unit.faction):
                return place, unit
        raise NotationError(Misreading.ANOTHER_KIND, place=place, unit=there[0], mark=mark_of(kind, faction))

    def _check_owner(self, owner: str, place: str, unit: Unit | None) -> None:
        """Check that the unit belongs to the power named before it. `unit`: the one there, if it must belong to
        `owner`."""
        self.depends_on += [_ELSEWHERE] if owner else []
        if unit is not None and unit.power != owner:
            raise NotationError(Misreading.NOT_ITS_UNIT, place=place, power=owner)

    def _camp_meant(
        self, place: str, kind: UnitKind | None, owner: str, helper: str = "", *, ordered: bool = False
    ) -> str:
        """The camp that is meant by the name of a shared province. If its unit is being ordered, that is the writer's
        own camp; otherwise the camp of the power named, or of the only unit that fits: one of this kind, and not the
        `helper` itself."""
        camps = self.board.camps.get(province_of(place), ())
        there = [unit for camp in camps if (unit := self.situation.unit_at(camp))]
        if not there or self.situation.unit_at(place):
            return place
        if ordered:
            units = [unit for unit in there if unit.power == self.power] or there
        elif owner:
            units = self._units_of_owner(owner, there, place)
        else:
            other_units = [unit for unit in there if unit.province != province_of(helper)]
            units = [unit for unit in other_units if self._may_be_of_kind(unit, kind)] or other_units
        if len(units) == 1:
            return units[0].province + place.removeprefix(province_of(place))
        raise NotationError(Misreading.SEVERAL_UNITS, place=province_of(place), units=tuple(units))

    def _units_of_owner(self, owner: str, there: list[Unit], place: str) -> list[Unit]:
        own_units = [unit for unit in there if unit.power == owner]
        if not own_units:
            province, units = province_of(place), tuple(there)
            raise NotationError(Misreading.SEVERAL_UNITS, case="none of it", power=owner, place=province, units=units)
        return own_units

    def _may_be_of_kind(self, unit: Unit, kind: UnitKind | None) -> bool:
        """Is the unit of this kind, or could its order make it so?"""
        return kind is None or any(form.kind is kind for form in self.situation.forms(unit))

    def _as_formed(self, unit: Unit, place: str, mark: tuple[UnitKind, str] | None) -> Unit:
        """The unit as its order describes it in the muster turn; in any other turn, the unit itself."""
        army, *fleets = self.situation.forms(unit)
        if not fleets:
            return unit
        if mark is None:
            return next((fleet for fleet in fleets if fleet.location == place), army)
        if mark[0] is UnitKind.ARMY:
            return army
        named_fleet = next((fleet for fleet in fleets if fleet.location == place), None)
        if named_fleet is None:
            raise NotationError(Misreading.COAST_TO_NAME, places=tuple([fleet.location for fleet in fleets]))
        return named_fleet

    def _take_mark(self) -> tuple[UnitKind, str] | None:
        mark = self._mark()
        if mark is None:
            return None
        self.at += 1
        return self._take_mark() if self._next_word() in _IN_FULL else mark

    def _take_owner(self) -> str:
        """The power named before a unit, as in "Aus S German A Mun"; "" if there is none. Any other word before a unit
        is a mistake, because it could mean the opposite."""
        factions = self.situation.ruleset.factions
        if _mark(self._next_word(), factions):
            return ""
        self._skip(MINE)
        place = self.names.find(self.words, self.at)
        if place and (place[1] == len(self.words) or self.words[place[1]] in VERBS):
            return ""
        power = power_names_of(self.situation.ruleset).find(self.words, self.at)
        next_index = power[1] if power else self.at + 1
        is_before_a_unit = next_index < len(self.words) and _mark(self.words[next_index], factions) is not None
        is_before_a_unit = is_before_a_unit and next_index not in self.breaks
        if power and (is_before_a_unit or (not place and self.names.find(self.words, next_index))):
            self.at = next_index
            return power[0]
        if is_before_a_unit and not place:
            raise NotationError(Misreading.NO_POWER, typed=self.spelt[self.at])
        return ""

    def _units_in(self, location: str) -> list[Unit]:
        """The units there; a dislodged one takes precedence over the one that dislodged it."""
        dislodged = self.situation.position.dislodged_at(location)
        unit = self.situation.unit_at(location)
        self.depends_on.append((province_of(location), unit))
        return [u for u in (dislodged.unit if dislodged else None, unit) if u]

    def _take_arrival(self, location: str, unit: Unit | None) -> str:
        """The exact location where the unit arrives: no coast for an army; for a fleet that can reach only one coast,
        that coast (DATC 4.B.2, 4.B.6)."""
        if unit is None:
            return self._take_place()
        place = self._take_place(unit.kind)
        if unit.kind is UnitKind.ARMY:
            return province_of(place)
        coasts = set(self.board.province(place).coasts) & neighbours(unit.kind, location, self.board)
        return coasts.pop() if place in self.board.provinces and len(coasts) == 1 else place

    def _take_place(self, kind: UnitKind | None = None) -> str:
        """The location that comes next. `kind`: that of the unit which is or goes there, if known."""
        coast, at = coast_at(self.words, self.at) if self._next_word() in COAST_WORDS else ("", self.at)
        place = self.names.find(self.words, at, kind)
        if place is None:
            raise self._unknown_place(kind)
        location, self.at = place
        if coast:
            location = self.names.on_coast(location, coast)
        if absent := self.names.error_if_absent(location):
            raise absent
        return location

    def _unknown_place(self, kind: UnitKind | None) -> NotationError:
        if self.at >= len(self.words):
            return NotationError(Misreading.NO_PLACE, case="missing")
        stretch: list[str] = []
        for word in self.words[self.at :]:
            if stretch and (word in VERBS or word in KINDS):
                break
            stretch.append(word)
        if doubt := self.names.error_if_ambiguous(stretch, kind):
            return doubt
        text = " ".join(self.spelt[self.at : self.at + len(stretch)])
        return NotationError(Misreading.NO_PLACE, lambda: self.names.suggestions(stretch), case="province", typed=text)

    def _next_word(self) -> str:
        return self.words[self.at] if self.at < len(self.words) else ""

    def _skip(self, words: tuple[str, ...]) -> None:
        while self._next_word() in words:
            self.at += 1
