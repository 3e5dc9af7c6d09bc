"""Each act is declared once, and what forms and the API ask for is the same."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from django.conf import settings

from games.api.acts import field_of
from games.kernel.acts import Act, Argument
from games.mastering import acts as mastering

ALL = [*mastering.ACTS.values()]
ASKED = [(act, it) for act in ALL for it in act.arguments.values()]


def declared() -> dict[str, set[str]]:
    """The names of acts by the module that declares them, as its text says."""
    found: dict[str, set[str]] = {}
    for file in Path(settings.BASE_DIR, "games").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for call in (it for it in node.decorator_list if isinstance(it, ast.Call)):
                    if ast.unparse(call.func).split(".")[0] == "gm_act":
                        module = ".".join(file.relative_to(settings.BASE_DIR).with_suffix("").parts)
                        found.setdefault(module, set()).add(ast.literal_eval(call.args[0]))
    return found


def test_every_module_that_declares_acts_is_read() -> None:
    assert {it.__name__ for it in mastering.DECLARED_IN} == declared().keys()
    assert mastering.ACTS.keys() == set.union(*declared().values())


@pytest.mark.parametrize(("act", "argument"), ASKED, ids=[f"{act.name}-{it.name}" for act, it in ASKED])
def test_a_form_and_the_api_ask_for_the_same(act: Act, argument: Argument) -> None:
    assert argument.asked.says, "programs are told what it is"
    sent = field_of(argument)
    if argument.is_list and not argument.asked.choices:
        return
    form = argument.form_field()
    assert sent.required == argument.needed
    for name in ("max_length", "min_value", "max_value"):
        if not argument.asked.choices and not argument.asked.offers:
            assert getattr(form, name, None) == getattr(sent, name, None), name


@pytest.mark.parametrize("act", ALL, ids=[act.name for act in ALL])
def test_a_program_is_told_what_an_act_does(act: Act) -> None:
    assert act.says.endswith(".")
