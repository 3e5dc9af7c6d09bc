"""The logs contain ids, and never what players wrote."""

from __future__ import annotations

import io
import json
import logging
import os
import re
import subprocess
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.core.exceptions import SuspiciousOperation
from django.db import IntegrityError, transaction
from django.forms.forms import BaseForm
from django.test import Client
from django.test.client import MULTIPART_CONTENT
from django.urls import include, path

from diplomacy_site import logs
from diplomacy_site import urls as site
from diplomacy_site.celery import app
from diplomacy_site.embedded import places
from diplomacy_site.embedded.stack import VARIABLES
from games.press.models import Message
from games.press.services import send_message
from games.tasks import sweep
from tests.cast import person
from tests.database import database_address
from tests.factories import running_game
from tests.load.compose import Compose
from tests.secrecy.addresses import addresses
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from django.http import HttpRequest, HttpResponse
    from pytest_django import Settings

CANARY = "Zwergtaucher"


class Lines:
    """The log, as production writes it."""

    def __init__(self) -> None:
        self.stream = io.StringIO()
        self.handler = logging.StreamHandler(self.stream)
        self.handler.setFormatter(logs.json_lines())

    def text(self) -> str:
        return self.stream.getvalue()

    def all(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text().splitlines()]


@pytest.fixture
def lines() -> Iterator[Lines]:
    """Everything that is logged anywhere, even if other handlers drop it."""
    found = Lines()
    known = [logging.getLogger(name) for name in ("", *logs.log_settings(as_json=True)["loggers"])]
    last = [logger for logger in known if logger is logging.root or not logger.propagate]
    for logger in last:
        logger.addHandler(found.handler)
    yield found
    for logger in last:
        logger.removeHandler(found.handler)


def breaks(request: HttpRequest) -> HttpResponse:
    """A page with an error that quotes its input, as databases and parsers do."""
    words = request.POST["words"]
    try:
        int(words)
    except ValueError as mistake:
        raise IntegrityError(f"Failing row contains ({words}).") from mistake
    raise AssertionError


def suspects(request: HttpRequest) -> HttpResponse:
    raise SuspiciousOperation(f"What is {request.POST['words']}?")


urlpatterns = [
    path("breaks/", breaks, name="breaks"),
    path("suspects/", suspects, name="suspects"),
    path("", include("diplomacy_site.urls")),
]
handler500 = site.handler500


@app.task(name="tests.breaks")  # type: ignore[untyped-decorator]  # Celery has no types
def task_that_breaks(words: str) -> None:
    raise ValueError(words)


def test_a_line_of_the_site_is_told_with_its_ids(lines: Lines) -> None:
    logging.getLogger("games.tests").warning("Email %s could not be sent (attempt %s).", 7, 2)
    (line,) = lines.all()
    assert line.pop("timestamp").endswith("Z")
    assert line == {"event": "Email 7 could not be sent (attempt 2).", "logger": "games.tests", "level": "warning"}


@pytest.mark.django_db
def test_of_a_mistake_the_lines_are_told_and_no_word_that_was_written(lines: Lines, settings: Settings) -> None:
    settings.ROOT_URLCONF = __name__
    client = Client(raise_request_exception=False)
    answer = client.post("/breaks/?and=" + CANARY, {"words": CANARY})
    assert answer.status_code == 500
    assert CANARY not in answer.content.decode()
    assert client.post("/suspects/", {"words": CANARY}).status_code == 400
    assert CANARY not in lines.text()
    broken, suspected = (line for line in lines.all() if line["level"] == "error")
    assert broken["logger"] == "django.request"
    assert (broken["page"], broken["method"], broken["status"]) == ("breaks", "POST", 500)
    assert [one["kind"] for one in broken["exception"]] == ["django.db.utils.IntegrityError", "builtins.ValueError"]
    assert any(one.startswith("tests/operation/test_logs.py:") for one in broken["exception"][0]["lines"])
    assert (suspected["event"], suspected["page"]) == (logs.LEFT_OUT, "suspects")
    assert broken["request"] != suspected["request"]
    assert f"<code>{broken['request']}</code>" in answer.content.decode(), "to find its lines"


def test_of_a_task_that_fails_its_id_is_told_and_no_word_that_it_was_given(lines: Lines) -> None:
    assert task_that_breaks.apply((CANARY,)).state == "FAILURE"
    assert CANARY not in lines.text()
    failed = next(line for line in lines.all() if line["level"] == "error")
    assert failed["task"] == "tests.breaks"
    assert failed["task_id"]
    assert failed["exception"][0]["kind"] == "builtins.ValueError"


def test_no_error_is_mailed() -> None:
    names = ["", *logging.root.manager.loggerDict]
    handlers = {type(handler).__name__ for name in names for handler in logging.getLogger(name).handlers}
    assert "AdminEmailHandler" not in handlers


def fields_of_all_forms(form: type[BaseForm] = BaseForm) -> set[str]:
    """The names of all fields of all the site's forms, and of data sent without a form."""
    found = {"q", "orders", "sheet", "reason", "answer", "position", *getattr(form, "base_fields", ())}
    return found.union(*(fields_of_all_forms(below) for below in form.__subclasses__()))


@pytest.mark.django_db
def test_nothing_that_players_write_is_in_the_logs(lines: Lines) -> None:
    """Visit every address of the site with a unique word, then let a deadline pass."""
    story = Story(running_game())
    story.order("GERMANY", "A Mun-Cze", "2: A Aus S A Mun-Cze")
    send_message(game_id=story.game.pk, user_id=person("alice").pk, text=CANARY)
    known = addresses(story.game)
    walk_everywhere("alice", [place for name, place in known.items() if name != "api:schema"])
    walk_everywhere("carol", [place for place in known.values() if "/gm/" in place])
    story.deadline_comes()
    assert sweep.apply().result == (1, 0)
    assert Message.objects.filter(text=CANARY).exists()
    assert lines.all(), "something was logged"
    assert CANARY not in lines.text()
    assert not re.search("cze|aus s ", lines.text(), re.IGNORECASE)


def walk_everywhere(name: str, places: Iterable[str]) -> None:
    """Send the word to these addresses in every field and in the query; the effects are undone each time."""
    client = Client(raise_request_exception=False)
    client.force_login(person(name))
    fields = dict.fromkeys(fields_of_all_forms(), CANARY)
    for place in places:
        with transaction.atomic():
            kind = "application/json" if place.startswith("/api/v1/") else MULTIPART_CONTENT
            answer = client.post(f"{place}?q={CANARY}", fields, content_type=kind)
            if answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
                client.get(place, {"q": CANARY})
            transaction.set_rollback(True)


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_starts_writes_nothing_but_lines_of_json(tmp_path: Path) -> None:
    """Its first lines come from Celery, which would print a banner."""
    worker = Compose(places.CHECKOUT / "docker-compose.yml").site(port=0)["deadlines"]
    servers = {name: os.environ[name] for name in VARIABLES} | {"DATABASE_URL": database_address()}
    made = {**os.environ, **worker.environment, **servers, "LOAD_FOLDER": str(tmp_path)}
    made["PYTHONWARNINGS"] = "ignore"  # of who runs the tests as root
    with subprocess.Popen(
        worker.command, cwd=places.CHECKOUT, env=made, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as child:
        assert child.stdout is not None
        try:
            said = [json.loads(line) for line in up_to_ready(child.stdout)]
        finally:
            child.terminate()
    assert said[-1]["event"].endswith("ready.")


def up_to_ready(lines: Iterable[str]) -> Iterator[str]:
    """Up to the one that says that it is ready."""
    for line in lines:
        yield line
        if "ready." in line:
            return
