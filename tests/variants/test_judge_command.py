"""`python -m variants judge`: one phase per line, as programs write them."""

import io
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from adjudication.notation import write_order
from tests.adjudication.test_datc import CASES
from tests.long_round import how_many
from tests.variants.chance import mutated, one_changed
from variants.__main__ import main
from variants.commands.judge import bot_lines, judge_lines
from variants.phase_json import OrderedPhase, read_phase
from variants.phase_written import write_position
from variants.rulebooks import RULEBOOKS

ROOT = Path(__file__).parents[2]
STANDARD, Y1926 = RULEBOOKS["standard"](), RULEBOOKS["1926"]()


def judged(document: object, rulebook: Any = STANDARD) -> dict[str, Any]:
    (line,) = judge_lines([json.dumps(document)], rulebook)
    answer: dict[str, Any] = json.loads(line)
    return answer


def test_it_runs_on_a_bare_python_and_goes_on_after_a_bad_line(tmp_path: Path) -> None:
    lines = '{"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}}\nnonsense\n\n{"units": {}}\n'
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", BARE, str(ROOT), "judge"],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"]},
    )
    first, second, third = map(json.loads, run.stdout.splitlines())
    assert first["units"] == {"FRANCE": ["A BUR"]}
    assert second == {"error": "line 2: This is not JSON: Expecting value: line 1 column 1 (char 0)."}
    assert third["units"] == {}


BARE = "import sys, runpy; sys.path.insert(0, sys.argv.pop(1)); runpy.run_module('variants', run_name='__main__')"
"""Without site-packages, only the project itself can be found."""


def test_what_is_judged_is_told_in_full() -> None:
    answer = judged(
        {
            "phase": "F1901M",
            "units": {"AUSTRIA": ["A TYR", "A TRI"], "ITALY": ["A VEN"], "FRANCE": ["A PAR"], "GERMANY": ["A MUN"]},
            "centers": {"ITALY": ["VEN"]},
            "orders": {
                "AUSTRIA": ["A TYR - VEN", "A TRI S A TYR - VEN"],
                "FRANCE": ["A PAR - BUR"],
                "GERMANY": ["A MUN - BUR"],
            },
        }
    )
    french, german, even = "FRANCE A PAR - BUR", "GERMANY A MUN - BUR", {"attack": 1, "against": 1}
    assert answer == {
        "phase": "F1901R",
        "units": {"AUSTRIA": ["A TRI", "A VEN"], "FRANCE": ["A PAR"], "GERMANY": ["A MUN"]},
        "dislodged": {"ITALY": [{"unit": "A VEN", "by": "TYR", "retreats": ["APU", "PIE", "ROM", "TUS"]}]},
        "contested": ["BUR"],
        "centers": {"ITALY": ["VEN"]},
        "orders": {
            "AUSTRIA": [told("A TRI S A TYR - VEN", "given"), told("A TYR - VEN", "succeeds")],
            "FRANCE": [
                told("A PAR - BUR", "fails", "bounced", "Bounced with A Mun–Bur: 1 against 1.", by=german, **even)
            ],
            "GERMANY": [
                told("A MUN - BUR", "fails", "bounced", "Bounced with A Par–Bur: 1 against 1.", by=french, **even)
            ],
            "ITALY": [
                told(
                    "A VEN H",
                    "dislodged",
                    "dislodged",
                    "Dislodged by A Tyr–Ven.",
                    dislodged_by="AUSTRIA A TYR - VEN",
                    fate="dislodged",
                )
            ],
        },
        "relations": {},
        "memory": {},
        "notices": [],
        "destroyed": {},
        "winners": [],
        "verdict": None,
    }


def told(order: str, result: str, reason: str | None = None, sentence: str = "", **facts: object) -> dict[str, Any]:
    return {"order": order, "results": [result], "reason": reason, "facts": facts, "sentence": sentence}


def test_what_came_out_goes_in_again_with_the_retreats() -> None:
    battle = {"units": {"AUSTRIA": ["A TYR", "A TRI"], "ITALY": ["A VEN"]}}
    after = judged({**battle, "orders": {"AUSTRIA": ["A TYR - VEN", "A TRI S A TYR - VEN"]}})
    retreated = judged({**after, "orders": {"ITALY": ["A VEN - ROM"]}})
    assert retreated["units"] == {"AUSTRIA": ["A TRI", "A VEN"], "ITALY": ["A ROM"]}
    assert (retreated["phase"], retreated["dislodged"]) == ("F1901M", {})


def test_retreats_that_are_not_stated_follow_from_the_rules() -> None:
    phase = {
        "phase": "S1901R",
        "units": {"AUSTRIA": ["A VEN", "A ROM"]},
        "dislodged": {"ITALY": [{"unit": "A VEN", "by": "TYR"}]},
        "contested": ["Pie"],
    }
    assert judged({**phase, "orders": {"ITALY": ["A VEN - TUS"]}})["units"]["ITALY"] == ["A TUS"]
    refused = judged({**phase, "orders": {"ITALY": ["A VEN - PIE"]}})["orders"]["ITALY"]
    assert [(each["results"], each["reason"]) for each in refused] == [(["illegal"], "retreat to a contested province")]


FORMAL, DUAL_EMPIRE = RULEBOOKS["formal-diplomacy"](), RULEBOOKS["collapse-of-the-dual-empire"]()


def test_retreats_that_are_not_stated_follow_from_the_rules_of_the_variant_too() -> None:
    phase = {
        "phase": "S1901R",
        "units": {"AUSTRIA": ["A VEN"]},
        "centers": {"AUSTRIA": ["TRI"], "GERMANY": ["MUN"], "ITALY": ["ROM"]},
        "dislodged": {"ITALY": [{"unit": "A VEN", "by": "TRI"}]},
        "relations": {"AUSTRIA ITALY": "war"},
        "orders": {"ITALY": ["A VEN - TYR"]},
    }
    assert judged(phase, FORMAL)["units"]["ITALY"] == ["A TYR"]
    neutral = {**phase, "relations": {"AUSTRIA ITALY": "neutrality"}}
    assert judged(neutral, FORMAL)["orders"]["ITALY"][0]["reason"] == "closed land"
    assert judged(neutral, FORMAL)["destroyed"] == {"ITALY": ["A VEN"]}


def test_an_attack_by_convoy_leaves_its_origin_open_and_is_told_so() -> None:
    convoy = {
        "units": {"ENGLAND": ["A LON", "F NTH", "F HEL"], "GERMANY": ["A HOL"]},
        "orders": {"ENGLAND": ["A LON - HOL VIA", "F NTH C A LON - HOL", "F HEL S A LON - HOL"]},
    }
    after = judged(convoy)
    retreats = ["BEL", "KIE", "RUH"]
    assert after["dislodged"] == {"GERMANY": [{"unit": "A HOL", "by": "LON", "by_convoy": True, "retreats": retreats}]}
    assert read_phase(after, STANDARD).position.dislodged[0].attacker_from is None


def test_units_that_leave_the_board_are_named_with_the_reason() -> None:
    corner = {"units": {"ITALY": ["A TUN"], "FRANCE": ["F WES", "F NAF"]}}
    answer = judged({**corner, "orders": {"FRANCE": ["F NAF - TUN", "F WES S F NAF - TUN"]}})
    assert answer["destroyed"] == {"ITALY": ["A TUN"]}
    colliding = {
        "phase": "S1901R",
        "units": {"AUSTRIA": ["A VEN", "A MUN", "A BUR"]},
        "dislodged": {"ITALY": ["A VEN"], "GERMANY": ["A MUN"], "FRANCE": ["A BUR"]},
        "orders": {"ITALY": ["A VEN - TYR"], "GERMANY": ["A MUN - TYR"]},
    }
    answer = judged(colliding)
    assert answer["destroyed"] == {"FRANCE": ["A BUR"], "GERMANY": ["A MUN"], "ITALY": ["A VEN"]}
    assert [notice["sentence"] for notice in answer["notices"]] == ["A Bur had no retreat order and was disbanded."]
    winter = {"phase": "W1901A", "units": {"ITALY": ["A ROM", "F NAP"]}, "centers": {"ITALY": ["ROM"]}}
    answer = judged(winter)
    assert (answer["destroyed"], answer["notices"][0]["kind"]) == ({"ITALY": ["F NAP"]}, "removed")
    assert judged({**winter, "orders": {"ITALY": ["DISBAND A ROM"]}})["destroyed"] == {"ITALY": ["A ROM"]}
    units = {"ITALY": ["A BOH"], "GERMANY": ["A MUN"]}
    guest = {"phase": "F1901M", "units": units, "centers": {"AUSTRIA": ["VIE", "BUD", "TRI"]}}
    answer = judged({**guest, "orders": {"ITALY": ["A BOH - GAL"], "GERMANY": ["A MUN - BOH"]}}, FORMAL)
    assert (answer["destroyed"], answer["notices"][0]["kind"]) == ({"ITALY": ["A BOH"]}, "interned")


def test_factions_are_written_and_read() -> None:
    taken = {"phase": "DEC1918R", "units": {"CZECHS": ["DA VIE"]}, "centers": {"GERMANS": ["VIE"]}}
    after = judged(taken, DUAL_EMPIRE)
    assert (after["centers"], after["factions"]) == ({"CZECHS": ["VIE"]}, {"VIE": "D"})
    assert after["memory"] == {"factions": {"VIE": "D"}}
    without = {**after, "memory": {}}
    assert read_phase(without, DUAL_EMPIRE).position == read_phase(after, DUAL_EMPIRE).position


@pytest.mark.parametrize(
    ("document", "rulebook", "error"),
    [
        (
            {"relations": {"FRANCE FRANCE": "war"}},
            FORMAL,
            "“relations” must say of two powers what they are to each other, not of FRANCE alone.",
        ),
        (
            {"relations": {"FRANCE ITALY": "war", "ITALY FRANCE": "alliance"}},
            FORMAL,
            "“relations” names FRANCE ITALY twice.",
        ),
        ({"centers": {"FRANCE": ["PAR"], "ITALY": ["Paris"]}}, STANDARD, "“centers” names PAR twice."),
        (
            {"phase": "S1901R", "units": {"ITALY": ["A VEN"]}, "dislodged": {"AUSTRIA": ["A TRI", "F TRI"]}},
            STANDARD,
            "Two units are dislodged from TRI.",
        ),
        (
            {"phase": "S1926R", "dislodged": {"NEUTRAL": ["A AUS"]}},
            Y1926,
            "NEUTRAL, “A AUS”: a unit without a power does not retreat; leave it out.",
        ),
        (
            {
                "phase": "S1901R",
                "units": {"AUSTRIA": ["A VEN"]},
                "dislodged": {"ITALY": [{"unit": "A VEN", "by": "TRI", "retreats": ["ROM", "VEN", "MAR"]}]},
            },
            STANDARD,
            "ITALY, “A VEN”: the rules allow no retreat to MAR or VEN.",
        ),
        (
            {"centers": {"MAGYARS": ["SIL"]}},
            DUAL_EMPIRE,
            "SIL supplies imperialist armies, which MAGYARS cannot have there: “factions” must say C or D.",
        ),
        (
            {"centers": {"GERMANS": ["VIE"]}, "factions": {"VIE": "D"}},
            DUAL_EMPIRE,
            "VIE supplies democratic armies, which GERMANS cannot have there: “factions” must say C.",
        ),
        ({"units": {"NEUTRAL": ["IA VIE"]}}, DUAL_EMPIRE, "NEUTRAL, “IA VIE”: write A."),
        ({"memory": {"disordered": "FRANCE"}}, STANDARD, "“disordered” must be a list of names."),
        ({"memory": {"minors": {"AUS": "X"}}}, Y1926, "“minors” must say of a supply centre A or F, as in ALG: A."),
        ({"factions": {"VIE": "C"}}, STANDARD, "There are no factions in these rules."),
        ({"dislodged": None}, STANDARD, "“dislodged” must give each power a list."),
        ({"factions": {"VIE": "D"}}, DUAL_EMPIRE, "“factions” names VIE, which no power has in “centers”."),
        (
            {"centers": {"GERMANS": ["VIE"]}, "factions": {"VIE": "X"}},
            DUAL_EMPIRE,
            "“factions” must say of a centre C, D or I.",
        ),
    ],
)
def test_a_position_that_contradicts_itself_is_refused(document: Any, rulebook: Any, error: str) -> None:
    assert judged({"units": {}, **document}, rulebook) == {"error": f"line 1: {error}"}


def test_any_position_may_have_more_units_than_centres_and_nothing_else_that_is_impossible(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    crowd = {"phase": "W1901A", "units": {"FRANCE": CROWD}, "centers": {"FRANCE": ["PAR", "BRE"]}}
    torn = {"phase": "S1901R", "units": {"FRANCE": CROWD}, "contested": [CROWD[0][2:]]}
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{json.dumps(it)}\n" for it in (crowd, torn))))
    assert main(["judge", "--any-position"]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["phase"], len(first["units"]["FRANCE"]), len(first["destroyed"]["FRANCE"])) == ("S1902M", 2, 33)
    assert "only an empty province can be contested" in second["error"]


def test_a_minor_power_that_comes_back_where_a_unit_was_removed_wins_no_home() -> None:
    before = {"phase": "W1763A", "units": {"FRANCE": ["A BAV"]}, "centers": {}}
    after = judged(before, RULEBOOKS["ambition-and-empire"]())
    assert "A BAV" in after["units"]["NEUTRAL"]
    assert "homes" not in after["memory"]


BALKAN = RULEBOOKS["balkan-battle"]()
CROWD = [f"A {place}" for place in STANDARD.ruleset.board.army][:35]


@pytest.mark.parametrize(
    ("document", "rulebook", "error"),
    [
        (
            {"units": {"NEUTRAL": ["A AUS"]}, "centers": {"GERMANY": ["AUS"]}},
            Y1926,
            "A minor power’s unit is in Austria, which belongs to Germany.",
        ),
        (
            {"units": {"POLAND": ["A WAR"]}, "memory": {"disordered": ["POLAND"]}},
            Y1926,
            "Poland is in permanent civil disorder and has no units, but there is A WAR.",
        ),
        (
            {"phase": "S1901R", "units": {"FRANCE": ["A PIE"]}, "contested": ["TYR", "PIE"]},
            STANDARD,
            "Piedmont is contested, but has a unit: only an empty province can be contested.",
        ),
        (
            {"phase": "S1901R", "dislodged": {"ITALY": ["A VEN"]}},
            STANDARD,
            "A VEN is dislodged, but no unit is in Venice in its place.",
        ),
        (
            {"units": {"FRANCE": CROWD}},
            STANDARD,
            "There are 35 units, but there can be at most 34: this board has so many supply centres.",
        ),
        (
            {"phase": "S1901R", "units": {"FRANCE": CROWD[:34]}, "dislodged": {"ITALY": [CROWD[0]]}},
            STANDARD,
            "There are 35 units, but there can be at most 34: this board has so many supply centres.",
        ),
        *(
            (
                {"phase": phase},
                rulebook,
                f"{phase} is no phase of a game that begins with {rulebook.start.turn.code} and lasts at most 300 years"
                ".",
            )
            for phase, rulebook in (
                ("F1900M", STANDARD),
                ("S12345678901M", STANDARD),
                ("S2202M", STANDARD),
                ("S0M", STANDARD),
                ("W1925A", Y1926),
                ("DEC1917M", DUAL_EMPIRE),
            )
        ),
    ],
)
def test_a_position_to_which_the_rules_do_not_lead_is_refused(document: Any, rulebook: Any, error: str) -> None:
    assert judged({"units": {}, **document}, rulebook) == {"error": f"line 1: {error}"}


@pytest.mark.parametrize(
    ("memory", "rulebook", "error"),
    [
        ({"homes": []}, BALKAN, "“homes” must give each power a list of supply centres."),
        ({"homes": {"austria": ["BUD"]}}, BALKAN, "There is no power austria; there are AUSTRIA, TURKEY."),
        ({"homes": {"AUSTRIA": ["bud"]}}, BALKAN, "“homes” must give AUSTRIA supply centres, each once, with which it"),
        ({"homes": {"AUSTRIA": ["VIE"]}}, BALKAN, "“homes” must give AUSTRIA supply centres, each once, with which it"),
        ({"homes": {"AUSTRIA": "BUD"}}, BALKAN, "“homes” must be a list of names."),
        (
            {"homes": {"AUSTRIA": ["BUD", "SER"]}},
            BALKAN,
            "“homes” gives AUSTRIA 2 beside those it began with; at most 1",
        ),
        ({"homes": {"FRANCE": ["BEL"]}}, STANDARD, "“homes” gives FRANCE 1 beside those it began with; at most 0"),
        ({"minors": [1]}, Y1926, "“minors” must name supply centres."),
        ({"minors": {"AUS": ["A"]}}, Y1926, "“minors” must say of a supply centre A or F, as in ALG: A."),
        ({"minors": {"AUS": "F"}}, Y1926, "“minors” must say of a supply centre A or F, as in ALG: A."),
        ({"factions": 7}, DUAL_EMPIRE, "“factions” must name centres, as in VIE: C."),
        ({"factions": {"VIE": {}}}, DUAL_EMPIRE, "“factions” must say of a supply centre C, D or I."),
        (
            {"factions": {}},
            STANDARD,
            "These rules remember nothing called “factions”; they remember disordered, minors",
        ),
        ({"disordered": ["TURKEY", "POLAND"]}, Y1926, "“disordered” must name powers in the sequence of the alphabet"),
    ],
)
def test_memory_is_what_these_rules_remember(memory: Any, rulebook: Any, error: str) -> None:
    document = json.dumps({"units": {}, "memory": memory})
    for line in (document, document.replace("memory", "\\u006demory")):
        (answer,) = judge_lines([line], rulebook)
        assert json.loads(answer)["error"].startswith(f"line 1: {error}")


def test_winter_builds_and_removes() -> None:
    winter = {
        "phase": "W1901A",
        "units": {"AUSTRIA": ["A VEN"], "ITALY": ["A ROM", "F NAP"]},
        "centers": {"AUSTRIA": ["VIE", "VEN"], "ITALY": ["ROM"]},
        "orders": {"AUSTRIA": ["BUILD A VIE"], "ITALY": ["DISBAND F NAP"]},
    }
    answer = judged(winter)
    assert answer["units"] == {"AUSTRIA": ["A VEN", "A VIE"], "ITALY": ["A ROM"]}
    assert answer["phase"] == "S1902M"


@pytest.mark.parametrize("unit", ["F spa/sc", "Fleet Spain (sc)", "f SPA SC", "fleet spain south coast"])
def test_units_are_read_as_players_write_them(unit: str) -> None:
    assert judged({"units": {"france": [unit]}})["units"] == {"FRANCE": ["F SPA/SC"]}


def test_bids_are_judged_where_there_is_an_auction() -> None:
    answer = judged(
        {
            "units": {"GERMANY": ["A MUN"], "POLAND": ["A CZE"], "NEUTRAL": ["A AUS"]},
            "centers": {"GERMANY": ["MUN", "BER"]},
            "orders": {"GERMANY": ["A MUN - CZE"]},
            "bids": {"GERMANY": [{"points": 2, "order": "A AUS S A MUN - CZE"}]},
        },
        Y1926,
    )
    assert answer["orders"]["NEUTRAL"] == [told("A AUS S A MUN - CZE", "given")]
    assert answer["units"] == {"GERMANY": ["A CZE"], "NEUTRAL": ["A AUS"]}


@pytest.mark.parametrize(
    ("document", "error"),
    [
        ([], "A phase is a JSON object."),
        ({}, "“units” is missing."),
        ({"units": {"FRANCE": ["F SPA"]}}, "FRANCE, “F SPA”: Name the coast: Spain (nc) or Spain (sc)."),
        ({"units": {"FRANCE": ["A ENG"]}}, "FRANCE, “A ENG”: An army cannot be there."),
        ({"units": {"FRANCE": ["PAR"]}}, "FRANCE, “PAR”: Write a unit like this: A BUD or F BUL/EC."),
        (
            {"units": {"FRANCE": ["A XYZ"]}},
            "FRANCE, “A XYZ”: “A XYZ” is not a province or coast. Write one as in BUD or BUL/EC.",
        ),
        ({"units": {"FRANCE": [3]}}, "3 was found where text is expected."),
        ({"units": {"FRANCE": "A PAR"}}, "“units” gives FRANCE something that is not a list."),
        ({"units": ["A PAR"]}, "“units” must give each power a list."),
        ({"units": {}, "relations": {"FRANCE GERMANY": "war"}}, "Powers have no relations in these rules."),
        ({"units": {}, "memory": ["x"]}, "“memory” must name what is remembered."),
        ({"units": None}, "“units” must give each power a list."),
        ({"units": []}, "“units” must give each power a list."),
        ({"units": {}, "orders": None}, "“orders” must give each power a list."),
        ({"units": {}, "centers": 0}, "“centers” must give each power a list."),
        *(
            (
                {"units": {}, "bids": {"FRANCE": [{"points": points, "order": "A PAR H"}]}},
                'FRANCE: a bid is written like this: {"points": 2, "order": "A AUS H"}.',
            )
            for points in (True, None, 10**400, -(10**9), 1.5, "2")
        ),
        ({"units": {"FRANCE": ["A PAR", "A PAR"]}}, "There are two units in PAR."),
        ({"units": {}, "centers": {"FRANCE": ["BUR"]}}, "Burgundy is not a supply centre."),
        ({"units": {}, "phase": "X1901M"}, "There is no phase 'X1901M'; phases are written like S1901M."),
        ({"units": {}, "phase": "S1901A"}, "There is no phase 'S1901A'; phases are written like S1901M."),
        (
            {"units": {}, "bids": {"FRANCE": ["A PAR H"]}},
            'FRANCE: a bid is written like this: {"points": 2, "order": "A AUS H"}.',
        ),
        (
            {"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR"]}},
            "FRANCE, “A PAR”: Say what the unit in Paris should do: hold (H), move (-), support (S) or convoy (C).",
        ),
        (
            {"units": {"NARNIA": []}, "orders": {"NARNIA": []}},
            "There is no power NARNIA; there are AUSTRIA, ENGLAND, FRANCE, GERMANY, ITALY, RUSSIA, TURKEY.",
        ),
    ],
)
def test_a_line_that_cannot_be_judged_says_where_it_is_wrong(document: object, error: str) -> None:
    assert judged(document) == {"error": f"line 1: {error}"}


@pytest.mark.parametrize(
    ("unit", "error"),
    [("IA BUD", "MAGYARS, “IA BUD”: write CA or DA."), ("A BUD", "MAGYARS, “A BUD”: write CA or DA.")],
)
def test_a_power_has_only_armies_of_its_own_factions(unit: str, error: str) -> None:
    document = {"units": {"MAGYARS": [unit]}}
    assert judged(document, RULEBOOKS["collapse-of-the-dual-empire"]()) == {"error": f"line 1: {error}"}


BAD_LINES = (
    "[" * 100_000,
    '{"phase": ' + "9" * 5_000 + ', "units": {}}',
    '{"phase": "S' + "9" * 5_000 + 'M", "units": {}}',
    '{"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["' + "A" * 10_000_000 + '"]}}',
    '{"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - \\ud800"]}}',
    '{"units": {"\\ud800": ["A PAR"]}}',
    '{"units": {"\udcff": []}, "orders": 3}',
    "NaN",
    "\x00",
)


@pytest.mark.parametrize("line", BAD_LINES, ids=range(len(BAD_LINES)))
def test_a_bad_line_has_one_short_answer_and_the_next_is_read(line: str) -> None:
    bad, good = judge_lines([line, '{"units": {"FRANCE": ["A PAR"]}}'], STANDARD)
    assert bad.startswith('{"error": "line 1: ')
    assert len(bad.encode()) < 1_000
    assert json.loads(good)["units"] == {"FRANCE": ["A PAR"]}


def test_a_reader_who_has_had_enough_is_left_without_a_complaint() -> None:
    lines = '{"units": {"FRANCE": ["A PAR"]}}\n' * 20_000
    command = f"{sys.executable} -m variants judge | head -n 1"
    run = subprocess.run(["bash", "-c", command], input=lines, capture_output=True, text=True, check=True, cwd=ROOT)
    assert (len(run.stdout.splitlines()), run.stderr) == (1, "")


@pytest.mark.parametrize("variant", RULEBOOKS)
def test_lines_with_mistakes_end_in_answers_only(variant: str) -> None:
    chance, rulebook = Random(variant), RULEBOOKS[variant]()
    document = {**write_position(rulebook.start, rulebook.ruleset), "orders": {}}
    for unit in rulebook.start.units:
        document["orders"].setdefault(unit.power, []).append(f"{unit} H")
    powers = rulebook.ruleset.powers
    document["dislodged"] = {powers[0]: [{"unit": "A BUD", "by": "SER", "retreats": ["VIE"]}]}
    document["bids"] = {powers[0]: [{"points": 1, "order": f"{unit} H"} for unit in rulebook.start.units[:2]]}
    document["memory"] = {"disordered": [], "homes": {powers[0]: []}, **rulebook.start.memory}
    for _ in range(how_many("mistakes")):
        one = {**document, "phase": chance.choice((document["phase"], "S1901M", "F1926R", "W1926A", "F1901M"))}
        for changed in (mutated(one, chance) or {}, one_changed(json.loads(json.dumps(one)), chance)):
            for answers in (judge_lines, partial(bot_lines, seed=1)):
                (answer,) = answers([json.dumps(changed)], rulebook)
                assert json.loads(answer).keys() & {"error", "phase"}


def test_an_army_walks_where_no_convoy_is_ordered_if_so_asked() -> None:
    line = json.dumps({"units": {"FRANCE": ["A PIC"], "ENGLAND": ["F ENG"]}, "orders": {"FRANCE": ["A PIC - BEL VIA"]}})
    for flag, place in ((), "PIC"), (("--via-fallback",), "BEL"):
        run = [sys.executable, "-m", "variants", "judge", *flag]
        answer = subprocess.run(run, input=line, capture_output=True, text=True, check=True, cwd=ROOT)
        assert json.loads(answer.stdout)["units"]["FRANCE"] == [f"A {place}"]


def test_the_list_names_every_variant() -> None:
    listing = subprocess.run(
        [sys.executable, "-m", "variants", "list"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert [line.split()[0] for line in listing.stdout.splitlines()[1:]] == list(RULEBOOKS)


def test_the_test_cases_come_out_alike_through_the_command() -> None:
    movement = [case for case in CASES if case["phase"] == "movement"]
    answers = map(json.loads, judge_lines(map(_as_line, movement), STANDARD))
    for case, answer in zip(movement, answers, strict=True):
        assert answer["units"] == case["next"], case["id"]


def _as_line(case: dict[str, Any]) -> str:
    orders: dict[str, list[str]] = {}
    for power, text, _ in case["orders"]:
        orders.setdefault(power, []).append(text)
    return json.dumps({"units": case["units"], "orders": orders})


REFUSED: dict[str, Any] = {
    "phase": "S1901M",
    "units": {"FRANCE": ["A PAR", "A MAR", "F MAO"], "GERMANY": ["A MUN", "A RUH"]},
    "orders": {
        "FRANCE": ["A PAR - BUR", "A MAR S A PAR - GAS", "F MAO C A MAR - NAP"],
        "GERMANY": ["A MUN - BUR", "A RUH S A PAR - KIE"],
    },
}
"""The convoy breaks a rule whatever else is ordered. The support breaks one that is checked because no order matches
it."""


def test_a_phase_at_hand_is_judged_as_often_as_asked_and_as_the_document_is() -> None:
    first = read_phase(REFUSED, STANDARD).adjudicate()
    at_hand = read_phase(REFUSED, STANDARD)
    again = OrderedPhase.of(at_hand.position, REFUSED["orders"], STANDARD.ruleset)
    words = {write_order(o.order, at_hand.position): o.results for o in first.public.outcomes}
    assert words == {
        "A MAR S A PAR - GAS": ("invalid",),
        "A MUN - BUR": ("fails",),
        "A PAR - BUR": ("fails",),
        "A RUH S A PAR - KIE": ("illegal",),
        "F MAO C A MAR - NAP": ("illegal",),
    }
    assert [phase.adjudicate() for phase in (at_hand, at_hand, again, again)] == [first] * 4
