"""Everything that reads people's text takes time in proportion to its length.

Each reader gets 100,000 characters of what it likes least. All of them together have a budget that linear readers use a
small part of; one that takes quadratic time would need minutes, and none would come to an end with a cubic one.
"""

from __future__ import annotations

import signal
from contextlib import contextmanager, suppress
from string import ascii_lowercase
from typing import TYPE_CHECKING

from adjudication.notation import read_sheet
from games.deadlines.timetable import parse_times
from games.delivery.discord import MARKS
from games.press.markup import message_html
from games.press.talk import _pieces_around_match
from games.templatetags.site_words import coded
from variants.commands.boards.dpjudge import from_dpjudge
from variants.commands.boards.facts import facts_of
from variants.commands.boards.jdip import from_jdip
from variants.commands.bring import from_table
from variants.commands.judge import judge_lines
from variants.registry import find
from variants.rulebooks import RULEBOOKS
from variants.travel import read_games, replayed
from variants.travel.reports import MARKS as MARKDOWN
from variants.travel.told_position import MOST_CHARACTERS, read_position

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LENGTH = MOST_CHARACTERS
BUDGET_SECONDS = 60
"""Of computing, on a slow machine; it takes about 4."""
LANDS, STANDARD, RULES = find("1926"), find("standard"), RULEBOOKS["1926"]()


def heap(text: str, length: int = LENGTH) -> str:
    return text * (length // len(text))


def rows(text: str, beginning: str = "", length: int = LENGTH, width: int = 1_950) -> str:
    """Lines as long as they may be."""
    row = f"{beginning}{heap(text, width)}"
    return "\n".join([row] * (length // (len(row) + 1)))


def sheet(text: str) -> object:
    return read_sheet(text, "GERMANY", LANDS.start, LANDS.ruleset)


def position(text: str) -> object:
    return read_position(f"Fall 1903\nItaly: A Ven\nCentres:\nItaly: Ven\n{text}"[:LENGTH], STANDARD)


def judged(text: str) -> object:
    return list(judge_lines([text], RULES))


def games(text: str) -> object:
    return [replayed(told) for told in read_games(text)]


def listed(text: str) -> str:
    return ",".join([text] * (LENGTH // (len(text) + 1)))


NAMES = [a + b + c for a in ascii_lowercase[:8] for b in ascii_lowercase for c in ascii_lowercase]
PHASE = '{"phase": "F1926R", "units": {"GERMANY": ["A MUN"]}, '
READERS: tuple[tuple[Callable[[str], object], tuple[str, ...]], ...] = (
    (
        sheet,
        (
            *(f"1{heap(it)}x" for it in (" ", "-", "a'", "9", ";", "\u0301", "1: ", "m", "(")),
            *(rows(it) for it in ("A MUN S ", "- ", "1 ", "a'", "IF ", ", ")),
            *(heap(it) for it in ("1: A AUS H\n", "IF A MUN DISLODGED: BUR\n", "BUILDS: A BER\n", "A MUN H\n")),
            rows("BUR, ", "IF A MUN DISLODGED: "),
        ),
    ),
    (
        position,
        (
            *(f"a{heap(it)}x" for it in (" ", "\t", "the ", " (", "- ", "**", "1", "and ")),
            *(rows(it) for it in ("1", "a ", "** ", "- ", ": ", "(1", " and A ", " from ", "=", "_ -")),
            *(rows(it, "Italy: ") for it in ("A Ven,", "zz,", "A ", "and ", " from Ven", "(C) ")),
            *(rows(it, "Contested: ") for it in ("Mun,", "St. ", "x,")),
            f"Dislodged:\n{rows('A Rom from Ven,', 'Italy: ')}",
        ),
    ),
    (
        judged,
        (
            *(heap(it) for it in ("[", "{", '"', "9", " ", '{"a":')),
            f'{{"units": {{"GERMANY": [{listed(chr(34) + "A MUN" + chr(34))}]}}}}',
            *(
                PHASE + field
                for field in (
                    f'"orders": {{"GERMANY": [{listed(chr(34) + "A MUN H" + chr(34))}]}}}}',
                    f'"orders": {{"GERMANY": ["{heap("A ")}"]}}}}',
                    f'"dislodged": {{"GERMANY": [{listed(chr(34) + "A BER" + chr(34))}]}}}}',
                    f'"contested": [{listed(chr(34) + "BER" + chr(34))}]}}',
                    f'"memory": {{"disordered": [{listed(chr(34) + "POLAND" + chr(34))}]}}}}',
                )
            ),
        ),
    ),
    (games, (heap('{"map":"standard","rules":[],"phases":[]}\n'), heap("\n"), heap(" "), heap("[["), heap('{"a":'))),
    (
        lambda text: facts_of(from_dpjudge([(f"Line {n}", line) for n, line in enumerate(text.splitlines(), 1)])),
        (
            *(f"{it} b" for it in (heap("a "), f"a{heap(' ')}", f"LAND{heap(' ')}", f"a = {heap(' ')}", heap("A("))),
            heap("a = a\nCOAST a ABUTS a\n"),
            "\n".join([*(f"N = {it}\nN = {it}/nc" for it in NAMES), "LAND aaa ABUTS aaa"]),
            f"{heap('A (b) a' + chr(10))}{heap('SHUT a' + chr(10))}a = a\nLAND a ABUTS a",
            f"A (b)\nOWNS {heap('a ', LENGTH // 2)}\n{heap(chr(10) + 'DUMMY', LENGTH // 2)}\na = a\nLAND a ABUTS a",
        ),
    ),
    (
        lambda text: facts_of(from_jdip(text)),
        (
            "".join(["<a>", *(f'<PROVINCE shortname="{it}"/>' for it in NAMES), "</a>"]),
            heap("<a>"),
            f"<a>{heap('&amp;')}</a>",
        ),
    ),
    (
        lambda text: facts_of(from_table(f"short,name,kind,army,fleet\n{text}")),
        ("\n".join(f"{it},x,land,aaa,aab" for it in NAMES), f"a,x,land,{heap('a ')},", f'"{heap(chr(34) * 2)}'),
    ),
    (message_html, tuple(heap(it) for it in ("> ", "- ", "* a\n", "http://", "[", "**a", "1. ", "\t", "    a\n", "#"))),
    (lambda text: _pieces_around_match(text, "a"), (heap("a"), heap("b") + "a", heap("İ"))),
    (parse_times, tuple(heap(it) for it in ("Mon ", "1", ":", "1:", "Mon 19:00, ", "m"))),
    (coded, (heap("`"), heap("`a"), "`" + heap("a"))),
    (lambda text: MARKS.sub(r"\\\1", text) + MARKDOWN.sub(r"\\\1", text), (heap("*"), heap("[a]"))),
)


class OutOfBudgetError(BaseException):
    """Not an Exception, so that no reader takes it for one of its own."""


@contextmanager
def budget(seconds: int) -> Iterator[None]:
    """Stop what takes more computing than that, also in the middle of matching a pattern."""

    def stop(*_: object) -> None:
        raise OutOfBudgetError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def test_no_text_takes_a_reader_more_than_linear_time() -> None:
    with budget(BUDGET_SECONDS):
        for read, texts in READERS:
            for text in texts:
                with suppress(ValueError):
                    read(text)
