"""Servers for the tests, started once before the settings are read; workers inherit them.

They are thrown away at the end. With `--reuse-db` their files, and so the tables, are kept for the next run.
"""

import atexit
import os
import shutil
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from diplomacy_site.embedded import EmbeddedError, places
from diplomacy_site.embedded.stack import VARIABLES, Stack, sole_use
from tests.database import fingerprint

KEPT = places.CHECKOUT / ".kept"
REUSE = "--reuse-db"


def start_servers(kept: Path | None) -> None:
    """Servers on the kept files, or on new ones if those can't be used or another run is using them."""
    with ExitStack() as held:
        if kept is None or not held.enter_context(sole_use(kept)):
            start_throw_away_servers()
            return
        stack, wanted = Stack(kept, durable=False), fingerprint()
        if not is_made_of(kept, wanted) or not starts(stack):
            forget(stack)
            stack.start()
            (kept / "made-of").write_text(wanted)
        atexit.register(held.pop_all().close)
    atexit.register(stack.stop)
    os.environ.update(stack.environment())


def start_throw_away_servers() -> None:
    stack = Stack(Path(tempfile.mkdtemp(prefix="diplomacy-tests-")), durable=False)
    atexit.register(throw_away, stack)
    stack.start()
    os.environ.update(stack.environment())


def throw_away(stack: Stack) -> None:
    stack.stop()
    forget(stack)
    shutil.rmtree(stack.data, ignore_errors=True)


def forget(stack: Stack) -> None:
    """All the servers' files, but not the lock beside them."""
    data = stack.data
    for folder in (
        data / "postgres",
        data / "valkey",
        places.folder_of_sockets(data),
        places.folder_within_reach(data),
    ):
        shutil.rmtree(folder, ignore_errors=True)


def starts(stack: Stack) -> bool:
    try:
        stack.start()
    except EmbeddedError:
        return False
    return True


def is_made_of(kept: Path, wanted: str) -> bool:
    made_of = kept / "made-of"
    return made_of.exists() and made_of.read_text() == wanted


if not all(os.environ.get(name) for name in VARIABLES):
    start_servers(KEPT if REUSE in sys.argv else None)
