"""The embedded servers: they stop, they return with their data, and they explain errors in one sentence."""

import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from diplomacy_site.embedded import EmbeddedError, identity, places, ports
from diplomacy_site.embedded.identity import Identity, Runner
from diplomacy_site.embedded.postgres import Postgres
from diplomacy_site.embedded.stack import sole_use
from diplomacy_site.embedded.valkey import Valkey


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    """A data folder with its socket folder."""
    places.make_private_sockets(tmp_path, 0o711 if os.geteuid() == 0 else 0o700)
    yield tmp_path
    shutil.rmtree(places.folder_of_sockets(tmp_path))
    shutil.rmtree(places.folder_within_reach(tmp_path), ignore_errors=True)


def postgres(data: Path, runner: Runner | None = None) -> Postgres:
    return Postgres(data, runner or identity.choose_runner(), durable=True)


def process_number(server: Postgres) -> int:
    return int((server.cluster / "postmaster.pid").read_text().split("\n", 1)[0])


def test_postgres_finds_its_data_again_after_it_was_killed(data: Path) -> None:
    first, second = postgres(data), postgres(data)
    first.start()
    with psycopg.connect(first.address, autocommit=True) as connection:
        connection.execute("CREATE TABLE fleet AS SELECT 'NTH' AS province")
    os.kill(process_number(first), signal.SIGKILL)
    second.start()
    try:
        with psycopg.connect(second.address) as connection:
            assert connection.execute("SELECT province FROM fleet").fetchone() == ("NTH",)
    finally:
        second.stop()
        first.stop()
    assert not second.is_responding()


def test_a_postgres_that_outlived_its_launcher_is_replaced(data: Path) -> None:
    first, second = postgres(data), postgres(data)
    first.start()
    before = process_number(first)
    second.start()
    try:
        assert process_number(second) != before
        assert second.is_responding()
        assert first.child.exit_code() == 0
    finally:
        second.stop()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run PostgreSQL as another user")
def test_postgres_runs_as_nobody_where_namespaces_are_forbidden(data: Path) -> None:
    server = postgres(data, Runner(Identity.NOBODY))
    server.start()
    try:
        with psycopg.connect(server.address) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
        assert server.cluster.owner() == "nobody"
    finally:
        server.stop()


def test_an_interrupted_first_start_leaves_no_half_cluster(data: Path) -> None:
    server = postgres(data)
    (server.home / "cluster.new").mkdir(parents=True)
    (server.home / "cluster.new" / "PG_VERSION").write_text("18")
    server.runner.give_ownership(server.home)
    server.start()
    try:
        assert server.is_responding()
        assert not (server.home / "cluster.new").exists()
    finally:
        server.stop()


def test_valkey_keeps_nothing_and_no_file_that_an_older_version_kept(data: Path) -> None:
    server = Valkey(data)
    server.folder.mkdir(parents=True)
    (server.folder / "dump.rdb").write_text("whatever is in it")
    for _ in range(2):
        server.start()
        with redis.Redis.from_url(server.address) as client:
            assert client.get("fleet") is None
            client.set("fleet", b"NTH")
        server.stop()
        assert not server.is_responding()
        assert list(server.folder.iterdir()) == []


def test_a_valkey_that_outlived_its_launcher_is_replaced(data: Path) -> None:
    first, second = Valkey(data), Valkey(data)
    first.start()
    second.start()
    try:
        first.child.await_end(5)
        assert first.child.exit_code() == 0
        assert second.is_responding()
    finally:
        second.stop()


def test_only_one_launcher_uses_a_data_folder(tmp_path: Path) -> None:
    with sole_use(tmp_path) as first, sole_use(tmp_path) as second:
        assert (first, second) == (True, False)
    with sole_use(tmp_path) as third:
        assert third


def test_a_socket_folder_that_is_open_to_others_is_refused(tmp_path: Path) -> None:
    folder = places.folder_of_sockets(tmp_path)
    folder.mkdir(mode=0o700)
    folder.chmod(0o755)
    try:
        with pytest.raises(EmbeddedError, match="belongs to another user or is open to others"):
            places.make_private_sockets(tmp_path)
    finally:
        folder.rmdir()


def test_socket_paths_are_short_enough_for_macos(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["checkout"] * 20)
    longest = places.postgres_sockets(deep) / ".s.PGSQL.5432.lock"
    assert len(str(longest)) < 100


def test_a_busy_port_is_named_with_another_to_try() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert ports.listening_problem("127.0.0.1", port) == (
            f"port {port} is already in use. Choose another: ./run --port {port + 1}"
        )
    assert ports.listening_problem("127.0.0.1", port) == ""


def test_an_address_of_another_machine_is_refused() -> None:
    assert ports.listening_problem("192.0.2.1", 8000).startswith("nothing can listen on 192.0.2.1")
    assert ports.listening_problem("no such name", 8000).startswith("no such name is not an address")


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000/"),
        ("0.0.0.0", "http://127.0.0.1:8000/"),  # noqa: S104 - binds nothing
        ("::", "http://[::1]:8000/"),
        ("localhost", "http://localhost:8000/"),
    ],
)
def test_the_address_printed_is_one_that_a_browser_here_can_open(host: str, address: str) -> None:
    assert ports.address_in_browser(host, 8000) == address


def test_a_secret_is_drawn_once_and_is_its_owners_only(tmp_path: Path) -> None:
    path = tmp_path / "secret_key"
    drawn = places.stored_secret_key(tmp_path)
    assert len(drawn) >= 32
    assert places.stored_secret_key(tmp_path) == drawn
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [left.name for left in tmp_path.iterdir()] == ["secret_key"]


def test_processes_that_draw_a_secret_at_once_agree_on_it(tmp_path: Path) -> None:
    program = (
        "import sys, pathlib; from diplomacy_site.embedded import places; "
        "print(places.stored_secret_key(pathlib.Path(sys.argv[1])))"
    )
    drawing = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    drawn = {process.communicate()[0].strip() for process in drawing}
    assert drawn == {(tmp_path / "secret_key").read_text()}
