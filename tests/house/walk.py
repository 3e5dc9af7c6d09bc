"""A bid's path through the checkout where this runs: from the form to the row, and to the order page.

`python -m tests.house.shape FOLDER --walk` runs it in that checkout, and explains what is counted.
"""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from adjudication import notation
from tests.factories import occupancy_of, running_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import CodeType, FrameType

    from django.test import Client

PACKAGES = ("adjudication", "variants", "games", "diplomacy_site")
POINTS = 79_197_919
MARK = str(POINTS)
DEEP = 8
FORM = {"ordinal": "0", "use": "controls", "bid-0-minor": "AUS", "bid-0-order": "A AUS H", "bid-0-points": MARK}


class Walk:
    """Our functions that handle the mark, and how often they received or returned it."""

    def __init__(self) -> None:
        self.calls: Counter[tuple[str, str]] = Counter()
        self.inside = f"{Path.cwd()}/"
        self.stays: dict[CodeType, tuple[str, str] | None] = {}
        self.counted: set[FrameType] = set()
        self.lasting: dict[int, tuple[object, bool]] = {}

    def __str__(self) -> str:
        files = {file for file, _ in self.calls}
        read = self.calls["adjudication/notation.py", "read_sheet"]
        return f"{len(self.calls)} stays in {len(files)} files, {self.calls.total()} calls, read {read} times"

    @contextmanager
    def watching(self) -> Iterator[Walk]:
        self.lasting.clear()
        sys.setprofile(self.see)
        try:
            yield self
        finally:
            sys.setprofile(None)

    def see(self, frame: FrameType, event: str, returned: object) -> None:
        """Called by the interpreter for every call and return."""
        code = frame.f_code
        if code not in self.stays:
            self.stays[code] = self.stay(code)
        stay = self.stays[code]
        if stay is None or event not in {"call", "return"}:
            return
        held = [returned] if event == "return" else given(frame)
        if any(self.holds(value, DEEP) for value in held):
            self.calls[stay] += frame not in self.counted
            self.counted.add(frame)
        if event == "return":
            self.counted.discard(frame)

    def stay(self, code: CodeType) -> tuple[str, str] | None:
        """One of our functions; names in angle brackets are parts of one."""
        if code.co_name[0] == "<" or not code.co_filename.startswith(self.inside):
            return None
        file = code.co_filename.removeprefix(self.inside)
        return (file, code.co_qualname) if file.startswith(PACKAGES) else None

    def holds(self, value: object, deep: int) -> bool:
        """Is the mark in this value, or anywhere inside it?"""
        kind = type(value)
        if kind is int:
            return value == POINTS
        if issubclass(kind, str | bytes):
            return MARK in (value if isinstance(value, str) else repr(value))
        known = self.lasting.get(id(value))
        if known:
            return known[1]
        found = deep > 0 and any(self.holds(part, deep - 1) for part in parts_of(value))
        if found or issubclass(kind, tuple) or is_frozen(kind):
            self.lasting[id(value)] = (value, found)
        return found


class Steps:
    """Our functions that run, whatever they handle, in how many files."""

    def __init__(self) -> None:
        self.walk = Walk()
        self.run: set[tuple[str, str]] = set()

    def __str__(self) -> str:
        return f"{len(self.run)} functions in {len({file for file, _ in self.run})} files"

    @contextmanager
    def watching(self) -> Iterator[Steps]:
        sys.setprofile(self.see)
        try:
            yield self
        finally:
            sys.setprofile(None)

    def see(self, frame: FrameType, event: str, _returned: object) -> None:
        """Called by the interpreter for every call and return."""
        stay = self.walk.stay(frame.f_code) if event == "call" else None
        if stay:
            self.run.add(stay)


def given(frame: FrameType) -> Iterable[object]:
    code = frame.f_code
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return [frame.f_locals[name] for name in names if name in frame.f_locals]


def is_frozen(kind: type) -> bool:
    return bool(getattr(getattr(kind, "__dataclass_params__", None), "frozen", False))


def parts_of(value: Any) -> Iterable[object]:
    """The parts of a list, a mapping or one of our dataclasses. Nothing else is touched, in case that runs code."""
    kind = type(value)
    if issubclass(kind, dict):
        return [*dict.keys(value), *dict.values(value)]
    if issubclass(kind, list | tuple | set | frozenset):
        return list(value)
    if kind.__module__.startswith(PACKAGES) and is_dataclass(kind):
        return [getattr(value, field.name, None) for field in fields(kind)]
    return []


@pytest.mark.django_db
def test_a_bid_walks_from_the_form_to_the_row_and_onto_the_page(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notation, "overspending_refusal", lambda *_: None)
    game = running_game()
    client.force_login(occupancy_of(game, "GERMANY").user)
    page = reverse("games:orders", kwargs={"slug": game.slug})
    client.get(page)
    saved, shown, both = Walk(), Walk(), Walk()
    with saved.watching():
        assert client.post(page, FORM).status_code == 303
    with shown.watching():
        assert MARK in client.get(page).content.decode()
    both.calls = saved.calls + shown.calls
    tell = sys.stdout.write
    for file, function in both.calls:
        tell(f"\n  {file}  {function}")
    for what, walk in {"save": saved, "page": shown, "save and page": both}.items():
        tell(f"\n{what:<22}  {walk}")
    tell("\n")


@pytest.mark.django_db
def test_how_many_functions_run_for_a_page_of_a_player_and_for_a_save(client: Client) -> None:
    story = Story(running_game())
    story.deadline()
    client.force_login(occupancy_of(story.game, "GERMANY").user)
    game, orders = (reverse(f"games:{name}", kwargs={"slug": story.game.slug}) for name in ("game", "orders"))
    form = {"ordinal": "1", "use": "text", "text": "A Mun H"}
    client.get(game)
    client.post(orders, form)
    page, save = Steps(), Steps()
    with page.watching():
        assert client.get(game).status_code == 200
    with save.watching():
        assert client.post(orders, form).status_code == 303
    sys.stdout.write(f"\n{'page of the game':<22}  {page}\n{'save of orders':<22}  {save}\n")
