"""Which answers are asked for again in another world."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import Group
from django.db import connection, transaction
from django.db.models import F

from tests.secrecy.rests import Rows, noted

if TYPE_CHECKING:
    from collections.abc import Callable

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


@pytest.mark.parametrize(
    "change",
    [
        lambda: Group.objects.update(name=F("name")),
        lambda: Group.objects.create(name="three"),
        lambda: Group.objects.get_or_create(name="four"),
        lambda: list(Group.objects.iterator(chunk_size=1)),
        next_number,
    ],
)
def test_what_changes_rows_or_reads_them_in_pieces_is_always_asked_for_again(change: Callable[[], object]) -> None:
    with transaction.atomic(), noted() as made:
        change()
        transaction.set_rollback(True)
    assert not Rows().are_the_same(made)
