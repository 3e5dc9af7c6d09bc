"""A file's game, adjudicated again: the positions are those of the file, the results are ours.

Nothing of a file is kept unless it was read as a unit, a province, an order or a text of its own.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from adjudication.board import province_of
from adjudication.corrections import Correction, adjudicate_corrected
from adjudication.errors import NotationError
from adjudication.judge import put_in_civil_disorder, resolve_in, with_next_phase
from adjudication.line_cache import read_order
from adjudication.notation import read_sheets, write_order
from adjudication.options import must_decide
from adjudication.orders import Bid, Disband, Order, OrderSheet, Waive, location_of
from adjudication.position import Position
from adjudication.reasons import AS_WRITTEN
from adjudication.resolution import Notice, NoticeKind, Public, Verdict
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import NEUTRAL
from variants.commands.replay import ANNOUNCED
from variants.phase_json import MOST_POINTS, BadPhase, read_phase
from variants.phase_written import destroyed_units
from variants.survivors import verdict_after_last_year
from variants.switches import variant_with
from variants.travel.games import Facts, PlayedGame, PlayedPhase, ToldGame, ToldPhase
from variants.travel.intent import with_intended_convoys
from variants.travel.reading import WrongFile, check_size, printable, shorten
from variants.variant import Variant
from variants.words import say
from variants.words.english import listed
from variants.words.orders import phase_words, power_words

MOST_ORDERS = 60
"""More than any power has units."""
MOST_DIFFERENCES, LONGEST_DIFFERENCE = 60, 300
KEPT = ("phase", "units", "centers", "contested", "relations")
"""What a position is read from, besides the dislodged units."""
NOTHING_DECIDED = (Disband, Waive)
"""What other programs ask for where there is nothing else to do."""


class NextTurn(NamedTuple):
    """The code of the next turn in the file, "" if there is none; `is_end`: it has no orders."""

    code: str
    is_end: bool


@dataclass(frozen=True, slots=True)
class Replayed:
    """The game, and a sentence for each difference between the file and our adjudicator."""

    game: PlayedGame
    differences: tuple[str, ...]


def replayed(game: ToldGame, settings: Collection[str] = ()) -> Replayed:
    """The game, adjudicated again by the rules in `settings` ("via_fallback=true"). Raises WrongFile, UnknownRule."""
    replay = _Replay(game, settings)
    for number in range(len(game.phases)):
        replay.play(number)
    replay.check_end()
    verdict = game.heading.verdict or replay.verdict()
    differences = replay.differences if game.found is None else game.found
    # As many as a page can show.
    texts = map(printable, differences)
    lines = [it if len(it) <= LONGEST_DIFFERENCE else f"{it[:LONGEST_DIFFERENCE]}…" for it in texts]
    more_count = len(lines) - MOST_DIFFERENCES
    note = (f"There are {more_count} more differences, which are not listed.",) if more_count > 0 else ()
    return Replayed(
        PlayedGame(replace(game.heading, verdict=verdict), tuple(replay.played)), (*lines[:MOST_DIFFERENCES], *note)
    )


class _Replay:
    """`expected`: ordinal in the file -> the position that the phases before lead to. `left_out` counts the file's
    phases in which nobody had anything to decide, as we have no such phases."""

    def __init__(self, game: ToldGame, settings: Collection[str]) -> None:
        self.game = game
        self.by_intent = game.by_intent and not any(each.startswith("via_fallback=") for each in settings)
        self.variant = variant_with(game.heading.variant, settings)
        self.expected: dict[int, Position] = {0: self.variant.start}
        self.played: list[PlayedPhase] = []
        self.left_out = 0
        self.differences: list[str] = []
        self.removals: list[str] = []
        ordinals = sorted(it.ordinal for it in game.phases if it.facts.undone is None)
        if ordinals != list(range(len(ordinals))):
            raise WrongFile("The file", "its phases are not numbered 0, 1, 2 and so on.")

    def play(self, number: int) -> None:
        """Adjudicate this phase of the file. Raises WrongFile."""
        phase = self.game.phases[number]
        expected = self.expected.get(phase.ordinal)
        if expected is None:
            raise WrongFile(phase.place, f"the phase before it, number {phase.ordinal}, is missing.")
        try:
            public = self._adjudicate_phase(phase, expected, self._following(number))
        except WrongFile:
            raise
        except BadPhase as error:
            raise WrongFile(phase.place, str(error)) from error
        except NotationError as error:
            raise WrongFile(phase.place, say(error, self.variant.ruleset)) from error
        except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise WrongFile(phase.place, f"it cannot be adjudicated ({type(error).__name__}).") from error
        self.expected[phase.ordinal + 1] = public.next

    def _following(self, number: int) -> NextTurn:
        ordinal = self.game.phases[number].ordinal + 1
        candidates = (it for it in self.game.phases[number + 1 :] if it.ordinal == ordinal)
        next_phase = next(candidates, None)
        document = next_phase.document if next_phase else self.game.last or {}
        return NextTurn(str(document.get("phase") or ""), is_end=next_phase is None)

    def _adjudicate_phase(self, phase: ToldPhase, expected: Position, following: NextTurn) -> Public:
        position, facts = self._starting_position(phase, expected)
        ruleset = self.variant.ruleset
        if self.game.found is None and self.played and not must_decide(position, ruleset):
            return self._leave_out(phase, position, following)
        if phase.facts.sheets is not None:
            # From the opened orders and the game master's corrections, as in `variants.commands.replay`.
            lines = {power: sheet["lines"] for power, sheet in phase.facts.sheets.items()}
            made = [Correction(it["power"], it["place"], it["was"], it["instead"]) for it in phase.facts.amendments]
            public = adjudicate_corrected(position, read_sheets(lines, position, ruleset), made, ruleset)
        else:
            public = self._from_orders(phase, position)
        bids = None if phase.bids is None else self._canonical_bids(phase, Situation(position, ruleset), public)
        public = self._continued_to(public, following, phase.place)
        self.played.append(PlayedPhase(phase.ordinal - self.left_out, position, public, bids, facts))
        return public

    def _leave_out(self, phase: ToldPhase, position: Position, following: NextTurn) -> Public:
        orders_by_power = self._readable_orders(phase, Situation(position, self.variant.ruleset))
        if not all(isinstance(order, NOTHING_DECIDED) for orders in orders_by_power.values() for order in orders):
            turn = phase_words(position.turn)
            self.differences.append(f"{turn}: the file has orders, but we find that no one had anything to decide.")
        self.left_out += 1
        before = self.played[-1]
        public = self._continued_to(with_next_phase(before.public, self.variant.ruleset), following, phase.place)
        self.played[-1] = replace(before, public=public)
        return public

    # The position.

    def _starting_position(self, phase: ToldPhase, expected: Position) -> tuple[Position, Facts]:
        """The position of the file, with facts that only we know; unexpected ones are noted, and told in a notice."""
        before = _position_in(phase.document, expected, self.variant)
        if before.turn != expected.turn:
            raise WrongFile(phase.place, f"a game of this variant begins with {phase_words(expected.turn)}.")
        ruleset = self.variant.ruleset
        for notice in phase.facts.notices:
            if before != expected and notice.kind == "civil disorder" and notice.power in ruleset.powers:
                expected = put_in_civil_disorder(expected, notice.power, ruleset)[0]
        before = self._without_destroyed(_position_in(phase.document, expected, self.variant))
        if before == expected or any(notice.kind in ANNOUNCED for notice in phase.facts.notices):
            return before, phase.facts
        differences = list(differences_of(before, expected, self.variant))
        if not self._is_by_older_rule(before, expected):
            self.differences += [f"{phase_words(before.turn)}: {sentence}" for sentence in differences]
        sentence = f"The game was played elsewhere with this position. {' '.join(differences)}"
        notice = Notice("position changed", None, None, {AS_WRITTEN: sentence})
        return before, replace(phase.facts, notices=(*phase.facts.notices, notice))

    def _without_destroyed(self, position: Position) -> Position:
        """The position without units that have nowhere to retreat. Other programs keep them until the retreats."""
        if not position.dislodged or not self.played:
            return position
        last = self.played[-1]
        lost_units = set(destroyed_units(last.public, last.position))
        return replace(position, dislodged=tuple(each for each in position.dislodged if each.unit not in lost_units))

    def _is_by_older_rule(self, told: Position, found: Position) -> bool:
        """Do they differ only in units removed because too few removals were ordered? If so, note the phase."""
        last = self.played[-1].public if self.played else None
        if last is None or told == found or replace(told, units=found.units) != found:
            return False
        powers = {notice.power for notice in last.notices if notice.kind == NoticeKind.REMOVED}
        for power in (*self.variant.ruleset.powers, NEUTRAL):
            file_units, our_units = told.units_of(power), found.units_of(power)
            if {*file_units} != {*our_units} and (power not in powers or len(file_units) != len(our_units)):
                return False
        self.removals.append(phase_words(last.turn))
        return True

    # The result.

    def _from_orders(self, phase: ToldPhase, position: Position) -> Public:
        ruleset = self.variant.ruleset
        here = Situation(position, ruleset)
        orders = self._readable_orders(phase, here)
        imposed = {province_of(location_of(order)): order for order in orders.pop(NEUTRAL, ())}
        if position.turn.kind is PhaseKind.MOVEMENT:
            # Sentences name the first of several causes. Of too many builds, though, the first ones count.
            orders = {power: sorted(own_orders, key=location_of) for power, own_orders in orders.items()}
        sheets = {power: OrderSheet(tuple(orders[power])) for power in sorted(orders)}
        return resolve_in(here, with_intended_convoys(sheets, here) if self.by_intent else sheets, imposed).public

    def _readable_orders(self, phase: ToldPhase, here: Situation) -> dict[str, list[Order]]:
        """The orders by power. A line that cannot be read counts as no order, and is a difference."""
        orders: dict[str, list[Order]] = {}
        for power, lines in _lines_by_power(phase.document.get("orders", {}), self.variant).items():
            orders[power] = []
            for line in lines:
                try:
                    orders[power].append(read_order(line, here, "" if power == NEUTRAL else power))
                except NotationError as why:
                    turn, sentence = phase_words(here.position.turn), say(why, self.variant.ruleset)
                    self.differences.append(
                        f"{turn}: {_possessive(power)} order {shorten(line)} does not count. {sentence}"
                    )
        return orders

    def _continued_to(self, public: Public, following: NextTurn, place: str) -> Public:
        """The result, continued to the phase that follows in the file, or otherwise to the next with a decision."""
        ruleset, is_passed = self.variant.ruleset, not following.code
        for _ in ruleset.calendar.steps[1:]:
            is_passed = is_passed or public.next.turn.code == following.code
            powers = must_decide(public.next, ruleset)
            if is_passed and (not following.is_end or powers or public.verdict):
                return public
            if powers:
                turn, names = phase_words(public.next.turn), listed([self.variant.power(it).called for it in powers])
                self.differences.append(f"{turn}: the file has no such phase, but we find decisions for {names}.")
            public = with_next_phase(public, ruleset)
        if not is_passed and public.next.turn.code != following.code:
            raise WrongFile(place, f"{shorten(following.code)} cannot follow it.")
        return public

    # Bids.

    def _canonical_bids(
        self, phase: ToldPhase, situation: Situation, public: Public
    ) -> dict[str, tuple[tuple[int, str], ...]]:
        """The bids in canonical notation. If they pay for other orders than those in the file, that is a difference."""
        position = situation.position
        bids = {power: _bids_of(some, situation) for power, some in _entries_of_powers(phase.bids or {}, self.variant)}
        if phase.facts.sheets is None and position.turn.kind is PhaseKind.MOVEMENT:
            self._compare_auction(bids, situation, public)
        return {
            power: tuple((bid.points, write_order(bid.order, position)) for bid in some) for power, some in bids.items()
        }

    def _compare_auction(self, bids: Mapping[str, Sequence[Bid]], situation: Situation, public: Public) -> None:
        sheets = {power: OrderSheet((), tuple(own_bids)) for power, own_bids in bids.items()}
        purchases = {it.unit: it.order for it in resolve_in(situation, sheets).public.outcomes if it.power == NEUTRAL}
        for outcome in public.outcomes:
            if outcome.power == NEUTRAL and purchases.get(outcome.unit, outcome.order) != outcome.order:
                ordered, won = (write_order(it, situation.position) for it in (outcome.order, purchases[outcome.unit]))
                turn = phase_words(situation.position.turn)
                self.differences.append(f"{turn}: the file has {ordered}, but the bids pay for {won}.")

    # The end.

    def check_end(self) -> None:
        """Compare the position at the end of the file, if any, with ours; note differences. Raises WrongFile."""
        self._compare_end()
        if self.removals:
            self.differences.append(
                f"{listed(self.removals)}: powers had not ordered enough removals, and the file took other units off "
                "the board than the rules do now. It may have gone by the older rule, removals=homes."
            )

    def _compare_end(self) -> None:
        if self.game.last is None:
            return
        expected = self.expected[sum(it.facts.undone is None for it in self.game.phases)]
        document = {**self.game.last, "phase": expected.turn.code}
        try:
            end = _position_in(document, expected, self.variant)
        except (BadPhase, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise WrongFile("The last position", str(error)) from error
        if not self._is_by_older_rule(end, expected):
            self.differences += [f"At the end: {sentence}" for sentence in differences_of(end, expected, self.variant)]

    def verdict(self) -> Verdict | None:
        """The outcome by the rules; None if the game was not over. It is noted if the game went on after it."""
        standing_phases = [it for it in self.played if it.facts.undone is None]
        for phase in standing_phases[:-1]:
            if phase.public.verdict:
                sentence = say(phase.public.verdict, self.variant.ruleset)
                self.differences.append(f"{phase.title}: by the rules, the game was over. {sentence}")
        if not standing_phases:
            return None
        public = standing_phases[-1].public
        return public.verdict or verdict_after_last_year(public.next, self.variant, self.game.heading.last_year)


# Reading.


def _position_in(document: dict[str, Any], expected: Position, variant: Variant) -> Position:
    """The position in the document; missing parts, and what the rules remember, are as expected."""
    check_size(document)
    facts: dict[str, Any] = {key: document[key] for key in KEPT if key in document}
    dislodged = {(each.unit.power, str(each.unit)): each for each in expected.dislodged}
    facts["dislodged"] = {
        power: [_with_attacker(power, each, dislodged) for each in entries] if isinstance(entries, list) else entries
        for power, entries in document.get("dislodged", {}).items()
    }
    if variant.ruleset.factions and "factions" not in facts:
        facts["factions"] = _factions_of_centres(document.get("centers"), expected, variant.ruleset)
    rulebook = variant.rulebook
    position = read_phase(facts, rulebook).position
    return replace(
        position,
        contested=position.contested if "contested" in facts else expected.contested,
        relations=position.relations if "relations" in facts else expected.relations,
        memory=expected.memory,
    )


def _factions_of_centres(centres: object, expected: Position, ruleset: Ruleset) -> dict[str, str]:
    """Centre -> the faction that it supplies: as expected if the file doesn't say, or one that its owner has."""
    known_factions, factions = ruleset.control.factions(expected), {}
    for power, entries in centres.items() if isinstance(centres, dict) else ():
        for centre in entries if power in ruleset.powers and isinstance(entries, list) else ():
            if centre in ruleset.board.centres:
                letters = ruleset.control.possible_factions(centre, power, ruleset)
                factions[centre] = known_factions[centre] if known_factions.get(centre) in letters else letters[0]
    return factions


def _with_attacker(power: str, each: object, dislodged: Mapping[tuple[str, str], Any]) -> object:
    """The entry with where the attack came from. Most files don't say so, but the phase before does."""
    if not isinstance(each, dict) or not isinstance(each.get("unit"), str):
        return each
    unit = dislodged.get((power, each["unit"]))
    return {"by": unit.attacker_from, "retreats": list(unit.retreats), **each} if unit else each


def _entries_of_powers(entries: Mapping[str, Any], variant: Variant, *more_powers: str) -> Iterator[tuple[str, Any]]:
    powers = (*variant.ruleset.powers, *more_powers)
    for power, each in entries.items():
        if power in powers:
            yield power, each
        elif each:
            raise BadPhase(f"There is no power {shorten(power)}; there are {', '.join(variant.ruleset.powers)}.")


def _lines_by_power(orders: object, variant: Variant) -> dict[str, list[str]]:
    if not isinstance(orders, dict):
        raise BadPhase("Orders are an object that gives each power a list.")
    by_power: dict[str, list[str]] = {}
    for power, lines in _entries_of_powers(orders, variant, NEUTRAL):
        if not isinstance(lines, list):
            raise BadPhase(f"The orders of {power} are not a list of texts.")
        if len(lines) > MOST_ORDERS:
            raise BadPhase(f"{power} has {len(lines)} orders; at most {MOST_ORDERS} are allowed.")
        by_power[power] = [line if isinstance(line, str) else shorten(line) for line in lines]
    return by_power


def _bids_of(entries: object, situation: Situation) -> list[Bid]:
    if not isinstance(entries, list) or len(entries) > MOST_ORDERS:
        raise BadPhase(f"Bids are a list of at most {MOST_ORDERS}.")
    return [_bid(each, situation) for each in entries]


def _bid(each: object, situation: Situation) -> Bid:
    match each:
        case [int(points), str(text)] if not isinstance(points, bool) and abs(points) <= MOST_POINTS:
            return Bid(read_order(text, situation, ""), points)
    raise BadPhase(f'A bid is written like [2, "A AUS H"], not {shorten(each)}.')


# Differences.


def differences_of(told: Position, found: Position, variant: Variant) -> Iterator[str]:
    """Where the file's position and ours differ, power by power."""
    for power in (*variant.ruleset.powers, NEUTRAL):
        ours = _holdings(found, power)
        for kind, has in _holdings(told, power).items():
            if has != ours[kind]:
                yield _difference(f"{_possessive(power)} {kind}", has - ours[kind], ours[kind] - has)
    if told.contested != found.contested:
        yield _difference(
            "provinces left empty by a stand-off", told.contested - found.contested, found.contested - told.contested
        )
    if told.relations != found.relations:
        yield "The file has other relations between the powers than those we find."


def _difference(subject: str, in_file: Collection[str], in_ours: Collection[str]) -> str:
    has_words, finds_words = (listed(sorted(items)) if items else "nothing more" for items in (in_file, in_ours))
    return f"{subject[:1].upper()}{subject[1:]}: the file has {has_words}, and we find {finds_words}."


def _possessive(power: str) -> str:
    return "The minor powers’" if power == NEUTRAL else f"{power_words(power)}’s"


def _holdings(position: Position, power: str) -> dict[str, set[str]]:
    """What a power has, by its kind."""
    beaten = [each for each in position.dislodged if each.unit.power == power]
    return {
        "units": set(map(str, position.units_of(power))),
        "dislodged units": {f"{it.unit} (may retreat to {', '.join(it.retreats) or 'no place'})" for it in beaten},
        "supply centres": set(position.centres_of(power)),
    }
