"""The life of a phase: it opens with no orders, and one transaction closes it and opens the next."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import F

from adjudication import judge
from adjudication.options import must_decide
from adjudication.position import Position
from adjudication.resolution import Public, Verdict
from adjudication.turns import PhaseKind
from games.deadlines import news
from games.deadlines.options import LastYear
from games.deadlines.timing import (
    give_grace,
    leave_window,
    set_first_deadline,
    start_clock,
    tell_of_clock,
    without_the_ready,
)
from games.kernel import clock, codec, hooks
from games.kernel.live import announce
from games.kernel.locking import lock_game
from games.kernel.members import people_of, sitters_of
from games.kernel.models import Event, Game, Occupancy, Phase, Readiness, Result, Status
from games.kernel.news import tell
from games.news.choices import content_with_one
from games.sealed import store
from variants.survivors import end_of_years
from variants.variant import Variant

if TYPE_CHECKING:
    from games.sealed.store import Body


log = logging.getLogger(__name__)


def begin(game: Game, *, by: int | None, now: datetime) -> None:
    """Start an open game with its variant's current data. The caller holds the lock on the game."""
    variant = codec.variant_of(game)
    game.status = Status.RUNNING
    game.variant_version, game.variant_digest = variant.version, variant.digest
    game.save(update_fields=["status", "variant_version", "variant_digest"])
    players = people_of(game)
    tell(news.GAME_STARTED, game, at=now, by=by, to=[*players, game.gm_id], about="start")
    open_phase(game, variant, variant.start, ordinal=0, now=now, but=content_with_one(game, players))


def open_phase(
    game: Game, variant: Variant, position: Position, *, ordinal: int, now: datetime, but: Collection[int] = ()
) -> Phase:
    """Open the next phase: its deadline, blank orders for every seat, and emails to the players who must decide, but
    not to those in `but`."""
    deciding = people_of(game, must_decide(position, variant.ruleset))
    phase = Phase(
        game=game, ordinal=ordinal, turn=position.turn.code, position=codec.position_to_row(position), opened=now
    )
    set_first_deadline(game, phase, deciding, now)
    phase.save()
    store.open_for(phase, game.seats.order_by("power"))
    told = {*deciding, *sitters_of(game, deciding, now)}.difference(but)
    tell(news.PHASE_OPENED, game, at=now, to=told, about=str(phase.pk), ordinal=ordinal)
    announce(game.pk)
    return phase


def phase_advance(*, phase_id: int) -> bool:
    """Close a phase that is due and open the next: one transaction, all or nothing. False if it is not due, or is
    extended because a player has saved nothing.

    If that fails, the game is put on hold under an incident number and the exception is raised; no other game is
    affected.
    """
    try:
        with transaction.atomic():
            return _advance(phase_id)
    except (InterfaceError, OperationalError):
        raise  # the database is down or busy: the next sweep tries again
    except Exception:
        hold(game_id=Phase.every.get(pk=phase_id).game_id, phase_id=phase_id)
        raise


def _advance(phase_id: int) -> bool:
    with connection.cursor() as cursor:  # do not wait for a lock for ever: the next sweep is seconds away
        cursor.execute("SELECT set_config('lock_timeout', '5s', true)")
    game = lock_game(Phase.every.get(pk=phase_id).game_id)
    phase = Phase.every.get(pk=phase_id)
    now = clock.now()
    if game.status != Status.RUNNING or phase.closed is not None or phase.time_left(now) > timedelta(0):
        return False
    variant = codec.variant_to_judge(game)
    position = codec.position_of(phase)
    bodies = store.read_all(phase)
    missed = _without_a_sheet(bodies, position, variant)
    if give_grace(game, phase, missed, now):
        return False
    missed = without_the_ready(phase, missed)
    written = store.lines_of(bodies)
    sheets = codec.sheets_of(written, position, variant)
    public = judge.adjudicate(position, sheets, variant.ruleset).public
    _close(phase, public, missed, digest=codec.keyed_digest(phase, written), now=now)
    hooks.phase_closed(phase, bodies)
    go_on(game, variant, public, ordinal=phase.ordinal + 1, now=now)
    return True


def go_on(game: Game, variant: Variant, public: Public, *, ordinal: int, now: datetime) -> None:
    """Continue after a result, with the next phase or the end. The caller holds the lock on the game."""
    verdict = public.verdict or end_of_years(public.next, variant, game.options[LastYear].last_year)
    if verdict is None:
        hooks.before_next_phase(game, now)
        verdict = next(filter(None, hooks.agreed_end(game, public.next, now)), None)
    if verdict is None:
        open_phase(game, variant, public.next, ordinal=ordinal, now=now)
    else:
        finish(game, verdict, status=Status.FINISHED, by=None, now=now)


def without_a_sheet(phase: Phase) -> list[str]:
    """The powers that owe orders and have saved none; a secret while the phase is open.

    The caller holds the lock on the game.
    """
    variant = codec.variant_to_judge(phase.game)
    return _without_a_sheet(store.read_all(phase), codec.position_of(phase), variant)


def _without_a_sheet(bodies: Mapping[str, Body], position: Position, variant: Variant) -> list[str]:
    return [power for power in owing_orders(position, variant) if not bodies[power].saved]


def owing_orders(position: Position, variant: Variant) -> list[str]:
    """The powers that must decide, without those that can only bid: not bidding misses nothing."""
    deciding = must_decide(position, variant.ruleset)
    if position.turn.kind is not PhaseKind.MOVEMENT:
        return list(deciding)
    return [power for power in deciding if position.units_of(power)]


def _close(phase: Phase, public: Public, missed: list[str], *, digest: str, now: datetime) -> None:
    phase.closed = now
    phase.save(update_fields=["closed"])
    Result.objects.create(
        phase=phase,
        public=codec.public_to_row(public),
        missed=missed,
        engine_version=codec.ENGINE_VERSION,
        inputs_hmac=digest,
    )
    Readiness.objects.filter(phase=phase).delete()
    if was_cut_short(phase):
        return
    people = Occupancy.objects.filter(game=phase.game_id, until__isnull=True, bot=False)
    people.filter(seat__power__in=missed).update(missed=F("missed") + 1, silent=F("silent") + 1)
    owing = owing_orders(codec.position_of(phase), codec.variant_of(phase.game))
    asked = people.filter(seat__power__in=owing)
    asked.update(owed=F("owed") + 1)
    asked.exclude(seat__power__in=missed).update(silent=0)


def was_cut_short(phase: Phase) -> bool:
    """Did the game master end the phase early? Then no player has missed it."""
    return (phase.deadline, phase.turn) in cuts_of(phase.game_id)


def cuts_of(game_id: int) -> set[tuple[datetime | None, str]]:
    """The deadline and the turn of every phase that the game master ended early, as the phase stores them."""
    acts = Event.objects.filter(game=game_id, kind=news.DEADLINE_MOVED.log, facts__seconds=0)
    return set(acts.values_list("at", "facts__turn"))


def close_unjudged(phase: Phase, now: datetime) -> None:
    """End an open phase without a result, because the game ends."""
    phase.closed, phase.remaining = now, None
    phase.save(update_fields=["closed", "remaining"])


def finish(game: Game, verdict: Verdict, *, status: Status, by: int | None, now: datetime, reason: str = "") -> None:
    """End a game for good. The caller holds the lock on the game and has closed its last phase."""
    game.status = status
    game.incident = ""
    game.verdict = {"winners": list(verdict.winners), "sentence": verdict.sentence}
    game.save(update_fields=["status", "incident", "verdict"])
    kind = news.FINISHED if status == Status.FINISHED else news.CLOSED
    tell(kind, game, at=now, by=by, sentence=verdict.sentence, reason=reason)
    tell(news.GAME_OVER, game, at=now, to=[*people_of(game), game.gm_id], about="end")
    hooks.game_over(game)


@transaction.atomic
def hold(*, game_id: int, phase_id: int | None = None) -> str:
    """Put a game on hold until someone has looked into it. The incident number, or "" if there was nothing to hold.

    With `phase_id`, only if that phase is the open one.
    """
    game = lock_game(game_id)
    phase = game.phases.filter(closed__isnull=True).first()
    if game.status not in {Status.RUNNING, Status.PAUSED} or phase is None or phase_id not in {None, phase.pk}:
        return ""
    now = clock.now()
    stop_clock(phase, now)
    game.status, game.incident = Status.HELD, secrets.token_hex(4)
    game.save(update_fields=["status", "incident"])
    tell_of_clock(news.HELD, game, phase, now, but=[game.gm_id], incident=game.incident)
    tell(news.GAME_HELD, game, at=now, to=[game.gm_id], about=game.incident)
    log.error("Game %s is held in phase %s, incident %s.", game.pk, phase.pk, game.incident)
    return game.incident


@transaction.atomic
def release(*, game_id: int) -> None:
    """Resume a game that was on hold, with the time that was left on its clock. No other game is affected."""
    game = lock_game(game_id)
    if game.status != Status.HELD:
        return
    phase, now = game.phases.get(closed__isnull=True), clock.now()
    start_clock(phase, now)
    game.status, game.incident = Status.RUNNING, ""
    game.save(update_fields=["status", "incident"])
    tell_of_clock(news.RELEASED, game, phase, now)


def stop_clock(phase: Phase, now: datetime) -> None:
    """Replace the deadline by the time left. If all are ready, count from the deadline before they were."""
    leave_window(phase)
    phase.remaining, phase.deadline = max(phase.time_left(now), timedelta(0)), None
    phase.save(update_fields=["remaining", "deadline", "window_ends", "before_window"])


def due_phases() -> list[int]:
    """The open phases of running games whose deadline has passed, oldest first, except in locked games."""
    due = Phase.objects.filter(closed__isnull=True, deadline__lte=clock.now(), game__status=Status.RUNNING)
    with transaction.atomic():
        free = due.select_related("game").select_for_update(of=("game",), skip_locked=True)
        return [phase.pk for phase in free.order_by("deadline", "pk")]
