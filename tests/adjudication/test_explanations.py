"""What the adjudicator says about an order that failed, and who caused it."""

import pytest

from adjudication.judge import resolve
from adjudication.notation import parse_order
from adjudication.orders import Order, OrderSheet
from adjudication.reasons import Reason
from adjudication.resolution import Attack, Contest, OrderOutcome, OrderResult
from adjudication.units import NEUTRAL
from tests.adjudication.boards import STANDARD, position, unit
from tests.adjudication.minors import MINORS
from variants.words import say


def outcomes(orders: dict[str, list[str]]) -> dict[str, OrderOutcome]:
    """Province -> outcome, for units placed where their orders say."""
    units = {power: [" ".join(text.split()[:2]) for text in texts] for power, texts in orders.items()}
    before = position("S1901M", units)
    sheets = {}
    for power, texts in orders.items():
        written: list[Order] = [parse_order(text, before, STANDARD) for text in texts]
        sheets[power] = OrderSheet(tuple(written))
    public = resolve(before, sheets, STANDARD).public
    return {o.unit.province: o for o in public.outcomes if o.unit}


@pytest.mark.parametrize(
    ("orders", "province", "reason", "sentence"),
    [
        (
            {"GERMANY": ["A MUN - SIL"], "RUSSIA": ["A BOH - SIL"]},
            "MUN",
            Reason.BOUNCED,
            "Bounced with A Boh–Sil: 1 against 1.",
        ),
        (
            {"GERMANY": ["A MUN - BOH", "A SIL S A MUN - BOH"], "AUSTRIA": ["A BOH H", "A VIE S A BOH"]},
            "MUN",
            Reason.HELD_OFF,
            "Boh was held: 2 against 2.",
        ),
        (
            {"GERMANY": ["A MUN - BOH"], "AUSTRIA": ["A BOH - MUN"]},
            "BOH",
            Reason.HEAD_TO_HEAD,
            "Met A Mun–Boh head to head: 1 against 1.",
        ),
        (
            {"GERMANY": ["A MUN - BOH", "A BOH H"]},
            "MUN",
            Reason.OWN_UNIT_THERE,
            "A Boh stays, and no power can dislodge its own units.",
        ),
        (
            {"GERMANY": ["A MUN - BOH"], "ITALY": ["A VIE S A MUN - BOH", "A BOH H"]},
            "MUN",
            Reason.HELD_OFF,
            "Boh was held: 1 against 1, because support does not count against the supporter’s own power.",
        ),
        (
            {"GERMANY": ["A MUN - TYR", "A BOH S A MUN - TYR"], "ITALY": ["A TYR H"], "RUSSIA": ["A SIL - BOH"]},
            "BOH",
            Reason.SUPPORT_CUT,
            "Support cut by A Sil–Boh.",
        ),
        (
            {"GERMANY": ["A MUN - TYR", "A BOH S A MUN - TYR"], "ITALY": ["A TYR - BOH", "A VIE S A TYR - BOH"]},
            "BOH",
            Reason.SUPPORTER_DISLODGED,
            "Support cut. Dislodged by A Tyr–Boh.",
        ),
        (
            {"ENGLAND": ["A LON - NWY", "F NTH C A LON - NWY"], "GERMANY": ["F DEN - NTH", "F SKA S F DEN - NTH"]},
            "LON",
            Reason.CONVOY_DISRUPTED,
            "The convoy needed F NTH, dislodged by F Den–NTH.",
        ),
        (
            {"ENGLAND": ["A LON - NWY", "F NTH H"]},
            "LON",
            Reason.NO_CONVOY_ORDERED,
            "No unbroken convoy from Lon to Nwy was ordered.",
        ),
        (
            {"ENGLAND": ["A LON H", "F NTH C A LON - NWY"]},
            "NTH",
            Reason.UNMATCHED_CONVOY,
            "A Lon–Nwy was not ordered, so the convoy had no effect.",
        ),
        (
            {"GERMANY": ["A MUN H", "A BOH S A MUN - TYR"]},
            "BOH",
            Reason.UNMATCHED_SUPPORT,
            "A Mun–Tyr was not ordered, so the support had no effect.",
        ),
        (
            {"GERMANY": ["A MUN - BER", "A BOH S A MUN"]},
            "BOH",
            Reason.UNMATCHED_SUPPORT,
            "A Mun was ordered to move, so it could not be supported to hold.",
        ),
        (
            {"FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"], "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"]},
            "BRE",
            Reason.CONVOY_DISRUPTED,
            "The convoy needed F ENG, dislodged by F Wal–ENG.",
        ),
        (
            {
                "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
                "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
                "GERMANY": ["F NTH S F BEL - ENG", "F BEL - ENG"],
            },
            "BRE",
            Reason.CONVOY_PARADOX,
            "The convoy by F ENG would decide its own fate, so it is disrupted.",
        ),
        (
            {"GERMANY": ["A MUN H"], "AUSTRIA": ["A BOH - MUN", "A TYR S A BOH - MUN"]},
            "MUN",
            Reason.DISLODGED,
            "Dislodged by A Boh–Mun.",
        ),
        (
            {"GERMANY": ["A MUN - RUH"], "FRANCE": ["A BUR - RUH"], "AUSTRIA": ["A BOH - MUN", "A TYR S A BOH - MUN"]},
            "MUN",
            Reason.BOUNCED,
            "Bounced with A Bur–Ruh: 1 against 1. Dislodged by A Boh–Mun.",
        ),
        (
            {"TURKEY": ["F ANK H"], "RUSSIA": ["F BLA - ANK", "F ARM S F BLA - ANK", "F CON H", "A SMY H"]},
            "ANK",
            Reason.DESTROYED,
            "Dislodged by F BLA–Ank, with nowhere to retreat.",
        ),
        ({"GERMANY": ["A MUN - LON"]}, "MUN", Reason.OUT_OF_REACH, "A Mun cannot reach London in one move."),
    ],
)
def test_the_judge_names_the_rule_and_the_culprit(
    orders: dict[str, list[str]], province: str, reason: Reason, sentence: str
) -> None:
    outcome = outcomes(orders)[province]
    assert (outcome.reason, say(outcome, STANDARD)) == (reason, sentence)


def test_a_support_that_rests_on_a_paradox_counts_for_both_battles_or_neither() -> None:
    """Every answer in the cycle is worked out again once the convoy is disrupted."""
    found = outcomes(
        {
            "ENGLAND": ["A BRE - BEL", "F ENG C A BRE - BEL"],
            "FRANCE": ["F BEL S F LON - ENG", "F LON - ENG", "F MAO S F IRI - ENG"],
            "GERMANY": ["F IRI - ENG"],
        }
    )
    assert found["ENG"].results == (OrderResult.DISRUPTED,)
    assert found["BEL"].results == (OrderResult.GIVEN,)
    assert say(found["LON"], STANDARD) == "Bounced with F IRI–ENG: 2 against 2."
    assert say(found["IRI"], STANDARD) == "Bounced with F Lon–ENG: 2 against 2."


def test_what_succeeds_needs_no_words() -> None:
    found = outcomes({"GERMANY": ["A MUN - BOH", "A SIL S A MUN - BOH"], "FRANCE": ["A PAR H"]})
    assert {(o.reason, say(o, STANDARD)) for o in found.values()} == {(None, "")}


def test_every_contested_province_tells_its_strengths() -> None:
    before = position("S1901M", {"GERMANY": ["A MUN", "A SIL"], "AUSTRIA": ["A BOH", "A VIE"], "RUSSIA": ["A GAL"]})
    written = {
        "GERMANY": ["A MUN - BOH", "A SIL S A MUN - BOH"],
        "AUSTRIA": ["A VIE S A BOH"],
        "RUSSIA": ["A GAL - BOH"],
    }
    sheets = {p: OrderSheet(tuple(parse_order(t, before, STANDARD) for t in ts)) for p, ts in written.items()}
    (contest,) = resolve(before, sheets, STANDARD).public.contests
    german, russian = unit("GERMANY", "A MUN"), unit("RUSSIA", "A GAL")
    assert contest == Contest("BOH", unit("AUSTRIA", "A BOH"), 2, (Attack(german, 2, 2), Attack(russian, 1, 1)))


def test_a_minors_dislodged_unit_is_disbanded_at_once() -> None:
    before = position("S1926M", {"GERMANY": ["A MUN", "A SIL"], NEUTRAL: ["A BOH"]})
    orders = [parse_order(text, before, MINORS) for text in ("A MUN - BOH", "A SIL S A MUN - BOH")]
    public = resolve(before, {"GERMANY": OrderSheet(tuple(orders))}, MINORS).public
    minor = next(o for o in public.outcomes if o.power == NEUTRAL)
    assert minor.results == (OrderResult.DESTROYED,)
    assert minor.reason is Reason.MINOR_DISBANDED
    assert say(minor, STANDARD) == "Dislodged by A Mun–Boh, and disbanded because it belongs to a minor power."
    assert public.next.dislodged == ()
    assert [str(unit) for unit in public.next.units] == ["A BOH", "A SIL"]
