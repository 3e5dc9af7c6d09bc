"""The API answers whatever is sent as its schema says, and never with an error of its own.

API_CASES=200 ./run test tests/security/test_api_by_schema.py -s    tries longer, and prints what was tried
"""

from __future__ import annotations

import json
import os
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
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Mapping

pytestmark = pytest.mark.django_db(transaction=True)

CASES = os.environ.get("API_CASES", "3")
PHASES = "coverage,fuzzing" if "API_CASES" in os.environ else "fuzzing"
PATIENCE_SECONDS = 3600 if "API_CASES" in os.environ else 600
SEMANTIC = "positive_data_acceptance"
"""Left out: whether an order is lawful is no matter of its shape."""


def tried(folder: Path, site: str, headers: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """One run of schemathesis, which looks for a sentence of the schema that an answer breaks. It has the schema as a
    file and waits for answers, because a machine that is busy is no mistake of the API."""
    (folder / "schema.json").write_bytes(Client().get(reverse("api-schema"), {"format": "json"}).content)
    told = [part for name, value in headers.items() for part in ("-H", f"{name}: {value}")]
    options = ["--phases", PHASES, "--max-examples", CASES, "--seed", "1926", "--no-shrink"]
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
    print(done.stdout[-3000:])  # noqa: T201 - what was tried, for whoever asks with -s
    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2000:]
