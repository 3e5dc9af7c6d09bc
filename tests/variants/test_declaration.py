"""variant.toml is read by one declaration: what is wrong in it is named by line and key, wherever it is read."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

import pytest

from adjudication.auction import budget
from adjudication.turns import PhaseKind, Season, Turn
from variants.__main__ import main
from variants.commands.check import check_variant
from variants.commands.folders import SKELETON, make_variant
from variants.declaration import SCHEMA, faults_in, read_facts
from variants.game import Game
from variants.rulebook import FAMILIES, VARIANTS, BrokenVariant, read_rulebook, rulebook_of, rules_in
from variants.rulebooks import FOLDERS
from variants.standard.rules import rules as standard

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@pytest.fixture(autouse=True)
def known_folders() -> Iterator[None]:
    """A folder of one's own takes its slug for as long as the process lives."""
    before = dict(FOLDERS)
    yield
    FOLDERS.clear()
    FOLDERS.update(before)


NEW = Template((SKELETON / "variant.toml.txt").read_text(encoding="utf-8")).substitute(slug="mu", title="Mu")
POINTS, MINORS = "\n[diplomacy_points]\nmost = 3\n", '\n[minors]\narmies = ["COR"]\nsorties = "yes"\n'
WRONG: Mapping[str, tuple[str, str, str]] = {
    "a key": (r"^homes\b", "home", "line 27: “home” means nothing in [powers]. Did you mean “homes”? Known are id"),
    "a missing key": (r"^units = .*\n", "", "line 21: “units” is missing in [powers]. Its units at the start."),
    "American": (r"^centres", "centers", "line 12: “centers” means nothing in [counts]. Did you mean “centres”? Known"),
    "a section": (r"\Z", "\n[extra]\nsecret = 1\n", "line 41: “extra” means nothing in variant.toml. Known are"),
    "a capital": (r"^\[victory", "[Victory", "line 17: “Victory” means nothing in variant.toml. Did you mean"),
    "one of a list": (r"\[\[powers", "[[power", "line 21: “power” means nothing in variant.toml. Did you mean"),
    "a word": (r"^centres = \d+", 'centres = "four"', "line 12: “centres” in [counts]: \"four\" is not a whole"),
    "yes": (r"^centres = \d+", "centres = true", "line 12: “centres” in [counts]: true is not a whole number."),
    "text": (r"^homes = .*", 'homes = "OAK"', "line 27: “homes” in [powers]: \"OAK\" is not a list."),
    "a unit": (r"A OAK", "Army Oak", "line 29: “units” in [powers]: \"Army Oak\" is not like \"A MUN\"."),
    "a turn": (r"S1901M", "Spring 1901", "line 7: “first_turn” in variant.toml: \"Spring 1901\" is not like"),
    "a number": (r"^colour = 2", "colour = 19", "line 26: “colour” in [powers]: 19 is not from 1 to 18."),
    "points": (r"\Z", POINTS, "line 41: “most_per_turn” is missing in [diplomacy_points]."),
    "a choice": (r"\Z", MINORS, "line 43: “sorties” in [minors]: \"yes\" is not"),
    "within braces": (r"^(\[victory\]\n)", r"\1centres_of = { FRANCE = 0 }\n", "line 18: “FRANCE”"),
    "no slug": (r"^slug = .*\n", "", "“slug” is missing in variant.toml. Its name in addresses and commands."),
    "no TOML": (r'"Westland"', "Westland", "this is not TOML: Invalid value (at line 23, column 8)."),
    "twice": (r"^(homes = .*\n)", r"\1\1", "this is not TOML: Cannot overwrite a value (at line 28"),
}  # fmt: skip


def changed(name: str) -> str:
    pattern, new, _ = WRONG[name]
    text = re.sub(pattern, new, NEW, flags=re.MULTILINE, count=0 if name == "one of a list" else 1)
    assert text != NEW
    return text


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_named_with_its_line_and_what_is_known_there(name: str) -> None:
    faults = read_facts(changed(name))[1]
    assert faults[0].startswith(WRONG[name][2])
    assert len(faults) == (2 if name == "points" else 1)


@pytest.mark.parametrize("name", ["a key", "no slug", "no TOML"])
def test_check_start_game_and_new_say_the_same(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    make_variant("mu", tmp_path)
    (tmp_path / "mu" / "variant.toml").write_text(changed(name), encoding="utf-8")
    expected = f"mu/variant.toml: {WRONG[name][2]}"
    assert main(["check", "mu"]) == 1
    assert expected in capsys.readouterr().out
    assert main(["new", "atlantis"]) == 2
    assert expected in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["start", "--variant", "./mu"])
    assert expected in capsys.readouterr().err
    with pytest.raises(BrokenVariant, match=re.escape(expected)):
        Game("./mu")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("A OAK", "A XYZ", "mu: A XYZ of WESTLAND may not stand there."),
        ("F WES", "F XYZ", "mu: F XYZ of WESTLAND may not stand there."),
        ('"OAK", "WES"]', '"OAK", "XYZ"]', "mu: XYZ, of WESTLAND, is not a supply centre on the board."),
        ('"EASTLAND"', '"WESTLAND"', "mu: two powers have the same “id”."),
        ("[victory]\ncentres = 4\n", "", "mu: its rules look for 'victory', which variant.toml does not have."),
    ],
)
def test_what_contradicts_the_board_or_the_rules_is_refused_before_a_game_begins(
    old: str, new: str, sentence: str
) -> None:
    facts, faults = read_facts(NEW.replace(old, new, 1))
    assert not faults
    with pytest.raises(BrokenVariant, match=re.escape(sentence)):
        rulebook_of("mu", facts, (VARIANTS / "corridor" / "board.json").read_text(encoding="utf-8"), standard)


def test_a_board_that_is_nowhere_is_named(tmp_path: Path) -> None:
    make_variant("mu", tmp_path)
    (tmp_path / "mu" / "variant.toml").write_text(f'board = "atlantis"\n{NEW}', encoding="utf-8")
    with pytest.raises(
        BrokenVariant, match="mu: “board” names atlantis, which is no folder beside it and none of ours"
    ):
        Game(str(tmp_path / "mu"))


@pytest.mark.parametrize(("family", "points"), [("standard", 0), ("diplomacy_points", 2)])
def test_a_variant_plays_by_the_rules_of_a_family_without_any_code(family: str, points: int, tmp_path: Path) -> None:
    make_variant("mu", tmp_path)
    minors = '\n[minors]\narmies = ["COR"]\n[diplomacy_points]\nmost_per_turn = 3\n'
    text = f'{NEW}{minors}[rules]\nfamily = "{family}"\n'.replace("minors = 0", "minors = 1")
    (tmp_path / "mu" / "variant.toml").write_text(text, encoding="utf-8")
    for name in ("rules.py", "__init__.py"):
        (tmp_path / "mu" / name).unlink()
    book = read_rulebook("mu", rules_in("mu", tmp_path), tmp_path)
    assert budget("WESTLAND", book.start, book.ruleset) == points
    checks = {it.claim: it.faults for it in check_variant("mu", tmp_path)}
    assert not checks["its rules load"]
    assert read_facts(text.replace(f'"{family}"', '"wing"'))[1] == (
        'line 46: “family” in [rules]: "wing" is not "standard" or "diplomacy_points".',
    )


def test_every_family_that_may_be_named_has_its_rules() -> None:
    assert SCHEMA["properties"]["rules"]["properties"]["family"]["enum"] == [*FAMILIES]


def test_what_only_a_variants_own_rules_read_has_a_section_of_its_own() -> None:
    text = (
        NEW.replace("colonies = []", "colonies = []\nown.tribute = 2", 1)
        + '\n[own]\ntide = ["WES"]\n[own.moons]\nnew = 3\n'
    )
    facts, faults = read_facts(text)
    assert (facts["own"]["moons"], facts["powers"][0]["own"], faults) == ({"new": 3}, {"tribute": 2}, ())


def test_every_turn_of_a_calendar_may_be_the_first() -> None:
    for season in Season:
        for kind in PhaseKind:
            text = NEW.replace("S1901M", Turn(1901, season, kind).code)
            assert read_facts(text)[1] == ()


# The declaration as JSON Schema.


def schemas(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield schema
    inner = [*schema.get("properties", {}).values(), schema.get("items"), schema.get("additionalProperties")]
    for each in inner:
        if isinstance(each, dict):
            yield from schemas(each)


def test_the_command_schema_writes_it_and_it_is_a_json_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    written = json.loads(capsys.readouterr().out)
    assert written == SCHEMA
    pytest.importorskip("jsonschema").Draft202012Validator.check_schema(written)


def test_it_uses_no_keyword_that_the_reader_does_not_know() -> None:
    notes, sizes = {"$schema", "title", "description", "examples"}, {"minimum", "maximum"}
    known = {"type", "properties", "required", "additionalProperties", "items", "enum", "pattern", *sizes, *notes}
    for each in schemas(SCHEMA):
        assert each.keys() <= known
        assert len(sizes & each.keys()) != 1
        assert "examples" in each or "pattern" not in each
        assert all("description" in each["properties"][key] for key in each.get("required", ()))


def damaged(value: Any) -> Iterator[Any]:
    """Copies with one entry left out, renamed or replaced."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in pairs:
        others = {it: value[it] for it in value if it != key} if isinstance(value, dict) else {}
        replaced = [*damaged(each), "", "x", 0, True, [1], {"x": 1}]
        if isinstance(value, dict):
            yield from (others, {**others, f"{key}s": each}, *({**others, key: it} for it in replaced))
        else:
            yield from ([*value[:key], it, *value[key + 1 :]] for it in replaced)


@pytest.mark.parametrize("folder", ["ambition", "balkan_three", "dual_empire", "formal"])
def test_a_validator_of_json_schema_refuses_exactly_what_the_reader_refuses(folder: str) -> None:
    validator = pytest.importorskip("jsonschema").Draft202012Validator(SCHEMA)
    facts = tomllib.loads((VARIANTS / folder / "variant.toml").read_text(encoding="utf-8"))
    facts["powers"] = facts["powers"][:1]
    assert validator.is_valid(facts)
    for each in damaged(facts):
        assert validator.is_valid(each) is not any(faults_in(each)), each
