"""How fast the package `diplomacy` is, by the Python of an environment that has it: `python pypi_speed.py < PHASES`.

It takes the phases that `python -m variants bench --against` hands over, one per line; every tenth is enough, because
it is slow. Nothing of this project is imported.
"""

import json
import random
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

Game = import_module("diplomacy").Game

EVERY, ROUNDS, LONGEST = 10, 3, 120


def laid_out(phase: dict[str, Any]) -> Any:
    game = Game()
    game.clear_units()
    game.clear_centers()
    for power, units in phase["units"].items():
        game.set_units(power, units)
    for power, centres in phase["centers"].items():
        game.set_centers(power, centres)
    game.set_current_phase(phase["phase"])
    return game


def listed(games: list[Any]) -> None:
    for game in games:
        game.get_all_possible_orders()


def played(count: int) -> None:
    chance, game, phases = random.Random(1), Game(), 0
    for _ in range(count):
        if game.is_game_done or phases == LONGEST:
            game, phases = Game(), 0
        possible = game.get_all_possible_orders()
        for power in game.powers:
            places = game.get_orderable_locations(power)
            game.set_orders(power, [chance.choice(possible[place]) for place in places if possible[place]])
        game.process()
        phases += 1


def best(work: Callable[..., None], *args: Any) -> float:
    times = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        work(*args)
        times.append(time.process_time() - begin)
    return 1e6 * min(times)


games = [laid_out(json.loads(line)) for line in sys.stdin.readlines()[::EVERY]]
for name, microseconds in (
    ("diplomacy: lawful orders of all powers", best(listed, games) / len(games)),
    ("diplomacy: a phase of any lawful orders", best(played, len(games)) / len(games)),
):
    sys.stdout.write(f"{name:<46}  {1e6 / microseconds:>9,.0f}/s {microseconds:>9.1f} µs\n")
