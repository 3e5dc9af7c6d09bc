"""`python -m tests.load storm 100`: what the whole site can do on this machine."""

from __future__ import annotations

import argparse
import importlib
import sys

import django

try:
    from tests.load.memory import memory as memory_of
    from tests.load.processes import count_statements, servers
except ModuleNotFoundError as missing:
    sys.exit(
        f"{missing.name} is not here: ./run has only what the site needs. ./run check adds the tools that tests need"
    )


def main() -> int:
    made = argparse.ArgumentParser(prog="python -m tests.load", allow_abbrev=False)
    benches = made.add_subparsers(dest="bench", required=True)
    storm = benches.add_parser("storm", help="so many games are due at once")
    storm.add_argument("games", type=int)
    storm.add_argument("--bots", type=int, default=0, help="so many other games wait for the orders of strong bots")
    storm.add_argument(
        "--nodes",
        action="store_true",
        help="by two nodes, through PgBouncer if it is installed; one is killed when a third is done",
    )
    watchers = benches.add_parser("watchers", help="so many open event streams, and a phase that closes")
    watchers.add_argument("number", type=int)
    slow = benches.add_parser("slow", help="so many slow clients of each kind, beside a player who saves")
    slow.add_argument("number", type=int)
    memory = benches.add_parser("memory", help="each process of the site at rest")
    memory.add_argument("form", nargs="?", choices=("run", "compose", "small"), default="run")
    memory.add_argument("--minutes", type=float, default=5, help="how long the site rests before (5)")
    pages = benches.add_parser("pages", help="every page, by one reader and by many")
    pages.add_argument("--inside", action="store_true", help="processor time of a player's pages, in one process")
    benches.add_parser("growth", help="lists on a small site and on a large one")
    benches.add_parser("archive", help="searches of a hundred thousand finished games")
    drill = benches.add_parser("drill", help="the site is destroyed, and restored elsewhere from a backup")
    drill.add_argument("games", type=int)
    tournament = benches.add_parser("tournament", help="the page of a large tournament, beside that of a game")
    tournament.add_argument("--rounds", type=int, default=3, help="of 25 tables each (3)")
    disk = benches.add_parser("disk", help="what a phase leaves on the disk")
    disk.add_argument("--games", type=int, default=20)
    disk.add_argument("--phases", type=int, default=8, help="of each game")
    disk.add_argument("--untidy", action="store_true", help="without autovacuum")
    pictures = benches.add_parser("pictures", help="so many different pictures, from many addresses, beside a storm")
    pictures.add_argument("number", type=int)
    pictures.add_argument("--games", type=int, default=300, help="so many games are due at once meanwhile (300)")
    made.add_argument("--keep", action="store_true", help="keep the folder with the logs")
    options = vars(made.parse_args())
    bench, keep = options.pop("bench"), options.pop("keep")
    if bench == "memory":
        memory_of(**options, keep=keep)
        return 0
    count_statements()
    with servers(keep=keep) as site:
        django.setup()
        module = importlib.import_module(f"tests.load.{bench}")  # it needs the settings
        getattr(module, bench)(site, **options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
