"""What `migrate` says when it fails, and the way back that it names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

pytestmark = pytest.mark.django_db(transaction=True)
FIRST = """
from importlib import import_module

Migration = import_module("django.contrib.sessions.migrations.0001_initial").Migration
"""
MIGRATION = """
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("sessions", "{after}")]
    operations = [migrations.RunSQL("{forwards}", "{backwards}")]
"""


@pytest.fixture
def newer(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The migrations of sessions in a newer version: one more, and one that fails."""
    folder = tmp_path / tmp_path.name  # Python remembers each name
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "0001_initial.py").write_text(FIRST)
    more = MIGRATION.format(after="0001_initial", forwards="CREATE TABLE more ()", backwards="DROP TABLE more")
    (folder / "0002_more.py").write_text(more)
    broken = MIGRATION.format(after="0002_more", forwards="ALTER TABLE none ADD x int", backwards="")
    (folder / "0003_broken.py").write_text(broken)
    monkeypatch.syspath_prepend(tmp_path)
    settings.MIGRATION_MODULES = {"sessions": folder.name}
    return folder


def refusal(capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(CommandError) as refused:
        call_command("migrate", interactive=False, verbosity=0)
    assert 'relation "none" does not exist' in capsys.readouterr().err, "the whole reason stands above"
    return str(refused.value)


def test_a_migration_that_fails_says_what_is_done_and_the_way_back_works(
    newer: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refusal(capsys)
    assert said.startswith("A migration failed. Done before it, and still there: sessions.0002_more. ")
    (command,) = re.findall(r"manage\.py (migrate .*)", said)
    assert command == "migrate sessions 0001_initial"
    assert "more" in connection.introspection.table_names()
    assert "Done before it, and still there: none." in refusal(capsys)
    call_command(*command.split(), verbosity=0)
    assert "more" not in connection.introspection.table_names()
