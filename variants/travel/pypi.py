"""A game as the package `diplomacy` on PyPI saves it: one JSON object on a line, `{"id", "map", "rules", "phases"}`."""

import json
from dataclasses import replace
from typing import Any

from adjudication.orders import Move
from adjudication.resolution import OrderOutcome, OrderResult
from variants.travel.games import PlayedGame, PlayedPhase, ToldGame
from variants.travel.reading import Fields
from variants.travel.states import COMPLETED, EXTENSION, extended, game_told, heading_to_json, orders_of, state_of

RULES = ("NO_PRESS", "POWER_CHOICE")
RESULTS = {
    OrderResult.CUT: "cut",
    OrderResult.DISLODGED: "dislodged",
    OrderResult.DISRUPTED: "disrupted",
    OrderResult.ILLEGAL: "void",
    OrderResult.INVALID: "void",
    OrderResult.DESTROYED: "disband",
}


def is_one(document: dict[str, Any]) -> bool:
    return "map" in document and "rules" in document and "phases" in document


def read(document: dict[str, Any], line: int) -> ToldGame:
    """Its last phase is the one that the game was in. Raises WrongFile."""
    told = game_told(Fields(document, f"Line {line}"), ends_open=True)
    return replace(told, by_intent=EXTENSION not in document)


def write(game: PlayedGame) -> str:
    ruleset = game.heading.variant.ruleset
    name = COMPLETED if game.heading.verdict else ""
    shared = {"game_id": game.heading.id, "map": game.heading.variant.slug, "rules": list(RULES)}
    end = {**state_of(game.end, ruleset, name), **shared}
    document = {
        "id": game.heading.id,
        "map": game.heading.variant.slug,
        "rules": list(RULES),
        "phases": [
            *(_phase(phase, game, shared) for phase in game.standing),
            {"name": end["name"], "state": end, "orders": {}, "results": {}, "messages": []},
        ],
        EXTENSION: heading_to_json(game),
    }
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def _phase(phase: PlayedPhase, game: PlayedGame, shared: dict[str, Any]) -> dict[str, Any]:
    ruleset = game.heading.variant.ruleset
    return {
        "name": phase.position.turn.code,
        "state": extended({**state_of(phase.position, ruleset), **shared}, phase),
        "orders": orders_of(phase, ruleset),
        "results": {str(it.unit): _results(it) for it in phase.public.outcomes if it.unit},
        "messages": [],
    }


def _results(outcome: OrderOutcome) -> list[str]:
    """Empty if the order succeeded."""
    words = [RESULTS[result] for result in outcome.results if result in RESULTS]
    if isinstance(outcome.order, Move) and OrderResult.FAILS in outcome.results and not words:
        return ["bounce"]
    return words
