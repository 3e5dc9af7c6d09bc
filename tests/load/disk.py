"""What a phase of 1926 leaves on the disk, table by table."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from django.db import connection

from games.deadlines.phases import close_due_phases
from games.delivery.letters import deliver_letters
from games.kernel import codec
from games.kernel.models import Letter, Occupancy, Phase
from games.orders.services import save_sheet
from games.orders.sheets import SentSheet, sheet_from_orders
from tests.factories import running_game
from tests.load.processes import say
from tests.load.storm import migrate, now_by_postgres
from variants.bots import play

if TYPE_CHECKING:
    from games.kernel.models import Game
    from tests.load.processes import Site

SAVES = 3
"""By each seat in each phase, with other orders each time."""


def disk(_site: Site, games: int, phases: int, untidy: bool) -> None:
    """Play these games for some phases: orders saved, deadlines worked off, emails sent. Print what a phase adds to
    each table with its indexes, once everything is vacuumed at the end.

    Until then autovacuum comes by every second instead of every minute, because a day of saves takes seconds here; if
    `untidy`, it never comes, and every old version of a row stays.
    """
    migrate()
    _run(f"ALTER SYSTEM SET autovacuum = {'off' if untidy else 'on'}")
    _run("ALTER SYSTEM SET autovacuum_naptime = '1s'")
    _run("SELECT pg_reload_conf()")
    played = [running_game(name=f"Disk {number}") for number in range(games)]
    _send()
    _play(played)
    _run("VACUUM")
    before, rows = _sizes(), Phase.objects.count()
    for _ in range(phases):
        _play(played)
    _run("VACUUM")
    number = Phase.objects.count() - rows
    added = {table: (size - before[table]) / number for table, size in _sizes().items()}
    for table, size in sorted(added.items(), key=lambda it: -it[1]):
        if size:
            say(f"{size:8.0f} {table}")
    say(f"{sum(added.values()):8.0f} bytes a phase: {number} phases of {games} games, {SAVES} saves a seat and phase")


def _play(games: list[Game]) -> None:
    """One phase of each game, to its end."""
    for game in games:
        _save(Phase.objects.select_related("game").get(game=game, closed__isnull=True))
    Phase.objects.filter(closed__isnull=True).update(deadline=now_by_postgres())
    closed = close_due_phases(until=time.monotonic() + len(games)).closed
    assert closed == len(games), f"{closed} of {len(games)} games went on"
    _send()


def _save(phase: Phase) -> None:
    variant, position = codec.variant_of(phase.game), codec.position_of(phase)
    for seated in Occupancy.objects.filter(game=phase.game, until__isnull=True).select_related("seat"):
        power = seated.seat.power
        for seed in range(SAVES):
            sheet = sheet_from_orders(play(power, position, variant.ruleset, seed), power, position, variant)
            save_sheet(occupancy_id=seated.pk, sheet=SentSheet(sheet.text, phase.ordinal))


def _send() -> None:
    while Letter.objects.filter(sent__isnull=True, next_try__isnull=False).exists():
        assert deliver_letters()


def _run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def _sizes() -> dict[str, int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname, pg_total_relation_size(relid) FROM pg_stat_user_tables")
        return dict(cursor.fetchall())
