"""Which answers are asked for again in another world."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import Group
from django.db import IntegrityError, connection, transaction
from django.db.models import F

from tests.secrecy.rests import Rows, noted

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.secrecy.rests import Statement

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def two_groups() -> None:
    Group.objects.bulk_create([Group(name="one 100%"), Group(name="two")])


def with_a_savepoint() -> object:
    with transaction.atomic():
        return Group.objects.filter(name="two").first()


READING: tuple[Callable[[], object], ...] = (
    Group.objects.count,
    lambda: list(Group.objects.filter(name__contains="100%")),
    lambda: list(Group.objects.order_by("-pk").select_for_update()),
    with_a_savepoint,
)


@pytest.mark.parametrize("read", READING)
def test_what_gets_the_same_rows_is_not_asked_for_again_and_what_gets_others_is(read: Callable[[], object]) -> None:
    with noted() as made:
        read()
    assert made
    assert Rows().are_the_same(made)
    with transaction.atomic():
        Group.objects.all().delete()
        assert not Rows().are_the_same(made)
        transaction.set_rollback(True)
    assert Rows().are_the_same(made)


def next_number() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval('auth_group_id_seq')")


def rename_in_a_savepoint() -> None:
    with transaction.atomic():
        Group.objects.filter(name="two").update(name="three")


CHANGING: tuple[Callable[[], object], ...] = (
    lambda: Group.objects.update(name=F("name")),
    lambda: Group.objects.create(name="three"),
    lambda: Group.objects.get_or_create(name="four"),
    rename_in_a_savepoint,
    next_number,
)


@pytest.mark.parametrize("change", CHANGING)
def test_what_changes_rows_happens_again_and_is_undone(change: Callable[[], object]) -> None:
    rows, before = Rows(), list(Group.objects.values())
    made = undone(change, rows)
    assert rows.are_the_same(made)
    assert rows.are_the_same(made), "with the same counters"
    assert list(Group.objects.values()) == before


@pytest.mark.parametrize("change", CHANGING)
def test_what_changes_other_rows_or_counts_otherwise_is_asked_for_again(change: Callable[[], object]) -> None:
    made = undone(change, Rows())
    Group.objects.filter(name="two").delete()
    Group.objects.create(name="five")
    Group.objects.create(name="six")
    assert not Rows().are_the_same(made)


def refused() -> None:
    with suppress(IntegrityError), transaction.atomic():
        Group.objects.create(name="two")


@pytest.mark.parametrize("read", [lambda: list(Group.objects.iterator(chunk_size=1)), refused])
def test_what_is_read_in_pieces_or_fails_is_always_asked_for_again(read: Callable[[], object]) -> None:
    rows = Rows()
    assert not rows.are_the_same(undone(read, rows))


def undone(act: Callable[[], object], rows: Rows) -> list[Statement]:
    """The statements of an act, which is undone."""
    with transaction.atomic(), noted() as made:
        act()
        transaction.set_rollback(True)
    rows.put_back_counters()
    return made
