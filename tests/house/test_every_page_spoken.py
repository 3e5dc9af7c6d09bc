"""Every page passes through the language that nobody speaks: a plain English word on it has escaped translation."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import available_timezones

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.utils.translation import override, trans_real

from games.kernel.languages import PSEUDO
from games.kernel.models import Game
from games.management.commands.catalogue import write_catalogue
from tests.house.spoken import WORD, english_in, texts_of
from tests.long_round import how_many
from tests.secrecy.observation import Browser
from tests.secrecy.requests import asked
from tests.secrecy.roles import ROLES
from tests.secrecy.scene import built, mixed, world_of
from tests.secrecy.worlds import standing_still
from variants.registry import ALL, TEACHING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.secrecy.scene import Scene

APART = ("api:", "admin:", "webdip")
"""The API and its guide, the admin pages and what other programs read are English."""
PROPER = """
diplomacy discord datc json markdown python github wilson gunboat https http www html csv uuid pbem utc gmt cet
Diplomacy Adjudicator Test Cases, Lucas Kruijswijk, chapter, version, August
Good morning, all ally master; too friendly; agreed
"""
"""Names, words of programs, and what people have written in the scene."""


@pytest.mark.django_db
def test_no_page_says_english_in_the_language_that_nobody_speaks() -> None:
    write_catalogue(PSEUDO, Path(settings.LOCALE_PATHS[-1]))
    trans_real._translations.clear()  # type: ignore[attr-defined]
    escaped: dict[tuple[str, str], set[str]] = defaultdict(set)
    failed = []
    with standing_still():
        scene = built()
        with world_of(scene, mixed(1)), override(PSEUDO):
            names = set(_names())
            for title, name, page in _pages(scene):
                if page is None:
                    failed.append(f"{title}: {name}")
                else:
                    for found in english_in(texts_of(page), names):
                        escaped[found].add(name)
    assert failed == []
    assert {word: (text, sorted(where)) for (word, text), where in escaped.items()} == {}


def _pages(scene: Scene) -> Iterator[tuple[str, str, str | None]]:
    """Role, address and page; None for one that failed. Each address is asked until someone sees it."""
    seen: Counter[str] = Counter()
    for number, role in enumerate(ROLES):
        browser = Browser(role.name)
        for request in asked(scene, role):
            if request.method != "GET" or request.name.startswith(APART):
                continue
            if seen[request.name] and number >= how_many("spoken"):
                continue
            answer = browser.answer(request)
            seen[request.name] += answer.status == 200
            if answer.status >= 500 and answer.status != 503:
                yield role.title, request.name, None
            elif dict(answer.headers).get("Content-Type", "").startswith("text/html"):
                yield role.title, request.name, answer.body


def _names() -> Iterator[str]:
    texts = [PROPER, *available_timezones(), *get_user_model().objects.values_list("username", flat=True)]
    texts += Game.objects.values_list("name", flat=True)
    for variant in (*ALL, *TEACHING):
        board = variant.ruleset.board
        texts += [variant.title, *board.provinces, *map(board.name, board.provinces)]
        texts += [words for power in variant.powers for words in (power.name, power.adjective)]
    for text in texts:
        for word in WORD.findall(text):
            yield word.lower()
            yield word.lower().removesuffix("’s")
