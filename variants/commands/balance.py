"""How even a board is: bots of one level play all seats, and what becomes of powers, places and bids is counted
(`python -m variants balance`). Game number n is always the same one."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from math import sqrt
from multiprocessing import Pool
from statistics import mean, stdev
from typing import Any

from adjudication.auction import BidOutcome, outcomes_of_bids
from adjudication.board import province_of
from adjudication.judge import adjudicate, resolve_in
from adjudication.options import must_decide
from adjudication.orders import Hold, OrderSheet, location_of
from adjudication.position import Position
from adjudication.resolution import Resolution, Verdict
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import NEUTRAL
from variants.commands.arena import Player, share_of
from variants.commands.bench import processor_seconds
from variants.commands.look import drawn_board, page_head
from variants.loader import load
from variants.rulebook import read_rulebook, spaces
from variants.rulebooks import home_of
from variants.variant import Variant

STILL_YEARS = 3
"""A game in whose last so many years no centre has changed hands stands still."""
GAMES_AT_ONCE = 8
SPACES_PER_UNIT = (2.0, 2.5)
"""What designers of boards aim at, with a unit in every centre."""
MARKET = ("points bid", "bids won", "bids tied", "results changed")


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """`shares`: power -> its share, as in the arena. `centres`: centre -> who has it at the end. `taken`: the centres
    that changed hands, and `entered` the provinces that units went to. `market`: minor power -> points bid for it, bids
    won and tied, and orders bought without which another position would have followed."""

    shares: Mapping[str, float]
    winners: tuple[str, ...]
    centres: Mapping[str, str]
    end: str
    phases: int
    taken: frozenset[str]
    entered: frozenset[str]
    market: Mapping[str, Counter[str]]
    seconds: float


def play_evenly(ref: str, level: str, years: int, number: int) -> PlayedGame:
    """A game among bots of this level, to a victory or the end of the last year."""
    book, bot, begun = read_rulebook(*home_of(ref)), Player.named(level), processor_seconds()
    ruleset, position, verdict = book.ruleset, book.start, None
    last_year, phases, last_change = book.start.turn.year + years, 0, book.start.turn.year
    taken, entered, market = set[str](), set[str](), dict[str, Counter[str]]()
    while verdict is None and position.turn.year < last_year:
        sheets = {power: bot.sheet(power, position, ruleset, number) for power in must_decide(position, ruleset)}
        resolution = adjudicate(position, sheets, ruleset)
        after, verdict = resolution.public.next, resolution.public.verdict
        if position.turn.kind is PhaseKind.MOVEMENT:
            phases += 1
            entered |= {it.province for it in after.units} - {it.province for it in position.units}
            for minor, what, points in _market(position, sheets, resolution, ruleset):
                market.setdefault(minor, Counter())[what] += points
        changed = {it for it, owner in after.centres.items() if position.centres.get(it) != owner}
        taken |= changed
        last_change, position = (position.turn.year if changed else last_change), after
    return PlayedGame(
        shares={power: share_of(power, position, verdict) for power in ruleset.powers},
        winners=verdict.winners if verdict else (),
        centres=position.centres,
        end=_end(verdict, last_year - last_change > STILL_YEARS),
        phases=phases,
        taken=frozenset(taken),
        entered=frozenset(entered),
        market=market,
        seconds=processor_seconds() - begun,
    )


def _end(verdict: Verdict | None, stands_still: bool) -> str:
    if verdict is None:
        return "stalemate" if stands_still else "still fought"
    return "victory" if len(verdict.winners) == 1 else "draw"


def _market(
    position: Position, sheets: Mapping[str, OrderSheet], resolution: Resolution, ruleset: Ruleset
) -> Iterator[tuple[str, str, int]]:
    """Minor power, one of MARKET, and how much more of it."""
    bids = [bid for own in resolution.private.values() for bid in own.counting]
    for bid, outcome in zip(bids, outcomes_of_bids(bids), strict=True):
        minor = province_of(location_of(bid.order))
        yield minor, "points bid", bid.points
        if outcome is not BidOutcome.LOST:
            yield minor, f"bids {outcome.value}", 1
    given = {location_of(it.order) for it in resolution.public.outcomes if it.power == NEUTRAL}
    held = {location_of(it.order) for it in resolution.public.outcomes if isinstance(it.order, Hold)}
    for place in sorted(given - held):
        bids_elsewhere = {
            power: OrderSheet(it.orders, tuple(bid for bid in it.bids if location_of(bid.order) != place))
            for power, it in sheets.items()
        }
        if resolve_in(Situation(position, ruleset), bids_elsewhere).public.next != resolution.public.next:
            yield province_of(place), "results changed", 1


def play_many(ref: str, level: str, years: int, *, games: int, minutes: float, processes: int) -> list[PlayedGame]:
    """At most so many games; none is begun when those before have taken so many minutes of each process."""
    played = list[PlayedGame]()
    with Pool(processes) as pool:
        for first in range(0, games, GAMES_AT_ONCE):
            if sum(game.seconds for game in played) > 60 * minutes * processes:
                break
            numbers = range(first, min(first + GAMES_AT_ONCE, games))
            played += pool.map(partial(play_evenly, ref, level, years), numbers)
    return played


def balance_of(ref: str, level: str, years: int, games: Sequence[PlayedGame]) -> dict[str, Any]:
    """What these games say of the board, to be written as JSON. A figure of a power is the mean and its error."""
    book = read_rulebook(*home_of(ref))
    board, powers = book.ruleset.board, book.ruleset.powers
    per_unit = len(spaces(board)) / len(board.centres)
    market = {minor: Counter[str]() for game in games for minor in game.market}
    for game in games:
        for minor, what in game.market.items():
            market[minor].update(what)
    owners = {centre: Counter(game.centres.get(centre, "") for game in games) for centre in board.centres}
    return {
        "variant": ref,
        "bots": level,
        "games": len(games),
        "years": years,
        "powers": {
            power: {
                "share": _figure([game.shares[power] for game in games]),
                "won": _figure([game.winners == (power,) for game in games]),
                "survived": _figure([power in game.centres.values() for game in games]),
            }
            for power in powers
        },
        "ends": dict(Counter(game.end for game in games).most_common()),
        "movement phases": _figure([game.phases for game in games]),
        "never taken": sorted({*board.centres}.difference(*(game.taken for game in games))),
        "never entered": sorted({*spaces(board)}.difference(*(game.entered for game in games))),
        "spaces for each centre": round(per_unit, 2),
        "minor powers": {
            minor: {it: round(market[minor][it] / len(games), 2) for it in MARKET} for minor in sorted(market)
        },
        "holders": {centre: by.most_common(1)[0][0] for centre, by in owners.items()},
    }


def _figure(values: Sequence[float]) -> tuple[float, float]:
    return round(mean(values), 3), round(stdev(values) / sqrt(len(values)), 3) if len(values) > 1 else 0.0


def evenness_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """The section of evenness.toml: whole percentages that add up to 100, as far as games were decided."""
    ref = found["variant"]
    yield f'["{ref}"]' if "@" in ref else f"[{ref}]"
    yield from (f"{power} = {round(100 * what['share'][0])}" for power, what in found["powers"].items())


def summary(found: Mapping[str, Any]) -> Iterator[str]:
    """The result in words and figures, a line each."""
    yield f"{found['variant']}: {found['games']} games of {found['years']} years among {found['bots']} bots"
    for power, what in found["powers"].items():
        yield f"  {power:<14}" + "   ".join(
            f"{name} {100 * it:.0f} ± {100 * err:.0f} %" for name, (it, err) in what.items()
        )
    yield "  ends: " + ", ".join(f"{number} {end}" for end, number in found["ends"].items())
    yield f"  movement phases: {found['movement phases'][0]:.1f} ± {found['movement phases'][1]:.1f}"
    least, most = SPACES_PER_UNIT
    yield f"  spaces for each centre: {found['spaces for each centre']} (most boards: {least} to {most})"
    for name in ("never taken", "never entered"):
        yield f"  {name}: {', '.join(found[name]) or 'none'}"
    for minor, it in found["minor powers"].items():
        figures = (f"{it[name]} {name}" for name in MARKET)
        yield f"  {minor}: in a game, {', '.join(figures)}"


def balance_page(found: Mapping[str, Any]) -> str:
    """A page with the result, and the map in the colours of those who most often have each centre at the end."""
    variant: Variant = load(*home_of(found["variant"]))
    holders = {centre: power for centre, power in found["holders"].items() if power}
    lines = "\n".join(summary(found))
    return f"{page_head(variant.title)}<pre>{escape(lines)}</pre>{drawn_board(variant, (), holders)}"
