"""A whole game by the command line: `start | bot | judge | bot | judge | …`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from adjudication.civil_disorder import CivilDisorder
from adjudication.judge import adjudicate
from adjudication.options import must_decide
from adjudication.turns import PhaseKind
from tests.long_round import how_many
from variants.bots import Level, play
from variants.commands.judge import bot_lines, judge_lines
from variants.phase_json import read_phase
from variants.phase_written import write_position
from variants.rulebooks import RULEBOOKS
from variants.switches import UnknownRule, rulebook_with
from variants.words import aim_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudication.position import Position
    from adjudication.resolution import Verdict
    from variants.rulebook import Rulebook

ROOT = Path(__file__).parents[2]
PHASES = how_many("commands")
SEED = 1
ENDED = r'"winners": \["|"error"'
NOT_MOVED = {PhaseKind.MOVEMENT, PhaseKind.RETREAT}
STANDARD = RULEBOOKS["standard"]()


def in_process(book: Rulebook) -> Iterator[tuple[Position, Verdict | None]]:
    """Each position of a game between easy bots in which someone has something to decide, and the end."""
    position, verdict = book.start, None
    while verdict is None:
        sheets = {power: play(power, position, book.ruleset, SEED) for power in must_decide(position, book.ruleset)}
        public = adjudicate(position, sheets, book.ruleset).public
        position, verdict = public.next, public.verdict
        yield position, verdict


@pytest.mark.parametrize("variant", RULEBOOKS)
def test_a_game_by_commands_is_the_game_in_process(variant: str) -> None:
    book = RULEBOOKS[variant]()
    line = json.dumps(write_position(book.start, book.ruleset))
    for _, (position, verdict) in zip(range(PHASES), in_process(book), strict=False):
        line = _to_the_next_decision(line, book)
        answer = json.loads(line)
        assert read_phase(answer, book).position == position
        assert answer["winners"] == list(verdict.winners if verdict else ())


def _to_the_next_decision(line: str, book: Rulebook) -> str:
    while True:
        before = json.loads(line)
        (line,) = judge_lines(bot_lines([line], book, seed=SEED), book)
        answer = json.loads(line)
        if read_phase(before, book).position.turn.kind in NOT_MOVED:
            assert _count(answer, "units", "dislodged") == _count(before, "units", "dislodged") - _count(
                answer, "destroyed"
            )
        if answer["winners"] or must_decide(read_phase(answer, book).position, book.ruleset):
            return line


def _count(document: dict[str, Any], *keys: str) -> int:
    return sum(len(units) for key in keys for units in document[key].values())


def test_commands_in_a_ring_play_a_game_to_its_end(tmp_path: Path) -> None:
    run, variant = f"{sys.executable} -m variants", "--variant corridor"
    ring = (
        f"mkfifo {tmp_path}/ring; ({run} start {variant}; cat {tmp_path}/ring) | {run} bot {variant} --seed {SEED} | "
        f"{run} judge {variant} | tee {tmp_path}/ring | grep -E -m 1 '{ENDED}'"
    )
    told = subprocess.run(["bash", "-c", ring], capture_output=True, text=True, check=True, cwd=ROOT, timeout=120)
    *_, (position, verdict) = in_process(RULEBOOKS["corridor"]())
    answer = json.loads(told.stdout)
    assert verdict is not None
    assert (answer["phase"], answer["winners"]) == (position.turn.code, [*verdict.winners])


def test_a_finished_game_and_an_error_go_through_a_pipe_as_they_are() -> None:
    book = rulebook_with("corridor", ["victory.centres=1"])
    start = write_position(book.start, book.ruleset)
    alone = {key: {"EASTLAND": start[key]["EASTLAND"]} for key in ("units", "centers")}
    (over,) = judge_lines([json.dumps({**start, **alone, "phase": "F1901R"})], book)
    assert json.loads(over)["winners"] == ["EASTLAND"]
    assert json.loads(over)["verdict"].startswith("Eastland wins with ")
    wrong = [*bot_lines(['{"units": {"EASTLAND": ["A XYZ"]}}'], book, seed=SEED)]
    assert "“A XYZ” is not a province" in wrong[0]
    for passed in [over], wrong:
        assert [*judge_lines(bot_lines(passed, book, seed=SEED), book)] == passed


def test_bots_fill_in_only_what_is_missing_and_only_the_powers_asked_for() -> None:
    start = write_position(STANDARD.start, STANDARD.ruleset)
    given = {**start, "orders": {"FRANCE": ["A PAR - BUR"], "ITALY": [{"order": "A VEN H", "results": ["stands"]}]}}
    (line,) = bot_lines([json.dumps(given)], STANDARD, seed=7, powers=["FRANCE", "ITALY"])
    orders = json.loads(line)["orders"]
    assert orders.keys() == {"FRANCE", "ITALY"}
    assert orders["FRANCE"] == ["A PAR - BUR"]
    assert len(orders["ITALY"]) == 3
    (all_of_them,) = bot_lines([line], STANDARD, seed=7, level=Level.EASY)
    assert {power: json.loads(all_of_them)["orders"][power] for power in orders} == orders
    assert json.loads(all_of_them)["orders"].keys() == set(STANDARD.ruleset.powers)


def test_every_rule_of_a_variant_can_be_set() -> None:
    book = rulebook_with("1926", ["minors.convoys=true", "minors.sorties=holds", "diplomacy_points.most_per_turn=1"])
    assert book.ruleset.neutrals.order_kinds == ("hold", "support", "convoy", "sortie")
    assert book.ruleset.auction.income("GERMANY", book.start) == 1
    standard = rulebook_with("standard", ["victory.centres=4", "via_fallback=true", "removals=homes"]).ruleset
    assert aim_words(standard) == "4 supply centres"
    assert (standard.via_fallback, standard.disorder) == (True, CivilDisorder(from_homes=True))


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        (
            "minors.convoys=true",
            "There is no rule 'minors.convoys' to set here; there are via_fallback=false, removals=centres, "
            "victory.centres=18.",
        ),
        ("victory.centres=many", "victory.centres is a number up to 9999, as in victory.centres=18."),
        ("victory.centres=" + "9" * 5000, "victory.centres is a number up to 9999, as in victory.centres=18."),
        ("via_fallback=1", "via_fallback is true or false, as in via_fallback=false."),
        ("removals", "removals is centres or homes, as in removals=centres."),
    ],
)
def test_a_rule_that_cannot_be_set_so_is_refused_with_what_can(setting: str, sentence: str) -> None:
    with pytest.raises(UnknownRule) as refused:
        rulebook_with("standard", [setting])
    assert str(refused.value) == sentence
