"""Germany's order page, and the positions in which it is tested."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.urls import reverse

from adjudication.turns import Turn
from adjudication.units import Unit, UnitKind
from games.kernel import codec
from tests.factories import occupancy_of, open_phase, running_game
from tests.story import Story
from variants.registry import find

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playwright.sync_api import Locator, Page

    from games.kernel.models import Game
    from tests.e2e.people import Browsers

BERLIN, HAMBURG, MUNICH = "German army in Berlin", "German fleet in Hamburg", "German army in Munich"


def german_sheet(browsers: Browsers, game: Game, **options: Any) -> Page:
    """Germany's order page."""
    page = browsers.of(occupancy_of(game, "GERMANY").user.username, **options)
    page.goto(reverse("games:orders", kwargs={"slug": game.slug}))
    return page


def sheet_text(page: Page) -> Locator:
    return page.get_by_label("All orders as text")


def mistakes_of(page: Page) -> Locator:
    """The mistakes in the orders that the page names."""
    return page.get_by_role("alert").filter(has_text="Not saved")


def saved_text(game: Game, power: str = "GERMANY") -> str:
    order_sheet = Story(game).seen_by(occupancy_of(game, power).user.username).order_sheet
    assert order_sheet is not None
    return order_sheet.text


def besieged() -> Game:
    """Germany has its army in Munich alone, and France has two beside it, in the fall."""
    game = running_game()
    set_up(game, "F1926M", {"FRANCE": "A BUR, A RHI", "GERMANY": "A MUN", "NEUTRAL": "A AUS"})
    return game


def attack_munich(game: Game) -> None:
    Story(game).order("FRANCE", "A Bur-Mun", "A Rhi S A Bur-Mun")


def set_up(game: Game, turn: str, units: Mapping[str, str]) -> None:
    """Give the open phase a made-up position: power -> "A MUN, F HAM"; centres as at the start."""
    placed = [(power, text.strip()) for power, texts in units.items() for text in texts.split(",")]
    position = replace(
        find(game.variant_slug).start,
        turn=Turn.from_code(turn),
        units=tuple(Unit(power, UnitKind(text[0]), text[2:]) for power, text in placed),
    )
    phase = open_phase(game)
    phase.turn, phase.position = turn, codec.position_to_row(position)
    phase.save(update_fields=["turn", "position"])
