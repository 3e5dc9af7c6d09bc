"""Every option that a subject declares is asked for, told, shown by the API, checked, and has an effect."""

from __future__ import annotations

import ast
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

import pytest
from django.urls import reverse

import games
from games.deadlines.timetable import Week
from games.kernel.game_options import BadOptions, GameOptions, ZeroOr, declared_options
from games.pages.forms import CreateGameForm
from tests.browsers import visitor
from tests.cast import DAVE
from tests.factories import waiting_game
from tests.pages.test_pages_running import NEW_GAME
from variants.registry import find, offered

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.kernel.game_options import Options

OPTIONS = sorted(declared_options())
each_option = pytest.mark.parametrize("name", OPTIONS)

SAMPLES: dict[str, tuple[Any, ...]] = {"week": (Week(), Week(days_off=(6,))), "last_year": (None, 1930, 1931)}
"""Values that can be chosen, for options whose declaration does not list them."""

WITH_A_BUTTON = {"clock"}
"""Options that only the button for practice games chooses."""

IMPOSSIBLE: dict[str, tuple[Any, ...]] = {"week": (), "last_year": (1800, 3000)}
"""Values that cannot; an impossible week is never made."""


def bounds(name: str) -> range | None:
    """The numbers allowed for an option, except 0 where that means none."""
    allowed = declared_options()[name][1].allowed
    return allowed.within if isinstance(allowed, ZeroOr) else allowed if isinstance(allowed, range) else None


def possible(name: str) -> tuple[Any, ...]:
    """Some values that an option can have."""
    default, allowed, numbers = declared_options()[name][1].default, declared_options()[name][1].allowed, bounds(name)
    if name in SAMPLES:
        return SAMPLES[name]
    if isinstance(default, bool):
        return (False, True)
    if numbers is not None:
        return (default, numbers[0], numbers[1], numbers[-1])
    assert isinstance(allowed, tuple | dict), f"say in SAMPLES what {name} may be"
    return ((), *((it,) for it in allowed)) if isinstance(default, tuple) else tuple(allowed)


def impossible(name: str) -> tuple[Any, ...]:
    """Some values that an option cannot have."""
    default, numbers = declared_options()[name][1].default, bounds(name)
    if name in IMPOSSIBLE or isinstance(default, bool):
        return IMPOSSIBLE.get(name, ())
    if numbers is not None:
        return (numbers[-1] + 1, *(it for it in (numbers[0] - 1, -1) if it))  # 0 may mean none
    return (("nonsense",),) if isinstance(default, tuple) else ("nonsense",)


def terms(**choices: Any) -> tuple[object, ...] | None:
    """What is told about a game of 1926 with these options; None if they are refused."""
    try:
        return GameOptions.create(find("1926"), **choices).terms()
    except BadOptions:
        return None


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_what_is_usual_can_be_has_the_type_that_is_declared_and_is_read_as_it_was_stored(variant: Any) -> None:
    options = GameOptions.create(variant)
    assert options == GameOptions.from_stored(options.to_json(), variant, by_invitation=False)
    for name, (kind, _) in declared_options().items():
        hint = get_type_hints(kind)[name]
        wanted = tuple if getattr(hint, "__origin__", None) is tuple else hint
        assert isinstance(getattr(options[kind], name), wanted), name


def test_an_option_that_is_younger_than_a_game_is_as_usual_there() -> None:
    options = GameOptions.create(find("1926"), press="public", retreat_seconds=60)
    for name in OPTIONS:
        row = {key: value for key, value in options.to_json().items() if key != name}
        older = GameOptions.from_stored(row, find("1926"), by_invitation=False)
        usual = GameOptions({}, find("1926")).values[name]
        assert older.values == {**options.values, name: usual}


def test_nobody_chooses_an_option_that_no_subject_declares() -> None:
    with pytest.raises(TypeError, match="dice"):
        GameOptions.create(dice=6)


@pytest.mark.django_db
def test_each_is_asked_for_when_a_game_is_created_or_says_why_not() -> None:
    page = visitor(DAVE).get(reverse("games:create")).content.decode()
    form = CreateGameForm(NEW_GAME)
    assert form.is_valid(), form.errors
    for name, (_, it) in declared_options().items():
        assert f'name="{it.asked_as or name}"' in page if it.asked else it.unasked, name
        assert (name in form.options()) is (name not in WITH_A_BUTTON)


def test_words_are_written_only_for_options() -> None:
    written = [tomllib.loads(file.read_text()) for file in Path(games.__file__).parent.glob("*/options.toml")]
    assert {name for words in written for name in words} == {*OPTIONS}


@each_option
def test_everybody_is_told_what_was_chosen(name: str) -> None:
    """Alone, or together with another choice."""
    others = [{}, *({other: value} for other in OPTIONS if other != name for value in possible(other))]
    told = ({terms(**{name: value}, **also) for value in possible(name)} - {None} for also in others)
    assert any(len(different) > 1 for different in told), f"no term says which {name} was chosen"


@each_option
def test_what_it_may_not_be_is_refused_with_its_sentence(name: str) -> None:
    _, it = declared_options()[name]
    for value in impossible(name):
        with pytest.raises(BadOptions) as refused:
            GameOptions.create(find("1926"), **{name: value})
        sentence = refused.value.problems[name]
        assert sentence == it.wrong or it.allowed is None
        assert sentence.endswith((".", ")."))


@pytest.mark.django_db
def test_the_api_answers_with_all_of_them_and_says_what_they_are() -> None:
    schema = visitor().get(reverse("api:schema"), {"format": "json"}).json()
    properties = schema["components"]["schemas"]["Options"]["properties"]
    answer = visitor().get(reverse("api:game", kwargs={"slug": waiting_game().slug})).json()
    for name, (_, it) in declared_options().items():
        assert properties[name]["description"] == it.help_text
        assert name in answer["game"]["options"]


# --- Effect ---

GAMES = Path(__file__).parents[2] / "games"
TELLING = {"problems", "sentence", "terms"}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def read_in(tree: ast.AST) -> set[str]:
    """The attributes that code reads, and what it asks stored options for."""
    nodes = list(ast.walk(tree))
    asked = {node.arg or "" for node in nodes if isinstance(node, ast.keyword)}
    return {node.attr for node in nodes if isinstance(node, ast.Attribute)} | {
        name.rpartition("stored_options__")[2] for name in asked if "stored_options__" in name
    }


def obeying() -> list[Path]:
    """All code except the declarations."""
    return [it for it in GAMES.rglob("*.py") if it.name != "options.py" and "migrations" not in it.parts]


def has_an_effect(name: str, kind: type[Options], files: Iterable[Path]) -> bool:
    """Does any of these files that know an option's class read the option, or a property made from it?"""
    path = Path(sys.modules[kind.__module__].__file__ or "")
    (body,) = (it for it in parsed(path).body if isinstance(it, ast.ClassDef) and it.name == kind.__name__)
    made_of = {it.name: read_in(it) for it in body.body if isinstance(it, ast.FunctionDef)}
    says_it = {name}
    for _ in made_of:
        says_it |= {it for it, reads in made_of.items() if reads & says_it and it not in TELLING}
    wanted = says_it - set(kind.facts)
    return any(
        wanted & read_in(parsed(file))
        for file in files
        if kind.__name__ in file.read_text() or "stored_options__" in file.read_text()
    )


@each_option
def test_it_has_an_effect(name: str) -> None:
    assert has_an_effect(name, declared_options()[name][0], obeying()), f"no code reads {name}"


def test_an_option_that_no_code_reads_any_more_is_found() -> None:
    kind, _ = declared_options()["absence_days"]
    left = [path for path in obeying() if path.parent.name != "deadlines"]
    assert has_an_effect("absence_days", kind, obeying())
    assert not has_an_effect("absence_days", kind, left)
