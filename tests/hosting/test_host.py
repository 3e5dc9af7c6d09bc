"""`./host` as a volunteer types it, from an empty folder to a restored site, on the processes of the compose file."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from diplomacy_site.embedded import places
from tests.faults.wires import Loop, Postbox
from tests.hosting.engine import CODE, Engine

if TYPE_CHECKING:
    from collections.abc import Iterator

BESIDE_THE_CODE = ("host", ".env.example", ".gitignore", "docker-compose.yml", "Dockerfile")
SITE = "diplomacy.example.org"
GIT = ("git", "-c", "user.name=Host", "-c", "user.email=host@example.org")


class Volunteer:
    """Types commands in a checkout; every version is a tag there. `setup`: how that ended, and what it said."""

    setup: tuple[int, str]

    def __init__(self, folder: Path) -> None:
        self.folder, self.post = folder / "site", Postbox(Loop())
        self.engine = Engine(folder)
        self.folder.mkdir()
        for name in (*CODE, *BESIDE_THE_CODE):
            source = places.CHECKOUT / name
            copy = shutil.copytree if source.is_dir() else shutil.copy
            copy(source, self.folder / name)
        self.git("init", "-q")
        self.release("0.3.0")

    def git(self, *words: str) -> None:
        subprocess.run([*GIT, *words], cwd=self.folder, check=True)

    def release(self, version: str) -> None:
        file = self.folder / "diplomacy_site" / "__init__.py"
        file.write_text(re.sub(r'__version__ = ".*"', f'__version__ = "{version}"', file.read_text()))
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", version)
        self.git("tag", f"v{version}")

    def break_pages(self) -> None:
        """From the next release on, pages don't start, and the tables have changed."""
        pages = self.folder / "diplomacy_site" / "asgi.py"
        pages.write_text(f"{pages.read_text()}\nraise RuntimeError\n")
        migrations = self.folder / "games" / "consent" / "migrations"
        last = max(path.stem for path in migrations.glob("0*.py"))
        (migrations / "0099_more.py").write_text(
            "from django.db import migrations\n\n\nclass Migration(migrations.Migration):\n"
            f"    dependencies = [('consent', '{last}')]\n"
            "    operations = [migrations.RunSQL('CREATE TABLE more (id int)', 'DROP TABLE more')]\n"
        )

    def host(self, *words: str, answers: tuple[str, ...] = ()) -> tuple[int, str]:
        """The exit code and all that it said."""
        environment = {**os.environ, "PATH": f"{self.engine.path}:{os.environ['PATH']}"}
        for name in ("DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE"):
            environment.pop(name, None)
        done = subprocess.run(
            [sys.executable, "host", *words],
            cwd=self.folder,
            env=environment,
            input="".join(f"{answer}\n" for answer in answers),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout

    def manage(self, *words: str) -> str:
        command = [str(self.engine.path / "docker"), "compose", "exec", "-T", "web", "python", "manage.py", *words]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def volunteer() -> Iterator[Volunteer]:
    """With a site that has been set up: each test may run alone, or in a process of its own."""
    folder = Path(tempfile.mkdtemp(prefix="host-"))
    volunteer = Volunteer(folder)
    answers = (SITE, "127.0.0.1", str(volunteer.post.port), "-", "", "anna@example.org", "anna")
    volunteer.setup = volunteer.host("setup", answers=answers)
    yield volunteer
    volunteer.engine.close()
    shutil.rmtree(folder)


def test_setup_asks_eight_questions_and_ends_with_a_site_that_sends_mail(volunteer: Volunteer) -> None:
    code, said = volunteer.setup
    assert code == 0, said
    assert f"The site runs at https://{SITE}/" in said
    assert [letter.to for letter in volunteer.post.arrived] == ["anna@example.org"]
    code, said = volunteer.host("status")
    assert (code, "Everything works." in said) == (0, True), said


def test_a_backup_is_restored_with_its_key_alone(volunteer: Volunteer) -> None:
    code, said = volunteer.host("backup", "saved.backup")
    assert code == 0, said
    cut = volunteer.folder / "cut.backup"
    cut.write_bytes((volunteer.folder / "saved.backup").read_bytes()[:-500])
    for file, words in {
        "cut.backup": "cut.backup could not be restored; nothing",
        "none": "no file none; nothing",
    }.items():
        code, said = volunteer.host("restore", file, "backups.key")
        assert (code, f"{words} was changed" in said) == (1, True), said
    code, said = volunteer.host("restore", "saved.backup", "backups.key", answers=(SITE,))
    assert (code, "the site runs, after" in said) == (0, True), said


def test_an_upgrade_is_rehearsed_and_one_that_does_not_work_goes_back_by_itself(volunteer: Volunteer) -> None:
    before = volunteer.manage("showmigrations", "--plan")
    volunteer.break_pages()
    volunteer.release("0.3.1")
    volunteer.git("checkout", "-q", "v0.3.0")
    code, said = volunteer.host("upgrade")
    assert (code, "no differences" in said, "version 0.3.0 runs again" in said) == (1, True, True), said
    assert volunteer.manage("showmigrations", "--plan") == before
    code, said = volunteer.host("status")
    assert (code, "Version 0.3.0" in said) == (0, True), said
