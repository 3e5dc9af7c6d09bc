"""The kinds of faults: one function causes each, and after a moment another repairs it."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.db import connection

from tests.faults.site import DATABASE, POOLER, REDIS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from tests.faults.site import Layout, Site
    from tests.faults.wires import Wire

HOUR = 3600.0
SHORT, MIDDLE, LONG = 0.3, 2.5, 45.0
LONGEST_WAIT, STEP = 5.0, 0.005
FEW = 3
"""Games that are locked at once: a batch, not a player who saves."""

CLOCK = """
CREATE TABLE public.wrong_clock (seconds double precision NOT NULL);
INSERT INTO public.wrong_clock VALUES (0);
CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    'SELECT pg_catalog.clock_timestamp() + seconds * interval ''1 second'' FROM public.wrong_clock';
CREATE TABLE public.refused_share (share double precision NOT NULL);
INSERT INTO public.refused_share VALUES (0);
CREATE FUNCTION public.refuse_commit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF random() < (SELECT share FROM public.refused_share) THEN
        RAISE EXCEPTION 'refused at the commit' USING ERRCODE = 'serialization_failure';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER refuse_commit AFTER INSERT ON public.kernel_result
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.refuse_commit();
ALTER DATABASE diplomacy SET search_path = public, pg_catalog;
"""
"""The database's clock can be set wrong, and commits of results can be refused at the very last moment."""


@dataclass(frozen=True, slots=True)
class Fault:
    """`held` is in seconds. With `ends_phases` the game masters then end all phases, which would otherwise last another
    hour.

    A fault that is `borne` leaves enough of the site running to meet every deadline.
    """

    name: str
    strike: Callable[[Site], None]
    mend: Callable[[Site], None]
    held: float = SHORT
    ends_phases: bool = False
    borne: bool = False
    rare: bool = False


def nothing(_site: Site) -> None:
    """Every fault's repair restarts whatever has ended."""


def kill(*names: str) -> Callable[[Site], None]:
    return lambda site: site.kill(names)


def kill_everything(site: Site) -> None:
    site.kill_postgres()
    site.kill_redis()
    site.kill(site.services)


def on_wires(act: Callable[[Wire], None], server: str, names: Collection[str]) -> Callable[[Site], None]:
    def done(site: Site) -> None:
        for name in names:
            act(site.wires[name, server])

    return done


def wire_fault(title: str, act: Callable[[Wire], None], server: str, *names: str) -> Fault:
    return Fault(title, on_wires(act, server, names), on_wires(_mend, server, names), MIDDLE)


def _cut(wire: Wire) -> None:
    wire.cut()


def _freeze(wire: Wire) -> None:
    wire.freeze()


def _mend(wire: Wire) -> None:
    wire.mend()


def jump(seconds: float) -> Callable[[Site], None]:
    """Permanent: every process and the database have a different time from now on."""

    def done(site: Site) -> None:
        site.set_clock(site.shift + seconds)
        with connection.cursor() as cursor:
            cursor.execute("UPDATE public.wrong_clock SET seconds = %s", [site.shift])

    return done


def kill_in_a_batch(site: Site) -> None:
    """All phases are due at once, and all workers die while they hold some of the games."""
    jump(HOUR)(site)
    end = time.monotonic() + LONGEST_WAIT
    while locked_games() < FEW and time.monotonic() < end:
        time.sleep(STEP)
    site.kill(site.layout.workers)


def locked_games() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM kernel_game")
        (games,) = cursor.fetchone()
        cursor.execute("SELECT count(*) FROM (SELECT FROM kernel_game FOR UPDATE SKIP LOCKED) free")
        (free,) = cursor.fetchone()
    return int(games - free)


def refuse(share: float) -> Callable[[Site], None]:
    def done(_site: Site) -> None:
        with connection.cursor() as cursor:
            cursor.execute("UPDATE public.refused_share SET share = %s", [share])

    return done


def mail_server(*, refuses: bool) -> Callable[[Site], None]:
    def done(site: Site) -> None:
        site.postbox.refuses = refuses

    return done


def redis_refuses(replicas: int) -> Callable[[Site], None]:
    """As if its disk were full: it wants this many replicas and has none."""

    def done(site: Site) -> None:
        site.redis.config_set("min-replicas-to-write", replicas)

    return done


def fill_disk(site: Site) -> None:
    site.disk.fill()


def empty_disk(site: Site) -> None:
    site.disk.empty()


def one_of(names: Sequence[str]) -> Callable[[Site], None]:
    return lambda site: site.kill([random.choice(names)])


def kinds(layout: Layout) -> list[Fault]:
    """All that can happen to a site of these processes."""
    return [*of_processes(layout), *of_wires(layout), *OF_SERVERS, *(of_many(layout) if layout.pooled else ())]


def of_processes(layout: Layout) -> Iterator[Fault]:
    yield Fault("one worker killed", one_of(layout.workers), nothing, borne=True)
    yield Fault("all workers killed", kill(*layout.workers), nothing)
    yield Fault("all beats killed, with their workers", kill(*layout.beats), nothing)
    yield Fault("all webs killed", kill(*layout.webs), nothing)
    yield Fault("everything killed at once", kill_everything, nothing)
    yield Fault("workers killed in the middle of a batch", kill_in_a_batch, nothing)


def of_wires(layout: Layout) -> Iterator[Fault]:
    webs, workers = layout.webs, layout.workers
    yield wire_fault("workers cut off from Postgres", _cut, DATABASE, *workers)
    yield wire_fault("webs cut off from Postgres", _cut, DATABASE, *webs)
    yield wire_fault("workers and beats cut off from Redis", _cut, REDIS, *workers)
    yield wire_fault("webs cut off from Redis", _cut, REDIS, *webs)
    yield wire_fault("workers hear nothing of Postgres", _freeze, DATABASE, *workers)
    yield wire_fault("webs hear nothing of Postgres", _freeze, DATABASE, *webs)
    yield wire_fault("nobody hears anything of Redis", _freeze, REDIS, *webs, *workers)
    yield Fault(
        "one worker falls silent in the middle",
        on_wires(_freeze, DATABASE, workers[:1]),
        on_wires(_mend, DATABASE, workers[:1]),
        held=LONG,
        borne=True,
        rare=True,
    )


def of_many(layout: Layout) -> Iterator[Fault]:
    """What a site on many machines bears, and what only it has."""
    yield Fault("one web killed", one_of(layout.webs), nothing, borne=True)
    yield Fault("one machine killed: a web and a worker", kill(layout.webs[0], layout.beats[0]), nothing, borne=True)
    yield replace(wire_fault("one web cut off from Postgres", _cut, DATABASE, layout.webs[1]), borne=True)
    yield replace(wire_fault("one beat cut off from Redis", _cut, REDIS, layout.beats[1]), borne=True)
    yield Fault("PgBouncer killed", kill(POOLER), nothing)
    yield wire_fault("PgBouncer cut off from Postgres", _cut, DATABASE, POOLER)
    yield wire_fault("PgBouncer hears nothing of Postgres", _freeze, DATABASE, POOLER)


OF_SERVERS = (
    Fault("Redis killed, its data lost", lambda site: site.kill_redis(), nothing, borne=True),
    Fault("Redis refuses to write", redis_refuses(1), redis_refuses(0), 2 * MIDDLE, borne=True),
    Fault("Postgres killed", lambda site: site.kill_postgres(), nothing),
    Fault("a session of Postgres killed", lambda site: site.kill_session(), nothing),
    Fault("Postgres's disk full", fill_disk, empty_disk, MIDDLE),
    Fault("results refused at the commit", refuse(0.7), refuse(0), 2 * MIDDLE),
    Fault("mail server refuses", mail_server(refuses=True), mail_server(refuses=False), MIDDLE),
    Fault(
        "mail server falls silent",
        lambda site: site.postbox.fall_silent(),
        lambda site: site.postbox.talk_again(),
        held=LONG,
        borne=True,
        rare=True,
    ),
    Fault("clock an hour forward", jump(HOUR), nothing),
    Fault("clock an hour back", jump(-HOUR), nothing, ends_phases=True),
)


def make_breakable() -> None:
    with connection.cursor() as cursor:
        cursor.execute(CLOCK)
    connection.close()


def hold(fault: Fault) -> None:
    time.sleep(fault.held)
