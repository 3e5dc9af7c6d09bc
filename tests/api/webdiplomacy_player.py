"""Seven players who use the client class of PyPI's `diplomacy` 1.1.2 as it is, for games of `API_WEBDIPLOMACY`.

    python webdiplomacy_player.py SEED KEY…

For each line on standard input every seat whose orders are missing is given random ones, which that package finds
lawful; units support the orders of others if they can, so that some units are dislodged. A line of JSON tells what
became of them. This runs in an environment of its own, outside the project.
"""

import asyncio
import json
import random
import sys
from typing import Any, Dict, List  # noqa: UP035 - for Python 3.8

from diplomacy.integration.webdiplomacy_net.api import API  # type: ignore[import-not-found]


async def play(api: Any, seed: str) -> List[Dict[str, Any]]:  # noqa: UP006 - for Python 3.8
    """What this key's seats did: phase, power, orders, and whether the client found all of them stored."""
    done = []
    await api.list_games_with_players_in_cd()
    for place in await api.list_games_with_missing_orders():
        game, power = await api.get_game_and_power(place.game_id, place.country_id)
        chance, possible = random.Random(f"{seed} {game.get_current_phase()} {power}"), game.get_all_possible_orders()
        orders: List[str] = []  # noqa: UP006
        for location in sorted(game.get_orderable_locations(power)):
            helping = [order for order in possible[location] if order.partition(" S ")[2] in orders]
            orders += [chance.choice(sorted(helping or possible[location]))] if possible[location] else []
        if game.phase_type == "A":
            orders = orders[: abs(len(game.get_centers(power)) - len(game.get_units(power)))]
        stored = await api.set_orders(game, power, orders, wait=False)
        done.append({"phase": game.get_current_phase(), "power": power, "orders": orders, "stored": stored})
    return done


async def main() -> None:
    players = [API(key) for key in sys.argv[2:]]
    for _ in iter(sys.stdin.readline, ""):
        done = [each for api in players for each in await play(api, sys.argv[1])]
        print(json.dumps(done), flush=True)  # noqa: T201


asyncio.run(main())
