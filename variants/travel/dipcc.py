"""A game in the JSON form 1.0 of dipcc, the engine of Cicero."""

import json
from typing import Any

from variants.travel.games import PlayedGame, ToldGame
from variants.travel.reading import Fields
from variants.travel.states import COMPLETED, EXTENSION, heading_to_json, orders_of, read_game, state_of, with_bids

VERSION = "1.0"
KEPT = ("name", "units", "centers", "retreats", "builds", EXTENSION)
"""What a state of this form has."""


def is_game_of_form(document: dict[str, Any]) -> bool:
    return "version" in document and "map" in document and "phases" in document


def read(document: dict[str, Any], line: int) -> ToldGame:
    """The game in this document of dipcc or Cicero. Raises WrongFile."""
    game = Fields(document, f"Line {line}")
    if game.text("version") != VERSION:
        game.refuse(f"“version” must be {VERSION}.")
    return read_game(game)


def write(game: PlayedGame) -> str:
    ruleset = game.heading.variant.ruleset
    name = COMPLETED if game.heading.verdict else game.end.turn.code
    document = {
        "version": VERSION,
        "id": game.heading.id,
        "is_full_press": False,
        "map": game.heading.variant.slug,
        "scoring_system": "draw_size",
        "metadata": {},
        "phases": [
            *(
                {
                    "name": phase.position.turn.code,
                    "messages": {},
                    "orders": {power: lines for power, lines in orders_of(phase, ruleset).items() if lines},
                    "state": _state(with_bids(state_of(phase.position, ruleset), phase)),
                }
                for phase in game.standing
            ),
            {"name": name, "messages": {}, "orders": {}, "state": _state(state_of(game.end, ruleset, name))},
        ],
        EXTENSION: heading_to_json(game),
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def _state(state: dict[str, Any]) -> dict[str, Any]:
    return {key: state[key] for key in KEPT if key in state}
