"""`python -m variants bot`: reads one phase per line as JSON and fills in the orders that are missing."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from adjudication.notation import write_order
from adjudication.options import must_decide
from adjudication.orders import OrderSheet
from adjudication.position import Position
from variants.bots import Level, play
from variants.commands.judge import answers
from variants.phase_json import Json, read_phase, written_orders
from variants.rulebook import Rulebook


def bot_lines(
    lines: Iterable[str], rulebook: Rulebook, *, seed: int, level: Level = Level.EASY, powers: Collection[str] = ()
) -> Iterator[str]:
    """Each phase with the orders and bids of `powers`, or of all, if they have something to decide and none yet."""

    def ordered(document: Json) -> dict[str, Any]:
        given = {**document, "orders": dict(written_orders(document)), "bids": document.get("bids", {})}
        phase = read_phase(given, rulebook)
        position = phase.position
        for power in must_decide(position, rulebook.ruleset):
            if power not in phase.sheets and (not powers or power in powers):
                sheet = play(power, position, rulebook.ruleset, seed, level)
                given["orders"][power] = [write_order(order, position) for order in sheet.orders]
                if sheet.bids:
                    given["bids"] = {**given["bids"], power: written_bids(sheet, position)}
        return given

    return answers(lines, ordered)


def written_bids(sheet: OrderSheet, position: Position) -> list[dict[str, Any]]:
    """As in [{"points": 2, "order": "A AUS S A MUN - CZE"}]."""
    return [{"points": bid.points, "order": write_order(bid.order, position)} for bid in sheet.bids]
