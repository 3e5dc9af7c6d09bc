"""`python -m variants judge|replay|bench|list|new|check|draw`: the rules at a terminal, needing only Python."""

import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path

from variants.commands.bench import STEADY, NoRows, growth, memory, movement_phases, ratios, table
from variants.commands.check import check_variant
from variants.commands.draw import CannotDraw, draw
from variants.commands.folders import NoSuchVariant, folder_of
from variants.commands.judge import judge_lines
from variants.commands.listing import listing
from variants.commands.new import NameRefused, make
from variants.commands.replay import BadRecord, replay
from variants.rulebook import Rulebook
from variants.rulebooks import RULEBOOKS


def main(arguments: Sequence[str] | None = None) -> int:
    """Half characters in what was read are shown escaped."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    parser = _parser()
    asked = parser.parse_args(arguments)
    return int(asked.run(asked))


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m variants", description="The rules of the game, at a terminal.")
    commands = parser.add_subparsers(required=True)
    judge = commands.add_parser("judge", help="adjudicate one phase per line: JSON in, JSON out")
    _rule_options(judge)
    judge.set_defaults(run=_judge)
    played = commands.add_parser("replay", help="recompute a published game: results, auctions, sealed records")
    played.add_argument("file", help="the record of the game, as downloaded from the site")
    played.set_defaults(run=_replay)
    bench = commands.add_parser("bench", help="count how many recorded movement phases are adjudicated per second")
    _rule_options(bench)
    bench.add_argument("files", nargs="+", metavar="FILE", help="one phase or game per line, gzipped or not")
    bench.add_argument("--first", type=int, default=None, help="use only the first so many phases")
    bench.add_argument("--rounds", type=int, default=5)
    bench.add_argument("--memory", action="store_true", help="adjudicate 100,000 phases and report the memory used")
    bench.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="COMMAND",
        help="another program to run in every round; it must print rows like this command's (repeatable)",
    )
    bench.set_defaults(run=_bench)
    listing_of = commands.add_parser("list", help="list the variants: slug, title, players, spaces, supply centres")
    listing_of.set_defaults(run=_list)
    _author_options(commands.add_parser("new", help="make the folder of a new variant"), _new)
    _author_options(commands.add_parser("check", help="check a variant's folder and list its faults"), _check)
    _author_options(commands.add_parser("draw", help="redraw a variant's map from its facts"), _draw)
    return parser


def _author_options(parser: ArgumentParser, run: Callable[[Namespace], int]) -> None:
    parser.add_argument("name", help="the name of the variant's folder in variants/")
    parser.set_defaults(run=run)


def _rule_options(parser: ArgumentParser) -> None:
    parser.add_argument("--variant", choices=sorted(RULEBOOKS), default="standard")
    parser.add_argument(
        "--via-fallback",
        action="store_true",
        help="let an army ordered by convoy to an adjacent province go by land if no convoy is ordered",
    )


def _rulebook(asked: Namespace) -> Rulebook:
    book = RULEBOOKS[asked.variant]()
    return replace(book, ruleset=replace(book.ruleset, via_fallback=asked.via_fallback))


def _judge(asked: Namespace) -> int:
    """A reader that closes the pipe has had enough."""
    reading = sys.stdin
    if isinstance(reading, TextIOWrapper):
        reading.reconfigure(errors="backslashreplace")
    try:
        for line in judge_lines(reading, _rulebook(asked)):
            sys.stdout.write(line + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _replay(asked: Namespace) -> int:
    try:
        document = json.loads(Path(asked.file).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        return _refused(BadRecord(f"{asked.file} cannot be read: {error}."))
    try:
        report = replay(document)
    except BadRecord as error:
        return _refused(error)
    sys.stdout.writelines(f"{line}\n" for line in report.lines())
    return 1 if report.differences else 0


def _bench(asked: Namespace) -> int:
    book = _rulebook(asked)
    documents = movement_phases(asked.files)[: asked.first]
    say = sys.stdout.write
    say(f"{len(documents):,} movement phases, best of {asked.rounds}\n")
    try:
        rows = table(documents, book, asked.rounds, asked.against)
    except NoRows as error:
        return _refused(error)
    say("".join(f"{row}\n" for row in [*rows, *growth(book, asked.rounds)]) + ratios(rows))
    if asked.memory:
        before, after = memory(documents, book)
        say(f"peak memory: {before:,} KiB after one pass, {after:,} KiB after {STEADY:,} phases\n")
    return 0


def _list(_asked: Namespace) -> int:
    sys.stdout.writelines(f"{line}\n" for line in listing(RULEBOOKS))
    return 0


def _new(asked: Namespace) -> int:
    try:
        sys.stdout.write(make(asked.name))
    except NameRefused as error:
        return _refused(error)
    return 0


def _check(asked: Namespace) -> int:
    try:
        folder = folder_of(asked.name)
    except NoSuchVariant as error:
        return _refused(error)
    faults = 0
    for check in check_variant(folder):
        sys.stdout.write(f"{check}\n")
        faults += bool(check.faults)
    return 1 if faults else 0


def _draw(asked: Namespace) -> int:
    try:
        return draw(folder_of(asked.name))
    except (NoSuchVariant, CannotDraw) as error:
        return _refused(error)


def _refused(error: Exception) -> int:
    sys.stderr.write(f"{error}\n")
    return 2


if __name__ == "__main__":
    raise SystemExit(main())
