"""Everything a viewer can observe of the site: answers at every address, letters, rows that a dump would show."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core import mail
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.notifications.delivery import deliver_letters
from games.sealed.models import Sheet
from tests.cast import CAROL, DAVE, PLAYERS, SAM, person
from tests.secrecy.addresses import addresses
from tests.secrecy.sealed_records import row_without_codes, without_codes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.models import Game

EVE = "eve"
VIEWERS = (EVE, DAVE, PLAYERS[0], CAROL, SAM)
INSIDERS = (DAVE, PLAYERS[0], CAROL)
"""Who sees most of a game; for what is a matter of its pages alone, where strangers and the staff see less."""
TOKEN = re.compile(r"\b[A-Za-z0-9]{64}\b")
OWN_PARTS = ("games:", "api:")


@dataclass(frozen=True)
class Observed:
    status: int
    headers: tuple[tuple[str, str], ...]
    cookies: tuple[str, ...]
    body: str
    queries: int


def observed_by(viewer: str, game: Game) -> dict[str, Observed]:
    """What this viewer sees at every address by GET, and at those of the games by an empty POST as well."""
    return observed_at(addresses(game), viewer)


def observed_at(paths: Mapping[str, str], viewer: str) -> dict[str, Observed]:
    """What this viewer sees at these addresses, by name."""
    cookies = {name: morsel.value for name, morsel in signed_in(viewer).cookies.items()}
    seen = {}
    for name, path in paths.items():
        if name.startswith("admin:") and viewer != SAM:
            continue
        seen[f"GET {name}"] = _answer("get", path, cookies)
        if name.startswith(OWN_PARTS):
            seen[f"POST {name}"] = _answer("post", path, cookies)
    return seen


def signed_in(viewer: str) -> Client:
    """A browser of this viewer; Eve has no account."""
    client = Client()
    if viewer != EVE:
        client.force_login(person(viewer))
    return client


def _answer(method: str, path: str, cookies: Mapping[str, str]) -> Observed:
    """One request, undone afterwards."""
    ContentType.objects.clear_cache()  # else the first world would warm it for the others
    client = Client(raise_request_exception=False)
    client.cookies.load(dict(cookies))
    with transaction.atomic():
        with CaptureQueriesContext(connection) as queries:
            response: Any = getattr(client, method)(path)
        transaction.set_rollback(True)
    body = b"".join(response.streaming_content) if response.streaming else response.content
    return Observed(
        status=response.status_code,
        headers=tuple(sorted((name, TOKEN.sub("TOKEN", value)) for name, value in response.headers.items())),
        cookies=tuple(sorted(_blank(name, morsel) for name, morsel in response.cookies.items())),
        body=TOKEN.sub("TOKEN", body.decode(errors="replace")),
        queries=len(queries),
    )


def _blank(name: str, morsel: Any) -> str:
    secret = name in {settings.CSRF_COOKIE_NAME, settings.SESSION_COOKIE_NAME, "messages"}
    return f"{name}={'' if secret else morsel.value}"


def letters() -> list[tuple[str, str, list[str]]]:
    """Every letter that leaves, in the sequence of leaving, without the codes of sealed records."""
    mail.outbox.clear()
    deliver_letters()
    return [(str(message.subject), without_codes(str(message.body)), message.to) for message in mail.outbox]


def public_rows() -> dict[str, list[dict[str, Any]]]:
    """Every row of every table but the sealed sheets and the sessions; keyed digests and codes are blanked."""
    models = [
        model for model in apps.get_models() if model is not Sheet and model._meta.label != "sessions.Session"
    ]
    return {
        model._meta.label: [_without_digest(row) for row in model._default_manager.order_by("pk").values()]
        for model in models
    }


def _without_digest(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "inputs_hmac": ""} if "inputs_hmac" in row else row_without_codes(row)
