"""Queries of the most frequent pages, whose SQL is built only once: building it takes longer than running it."""

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from types import SimpleNamespace
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Model, QuerySet
from django.db.models.query import ModelIterable

M = TypeVar("M", bound=Model)


class PreparedQuery(Generic[M]):
    """A query that differs only in some values. `make` builds it from values; `marks` are values that occur nowhere
    else in it, so that their places in the SQL can be found."""

    keeps = True
    """False for tests that set a clock, which is a value in these queries then."""

    def __init__(self, make: Callable[..., QuerySet[M]], *marks: object) -> None:
        self.make = make
        self.marks = marks
        self.made: tuple[Any, str, tuple[Any, ...]] | None = None

    def __call__(self, *values: object) -> list[M]:
        if not self.keeps:
            return list(self.make(*values))
        if self.made is None:
            compiler = self.make(*self.marks).query.get_compiler(DEFAULT_DB_ALIAS)
            self.made = compiler, *compiler.as_sql()
        compiler, sql, parameters = copy(self.made[0]), *self.made[1:]
        filled_in = parameters_with_values(parameters, dict(zip(self.marks, values, strict=True)))
        compiler.connection, compiler.as_sql = connections[DEFAULT_DB_ALIAS], lambda: (sql, filled_in)
        query = SimpleNamespace(get_compiler=lambda using: compiler)  # noqa: ARG005 - it is called with this name
        rows = SimpleNamespace(db=DEFAULT_DB_ALIAS, query=query, _known_related_objects={})
        return list(ModelIterable(rows))  # type: ignore[arg-type]  # all that it asks of a queryset


def parameters_with_values(parameters: Iterable[Any], values: Mapping[object, object]) -> tuple[Any, ...]:
    """The parameters of such a query, with these values in place of their marks."""
    return tuple(values.get(value, value) if isinstance(value, int | str) else value for value in parameters)


USER, GAME, SLUG, PHASE = -1_000_000_007, -1_000_000_009, "slug-mark", -1_000_000_021
"""Marks for prepared queries."""
