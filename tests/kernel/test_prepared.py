"""Queries that are put together once give the rows that they would give if they were put together anew."""

from __future__ import annotations

import gc
from typing import Any

import pytest
from django.db.models.query import ModelIterable

from games.kernel.access import GAME_FOR_STRANGERS, GAME_FOR_USER
from games.kernel.phase_rows import PHASES_OF_GAME
from games.kernel.prepared import PreparedQuery
from games.kernel.standpoint import SEATS
from games.news.log import NEWEST_LINES
from games.pages.queries import FIRST_OF_PERSONAL_LISTS, OWN_GAMES
from games.sealed.store import SHEETS_OF_PHASE
from tests.cast import PLAYERS, person
from tests.factories import open_phase, running_game
from tests.story import Story

pytestmark = pytest.mark.django_db


def test_nothing_in_such_a_query_belongs_to_the_moment_when_it_was_put_together() -> None:
    gc.unfreeze()  # frozen ones are not listed
    prepared: list[Any] = [
        it for it in gc.get_objects() if type(it) is PreparedQuery
    ]  # isinstance would wake lazy objects
    gc.freeze()
    assert len(prepared) >= 8
    for it in prepared:
        query: Any = it.make(*it.marks)
        assert query._prefetch_related_lookups == (), "these would be left out"
        assert query._iterable_class is ModelIterable
        sql, values = query.query.get_compiler("default").as_sql()
        again = it.make(*it.marks).query.get_compiler("default").as_sql()
        assert again == (sql, values), "something in it changes by itself"
        assert all(mark in values for mark in it.marks)
        lists = [value for value in values if isinstance(value, list | tuple)]
        assert not [mark for mark in it.marks for value in lists if mark in value], "it would stay in the list"


def test_the_rows_are_those_of_the_query_put_together_anew() -> None:
    games = [running_game(), running_game()]
    Story(games[1]).order("FRANCE", "A Par-Bur")
    Story(games[1]).deadline()
    alice, bob = (person(name).pk for name in PLAYERS[:2])
    asked: list[tuple[PreparedQuery[Any], list[tuple[object, ...]]]] = [
        (GAME_FOR_STRANGERS, [(game.slug,) for game in games]),
        (GAME_FOR_USER, [(game.slug, user) for game in games for user in (alice, bob)]),
        (PHASES_OF_GAME, [(game.pk,) for game in games]),
        (SEATS, [(game.pk,) for game in games]),
        (NEWEST_LINES, [(game.pk,) for game in games]),
        (SHEETS_OF_PHASE, [(open_phase(game).pk,) for game in games]),
        (OWN_GAMES, [(alice,), (bob,)]),
        (FIRST_OF_PERSONAL_LISTS, [(alice,), (bob,)]),
    ]
    for prepared, calls in asked:
        for values in [*calls, *calls]:
            assert [facts(row) for row in prepared(*values)] == [facts(row) for row in prepared.make(*values)]


def facts(row: Any) -> dict[str, Any]:
    """The columns of a row and of those read with it, but for the moment of reading."""
    read = {name: value for name, value in vars(row).items() if name not in {"_state", "read_at"}}
    with_it = row._state.fields_cache.items()
    return {**read, **{name: facts(other) if other else None for name, other in with_it}}
