"""What reaches a collector of errors, a real one on this machine: where they happened, and nobody’s words."""

from __future__ import annotations

import gzip
import json
import logging
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING, Any

import brotli  # type: ignore[import-untyped]
import pytest
import sentry_sdk
from celery import shared_task
from django.test import Client
from django.urls import path

from diplomacy_site import logs
from diplomacy_site import urls as site
from tests.house.test_production import COMPLETE, check_deploy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.http import HttpRequest, HttpResponse
    from pytest_django import Settings

CANARY = "Zwergtaucher"
UNPACKING: dict[str | None, Callable[[bytes], bytes]] = {"br": brotli.decompress, "gzip": gzip.decompress, None: bytes}
TASK_ID = "12-34"
PLACE = "/fails/"
handler500 = site.handler500
log = logging.getLogger("games.somewhere")


def fails(request: HttpRequest) -> HttpResponse:
    orders = request.POST["orders"]
    try:
        raise KeyError(orders)
    except KeyError as cause:
        raise ValueError(f"These orders can’t be read: {orders}") from cause


urlpatterns = [path(PLACE.lstrip("/"), fails, name="fails"), *site.urlpatterns]


@shared_task  # type: ignore[untyped-decorator]
def fails_too(text: str) -> None:
    raise ValueError(text)


class Received:
    """What a collector has got: of each request the path, and the text without its packing."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        received = self.texts

        class Answering(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                plain = UNPACKING[self.headers["Content-Encoding"]](body)
                received.append(f"{self.path} {self.headers}\n{plain.decode()}")
                self.send_response(HTTPStatus.OK)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Answering)
        self.address = f"http://key@127.0.0.1:{self.server.server_port}/1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def events(self) -> list[dict[str, Any]]:
        """Those that have arrived, of which none may say the canary."""
        sentry_sdk.flush()
        assert CANARY.lower() not in "".join(self.texts).lower()
        bodies = [json.loads(text.splitlines()[-1]) for text in self.texts]
        self.texts.clear()
        return bodies


@pytest.fixture
def received(settings: Settings) -> Iterator[Received]:
    """The handlers of production besides those of the tests."""
    settings.ROOT_URLCONF = __name__
    received = Received()
    collector = logs.Collector(received.address)
    told = logs.log_settings(as_json=True, collector=received.address)["loggers"]
    loggers = [
        logging.getLogger(),
        *(logging.getLogger(name) for name in told if "collector" in told[name].get("handlers", ())),
    ]
    for each in loggers:
        each.addHandler(collector)
    yield received
    for each in loggers:
        each.removeHandler(collector)
    sentry_sdk.get_client().close()
    sentry_sdk.get_global_scope().set_client(None)
    received.server.shutdown()
    received.server.server_close()


def kinds_and_last_functions(event: dict[str, Any]) -> list[tuple[str, str]]:
    values = event["exception"]["values"]
    return [(value["type"], value["stacktrace"]["frames"][-1]["function"]) for value in values]


def test_of_an_error_on_a_page_only_the_kind_and_the_place_leave_the_site(received: Received) -> None:
    client = Client(raise_request_exception=False, headers={"Authorization": f"Bearer {CANARY}"})
    client.cookies["session"] = CANARY
    log.info("A breadcrumb: %s", CANARY)
    answer = client.post(f"{PLACE}?about={CANARY}", {"orders": CANARY})
    assert answer.status_code == HTTPStatus.INTERNAL_SERVER_ERROR
    (event,) = received.events()
    assert kinds_and_last_functions(event) == [("builtins.KeyError", "fails"), ("builtins.ValueError", "fails")]
    assert (event["transaction"], event["logger"], event["level"]) == ("fails", "django.request", "error")
    assert event["tags"]["request"] in answer.content.decode(), "the number that the visitor was told"
    assert event.keys() <= logs.Collector.SENT, "no user, no request, no breadcrumbs, no name of a machine"


def test_of_a_task_that_fails_no_argument_leaves_the_site(received: Received) -> None:
    fails_too.apply(args=[CANARY], task_id=TASK_ID)
    (event,) = received.events()
    assert kinds_and_last_functions(event) == [("builtins.ValueError", "fails_too")]
    assert (event["transaction"], event["tags"]["task_id"]) == (f"{__name__}.fails_too", TASK_ID)


def test_errors_are_sent_as_in_the_log_and_warnings_not_at_all(received: Received) -> None:
    log.error("The game %s is on hold.", 17)
    log.warning("Nothing to see.")
    logging.getLogger("somebody.else").error(f"Words of a library about {CANARY}")  # noqa: G004 - as libraries do
    ours, foreign = received.events()
    assert (ours["message"], ours["exception"]) == ("The game 17 is on hold.", {"values": []})
    assert foreign["message"] == logs.LEFT_OUT
    assert foreign["tags"]["where"].startswith("test_collector:")


def test_without_an_address_nothing_of_it_is_loaded_and_with_one_the_site_starts() -> None:
    say = "import sys, django; django.setup(); print('sentry_sdk' in sys.modules)"
    for address, loaded in (("", "False"), ("http://key@127.0.0.1:9/1", "True")):
        done = check_deploy({**COMPLETE, "SENTRY_DSN": address}, "-c", say)
        assert (done.stdout.strip(), done.returncode) == (loaded, 0), done.stderr
