"""An order that also says what its unit is: chosen step by step like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.cast import PLAYERS
from tests.e2e import acts
from tests.factories import occupancy_of, running_game
from tests.story import Story

if TYPE_CHECKING:
    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

UNIT = "Austrian unit in Bulgaria (Austrian camp)"


def test_the_first_step_says_what_the_unit_is(browsers: Browsers) -> None:
    game = running_game(variant="three-way-balkan-battle", players=PLAYERS[:3])
    page = browsers.of(occupancy_of(game, "AUSTRIA").user.username)
    page.goto(reverse("games:orders", kwargs={"slug": game.slug}))
    forms = page.locator(f'[data-level][aria-label="{UNIT}"] option')
    expect(forms).to_have_text(["no order", "Army", "Fleet, east coast", "Fleet, south coast"])
    acts.choose(page, UNIT, "Army", "Move", "Gre")
    acts.choose(page, UNIT, "Fleet, south coast", "Move", "Gre")
    expect(page.get_by_label("All orders as text")).to_have_value("F Bul/sc–Gre")
    acts.save(page)
    assert Story(game).order("AUSTRIA", "F Bul/sc - Gre").text == "F BU1/SC - GRE"
    Story(game).deadline()
    (fleet,) = [mark for mark in Story(game).seen_by(PLAYERS[0]).drawing.units if mark.letter == "A"]
    assert (fleet.kind, fleet.location) == ("F", "GRE")
