"""The proof that known clients play here: seven seats of a standard game, by a client class that we did not write.

It is skipped unless WEBDIPLOMACY_CLIENT_PYTHON names a Python that has the package: it is AGPL, so none of our
environments has it. `python3.8 -m venv /tmp/client; /tmp/client/bin/pip install diplomacy==1.1.2` makes one.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from games.kernel.models import OVER
from tests.api.test_webdiplomacy import ADDRESS, bots_of, standard_game
from tests.factories import open_phase
from tests.story import Story

PYTHON = os.environ.get("WEBDIPLOMACY_CLIENT_PYTHON", "")
PLAYER = Path(__file__).with_name("webdiplomacy_player.py")
LAST_YEAR = 1905
SEED = "15"
"""With it units are dislodged."""
NOT_HERE = "WEBDIPLOMACY_CLIENT_PYTHON names no Python with the package diplomacy 1.1.2, so its client did not play."


@pytest.mark.skipif(not PYTHON, reason=NOT_HERE)
@pytest.mark.django_db(transaction=True)
def test_the_client_class_of_pypis_diplomacy_plays_seven_seats_to_1905(live_server: Any) -> None:
    game = standard_game(own_bots=True)
    keys = bots_of(game)
    made = {**os.environ, "API_WEBDIPLOMACY": f"{live_server.url}{ADDRESS}"}
    command = [PYTHON, str(PLAYER), SEED, *keys]
    played = Counter[str]()
    with subprocess.Popen(command, env=made, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as client:
        assert client.stdin is not None
        assert client.stdout is not None
        while game.status not in OVER and (code := open_phase(game).turn)[1:5] <= str(LAST_YEAR):
            client.stdin.write("\n")
            client.stdin.flush()
            done = json.loads(client.stdout.readline())
            assert done, f"no one had orders to give in {code}"
            assert [each for each in done if not each["stored"]] == []
            assert {each["phase"] for each in done} == {code}
            played[code[-1]] += 1
            played["sheets"] += len(done)
            played["orders"] += sum(len(each["orders"]) for each in done)
            print(code, *(f"{each['power']} {len(each['orders'])}" for each in done))  # noqa: T201 - the proof, with -s
            Story(game).deadline()
        client.stdin.close()
    print(dict(played), "then", game.status)  # noqa: T201
    assert game.status in OVER or min(played[kind] for kind in "MRA") > 0
