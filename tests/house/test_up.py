"""`./run` restarts what ends, and gives up with the reason when a process keeps ending."""

import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from diplomacy_site.embedded import EmbeddedError, places
from diplomacy_site.embedded.children import Child
from diplomacy_site.embedded.up import SHORT_LIVES_BORNE, Watched, is_out_of_date
from diplomacy_site.embedded.valkey import Valkey


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    """A data folder with its socket folder."""
    places.make_private_sockets(tmp_path)
    yield tmp_path
    shutil.rmtree(places.folder_of_sockets(tmp_path))


def await_end(child: Child) -> None:
    while child.exit_code() is None:
        time.sleep(0.01)


def test_a_server_that_was_killed_is_restarted(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server = Valkey(data)
    server.start()
    watched = Watched(server.child, server.start)
    try:
        watched.watch()
        assert capsys.readouterr().err == ""
        number = server.child.process_id()
        assert number is not None
        os.kill(number, signal.SIGKILL)
        await_end(server.child)
        assert not server.is_responding()
        watched.watch()
        assert server.is_responding()
        assert capsys.readouterr().err == "run: the process Valkey ended (-9) and is being restarted\n"
    finally:
        server.stop()


def test_a_process_that_keeps_ending_is_given_up_with_what_it_said(tmp_path: Path) -> None:
    child = Child("web", tmp_path / "web.log")
    command = [sys.executable, "-S", "-c", "print('the port is taken'); raise SystemExit(3)"]
    watched = Watched(child, partial(child.start, command, folder=tmp_path))
    watched.start()
    for _ in range(SHORT_LIVES_BORNE - 1):
        await_end(child)
        watched.watch()
    await_end(child)
    with pytest.raises(EmbeddedError, match=r"the process web keeps ending \(3\). It said:\nthe port is taken"):
        watched.watch()


def test_a_server_that_cannot_start_again_is_given_up_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    child = Child("Valkey", tmp_path / "valkey.log")
    child.start([sys.executable, "-S", "-c", "print('the disk is full')"], folder=tmp_path)
    await_end(child)

    def refuse() -> None:
        raise EmbeddedError("Valkey did not start.")

    watched = Watched(child, refuse)
    for _ in range(SHORT_LIVES_BORNE - 1):
        watched.watch()
    assert "run: Valkey did not start.\n" in capsys.readouterr().err
    with pytest.raises(EmbeddedError, match="the disk is full"):
        watched.watch()


def test_what_is_made_of_words_is_behind_when_it_is_missing_or_a_word_is_newer(tmp_path: Path) -> None:
    made, page = tmp_path / "made", tmp_path / "page.html"
    page.touch()
    assert is_out_of_date(made, tmp_path)
    made.touch()
    os.utime(page, (1, 1))
    assert not is_out_of_date(made, tmp_path)
    os.utime(made, (0, 0))
    assert is_out_of_date(made, tmp_path)
