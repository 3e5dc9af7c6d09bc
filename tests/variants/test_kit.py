"""`python -m variants new|check|draw|list`: the commands for authors of variants."""

import pickle
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adjudication.board import Board
from adjudication.orders import Move
from adjudication.reasons import OrderRefusal, Reason, refuse
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import Calendar
from adjudication.units import Unit
from tests.long_round import how_many
from variants.__main__ import main
from variants.commands.check import OF_THE_BOARD, OF_THE_MAP, check_variant
from variants.commands.folders import (
    CannotDraw,
    NameRefused,
    NoSuchVariant,
    drawing_command,
    drawing_python,
    folder_of,
    make_variant,
    variant_list,
)
from variants.commands.look import faults_page
from variants.commands.trial_games import play_phases
from variants.examples import Example, answers_to_claims, examples_of, play
from variants.game import Game
from variants.loader import load
from variants.registry import find, offered, teaching
from variants.rulebook import VARIANTS, Rules, spaces
from variants.rulebooks import FOLDERS, RULEBOOKS, UnknownVariant
from variants.standard.rules import rules as standard
from variants.variant import Variant

ROOT = VARIANTS.parent
FILES = {
    "__init__.py",
    "anchors.json",
    "board.json",
    "examples.toml",
    "facts.yaml",
    "map.svg",
    "rules.md",
    "rules.py",
    "variant.toml",
}


@pytest.fixture
def variants(tmp_path: Path) -> Path:
    folder = tmp_path / "variants"
    folder.mkdir()
    return folder


@pytest.fixture
def atlantis(variants: Path) -> Path:
    """A new variant with every file filled in."""
    make_variant("atlantis", variants)
    folder = variants / "atlantis"
    rewrite(folder, "variant.toml", 'summary = ""', 'summary = "It sinks."')
    rewrite(folder, "variant.toml", 'credits = ""', 'credits = "By nobody."')
    rewrite(folder, "rules.md", "TO WRITE", "Done", times=2)
    return folder


def rewrite(folder: Path, name: str, old: str, new: str, times: int = 1) -> None:
    text = (folder / name).read_text(encoding="utf-8")
    assert text.count(old) >= times
    (folder / name).write_text(text.replace(old, new, times), encoding="utf-8")


def faults(folder: Path, rules: Rules = standard) -> dict[str, Sequence[str]]:
    """What is wrong, by claim."""
    checks = check_variant(folder.name, folder.parent, rules)
    return {check.claim: check.faults for check in checks if check.faults}


# new


def test_a_new_folder_has_every_file_and_is_complete_once_the_words_are_written(variants: Path, atlantis: Path) -> None:
    assert {file.name for file in atlantis.iterdir()} == FILES
    assert faults(atlantis) == {}
    make_variant("mu", variants)
    assert faults(variants / "mu") == {
        "players can read what it is, who made it and how it is played": (
            "variant.toml: “summary” is empty; say what is special, in a sentence.",
            "variant.toml: “credits” is empty; say whose idea and whose map it is.",
            "rules.md still contains “TO WRITE”.",
        )
    }


def test_a_new_variant_carries_its_name_and_plays_by_standard_rules(variants: Path) -> None:
    assert "python -m variants check lost_city" in make_variant("lost_city", variants)
    variant = load("lost_city", standard, variants)
    assert (variant.slug, variant.title, variant.players) == ("lost-city", "Lost City", 2)
    assert variant.ruleset.auction.income("WESTLAND", variant.start) == 0
    assert "from variants.standard.rules import rules" in (variants / "lost_city" / "rules.py").read_text()


@pytest.mark.parametrize("name", ["Atlantis", "1984", "../Games", "two words", "lost-city", "import", ""])
def test_a_name_that_cannot_be_a_folder_of_rules_is_refused_with_what_can(name: str, variants: Path) -> None:
    with pytest.raises(NameRefused, match="use lower-case letters, digits and _, starting with a letter"):
        make_variant(name, variants)
    assert list(variants.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("variants/standard", "variants/standard already exists; choose another name"),
        ("standard", "The slug standard belongs to variants/standard; choose another name"),
        ("nowhere/lost_city", "There is no folder .*nowhere to put lost_city in"),
    ],
)
def test_a_name_that_is_taken_or_leads_nowhere_is_refused(name: str, why: str) -> None:
    with pytest.raises(NameRefused, match=why):
        make_variant(name, ROOT)
    assert not (ROOT / "standard").exists()


def test_a_variant_in_a_folder_of_ones_own_is_checked_and_played_at_once(
    atlantis: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(atlantis.parent)
    assert main(["new", "mu"]) == 0
    assert main(["check", "atlantis"]) == 0
    capsys.readouterr()
    assert main(["start", "--variant", "./mu"]) == 0
    assert '"WESTLAND"' in capsys.readouterr().out
    game = Game("mu")
    game.push(game.random_orders())
    assert "<svg" in game.svg()
    assert pickle.loads(pickle.dumps(game)).position == game.position  # noqa: S301 - our own
    with pytest.raises(UnknownVariant, match=r"There is no variant '\./mu'"):
        find("./mu")
    del FOLDERS["mu"]


def test_a_slug_that_is_taken_is_refused(variants: Path, atlantis: Path) -> None:
    rewrite(atlantis, "variant.toml", 'slug = "atlantis"', 'slug = "lost-city"')
    with pytest.raises(NameRefused, match="The slug lost-city belongs to variants/atlantis"):
        make_variant("lost_city", variants)


# check


@pytest.mark.parametrize(
    ("name", "old", "new", "claim", "fault"),
    [
        (
            "variant.toml",
            "spaces = 10",
            "spaces = 11",
            "the board has the numbers declared",
            "variant.toml says 11 spaces, but the board has 10.",
        ),
        (
            "variant.toml",
            "minors = 0",
            "",
            "the board has the numbers declared",
            "variant.toml does not give the number of minors; the board has 0.",
        ),
        (
            "board.json",
            '"ASH": [\n   "COR",\n',
            '"ASH": [\n',
            "borders run both ways",
            "army COR-ASH: listed only from COR.",
        ),
        (
            "board.json",
            '"ASH": [\n   "COR",\n',
            '"ASH": [\n   "ATL",\n   "COR",\n',
            "borders run both ways",
            "army ASH-ATL: ATL is not on the board.",
        ),
        (
            "map.svg",
            'data-province="HIL"',
            'data-province="MIL"',
            "every space is drawn and labelled",
            "Hills (HIL) is drawn 0 times.",
        ),
        ("map.svg", ">Hil</text>", ">Hilly</text>", "every space is drawn and labelled", "Hills is not labelled Hil."),
        (
            "anchors.json",
            '"HIL": {',
            '"HILLS": {',
            "units, names and centre marks have a place on the map",
            "Hills (HIL): no place on the map for its unit.",
        ),
        (
            "variant.toml",
            'units = ["A OAK", "F WES"]',
            'units = ["F OAK", "F WES"]',
            "the starting units are where they may be",
            "F OAK of WESTLAND cannot be placed there.",
        ),
        (
            "variant.toml",
            'units = ["A OAK", "F WES"]',
            'units = ["A ASH", "F WES"]',
            "the starting units are where they may be",
            "there are 2 units in ASH.",
        ),
        (
            "variant.toml",
            'units = ["A OAK", "F WES"]',
            'units = ["A ATL", "F WES"]',
            "the starting units are where they may be",
            "A ATL of WESTLAND: ATL is not on the board.",
        ),
        (
            "variant.toml",
            'letter = "E"',
            'letter = "W"',
            "powers are told apart by name, letter and colour, and their homes are centres",
            "2 powers share the letter 'W'.",
        ),
        (
            "variant.toml",
            "colour = 6",
            "colour = 9",
            "powers are told apart by name, letter and colour, and their homes are centres",
            "The powers’ colours must all be from 1 to 8, or all from 9 to 18: 2, 9.",
        ),
        (
            "variant.toml",
            'homes = ["ASH", "EAS"]',
            'homes = ["ASH", "HIL"]',
            "powers are told apart by name, letter and colour, and their homes are centres",
            "Eastland: HIL is not a supply centre on the board.",
        ),
        (
            "facts.yaml",
            "size: [520, 500]",
            "size: [520, 501]",
            "board, anchors and map match the current facts",
            "map.svg is out of date with facts.yaml. To redraw it: python -m variants draw atlantis",
        ),
    ],
)
def test_what_is_wrong_is_named_where_it_is_wrong(
    atlantis: Path, name: str, old: str, new: str, claim: str, fault: str
) -> None:
    rewrite(atlantis, name, old, new)
    found = faults(atlantis)
    assert fault in found[claim]
    assert ("it can be played" in found) is (claim in OF_THE_BOARD), "the rules are tried whatever the map is like"
    assert claim not in OF_THE_MAP or "it loads, with its map" not in found


def test_a_home_that_its_power_does_not_control_is_named(atlantis: Path) -> None:
    def early(board: Board, facts: Mapping[str, Any]) -> Ruleset:
        ruleset = standard(board, facts)
        return replace(ruleset, homes={**ruleset.homes, "EASTLAND": ("ASH", "EAS", "MIL")})

    assert faults(atlantis, early) == {
        "powers build in centres that they start with": (
            "EASTLAND: Millbrook is a home, but at the start the power does not control it.",
        )
    }


def marshes(board: Board, facts: Mapping[str, Any]) -> Ruleset:
    """No unit enters Millbrook."""

    def dry(order: Move, unit: Unit, situation: Situation) -> OrderRefusal | None:
        if order.destination != "MIL":
            return None
        return refuse(Reason.VARIANT_RULE, case="marsh", unit=unit, place=order.destination)

    ruleset = standard(board, facts)
    return replace(ruleset, legality=replace(ruleset.legality, moves=(*ruleset.legality.moves, dry)))


def test_a_reason_of_its_own_is_said_in_its_own_sentence(atlantis: Path) -> None:
    ((claim, found),) = faults(atlantis, marshes).items()
    assert "phases of random legal orders" in claim
    assert "there is no sentence for 'variant rule: marsh'" in found[0]
    text = (atlantis / "variant.toml").read_text()
    said = '[sentences]\n"variant rule: marsh" = "{unit} would sink: no one crosses the marshes of {place}."\n'
    (atlantis / "variant.toml").write_text(f"{text}\n{said}")
    assert faults(atlantis, marshes) == {}


@pytest.mark.parametrize("slug", ["corridor", "ambition-and-empire"])
def test_a_page_shows_the_board_empty_at_the_start_and_crowded(slug: str, tmp_path: Path) -> None:
    page = tmp_path / "look.html"
    assert main(["look", slug, str(page)]) == 0
    html, variant = page.read_text(), find(slug)
    assert re.findall("<h2>(.*?)</h2>", html) == ["Empty", "At the start", "Crowded"]
    assert re.findall(r'style="width: (\d+)px"><svg', html) == ["1100", "370"] * 3
    drawn = [svg.count('class="unit"') for svg in re.findall("<svg.*?</svg>", html, re.DOTALL)]
    assert drawn[:4] == [0, 0, len(variant.start.units), len(variant.start.units)]
    assert drawn[4] == drawn[5] >= len(spaces(variant.ruleset.board))


def test_the_faults_of_a_map_are_circled_once_a_place_and_numbered_as_they_are_listed() -> None:
    svg = (VARIANTS / "corridor" / "map.svg").read_text(encoding="utf-8")
    faults = [
        ("Ash-Brg is not drawn", 120.4, 80.2),
        ("Ash is <small>", 300.0, 40.0),
        ("Brg-Ash is not drawn", 120.1, 79.9),
    ]
    page = faults_page(svg, faults)
    assert re.findall(r'<circle cx="(\d+)" cy="(\d+)" r="14"/><text[^>]*>([\d, ]+)</text>', page) == [
        ("120", "80", "1, 3"),
        ("300", "40", "2"),
    ]
    assert re.findall("<li>(.*?)</li>", page) == [
        "Ash-Brg is not drawn",
        "Ash is &lt;small&gt;",
        "Brg-Ash is not drawn",
    ]
    assert page.count("</svg>") == 1


def test_an_empty_page_of_rules_is_named(atlantis: Path) -> None:
    (atlantis / "rules.md").write_text(" \n", encoding="utf-8")
    assert faults(atlantis) == {
        "players can read what it is, who made it and how it is played": (
            "rules.md is empty; write the rules as players read them.",
        )
    }


def test_a_space_without_neighbours_is_named(atlantis: Path) -> None:
    for table in ("army", "fleet"):
        rewrite(atlantis, "board.json", f'"{table}": {{', f'"{table} of old": {{')
        rewrite(atlantis, "board.json", '"format": 1', f'"{table}": {{}},\n "format": 1')
    assert "Hills (HIL) has no neighbour." in faults(atlantis)["every space can be entered"]


def test_a_file_that_is_missing_is_named_with_what_makes_it(atlantis: Path) -> None:
    (atlantis / "map.svg").unlink()
    (atlantis / "rules.md").unlink()
    assert faults(atlantis) == {
        "all its files are there": (
            "atlantis/rules.md is missing.",
            "atlantis/map.svg is missing. To make it from facts.yaml: python -m variants draw atlantis",
        )
    }


def test_a_file_that_cannot_be_read_is_said_to_be_so(atlantis: Path) -> None:
    rewrite(atlantis, "board.json", "{", "[")
    assert "JSONDecodeError" in faults(atlantis)["its files can be read"][0]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            'results = { "A Oak - Hil" = ["fails"],',
            'results = { "A Oak - Hil" = ["succeeds"],',
            "Two units moving to the same province bounce: “results” says "
            "{'A OAK - HIL': ['succeeds'], 'A ASH - HIL': ['fails']}, "
            "the adjudicator {'A OAK - HIL': ['fails'], 'A ASH - HIL': ['fails']}.",
        ),
        ("title =", "heading =", "An example needs a title and a text: "),
        ("[[example]]", "[[example]", "TOMLDecodeError: "),
    ],
)
def test_examples_that_do_not_come_out_are_told(atlantis: Path, old: str, new: str, fault: str) -> None:
    rewrite(atlantis, "examples.toml", old, new)
    ((claim, (said,)),) = faults(atlantis).items()
    assert claim == "its worked examples give the results they claim"
    assert said.startswith(fault)


@pytest.mark.parametrize("example", examples_of(find("corridor")), ids=lambda example: example.title)
def test_the_lessons_of_the_board_to_learn_on_come_out_as_they_say(example: Example) -> None:
    ruleset = find("corridor").ruleset
    assert answers_to_claims(example, play(example, ruleset), ruleset) == example.claims


def test_the_board_to_learn_on_shows_moves_bounces_supports_bids_and_retreats() -> None:
    examples = examples_of(find("corridor"))
    kinds = {type(order.order).__name__ for example in examples for order in example.given}
    assert kinds >= {"Move", "Support", "Retreat"}
    assert any(sheet.bids for example in examples for sheet in example.phase.sheets.values())
    assert any("retreats" in example.claims for example in examples)
    assert any(
        example.claims["results"] == {"A OAK - HIL": ["fails"], "A ASH - HIL": ["fails"]} for example in examples
    )


def test_rules_that_fail_in_play_are_told_with_the_phase(atlantis: Path) -> None:
    def timeless(board: Board, facts: Mapping[str, Any]) -> Ruleset:
        return replace(standard(board, facts), calendar=Calendar(()))

    told = faults(atlantis, timeless)
    assert told["200 phases of random legal orders are adjudicated without an error"] == (
        "S1901M: ValueError: The calendar has no phase S1901M.",
    )


def test_a_variant_that_borrows_its_board_is_checked_with_it(variants: Path, atlantis: Path) -> None:
    make_variant("mu", variants)
    for file in ("facts.yaml", "board.json", "anchors.json", "map.svg"):
        (variants / "mu" / file).unlink()
    for file in ("variant.toml", "rules.md", "examples.toml"):
        (variants / "mu" / file).write_text((atlantis / file).read_text(encoding="utf-8"), encoding="utf-8")
    rewrite(variants / "mu", "variant.toml", "[counts]", 'board = "atlantis"\n[counts]')
    assert faults(variants / "mu") == {}
    with pytest.raises(CannotDraw, match="mu uses the board of atlantis"):
        drawing_command("mu", variants)


@pytest.mark.parametrize("variant", [*offered(), *teaching()], ids=lambda variant: variant.slug)
def test_every_variant_of_ours_passes(
    variant: Variant, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("variants.commands.check.PHASES", how_many("lawful"))
    assert main(["check", variant.slug]) == 0, capsys.readouterr().out
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 17
    assert all(line.startswith("✓ ") for line in lines)


def test_a_variant_with_faults_ends_with_an_exit_code_and_an_unknown_one_with_those_that_there_are(
    variants: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "atlantis"]) == 2
    assert "There is no variant 'atlantis'; there are: ambition, balkan" in capsys.readouterr().err
    with pytest.raises(NoSuchVariant):
        folder_of("standard", variants)
    assert folder_of("1926") == folder_of("y1926") == "y1926"


def test_games_of_any_lawful_orders_are_the_same_every_time_and_reach_every_kind_of_phase() -> None:
    played = find("1926")
    first, again = (list(play_phases(played.start, played.ruleset, 60)) for _ in range(2))
    assert first == again
    assert {position.turn.kind.word for position, _ in first} == {"Movement", "Retreats", "Adjustments"}


# draw


def test_drawing_uses_the_environment_that_was_built_for_it(variants: Path, atlantis: Path) -> None:
    python = variants.parent / ".maps-venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    assert drawing_command("atlantis", variants) == [str(python), "-m", "variants.cartography", "draw", str(atlantis)]


def test_without_the_libraries_drawing_says_how_to_get_them(atlantis: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("variants.commands.folders.NEEDED", ("no_such_library",))
    assert drawing_python(atlantis) is None
    with pytest.raises(CannotDraw, match=r"\./run maps draw .*variants/atlantis"):
        drawing_command("atlantis", atlantis.parent)


def test_without_facts_there_is_nothing_to_draw(atlantis: Path) -> None:
    (atlantis / "facts.yaml").unlink()
    with pytest.raises(CannotDraw, match=r"atlantis/facts.yaml is missing"):
        drawing_command("atlantis", atlantis.parent)


# list


def test_the_list_says_slug_title_players_spaces_and_centres_of_all() -> None:
    lines = list(variant_list(RULEBOOKS))
    assert lines[0].split() == ["slug", "title", "players", "spaces", "centres"]
    assert {line.split()[0] for line in lines[1:]} == set(RULEBOOKS)
    rows = {line.split()[0]: line.split()[-3:] for line in lines[1:]}
    assert rows["standard"] == ["7", "75", "34"]
    assert rows["corridor"] == ["2", "10", "7"]
    assert len({len(line) for line in lines}) == 1


def test_whatever_can_be_played_can_be_judged_at_a_terminal() -> None:
    assert set(RULEBOOKS) == {variant.slug for variant in (*offered(), *teaching())}


def test_the_board_to_learn_on_is_found_by_its_slug_but_not_offered() -> None:
    assert find("corridor") in teaching()
    assert "corridor" not in {variant.slug for variant in offered()}


def test_all_of_it_runs_on_a_bare_python() -> None:
    run = subprocess.run(
        [sys.executable, "-S", "-m", "variants", "check", "corridor"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.count("✓") == 17
