"""Throw-away servers for the tests, started once before the settings are read; workers inherit them."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from diplomacy_site.embedded import places
from diplomacy_site.embedded.stack import VARIABLES, Stack


def start_throw_away_servers() -> None:
    data = Path(tempfile.mkdtemp(prefix="diplomacy-tests-"))
    stack = Stack(data, durable=False)
    atexit.register(throw_away, stack)
    stack.start()
    os.environ.update(stack.environment())


def throw_away(stack: Stack) -> None:
    stack.stop()
    shutil.rmtree(stack.data, ignore_errors=True)
    shutil.rmtree(places.sockets(stack.data), ignore_errors=True)


if not all(os.environ.get(name) for name in VARIABLES):
    start_throw_away_servers()
