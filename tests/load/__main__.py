"""`python -m tests.load storm 100`: what the whole site can do on this machine."""

from __future__ import annotations

import argparse
import importlib
import sys

import django

from tests.load.processes import servers


def main() -> int:
    made = argparse.ArgumentParser(prog="python -m tests.load", allow_abbrev=False)
    benches = made.add_subparsers(dest="bench", required=True)
    storm = benches.add_parser("storm", help="so many games are due at once")
    storm.add_argument("games", type=int)
    benches.add_parser("pages", help="every page, by one reader and by many")
    benches.add_parser("growth", help="lists on a small site and on a large one")
    benches.add_parser("archive", help="searches of a hundred thousand finished games")
    disk = benches.add_parser("disk", help="what a phase leaves on the disk")
    disk.add_argument("--games", type=int, default=20)
    disk.add_argument("--phases", type=int, default=8, help="of each game")
    disk.add_argument("--untidy", action="store_true", help="without autovacuum")
    made.add_argument("--keep", action="store_true", help="keep the folder with the logs")
    options = made.parse_args()
    with servers(keep=options.keep) as site:
        django.setup()
        bench = importlib.import_module(f"tests.load.{options.bench}")  # it needs the settings
        sizes = {name: value for name, value in vars(options).items() if name not in {"bench", "keep"}}
        getattr(bench, options.bench)(site, **sizes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
