"""A backup of a running site is restored completely, only into an empty database, and no one loses time by it."""

from __future__ import annotations

import base64
import json
from datetime import timedelta
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pyrage
import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection
from django.test import Client
from psycopg.pq import TransactionStatus

from diplomacy_site.accounts.models import User
from diplomacy_site.backups import CHECKS, MANIFEST, restore_backup, write_backup
from games.deadlines.news import RESTORED
from games.delivery.letters import deliver_letters
from games.kernel import clock
from games.kernel.codec import variant_of
from games.kernel.models import Event, Game
from games.mastering.services.desk import close_game, pause_game
from games.news.log import newest_lines_of
from games.press.services import send_message
from games.press.unread import unread_by_game
from games.seating.models import RollCall
from tests.backups import backup_of, members_of
from tests.cast import CAROL, person
from tests.database import copy_of_database, use_database
from tests.factories import due_phases, open_phase, running_game, waiting_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import Settings

pytestmark = pytest.mark.django_db(transaction=True)
OUTAGE = timedelta(hours=3)
CHANGED = {"kernel_event", "kernel_phase", "seating_rollcall", "people_session", "sealed_sheets"}
"""The tables whose rows may differ on a restored site: its log and deadlines, no one is signed in, and open sheets are
sealed afresh."""


@pytest.fixture
def another_database() -> Iterator[str]:
    """A new database without data, and afterwards the old one again."""
    with copy_of_database() as name:
        yield name


def restore(file: Path) -> str:
    said = StringIO()
    call_command("restore", str(file), stdout=said)
    return said.getvalue()


def changed(file: Path, member: str, content: bytes) -> Path:
    """The same backup with different content for one member."""
    other = file.with_name(f"other {file.name}")
    other.write_bytes(backup_of({**members_of(file.read_bytes()), member: content}))
    return other


def facts_of(file: Path, member: str = MANIFEST) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(members_of(file.read_bytes())[member])
    return found


def with_manifest(file: Path, **facts: Any) -> Path:
    return changed(file, MANIFEST, json.dumps({**facts_of(file), **facts}).encode())


def backed_up(file: Path) -> Path:
    call_command("backup", str(file), stderr=StringIO())
    return file


def roll_call() -> RollCall:
    game, now = waiting_game(name="Called"), clock.now()
    return RollCall.objects.create(game=game, called=now, deadline=now + timedelta(hours=1))


def site() -> Story:
    """A running game in its second phase, with orders, messages, and emails of which one has not been sent."""
    story = Story(running_game(name="Running"))
    story.order("GERMANY", "A Mun-Cze", "2: A Aus S A Mun-Cze")
    story.deadline()
    deliver_letters()
    story.order("GERMANY", "A Ber-Mun")
    send_message(game_id=story.game.pk, user_id=person("alice").pk, text="Good morning.")
    phase = open_phase(story.game)
    phase.deadline = clock.now() - timedelta(hours=1)
    phase.save(update_fields=["deadline"])
    return story


def facts() -> dict[str, Any]:
    games = list(Game.objects.order_by("pk").values_list("pk", flat=True))
    unread = {name: unread_by_game(person(name).pk, games, clock.now()) for name in ("alice", "bob", "fritz")}
    return {"unread": unread, "games": list(Game.objects.order_by("pk").values())}


def test_a_restored_site_is_what_it_was_and_nobody_lost_time(
    another_database: str, tmp_path: Path, settings: Settings
) -> None:
    story, called = site(), roll_call()
    paused, over = running_game(name="Paused"), waiting_game(name="Over")
    pause_game(game_id=paused.pk, by=person(CAROL).pk)
    close_game(game_id=over.pk, by=person(CAROL).pk)
    client = Client()
    client.force_login(person("alice"))
    before, order_sheet = facts(), story.seen_by("alice").order_sheet
    deadline = open_phase(story.game).deadline
    assert deadline is not None
    file = backed_up(tmp_path / "site.backup")
    made = facts_of(file, CHECKS)
    mail.outbox.clear()
    deliver_letters()
    on_their_way = [letter.to for letter in mail.outbox]
    assert on_their_way
    mail.outbox.clear()

    use_database(another_database)
    an_age_ago = (clock.now() - OUTAGE).isoformat()
    settings.SEALED_KEYS, kept = (bytes(range(9, 41)),), settings.SEALED_KEYS
    with pytest.raises(CommandError, match=r"Nothing was restored.*SEALED_KEYS must contain every key"):
        restore(file)
    assert not Game.objects.exists()
    settings.SEALED_KEYS = kept
    said = restore(with_manifest(file, moment=an_age_ago, secret_key="of another"))
    assert "Their deadlines moved" in said
    assert "SECRET_KEY has changed since the backup was made" in said

    assert facts() == before
    assert story.seen_by("alice").order_sheet == order_sheet
    again = facts_of(backed_up(tmp_path / "again.backup"), CHECKS)
    assert {name for name, table in made.items() if again[name] != table} == CHANGED - {"people_session"}
    assert again["people_session"][0] == 0
    assert client.get("/accounts/export/").status_code == 302, "everyone has to sign in again"

    later = open_phase(story.game).deadline
    assert later is not None
    assert timedelta(0) <= later - deadline - OUTAGE < timedelta(minutes=5)
    assert due_phases() == []
    assert open_phase(paused).deadline is None
    the_log_tells_what_happened(story)
    moved = RollCall.objects.get(pk=called.pk).deadline - called.deadline
    assert timedelta(0) <= moved - OUTAGE < timedelta(minutes=5)

    deliver_letters()
    assert [letter.to for letter in mail.outbox] == on_their_way, "emails sent before are not sent again"
    the_game_goes_on(story)
    with pytest.raises(CommandError, match=r"in use: the table .* has rows"):
        restore(file)


def the_log_tells_what_happened(story: Story) -> None:
    told = Event.objects.filter(kind=RESTORED.log).values_list("game__name", flat=True)
    assert sorted(told) == ["Called", "Paused", "Running"]
    newest = newest_lines_of(story.game, variant_of(story.game))[0].sentence
    assert newest.startswith("After a fault, the site was restored to its state on ")
    assert "The deadline moved by the time since then, 3 hours" in newest


def the_game_goes_on(story: Story) -> None:
    """Counters continue, and triggers refuse again."""
    with pytest.raises(DatabaseError, match="only grows"):
        Event.objects.update(at=clock.now())
    story.deadline()
    assert story.game.phases.count() == 3


def test_a_backup_holds_no_key_and_no_sheet_in_the_clear(tmp_path: Path, settings: Settings) -> None:
    site()
    file = backed_up(tmp_path / "site.backup")
    assert file.stat().st_mode & 0o077 == 0, "for its owner only"
    whole = b"".join(members_of(file.read_bytes()).values())
    keys = [*settings.SEALED_KEYS, settings.PUSH_KEY, settings.SECRET_KEY.encode()]
    for key in keys:
        assert key not in whole
        assert base64.b64encode(key) not in whole
        assert key.hex().encode() not in whole
    assert b"Ber-Mun" not in whole
    assert b"A BER - MUN" not in whole
    assert b"Good morning." in whole, "press is in plain text, as the help says"
    with pytest.raises(CommandError, match="already exists"):
        call_command("backup", str(file))


def test_the_sequence_of_rows_in_a_backup_does_not_tell_who_has_saved(tmp_path: Path) -> None:
    games = [running_game(name=name) for name in ("Genoa", "Thoiry")]
    for game, seat in zip(games, ("SOVIET_UNION", "BRITAIN"), strict=True):
        Story(game).order(seat)
    Story(games[0]).order("GERMANY")
    rows = members_of(backed_up(tmp_path / "site.backup").read_bytes())["rows/sealed_sheets"].splitlines()
    keys = [int(row.split(b"\t")[0]) for row in rows]
    assert keys == sorted(open_phase(game).pk for game in games), "a row for each phase, not in their order on disk"


class Slow(BytesIO):
    """Notes, whenever nothing is being copied, for how long the database waits for the next statement."""

    patience: ClassVar[set[str]] = set()

    def write(self, piece: Any) -> int:
        self.note()
        return super().write(piece)

    def read(self, size: int | None = -1) -> bytes:
        self.note()
        return super().read(size)

    def note(self) -> None:
        session = connection.connection
        if session and session.info.transaction_status == TransactionStatus.INTRANS and not session.lock.locked():
            with connection.cursor() as cursor:
                cursor.execute("SHOW idle_in_transaction_session_timeout")
                Slow.patience.add(cursor.fetchone()[0])


def test_a_backup_may_be_written_and_read_slowly(another_database: str) -> None:
    file = Slow()
    for work in (write_backup, restore_backup):
        file.seek(0)
        with connection.cursor() as cursor:
            cursor.execute("SET idle_in_transaction_session_timeout = '20s'")
        work(file)
        assert Slow.patience == {"0"}
        Slow.patience.clear()
        use_database(another_database)


def test_an_encrypted_backup_is_refused_in_the_same_words(another_database: str, tmp_path: Path) -> None:
    """Although the key opens more of it than anybody reads."""
    identity, file = pyrage.x25519.Identity.generate(), backed_up(tmp_path / "site.backup")
    newer = with_manifest(file, format=3).read_bytes() + bytes(1 << 20)
    file.write_bytes(pyrage.encrypt(newer, [identity.to_public()]))
    key = tmp_path / "key"
    key.write_text(str(identity))
    use_database(another_database)
    with pytest.raises(CommandError, match="made by a newer version"):
        call_command("restore", str(file), "--key", str(key))


def test_what_is_no_whole_backup_of_this_version_is_refused_in_words(another_database: str, tmp_path: Path) -> None:
    person("alice")
    file = backed_up(tmp_path / "site.backup")
    with pytest.raises(CommandError, match="in use: the table accounts_takenlook has rows"):
        restore(file)
    use_database(another_database)
    nothing, cut, damaged = tmp_path / "nothing", tmp_path / "cut", "rows/accounts_user"
    nothing.write_bytes(b"no zip")
    cut.write_bytes(file.read_bytes()[:-100])
    older = [one for one in facts_of(file)["migrations"] if one != ["kernel", "0001_initial"]]
    refusals = {
        nothing: "isn’t a backup, or it is incomplete",
        cut: "isn’t a backup, or it is incomplete",
        tmp_path / "missing": "cannot be read: No such file",
        with_manifest(file, migrations=older, version="0.0.9"): (
            r"version 0.0.9, which has different tables \(kernel.0001_initial\)"
        ),
    }
    for one, words in refusals.items():
        with pytest.raises(CommandError, match=words):
            restore(one)
    with pytest.raises(CommandError, match=r"different tables \(kernel.9999_newer\)"):
        restore(with_manifest(file, migrations=[*facts_of(file)["migrations"], ["kernel", "9999_newer"]]))
    with pytest.raises(CommandError, match="damaged: the rows of accounts_user"):
        restore(changed(file, damaged, b""))
    with pytest.raises(CommandError, match="no readable manifest"):
        restore(changed(file, MANIFEST, b"{}"))
    with pytest.raises(CommandError, match="made by a newer version"):
        restore(with_manifest(file, format=3))
    assert not User.objects.exists()
