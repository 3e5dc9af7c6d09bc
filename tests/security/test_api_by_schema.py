"""The API responds to any input as its schema says, and never with a server error.

LONG_ROUND=schema=200 ./run test tests/security/test_api_by_schema.py -s    tries for longer, and prints what was tried
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from games.people.models import Scope
from games.people.tokens import make_token
from tests.cast import PLAYERS, person
from tests.factories import running_game
from tests.long_round import how_many
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Mapping

pytestmark = pytest.mark.django_db(transaction=True)

CASES = how_many("schema")
IN_FULL = CASES > 5
PHASES = "coverage,fuzzing" if IN_FULL else "fuzzing"
PATIENCE_SECONDS = 3600 if IN_FULL else 600
SEMANTIC = "positive_data_acceptance"
"""Left out, because an order's shape doesn't decide whether it is legal."""


def tried(folder: Path, site: str, headers: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """One run of schemathesis, which looks for responses that break the schema. It gets the schema as a file and waits
    for responses, because a busy machine is not the API's fault."""
    (folder / "schema.json").write_bytes(Client().get(reverse("api:schema"), {"format": "json"}).content)
    told = [part for name, value in headers.items() for part in ("-H", f"{name}: {value}")]
    options = ["--phases", PHASES, "--max-examples", str(CASES), "--seed", "1926", "--no-shrink"]
    options += ["--exclude-checks", SEMANTIC, "--warnings", "off", "--continue-on-failure", "--no-color"]
    options += ["--url", site, "--request-timeout", "60"]
    program = str(Path(sys.executable).with_name("schemathesis"))
    command = [program, "--config-file", "st.toml", "run", "schema.json"]
    return subprocess.run(
        [*command, *told, *options], cwd=folder, capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS
    )


def test_every_answer_is_as_the_schema_says(live_server: Any, tmp_path: Path) -> None:
    game = running_game(open_votes=True)
    Story(game).deadline()
    (tmp_path / "st.toml").write_text(f'[parameters]\n"path.slug" = {json.dumps(game.slug)}\n')
    token = make_token(user_id=person(PLAYERS[0]).pk, name="tries", scopes=Scope.values, days=1)
    done = tried(tmp_path, live_server.url, {"Authorization": f"Bearer {token}"})
    print(done.stdout[-3000:])  # noqa: T201 - shows what was tried, with -s
    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2000:]
