"""A page that already has a map's ground is sent only what is on it, and nothing that isn't on the whole page."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import running_game
from tests.story import Story
from variants.registry import find

pytestmark = pytest.mark.django_db

MAP = re.compile(r'<svg [^>]*class="board" viewBox.*?</svg>(?=</div>)', re.DOTALL)
EACH_TIME = re.compile(r'data-ticket="[^"]*"|\b[A-Za-z0-9]{64}\b')
GROUND = find("1926").art.ground


def fetched(path: str, ground: str = "") -> tuple[str, str]:
    """The map in a page, and the rest of the page."""
    page = Client().get(path, {"ground": ground} if ground else {})
    text = EACH_TIME.sub("", page.content.decode()).replace(f"?ground={ground}", "")
    (shown,) = MAP.findall(text)
    return shown, MAP.sub("", text)


@pytest.mark.parametrize(("name", "where"), [("game", {}), ("phase", {"ordinal": 0})])
def test_a_page_without_the_ground_says_what_the_whole_one_says(name: str, where: dict[str, object]) -> None:
    game = running_game()
    Story(game).order("BRITAIN", "F Lon-NTH")
    Story(game).deadline()
    path = reverse(f"games:{name}", kwargs={"slug": game.slug, **where})
    whole, around = fetched(path)
    bare, around_bare = fetched(path, GROUND)
    assert around_bare == around
    layers = bare.partition('<g class="orders">')[2]
    above_ground = layers.partition('<g class="standing">')
    assert whole.endswith("".join(above_ground[1:]))
    assert above_ground[0].removesuffix("</g>") in whole
    assert f'data-ground="{GROUND}"' in whole
    assert len(bare) < len(whole) / 4


def test_who_has_another_ground_is_sent_the_whole_map() -> None:
    path = reverse("games:game", kwargs={"slug": running_game().slug})
    for other in ("0123456789ab", find("standard").art.ground):
        assert fetched(path, other) == fetched(path)
