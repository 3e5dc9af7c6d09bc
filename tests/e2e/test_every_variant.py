"""Every variant on its pages, from the first phase to the second builds. In the first phase of each kind (the long
round: two) one player with orders to enter uses a browser, if possible the same one; all other orders are saved without
one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from adjudication.notation import write_order, write_sheet
from adjudication.options import must_decide
from adjudication.turns import PhaseKind
from games.kernel import codec
from games.kernel.models import Status
from tests.cast import TEN
from tests.e2e import acts
from tests.factories import occupancy_of, open_phase, running_game
from tests.long_round import how_many
from tests.story import Story
from variants.bots import play
from variants.registry import offered

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from adjudication.orders import OrderSheet
    from adjudication.position import Position
    from games.kernel.models import Game, Phase
    from tests.e2e.people import Browsers
    from variants.variant import Variant

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

BUILDS, MOST_PHASES = 2, 40
IN_A_BROWSER = how_many("browsed")
ONE_LIST = {PhaseKind.DECLARATION, PhaseKind.DEPLOYMENT}
SEED = 7


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_a_game_of_every_variant_is_played_on_its_pages_to_its_second_builds(
    variant: Variant, browsers: Browsers
) -> None:
    game = running_game(name="Evening", variant=variant.slug, players=TEN[: variant.players])
    pages: dict[str, Page] = {}
    errors: list[str] = []
    played: Counter[PhaseKind] = Counter()
    while played[PhaseKind.ADJUSTMENT] < BUILDS and game.status == Status.RUNNING:
        phase = open_phase(game)
        assert phase.ordinal < MOST_PHASES
        kind = codec.position_of(phase).turn.kind
        played[kind] += 1
        writer = write_for_all_but_one(game, phase, variant, seated=list(pages))
        if played[kind] > IN_A_BROWSER:
            save(game, phase, writer, variant)
        else:
            if writer not in pages:
                pages[writer] = browsers.of(occupancy_of(game, writer).user.username)
                pages[writer].on("pageerror", lambda error: errors.append(str(error)))
            write_in_browser(pages[writer], game, writer, variant)
        Story(game).deadline()
    assert errors == []
    assert_history(next(iter(pages.values())), game)


def write_for_all_but_one(game: Game, phase: Phase, variant: Variant, *, seated: list[str]) -> str:
    """Save orders for everyone with a decision to make except one; return that one, with a browser if any of them has
    one."""
    position = codec.position_of(phase)
    deciding = must_decide(position, variant.ruleset)
    writer = next((power for power in seated if power in deciding), deciding[0])
    for power in deciding:
        if power != writer:
            save(game, phase, power, variant)
    return writer


def save(game: Game, phase: Phase, power: str, variant: Variant) -> None:
    position = codec.position_of(phase)
    Story(game).order(power, write_sheet(play(power, position, variant.ruleset, SEED), position))


def write_in_browser(page: Page, game: Game, power: str, variant: Variant) -> None:
    """Use the lists if there is one for everything, otherwise the text."""
    position = codec.position_of(open_phase(game))
    sheet = play(power, position, variant.ruleset, SEED)
    page.goto(reverse("games:orders", kwargs={"slug": game.slug}))
    if position.turn.kind in ONE_LIST:
        choose_all(page, sheet, position)
    else:
        acts.write(page, write_sheet(sheet, position))
    acts.save(page)
    order_sheet = Story(game).seen_by(occupancy_of(game, power).user.username).order_sheet
    assert order_sheet is not None
    saved = Story(game).order(power, order_sheet.text).text
    assert sorted(saved.splitlines()) == sorted(write_sheet(sheet, position).splitlines())


def choose_all(page: Page, sheet: OrderSheet, position: Position) -> None:
    """The page counts the missing orders while choices are made."""
    for order in sheet.orders:
        value = write_order(order, position)
        page.locator("select[data-one-list]").filter(has=page.locator(f'option[value="{value}"]')).select_option(value)
    if position.turn.kind is PhaseKind.DEPLOYMENT:
        count = len(sheet.orders)
        expect(page.locator("[data-count]")).to_have_text(f"{count} of {count} placed.")


def assert_history(page: Page, game: Game) -> None:
    """The history lists every phase, and the last closed one opens from there with its map."""
    page.goto(reverse("games:game", kwargs={"slug": game.slug}))
    listed = page.locator(".timeline a")
    expect(listed).to_have_count(game.phases.count())
    last = game.phases.filter(closed__isnull=False).latest("ordinal")
    listed.nth(last.ordinal).click()
    expect(page.locator(".board-title")).to_be_visible()
    expect(page.locator("svg.board .unit").first).to_be_visible()
