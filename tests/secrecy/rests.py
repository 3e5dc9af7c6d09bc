"""What an answer rests on: its statements and the rows that they got.

Caches are emptied, so an answer follows from its request, the time and the rows it reads, apart from chance, which is
not compared. The first statement follows from the request, and each further one from the request and the rows before
it. So where every statement gets in another world, at the same time, the rows that it got in the first, the answer
there is the same, with as many queries and the same lines in the log. Only the others must be asked for again: a page
takes ten times as long as its rows, and most rows are read for many pages.

Where statements change rows, they are executed again in sequence, and undone. What is read in pieces is always asked
for again. What a process remembers is no row: the table has roles that ask for their pages in every world.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2s
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import DatabaseError, connection, transaction
from psycopg import ServerCursor
from psycopg.pq import ExecStatus

from tests.secrecy.worlds import counters, put_back

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from psycopg.pq.abc import PGresult

    from tests.secrecy.worlds import Counters

READS = re.compile(r"[\s(]*SELECT\b")
CHANGES = re.compile(r"\b(nextval|setval|set_config|pg_notify)\(")
MARKS = re.compile(r"(RELEASE |ROLLBACK TO )?SAVEPOINT\b")
"""They change nothing by themselves, and have other names each time."""


class Statement(NamedTuple):
    """`got`: a digest of its rows, or of how many it changed; None if it failed or was not read at once."""

    text: str
    got: bytes | None

    @property
    def is_mark(self) -> bool:
        return MARKS.match(self.text) is not None

    @property
    def changes(self) -> bool:
        return not (self.is_mark or (READS.match(self.text) and not CHANGES.search(self.text)))


@contextmanager
def noted() -> Iterator[list[Statement]]:
    """The statements that are executed meanwhile."""
    made: list[Statement] = []

    def note(execute: Callable[..., Any], sql: str, given: Any, many: bool, context: dict[str, Any]) -> Any:
        cursor = context["cursor"].cursor
        at_once = not many and not isinstance(cursor, ServerCursor)
        text = cursor.mogrify(sql, given) if at_once and given else sql
        made.append(Statement(text, None))
        answer = execute(sql, given, many, context)
        if at_once:
            made[-1] = Statement(text, digest(cursor.pgresult))
        return answer

    with connection.execute_wrapper(note):
        yield made


def digest(result: PGresult | None) -> bytes | None:
    """Of all rows, in sequence, and of their number; None if they do not come at once."""
    if result is None or result.status not in {ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK}:
        return None
    rows = [[result.get_value(row, column) for column in range(result.nfields)] for row in range(result.ntuples)]
    return blake2s(repr((result.command_status, rows)).encode()).digest()


@dataclass
class Rows:
    """The rows of the world that there is now, in which each statement is executed once; and its counters."""

    found: dict[str, bytes | None] = field(default_factory=dict)
    counters: Counters = field(default_factory=counters)

    def are_the_same(self, before: Sequence[Statement]) -> bool:
        """Whether each statement gets what it got then."""
        if any(each.got is None for each in before):
            return False
        reads = list(takewhile(lambda each: not each.changes, before))
        known = all(each.is_mark or self._of(each.text) == each.got for each in reads)
        marks = [each for each in reads if each.is_mark]
        return known and (len(reads) == len(before) or self._happens_again([*marks, *before[len(reads) :]]))

    def _of(self, text: str) -> bytes | None:
        if text not in self.found:
            self.found[text] = _executed(text)
        return self.found[text]

    def _happens_again(self, before: Sequence[Statement]) -> bool:
        try:
            with transaction.atomic():
                same = all(_executed(each.text) == each.got for each in before)
                transaction.set_rollback(True)
        except DatabaseError:
            same = False
        self.put_back_counters()
        return same

    def put_back_counters(self) -> None:
        """After what has changed rows and is undone: no transaction undoes the counters."""
        put_back(self.counters)


def _executed(text: str) -> bytes | None:
    with connection.cursor() as cursor:
        cursor.execute(text)
        return digest(cursor.cursor.pgresult)
