"""The long round: all counts that prove more the larger they are, in one table, with what they cost.

Every run asks every claim, with the short counts. The long ones are asked for by name, with `all`, or by a number, of
which the builds take one after the other:

LONG_ROUND=all ./run test                                        everything
LONG_ROUND=chance ./run test rules                               one row; several have commas between them
LONG_ROUND=positions=20000,recorded=300 ./run test adjudication  other counts
python -m tests.long_round                                       the table, and the long rounds that are commands
"""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

VARIABLE = "LONG_ROUND"
ALL = "all"


class Row(NamedTuple):
    """`seconds`: of processor, that the tests take with the long count."""

    name: str
    what: str
    short: int
    long: int
    seconds: int
    tests: str


ROUND = (
    Row("bots", "phases of easy bots in each variant", 20, 200, 16, "tests/variants/test_contract.py"),
    Row("lawful", "phases of random orders in each variant’s check", 20, 200, 14, "tests/variants/test_kit.py"),
    Row("chance", "games of chance of each variant, and years by four", 1, 3, 16, "tests/variants -k chance"),
    Row("ahead", "phases written ahead in two games of each variant", 7, 20, 8, "tests/variants/test_written_ahead.py"),
    Row("searched", "phases searched by strong bots in each variant", 5, 14, 10, "tests/variants/test_bot_search.py"),
    Row("drawn", "percent of the drawn battles", 25, 100, 22, "tests/adjudication tests/variants -k 'not chance'"),
    Row("sound", "games between easy bots for the two sides of the Sound", 8, 400, 22, "tests/variants/test_sound.py"),
    Row("commands", "phases by commands in each variant", 3, 40, 14, "tests/variants/test_games_by_commands.py"),
    Row("mistakes", "lines and records with mistakes", 20, 400, 12, "tests/variants -k mistakes"),
    Row("carried", "phases of games carried about in each form", 5, 12, 8, "tests/variants/test_travel.py"),
    Row("damaged", "damaged files of games", 12, 100, 20, "tests/variants/test_travel.py tests/travel"),
    Row("guesses", "phases of which guesses and bots’ orders are compared", 2, 12, 20, "tests/orders/test_guesses.py"),
    Row("recorded", "recorded games replayed and carried about", 3, 20, 30, "tests -k recorded"),
    Row("wild", "phases with wild orders in each variant", 8, 100, 20, "tests -k 'reasons or words'"),
    Row("positions", "positions for another judge, from each seed", 100, 500, 30, "tests/adjudication -k another"),
    Row("lines", "order texts in each of three variants", 200, 3_000, 25, "tests/security/test_order_lines.py"),
    Row("schema", "requests by schema to each address", 2, 5, 60, "tests/security/test_api_by_schema.py"),
    Row("seasons", "seasons of each timetable held to their word", 1, 3, 120, "tests/deadlines/test_seasons.py"),
    Row("browsed", "phases of each kind in each variant in a browser", 1, 2, 60, "tests/e2e/test_every_variant.py"),
    Row("taps", "points along each side of a map that is tapped", 12, 20, 65, "tests/e2e/test_engines.py"),
    Row("spoken", "roles that read every page in a language of no one", 4, 12, 120, "tests/house -k spoken"),
    Row("backups", "pairs of twin sites backed up", 1, 13, 60, "tests/secrecy/test_twin_backups.py"),
)  # fmt: skip

COMMANDS = (
    ("LONG_ROUND=taps ./run test tests/e2e/engines_everywhere.py", "every page in three engines", 400),
    ("./run test tests/e2e/speed.py -n 0 -s", "how long a phone on a slow connection waits", 60),
    ("./run test tests/secrecy/table.py -n 0 -s", "the whole table of non-interference", 900),
    ("python -m tests.house.crawl ../before", "every page for every role, compared with another checkout", 500),
    ("python -m tests.faults --rounds 1000 --games 100", "faults of all kinds", 20_000),
    ("python -m tests.load storm 500", "so many games due at once", 600),
)
"""Command, what it tries, and about how many seconds of processor it takes."""


def how_many(name: str) -> int:
    """How many this run takes of the row of that name."""
    rows = {row.name: row for row in ROUND}
    return counts(os.environ.get(VARIABLE, "")).get(name, rows[name].short)


def counts(asked: str) -> dict[str, int]:
    """The counts that were asked for, by the name of the row; KeyError for a name that is no row's."""
    rows = {row.name: row for row in ROUND}
    if asked.isdecimal():
        asked = ROUND[int(asked) % len(ROUND)].name
    if asked == ALL:
        asked = ",".join(rows)
    found = [each.partition("=") for each in asked.split(",") if each]
    return {name: int(count or rows[name].long) for name, _, count in found if rows[name]}


def table() -> str:
    lines = [f"{'row':<10} {'short':>5} {'long':>5} {'s':>4}  what, and where"]
    lines += [f"{row.name:<10} {row.short:>5} {row.long:>5} {row.seconds:>4}  {row.what}: {row.tests}" for row in ROUND]
    lines += [f"{seconds:>27}  {what}: {command}" for command, what, seconds in COMMANDS]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(f"{table()}\n")
