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
from variants.rulebooks import FOLDERS

RANDOM = "random"
SEEDS = 1 << 62


class UnknownPlayer(ValueError):
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
            raise UnknownPlayer(f"{name!r} is no player: write {', '.join(Level)}, {RANDOM}, or strong:10 for a tenth.")
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
    """One game to a victory or the end of the last year."""
    book = read_rulebook(*FOLDERS[match.variant])
    ruleset, position = book.ruleset, book.start
    powers = ruleset.powers
    mine, seed = powers[number % len(powers)], number // len(powers)
    one, others = Player.named(match.one), Player.named(match.others)
    begun, times = processor_seconds(), []
    verdict: Verdict | None = None
    while verdict is None and position.turn.year < book.start.turn.year + match.years:
        sheets = {}
        for power in must_decide(position, ruleset):
            start = processor_seconds()
            sheets[power] = (one if power == mine else others).sheet(power, position, ruleset, seed)
            if power == mine and position.turn.kind is PhaseKind.MOVEMENT:
                times.append(round(1000 * (processor_seconds() - start)))
        public = adjudicate(position, sheets, ruleset).public
        position, verdict = public.next, public.verdict
    alone = verdict is not None and verdict.winners == (mine,)
    return ArenaGame(
        number=number,
        power=mine,
        share=share_of(mine, position, verdict),
        centres=len(position.centres_of(mine)),
        won=alone,
        last=position.turn.code,
        milliseconds=times,
        seconds=round(processor_seconds() - begun, 3),
    )


def share_of(power: str, position: Position, verdict: Verdict | None) -> float:
    """Centres squared over the sum of all powers' squares; after a victory, the winners share 1."""
    if verdict is not None and verdict.winners:
        return (power in verdict.winners) / len(verdict.winners)
    owners = [*position.centres.values()]
    squares = {each: owners.count(each) ** 2 for each in owners}
    return squares.get(power, 0) / sum(squares.values()) if squares else 0.0


def play_match(match: Match, games: int, *, processes: int = 1, path: Path | None = None) -> list[ArenaGame]:
    """This many games. Games that `path` has from an earlier run are not played again."""
    done = {one.number: one for one in stored_games(match, path) if one.number < games}
    todo = [number for number in range(games) if number not in done]
    for one in _play_games(match, todo, processes):
        done[one.number] = one
        if path is not None:
            with path.open("a") as file:
                file.write(json.dumps({**asdict(match), **asdict(one)}) + "\n")
    return [done[number] for number in sorted(done)]


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
    own = asdict(match)
    for line in path.read_text().splitlines():
        document = json.loads(line)
        if all(document.pop(key) == value for key, value in own.items()):
            yield ArenaGame(**document)


def mean_share(games: Sequence[ArenaGame]) -> str:
    """The mean share with its standard error."""
    shares = [one.share for one in games]
    error = stdev(shares) / sqrt(len(shares)) if len(shares) > 1 else 0.0
    return f"{mean(shares):.3f} ± {error:.3f}"


def summary_of_match(match: Match, games: Sequence[ArenaGame]) -> str:
    """One line: mean share with its standard error, victories, survivals, and processor time."""
    times = [time for one in games for time in one.milliseconds]
    spent = sum(one.seconds for one in games)
    return (
        f"{match.variant}: {match.one} among {match.others}, {len(games)} games of {match.years} years: "
        f"share {mean_share(games)}, won {sum(one.won for one in games)}, "
        f"without a centre {sum(one.centres == 0 for one in games)}; "
        f"a movement phase {median(times or [0]):.0f} ms (median), {max(times or [0])} ms (worst), "
        f"{spent:.0f} core-seconds"
    )


def lines_by_power(games: Iterable[ArenaGame]) -> Iterator[str]:
    """A line for each power: the mean share of the games in which the one seat played it."""
    for power, own in sorted(lists_by_key((one.power, one.share) for one in games).items()):
        yield f"  {power}: {mean(own):.3f} of {len(own)}"
