"""`python -m variants judge` and `bot`: read one phase per line as JSON, and write its result or fill in missing
orders."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, TypeAlias

from adjudication.notation import write_order
from adjudication.options import must_decide
from adjudication.orders import OrderSheet
from adjudication.position import Position
from variants.bots import Level, play
from variants.phase_json import BadPhase, Json, read_phase, written_orders
from variants.phase_written import write_phase
from variants.rulebook import Rulebook

LONGEST_ERROR = 300
Answer: TypeAlias = Callable[[Json], dict[str, Any]]
"""From a phase to what is written for it; raises BadPhase."""


def judge_lines(lines: Iterable[str], rulebook: Rulebook, *, crowded: bool = False) -> Iterator[str]:
    """The result of the phase in each line; `crowded` as in `read_phase`."""

    def adjudicate(document: Json) -> dict[str, Any]:
        phase = read_phase(document, rulebook, crowded=crowded)
        return write_phase(phase.adjudicate().public, phase.position, rulebook.ruleset)

    return answer_lines(lines, adjudicate)


def answer_lines(lines: Iterable[str], answer: Answer) -> Iterator[str]:
    """One line of JSON for each line that is not blank; a bad one becomes {"error": "line 3: …"}. A game that is over
    and an error are passed on as they are, so that commands can be joined by pipes."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _json_for_any_terminal(_answer_to(line, answer, number))


def _answer_to(line: str, answer: Answer, number: int) -> dict[str, Any]:
    try:
        document = _phase_in(line)
        return document if document.get("winners") or "error" in document else answer(document)
    except BadPhase as error:
        sentence = str(error)
    short_sentence = sentence if len(sentence) <= LONGEST_ERROR else f"{sentence[:LONGEST_ERROR]}…"
    return {"error": f"line {number}: {short_sentence}"}


def _phase_in(line: str) -> dict[str, Any]:
    try:
        document = json.loads(line)
    except json.JSONDecodeError as error:
        raise BadPhase(f"This is not JSON: {error}.") from error
    except ValueError as error:
        raise BadPhase("This has a number with too many digits.") from error
    except RecursionError as error:
        raise BadPhase("This is nested too deeply.") from error
    if not isinstance(document, dict):
        raise BadPhase("A phase is a JSON object.")
    return document


def _json_for_any_terminal(answer: dict[str, Any]) -> str:
    """JSON that any terminal or file can take: lone surrogates are escaped, as they were in the line."""
    text = json.dumps(answer, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(answer)
    return text


def bot_lines(
    lines: Iterable[str], rulebook: Rulebook, *, seed: int, level: Level = Level.EASY, powers: Collection[str] = ()
) -> Iterator[str]:
    """Each phase with orders and bids for `powers`, or for all, if they have something to decide and no orders yet."""

    def fill_in(document: Json) -> dict[str, Any]:
        with_orders = {**document, "orders": dict(written_orders(document)), "bids": document.get("bids", {})}
        phase = read_phase(with_orders, rulebook)
        position = phase.position
        for power in must_decide(position, rulebook.ruleset):
            if power not in phase.sheets and (not powers or power in powers):
                sheet = play(power, position, rulebook.ruleset, seed, level)
                with_orders["orders"][power] = [write_order(order, position) for order in sheet.orders]
                if sheet.bids:
                    with_orders["bids"] = {**with_orders["bids"], power: written_bids(sheet, position)}
        return with_orders

    return answer_lines(lines, fill_in)


def written_bids(sheet: OrderSheet, position: Position) -> list[dict[str, Any]]:
    """The bids of a sheet, as in [{"points": 2, "order": "A AUS S A MUN - CZE"}]."""
    return [{"points": bid.points, "order": write_order(bid.order, position)} for bid in sheet.bids]
