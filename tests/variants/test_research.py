"""What the package brings for people who study the game works as it stands."""

import ast
import importlib
import json
import sys
from random import Random
from typing import Any

import pytest

from adjudication.resolution import OrderResult
from adjudication.turns import PhaseKind
from variants.rulebook import VARIANTS

FOLDER = VARIANTS / "research"


def shown_by(code: str, names: dict[str, Any]) -> object:
    """Runs a cell; what its last expression gives, as a notebook shows it."""
    *before, last = ast.parse(code).body
    assert isinstance(last, ast.Expr), code
    exec(compile(ast.Module(before, []), "cell", "exec"), names)  # noqa: S102 - our own notebook
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307


def test_the_cells_of_the_notebook_run_in_order_and_each_shows_something(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    notebook = json.loads((FOLDER / "first_steps.ipynb").read_text(encoding="utf-8"))
    cells = [it for it in notebook["cells"] if it["cell_type"] == "code"]
    names: dict[str, Any] = {}
    shown = [shown_by("".join(cell["source"]), names) for cell in cells]
    pictures = [it._repr_svg_() for it in shown if hasattr(it, "_repr_svg_")]
    assert len(pictures) == 4
    assert all(picture.startswith("<svg") for picture in pictures)
    assert all(repr(it) not in ("", "None") for it in shown)
    assert names["saved"].differences == ()
    assert names["auction"].position.unit_at("CZE").power == "GERMANY"
    assert not any(cell["outputs"] for cell in cells)


def test_an_environment_without_numpy_says_that_it_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "variants.research.parallel_env", raising=False)
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(ImportError, match="This environment needs numpy: pip install numpy"):
        importlib.import_module("variants.research.parallel_env")


def test_an_environment_plays_whole_games_by_its_masks() -> None:
    pytest.importorskip("numpy", reason="numpy, which only the environment for learning needs, is not installed")
    env = importlib.import_module("variants.research.parallel_env").DiplomacyEnv("corridor", phases=40)
    chance, rewards = Random(1), dict.fromkeys(env.possible_agents, 0.0)
    observations, _ = env.reset(seed=1)
    first = env._shares()
    while env.agents:
        masks = {agent: seen["action_mask"] for agent, seen in observations.items() if agent in env.agents}
        actions = {agent: [chance.choice(row.nonzero()[0]) for row in mask] for agent, mask in masks.items()}
        observations, gained, *_ = env.step(actions)
        rewards = {agent: rewards[agent] + gained.get(agent, 0) for agent in rewards}
        phase = env.game.phases[-1]
        if phase.position.turn.kind is PhaseKind.MOVEMENT:
            assert not any(OrderResult.ILLEGAL in outcome.results for outcome in phase.public.outcomes)
    assert env.game.result or len(env.game.phases) == 40
    assert rewards == pytest.approx({agent: share - first[agent] for agent, share in env._shares().items()})
