"""`python -m tests.faults --rounds 1000 --games 100`: prints what was done and found; exits with 1 if anything is
wrong."""

from __future__ import annotations

import argparse
import importlib
import os
import shutil
import sys
import tempfile
from pathlib import Path

import django

from tests.faults.site import MANY, ONE, Site


def main() -> int:
    made = argparse.ArgumentParser(prog="python -m tests.faults", allow_abbrev=False)
    made.add_argument("--rounds", type=int, default=1000, help="how many faults (1000)")
    made.add_argument("--games", type=int, default=100, help="how many games run at once (100)")
    made.add_argument("--writers", type=int, default=4, help="how many write at once (4)")
    made.add_argument("--minutes", type=float, default=600, help="begin no round after so many minutes (600)")
    made.add_argument("--seed", type=int, default=0, help="another sequence of faults")
    made.add_argument("--keep", action="store_true", help="keep the folder with the logs")
    made.add_argument("--many", action="store_true", help="two webs, three workers and PgBouncer, as on many machines")
    options = made.parse_args()
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    folder = Path(tempfile.mkdtemp(prefix="diplomacy-faults-"))
    site = Site(folder, MANY if options.many else ONE)
    os.environ.update(site.stack.environment(), DJANGO_SETTINGS_MODULE="tests.faults.settings")
    django.setup()
    rounds = importlib.import_module("tests.faults.rounds")  # it needs the settings
    try:
        well = rounds.run(
            site,
            rounds=options.rounds,
            games=options.games,
            writers=options.writers,
            seed=options.seed,
            seconds=60 * options.minutes,
        )
    finally:
        site.stop()
        if options.keep:
            sys.stdout.write(f"logs: {folder}/logs\n")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
