"""Each act is declared once, and what forms and the API ask for is the same."""

from __future__ import annotations

import ast
import itertools
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django import forms
from django.conf import settings
from rest_framework import serializers

from games.api.acts import field_of
from games.kernel.access import GameAccess, SeatAccess
from games.kernel.acts import Act, Argument
from games.kernel.models import Game
from games.mastering import acts as mastering
from games.pages import acts as players
from games.tournaments import acts as tournaments
from games.tournaments.desk import table_act

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.moment import Moment

ALL = [*players.ACTS.values(), *mastering.ACTS.values(), *tournaments.ACTS.values(), *table_act.by_name.values()]
DECORATORS = {"gm_act", "player_act", "director_act", "entrant_act", "table_act"}
ASKED = [(act, it) for act in ALL for it in act.arguments.values()]


def declared() -> dict[str, list[str]]:
    """The names of acts by the module that declares them, as its text says."""
    found: dict[str, list[str]] = {}
    for file in Path(settings.BASE_DIR, "games").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for call in (it for it in node.decorator_list if isinstance(it, ast.Call)):
                    if ast.unparse(call.func).split(".")[0] in DECORATORS:
                        module = ".".join(file.relative_to(settings.BASE_DIR).with_suffix("").parts)
                        found.setdefault(module, []).append(ast.literal_eval(call.args[0]))
    return found


def test_every_module_that_declares_acts_is_read() -> None:
    read = (*players.DECLARED_IN, *mastering.DECLARED_IN, *tournaments.DECLARED_IN)
    assert {it.__name__ for it in read} == declared().keys()
    assert sorted(act.name for act in ALL) == sorted(itertools.chain(*declared().values()))


def values_of(argument: Argument) -> list[Any]:
    """What is tried: the least and the most that can be sent, one beyond each, nothing, and what is no choice."""
    asked, kind = argument.asked, argument.kind
    if asked.choices:
        known = [value for value, _label in asked.choices]
        return [known, ["nonsense"], []] if argument.is_list else [*known, "nonsense"]
    if kind is str and not argument.is_list and not asked.is_email:
        most = asked.most or 1000
        return ["", " ", "x", "x" * most, "x" * (most + 1), "a\0b"]
    if kind is Decimal:
        return ["1", "-1.5", "9999999.99", "10000000", "1.555", "", "x", "NaN"]
    if kind is int and not argument.is_list and not asked.offers:
        return [
            number for edge in (asked.least, asked.most) if edge is not None for number in (edge - 1, edge, edge + 1)
        ]
    return {datetime: ["2026-12-01T12:00", "1926-12-01T12:00", "noon"]}.get(kind, [])


def accepts(read: Callable[[Any], object], value: Any) -> bool:
    try:
        read(value)
    except (forms.ValidationError, serializers.ValidationError):
        return False
    return True


@pytest.mark.parametrize(("act", "argument"), ASKED, ids=[f"{act.name}-{it.name}" for act, it in ASKED])
def test_a_form_and_the_api_take_the_same_values(act: Act, argument: Argument, moment: Moment) -> None:
    assert argument.asked.says, "programs are told what it is"
    by_api, by_form = field_of(argument), argument.form_field()
    assert by_api.required == argument.needed
    tried = values_of(argument)
    taken = [value for value in tried if accepts(by_api.run_validation, value)]
    assert taken == [value for value in tried if accepts(by_form.clean, value)]
    assert not tried or len(taken) < len(tried), "something is refused"


@pytest.mark.parametrize("act", ALL, ids=[act.name for act in ALL])
def test_a_program_is_told_what_an_act_does(act: Act) -> None:
    assert act.says.endswith(".")


@pytest.mark.parametrize("act", players.ACTS.values(), ids=list(players.ACTS))
def test_the_service_of_a_player_is_told_who_acts(act: Act) -> None:
    seat = SeatAccess(1, "locarno", 2, 3, 4, "FRANCE", datetime(1926, 12, 1, tzinfo=UTC))
    told = act.who(GameAccess(Game(pk=1), 4, seat, is_gm=False, token=""), "UTC")
    assert told.get("user_id") == 4 or told["occupancy_id"] == 3
