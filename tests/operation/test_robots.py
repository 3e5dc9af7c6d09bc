"""/robots.txt sends search engines to the public pages, and to no others."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.browsers import visitor
from tests.cast import CAROL, PLAYERS
from tests.factories import running_game
from tests.secrecy.addresses import addresses

pytestmark = pytest.mark.django_db
NO_PAGES = ("admin:", "api:", "mfa_", "account_", "games:theme")


def disallowed() -> list[re.Pattern[str]]:
    answer = Client().get("/robots.txt")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    said = re.findall(r"^Disallow: (\S+)$", answer.content.decode(), re.MULTILINE)
    return [re.compile(re.escape(path).replace(r"\*", ".*")) for path in said]


def may_ask(path: str, away: list[re.Pattern[str]]) -> bool:
    return not any(pattern.match(path) for pattern in away)


def test_no_robot_is_sent_to_a_page_that_asks_strangers_to_sign_in() -> None:
    away, stranger, members = disallowed(), Client(), [visitor(PLAYERS[0]), visitor(CAROL)]
    pages = {name: path for name, path in addresses(running_game()).items() if not name.startswith(NO_PAGES)}
    asked = {name: path for name, path in pages.items() if may_ask(path, away)}
    closed = [path for path in asked.values() if "/accounts/" in stranger.get(path).headers.get("Location", "")]
    assert len(asked) > 20
    assert [path for path in closed if any(browser.get(path).status_code == 200 for browser in members)] == []


def test_robots_find_what_is_public() -> None:
    away, game = disallowed(), running_game()
    names = ("game", "history", "log", "board")
    paths = [reverse(f"games:{name}", kwargs={"slug": game.slug}) for name in names]
    paths += [reverse(f"games:{name}") for name in ("home", "lobby", "variants", "learn", "glossary", "seats")]
    paths += [reverse("games:person", args=[game.gm.get_username()]), reverse("api:guide"), reverse("status")]
    assert [path for path in paths if not may_ask(path, away)] == []


def test_it_does_not_say_where_the_admin_pages_are() -> None:
    assert settings.ADMIN_PATH.strip("/") not in Client().get("/robots.txt").content.decode()
