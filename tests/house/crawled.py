"""What every role sees at every address of the checkout where this runs, written to a file as JSON.

`python -m tests.house.crawl` copies it to another checkout, runs it there too, and compares.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.secrecy.observation import Browser
from tests.secrecy.requests import asked
from tests.secrecy.roles import ROLES
from tests.secrecy.scene import built, mixed, world_of
from tests.secrecy.worlds import standing_still


@pytest.mark.django_db
def test_every_role_looks_at_every_page() -> None:
    seen = {}
    with standing_still():
        scene = built()
        with world_of(scene, mixed(1)):
            for role in ROLES:
                browser = Browser(role.name)
                for request in asked(scene, role):
                    if request.method == "GET":
                        answer = browser.answer(request)
                        seen[f"{role.title}: {request.name}"] = f"{answer.status}\n{answer.body}"
    assert seen
    Path(os.environ["CRAWLED_PAGES"]).write_text(json.dumps(seen), "utf-8")
