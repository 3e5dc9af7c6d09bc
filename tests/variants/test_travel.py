"""Games written to files and read again: nothing is lost, differences are named, wrong files are refused."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from adjudication.units import unit_from_text
from tests.adjudication.material import GAMES
from tests.long_round import how_many
from tests.steps import counted
from tests.variants.chance import mutated, one_changed
from tests.variants.travelling import damaged, random_game, recorded_games
from variants.__main__ import main
from variants.commands.replay import BadRecord, replay
from variants.game import Game, UnlawfulOrder
from variants.registry import find, offered
from variants.rulebook import VARIANTS
from variants.travel import FORMS, READERS, PlayedGame, WrongFile, read_games, replayed, without_messages, write_game
from variants.travel.games import PLAIN
from variants.words import say

if TYPE_CHECKING:
    from variants.variant import Variant

COUNT = how_many("recorded")
DAMAGED = how_many("damaged")
MOST_STEPS = 2_000_000
"""The longest of these files, of half a million signs, takes a third of them."""
READABLE = [name for name in FORMS if name in READERS]
LANDS = find("1926")


@cache
def recorded() -> list[PlayedGame]:
    return [replayed(told).game for told in recorded_games(COUNT)]


@cache
def a_game(slug: str = "1926", *, opened: bool = True) -> PlayedGame:
    return random_game(find(slug), 5, opened=opened)


def again(form: str, game: PlayedGame) -> PlayedGame:
    """Written and read."""
    [told] = read_games(write_game(form, game))
    return replayed(told).game


def public_part(game: PlayedGame) -> PlayedGame:
    """Without what only the project's own record has."""
    heading = replace(game.heading, open_bids_at_end=False)
    return PlayedGame(heading, tuple(replace(phase, facts=PLAIN) for phase in game.phases))


@pytest.mark.skipif(not GAMES.exists(), reason="there is no file of recorded games")
@pytest.mark.parametrize("form", READABLE)
def test_recorded_games_come_back_as_they_went(form: str) -> None:
    games = recorded()
    assert len(games) == COUNT
    for game in games:
        assert again(form, game) == game, game.heading.name


@pytest.mark.skipif(not GAMES.exists(), reason="there is no file of recorded games")
def test_a_game_played_under_other_rules_is_kept_with_its_differences() -> None:
    """Its judge let an army walk that was ordered by convoy, without one being there."""
    told = next(it for it in recorded_games(30) if replayed(it).differences)
    found = replayed(told)
    assert all("the file has" in sentence and "we find" in sentence for sentence in found.differences)
    explained = [phase for phase in found.game.phases if phase.facts.notices]
    assert len(explained) == len({sentence.split(":")[0] for sentence in found.differences})
    for phase in explained:
        assert phase.position != found.game.phases[phase.ordinal - 1].public.next


@pytest.mark.parametrize("opened", [True, False])
@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_games_of_every_variant_come_back_in_every_form(variant: Variant, opened: bool) -> None:
    game = random_game(variant, 5, phases=how_many("carried"), opened=opened)
    for form in READABLE:
        [told] = read_games(write_game(form, game))
        found = replayed(told)
        assert found.differences == (), (variant.slug, form)
        assert public_part(found.game) == public_part(game), (variant.slug, form)
    assert again("record", game) == game


def test_opened_bids_travel() -> None:
    game = a_game()
    bids = [phase.bids for phase in game.phases]
    assert any(bids)
    for form in READABLE:
        assert [phase.bids for phase in again(form, game).phases] == bids


def test_bids_that_paid_for_something_else_are_a_difference() -> None:
    game = json.loads(write_game("dipcc", a_game()))
    phase = next(it for it in game["phases"] if any(it["state"].get("extension", {}).get("bids", {}).values()))
    for bids in phase["state"]["extension"]["bids"].values():
        bids.clear()
    [told] = read_games(json.dumps(game))
    assert any("but the bids pay for" in sentence for sentence in replayed(told).differences)


@pytest.mark.parametrize("form", ["pypi", "dipcc"])
def test_a_unit_that_the_orders_did_not_lead_to_is_named_with_its_phase(form: str) -> None:
    game = json.loads(write_game(form, a_game("standard")))
    second = game["phases"][1]["state"]
    lost = second["units"]["FRANCE"].pop()
    [told] = read_games(json.dumps(game))
    first, *_others = replayed(told).differences
    assert first.startswith("Fall 1901, movement: France’s units: the file has nothing more, and we find ")
    assert lost in first


def test_a_phase_that_stays_sealed_is_one_wherever_its_record_goes() -> None:
    record = json.loads(write_game("record", a_game("standard", opened=False)))
    record["phases"][0]["stays_sealed"] = True
    [told] = read_games(json.dumps(record))
    again = json.loads(write_game("record", replayed(told).game))
    assert ["stays_sealed" in phase for phase in again["phases"]][:2] == [True, False]


def test_a_falsified_result_of_our_own_record_is_named() -> None:
    record = json.loads(write_game("record", a_game("standard", opened=False)))
    record["phases"][0]["result"]["outcomes"][0]["results"] = ["fails"]
    [told] = read_games(json.dumps(record))
    found = replayed(told)
    assert any("does not follow from the orders" in sentence for sentence in found.differences)
    assert found.game.phases[0].public == a_game("standard", opened=False).phases[0].public


def test_the_forms_are_those_of_other_programs() -> None:
    game = a_game("standard")
    [line] = write_game("pypi", game).splitlines()
    saved = json.loads(line)
    first = saved["phases"][0]
    assert (saved["map"], first["name"]) == ("standard", "S1901M")
    assert first.keys() == {"name", "state", "orders", "results", "messages"}
    assert saved["phases"][-1]["orders"] == {}
    cicero = json.loads(write_game("dipcc", game))
    assert (cicero["version"], cicero["map"], cicero["phases"][-1]["name"]) == ("1.0", "standard", "COMPLETED")
    retreats = [it for it in cicero["phases"] if it["name"].endswith("R") and any(it["state"]["retreats"].values())]
    for phase in retreats:
        starred = [unit for units in phase["state"]["units"].values() for unit in units if unit.startswith("*")]
        assert {f"*{unit}" for of in phase["state"]["retreats"].values() for unit in of} == set(starred)
        assert not any(" - " in order for orders in phase["orders"].values() for order in orders)
    built = [
        order for it in cicero["phases"] if it["name"].endswith("A") for some in it["orders"].values() for order in some
    ]
    assert built
    assert all(order == "WAIVE" or order[-2:] in {" B", " D"} for order in built)


def test_a_file_of_another_program_needs_none_of_our_entries() -> None:
    """As the package `diplomacy` and dipcc write it: no retreats by power, no entry of ours, one phase still open."""
    start = find("standard").start
    units = {power.id: [str(unit) for unit in start.units_of(power.id)] for power in find("standard").powers}
    centers = {power: list(start.centres_of(power)) for power in units}
    state = {"name": "S1901M", "units": units, "centers": centers, "builds": {}, "retreats": {}, "zobrist_hash": "7"}
    after = {**units, "FRANCE": ["F BRE", "A BUR", "A MAR"]}
    phases = [
        {"name": "S1901M", "state": state, "orders": {"FRANCE": ["A PAR - BUR"], "ITALY": None}, "results": {}},
        {"name": "F1901M", "state": {**state, "units": after}, "orders": {power: [] for power in units}},
    ]
    text = json.dumps({"id": "x", "map": "standard", "rules": [], "phases": phases})
    [told] = read_games(text)
    found = replayed(told)
    assert found.differences == ()
    assert [phase.position.turn.code for phase in found.game.phases] == ["S1901M"]
    assert found.game.heading.verdict is None


@pytest.mark.parametrize("form", ["text", "markdown", "bbcode"])
def test_reports_say_everything_that_happened(form: str) -> None:
    game = a_game()
    heading = replace(game.heading, maps="https://example.org/{ordinal}.png", name="A [b]*game*")
    report = write_game(form, replace(game, heading=heading))
    assert report.count("https://example.org/") == len(game.phases)
    assert "A [b]*game*" in report if form == "text" else "A [b]*game*" not in report
    for phase in game.phases:
        assert phase.title in report
    outcomes = [it for phase in game.phases for it in phase.public.outcomes]
    sentences = {say(it, heading.variant.ruleset) for it in outcomes if it.reason}
    assert sentences
    if form == "text":
        assert all(sentence in report for sentence in sentences)
    assert "Player 0" in report
    assert str(game.heading.verdict and say(game.heading.verdict, heading.variant.ruleset)) in report


FILE = (VARIANTS / "research" / "two_armies_by_sea.jsonl").read_text(encoding="utf-8")
"""A game that the package `diplomacy` 1.1.2 has played and saved, with messages and the times of 16 digits in them."""
UNUSED = (
    *("NaN", "-Infinity", "9" * 10_000, '"\x07"', r'"\ud800"', '"\x1b[31m"', "[" * 50_000 + "]" * 50_000),
    *('{"a":' * 50_000 + "1" + "}" * 50_000, f'[{{"message": "{"x" * 2_000_000}"}}]'),
)


def told(text: str) -> tuple[PlayedGame, tuple[str, ...]]:
    [game] = read_games(text)
    found = replayed(game)
    return found.game, found.differences


def test_a_game_saved_by_the_package_diplomacy_is_replayed_without_a_difference() -> None:
    """An army dislodges another by convoy, whose retreats the package lists with occupied places among them; another
    is ordered by convoy next door, and no fleet takes it, so it walks."""
    game, differences = told(FILE)
    assert differences == ()
    assert [phase.position.turn.code for phase in game.phases][-2:] == ["S1902R", "F1902M"]
    assert game.phases[-2].position.dislodged[0].retreats == ("BUR", "PIC")
    assert game.end.unit_at("HOL") == unit_from_text("ENGLAND", "A HOL")


def test_it_may_be_replayed_by_other_rules() -> None:
    [game] = read_games(FILE)
    assert any("A HOL, and we find A BEL" in it for it in replayed(game, ["via_fallback=false"]).differences)
    assert replayed(game, ["victory.centres=5"]).game.heading.verdict is not None


@pytest.mark.parametrize("value", UNUSED, ids=lambda value: value[:9])
def test_what_is_not_used_may_hold_anything(value: str) -> None:
    document = json.loads(FILE)
    document["phases"][1]["messages"] = document["phases"][1]["state"]["note"] = document["more"] = "HERE"
    text = json.dumps(document).replace('"HERE"', value)
    assert told(f"\N{ZERO WIDTH NO-BREAK SPACE}{text}") == told(FILE)
    assert told(without_messages(text)) == told(FILE)


def test_a_convoy_by_a_fleet_of_the_same_power_is_taken_without_being_named() -> None:
    document = json.loads(FILE)
    fourth = document["phases"][3]["orders"]
    fourth["ENGLAND"][0] = fourth["ENGLAND"][0].removesuffix(" VIA")
    assert told(json.dumps(document))[1] == ()


def test_an_order_that_cannot_be_read_does_not_count_and_is_named() -> None:
    document = json.loads(FILE)
    document["phases"][0]["orders"]["ITALY"] = ["A ROM - ATLANTIS\x07", 7, "A VEN - PIE"]
    game, differences = told(json.dumps(document))
    first, second, *_others = differences
    assert first.startswith(
        "Spring 1901, movement: Italy’s order “A ROM - ATLANTIS\N{REPLACEMENT CHARACTER}” does not count. "
    )
    assert "Italy’s order “7” does not count." in second
    assert game.phases[0].public.next.unit_at("PIE")


def by_hand(*phases: tuple[str, dict[str, list[str]], dict[str, list[str]]]) -> str:
    """A file of dipcc with these phases: name, units and orders. Each power owns what it owns at the start."""
    start = find("standard").start
    centers = {power.id: list(start.centres_of(power.id)) for power in find("standard").powers}
    centers["GERMANY"] += ["DEN"]
    written = [
        {"name": name, "orders": orders, "state": {"units": units, "centers": centers}}
        for name, units, orders in phases
    ]
    return json.dumps({"version": "1.0", "id": "by hand", "map": "standard", "phases": written})


def test_a_unit_without_a_retreat_that_is_told_to_disband_is_no_difference() -> None:
    germans = ["A PIC", "A GAS", "A BRE"]
    text = by_hand(
        (
            "S1901M",
            {"FRANCE": ["A PAR"], "GERMANY": ["A BUR", *germans]},
            {"GERMANY": ["A BUR - PAR", "A PIC S A BUR - PAR"]},
        ),
        ("S1901R", {"FRANCE": ["*A PAR"], "GERMANY": ["A PAR", *germans]}, {"FRANCE": ["A PAR D"]}),
        ("F1901M", {"GERMANY": ["A PAR", *germans]}, {}),
    )
    assert not [it for it in told(text)[1] if not it.startswith("Spring 1901, movement: ")]


def test_removals_by_the_older_rule_are_named_once() -> None:
    """Where the power has too many units and orders nothing, the unit farthest from its homes was removed."""
    units = {"GERMANY": ["F BAL", "A BUR", "A PIC", "A BER", "A MUN"]}
    gone = {"GERMANY": units["GERMANY"][1:]}
    text = by_hand(
        ("S1901M", units, {"GERMANY": ["A BUR H"]}),
        ("F1901M", units, {"GERMANY": ["A BUR H"]}),
        ("W1901A", units, {}),
        ("S1902M", gone, {"GERMANY": ["A BUR H"]}),
        ("F1902M", gone, {}),
    )
    late = [it for it in told(text)[1] if "1901, movement" not in it]
    assert late == [
        "Winter 1901, adjustments: powers had not ordered enough removals, and the file took other units off the board "
        "than the rules do now. It may have gone by the older rule, removals=homes."
    ]


def test_a_game_in_python_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    game = Game("1926", rules={"victory.centres": 1})
    while not game.result:
        game.push({power: game.bot(power, seed=3) for power in game.deciding})
    for form in ("pypi", "dipcc"):
        game.save(tmp_path / "game.json", form)
        again = Game.load(tmp_path / "game.json", {"victory.centres": 1})
        assert (again.position, again.phases, again.differences) == (game.position, game.phases, ())
        with pytest.raises(UnlawfulOrder, match="The game is over"):
            again.push({})


def test_a_form_that_is_only_read_is_answered_with_those_that_are_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="No game is written as 'webdip'; the forms are record, pypi, dipcc, text,"):
        Game().save(tmp_path / "game.json", "webdip")
    assert not (tmp_path / "game.json").exists()


def test_the_number_of_a_position_is_that_of_the_package_diplomacy() -> None:
    """By which it checks a file that it reads."""
    saved, ours = json.loads(FILE), json.loads(write_game("pypi", told(FILE)[0]))
    assert [it["state"]["zobrist_hash"] for it in ours["phases"]] == [
        it["state"]["zobrist_hash"] for it in saved["phases"]
    ]


# Wrong files.


def texts() -> list[str]:
    return [write_game(form, a_game(slug)) for form in READABLE for slug in ("standard", "1926")]


def test_damaged_files_are_refused_with_place_and_reason() -> None:
    chance, files = Random(31), texts()
    for number in range(DAMAGED):
        text = damaged(chance.choice(files), chance)
        with counted() as steps, pytest.raises(WrongFile) as refused:
            [replayed(told) for told in read_games(text)]
        assert steps.number < max(MOST_STEPS, len(text)), number  # the longest files are checked value by value
        assert refused.value.place
        assert refused.value.reason.endswith(".")
        assert len(str(refused.value)) < 1_500


def test_any_other_damage_is_refused_or_harmless() -> None:
    chance, files = Random(32), [json.loads(text) for text in texts()]
    for _ in range(DAMAGED):
        document: Any = mutated(chance.choice(files), chance)
        if not isinstance(document, dict):
            continue
        document["phases"] = document.get("phases")
        with suppress(WrongFile):
            for told in read_games(json.dumps(document)):
                write_game("text", replayed(told).game)


@cache
def short_games() -> tuple[tuple[str, str], ...]:
    """Games with everything that a position can remember, in each form."""
    slugs = ("1926", "balkan-battle", "collapse-of-the-dual-empire", "formal-diplomacy")
    games = [random_game(find(slug), 5, phases=3) for slug in slugs]
    return tuple((form, write_game(form, game)) for form in READABLE for game in games)


@pytest.mark.parametrize("form", READABLE)
def test_any_value_of_another_kind_is_refused_or_harmless(form: str) -> None:
    chance, texts_of_form = Random(form), [text for its, text in short_games() if its == form]
    for _ in range(DAMAGED):
        document = one_changed(json.loads(chance.choice(texts_of_form)), chance)
        with suppress(WrongFile):
            for told in read_games(json.dumps(document)):
                write_game("text", replayed(told).game)
        with suppress(BadRecord):
            list(replay(document).lines())


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"centres": {"ALG": ["FRANCE"]}}, "“position”: it cannot be read."),
        ({"centres": {"ALG": "france"}}, "“position” is not written as in our records."),
        ({"centres": {"BUR": "FRANCE"}}, "“position”: Burgundy is not a supply centre."),
        ({"memory": []}, "“position”: “memory” must name what is remembered."),
        ({"memory": {"minors": {"AUS": ["A"]}}}, "“position”: “minors” must say of a supply centre A or F"),
        ({"memory": {"homes": {"austria": []}}}, "“position”: There is no power austria;"),
        ({"units": {"FRANCE": ["A NTH"]}}, "“position”: FRANCE, “A NTH”: An army cannot be there."),
        ({"turn": "S1925M"}, "“position”: S1925M is no phase of a game that begins with S1926M"),
    ],
)
def test_owners_homes_and_all_memory_of_a_record_are_checked(change: dict[str, Any], sentence: str) -> None:
    record = json.loads(write_game("record", a_game()))
    record["phases"][0]["position"] |= change
    record["phases"][0]["turn"] = record["phases"][0]["position"]["turn"]
    with pytest.raises(WrongFile) as refused:
        read_games(json.dumps(record))
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The file: it is empty."),
        ("{\n]", "Line 2, column 1: this is not JSON: expecting property name enclosed in double quotes."),
        ("[1]", "Line 1: a game is a JSON object, which begins with “{”."),
        ('{"id": 1}', "Line 1: this is not a game of a known form; known are record, pypi, dipcc, webdip."),
        ('\n{"a"', "Line 2, column 5: this is not JSON: expecting ':' delimiter."),
        ('{"map": "pure", "rules": [], "phases": []}', "Line 1: no variant here is called “pure”; there are 1926"),
        ('{"map": "standard", "rules": [], "phases": [{"name": 7}]}', "“name” must be text, not 7."),
        ('{"map": "standard", "version": "2.0", "phases": []}', "Line 1: “version” must be 1.0."),
    ],
)
def test_what_is_wrong_is_said_with_the_line(text: str, sentence: str) -> None:
    with pytest.raises(WrongFile) as refused:
        read_games(text)
    assert sentence in str(refused.value)


# At a terminal.


def test_games_are_converted_at_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    game = a_game("standard")
    file = tmp_path / "game.jsonl"
    file.write_text(2 * f"{write_game('pypi', game)}\n", encoding="utf-8")
    with file.open(encoding="utf-8") as given:
        monkeypatch.setattr("sys.stdin", given)
        assert main(["convert", "--from", "pypi", "--to", "dipcc"]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    games = read_games(shown.out)
    assert [public_part(replayed(told).game) for told in games] == 2 * [public_part(game)]


def test_a_wrong_file_is_refused_at_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text("nonsense", encoding="utf-8")
    with file.open(encoding="utf-8") as given:
        monkeypatch.setattr("sys.stdin", given)
        assert main(["convert", "--to", "record"]) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "Line 1, column 1: this is not JSON: expecting value.\n")
