"""Servers whose tables are kept for the next run of a subject's tests."""

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from diplomacy_site.embedded import places
from diplomacy_site.embedded.stack import VARIABLES
from tests.database import fingerprint

RUN = """
import os, sys
from pathlib import Path
import psycopg
from tests import servers
for name in ("DATABASE_URL", "REDIS_URL"):
    del os.environ[name]
servers.fingerprint = lambda: sys.argv[2]
servers.start_servers(Path(sys.argv[1]))
with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
    found = connection.execute("SELECT to_regclass('mine')").fetchone()[0]
    connection.execute("CREATE TABLE IF NOT EXISTS mine ()")
print(found or "nothing", flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def run(kept: Path, made_of: str = "these migrations") -> Iterator[str]:
    """A test run at the same time, and what it finds of the previous one."""
    environment = {**os.environ, **dict.fromkeys(VARIABLES, "named, so that none start by themselves")}
    command = [sys.executable, "-c", RUN, str(kept), made_of]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=places.CHECKOUT, env=environment, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin
        assert process.stdout
        yield process.stdout.readline().strip()
        process.stdin.close()
    assert process.returncode == 0


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    for folder in (places.folder_of_sockets(tmp_path), places.folder_within_reach(tmp_path)):
        shutil.rmtree(folder, ignore_errors=True)


def test_the_next_run_finds_the_tables_and_one_beside_it_has_its_own(kept: Path) -> None:
    with run(kept) as first:
        assert first == "nothing"
        with run(kept) as beside:
            assert beside == "nothing"
    with run(kept) as second:
        assert second == "mine"


def test_tables_are_made_anew_when_they_would_be_others_or_the_servers_do_not_start(kept: Path) -> None:
    with run(kept) as first:
        assert first == "nothing"
    with run(kept, "other migrations") as second:
        assert second == "nothing"
    for version in (*kept.rglob("PG_VERSION"), *places.folder_within_reach(kept).rglob("PG_VERSION")):
        version.write_text("9.6\n")
    with run(kept, "other migrations") as third:
        assert third == "nothing"


def test_the_tables_are_others_when_a_migration_or_a_library_changes(tmp_path: Path) -> None:
    lock = tmp_path / "requirements-dev.lock"
    first, second = (tmp_path / "games" / "press" / "migrations" / name for name in ("0001.py", "0002.py"))
    first.parent.mkdir(parents=True)
    lock.touch()
    seen = {fingerprint(tmp_path)}
    for path in (first, second, first, lock):
        with path.open("a") as text:
            text.write("one more line\n")
        seen.add(fingerprint(tmp_path))
    assert len(seen) == 5
