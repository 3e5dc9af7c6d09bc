"""`python -m variants`: the rules at a terminal, needing only Python."""

import json
import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, _SubParsersAction
from collections.abc import Callable, Iterable, Sequence
from io import TextIOWrapper
from pathlib import Path

from variants.bots import Level
from variants.commands import balance
from variants.commands import bench as speed
from variants.commands.arena import Match, NotAPlayer, Player, lines_by_power, play_match, summary_of_match
from variants.commands.boards.facts import facts_of
from variants.commands.boards.tables import READ, CannotRead
from variants.commands.bring import read_board
from variants.commands.check import check_variant
from variants.commands.folders import (
    CannotDraw,
    NameRefused,
    NoSuchVariant,
    draw_map,
    make_variant,
    variant_home,
    variant_list,
)
from variants.commands.judge import bot_lines, judge_lines
from variants.commands.look import look_page
from variants.commands.release import CannotRelease, begin_version, finish_version
from variants.commands.replay import BadRecord, replay
from variants.declaration import TEXT as SCHEMA
from variants.examples import BadExample
from variants.phase_json import BadPhase
from variants.phase_written import write_position
from variants.rulebook import BrokenVariant, Rulebook
from variants.rulebooks import RULEBOOKS, UnknownVariant, slug_of
from variants.switches import UnknownRule, rulebook_with
from variants.travel import FORMS, READERS, WrongFile, read_games, replayed, write_game

REFUSALS = (
    *(BadExample, BadPhase, BadRecord, BrokenVariant, CannotDraw, CannotRead, CannotRelease),
    *(NameRefused, NoSuchVariant, NotAPlayer, UnicodeDecodeError, UnknownRule, WrongFile),
)
"""What is said in one sentence."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Lone surrogates from the input are printed escaped."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    parser = _parser()
    args = parser.parse_args(arguments)
    try:
        return int(args.run(args))
    except REFUSALS as error:
        sys.stderr.write(f"{error}\n")
        return 2


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m variants", description="The rules of the game, at a terminal.")
    commands = parser.add_subparsers(required=True)
    _add_game_commands(commands)
    replaying = commands.add_parser("replay", help="recompute a published game: results, auctions, sealed records")
    replaying.add_argument("file", help="the record of the game, as downloaded from the site")
    _rule_settings(replaying)
    replaying.set_defaults(run=_run_replay)
    convert = commands.add_parser("convert", help="turn games into another form: files of other programs, reports")
    convert.add_argument(
        "--from", dest="source", choices=list(READERS), default="", help="whichever it is, if left out"
    )
    convert.add_argument("--to", dest="goal", choices=sorted(FORMS), required=True)
    _rule_settings(convert)
    convert.set_defaults(run=_run_convert)
    bench = commands.add_parser("bench", help="count how many movement phases are adjudicated per second")
    _rule_options(bench)
    bench.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="one phase or game per line, gzipped or not; without any file, simple bots play the games",
    )
    bench.add_argument("--first", type=int, default=1000, help="use only the first so many phases (1000)")
    bench.add_argument("--rounds", type=int, default=5)
    bench.add_argument("--growth", action="store_true", help="adjudicate crowded boards of several sizes too")
    bench.add_argument("--memory", action="store_true", help="adjudicate 100,000 phases and report the memory used")
    bench.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="COMMAND",
        help="another program to run in every round: it reads the phases and prints rows as here (repeatable)",
    )
    bench.set_defaults(run=_run_bench)
    arena = commands.add_parser("arena", help="let bots play matches: the share of one seat among others")
    _variant_option(arena)
    arena.add_argument("--one", default="strong", help="easy, medium, strong or random; strong:10 for a tenth")
    arena.add_argument("--others", default="easy")
    arena.add_argument("--games", type=int, default=70)
    arena.add_argument("--years", type=int, default=10)
    arena.add_argument("--processes", type=int, default=1)
    arena.add_argument("--kept", type=Path, help="a file that keeps the games; those in it are not played again")
    arena.set_defaults(run=_run_arena)
    _add_designer_commands(commands)
    return parser


def _add_game_commands(commands: "_SubParsersAction[ArgumentParser]") -> None:
    start = commands.add_parser("start", help="write the phase with which a game begins, as JSON in one line")
    _rule_options(start)
    start.set_defaults(run=_run_start)
    judge = commands.add_parser("judge", help="adjudicate one phase per line: JSON in, JSON out")
    _rule_options(judge)
    judge.add_argument("--any-position", action="store_true", help="even one with more units than centres")
    judge.set_defaults(run=_run_judge)
    bot = commands.add_parser("bot", help="fill in the orders that are missing from each phase: JSON in, JSON out")
    _rule_options(bot)
    bot.add_argument("--level", type=Level, choices=[*Level], default=Level.EASY)
    bot.add_argument("--seed", type=int, default=0, help="another number gives other orders (0)")
    bot.add_argument(
        "--power", action="append", default=[], help="only for this power (repeatable); without it, for all"
    )
    bot.set_defaults(run=_run_bot)


def _add_designer_commands(commands: "_SubParsersAction[ArgumentParser]") -> None:
    listing = commands.add_parser("list", help="list the variants: slug, title, players, spaces, supply centres")
    listing.set_defaults(run=lambda _: _print_lines(variant_list(RULEBOOKS)))
    make = commands.add_parser("new", help="make the folder of a new variant")
    _add_author_options(make, lambda args: _print_lines(make_variant(args.name).splitlines()))
    _add_author_options(commands.add_parser("check", help="check a variant's folder and list its faults"), _run_check)
    schema = commands.add_parser("schema", help="write what a variant.toml may contain, as JSON Schema")
    schema.set_defaults(run=lambda _: _print_lines(SCHEMA.splitlines()))
    draw = commands.add_parser("draw", help="redraw a variant's map from its facts")
    _add_author_options(draw, lambda args: draw_map(*variant_home(args.name)))
    bring = commands.add_parser("bring", help="turn a board from elsewhere into the beginning of a facts.yaml")
    bring.add_argument("file", help=READ)
    bring.set_defaults(run=_run_bring)
    release = commands.add_parser("release", help="begin a new version for a change, or say what it has changed")
    _add_author_options(release, _run_release)
    release.add_argument("version", nargs="?", default="", help="the number of the version to begin, as in 1.1")
    even = commands.add_parser("balance", help="let bots of one level play all seats: how even a board is")
    even.add_argument(
        "variants", type=_slug, nargs="+", metavar="NAME", help="a slug, or the folder of one of your own"
    )
    even.add_argument("--bots", default="easy", help="easy, medium, strong or random (easy)")
    even.add_argument("--years", type=int, default=10)
    even.add_argument("--games", type=int, default=10_000, help="no more than so many")
    even.add_argument("--minutes", type=float, default=20, help="for each board: no game is begun later (20)")
    even.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    even.add_argument("--toml", action="store_true", help="write what variants/bots/evenness.toml has of each board")
    even.set_defaults(run=_run_balance)
    look = commands.add_parser("look", help="write a page with the board empty, at the start and crowded")
    _add_author_options(look, _run_look)
    look.add_argument("page", nargs="?", default="look.html", help="the file to write (look.html)")


def _add_author_options(parser: ArgumentParser, run: Callable[[Namespace], int]) -> None:
    parser.add_argument("name", help="the variant's folder, or the name of one of ours")
    parser.set_defaults(run=run)


def _variant_option(parser: ArgumentParser) -> None:
    parser.add_argument("--variant", type=_slug, default="standard", help="its slug, or the folder of one of your own")


def _slug(name: str) -> str:
    try:
        return slug_of(name)
    except (BrokenVariant, UnknownVariant) as error:
        raise ArgumentTypeError(str(error)) from error


def _rule_options(parser: ArgumentParser) -> None:
    _variant_option(parser)
    _rule_settings(parser)


def _rule_settings(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--via-fallback",
        action="store_true",
        help="let an army ordered by convoy to an adjacent province go by land if no convoy is ordered",
    )
    parser.add_argument(
        "--rule",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set a rule, as in victory.centres=20 (repeatable); an unknown name lists those that there are",
    )


def _rulebook(args: Namespace) -> Rulebook:
    return rulebook_with(args.variant, _settings(args))


def _settings(args: Namespace) -> list[str]:
    return [*args.rule, *(["via_fallback=true"] if args.via_fallback else [])]


def _run_start(args: Namespace) -> int:
    book = _rulebook(args)
    return _print_lines([json.dumps(write_position(book.start, book.ruleset))])


def _run_judge(args: Namespace) -> int:
    return _print_lines(judge_lines(_stdin_lines(), _rulebook(args), crowded=args.any_position))


def _run_bot(args: Namespace) -> int:
    book = _rulebook(args)
    for power in args.power:
        if power not in book.ruleset.powers:
            raise BadPhase(f"There is no power {power}; there are {', '.join(book.ruleset.powers)}.")
    return _print_lines(bot_lines(_stdin_lines(), book, seed=args.seed, level=args.level, powers=args.power))


def _stdin_lines() -> Iterable[str]:
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="backslashreplace")
    return sys.stdin


def _print_lines(lines: Iterable[str]) -> int:
    """Print each line at once, so that a program that reads it can answer this one. If it closes the pipe, stop."""
    try:
        for line in lines:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _run_replay(args: Namespace) -> int:
    try:
        document = json.loads(Path(args.file).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BadRecord(f"{args.file} cannot be read: {error}.") from error
    report = replay(document, _settings(args))
    sys.stdout.writelines(f"{line}\n" for line in report.lines())
    return 1 if report.differences else 0


def _run_convert(args: Namespace) -> int:
    """Write every game in the new form, and each difference from our adjudicator to the error output."""
    for game in read_games(sys.stdin.read(), args.source):
        result = replayed(game, _settings(args))
        sys.stdout.write(write_game(args.goal, result.game).removesuffix("\n") + "\n")
        sys.stderr.writelines(f"DIFFERENCE: {difference}\n" for difference in result.differences)
    return 0


def _run_bench(args: Namespace) -> int:
    book = _rulebook(args)
    documents = (
        speed.recorded_phases(args.files, book, args.first) if args.files else speed.played_phases(book, args.first)
    )
    other_commands = [command for command in args.against if _run_measures(command, documents)]
    write = sys.stdout.write
    write(f"{len(documents):,} movement phases, best of {args.rounds}\n")
    rows = speed.measured_rows(documents, book, args.rounds, other_commands)
    growth_rows = speed.rows_by_board_size(book, args.rounds) if args.growth else []
    write("".join(f"{row}\n" for row in [*rows, *growth_rows]) + speed.ratios(rows))
    if args.memory:
        before, after = speed.peak_memory(documents, book)
        write(f"peak memory: {before:,} KiB after one pass, {after:,} KiB after {speed.STEADY:,} phases\n")
    return 0


def _run_arena(args: Namespace) -> int:
    Player.named(args.one), Player.named(args.others)
    match = Match(args.variant, args.one, args.others, args.years)
    games = play_match(match, args.games, processes=args.processes, path=args.kept)
    sys.stdout.writelines(f"{line}\n" for line in (summary_of_match(match, games), *lines_by_power(games)))
    return 0


def _run_balance(args: Namespace) -> int:
    """Write balance.json and balance.html; of several boards, with their slugs in the names."""
    Player.named(args.bots)
    for ref in args.variants:
        limits = {"games": args.games, "minutes": args.minutes, "processes": args.processes}
        found = balance.balance_of(ref, args.bots, args.years, balance.play_many(ref, args.bots, args.years, **limits))
        if args.toml:
            _print_lines([*balance.evenness_lines(found), ""])
            continue
        name = Path("balance" if len(args.variants) == 1 else f"balance-{ref}")
        name.with_suffix(".json").write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        name.with_suffix(".html").write_text(balance.balance_page(found), encoding="utf-8")
        _print_lines([*balance.summary(found), f"Open {name.with_suffix('.html').resolve().as_uri()} in a browser."])
    return 0


def _run_measures(command: str, documents: Sequence[speed.PhaseDocument]) -> bool:
    """Print another program's measurements; a program that measures nothing is skipped."""
    try:
        return bool(speed.rows_of(command, documents))
    except speed.NoRows as error:
        sys.stderr.write(f"Skipped: {error}\n")
        return False


def _run_check(args: Namespace) -> int:
    faults = 0
    for check in check_variant(*variant_home(args.name)):
        sys.stdout.write(f"{check}\n")
        faults += bool(check.faults)
    return 1 if faults else 0


def _run_bring(args: Namespace) -> int:
    sys.stdout.write(facts_of(read_board(Path(args.file))))
    return 0


def _run_release(args: Namespace) -> int:
    folder, variants = variant_home(args.name)
    lines = begin_version(folder, args.version, variants) if args.version else finish_version(folder, variants)
    return _print_lines(lines)


def _run_look(args: Namespace) -> int:
    Path(args.page).write_text(look_page(*variant_home(args.name)), encoding="utf-8")
    sys.stdout.write(f"Open {Path(args.page).resolve().as_uri()} in a browser.\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
