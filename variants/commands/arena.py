"""Matches between bots without a database: the share of the centres that one seat gets among others.

The share is the seat's centres squared, over the sum of all powers' squares, after the last year; 1 for a solo victory.
Every power is played equally often. Game number n has the same seeds in every match.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from math import sqrt
from multiprocessing import Pool
from pathlib import Path
from statistics import mean, median, stdev

from adjudication.judge import adjudicate
from adjudication.options import LawfulOrders, must_decide
from adjudication.orders import OrderSheet
from adjudication.position import Position
from adjudication.resolution import Verdict
from adjudication.ruleset import Ruleset
from adjudication.serialisation import lists_by_key
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from variants.any_orders import any_sheet
from variants.bots import Level, play
from variants.bots.seeded_rng import SeededRng
from variants.commands.bench import processor_seconds
from variants.rulebook import read_rulebook
from variants.rulebooks import home_of

RANDOM = "random"
SEEDS = 1 << 62


class NotAPlayer(ValueError):
    """No player has this name; the message describes the possible names."""


@dataclass(frozen=True, slots=True)
class Player:
    """A level with the percentage of its positions, or a player who gives random lawful orders."""

    name: str
    level: Level | None
    percent: int = 100

    @classmethod
    def named(cls, name: str) -> Player:
        """The player called "strong", "strong:10" (a tenth of its positions) or "random", for example."""
        word, _, percent = name.partition(":")
        if word == RANDOM and not percent:
            return cls(name, None)
        if word not in {*map(str, Level)} or not (percent or "100").isdecimal():
            raise NotAPlayer(f"{name!r} is no player: write {', '.join(Level)}, {RANDOM}, or strong:10 for a tenth.")
        return cls(name, Level(word), int(percent or 100))

    def sheet(self, power: str, position: Position, ruleset: Ruleset, seed: int) -> OrderSheet:
        rng = rng_of(power, position, seed)
        if self.level is None:
            return any_sheet(power, LawfulOrders(Situation(position, ruleset)), rng)
        return play(power, position, ruleset, rng.below(SEEDS), self.level, self.percent)


def rng_of(power: str, position: Position, seed: int) -> SeededRng:
    """The random numbers of a power in one phase of the game with this seed."""
    return SeededRng("arena", seed, position.turn.code, power)


@dataclass(frozen=True, slots=True)
class Match:
    """`variant`: a slug. Game number n gives `one` the power n modulo the number of powers."""

    variant: str
    one: str
    others: str
    years: int = 10


@dataclass(frozen=True, slots=True)
class ArenaGame:
    """`share` of the one seat; `won`: it won alone; `milliseconds` of processor time for each movement phase."""

    number: int
    power: str
    share: float
    centres: int
    won: bool
    last: str
    milliseconds: list[int] = field(default_factory=list)
    seconds: float = 0.0


def play_game(match: Match, number: int) -> ArenaGame:
    """Play one game to a victory or the end of the last year. Its number decides who has the one seat, and the seed."""
    book = read_rulebook(*home_of(match.variant))
    ruleset, position = book.ruleset, book.start
    powers = ruleset.powers
    own_power, seed = powers[number % len(powers)], number // len(powers)
    player, opponent = Player.named(match.one), Player.named(match.others)
    game_start, times = processor_seconds(), []
    verdict: Verdict | None = None
    while verdict is None and position.turn.year < book.start.turn.year + match.years:
        sheets = {}
        for power in must_decide(position, ruleset):
            phase_start = processor_seconds()
            sheets[power] = (player if power == own_power else opponent).sheet(power, position, ruleset, seed)
            if power == own_power and position.turn.kind is PhaseKind.MOVEMENT:
                times.append(round(1000 * (processor_seconds() - phase_start)))
        public = adjudicate(position, sheets, ruleset).public
        position, verdict = public.next, public.verdict
    has_won = verdict is not None and verdict.winners == (own_power,)
    return ArenaGame(
        number=number,
        power=own_power,
        share=share_of(own_power, position, verdict),
        centres=len(position.centres_of(own_power)),
        won=has_won,
        last=position.turn.code,
        milliseconds=times,
        seconds=round(processor_seconds() - game_start, 3),
    )


def share_of(power: str, position: Position, verdict: Verdict | None) -> float:
    """Centres squared over the sum of all powers' squares; after a victory, the winners share 1."""
    if verdict is not None and verdict.winners:
        return (power in verdict.winners) / len(verdict.winners)
    owners = [*position.centres.values()]
    squares = {each: owners.count(each) ** 2 for each in owners}
    return squares.get(power, 0) / sum(squares.values()) if squares else 0.0


def play_match(match: Match, games: int, *, processes: int = 1, path: Path | None = None) -> list[ArenaGame]:
    """This many games. Those that `path` has from an earlier run are not played again; the others are added to it."""
    games_by_number = {game.number: game for game in stored_games(match, path) if game.number < games}
    todo = [number for number in range(games) if number not in games_by_number]
    for game in _play_games(match, todo, processes):
        games_by_number[game.number] = game
        if path is not None:
            with path.open("a") as file:
                file.write(json.dumps({**asdict(match), **asdict(game)}) + "\n")
    return [games_by_number[number] for number in sorted(games_by_number)]


def _play_games(match: Match, numbers: Sequence[int], processes: int) -> Iterator[ArenaGame]:
    if processes == 1:
        yield from map(partial(play_game, match), numbers)
        return
    with Pool(processes) as pool:
        yield from pool.imap_unordered(partial(play_game, match), numbers)


def stored_games(match: Match, path: Path | None) -> Iterator[ArenaGame]:
    """The games of this match in the file, if there is one."""
    if path is None or not path.exists():
        return
    facts_of_match = asdict(match)
    for line in path.read_text().splitlines():
        document = json.loads(line)
        if all(document.pop(key) == value for key, value in facts_of_match.items()):
            yield ArenaGame(**document)


def mean_share(games: Sequence[ArenaGame]) -> str:
    """The mean share with its standard error."""
    shares = [game.share for game in games]
    error = stdev(shares) / sqrt(len(shares)) if len(shares) > 1 else 0.0
    return f"{mean(shares):.3f} ± {error:.3f}"


def summary_of_match(match: Match, games: Sequence[ArenaGame]) -> str:
    """One line: mean share with its standard error, victories, survivals, and processor time."""
    times = [time for game in games for time in game.milliseconds]
    seconds = sum(game.seconds for game in games)
    return (
        f"{match.variant}: {match.one} among {match.others}, {len(games)} games of {match.years} years: "
        f"share {mean_share(games)}, won {sum(game.won for game in games)}, "
        f"without a centre {sum(game.centres == 0 for game in games)}; "
        f"a movement phase {median(times or [0]):.0f} ms (median), {max(times or [0])} ms (worst), "
        f"{seconds:.0f} core-seconds"
    )


def lines_by_power(games: Iterable[ArenaGame]) -> Iterator[str]:
    """A line for each power: the mean share of the games in which the one seat played it."""
    for power, shares in sorted(lists_by_key((game.power, game.share) for game in games).items()):
        yield f"  {power}: {mean(shares):.3f} of {len(shares)}"
