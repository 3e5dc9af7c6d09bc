"""Every page and letter passes through the language that nobody speaks: a plain English word on it has escaped
translation."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from typing import TYPE_CHECKING
from zoneinfo import available_timezones

import pytest
from django.contrib.auth import get_user_model
from django.utils.translation import override

from games.kernel.languages import PSEUDO
from games.kernel.models import Game
from tests.cast import CAROL
from tests.house.spoken import WORD, english_in, texts_of, write_pseudo_language
from tests.long_round import how_many
from tests.secrecy.channels import heard, listen, receivers
from tests.secrecy.observation import Browser
from tests.secrecy.requests import asked
from tests.secrecy.roles import ALICE, ROLES
from tests.secrecy.scene import built, mixed, world_of
from tests.secrecy.worlds import standing_still
from variants.registry import offered, teaching

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django.fixtures import Settings

    from tests.secrecy.scene import Scene

APART = ("api:", "admin:", "webdip")
"""The API and its guide, the admin pages and what other programs read are English."""
PROPER = """
diplomacy discord datc json markdown python github wilson gunboat https http www html csv uuid pbem utc gmt cet
Diplomacy Adjudicator Test Cases, Lucas Kruijswijk, chapter, version, August
Good morning, all ally master alone; too friendly; agreed; well played; good evening league, welcome cup; opening,
middlegame waive, disband
"""
"""Names, words of programs, and what people have written in the scene."""
HEADERS = re.compile(r"{[^{}]*}|EmailAlternative\(content=|, mimetype='text/html'\)")
EACH = ("letters", "letter of the day")
FEW = ("stranger", "player", "gm", "moderator")
"""Roles that see a page of each template."""
READERS = (ALICE, CAROL)
"""A player and a game master."""


@pytest.mark.slow
@pytest.mark.django_db
def test_no_page_or_letter_says_english_in_the_language_that_nobody_speaks(settings: Settings) -> None:
    write_pseudo_language()
    escaped: dict[str, set[str]] = defaultdict(set)
    with standing_still():
        scene = built()
        with override(PSEUDO):
            with world_of(scene, mixed(1)):
                names = {*_names()}
                for where, texts in _pages(scene):
                    for word, text in english_in(texts, names):
                        escaped[text].add(f"{word} ({where})")
            with receivers(settings) as both:
                listen(scene, both, READERS)
                for (_reader, channel), told in heard(scene, mixed(1), both, READERS).items():
                    for word, text in english_in(_told(channel, told), names):
                        escaped[text].add(f"{word} ({channel})")
    assert {text: sorted(words) for text, words in escaped.items()} == {}


def _pages(scene: Scene) -> Iterator[tuple[str, list[str]]]:
    """The texts of each address, which is asked by one role after another until someone sees it; in the long round, by
    every role."""
    seen: set[str] = set()
    asks_all = how_many("spoken") > len(FEW)
    for role in ROLES if asks_all else [each for each in ROLES if each.title in FEW]:
        browser = Browser(role.name)
        for request in asked(scene, role):
            if request.method != "GET" or request.name.startswith(APART):
                continue
            if request.name in seen and not asks_all:
                continue
            answer = browser.answer(request)
            assert answer.status < 500 or answer.status == 503, request.name
            if answer.status == 200:
                seen.add(request.name)
            if dict(answer.headers).get("Content-Type", "").startswith("text/html"):
                yield request.name, texts_of(answer.body)


def _told(channel: str, told: object) -> list[str]:
    """What people read of what left the site."""
    if not isinstance(told, list) or channel not in (*EACH, "notices on devices", "posts to other sites"):
        return []
    if channel in EACH:
        return [text for letter in told for text in texts_of(HEADERS.sub(" ", letter))]
    if channel == "notices on devices":
        return [notice["title"] for notice in told]
    return [text for _, body in told for text in _strings(json.loads(body)) if " " in text]


def _strings(told: object) -> Iterator[str]:
    if isinstance(told, dict):
        told = list(told.values())
    if isinstance(told, list):
        for each in told:
            yield from _strings(each)
    if isinstance(told, str):
        yield told


def _names() -> Iterator[str]:
    texts = [PROPER, *available_timezones(), *get_user_model().objects.values_list("username", flat=True)]
    texts += Game.objects.values_list("name", flat=True)
    for variant in (*offered(), *teaching()):
        board = variant.ruleset.board
        texts += [variant.title, *board.provinces, *map(board.name, board.provinces)]
        texts += [words for power in variant.powers for words in (power.name, power.adjective)]
    for text in texts:
        for word in WORD.findall(text):
            yield word.lower()
            yield word.lower().removesuffix("’s")
