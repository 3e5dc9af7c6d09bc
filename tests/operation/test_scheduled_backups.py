"""Backups by themselves: encrypted, whole, thinned as promised, and proved once a month."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime, timedelta
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pyrage
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import connection

from diplomacy_site import age, env, shared_counts
from diplomacy_site.backups import BadBackupError
from diplomacy_site.scheduled_backups import THROWAWAY, name_of, names_to_delete, storage
from diplomacy_site.tasks import back_up
from games.kernel import clock
from games.kernel.models import Game
from tests.database import copy_of_database, database_address, use_database
from tests.factories import running_game
from tests.listening import Listener

if TYPE_CHECKING:
    from pytest_django import Settings

pytestmark = pytest.mark.django_db(transaction=True)
NOW = datetime(2026, 11, 28, 9, 30, tzinfo=UTC)


@pytest.fixture
def private_key(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Backups go to a folder, encrypted; the file with the key that opens them."""
    identity = pyrage.x25519.Identity.generate()
    settings.BACKUP_TO, settings.BACKUP_KEY = str(tmp_path / "backups"), str(identity.to_public())
    monkeypatch.setenv("DATABASE_URL", database_address())
    shared_counts._redis().hdel(shared_counts.MOMENTS_KEY, shared_counts.BACKUP, shared_counts.PROOF)
    file = tmp_path / "key.txt"
    file.write_text(f"# created: 2026-11-28\n{identity}\n")
    return file


def backups(settings: Settings) -> list[Path]:
    return sorted(Path(settings.BACKUP_TO).iterdir())


def noted_at() -> dict[str, datetime]:
    """When the newest backup and the newest proof were made, as far as they are known."""
    return {
        name: it.at
        for name, it in shared_counts.last_moments().items()
        if name in (shared_counts.BACKUP, shared_counts.PROOF)
    }


def databases() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database")
        return [name for (name,) in cursor.fetchall()]


def test_a_scheduled_backup_is_proved_and_can_be_restored_only_with_the_key(
    private_key: Path, tmp_path: Path, settings: Settings
) -> None:
    with copy_of_database() as another:
        game = running_game(name="Genoa")
        with Listener(f"*{game.slug}") as listener:
            back_up()
            assert listener.heard() == [], "open pages are told nothing of the game that was restored"
        [file] = backups(settings)
        written = file.stat().st_mtime_ns
        back_up()
        assert [each.stat().st_mtime_ns for each in backups(settings)] == [written], "one an hour"
        noted = noted_at()
        assert noted[shared_counts.BACKUP] == noted[shared_counts.PROOF], "the first is proved"
        assert f"{connection.settings_dict['NAME']}{THROWAWAY}" not in databases()
        assert b"Genoa" not in file.read_bytes()
        use_database(another)
        stranger = tmp_path / "stranger.txt"
        stranger.write_text(str(pyrage.x25519.Identity.generate()))
        refusals = {
            (): "encrypted. Name the file",
            ("--key", str(stranger)): "does not open",
            ("--key", str(file)): "no private key",
        }
        for key, words in refusals.items():
            with pytest.raises(CommandError, match=words):
                call_command("restore", str(file), *key)
        call_command("restore", str(file), "--key", str(private_key), stdout=StringIO())
        assert Game.objects.get().slug == game.slug


@pytest.mark.parametrize("failing", ["restore", "migrate", "connect"])
def test_a_proof_that_fails_or_cannot_begin_costs_no_backup_and_is_not_noted(
    private_key: Path, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\n[ "$2" != {failing} ] && exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    if failing == "connect":
        monkeypatch.setenv("POSTGRES_URL", "postgresql://127.0.0.1:1/none")
    running_game(name="Genoa")
    assert not noted_at()
    back_up()
    assert noted_at().keys() == {shared_counts.BACKUP}
    assert len(backups(settings)) == 1
    assert private_key.exists()


def test_of_a_folder_only_our_own_files_are_deleted_and_halves_of_killed_workers_too(
    private_key: Path, settings: Settings
) -> None:
    shared_counts.note_moments(shared_counts.PROOF, at=clock.now())
    old, folder = NOW - timedelta(days=2000), Path(settings.BACKUP_TO)
    kept = [f"kept/{name_of(old)}", f"copy-of-{name_of(old)}", f"{name_of(NOW)}#1"]
    for name in (*kept, name_of(old), f"{name_of(old)}#1"):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
        if str(old.year) in name:
            os.utime(file, (old.timestamp(), old.timestamp()))
    back_up()
    newest = name_of(noted_at()[shared_counts.BACKUP])
    left = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
    assert left == {*kept, newest}
    assert private_key.exists()


def test_hourly_ones_stay_two_days_and_daily_ones_two_weeks() -> None:
    made = [NOW - timedelta(hours=hours) for hours in range(24 * 20)]
    names = [f"club/{name_of(moment)}" for moment in made]
    gone = set(names_to_delete([*names, "club/by-hand.backup.age"], NOW))
    left = [moment for moment, name in zip(made, names, strict=True) if name not in gone]
    assert "club/by-hand.backup.age" not in gone
    assert left[:48] == made[:48]
    assert [moment.hour for moment in left[48:]] == [0] * 12
    assert NOW - left[-1] <= timedelta(days=14)


def test_of_s3_only_what_is_set_counts(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ENDPOINT", "AWS_REGION"):
        monkeypatch.setenv(name, "")
    settings.BACKUP_TO = "s3://club/backups"
    assert str(storage()) == 'S3Store(bucket="club", prefix="backups")'
    assert not {"AWS_ENDPOINT", "AWS_REGION"} & os.environ.keys()


def test_the_keys_of_s3_may_stand_in_files(settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settings.BACKUP_TO = "s3://club/backups"
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "")
        monkeypatch.setenv(f"{name}_FILE", str(tmp_path / name))
        (tmp_path / name).write_text(f"{name} in a file\n")
    storage()
    storage()
    assert os.environ["AWS_SECRET_ACCESS_KEY"] == "AWS_SECRET_ACCESS_KEY in a file"


def test_what_is_cut_off_is_not_called_a_wrong_key() -> None:
    identity, other = (pyrage.x25519.Identity.generate() for _ in range(2))
    whole = pyrage.encrypt(bytes(300_000), [identity.to_public()])
    damaged = whole[:100_000] + bytes(9) + whole[100_009:]
    cases = {(whole, other): "This key does not open the file.", (damaged, identity): "This file is damaged:"}
    cases |= {
        (whole[:end], identity): "This file is cut off" for end in (20, 150, 230, 65_800, 200_000, len(whole) - 1)
    }
    for (content, key), words in cases.items():
        with pytest.raises(BadBackupError, match=words), age.decrypted(BytesIO(content), key) as plain:
            plain.read()


def test_a_place_without_a_key_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKUP_TO", "s3://club/backups")
    for key, words in {"": "BACKUP_TO needs BACKUP_KEY", "AGE-SECRET-KEY-1": "begins with age1"}.items():
        monkeypatch.setenv("BACKUP_KEY", key)
        with pytest.raises(ImproperlyConfigured, match=words):
            env.backups("BACKUP_TO", "BACKUP_KEY")
