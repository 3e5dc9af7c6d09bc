"""What bots do badly, counted: blocked builds, useless supports, moves that fail again, open homes, bids in vain.

python -m tests.variants.habits --variant 1926 --player strong:10 --games 5 --processes 2

All powers are played alike for ten years. Game number n has the same seeds whatever the bots have become, so the counts
of two versions are of the same games as long as they play alike.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from functools import partial
from multiprocessing import Pool
from typing import TYPE_CHECKING

from adjudication.adjustments import adjustment_counts
from adjudication.auction import budget
from adjudication.board import province_of
from adjudication.judge import adjudicate, resolve_in
from adjudication.options import must_decide
from adjudication.orders import Build, Convoy, Hold, Move, OrderSheet, Support
from adjudication.resolution import OrderResult
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import NEUTRAL, UnitKind, neighbours
from variants.bots import EFFORTS, Level
from variants.bots.field import Field, offers_in, winning_orders_with
from variants.bots.search import guesses_at_others
from variants.bots.seeded_rng import SeededRng
from variants.bots.worth import is_counted
from variants.commands.arena import SEEDS, Player, rng_of
from variants.rulebook import read_rulebook
from variants.rulebooks import FOLDERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adjudication.orders import Order
    from adjudication.position import Position
    from adjudication.resolution import Public, Resolution
    from adjudication.ruleset import Ruleset
    from variants.bots.bidding import Guesses
    from variants.bots.field import Bids

YEARS = 10
AGAIN = 3
"""A move that fails so many times running is one habit more."""
BAND = 20
"""How wide the bands are in which likely bids are counted, in percent."""
TRIALS = 40
"""How often bids are tried against guesses."""


def habits_of_game(variant: str, player: str, number: int) -> Counter[str]:
    """One game among bots of one kind."""
    book, bot = read_rulebook(*FOLDERS[variant]), Player.named(player)
    ruleset, position, found = book.ruleset, book.start, Counter[str](games=1)
    failed: Counter[tuple[str, Order]] = Counter()
    while position.turn.year < book.start.turn.year + YEARS:
        powers = must_decide(position, ruleset)
        sheets = {power: bot.sheet(power, position, ruleset, number) for power in powers}
        resolution = adjudicate(position, sheets, ruleset)
        public = resolution.public
        if position.turn.kind is PhaseKind.ADJUSTMENT:
            found.update(_builds(position, ruleset))
        if position.turn.kind is PhaseKind.MOVEMENT:
            found.update(_supports(position, sheets, ruleset))
            found.update(_homes(position, public, ruleset))
            found.update(_bids(position, resolution, ruleset))
            found.update(_foretold(position, resolution, ruleset, bot, number))
            failed = _failed_again(public, failed)
            found["moves that failed three times running"] += sum(count == AGAIN for count in failed.values())
        found.update(_given(public))
        position = public.next
        if public.verdict is not None:
            break
    return found


def _builds(position: Position, ruleset: Ruleset) -> Iterator[str]:
    """For each unit that is due, whether a home is free for it."""
    situation = Situation(position, ruleset)
    for power in ruleset.powers:
        due = sum(max(0, each) for each in ruleset.builds.centres_minus_units(power, position).values())
        possible = sum(max(0, each) for each in adjustment_counts(power, situation).values())
        yield from ["builds due"] * due
        yield from ["builds blocked"] * (due - possible)


def _supports(position: Position, sheets: Mapping[str, OrderSheet], ruleset: Ruleset) -> Iterator[str]:
    """Supports without which the same position follows, and those of what is not done at all."""
    situation = Situation(position, ruleset)
    public = resolve_in(situation, sheets).public
    unmatched = {it.order for it in public.outcomes if OrderResult.INVALID in it.results}
    for power, sheet in sheets.items():
        for index, order in enumerate(sheet.orders):
            if not isinstance(order, Support):
                continue
            yield "supports"
            if order in unmatched:
                yield "supports of what is not done"
            without = (*sheet.orders[:index], Hold(order.location), *sheet.orders[index + 1 :])
            other = resolve_in(situation, {**sheets, power: OrderSheet(without, sheet.bids)}).public.next
            if other == public.next:
                yield "supports that changed nothing"


def _homes(position: Position, public: Public, ruleset: Ruleset) -> Iterator[str]:
    """Own homes without an own unit, before centres are counted, that a foreign unit could enter."""
    if not is_counted(position.turn, ruleset.calendar):
        return
    after = {unit.province: unit.power for unit in public.next.units}
    for power in ruleset.powers:
        entered = {
            province_of(place)
            for unit in position.units
            if unit.power not in (power, NEUTRAL)
            for place in neighbours(unit.kind, unit.location, ruleset.board)
        }
        for home in ruleset.homes.get(power, ()):
            if position.centres.get(home) == power and home in entered and after.get(home) != power:
                yield "homes left open in Fall"
                if after.get(home, NEUTRAL) != NEUTRAL:
                    yield "homes lost in Fall"


def _bids(position: Position, resolution: Resolution, ruleset: Ruleset) -> Iterator[str]:
    """Each point: whether it was spent, and on an order that the minor power's unit was given."""
    given = {outcome.order for outcome in resolution.public.outcomes if outcome.power == NEUTRAL}
    for power, own in resolution.private.items():
        points = budget(power, position, ruleset)
        yield from ["points"] * points
        yield from ["points not spent"] * (points - sum(bid.points for bid in own.counting))
        for bid in own.counting:
            if bid.order not in given:
                yield from ["points outbid or tied"] * bid.points


def _foretold(position: Position, resolution: Resolution, ruleset: Ruleset, bot: Player, seed: int) -> Iterator[str]:
    """Each bid by how likely its power thinks it is to be won, and whether it was."""
    situation = Situation(position, ruleset)
    if (
        bot.level in (None, Level.EASY)
        or situation.is_muster
        or not any(it.counting for it in resolution.private.values())
    ):
        return
    given = {outcome.order for outcome in resolution.public.outcomes if outcome.power == NEUTRAL}
    field, effort = Field(situation), EFFORTS[bot.level].of(bot.percent, len(situation.position.units))
    prepared = {
        order.order: (minor, order)
        for minor, choices in field.minors.items()
        for order in (choices.hold, *choices.moves, *choices.voyages, *choices.supports.values())
    }
    for power, own in resolution.private.items():
        bids = {prepared[bid.order][0]: (prepared[bid.order][1], bid.points) for bid in own.counting}
        if bids:
            rng = SeededRng("search", rng_of(power, position, seed).below(SEEDS), power)
            for minor, chance in chances_of(bids, guesses_at_others(field, power, rng, effort)).items():
                least = min(chance, 99) // BAND * BAND
                yield f"bids said to be won in {least} to {least + BAND} %"
                if bids[minor][0].order in given:
                    yield f"bids said to be won in {least} to {least + BAND} %, and won"


def chances_of(bids: Bids, guesses: Guesses) -> dict[int, int]:
    """How often each of these bids wins against bids that the others might make, in percent."""
    times = Counter[int]()
    for _ in range(TRIALS):
        winners = winning_orders_with(bids, offers_in(guesses.draw_plans()), {})
        times.update(minor for minor, (order, _) in bids.items() if winners.get(minor) is order)
    return {minor: 100 * times[minor] // TRIALS for minor in bids}


def _failed_again(public: Public, before: Counter[tuple[str, Order]]) -> Counter[tuple[str, Order]]:
    """The moves that failed in this phase, each with how many times running."""
    lost = (it for it in public.outcomes if isinstance(it.order, Move) and OrderResult.FAILS in it.results)
    return Counter({(it.power, it.order): before[it.power, it.order] + 1 for it in lost})


def _given(public: Public) -> Iterator[str]:
    for outcome in public.outcomes:
        match outcome.order:
            case Convoy() if outcome.power != NEUTRAL:
                yield "convoys"
            case Build(kind=UnitKind.FLEET) if OrderResult.SUCCEEDS in outcome.results:
                yield "fleets built"
            case Build() if OrderResult.SUCCEEDS in outcome.results:
                yield "armies built"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m tests.variants.habits", description="Count what bots do badly.")
    parser.add_argument("--variant", default="standard")
    parser.add_argument("--player", default="strong:10", help="as in the arena (strong:10)")
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args(arguments)
    with Pool(asked.processes) as pool:
        games = pool.map(partial(habits_of_game, asked.variant, asked.player), range(asked.games))
    found = sum(games, Counter[str]())
    sys.stdout.writelines(f"{count:>7}  {name}\n" for name, count in found.most_common())


if __name__ == "__main__":
    main()
