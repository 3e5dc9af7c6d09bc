"""What an answer rests on: its statements and the rows that they got.

Caches are emptied, so an answer follows from its request, the time and the rows it reads, apart from chance, which is
not compared. The first statement follows from the request, and each further one from the request and the rows before
it. So where every statement gets in another world, at the same time, the rows that it got in the first, the answer
there is the same, with as many queries and the same lines in the log. Only the others must be asked for again: a page
takes ten times as long as its rows, and most rows are read for many pages.

What changes rows is always asked for again, and so is what is read in pieces. What a process remembers is no row: the
table has roles that ask for everything in every world.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2s
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import connection
from psycopg.pq import ExecStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from psycopg.pq.abc import PGresult

READS = re.compile(r"[\s(]*SELECT\b")
CHANGES = re.compile(r"\b(nextval|setval|set_config|pg_notify)\(")
MARKS = re.compile(r"(RELEASE |ROLLBACK TO )?SAVEPOINT\b")
"""They change nothing by themselves, and have other names each time."""
NO_ROWS = b""


class Statement(NamedTuple):
    """`got`: a digest of its rows; None if it may have changed some or was not read at once."""

    text: str
    got: bytes | None


@contextmanager
def noted() -> Iterator[list[Statement]]:
    """The statements that are executed meanwhile."""
    made: list[Statement] = []

    def note(execute: Callable[..., Any], sql: str, given: Any, many: bool, context: dict[str, Any]) -> Any:
        cursor = context["cursor"].cursor
        reads = not many and READS.match(sql) and not CHANGES.search(sql)
        text = cursor.mogrify(sql, given) if reads and given else sql
        made.append(Statement(text, NO_ROWS if MARKS.match(sql) else None))
        answer = execute(sql, given, many, context)
        if reads:
            made[-1] = Statement(text, digest(cursor.pgresult))
        return answer

    with connection.execute_wrapper(note):
        yield made


def digest(result: PGresult | None) -> bytes | None:
    """Of all rows, in sequence; None if they do not come at once."""
    if result is None or result.status != ExecStatus.TUPLES_OK:
        return None
    rows = [[result.get_value(row, column) for column in range(result.nfields)] for row in range(result.ntuples)]
    return blake2s(repr(rows).encode()).digest()


@dataclass
class Rows:
    """The rows of the world that there is now: each statement is executed once."""

    found: dict[str, bytes | None] = field(default_factory=dict)

    def are_the_same(self, before: Iterable[Statement]) -> bool:
        """Whether each statement gets what it got then."""
        return all(got is not None and (got == NO_ROWS or self._of(text) == got) for text, got in before)

    def _of(self, text: str) -> bytes | None:
        if text not in self.found:
            with connection.cursor() as cursor:
                cursor.execute(text)
                self.found[text] = digest(cursor.cursor.pgresult)
        return self.found[text]
