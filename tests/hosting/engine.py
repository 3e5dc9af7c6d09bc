"""A stand-in for `docker compose`, which starts what the compose file names as processes of this machine.

An image is a copy of the code. `docker` on the PATH is a script that sends its words, its variables and its three
streams through a socket; the engine does what they say and answers with an exit code.
"""

from __future__ import annotations

import array
import compileall
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import psycopg
import yaml
from psycopg import sql

from diplomacy_site.embedded import places
from diplomacy_site.embedded.children import Child
from diplomacy_site.embedded.valkey import Valkey
from tests.database import database_address, template
from tests.faults.site import free_port

if TYPE_CHECKING:
    from collections.abc import Mapping

CODE = (
    "adjudication",
    "variants",
    "games",
    "diplomacy_site",
    "templates",
    "static",
    "tests",
    "manage.py",
    "CHANGELOG.md",
)
COLLECT = ["python", "manage.py", "collectstatic", "--noinput"]
PATIENCE, STEP = 90.0, 0.2
STREAMS = 3
VARIABLE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")
SHIM = """#!{python}
import array, json, os, socket, sys
line = socket.socket(socket.AF_UNIX)
line.connect({socket!r})
words = json.dumps({{"words": sys.argv[1:], "folder": os.getcwd(), "variables": dict(os.environ)}}).encode()
rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))]
line.sendmsg([len(words).to_bytes(4, "big") + words[:60000]], rights)
line.sendall(words[60000:])
sys.exit(int(line.recv(8) or b"1"))
"""


class RefusedError(Exception):
    """As when compose exits with 1 and says why."""


class Databases:
    """A database for each project, on the server of the tests: a copy of the one with tables and nothing else, so that
    `migrate`, which takes long, finds nothing to do."""

    def __init__(self) -> None:
        self.own, self.template = database_address(), template()

    def address(self, project: str) -> str:
        return f"{self.own}_{project}"

    def create(self, project: str) -> None:
        self.drop(project)  # on servers that stay, one may be left
        self._execute("CREATE DATABASE {} TEMPLATE {}", self._name(project), self.template)

    def drop(self, project: str) -> None:
        self._execute("DROP DATABASE IF EXISTS {} WITH (FORCE)", self._name(project))

    def _name(self, project: str) -> str:
        return self.address(project).rpartition("/")[2]

    def _execute(self, what: str, *names: str) -> None:
        with psycopg.connect(self.own, autocommit=True) as beside:
            beside.execute(sql.SQL(what).format(*map(sql.Identifier, names)))


@dataclass
class Project:
    """The servers and processes of one `docker compose -p`."""

    folder: Path
    databases: Databases
    redis: Valkey | None = None
    children: dict[str, Child] = field(default_factory=dict)
    started: dict[str, tuple[Path, dict[str, str]]] = field(default_factory=dict)
    """Of each service that runs, its image and its environment."""
    port: int = 0

    def start_servers(self) -> None:
        if self.redis:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        places.make_private_sockets(self.folder, 0o711)
        self.redis = Valkey(self.folder)
        self.redis.start()
        self.databases.create(self.folder.name)

    def stop(self, *names: str) -> None:
        wanted = [self.children.pop(name) for name in names or tuple(self.children) if name in self.children]
        for child in wanted:
            self.started.pop(child.name)
            child.ask_to_stop()
        for child in wanted:
            child.await_end(PATIENCE)

    def remove(self) -> None:
        self.stop()
        if self.redis:
            self.redis.stop()
            self.databases.drop(self.folder.name)
        self.redis = None
        shutil.rmtree(places.folder_of_sockets(self.folder), ignore_errors=True)
        shutil.rmtree(self.folder, ignore_errors=True)


class Call:
    """One `docker compose …` in one folder: what its files say, with its variables."""

    def __init__(self, engine: Engine, words: list[str], folder: Path, variables: Mapping[str, str]) -> None:
        self.engine, self.folder = engine, folder
        options, self.words = _options_before(words, {"-p": 1, "-f": 1})
        self.name = options.get("-p", "live")
        env = folder / ".env"
        lines = [line for line in env.read_text().splitlines() if re.match(r"\w+=", line)] if env.exists() else []
        stored = {name: value.strip("'") for name, value in (line.split("=", 1) for line in lines)}
        self.variables = {**stored, **variables, "COMPOSE_PROJECT_NAME": self.name}
        self.services: dict[str, dict[str, Any]] = {}
        if (folder / "docker-compose.yml").exists():
            self.services = yaml.safe_load((folder / "docker-compose.yml").read_text())["services"]

    @property
    def project(self) -> Project:
        return self.engine.projects.setdefault(
            self.name, Project(self.engine.folder / self.name, self.engine.databases)
        )

    def image(self, service: str) -> Path:
        """The copy of the code that this service's image is."""
        name = self.interpolated(self.services[service]["image"])
        if name not in self.engine.images:
            raise RefusedError(f"no such image: {name}")
        return self.engine.images[name]

    def interpolated(self, text: object) -> str:
        def value(found: re.Match[str]) -> str:
            name, mark, rest = found.groups()
            if not self.variables.get(name) and mark == "?":
                raise RefusedError(f"{name}: {rest}")
            return self.variables.get(name) or (rest if mark == "-" else "")

        return VARIABLE.sub(value, str(text)).replace("$$", "$")

    def environment(self, service: str) -> dict[str, str]:
        """Of the container, with what leads to places and servers changed for this machine."""
        told = {name: self.interpolated(value) for name, value in self.services[service]["environment"].items()}
        project = self.project
        own = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
        return {
            **own,
            **told,
            "DATABASE_URL": project.databases.address(self.name),
            "REDIS_URL": project.redis.address if project.redis else "redis://nowhere",
            "SITE_VERSION": self.variables.get("SITE_VERSION", ""),
            "SEALED_KEYS_FILE": str(self.folder / self.variables["SEALED_KEYS_FILE"]),
            "BACKUP_TO": told.get("BACKUP_TO", "").replace("/backups", str(self.folder / "backups")),
            "ALIVE_FILE": str(project.folder / f"{service}.alive"),
            "DJANGO_SETTINGS_MODULE": "tests.load.production",
            "LOAD_FOLDER": str(self.image(service)),
            "SECURE_SSL_REDIRECT": "false",
            "EMAIL_USE_TLS": "false",
            "COMPOSE_PROJECT_NAME": "",  # our database is no host named postgres
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def command(self, words: list[str]) -> list[str]:
        program, *rest = words
        here = {"--host=0.0.0.0": "--host=127.0.0.1", "--port=8000": f"--port={self.project.port}"}
        start = [sys.executable] if program == "python" else [sys.executable, "-m", program]
        return [*start, *(here.get(word, word) for word in rest)]

    def run(self, streams: list[int]) -> int:
        verb, *rest = self.words
        done = getattr(self, f"do_{verb}", None)
        if done is None:
            raise RefusedError(f"unknown verb {verb}")
        return int(done(rest, streams) or 0)

    def do_version(self, _words: list[str], _streams: list[int]) -> None:
        pass

    def do_build(self, _words: list[str], _streams: list[int]) -> int:
        name = self.interpolated(self.services["web"]["image"])
        if name in self.engine.images:  # a version's code never changes
            return 0
        copy = self.engine.folder / "images" / re.sub(r"\W", "-", name)
        copy.mkdir(parents=True)
        for each in CODE:
            source = self.folder / each
            if source.is_dir():
                shutil.copytree(source, copy / each, ignore=shutil.ignore_patterns("__pycache__"))
            elif source.exists():
                shutil.copy(source, copy / each)
        self.engine.images[name] = copy
        compileall.compile_dir(copy, quiet=2)
        with (copy / "build.log").open("w+b") as log:
            return self._run_once("web", COLLECT, [log.fileno()] * STREAMS)

    def do_up(self, words: list[str], _streams: list[int]) -> int:
        options, names = _options_before(words, {"-d": 0, "--wait": 0, "--no-deps": 0})
        wanted = {name: self.services[name] for name in names or self.services}
        self.project.start_servers()
        ours = [name for name, service in wanted.items() if "diplomacy_site" in " ".join(service.get("command", []))]
        if ours and "--no-deps" not in options and (code := self._migrate()):
            return code
        return self._start([name for name in ours if self.project.started.get(name) != self._what_starts(name)])

    def _what_starts(self, name: str) -> tuple[Path, dict[str, str]]:
        return self.image(name), self.environment(name)

    def do_restart(self, names: list[str], _streams: list[int]) -> int:
        return self._start(names)

    def _migrate(self) -> int:
        """As a service that others wait for, whose words nobody sees."""
        with Path(os.devnull).open("r+b") as nothing:
            return self._run_once("migrate", self.services["migrate"]["command"], [nothing.fileno()] * STREAMS)

    def _start(self, names: list[str]) -> int:
        if not names:
            return 0
        self.project.stop(*names)
        if "web" in names:
            self.project.port = free_port()
        for name in names:
            self._start_one(name, self.services[name])
        return 0 if self._becomes_healthy() else 1

    def _start_one(self, name: str, service: dict[str, Any]) -> None:
        self.project.started[name] = self._what_starts(name)
        child = Child(name, self.project.folder / "logs" / f"{name}.log")
        words = self.command([self.interpolated(word) for word in service["command"]])
        if "celery" in words:
            words.append(f"--hostname={name}@%h")
        image, environment = self.project.started[name]
        child.start(words, folder=image, environment=environment)
        self.project.children[name] = child

    def _becomes_healthy(self) -> bool:
        end = time.monotonic() + PATIENCE
        host = self.variables["SITE_HOST"].split(",")[0].strip()
        request = Request(f"http://127.0.0.1:{self.project.port}/healthz", headers={"Host": host})
        while time.monotonic() < end and all(child.exit_code() is None for child in self.project.children.values()):
            try:
                with urlopen(request, timeout=5):  # noqa: S310 - of this machine
                    return True
            except (URLError, OSError):
                time.sleep(STEP)
        return False

    def do_exec(self, words: list[str], streams: list[int]) -> int:
        _options, rest = _options_before(words, {"-T": 0})
        service, *command = rest
        if service == "postgres":
            return self._database_command(command)
        if service not in self.project.children:
            raise RefusedError(f"service {service} is not running")
        return self._run_once(service, command, streams)

    def do_run(self, words: list[str], streams: list[int]) -> int:
        options, rest = _options_before(words, {"--rm": 0, "-T": 0, "--no-deps": 0, "-e": 1})
        service, *command = rest
        if "--no-deps" not in options and not self.project.redis:
            self.project.start_servers()
            if code := self._migrate():
                return code
        given = {options["-e"]: self.variables[options["-e"]]} if "-e" in options else {}
        return self._run_once(service, command or self.services[service]["command"], streams, **given)

    def _run_once(self, service: str, words: list[str], streams: list[int], **given: str) -> int:
        if words[0] == "printenv":
            os.write(streams[1], f"{self.environment(service)[words[1]]}\n".encode())
            return 0
        stdin, stdout, stderr = streams
        code = subprocess.call(
            self.command(words),
            cwd=self.image(service),
            env={**self.environment(service), **given},
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
        )
        while os.read(stdin, 1 << 16):  # Docker passes it on whether or not the command reads it
            pass
        return code

    def _database_command(self, words: list[str]) -> int:
        databases = self.project.databases
        {"dropdb": databases.drop, "createdb": databases.create}[words[0]](self.name)
        return 0

    def do_stop(self, words: list[str], _streams: list[int]) -> None:
        self.project.stop(*words)

    def do_down(self, _words: list[str], _streams: list[int]) -> None:
        self.project.remove()
        del self.engine.projects[self.name]

    def do_logs(self, words: list[str], streams: list[int]) -> None:
        for name in words[3:] or self.project.children:
            os.write(streams[1], f"{name}\n".encode())

    def do_ps(self, _words: list[str], streams: list[int]) -> None:
        os.write(streams[1], f"{' '.join(self.project.children)}\n".encode())


class Engine:
    """Serves calls of `docker` until it is closed; `path` is where that program is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.images: dict[str, Path] = {}
        self.projects: dict[str, Project] = {}
        self.databases = Databases()
        self.path = folder / "bin"
        self.path.mkdir(parents=True)
        address = str(folder / "s")
        (self.path / "docker").write_text(SHIM.format(python=sys.executable, socket=address))
        (self.path / "docker").chmod(0o755)
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(address)
        self._listening.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listening.close()
        for project in self.projects.values():
            project.remove()

    def _serve(self) -> None:
        while True:
            try:
                line, _ = self._listening.accept()
            except OSError:
                return
            self._answer(line)  # in this thread: what it starts ends with the thread that started it

    def _answer(self, line: socket.socket) -> None:
        with line:
            first, ancillary, *_ = line.recvmsg(1 << 16, socket.CMSG_SPACE(STREAMS * 4))
            streams = list(array.array("i", ancillary[0][2]))
            length = int.from_bytes(first[:4], "big")
            text = first[4:]
            while len(text) < length:
                text += line.recv(1 << 16)
            asked = json.loads(text)
            try:
                call = Call(self, asked["words"][1:], Path(asked["folder"]), asked["variables"])
                code = call.run(streams)
            except RefusedError as refused:
                os.write(streams[2], f"{refused}\n".encode())
                code = 1
            except Exception as fault:  # noqa: BLE001 - the caller has to hear of it
                os.write(streams[2], f"the engine failed: {fault!r}\n".encode())
                code = 1
            for stream in streams:
                os.close(stream)
            line.sendall(str(code).encode())


def _options_before(words: list[str], known: dict[str, int]) -> tuple[dict[str, str], list[str]]:
    """The options that stand before the rest, by name, and the rest. `known`: how many words follow each."""
    options: dict[str, str] = {}
    rest = list(words)
    while rest and rest[0] in known:
        name = rest.pop(0)
        options[name] = rest.pop(0) if known[name] else ""
    return options, rest
