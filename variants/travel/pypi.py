"""A game as the package `diplomacy` on PyPI saves it: one JSON object on a line, `{"id", "map", "rules", "phases"}`."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any

from adjudication.orders import Move
from adjudication.position import Position
from adjudication.resolution import OrderOutcome, OrderResult
from adjudication.ruleset import Ruleset
from variants.travel.games import PlayedGame, ToldGame
from variants.travel.reading import Fields
from variants.travel.states import COMPLETED, EXTENSION, heading_to_json, orders_of, read_game, state_of, with_bids

SHARED_BOARD = "standard"
RULES = ("NO_PRESS", "POWER_CHOICE")
RESULTS = {
    OrderResult.CUT: "cut",
    OrderResult.DISLODGED: "dislodged",
    OrderResult.DISRUPTED: "disrupted",
    OrderResult.ILLEGAL: "void",
    OrderResult.INVALID: "void",
    OrderResult.DESTROYED: "disband",
}


def is_game_of_form(document: dict[str, Any]) -> bool:
    return "map" in document and "rules" in document and "phases" in document


def read(document: dict[str, Any], line: int) -> ToldGame:
    """The game in this document. Its last phase is the one that the game was in. Raises WrongFile."""
    game = read_game(Fields(document, f"Line {line}"), ends_open=True)
    return replace(game, by_intent=EXTENSION not in document)


def write(game: PlayedGame) -> str:
    name = COMPLETED if game.heading.verdict else ""
    common_facts = {"game_id": game.heading.id, "map": game.heading.variant.slug, "rules": list(RULES)}
    end = {**_state(game.end, game, name), **common_facts}
    document = {
        "id": game.heading.id,
        "map": game.heading.variant.slug,
        "rules": list(RULES),
        "phases": [
            *(
                {
                    "name": phase.position.turn.code,
                    "state": with_bids({**_state(phase.position, game), **common_facts}, phase),
                    "orders": orders_of(phase, game.heading.variant.ruleset),
                    "results": {str(it.unit): _results(it) for it in phase.public.outcomes if it.unit},
                    "messages": [],
                }
                for phase in game.standing
            ),
            {"name": end["name"], "state": end, "orders": {}, "results": {}, "messages": []},
        ],
        EXTENSION: heading_to_json(game),
    }
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def _state(position: Position, game: PlayedGame, name: str = "") -> dict[str, Any]:
    """The state of a position. On the one board that the package has too, with its hash of the position."""
    ruleset = game.heading.variant.ruleset
    state = state_of(position, ruleset, name)
    if game.heading.variant.slug == SHARED_BOARD:
        value, numbers = 0, _numbers(ruleset)
        for power in ruleset.powers:
            for unit in state["units"][power]:
                kind, _, place = unit.lstrip("*").partition(" ")
                prefix = "dis_" if unit.startswith("*") else ""
                value ^= numbers[f"{prefix}unit_type", kind, place] ^ numbers[f"{prefix}units", power, place]
            for table in ("centers", "homes"):
                for place in state[table][power]:
                    value ^= numbers[table, power, place]
        state["zobrist_hash"] = str(value)
    return state


@lru_cache(maxsize=4)
def _numbers(ruleset: Ruleset) -> Mapping[tuple[str, str, str], int]:
    """Table, power or kind of unit, and place -> a number, from a seed that depends on the board."""
    board = ruleset.board
    places = sorted({*board.provinces, *(coast for each in board.provinces.values() for coast in each.coasts)})
    letters = enumerate("-".join(sorted(board.centres)))
    seed = (12345 + len(places) + sum(ord(letter) * 7**at for at, letter in letters)) % 2**32
    chance = Random(seed)  # noqa: S311 - the package draws the same
    rows = [
        (table, row)
        for table in ("unit_type", "units", "dis_unit_type", "dis_units", "centers", "homes")
        for row in (("A", "F") if table.endswith("type") else ruleset.powers)
    ]
    return {(*row, place): chance.randint(1, 2**63 - 1) for row in rows for place in places}


def _results(outcome: OrderOutcome) -> list[str]:
    """The results of an order; empty if it succeeded."""
    words = [RESULTS[result] for result in outcome.results if result in RESULTS]
    if isinstance(outcome.order, Move) and OrderResult.FAILS in outcome.results and not words:
        return ["bounce"]
    return words
