"""One game in the memory of one program: its lawful orders, results, bots and map, all as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from adjudication.adjustments import adjustment_counts
from adjudication.auction import budget
from adjudication.fitting import SheetWarning, warnings_about
from adjudication.judge import adjudicate
from adjudication.notation import order_writer, read_sheet_in, write_sheet
from adjudication.options import LawfulOrders, must_decide
from adjudication.orders import OrderSheet
from adjudication.position import Position
from adjudication.resolution import Public, Verdict
from adjudication.situation import Situation
from adjudication.units import NEUTRAL
from variants.any_orders import any_sheet
from variants.bots import Level, play
from variants.bots.seeded_rng import SeededRng
from variants.by_slug import load
from variants.lone_map import standalone_map
from variants.maps import arrows_of, drawing_of, marks_placed_by, with_marks_placed
from variants.rulebook import VARIANTS
from variants.rulebooks import FOLDERS, slug_of
from variants.switches import settings_of, variant_with
from variants.travel import PlayedGame, replayed, write_game
from variants.travel import read_games as told_games
from variants.travel.games import GameHeading, PlayedPhase
from variants.variant import Variant
from variants.words import Told, say
from variants.words.orders import phase_words

Sent: TypeAlias = Mapping[str, str | Iterable[str] | OrderSheet]
"""Power -> its orders and bids, as lines or as a value."""


class UnlawfulOrder(ValueError):
    """An order that cannot be read or given; the message names the power and the line, and says why."""


class Game:
    """A game of `variant`, its slug or a folder of your own, from the start or from another `position`, with some of
    its `rules` set, as in {"victory.centres": 20}; UnknownRule lists those that there are. `result`: the winners and
    why, None until the game is over. `phases`: what was played; `differences`: where the file that it was read from
    says something else. A position never changes: keep `game.position`, and `Game(variant, position)` goes back to it.
    A pickle keeps all but the phases, which `save` keeps."""

    __slots__ = ("_options", "differences", "phases", "position", "result", "rules", "variant")

    def __init__(
        self,
        variant: Variant | str = "standard",
        position: Position | None = None,
        rules: Mapping[str, bool | int | str] = MappingProxyType({}),
    ) -> None:
        self.rules = dict(rules)
        self.variant = variant_with(load(slug_of(variant)) if isinstance(variant, str) else variant, settings_of(rules))
        self.position = position or self.variant.start
        self.result: Verdict | None = None
        self.phases: list[PlayedPhase] = []
        self.differences: tuple[str, ...] = ()
        self._options: LawfulOrders | None = None

    def __reduce__(self) -> tuple[object, ...]:
        fallback = self.variant.ruleset.via_fallback
        rules = self.rules | ({"via_fallback": True} if fallback else {})
        place = FOLDERS[self.variant.slug]
        version = self.variant.ref.removeprefix(self.variant.slug)
        home = self.variant.ref if place.variants == VARIANTS else f"{place.variants / place.folder}{version}"
        return _restored_game, (home, self.position, rules, self.result, self.differences)

    @classmethod
    def load(cls, file: str | Path, rules: Mapping[str, bool | int | str] = MappingProxyType({})) -> Game:
        """The first game in a file, as `read_games` reads it."""
        return read_games(file, rules)[0]

    def save(self, file: str | Path, form: str = "pypi") -> None:
        """Write what was played since the start to a file, in one of the forms of `variants.travel.FORMS`."""
        name, variant = Path(file).stem, self.variant
        status = "finished" if self.result else "running"
        heading = GameHeading(name, name, variant, variant.version, variant.digest, status, self.result)
        Path(file).write_text(write_game(form, PlayedGame(heading, tuple(self.phases))) + "\n", encoding="utf-8")

    @property
    def options(self) -> LawfulOrders:
        """All lawful orders as values."""
        options = self._options
        if options is None or options.situation.position is not self.position:
            options = self._options = LawfulOrders(Situation(self.position, self.variant.ruleset))
        return options

    @property
    def turn(self) -> str:
        """The phase, as in "S1901M"."""
        return self.position.turn.code

    @property
    def deciding(self) -> tuple[str, ...]:
        """The powers that have something to decide now."""
        return () if self.result else must_decide(self.position, self.variant.ruleset)

    def lawful(self, power: str) -> dict[str, tuple[str, ...]]:
        """Place -> the lawful orders for the unit there, or what can be built there; or another power -> what can be
        declared to it. "NEUTRAL" for the orders of minor powers' units that can be bid for."""
        rows = self.options.for_bids() if power == NEUTRAL else self.options.of_power(power)
        write = order_writer(self.position)
        return {row.location: tuple([write(order) for order in row.orders]) for row in rows}

    def random_orders(self, seed: object = 0) -> dict[str, list[str]]:
        """Any lawful orders, builds, removals and bids for every power that has something to decide, as `push` takes
        them. The same for the same position and seed."""
        return {power: _lines_of_sheet(sheet, self.position) for power, sheet in self.random_sheets(seed).items()}

    def random_sheets(self, seed: object = 0) -> dict[str, OrderSheet]:
        """The same as values, which `push` takes, too: twice as fast as text that is written and read again."""
        rng, options = SeededRng("any", seed, self.turn), self.options
        return {power: any_sheet(power, options, rng) for power in self.deciding}

    def builds(self, power: str) -> int:
        """How many units the power may build now or, below 0, must remove."""
        return sum(adjustment_counts(power, self.options.situation).values())

    def points(self, power: str) -> int:
        """How many points the power may bid now."""
        return budget(power, self.position, self.variant.ruleset)

    def push(self, orders: Sent) -> Public:
        """Adjudicate the phase and go on to the next in which someone has something to decide. `orders`: power -> its
        lines, each an order or a bid such as "2: A AUS S A MUN - CZE", or an OrderSheet, in which unlawful orders fail
        with a reason. Raises UnlawfulOrder for an unlawful line, and changes nothing."""
        if self.result:
            raise UnlawfulOrder(f"The game is over: {self.say(self.result)}")
        return self._play({power: self._read_sheet(power, lines) for power, lines in orders.items()})

    def _play(self, sheets: Mapping[str, OrderSheet]) -> Public:
        public = adjudicate(self.position, sheets, self.variant.ruleset).public
        write, written = order_writer(self.position), ((power, sheet.bids) for power, sheet in sheets.items())
        bids = {power: tuple((it.points, write(it.order)) for it in own) for power, own in written if own}
        self.phases.append(PlayedPhase(len(self.phases), self.position, public, bids or None))
        self.position, self.result = public.next, public.verdict
        return public

    def warnings(self, power: str, orders: str | Iterable[str] | OrderSheet) -> tuple[SheetWarning, ...]:
        """What does not fit together among these orders of a power, as `push` takes them: say(…) tells it. Raises
        UnlawfulOrder for an unlawful line; an order with a warning may be given all the same."""
        return warnings_about(self._read_sheet(power, orders), power, self.options.situation)

    def _read_sheet(self, power: str, orders: str | Iterable[str] | OrderSheet) -> OrderSheet:
        if power not in self.variant.ruleset.powers:
            raise UnlawfulOrder(f"There is no power {power}; there are {', '.join(self.variant.ruleset.powers)}.")
        if isinstance(orders, OrderSheet):
            return orders
        text = orders if isinstance(orders, str) else "\n".join(orders)
        reading = read_sheet_in(text, power, self.options.situation)
        for problem in reading.problems:
            raise UnlawfulOrder(f"{power}, “{problem.text}”: {self.say(problem.why)}")
        return reading.sheet

    def say(self, told: Told) -> str:
        """The sentence, in English, for an outcome, a notice or a result; "" for an order that simply succeeded."""
        return say(told, self.variant.ruleset)

    def bot(self, power: str, level: str = "easy", seed: int = 0) -> list[str]:
        """What a bot orders and bids, as `push` takes it. `level`: "easy", "medium" or "strong". The same for the same
        position, level and seed."""
        sheet = play(power, self.position, self.variant.ruleset, seed, Level(level))
        return _lines_of_sheet(sheet, self.position)

    def svg(self, orders: Sent = MappingProxyType({}), *, result: bool = False) -> str:
        """The map of the position, with these orders as arrows; or, for the `result`, of the last phase, with what came
        of its orders. A file of its own."""
        position, variant = self.position, self.variant
        if result and self.phases:
            last = self.phases[-1]
            return standalone_map(variant.ref, drawing_of(last.position, variant, last.public.outcomes))
        sheets = {power: self._read_sheet(power, lines) for power, lines in orders.items()}
        drawing = drawing_of(position, variant)
        marks = [mark for power, sheet in sheets.items() for mark in marks_placed_by(sheet, power, position, variant)]
        arrows = [it for sheet in sheets.values() for it in arrows_of(sheet, position, variant.ruleset.board)]
        units = with_marks_placed(drawing.units, tuple(marks))
        return standalone_map(variant.ref, replace(drawing, units=units, arrows=tuple(arrows)))

    def _repr_svg_(self) -> str:
        """The map, as notebooks show it."""
        return self.svg()

    def __repr__(self) -> str:
        return f"<Game {self.variant.slug} {self.turn}>"

    def __str__(self) -> str:
        """The phase, then a line for each power: its supply centres and units."""
        width = max(len(power.name) for power in self.variant.powers)
        lines = [phase_words(self.position.turn)]
        for power in self.variant.powers:
            centres, units = self.position.centres_of(power.id), self.position.units_of(power.id)
            lines.append(f"{power.name:<{width}} {len(centres):>2}  {', '.join(map(str, units))}".rstrip())
        return "\n".join(lines)


def push_all(games: Iterable[Game], orders: Iterable[Sent]) -> list[Public]:
    """`push` for many games, each with its own orders. Raises UnlawfulOrder, which says in which game, counted from 0,
    and changes none of them."""
    pairs = []
    for number, (game, own_orders) in enumerate(zip(games, orders, strict=True)):
        if game.result:
            raise UnlawfulOrder(f"Game {number} is over: {game.say(game.result)}")
        try:
            pairs.append((game, {power: game._read_sheet(power, lines) for power, lines in own_orders.items()}))
        except UnlawfulOrder as error:
            raise UnlawfulOrder(f"Game {number}: {error}") from None
    return [game._play(sheets) for game, sheets in pairs]


def _restored_game(
    variant: str,
    position: Position,
    rules: Mapping[str, bool | int | str],
    result: Verdict | None,
    differences: tuple[str, ...],
) -> Game:
    game = Game(variant, position, rules)
    game.result, game.differences = result, differences
    return game


def read_games(file: str | Path, rules: Mapping[str, bool | int | str] = MappingProxyType({})) -> list[Game]:
    """The games in a file of the package `diplomacy`, of dipcc or of this site, each where it ends. Raises OSError,
    UnicodeDecodeError, UnknownRule, and WrongFile for the first game that cannot be read."""
    settings, games = settings_of(rules), list[Game]()
    for told_game in told_games(Path(file).read_text(encoding="utf-8")):
        replay = replayed(told_game, settings)
        game = Game(variant_with(told_game.heading.variant, settings), replay.game.end)
        game.rules = dict(rules)
        game.phases, game.differences = list(replay.game.standing), replay.differences
        game.result = replay.game.heading.verdict
        games.append(game)
    return games


def _lines_of_sheet(sheet: OrderSheet, position: Position) -> list[str]:
    return write_sheet(sheet, position).splitlines()
