"""`./host` as a volunteer types it, from an empty folder to a restored site, on the processes of the compose file."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from diplomacy_site.embedded import places
from tests.faults.site import free_port
from tests.faults.wires import Loop, Postbox
from tests.hosting.engine import CODE, Engine
from tests.served import PATIENCE_SECONDS, await_answer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoDbBlocker

pytestmark = pytest.mark.slow
BESIDE_THE_CODE = ("host", ".env.example", ".gitignore", "docker-compose.yml", "Dockerfile")
SITE = "diplomacy.example.org"
GIT = ("git", "-c", "user.name=Host", "-c", "user.email=host@example.org")
HANDBOOK = places.CHECKOUT / "HOSTING.md"
BLOCK = re.compile(r"^```\n(.+?)^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`((?:\./host \w|docker compose |manage\.py \w|git |\./run\b|\.venv/|python -m |mkdir )[^`]*)`")
IN_WEB = "docker compose exec web python manage.py"
OF_RUN = re.compile(r"\./run \w|\./run --|\.venv/|mkdir ")
SCRIPT = '#!/bin/sh\nexec .venv/bin/python -m diplomacy_site.embedded "$@"\n'
"""What `./run` ends with, without building an environment."""
RUN_ELSEWHERE = {
    IN_WEB: ("tests/hosting/test_host.py", "IN_WEB"),
    "git clone ADDRESS site && cd site": ("tests/hosting/test_host.py", '"clone"'),
    "./host setup": ("tests/hosting/test_host.py", '"setup"'),
    "./run": ("tests/hosting/test_host.py", "SCRIPT"),
    "docker compose -f docker-compose.yml -p trial …": ("host", 'TRIAL = ["-f", "docker-compose.yml", "-p", "trial"]'),
    "manage.py createsuperuser": ("host", '"createsuperuser"'),
    "manage.py game release SLUG": ("tests/kernel/test_commands.py", '"release"'),
    "python -m tests.load slow 500": ("tests/load/__main__.py", "slow"),
}


class Typist:
    """Types commands in a folder."""

    def __init__(self, folder: Path, programs: Path = Path("/bin")) -> None:
        self.folder = folder
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        for name in ("DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE"):
            self.environment.pop(name, None)

    def types(self, *words: str, answers: tuple[str, ...] = ()) -> tuple[int, str]:
        """The exit code and all that was said."""
        done = subprocess.run(
            words,
            cwd=self.folder,
            env=self.environment,
            input="".join(f"{answer}\n" for answer in answers).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        return done.returncode, done.stdout.decode(errors="replace")

    @contextmanager
    def running(self, command: str) -> Iterator[None]:
        """While a site that was started by this command works."""
        port = free_port()
        process = subprocess.Popen([*command.split(), "--port", str(port)], cwd=self.folder, env=self.environment)
        try:
            await_answer(f"http://127.0.0.1:{port}/healthz", process)
            yield
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE_SECONDS)


class Volunteer(Typist):
    """Types commands in a checkout; every version is a tag there. `setup`: how that ended, and what it said."""

    setup: tuple[int, str]

    def __init__(self, folder: Path) -> None:
        self.engine, self.post = Engine(folder), Postbox(Loop())
        super().__init__(folder / "site", self.engine.path)
        self.origin = folder / "origin"
        self.origin.mkdir()
        for name in (*CODE, *BESIDE_THE_CODE):
            source = places.CHECKOUT / name
            copy = shutil.copytree if source.is_dir() else shutil.copy
            copy(source, self.origin / name)
        self.git("init", "-q")
        self.release("0.3.0")
        self.git("clone", "-q", str(self.origin), str(self.folder))

    def git(self, *words: str) -> None:
        subprocess.run([*GIT, *words], cwd=self.origin, check=True)

    def release(self, version: str) -> None:
        file = self.origin / "diplomacy_site" / "__init__.py"
        file.write_text(re.sub(r'__version__ = ".*"', f'__version__ = "{version}"', file.read_text()))
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", version)
        self.git("tag", f"v{version}")

    @contextmanager
    def release_of_broken_pages(self, version: str) -> Iterator[None]:
        """While there is a release whose server doesn't start, as no rehearsal shows, and whose tables are others."""
        pages = self.origin / "diplomacy_site" / "asgi.py"
        pages.write_text(
            f"{pages.read_text()}\nimport sys\nif 'manage.py' not in sys.argv[0]:\n    raise RuntimeError\n"
        )
        migrations = self.origin / "games" / "consent" / "migrations"
        last = max(path.stem for path in migrations.glob("0*.py"))
        (migrations / "0099_more.py").write_text(
            "from django.db import migrations\n\n\nclass Migration(migrations.Migration):\n"
            f"    dependencies = [('consent', '{last}')]\n"
            "    operations = [migrations.RunSQL('CREATE TABLE more (id int)', 'DROP TABLE more')]\n"
        )
        self.release(version)
        yield
        self.git("reset", "-q", "--hard", "HEAD~")
        for clone in (self.origin, self.folder):
            self.git("-C", str(clone), "tag", "--delete", f"v{version}")

    def host(self, *words: str, answers: tuple[str, ...] = ()) -> tuple[int, str]:
        return self.types(sys.executable, "host", *words, answers=answers)

    def tables(self) -> str:
        code, said = self.types("bash", "-c", f"{IN_WEB} showmigrations --plan")
        assert code == 0, said
        return said


def commands_of(handbook: str) -> list[str]:
    """Every line in its blocks, without comments, and what stands between backticks and begins with a program."""
    lines = [line.split("  #")[0].strip() for block in BLOCK.findall(handbook) for line in block.splitlines()]
    inline = [" ".join(command.split()) for command in INLINE.findall(BLOCK.sub("", handbook))]
    return list(dict.fromkeys([*lines, *inline]))


@pytest.fixture(scope="module")
def volunteer(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Volunteer]:
    """With a site that has been set up: each test may run alone, or in a process of its own."""
    folder = Path(tempfile.mkdtemp(prefix="host-"))
    with django_db_blocker.unblock():
        volunteer = Volunteer(folder)
    answers = (SITE, "127.0.0.1", str(volunteer.post.port), "-", "", "anna@example.org", "anna")
    volunteer.setup = volunteer.host("setup", answers=answers)
    yield volunteer
    volunteer.engine.close()
    shutil.rmtree(folder)


def test_setup_asks_its_questions_and_ends_with_a_site_that_sends_mail(volunteer: Volunteer) -> None:
    code, said = volunteer.setup
    assert code == 0, said
    assert f"The site runs at https://{SITE}/" in said
    assert [letter.to for letter in volunteer.post.arrived] == ["anna@example.org"]
    code, said = volunteer.host("status")
    assert (code, "Everything works." in said) == (0, True), said


def test_answers_reach_compose_as_they_were_typed_and_may_be_typed_again(tmp_path: Path) -> None:
    """Here an image can't be built, and the file that would have been used for that is kept."""
    for name in ("host", ".env.example", "diplomacy_site/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(places.CHECKOUT / name, tmp_path / name)
    docker = tmp_path / "docker"
    docker.write_text('#!/bin/sh\n[ "$2" != build ] || { cp .env seen; exit 1; }\n')
    docker.chmod(0o755)
    typist = Typist(tmp_path, tmp_path)
    refused, password, sender = ("it's", "a\\"), "-a$b c-", '"Club #1" <play@example.org>'
    server = ("example", "Example.ORG.", "mail", "", "us$er#1", *refused, password, sender)
    answers = (*server, "anna@example", "anna@example.org", "")
    code, said = typist.types(sys.executable, "host", "setup", answers=answers)
    assert (code, "type ./host setup again" in said, (tmp_path / ".env").exists()) == (1, True, False), said
    asked = {"SITE_HOST": "example.org", "EMAIL_HOST_USER": "'us$er#1'"}
    asked |= {"EMAIL_HOST_PASSWORD": f"'{password}'", "DEFAULT_FROM_EMAIL": f"'{sender}'", "PGBOUNCER": ""}
    assert asked.items() <= dict(re.findall(r"(?m)^(\w+)=(.*)$", (tmp_path / "seen").read_text())).items()


@pytest.mark.parametrize("named", ["v0.2.0", "", "%h"])
def test_a_refused_upgrade_of_0_2_0_leaves_it_as_it_is_however_it_was_named(tmp_path: Path, named: str) -> None:
    """Its handbook named it as git does, or not at all. Here every command succeeds but the rehearsal's."""
    for name in ("host", "diplomacy_site/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(places.CHECKOUT / name, tmp_path / name)
    (tmp_path / ".env").write_text("SITE_HOST=play.example.org\nSITE_VERSION=\n")
    site = Typist(tmp_path, tmp_path / "bin")
    for words in ("init -q", "add host diplomacy_site", "commit -q -m 0.2.0", "tag v0.2.0"):
        assert site.types(*GIT, *words.split())[0] == 0
    named = site.types("git", "log", "-1", f"--format=tformat:{named}")[1].strip()
    for words in ("commit -q --allow-empty -m 0.3.1", "tag v0.3.1", "checkout -q v0.2.0"):
        assert site.types(*GIT, *words.split())[0] == 0
    docker = tmp_path / "bin" / "docker"
    docker.parent.mkdir()
    answers = f"*printenv*) echo {named};; *showmigrations*) echo '[X]  a.0001_b';; *shadow*) exit 1;;"
    docker.write_text(f"#!/bin/sh\ncase $* in {answers} esac\n")
    docker.chmod(0o755)
    code, said = site.types(sys.executable, "host", "upgrade")
    told = "The site still runs version " + (named.lstrip("v") or "0.2.0")
    assert (code, told in said, "error" in said) == (1, True, False), said
    assert site.types("git", "describe", "--tags")[1] == "v0.2.0\n"
    assert f"SITE_VERSION={told.split()[-1]}\n" in (tmp_path / ".env").read_text()


def test_without_tags_an_upgrade_names_what_can_be_taken_and_takes_it(tmp_path: Path) -> None:
    """Here every command succeeds but the rehearsal's, which sees the newer version."""
    origin = tmp_path / "origin"
    for name in ("host", "diplomacy_site/__init__.py"):
        (origin / name).parent.mkdir(exist_ok=True, parents=True)
        shutil.copy(places.CHECKOUT / name, origin / name)
    here, there = Typist(tmp_path / "site", tmp_path / "bin"), Typist(origin)
    for words in ("init -q", "add .", "commit -q -m older"):
        assert there.types(*GIT, *words.split())[0] == 0
    here.folder.mkdir()
    assert here.types("git", "clone", "-q", str(origin), ".")[0] == 0
    (here.folder / ".env").write_text("SITE_HOST=play.example.org\nSITE_VERSION=0.3.0\n")
    (origin / "diplomacy_site/__init__.py").write_text('__version__ = "0.4.0"\n')
    assert there.types(*GIT, "commit", "-q", "-a", "-m", "newer")[0] == 0
    docker = tmp_path / "bin" / "docker"
    docker.parent.mkdir()
    answers = "*printenv*) echo 0.3.0;; *showmigrations*) echo '[X]  a.0001_b';; *shadow*) cp .env seen; exit 1;;"
    docker.write_text(f"#!/bin/sh\ncase $* in {answers} esac\n")
    docker.chmod(0o755)
    code, said = here.types(sys.executable, "host", "upgrade")
    named = re.search(r"no version has a tag here\. .*: \./host upgrade (0\.4\.0-0-g\w+)$", said.strip())
    assert (code, bool(named)) == (1, True), said
    assert named
    code, said = here.types(sys.executable, "host", "upgrade", named[1])
    assert f"SITE_VERSION={named[1]}\n" in (here.folder / "seen").read_text(), said
    assert f"build -q web: version {named[1]}, which may take minutes" in said
    assert (code, "The site still runs version 0.3.0" in said) == (1, True), said


def test_what_cannot_be_restored_changes_nothing(volunteer: Volunteer) -> None:
    code, said = volunteer.host("backup", "saved.backup")
    assert code == 0, said
    cut = volunteer.folder / "cut.backup"
    cut.write_bytes((volunteer.folder / "saved.backup").read_bytes()[:-500])
    for file, words in {"cut.backup": "cut.backup could not be restored", "none": "there is no file none"}.items():
        code, said = volunteer.host("restore", file, "backups.key")
        assert (code, f"{words}. Nothing was changed" in said) == (1, True), said


def test_what_cannot_be_done_is_said_and_leaves_nothing_behind(volunteer: Volunteer) -> None:
    left = sorted(volunteer.folder.iterdir())
    turn = os.open(volunteer.folder, os.O_RDONLY)
    fcntl.flock(turn, fcntl.LOCK_EX)
    refusals = {
        (): "./host logs [SERVICE] ",
        ("drill",): "./host drill KEY [FILE] ",
        ("setup",): "this folder has a site already",
        ("backup", "/proc/saved.backup"): "No such file or directory: '/proc/saved.backup",
        ("drill", "backups.key", ".env"): "another ./host rehearses in this folder",
    }
    for typed, words in refusals.items():
        code, said = volunteer.host(*typed)
        assert (code, words in said, "Traceback" in said) == (1, True, False), said
    assert sorted(volunteer.folder.iterdir()) == left
    os.close(turn)


def test_an_upgrade_is_rehearsed_and_one_that_does_not_work_goes_back_by_itself(volunteer: Volunteer) -> None:
    before = volunteer.tables()
    volunteer.git("tag", "v0.4.0-rc1")
    with volunteer.release_of_broken_pages("0.3.1"):
        code, said = volunteer.host("upgrade")
    assert (code, "no differences" in said, "version 0.3.0 runs again" in said) == (1, True, True), said
    assert volunteer.tables() == before
    code, said = volunteer.host("status")
    assert (code, "Version 0.3.0" in said) == (0, True), said
    code, said = volunteer.host("upgrade", "0.2.9")
    assert (code, "version 0.3.0, which runs, is newer" in said) == (1, True), said


def test_every_command_of_the_handbook_works(volunteer: Volunteer) -> None:
    volunteer.host("backup", "FILE")
    for command in sorted(commands_of(HANDBOOK.read_text()), key=lambda command: "down" in command):
        if command in RUN_ELSEWHERE:
            file, words = RUN_ELSEWHERE[command]
            assert words in (places.CHECKOUT / file).read_text(), command
        elif not OF_RUN.match(command):
            typed = re.sub("^manage.py", IN_WEB, command.replace("alice", "anna"))
            code, said = volunteer.types("bash", "-c", typed, answers=(SITE,))
            assert code == 0, f"{command}: {said}"


def test_every_command_for_a_site_that_runs_alone_works(volunteer: Volunteer) -> None:
    """In the handbook's order, which is that of a loss: a backup, nothing left, and the site again."""
    site, keys = Typist(volunteer.folder.with_name("alone")), volunteer.folder.with_name("keys")
    volunteer.git("clone", "-q", str(volunteer.origin), str(site.folder))
    (site.folder / ".venv").symlink_to(sys.prefix)
    (site.folder / "run").write_text(SCRIPT)
    (site.folder / "run").chmod(0o755)
    *others, start, backup = filter(OF_RUN.match, commands_of(HANDBOOK.read_text()))
    with site.running(start):
        assert site.types("bash", "-c", backup)[0] == 0
        keys.mkdir()
        kept = {file.name: file.read_bytes() for file in (site.folder / ".data").glob("*_key")}
        for name, key in kept.items():
            (keys / name).write_bytes(key)
    for command in others:
        code, said = site.types("bash", "-c", command.replace("/path/to/keys", str(keys)))
        assert code == 0, f"{command}: {said}"
    with site.running(start):
        assert {file.name: file.read_bytes() for file in (site.folder / ".data").glob("*_key")} == kept
