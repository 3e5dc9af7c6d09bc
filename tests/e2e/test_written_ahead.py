"""Retreats and builds written with the moves, on the order page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.sheet import besieged, german_sheet, saved_text, sheet_text

if TYPE_CHECKING:
    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LINE = "IF MUN DISLODGED: "


def test_wishes_become_lines_of_the_text_and_are_said_in_words_once_they_are_saved(browsers: Browsers) -> None:
    game = besieged()
    page = german_sheet(browsers, game)
    page.get_by_text("Write retreats and builds now").click()
    page.get_by_label("If A Mun is dislodged").fill("Ber, Ham")
    expect(sheet_text(page)).to_have_value(f"{LINE}Ber, Ham")
    page.get_by_role("button", name="Save orders", exact=True).last.click()
    expect(page.locator("#ahead-words")).to_have_text(
        "If A Mun is dislodged, it retreats to Ber, or else to Ham. If that is not possible, it has no order until you "
        "give it one."
    )
    assert saved_text(game) == f"{LINE}BER, HAM"


def test_wishes_are_tapped_in_the_order_in_which_they_count_and_taken_out_again(browsers: Browsers) -> None:
    game = besieged()
    page = german_sheet(browsers, game)
    page.get_by_text("Write retreats and builds now").click()
    field = page.locator(".field:has(#ahead-MUN)")
    offered = ["Aus", "Ber", "Bur", "Cze", "Ham", "Rhi", "Swi", "disband"]
    assert field.get_by_role("button").all_inner_texts() == offered
    for wish in ("Rhi", "Ber", "disband", "Rhi"):
        field.get_by_role("button", name=wish, exact=True).click()
    expect(page.get_by_label("If A Mun is dislodged")).to_have_value("Ber, disband")
    expect(sheet_text(page)).to_have_value(f"{LINE}Ber, disband")
    page.locator(".field:has(#ahead-BUILDS)").get_by_role("button", name="F Ham").click()
    page.get_by_role("button", name="Save orders", exact=True).last.click()
    expect(page.locator("#ahead-words li")).to_have_count(2)
    assert saved_text(game) == f"{LINE}BER, DISBAND\nBUILDS: F HAM"


def test_wishes_that_were_not_saved_are_still_there_after_a_reload(browsers: Browsers) -> None:
    page = german_sheet(browsers, besieged())
    page.get_by_text("Write retreats and builds now").click()
    page.get_by_label("If A Mun is dislodged").fill("Ber")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    expect(page.get_by_label("If A Mun is dislodged", exact=True)).to_have_value("Ber")


def test_lines_typed_into_the_text_fill_the_fields(browsers: Browsers) -> None:
    game = besieged()
    page = german_sheet(browsers, game)
    sheet_text(page).fill("A Mun H\nIF A Mun dislodged: Ber, disband")
    page.get_by_role("button", name="Use this text").click()
    expect(page.get_by_label("If A Mun is dislodged")).to_have_value("Ber, disband")
