"""Sealed orders: no way in by accident, a condition on every entry, one size."""

import re
import subprocess
import sys
from logging import DEBUG
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import FieldError
from django.db import connection, transaction
from django.test import Client, RequestFactory
from django.urls import reverse
from django.views.debug import get_exception_reporter_class
from pytest_django.fixtures import Settings
from redis import Redis

from adjudication.notation import read_sheet
from games.kernel.models import Phase, Seat
from games.mastering.services.desk import seat_player
from games.sealed import store
from games.sealed.crypto import LARGEST_BODY, BodyTooLarge, CannotOpen, seal, unseal
from games.sealed.models import Sheet
from games.sealed.store import BLANK, Body, NotYours
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, person
from tests.factories import occupancy_of, open_phase, running_game
from tests.story import Story
from variants.registry import find

GAMES = Path(apps.get_app_config("games").path)


def test_what_is_sealed_comes_back_and_always_has_one_size() -> None:
    bodies = [b"", b"A MUN - CZE", b"x" * LARGEST_BODY]
    sealed = [seal(body, phase_id=1, seat_id=2) for body in bodies]
    assert [unseal(one, phase_id=1, seat_id=2) for one in sealed] == bodies
    assert len({len(one) for one in sealed}) == 1
    assert seal(b"", phase_id=1, seat_id=2) != sealed[0], "the same orders never look the same"
    assert b"MUN" not in sealed[1]
    with pytest.raises(BodyTooLarge):
        seal(b"x" * (LARGEST_BODY + 1), phase_id=1, seat_id=2)


def test_a_sheet_cannot_be_moved_to_another_seat_or_phase_or_opened_with_another_key(settings: Settings) -> None:
    sealed = seal(b"A MUN - CZE", phase_id=1, seat_id=2)
    for phase_id, seat_id in ((1, 3), (2, 2)):
        with pytest.raises(CannotOpen):
            unseal(sealed, phase_id=phase_id, seat_id=seat_id)
    old, new = settings.SEALED_KEYS[0], bytes(range(1, 33))
    settings.SEALED_KEYS = (new,)
    with pytest.raises(CannotOpen):
        unseal(sealed, phase_id=1, seat_id=2)
    settings.SEALED_KEYS = (new, old)
    assert unseal(sealed, phase_id=1, seat_id=2) == b"A MUN - CZE"
    renewed = seal(b"A MUN - CZE", phase_id=1, seat_id=2)
    settings.SEALED_KEYS = (new,)
    assert unseal(renewed, phase_id=1, seat_id=2) == b"A MUN - CZE"


@pytest.mark.django_db
def test_no_relation_and_no_query_name_leads_to_a_sheet() -> None:
    for model in (Phase, Seat):
        assert "sheet" not in {field.name for field in model._meta.get_fields(include_hidden=False)}
        for name in ("sheet", "sheet_set", "sheets"):
            with pytest.raises(FieldError):
                list(model._default_manager.filter(**{f"{name}__isnull": False}))
            with pytest.raises(AttributeError):
                list(model._default_manager.prefetch_related(name).all()[:1] or [getattr(model(), name)])
    assert not hasattr(Sheet, "objects")


def test_a_sheet_and_its_body_do_not_print_themselves() -> None:
    assert repr(Sheet(sealed=b"x")) == str(Sheet(sealed=b"x")) == "Sheet(sealed)"
    assert repr(Body(saved=True, typed="A Mun-Cze", lines="A MUN - CZE")) == repr(BLANK) == "Body(sealed)"


def test_no_admin_page_shows_a_sheet_or_a_token_that_opens_one() -> None:
    shown = {model._meta.app_label for model in admin.site._registry}
    assert not shown & {"sealed", "authtoken"}
    assert "kernel" in shown


@pytest.mark.django_db
def test_the_admin_counts_no_rows_by_columns_that_it_does_not_show() -> None:
    game = running_game(by_invitation=True)
    pages, staff = reverse("admin:kernel_game_changelist"), visitor("sam")
    assert staff.get(pages, {"status__exact": game.status}).status_code == 200
    for column in ("invitation__startswith", "invitation__regex", "phases__id", "stored_options__press"):
        assert staff.get(pages, {column: game.invitation[:1]}).status_code == 400, column
    assert staff.get(reverse("admin:press_report_changelist"), {"user": "1"}).status_code == 400


def test_a_sheet_tells_neither_when_nor_in_which_sequence_it_was_written() -> None:
    kinds = {field.name: field.get_internal_type() for field in Sheet._meta.get_fields()}
    assert kinds == {"id": "UUIDField", "phase": "ForeignKey", "seat": "ForeignKey", "sealed": "BinaryField"}


NAME, BID = "Zygmunt", "3: A Hun S A Aus"
PLAIN = (NAME, "A HUN S A AUS", NAME.encode().hex())


def rows_with(words: str) -> list[str]:
    """The tables of a dump that contain these words; bytes are dumped as hex."""
    found = []
    with connection.cursor() as cursor:
        cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
        for (table,) in cursor.fetchall():
            cursor.execute(f'SELECT count(*) FROM "{table}" AS row WHERE row::text ILIKE %s', [f"%{words}%"])  # noqa: S608
            found += [table] if cursor.fetchone() != (0,) else []
    return found


def in_redis() -> str:
    """Everything that waits in the broker or is in the cache."""
    told = []
    for address in (settings.CACHES["default"]["LOCATION"], settings.CELERY_BROKER_URL):
        place = address.replace("redis+socket:", "unix:").replace("virtual_host", "db")
        with Redis.from_url(place) as redis:
            reading = {b"list": lambda key, at=redis: at.lrange(key, 0, -1), b"string": redis.get}
            reading |= {b"hash": redis.hgetall, b"set": redis.smembers}
            reading |= {b"zset": lambda key, at=redis: at.zrange(key, 0, -1)}
            told += [repr((key, reading[redis.type(key)](key))) for key in redis.scan_iter()]
    return "\n".join(told)


@pytest.mark.django_db
def test_what_was_written_is_in_no_dump_no_message_and_no_log(
    django_capture_on_commit_callbacks: Any, caplog: pytest.LogCaptureFixture
) -> None:
    game = running_game(all_ready=True)
    name = occupancy_of(game, "GERMANY").user.get_username()
    client, sheet = Client(raise_request_exception=False), reverse("api:sheet", kwargs={"slug": game.slug})
    client.force_login(person(name))
    with caplog.at_level(DEBUG), django_capture_on_commit_callbacks(execute=True):
        for text, status in ((f"A Mun-Cze # {NAME}\n{BID}", 200), (f"A Mun-Cze\n{NAME}\n{BID}", 400)):
            sent = {"ordinal": 0, "text": text}
            assert client.put(sheet, sent, content_type="application/json").status_code == status
        body = store.read_own(occupancy_of(game, "GERMANY"), open_phase(game))
        assert PLAIN[1] in body.lines
        Story(game).deadline()
        too_late = client.put(sheet, {"ordinal": 0, "text": BID}, content_type="application/json")
        assert too_late.status_code == 409
    told = in_redis() + caplog.text
    for words in (*PLAIN, body.salt):
        assert rows_with(words) == [], words
        assert words.upper() not in told.upper(), words
    assert rows_with(game.slug), "the search finds what is there"


def test_a_report_of_an_error_tells_where_it_was_and_not_what_was_written(rf: RequestFactory) -> None:
    request = rf.post(f"/games/one/orders/?typed={NAME}", {"text": NAME}, headers={"cookie": f"draft={NAME}"})
    reporter: Any = get_exception_reporter_class(request)
    try:
        line = read_sheet(NAME, "GERMANY", find("1926").start, find("1926").ruleset)
        raise ValueError(line) from KeyError(NAME)
    except ValueError:
        report = reporter(request, *sys.exc_info())
    for told in (report.get_traceback_html(), report.get_traceback_text()):
        assert NAME not in told
        assert "ValueError" in told
        assert "test_sealed.py" in told
        assert "/games/one/orders/" in told


@pytest.mark.django_db
def test_one_reads_and_writes_only_ones_own_sheet() -> None:
    game = running_game()
    Story(game).order("GERMANY", "A Mun-Cze")
    phase = open_phase(game)
    german, italian = occupancy_of(game, "GERMANY"), occupancy_of(game, "ITALY")
    assert store.read_own(german, phase).typed == "A Mun-Cze"
    assert store.read_own(italian, phase) == BLANK
    elsewhere = open_phase(running_game())
    for act in (store.read_own, lambda who, where: store.write_own(who, where, BLANK)):
        with pytest.raises(NotYours):
            act(german, elsewhere)


@pytest.mark.django_db
def test_a_closed_sheet_is_read_by_its_writer_and_never_written() -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze")
    german = occupancy_of(game, "GERMANY")
    story.deadline()
    phase = game.phases.get(ordinal=0)
    assert store.read_own(german, phase).typed == "A Mun-Cze"
    with pytest.raises(NotYours):
        store.write_own(german, phase, BLANK)
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="GERMANY", username=person(DAVE).username)
    for name in (german.user.username, DAVE):
        assert story.seen_by(name, 0).own_sheet is None
    german.refresh_from_db()
    for occupancy in (german, occupancy_of(game, "GERMANY")):
        with pytest.raises(NotYours):
            store.read_own(occupancy, phase)


@pytest.mark.django_db
def test_the_sheets_of_an_open_phase_are_not_disclosed() -> None:
    with pytest.raises(NotYours):
        store.read_closed(open_phase(running_game()))


@pytest.mark.django_db
def test_sheets_are_carried_over_only_to_the_same_phase_opened_again_and_only_for_who_held_the_seat() -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze")
    story.deadline()
    before, now = game.phases.get(ordinal=0), open_phase(game)
    german = occupancy_of(game, "GERMANY")
    with pytest.raises(NotYours):
        store.carry_over(before, now, [german])
    with pytest.raises(NotYours):
        store.reseal(before, now)
    Phase.objects.filter(pk=before.pk).update(ordinal=9)
    Phase.objects.filter(pk=now.pk).update(ordinal=0, position=before.position, closed=None)
    before.ordinal = 0
    now = Phase.objects.get(pk=now.pk)
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="GERMANY", username=person(DAVE).username)
    with pytest.raises(NotYours):
        store.carry_over(before, now, [occupancy_of(game, "GERMANY")])
    with pytest.raises(NotYours):
        store.reseal(before, now)


@pytest.mark.django_db(transaction=True)
def test_all_sheets_are_read_only_inside_the_transaction_that_closes_the_phase() -> None:
    phase = open_phase(running_game())
    with pytest.raises(NotYours):
        store.read_all([phase])
    with transaction.atomic():
        assert set(store.read_all([phase])[phase.pk].values()) == {BLANK}


def test_every_door_to_the_sheets_of_others_has_its_callers_and_no_more() -> None:
    doors = ("read_all", "read_closed", "read_for_preview", "carry_over", "reseal", "renew", "try_keys")
    callers: dict[str, list[str]] = {door: [] for door in doors}
    for path in sorted(GAMES.rglob("*.py")):
        for door in callers:
            calls = re.findall(rf"\bstore\.{door}\(", path.read_text())
            callers[door] += [str(path.relative_to(GAMES))] * len(calls)
    assert callers == {
        "read_all": ["deadlines/phases.py"] * 2,
        "read_closed": ["mastering/judging.py", "mastering/services/repair.py"]
        + ["orders/bids.py"] * 2
        + ["sealed/rekeying.py"],
        "read_for_preview": ["mastering/services/preview.py"],
        "carry_over": ["mastering/services/repair.py"],
        "reseal": ["mastering/services/repair.py"],
        "renew": ["sealed/rekeying.py"],
        "try_keys": ["sealed/rekeying.py"],
    }


def test_nobody_opens_the_sealed_app_by_its_name() -> None:
    found = subprocess.run(
        ["grep", "-rlE", r"get_model\(|_meta\.apps|dumpdata", str(GAMES), "--include=*.py"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.returncode, found.stdout) == (1, ""), "grep ran and found nothing"
