"""The JavaScript is checked if Node is installed; if not, `./run check` says so and continues."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from diplomacy_site.embedded import places
from tests.check import script_checks

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A project with one JavaScript test."""
    (tmp_path / "tests/js").mkdir(parents=True)
    (tmp_path / "tests/js/zoom.test.js").touch()
    (tmp_path / "tests/js/helper.js").touch()
    (tmp_path / "package-lock.json").write_text("{}")
    return tmp_path


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on the path; empty."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}")
    return folder


def put(folder: Path, name: str, does: str = "") -> None:
    (folder / name).write_text(f"#!/bin/sh\n{does}\n")
    (folder / name).chmod(0o755)


def test_without_node_no_script_is_checked_and_a_line_says_so(
    checkout: Path, tools: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert script_checks(checkout) == {}
    assert capsys.readouterr().out.splitlines() == ["Skipped the JavaScript checks: Node is not installed."]


@pytest.mark.parametrize("npm", ["exit 1", None], ids=["without a network", "without npm"])
def test_without_packages_only_what_needs_them_is_left_out_and_a_line_says_so(
    checkout: Path, tools: Path, capsys: pytest.CaptureFixture[str], npm: str | None
) -> None:
    put(tools, "node")
    if npm:
        put(tools, "npm", npm)
    assert script_checks(checkout) == {"js tests": ["node", "--test", "tests/js/zoom.test.js"]}
    assert capsys.readouterr().out.splitlines() == ["Skipped eslint and tsc: npm could not install their packages."]


def test_packages_are_installed_once_and_again_when_the_lock_changes(
    checkout: Path, tools: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tools, "node")
    put(tools, "npm", '/bin/mkdir -p node_modules; echo "$@" >> installed')
    for lock in ("{}", "{}", '{"another": 1}'):
        (checkout / "package-lock.json").write_text(lock)
        assert set(script_checks(checkout)) == {"eslint", "tsc", "js tests"}
    assert len((checkout / "installed").read_text().splitlines()) == 2
    assert capsys.readouterr().out == ""


def test_the_lock_pins_what_packages_hash_to_and_names_no_index() -> None:
    packages = json.loads((places.CHECKOUT / "package-lock.json").read_text())["packages"]
    wanted = json.loads((places.CHECKOUT / "package.json").read_text())
    assert packages.pop("")["devDependencies"] == wanted["devDependencies"]
    assert [name for name, package in packages.items() if "resolved" in package] == []
    assert [name for name, package in packages.items() if "integrity" not in package] == []
    assert "dependencies" not in wanted
