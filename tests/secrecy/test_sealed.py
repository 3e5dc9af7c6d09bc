"""Sealed orders: no way in by accident, a condition on every entry, one size."""

import re
import subprocess
import sys
from logging import DEBUG
from operator import eq
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
from games.deadlines.phases import close_due_phase
from games.kernel.models import Phase, Result, Seat
from games.mastering.services.desk import seat_player
from games.orders.services import set_ready
from games.sealed import store
from games.sealed.crypto import (
    KEY_BYTES_SHOWN,
    LARGEST_BODY,
    NONCE_BYTES,
    SLOT_BYTES,
    BodyTooLarge,
    CannotOpen,
    is_under_first_key,
    seal,
    unseal,
)
from games.sealed.models import Sheets
from games.sealed.store import BLANK, Body, NoAccessToSheet
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import due_phases, occupancy_of, open_phase, running_game
from tests.sealed.slots import slots_of
from tests.story import Story
from variants.registry import find

GAMES = Path(apps.get_app_config("games").path)


SEATS = (2, 3, 5)


def sealed_of(*bodies: bytes, phase_id: int = 1) -> bytes:
    return seal(dict(zip(SEATS, bodies, strict=True)), phase_id=phase_id)


def test_what_is_sealed_comes_back_and_always_has_one_size() -> None:
    bodies = [b"", b"A MUN - CZE", b"x" * LARGEST_BODY]
    sealed = sealed_of(*bodies)
    found = unseal(sealed, SEATS, phase_id=1, wanted=SEATS)
    assert [body.rstrip(b"\0") for body in found.values()] == bodies
    assert b"MUN" not in sealed
    others = [sealed_of(*bodies), sealed_of(b"", b"", b"")]
    assert {len(one) for one in others} == {len(sealed)} == {KEY_BYTES_SHOWN + len(SEATS) * SLOT_BYTES}
    slots = [one[place : place + SLOT_BYTES] for one in (sealed, *others) for place in PLACES]
    assert len(set(slots)) == len(slots), "the same orders never look the same, in any seat"
    with pytest.raises(BodyTooLarge):
        sealed_of(b"", b"x" * (LARGEST_BODY + 1), b"")


PLACES = range(KEY_BYTES_SHOWN, KEY_BYTES_SHOWN + len(SEATS) * SLOT_BYTES, SLOT_BYTES)


def test_a_sheet_cannot_be_moved_to_another_seat_or_phase_or_opened_with_another_key(settings: Settings) -> None:
    sealed = sealed_of(b"A MUN - CZE", b"", b"")
    first, second, third = (sealed[place : place + SLOT_BYTES] for place in PLACES)
    swapped = sealed[:KEY_BYTES_SHOWN] + first + third + second
    for row, seats, phase_id, wanted in (
        (sealed, SEATS, 2, SEATS),
        (swapped, SEATS, 1, (3, 5)),
        (sealed, (3, 4, 5), 1, (3, 4)),
    ):
        for seat in wanted:
            with pytest.raises(CannotOpen, match="altered, or moved"):
                unseal(row, seats, phase_id=phase_id, wanted=[seat])
    old, new = settings.SEALED_KEYS[0], bytes(range(1, 33))
    settings.SEALED_KEYS = (new,)
    with pytest.raises(CannotOpen, match="a key that is not here"):
        unseal(sealed, SEATS, phase_id=1, wanted=[2])
    settings.SEALED_KEYS = (new, old)
    assert unseal(sealed, SEATS, phase_id=1, wanted=[2])[2].startswith(b"A MUN - CZE")
    renewed = sealed_of(b"A MUN - CZE", b"", b"")
    settings.SEALED_KEYS = (new,)
    assert unseal(renewed, SEATS, phase_id=1, wanted=[2])[2].startswith(b"A MUN - CZE")


def test_only_the_slots_that_are_wanted_are_opened() -> None:
    sealed = bytearray(sealed_of(b"A MUN - CZE", b"", b""))
    sealed[PLACES[1] + NONCE_BYTES] ^= 1
    assert set(unseal(bytes(sealed), SEATS, phase_id=1, wanted=[2, 5])) == {2, 5}
    with pytest.raises(CannotOpen, match="seat 3 in phase 1 cannot be opened: it was altered"):
        unseal(bytes(sealed), SEATS, phase_id=1, wanted=[3])


@pytest.mark.parametrize("number", [0, 1, 2, 4])
def test_another_form_of_sheets_is_told_apart(number: int) -> None:
    other = bytes([number]) + sealed_of(b"", b"", b"")[1:]
    assert not is_under_first_key(other)
    with pytest.raises(CannotOpen, match="a format that this version does not know"):
        unseal(other, SEATS, phase_id=1, wanted=SEATS)
    with pytest.raises(CannotOpen, match="not one slot for every seat"):
        unseal(sealed_of(b"", b"", b""), SEATS[:2], phase_id=1, wanted=SEATS[:2])


@pytest.mark.django_db
def test_no_relation_and_no_query_name_leads_to_a_sheet() -> None:
    for model in (Phase, Seat):
        assert not {"sheet", "sheets"} & {field.name for field in model._meta.get_fields(include_hidden=False)}
        for name in ("sheet", "sheet_set", "sheets", "sheets_set"):
            with pytest.raises(FieldError):
                list(model._default_manager.filter(**{f"{name}__isnull": False}))
            with pytest.raises(AttributeError):
                list(model._default_manager.prefetch_related(name).all()[:1] or [getattr(model(), name)])
    assert not hasattr(Sheets, "objects")


def test_a_sheet_and_its_body_do_not_print_themselves() -> None:
    assert repr(Sheets(sealed=b"x")) == str(Sheets(sealed=b"x")) == "Sheets(sealed)"
    assert repr(Body(saved=True, typed="A Mun-Cze", lines="A MUN - CZE")) == repr(BLANK) == "Body(sealed)"


def test_no_admin_page_shows_a_sheet_a_token_that_opens_one_or_what_entrants_wish() -> None:
    shown = {model._meta.app_label for model in admin.site._registry}
    assert not shown & {"sealed", "authtoken", "tournaments"}
    assert "kernel" in shown


@pytest.mark.django_db
def test_the_admin_counts_no_rows_by_columns_that_it_does_not_show() -> None:
    game = running_game(by_invitation=True)
    pages, staff = reverse("admin:kernel_game_changelist"), visitor("sam")
    assert staff.get(pages, {"status__exact": game.status}).status_code == 200
    for column in ("invitation__startswith", "invitation__regex", "phases__id", "stored_options__press"):
        assert staff.get(pages, {column: game.invitation[:1]}).status_code == 400, column
    assert staff.get(reverse("admin:press_report_changelist"), {"user": "1"}).status_code == 400


def test_a_row_tells_neither_who_has_written_nor_when() -> None:
    kinds = {field.name: field.get_internal_type() for field in Sheets._meta.get_fields()}
    assert kinds == {"phase": "OneToOneField", "sealed": "BinaryField"}


@pytest.mark.django_db
@pytest.mark.parametrize("times", [1, 3])
def test_twin_databases_in_which_different_players_have_saved_differ_in_nothing_but_chance(times: int) -> None:
    """Which rows have changed, how many bytes of each slot, and how often the row was written."""
    found = {}
    for power, line in (("GERMANY", "A Mun-Cze"), ("ITALY", "A Mil-Pie\n# a long remark\n3: A Aus S A Mun-Cze")):
        with transaction.atomic():
            game = running_game()
            before, rows = slots_of(open_phase(game)), rows_in_tables()
            for _ in range(times):
                Story(game).order(power, *line.splitlines())
            after = slots_of(open_phase(game))
            changed = {table for table, told in rows_in_tables().items() if told != rows[table]}
            same = [sum(map(eq, *pair)) for pair in zip(before, after, strict=True)]
            assert max(same) < SLOT_BYTES / 10, "chance leaves one byte in 256 as it was"
            found[power] = (changed, {len(slot) for slot in after}, len(after))
            transaction.set_rollback(True)
    assert found["GERMANY"] == found["ITALY"] == ({"sealed_sheets"}, {SLOT_BYTES}, len(PLAYERS))


@pytest.mark.django_db
def test_saying_ready_in_secret_changes_what_a_save_changes_and_nothing_of_the_orders() -> None:
    game = running_game(all_ready=True, show_ready=False)
    story, german, phase = Story(game), occupancy_of(game, "GERMANY"), open_phase(game)
    code = story.order("GERMANY", "A Mun-Cze").code
    before, rows = slots_of(phase), rows_in_tables()
    set_ready(occupancy_id=german.pk, ordinal=0, ready=True)
    assert {table for table, told in rows_in_tables().items() if told != rows[table]} == {"sealed_sheets"}
    same = [sum(map(eq, *pair)) for pair in zip(before, slots_of(phase), strict=True)]
    assert max(same) < SLOT_BYTES / 10, "chance leaves one byte in 256 as it was"
    assert store.read_own(german, phase).lines == "A MUN - CZE"
    view = story.seen_by(german.user.username)
    assert view.order_sheet is not None
    assert view.order_sheet.receipt is not None
    assert (view.order_sheet.ready, view.order_sheet.receipt.code) == (True, code)
    story.order("GERMANY", "A Mun H")
    assert store.read_own(german, phase).ready, "a save leaves it"


@pytest.mark.django_db
def test_in_a_game_that_shows_no_one_who_is_ready_a_phase_ends_early_all_the_same() -> None:
    game = running_game(all_ready=True, show_ready=False)
    *others, last = game.occupancies.all()
    for occupancy in (*others, last):
        assert due_phases() == []
        set_ready(occupancy_id=occupancy.pk, ordinal=0, ready=True)
    phase = open_phase(game)
    assert due_phases() == [phase.pk]
    assert close_due_phase(phase_id=phase.pk)
    assert Result.objects.get().missed == [], "players who are ready are present"
    assert set(store.read_closed(game.phases.get(ordinal=0)).values()) == {Body(ready=True)}


def rows_in_tables() -> dict[str, list[str]]:
    """The contents of every table, as a dump has them."""
    return {table: _fetched(f'SELECT row::text FROM "{table}" AS row ORDER BY 1') for table in _tables()}  # noqa: S608


def _tables() -> list[str]:
    return _fetched("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")


def _fetched(statement: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return [value for (value,) in cursor.fetchall()]


NAME, BID = "Zygmunt", "3: A Hun S A Aus"
PLAIN = (NAME, "A HUN S A AUS", NAME.encode().hex())


def rows_with(words: str) -> list[str]:
    """The tables of a dump that contain these words; bytes are dumped as hex."""
    found = []
    with connection.cursor() as cursor:
        for table in _tables():
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
        with pytest.raises(NoAccessToSheet):
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
    with pytest.raises(NoAccessToSheet):
        store.write_own(german, phase, BLANK)
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="GERMANY", username=person(DAVE).username, reason="Agreed.")
    for name in (german.user.username, DAVE):
        assert story.seen_by(name, 0).own_sheet is None
    german.refresh_from_db()
    for occupancy in (german, occupancy_of(game, "GERMANY")):
        with pytest.raises(NoAccessToSheet):
            store.read_own(occupancy, phase)


@pytest.mark.django_db
def test_the_sheets_of_an_open_phase_are_not_disclosed() -> None:
    with pytest.raises(NoAccessToSheet):
        store.read_closed(open_phase(running_game()))


@pytest.mark.django_db
def test_sheets_are_carried_over_only_to_the_same_phase_opened_again_and_only_for_who_held_the_seat() -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze")
    story.deadline()
    before, now = game.phases.get(ordinal=0), open_phase(game)
    german = occupancy_of(game, "GERMANY")
    with pytest.raises(NoAccessToSheet):
        store.carry_over_sheets(before, now, [german], dict)
    with pytest.raises(NoAccessToSheet):
        store.copy_to_corrected_phase(before, now, {})
    Phase.objects.filter(pk=before.pk).update(ordinal=9)
    Phase.objects.filter(pk=now.pk).update(ordinal=0, position=before.position, closed=None)
    before.ordinal = 0
    now = Phase.objects.get(pk=now.pk)
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="GERMANY", username=person(DAVE).username, reason="Agreed.")
    with pytest.raises(NoAccessToSheet):
        store.carry_over_sheets(before, now, [occupancy_of(game, "GERMANY")], dict)
    with pytest.raises(NoAccessToSheet):
        store.copy_to_corrected_phase(before, now, {})


@pytest.mark.django_db(transaction=True)
def test_all_sheets_are_read_only_inside_the_transaction_that_closes_the_phase() -> None:
    phase = open_phase(running_game())
    with pytest.raises(NoAccessToSheet):
        store.read_all_at_closing([phase])
    with transaction.atomic():
        assert set(store.read_all_at_closing([phase])[phase.pk].values()) == {BLANK}


def test_every_door_to_the_sheets_of_others_has_its_callers_and_no_more() -> None:
    doors = (
        *(
            "read_all_at_closing",
            "read_closed",
            "read_each_closed",
            "read_for_preview",
            "saved_seats",
            "carry_over_sheets",
            "copy_to_corrected_phase",
            "seal_with_first_key",
            "try_keys",
        ),
        *(
            "sealed_afresh",
            "sealed_ready_seats",
            "clear_sealed_readiness",
            "mark_seats_as_waited_for",
            "seats_waited_for",
        ),
    )
    callers: dict[str, list[str]] = {door: [] for door in doors}
    for path in sorted(GAMES.rglob("*.py")):
        for door in callers:
            calls = re.findall(rf"\bstore\.{door}\(", path.read_text())
            callers[door] += [str(path.relative_to(GAMES))] * len(calls)
    assert callers == {
        "read_all_at_closing": ["deadlines/phases.py"],
        "read_closed": ["mastering/judging.py"]
        + ["mastering/services/correcting.py"] * 4
        + ["orders/bids.py"] * 2
        + ["sealed/rekeying.py"],
        "read_each_closed": ["orders/bids.py"],
        "read_for_preview": ["mastering/judging.py"],
        "saved_seats": ["mastering/missing.py"],
        "carry_over_sheets": ["mastering/services/repair.py"],
        "copy_to_corrected_phase": ["mastering/services/correcting.py"],
        "seal_with_first_key": ["sealed/rekeying.py"],
        "try_keys": ["sealed/rekeying.py"],
        "sealed_afresh": ["sealed/rekeying.py"],
        "sealed_ready_seats": ["deadlines/readiness.py"],
        "clear_sealed_readiness": ["deadlines/readiness.py"],
        "mark_seats_as_waited_for": ["deadlines/grace.py"],
        "seats_waited_for": ["deadlines/grace.py"],
    }


def test_nobody_opens_the_sealed_app_by_its_name() -> None:
    found = subprocess.run(
        ["grep", "-rlE", r"get_model\([^\"]|get_model\(\"sealed|_meta\.apps|dumpdata", str(GAMES), "--include=*.py"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.returncode, found.stdout) == (1, ""), "grep ran and found nothing"
