"""One line of text becomes one order: the grammar of orders as players write them."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from adjudication.board import Board, province_of
from adjudication.errors import NotationError
from adjudication.orders import Build, Convoy, Declare, Disband, Hold, Move, Order, Retreat, Support, Waive
from adjudication.place_names import place_names_of, spelt_words, words_of
from adjudication.reasons import NO_FACTS, Facts, Misreading
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import Unit, UnitKind, mark_of, may_stand, neighbours, shared

_KINDS = {"a": UnitKind.ARMY, "army": UnitKind.ARMY, "f": UnitKind.FLEET, "fleet": UnitKind.FLEET}
_VERBS = {
    **dict.fromkeys(("h", "hold", "holds", "stand", "stands"), "hold"),
    **dict.fromkeys(("s", "support", "supports"), "support"),
    **dict.fromkeys(("c", "convoy", "convoys"), "convoy"),
    **dict.fromkeys(("-", "to", "move", "moves"), "move"),
    **dict.fromkeys(("r", "retreat", "retreats"), "retreat"),
    **dict.fromkeys(("d", "disband", "disbands", "remove", "removed"), "disband"),
    **dict.fromkeys(("b", "build", "builds"), "build"),
    **dict.fromkeys(("waive", "waives", "waived"), "waive"),
    **dict.fromkeys(("declare", "declares"), "declare"),
    **dict.fromkeys(("place", "places", "deploy"), "build"),
}
_STEM = 4
"""A power's name and its adjective share at least this many first letters."""
_TOWARDS = ("-", "to", "move", "moves")
_VIA = (("via", "convoy"), ("by", "convoy"), ("via", "sea"), ("by", "sea"), ("via",), ("convoyed",))


def _is_called(power: str, word: str) -> bool:
    """By its name, or by the adjective, which begins like the name."""
    return len(word) >= _STEM and word[:_STEM] == power.lower()[:_STEM]


@lru_cache(maxsize=20_000)
def parse_unit(text: str, power: str, board: Board, factions: str = "") -> Unit:
    """A unit and its location, as in "A MUN" or "Fleet Spain (sc)"; with `factions` (their letters), as in "CA VIE".
    Raises NotationError."""
    words = words_of(text)
    mark = _mark(words[0], factions) if words else None
    if mark is None:
        raise NotationError(Misreading.NO_UNIT)
    kind, faction = mark
    place = _whole_place(text, words[1:], board)
    location = province_of(place) if kind is UnitKind.ARMY else place
    if not may_stand(kind, location, board):
        coasts = tuple(board.province(location).coasts)
        if kind is UnitKind.FLEET and coasts:
            raise NotationError(Misreading.COAST_TO_NAME, places=coasts)
        raise NotationError(Misreading.CANNOT_BE_THERE, kind=kind.value)
    return shared(power, kind, location, faction)


def _among(factions: tuple[str, ...]) -> Facts:
    return {"case": "factions", "factions": factions}


def _mark(word: str, factions: Iterable[str]) -> tuple[UnitKind, str] | None:
    """The kind and the faction in a word such as "fleet", "a" or "ca"; None for any other word."""
    kind, faction = _KINDS.get(word), ""
    if kind is None and len(word) > 1 and word[0].upper() in factions:
        kind, faction = _KINDS.get(word[1:]), word[0].upper()
    return None if kind is None else (kind, faction)


def parse_place(text: str, board: Board) -> str:
    """A province or coast without a unit. Raises NotationError."""
    return _whole_place(text, words_of(text), board)


def _whole_place(text: str, words: Sequence[str], board: Board) -> str:
    names = place_names_of(board)
    found = names.find(words, 0)
    if found is None and (doubt := names.doubt(words)):
        raise doubt
    if found is None or found[1] != len(words) or found[0] not in board.locations:
        raise NotationError(Misreading.NO_PLACE, typed=text)
    return found[0]


class Parser:
    """Reads the words of one line from left to right. `at` is the next word to read; `asked` are the provinces, with
    their units, that the reading depends on. `power` is the writer's, "" if unknown."""

    __slots__ = ("asked", "at", "board", "names", "power", "situation", "spelt", "words")

    def __init__(self, text: str, situation: Situation, power: str = "") -> None:
        self.situation = situation
        self.power = power
        self.board = situation.board
        self.names = place_names_of(situation.board)
        self.spelt = spelt_words(text)
        self.words = [word.lower() for word in self.spelt]
        self.at = 0
        self.asked: list[tuple[str, Unit | None]] = []

    def order(self) -> Order:
        """Raises NotationError."""
        if not self.words:
            raise NotationError(Misreading.NO_ORDER)
        order = self._build() if self._places_a_unit() else self._order()
        self._finish("order")
        return order

    def _finish(self, what: str) -> None:
        if self.at < len(self.words):
            rest = " ".join(self.spelt[self.at :])
            raise NotationError(Misreading.COMPLETE, case=what, rest=rest)

    def _places_a_unit(self) -> bool:
        """Is this an order of a deployment phase, which needs only a unit and its place?"""
        placing = self.situation.position.turn.kind is PhaseKind.DEPLOYMENT
        return placing and _mark(self.words[0], self.situation.ruleset.factions) is not None

    def _order(self) -> Order:
        match _VERBS.get(self.words[0]):
            case "waive":
                self.at += 1
                return Waive()
            case "build":
                self.at += 1
                return self._build()
            case "declare":
                self.at += 1
                return self._declare()
            case "disband" if len(self.words) > 1:
                self.at += 1
                place, unit = self._unit(ordered=True)
                return Disband(unit.location if unit else place)
        if _VERBS.get(self.words[-1]) == "build":
            del self.words[-1]
            return self._build()
        place, unit = self._unit(ordered=True)
        return self._deed(place, unit)

    def _deed(self, place: str, unit: Unit | None) -> Order:
        """A wrong coast of the ordered unit is ignored (DATC 4.B.5)."""
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
        self._skip(_TOWARDS)
        return Retreat(location, self._arrival(location, unit))

    def _verb(self, location: str) -> str:
        verb = _VERBS.get(self._word(), "")
        if verb in ("", "build", "waive", "declare"):
            raise NotationError(Misreading.NO_DEED, place=location, phase=self.situation.position.turn.kind.value)
        self.at += 1
        return verb

    # The deeds.

    def _move(self, place: str, unit: Unit | None) -> Move:
        self._skip(_TOWARDS)
        destination = self._arrival(place, unit)
        via = self._via()
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
        """A move between two shores that are not adjacent must be by convoy."""
        if destination in neighbours(army.kind, army.location, self.board):
            return False
        shores = self.situation.is_shore(army.province) and self.situation.is_shore(destination)
        return shores and destination != army.province

    def _via(self) -> bool:
        for phrase in _VIA:
            if tuple(self.words[self.at : self.at + len(phrase)]) == phrase:
                self.at += len(phrase)
                return True
        return False

    def _support(self, location: str) -> Support:
        self._skip(("the",))
        place, unit = self._unit(helper=location)
        supported = province_of(place)
        if _VERBS.get(self._word()) != "move":
            if _VERBS.get(self._word()) == "hold":
                self.at += 1
            return Support(location, supported)
        self._skip(_TOWARDS)
        destination = self._place()
        army = unit is not None and unit.kind is UnitKind.ARMY
        self._via()
        return Support(location, supported, province_of(destination) if army else destination)

    def _convoy(self, location: str) -> Convoy:
        owner = self._skip_owner()
        self._take_mark()
        place = self._meant(self._place(), UnitKind.ARMY, owner)
        if _VERBS.get(self._word()) != "move":
            raise NotationError(Misreading.CONVOY_WHERE)
        self._skip(_TOWARDS)
        destination = self._place()
        self._via()
        return Convoy(location, province_of(place), province_of(destination))

    def _build(self) -> Build:
        mark = self._take_mark()
        if mark is None:
            factions = tuple(self.situation.ruleset.factions)
            raise NotationError(Misreading.BUILD_WHAT, **(_among(factions) if factions else NO_FACTS))
        kind, faction = mark
        self._skip(("in", "at"))
        place = self._place()
        return Build(kind, province_of(place) if kind is UnitKind.ARMY else place, faction)

    def _declare(self) -> Declare:
        """As in "DECLARE WAR ON FRANCE"; the rules of the phase say which words are allowed."""
        stance = self._word()
        self.at += 1
        self._skip(("on", "with", "towards", "to", "against"))
        rest = "_".join(self.words[self.at :]).upper()
        if not stance or rest not in self.situation.ruleset.powers:
            raise NotationError(Misreading.DECLARE_WHAT, powers=tuple(self.situation.ruleset.powers))
        self.at = len(self.words)
        return Declare(stance, rest)

    # Units and places.

    def _unit(self, helper: str = "", *, ordered: bool = False) -> tuple[str, Unit | None]:
        """The place named next, and the unit there, if any. `helper`: the unit that is to support it."""
        owner = self._skip_owner()
        mark = self._take_mark()
        place = self._meant(self._place(), mark[0] if mark else None, owner, helper, ordered=ordered)
        there = [self._as_formed(unit, place, mark) for unit in self._units_in(place)]
        if mark is None or not there:
            return place, there[0] if there else None
        kind, faction = mark
        for unit in there:
            if kind is unit.kind and faction in ("", unit.faction):
                return place, unit
        raise NotationError(Misreading.ANOTHER_KIND, place=place, unit=there[0], mark=mark_of(kind, faction))

    def _meant(self, place: str, kind: UnitKind | None, owner: str, helper: str = "", *, ordered: bool = False) -> str:
        """A shared province stands for the camp of the unit that is meant. If it is being ordered, that is the
        writer's own; otherwise that of the power named, or the only unit that could be meant: one of this kind, and not
        the `helper` itself."""
        camps = self.board.camps.get(province_of(place), ())
        there = [unit for camp in camps if (unit := self.situation.unit_at(camp))]
        if not there or self.situation.unit_at(place):
            return place
        if ordered:
            found = [unit for unit in there if unit.power == self.power] or there
        elif owner:
            found = self._owned(owner, there, place)
        else:
            others = [unit for unit in there if unit.province != province_of(helper)]
            found = [unit for unit in others if self._may_be(unit, kind)] or others
        if len(found) == 1:
            return found[0].province + place.removeprefix(province_of(place))
        raise NotationError(Misreading.SEVERAL_UNITS, place=province_of(place), units=tuple(found))

    def _owned(self, owner: str, there: list[Unit], place: str) -> list[Unit]:
        """Those of the power with that name; all of them if it is no power's name."""
        named = [power for power in self.situation.ruleset.powers if _is_called(power, owner)]
        found = [unit for unit in there if unit.power in named]
        if named and not found:
            around, units = province_of(place), tuple(there)
            raise NotationError(Misreading.SEVERAL_UNITS, case="none of it", power=named[0], place=around, units=units)
        return found or there

    def _may_be(self, unit: Unit, kind: UnitKind | None) -> bool:
        """Is the unit of this kind, or could its order make it so?"""
        return kind is None or any(form.kind is kind for form in self.situation.forms(unit))

    def _as_formed(self, unit: Unit, place: str, mark: tuple[UnitKind, str] | None) -> Unit:
        """The unit that its order describes, in the muster turn; the unit itself in any other."""
        army, *fleets = self.situation.forms(unit)
        if not fleets:
            return unit
        if mark is None:
            return next((fleet for fleet in fleets if fleet.location == place), army)
        if mark[0] is UnitKind.ARMY:
            return army
        named = next((fleet for fleet in fleets if fleet.location == place), None)
        if named is None:
            raise NotationError(Misreading.COAST_TO_NAME, places=tuple([fleet.location for fleet in fleets]))
        return named

    def _take_mark(self) -> tuple[UnitKind, str] | None:
        mark = _mark(self._word(), self.situation.ruleset.factions)
        if mark is not None:
            self.at += 1
        return mark

    def _skip_owner(self) -> str:
        """Players write "Aus S German A Mun": a word before a unit that is not a place is its owner. "" without one."""
        following = self.words[self.at + 1 : self.at + 2]
        factions = self.situation.ruleset.factions
        named = _mark(self._word(), factions) or self.names.find(self.words, self.at)
        if not self.at or named or not following or not _mark(following[0], factions):
            return ""
        self.at += 1
        return self.words[self.at - 1]

    def _units_in(self, location: str) -> list[Unit]:
        """The units there; a dislodged one takes precedence over the one that dislodged it."""
        dislodged = self.situation.position.dislodged_at(location)
        standing = self.situation.unit_at(location)
        self.asked.append((province_of(location), standing))
        return [u for u in (dislodged.unit if dislodged else None, standing) if u]

    def _arrival(self, location: str, unit: Unit | None) -> str:
        """Exactly where the unit arrives: no coast for an army; for a fleet that reaches only one coast, that coast
        (DATC 4.B.2, 4.B.6)."""
        place = self._place()
        if unit is None:
            return place
        if unit.kind is UnitKind.ARMY:
            return province_of(place)
        coasts = set(self.board.province(place).coasts) & neighbours(unit.kind, location, self.board)
        return coasts.pop() if place in self.board.provinces and len(coasts) == 1 else place

    def _place(self) -> str:
        found = self.names.find(self.words, self.at)
        if found is None:
            raise self._unknown_place()
        location, self.at = found
        if location not in self.board.locations:
            coasts = tuple(self.board.province(location).coasts)
            raise NotationError(Misreading.NO_SUCH_COAST, place=location, places=coasts)
        return location

    def _unknown_place(self) -> NotationError:
        if self.at >= len(self.words):
            return NotationError(Misreading.NO_PLACE, case="missing")
        stretch: list[str] = []
        for word in self.words[self.at :]:
            if stretch and (word in _VERBS or word in _KINDS):
                break
            stretch.append(word)
        if doubt := self.names.doubt(stretch):
            return doubt
        typed = " ".join(self.spelt[self.at : self.at + len(stretch)])
        return NotationError(Misreading.NO_PLACE, lambda: self.names.suggestions(stretch), case="province", typed=typed)

    def _word(self) -> str:
        return self.words[self.at] if self.at < len(self.words) else ""

    def _skip(self, words: tuple[str, ...]) -> None:
        while self._word() in words:
            self.at += 1
