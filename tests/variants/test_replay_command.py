"""A published game is adjudicated again: everything is confirmed, and every falsification is named."""

from __future__ import annotations

import json
from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from adjudication.corrections import Correction, adjudicate_corrected, adjudicate_published
from adjudication.judge import adjudicate
from adjudication.notation import write_order, write_sheet
from adjudication.options import must_decide
from adjudication.serialisation import position_from_json, position_to_json, public_to_json
from adjudication.units import NEUTRAL
from tests.long_round import how_many
from tests.variants.chance import any_sheet, mutated, whole_game
from variants.__main__ import main
from variants.commands.replay import BadRecord, replay
from variants.receipts import RECORD_FORMAT, SealedSheet, record_code
from variants.registry import find, offered

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from variants.variant import Variant

Document = dict[str, Any]
LANDS = find("1926")


def played(phases: int = 3, *, recorded_from: int = 0) -> Document:
    """A random game whose bids were opened, with sealed records only from the phase `recorded_from` on."""
    chance, position, previous, told = Random(7), LANDS.start, "", []
    for ordinal in range(phases):
        powers, deciding = LANDS.ruleset.powers, must_decide(position, LANDS.ruleset)
        sheets = {power: any_sheet(power, position, LANDS.ruleset, chance) for power in deciding}
        public = adjudicate(position, sheets, LANDS.ruleset).public
        written: dict[str, dict[str, Any]] = {
            power: {
                "salt": f"{chance.getrandbits(256):064x}",
                "saved": power in sheets,
                "lines": write_sheet(sheets[power], position) if power in sheets else "",
            }
            for power in powers
        }
        turn = position.turn.code
        codes = {power: SealedSheet("one", ordinal, turn, power, **it).code for power, it in written.items()}
        code = record_code("one", ordinal, turn, codes, previous)
        recorded = ordinal >= recorded_from
        told.append(
            {
                "ordinal": ordinal,
                "turn": turn,
                "closed": f"2026-03-0{ordinal + 1}T18:00:00+00:00",
                "position": position_to_json(position),
                "notices": [],
                "amendments": [],
                "result": public_to_json(public),
                "missed": [],
                "record": {"code": code, "previous": previous, "sheets": codes} if recorded else None,
                "sheets": written,
                "undone": None,
            }
        )
        position, previous = public.next, code if recorded else ""
    return {
        "format": RECORD_FORMAT,
        "game": "one",
        "variant": {"slug": LANDS.slug, "version": LANDS.version, "digest": LANDS.digest},
        "options": {"last_year": None, "open_bids_at_end": True},
        "status": "closed",
        "verdict": {"winners": [], "sentence": "Enough."},
        "phases": told,
    }


@pytest.fixture(scope="module")
def honest() -> Document:
    return played()


def without_sheets(document: Document) -> Document:
    sealed = deepcopy(document)
    sealed["options"]["open_bids_at_end"] = False
    for phase in sealed["phases"]:
        phase["sheets"] = None
    return sealed


def test_a_game_is_as_it_was_published_with_bids_and_without(
    honest: Document, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opened, sealed = replay(honest), replay(without_sheets(honest))
    assert opened.differences == sealed.differences == []
    assert opened.counts == {"phases": 3, "from sheets": 3, "records": 3, "sheets": 21}
    assert sealed.counts == {"phases": 3, "from orders": 3, "records": 3}
    (tmp_path / "game.json").write_text(json.dumps(honest))
    assert main(["replay", str(tmp_path / "game.json")]) == 0
    assert capsys.readouterr().out.endswith("No differences.\n")


def test_only_a_phase_of_which_the_record_says_that_it_stays_sealed_may_lack_its_orders(honest: Document) -> None:
    partly = deepcopy(honest)
    for phase in partly["phases"][:2]:
        phase["sheets"] = None
    partly["phases"][0]["stays_sealed"] = True
    (difference,) = replay(partly).differences
    assert difference.endswith("the orders should be open, but are not.")


def _a_bid(document: Document) -> Document:
    """The first order sheet with a bid."""
    sheets = document["phases"][0]["sheets"]
    return next(sheet for sheet in sheets.values() if ": " in sheet["lines"])


def lose_a_bid(document: Document) -> None:
    sheet = _a_bid(document)
    sheet["lines"] = "\n".join(line for line in sheet["lines"].splitlines() if ": " not in line)


def lie_about_a_result(document: Document) -> None:
    outcome = next(it for it in document["phases"][1]["result"]["outcomes"] if it["results"] == ["succeeds"])
    outcome["results"] = ["fails"]


def publish_a_result_twice(document: Document) -> None:
    outcomes = document["phases"][0]["result"]["outcomes"]
    outcomes.append(outcomes[0])


def give_a_centre(document: Document) -> None:
    document["phases"][2]["result"]["next"]["centres"]["MUN"] = "FRANCE"


def move_a_unit_between_phases(document: Document) -> None:
    document["phases"][1]["position"]["units"]["FRANCE"][0] = "A GAS"


def exchange_a_code(document: Document) -> None:
    document["phases"][1]["record"]["sheets"]["FRANCE"] = "0" * 64


def leave_a_record_out(document: Document) -> None:
    document["phases"][1]["record"] = None


def leave_a_phase_out(document: Document) -> None:
    del document["phases"][1]


def keep_a_sheet_back(document: Document) -> None:
    del document["phases"][0]["sheets"]["FRANCE"]


def keep_all_back(document: Document) -> None:
    document["phases"][0]["sheets"] = None


def call_somebody_silent(document: Document) -> None:
    document["phases"][0]["missed"] = ["FRANCE"]


def play_by_other_rules(document: Document) -> None:
    document["variant"]["digest"] = "0" * 64


def go_on_beyond_the_last_year(document: Document) -> None:
    document["options"]["last_year"] = 1925


LIES: tuple[tuple[Callable[[Document], None], str], ...] = (
    (lose_a_bid, "are not those that were sealed at the deadline"),
    (lie_about_a_result, "published, but does not follow from the orders"),
    (publish_a_result_twice, "published, but does not follow from the orders"),
    (give_a_centre, "the next position should be different: centres: MUN: published FRANCE"),
    (move_a_unit_between_phases, "did not start from the position the previous phase led to"),
    (exchange_a_code, "the sealed record does not match the codes of these orders"),
    (leave_a_record_out, "has no sealed record, though the previous phase has one"),
    (leave_a_phase_out, "phase 1 is missing before it"),
    (keep_a_sheet_back, "FRANCE should have both orders and a code, but one is missing"),
    (keep_all_back, "the orders should be open, but are not"),
    (call_somebody_silent, "FRANCE is listed as having sent no orders, but has orders"),
    (play_by_other_rules, "whose rules are different"),
    (go_on_beyond_the_last_year, "the game was already over by the rules"),
)


@pytest.mark.parametrize(("lie", "found"), LIES, ids=[lie.__name__ for lie, _ in LIES])
def test_every_lie_is_named(honest: Document, lie: Callable[[Document], None], found: str, tmp_path: Path) -> None:
    document = deepcopy(honest)
    lie(document)
    assert any(found in difference for difference in replay(document).differences)


def test_a_changed_position_and_a_phase_taken_back_are_judged_as_published(honest: Document) -> None:
    document = without_sheets(honest)
    del document["phases"][1:]
    undone = deepcopy(document["phases"][0])
    undone["undone"] = {"at": "2026-01-01", "reason": "A mistake."}
    changed = document["phases"][0]
    changed["position"]["units"]["FRANCE"].remove("A PAR")
    changed["notices"] = [{"kind": "position changed", "power": None, "province": None, "sentence": "Paris is empty."}]
    document["phases"] = [undone, changed]
    position = position_from_json(changed["position"])
    changed["result"] = public_to_json(adjudicate(position, {}, LANDS.ruleset).public)
    changed["record"]["previous"] = undone["record"]["code"]
    codes = changed["record"]["sheets"]
    changed["record"]["code"] = record_code("one", 0, changed["turn"], codes, undone["record"]["code"])
    report = replay(document)
    assert [it for it in report.remarks if "Not ended" not in it] == [
        "Spring 1926, movement (undone): A mistake.",
        "Spring 1926, movement: Paris is empty.",
    ]
    assert report.differences == []


def test_a_phase_from_before_the_records_has_none_when_it_is_judged_again() -> None:
    older = played(recorded_from=1)
    assert replay(older).differences == []
    again = deepcopy(older["phases"][0])
    for phase in older["phases"]:
        phase["undone"] = {"at": "2026-04-01T12:00:00+00:00", "reason": "Carol let an order count otherwise."}
    older["phases"].append(again)
    report = replay(older)
    assert report.differences == []
    assert "Spring 1926, movement: closed before there were sealed records, so it has none." in report.remarks
    again["closed"] = "2026-03-09T18:00:00+00:00"
    assert replay(older).differences == [
        "Spring 1926, movement: has no sealed record, though the previous phase has one."
    ]


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ([], "is not the record of a game"),
        ({"format": "another"}, "is not the record of a game"),
        ({"format": RECORD_FORMAT}, "'variant' is missing"),
        ({"format": RECORD_FORMAT, "variant": {"slug": "chess"}}, "There is no variant 'chess'"),
    ],
)
def test_what_is_no_record_is_refused_in_words(document: object, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match=sentence):
        replay(document)
    (tmp_path / "game.json").write_text(json.dumps(document))
    assert main(["replay", str(tmp_path / "game.json")]) == 2


def test_records_with_mistakes_end_in_a_report_or_in_words(honest: Document) -> None:
    chance = Random("records")
    for _ in range(how_many("mistakes")):
        document = {**honest, "phases": mutated(honest["phases"], chance)}
        with suppress(BadRecord):
            assert list(replay(document).lines())


@pytest.mark.parametrize("text", ["[" * 100_000, "9" * 5_000, "\x00", '{"format": "\\ud800"}'])
def test_a_file_that_is_no_record_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text(text)
    assert main(["replay", str(tmp_path / "game.json")]) == 2


@pytest.mark.parametrize("variant", offered(), ids=[variant.slug for variant in offered()])
def test_published_orders_alone_lead_to_the_same_result(variant: Variant) -> None:
    """Minor powers' orders count without the bids that paid for them."""
    for before, public in whole_game(variant.start, variant.ruleset, seed=1, years=3):
        again = adjudicate_published(before, public.outcomes, variant.ruleset)
        assert public_to_json(again) == public_to_json(public)


def test_an_order_of_a_minor_power_that_was_put_right_counts_whatever_was_bid() -> None:
    position, rules = LANDS.start, LANDS.ruleset
    sheet = any_sheet("GERMANY", position, rules, Random(3))
    correction = Correction(NEUTRAL, "AUS", "A AUS H", "A AUS S A MUN")
    public = adjudicate_corrected(position, {"GERMANY": sheet}, [correction], rules)
    austrian = next(it for it in public.outcomes if it.power == NEUTRAL and it.unit and it.unit.province == "AUS")
    assert write_order(austrian.order, position) == correction.instead
    assert adjudicate_published(position, public.outcomes, rules) == public
