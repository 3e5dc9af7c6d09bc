"""In the language that nobody speaks, whose texts are a third longer than English, no page is wider than the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from games.kernel.languages import PSEUDO
from tests.cast import CAROL, PLAYERS
from tests.e2e.map import SETTLED
from tests.e2e.test_pages_everywhere import NARROW, WIDE, game_over, pages_of, played
from tests.e2e.test_tournament_pages_everywhere import cup, pages_of_cup
from tests.house.spoken import write_pseudo_language
from tests.secrecy.addresses import addresses

if TYPE_CHECKING:
    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_no_page_is_wider_than_the_window_where_words_are_longer(browsers: Browsers) -> None:
    write_pseudo_language()
    game, over = played(), addresses(game_over())
    paths = {name: {*pages_of(name, game).values()} for name in ("", PLAYERS[0], CAROL)}
    paths[""] |= {over["games:game"], over["games:phase"]}
    for name, more in pages_of_cup(cup()).items():
        paths[name] |= {*more}
    seen: set[str] = set()
    wide = []
    for name, own in paths.items():
        page = browsers.of(name, viewport=NARROW)
        for path in sorted(own - seen):
            page.goto(f"{path}{'&' if '?' in path else '?'}lang={PSEUDO}")
            assert page.evaluate("document.documentElement.lang") == PSEUDO, path
            for size in (NARROW, WIDE):
                page.set_viewport_size(size)
                page.evaluate(SETTLED)
                width = page.evaluate("document.scrollingElement.scrollWidth")
                if width > size["width"]:
                    wide.append(f"{path} ({name or 'a stranger'}): {width} pixels in a window of {size['width']}")
        seen |= own
    assert len(seen) > 60
    assert wide == []
