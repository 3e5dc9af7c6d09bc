"""Everything a viewer can observe of the site: responses at every address, emails, rows that a dump would show."""

from __future__ import annotations

import logging
import re
import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.core import mail
from django.core.cache import caches
from django.db import transaction
from django.test import RequestFactory
from django.test.client import ClientHandler
from django.utils import timezone

from diplomacy_site.accounts.models import today
from diplomacy_site.logs import json_lines
from games.delivery.letters import deliver_letters
from games.kernel import clock
from games.people.models import Session
from games.sealed.models import Sheets
from tests.browsers import visitor
from tests.cast import SAM
from tests.secrecy.addresses import addresses
from tests.secrecy.rests import Rows, Statement, noted
from tests.secrecy.sealed_records import row_without_codes, without_codes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from games.kernel.models import Game

TOKEN = re.compile(r"\b[A-Za-z0-9]{64}\b")
CHANCE = re.compile(r"0x[0-9a-f]+|\b[0-9a-f]{8,}(-[0-9a-f]{4,})*\b|\b\d+\.\d+(e-\d+)?\b|" + TOKEN.pattern)
"""What always differs in a line of the log: memory addresses, random values, durations."""
TABLE = re.compile(r'(?:FROM|INTO|UPDATE|JOIN) "(\w+)"')
ASKERS = {get_user_model()._meta.db_table, Session._meta.db_table}
"""The tables of a statement that asks who is there."""
NEW_GAME = re.compile(r"(?<=-against-)(bots|a-bot)-[0-9a-f]{8}\b")
"""The end of the address of a game that has just been started, which is drawn by lot."""
APART = ("django", "uvicorn")
"""Loggers that hand nothing on to the root."""
OWN_PARTS = ("games:", "api:")
NOT_READY = {"GET readyz", "POST readyz"}
"""Deadlines are not checked here, and it says so."""


@dataclass(frozen=True)
class Request:
    """What is asked for: an address by its name, and the data sent as a form or, to the API, as JSON."""

    method: str
    name: str
    path: str
    sent: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        return f"{self.method} {self.name}"


@dataclass(frozen=True)
class Observed:
    """A response, with how many queries it took and what the site logged. `rests_on`: these queries and their rows,
    which may differ."""

    status: int
    headers: tuple[tuple[str, str], ...]
    cookies: tuple[str, ...]
    body: str
    queries: int
    logged: tuple[str, ...] = ()
    rests_on: tuple[Statement, ...] = field(default=(), compare=False, repr=False)

    @property
    def shows(self) -> bool:
        """Whether it is a page or an answer of the API, neither a refusal nor a redirection."""
        return self.status < 300 or self.status == 422

    @property
    def looked(self) -> bool:
        """Whether it looked up more than who asks."""
        return not all(ASKERS.issuperset(TABLE.findall(text) or [text]) for text, _ in self.rests_on)

    def differs_in(self, other: Observed) -> list[str]:
        """The parts of a response that differ."""
        compared = [part.name for part in fields(self) if part.compare]
        return [name for name in compared if getattr(self, name) != getattr(other, name)]


class Anew(Enum):
    """What is asked for again in another world, where it rests on the same rows."""

    CHANGED = auto()
    """Nothing."""
    SHOWN = auto()
    """The pages."""
    ALL = auto()

    def needs(self, before: Observed) -> bool:
        return self is Anew.ALL or (self is Anew.SHOWN and before.shows)


def observed_by(viewer: str | Browser, game: Game) -> dict[str, Observed]:
    """What this viewer sees at every address."""
    return observed_at(addresses(game), viewer)


def observed_at(paths: Mapping[str, str], viewer: str | Browser, *, acting: bool = False) -> dict[str, Observed]:
    """What this viewer sees at these addresses, by name; `acting`: at those of the games by an empty POST as well,
    which the table sends for everyone in a game of 1926."""
    browser = browser_of(viewer)
    asked = [
        Request(method, name, path)
        for name, path in paths.items()
        if browser.viewer == SAM or not name.startswith("admin:")
        for method in ("GET", "POST")
        if method == "GET" or (acting and name.startswith(OWN_PARTS))
    ]
    return answers(asked, browser)


def answers(
    asked: Iterable[Request],
    viewer: str | Browser,
    *,
    rows: Rows | None = None,
    anew: Anew = Anew.CHANGED,
    after: Browser | None = None,
) -> dict[str, Observed]:
    """The answer to each of these requests of this viewer, each undone afterwards: by method and name.

    `rows`: what is known of this world; `after`: who asks for the same before, and so fills the caches.
    """
    browser, here = browser_of(viewer), rows or Rows()
    return {str(each): browser.answer_once(each, here, anew, after) for each in asked}


def assert_alike(worlds: Sequence[Mapping[str, Observed]]) -> None:
    """At least two worlds look the same, and nothing in them is broken."""
    first, *others = worlds
    assert others, "one world proves nothing"
    differing = {what for other in others for what in {*first, *other} if first.get(what) != other.get(what)}
    assert not differing, f"differ: {sorted(differing)}"
    broken = {what for what, seen in first.items() if seen.status >= 500} - NOT_READY
    assert not broken, f"broken: {sorted(broken)}"


class Asking(RequestFactory):
    """Asks the site itself. Django’s client would also copy the context of every template."""

    def __init__(self) -> None:
        super().__init__()
        self.handler = ClientHandler(enforce_csrf_checks=False)

    def request(self, **request: Any) -> Any:
        return self.handler(super().request(**request).environ)


class Browser:
    """Asks as this viewer, each time with the cookies that they began with. One that has begun before the worlds do is
    the same in all of them, and remembers what it saw in the first."""

    def __init__(self, viewer: str) -> None:
        self.viewer = viewer
        self.before: dict[tuple[object, ...], Observed] = {}
        # Otherwise every request would note it and be undone.
        get_user_model().objects.filter(username=viewer).update(last_seen=today())
        self.cookies = {name: morsel.value for name, morsel in visitor(viewer).cookies.items()}
        self.client = Asking()

    def answer_once(self, request: Request, here: Rows, anew: Anew, after: Browser | None) -> Observed:
        """The answer that it got before, wherever it rests on the same rows and need not be new; else a new one."""
        asked = str(request), request.path, clock.now(), timezone.now()
        before = self.before.get(asked)
        if before is not None and not anew.needs(before) and here.are_the_same(before.rests_on):
            return before
        filling = after.answer(request, here).rests_on if after else ()
        found = self.answer(request, here, emptied=after is None)
        self.before.setdefault(asked, replace(found, rests_on=(*filling, *found.rests_on)))
        return found

    def answer(self, request: Request, here: Rows | None = None, *, emptied: bool = True) -> Observed:
        """One request, undone afterwards; `here` tells how the counters stand."""
        ContentType.objects.clear_cache()  # otherwise the first world would warm it for the others
        if emptied:
            for each in caches.all():
                each.clear()  # otherwise one request would count against the next one's limit
            shutil.rmtree(settings.PICTURES_FOLDER, ignore_errors=True)
        self.client.cookies.clear()
        self.client.cookies.load(self.cookies)
        with transaction.atomic(), logged() as lines:
            with noted() as statements:
                response = _sent(self.client, request)
                content = b"".join(response.streaming_content) if response.streaming else response.content
            transaction.set_rollback(True)
        if here and any(each.changes for each in statements):
            here.put_back_counters()
        return _observed(request, response, content, statements, lines)


def browser_of(viewer: str | Browser) -> Browser:
    return Browser(viewer) if isinstance(viewer, str) else viewer


def _observed(
    request: Request, response: Any, content: bytes, statements: Sequence[Statement], lines: Sequence[str]
) -> Observed:
    body, random = TOKEN.subn("TOKEN", content.decode(errors="replace"))
    headers = {name: NEW_GAME.sub(r"\1", TOKEN.sub("TOKEN", value)) for name, value in response.headers.items()}
    if "ETag" in headers and (random or request.method == "HEAD"):
        headers["ETag"] = "TOKEN"  # a digest of the body, which may contain the random code of a sealed record
    return Observed(
        status=response.status_code,
        headers=tuple(sorted(headers.items())),
        cookies=tuple(sorted(_blank(name, morsel) for name, morsel in response.cookies.items())),
        body=body,
        queries=len(statements),
        logged=tuple(lines),
        rests_on=tuple(statements),
    )


def _sent(client: Asking, request: Request) -> Any:
    send = getattr(client, request.method.lower())
    if request.method in {"GET", "HEAD"}:
        return send(request.path)
    if request.name.startswith("api:") and (request.sent or request.method != "POST"):
        return send(request.path, dict(request.sent), content_type="application/json")
    return send(request.path, dict(request.sent)) if request.method == "POST" else send(request.path)


@contextmanager
def logged() -> Iterator[list[str]]:
    """The lines that the site logs meanwhile, as in production, without random parts."""
    lines: list[str] = []
    ear = Ear(lines)
    ears = [logging.root, *(logger for logger in map(logging.getLogger, APART) if not logger.propagate)]
    for logger in ears:
        logger.addHandler(ear)
    try:
        yield lines
    finally:
        for logger in ears:
            logger.removeHandler(ear)


class Ear(logging.Handler):
    """Records what would be written."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(logging.INFO)
        self.setFormatter(json_lines())
        self.lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(CHANCE.sub("…", self.format(record)))


def _blank(name: str, morsel: Any) -> str:
    secret = name in {settings.CSRF_COOKIE_NAME, settings.SESSION_COOKIE_NAME, "messages"}
    return f"{name}={'' if secret else morsel.value}"


def letters() -> list[tuple[str, str, list[str]]]:
    """Every email, in the order sent, without the codes of sealed records."""
    mail.outbox.clear()
    deliver_letters()
    return [(str(message.subject), without_codes(str(message.body)), message.to) for message in mail.outbox]


def public_rows() -> dict[str, list[dict[str, Any]]]:
    """Every row of every table but the sealed sheets and the sessions; keyed digests and codes are blanked."""
    return {
        model._meta.label: [_without_digest(row) for row in model._default_manager.order_by("pk").values()]
        for model in apps.get_models()
        if model not in {Sheets, Session}
    }


def _without_digest(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "inputs_hmac": ""} if "inputs_hmac" in row else row_without_codes(row)
