"""What a variant notes of a province, where orders and bids for it are chosen."""

from dataclasses import replace

import pytest

from adjudication.units import unit_from_text
from games.orders.choices import minor_choices, order_rows
from games.orders.sheets import SentSheet, read_once
from variants.registry import find

AMBITION = find("ambition-and-empire")


def test_the_bids_say_whom_a_minor_power_helps() -> None:
    labels = {minor.location: minor.label for minor in minor_choices(AMBITION.start, AMBITION)}
    assert labels["PAP"].endswith("(helps only Catholic units)")
    assert labels["SWI"].endswith("(Christian)")


@pytest.mark.parametrize("slug", ["1926", "locarno"])
def test_the_order_page_says_that_no_convoy_leads_through_the_dodecanese(slug: str) -> None:
    variant = find(slug)
    before = replace(variant.start, units=(unit_from_text("TURKEY", "F DOD"), unit_from_text("TURKEY", "F AEG")))
    labels = {row.location: row.label for row in order_rows(read_once(SentSheet(""), "TURKEY", before, variant))}
    assert labels["DOD"].endswith("(no convoy route leads through here)")
    assert "(" not in labels["AEG"]


@pytest.mark.parametrize(("slug", "empty"), [("1926", "Tre"), ("locarno", "Ven")])
def test_a_bid_on_support_for_a_unit_that_does_not_exist_can_be_saved_and_such_an_order_cannot(
    slug: str, empty: str
) -> None:
    variant = find(slug)
    bid = read_once(SentSheet(f"2: A Aus S A {empty}"), "FRANCE", variant.start, variant)
    assert (bid.can_be_saved(), bid.canonical) == (True, f"2: A AUS S {empty.upper()}")
    order = read_once(SentSheet(f"A Mil S A {empty}"), "ITALY", variant.start, variant)
    name = variant.ruleset.board.name(empty.upper())
    assert [each.sentence for each in order.problems] == [f"There is no unit in {name} to support."]
