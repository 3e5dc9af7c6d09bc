"""The life of a phase: it opens with no orders, and one transaction closes it and opens the next.

Phases of different games that are due at the same time are closed in batches, with SQL statements for the whole batch.
"""

import json
import logging
import secrets
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import F, Q

from adjudication import judge
from adjudication.options import must_decide
from adjudication.orders import Ahead
from adjudication.position import Position
from adjudication.resolution import Public, Verdict
from adjudication.turns import PhaseKind
from games.deadlines import news, timing
from games.deadlines.ahead import KINDS_WRITTEN_AHEAD, SheetAhead, all_wrote_ahead, sheets_ahead
from games.deadlines.grace import give_grace
from games.deadlines.options import LastYear
from games.kernel import clock, codec, hooks
from games.kernel.after_commit import merging_calls, start_task_after_commit
from games.kernel.copying import insert_with_copy
from games.kernel.live import announce_change, announce_game_start
from games.kernel.locking import lock_game
from games.kernel.members import Participants, masters_of
from games.kernel.models import Event, Game, Letter, Occupancy, Phase, Readiness, Result, Status
from games.kernel.models.packed import pack
from games.kernel.news import Topic, tell
from games.kernel.queries import brought_row_of
from games.news.choices import content_with_one_email
from games.sealed import store
from games.sealed.store import Body
from variants.registry import find
from variants.survivors import survivors, verdict_after_last_year
from variants.variant import Variant

log = logging.getLogger(__name__)
BATCH = 40
"""How many games are worked off in one transaction, which keeps them locked for a moment."""

STUCK = timedelta(minutes=10)
"""So long after its deadline something is wrong with a phase, and nothing else waits for it."""


def begin_game(game: Game, *, by: int | None, now: datetime) -> None:
    """Start an open game with its variant's current data, in the variant's start position or the one that was brought
    along. The caller holds the lock on the game."""
    variant, before = codec.variant_of(game), find(game.variant_slug, game.variant_digest)
    game.status = Status.RUNNING
    game.variant_version, game.variant_digest = variant.version, variant.digest
    game.save(update_fields=["status", "variant_version", "variant_digest"])
    participants = Participants([game])
    players = participants.people(game)
    to = [*players, *masters_of(game), *participants.followers(game)]
    announce_game_start(game)
    tell(news.GAME_STARTED, game, at=now, by=by, to=to, about="start")
    if before.digest != variant.digest:
        version = variant.version
        tell(news.VERSION_CHANGED, game, at=now, to=players, about=version, before=before.version, now=version)
    start_row = brought_row_of(game)
    position = codec.opening_position(start_row, variant)
    opening = NextPhase(
        game, variant, position, 0, None, content_with_one_email(game, players, (Topic.GAME, Topic.PHASE))
    )
    phases = open_phases([opening], participants, now=now)
    if start_row is not None:
        Phase.objects.filter(pk=phases[0].pk).update(notices=start_row.notices)


@dataclass(frozen=True, slots=True)
class NextPhase:
    """A phase to open after the phase `before`. `except_for`: users who are not told. `ahead`: what powers have written
    for it."""

    game: Game
    variant: Variant
    position: Position
    ordinal: int
    before: Phase | None
    except_for: Collection[int] = ()
    ahead: Mapping[str, Ahead] = field(default_factory=dict)


def open_phases(openings: Sequence[NextPhase], participants: Participants, *, now: datetime) -> list[Phase]:
    """Open the next phases of different games, with deadlines, a sheet for every seat, letters to those who must
    decide, and the result to the others."""
    away = timing.BookedAbsences(participants, now)
    deciders = [participants.people(it.game, must_decide(it.position, it.variant.ruleset)) for it in openings]
    sheets = [
        sheets_ahead(it.ahead, it.before, participants.seated[it.game.pk], it.position, it.variant.ruleset)
        for it in openings
    ]
    phases = [
        _new_phase(it, users, ahead, away, now) for it, users, ahead in zip(openings, deciders, sheets, strict=True)
    ]
    Phase.objects.bulk_create(phases)
    at = now.isoformat(timespec="seconds")
    bodies = {
        phase: {power: store.Body(it.is_saved, it.lines, it.lines, at) for power, it in ahead.items()}
        for phase, ahead in zip(phases, sheets, strict=True)
    }
    store.create_sheets({phase: participants.seats[phase.game_id] for phase in phases}, bodies)
    for phase, opening, users in zip(phases, openings, deciders, strict=True):
        announce_change(phase.game_id)
        if phase.ended_as_it_opened:
            continue
        readers = {*users, *participants.sitters(phase.game, users, now)}
        to, about = readers.difference(opening.except_for), str(phase.pk)
        tell(news.PHASE_OPENED, phase.game, at=now, to=to, about=about, ordinal=phase.ordinal)
        if opening.before is not None and opening.before.closed == now:
            other_users = (
                participants.everyone(phase.game, now).union(participants.followers(phase.game)).difference(readers)
            )
            tell(news.RESULT_OUT, phase.game, at=now, to=other_users, about=about, ordinal=phase.ordinal)
    if any(phase.ended_as_it_opened for phase in phases):
        start_task_after_commit("games.tasks.sweep")
    if any(one.bot for phase in phases for one in participants.seated[phase.game_id]):
        start_task_after_commit("games.tasks.play_bots")
    if any(not phase.game.by_invitation for phase in phases):
        start_task_after_commit("games.tasks.paint_cards")
    return phases


def _new_phase(
    opening: NextPhase,
    deciders: Collection[int],
    ahead: Mapping[str, SheetAhead],
    away: timing.BookedAbsences,
    now: datetime,
) -> Phase:
    row = codec.position_to_row(opening.position)
    phase = Phase(game=opening.game, ordinal=opening.ordinal, turn=opening.position.turn.code, position=row, opened=now)
    phase.reveals = sorted(opening.game.options.revealing)
    if opening.before is not None and opening.position.turn.kind in KINDS_WRITTEN_AHEAD:
        phase.narrow(opening.before.reveals)
    if all_wrote_ahead(opening.game, ahead, opening.position, opening.variant.ruleset):
        phase.deadline = timing.opening_as_planned(opening.before, now)
        tell(news.ENDED_AS_WRITTEN_AHEAD, opening.game, at=now, turn=phase.turn)
    else:
        timing.set_first_deadline(phase, opening.before, deciders, away)
    return phase


@dataclass
class ClosingTally:
    """How many phases were closed, and how many could not be."""

    closed: int = 0
    failed: int = 0


def close_due_phases(*, until: float) -> ClosingTally:
    """Close every phase that is due, batch by batch, the oldest first, until this moment of the monotonic clock.

    The database is the queue: any number of workers may do this at once, because each claims games that no one has
    locked. If a batch fails, its games are dealt with one by one. Call it outside any transaction.
    """
    tally, failures = ClosingTally(), set[int]()
    while time.monotonic() < until:
        batch, start = list[int](), time.monotonic()
        try:
            with transaction.atomic():
                phases, now = _claim_due_phases(Q(), except_for=failures)
                batch = [phase.pk for phase in phases]
                if len(batch) == BATCH:
                    start_task_after_commit("games.tasks.sweep")  # there may be more: another worker can help
                count = len(_close_phases(phases, now))
            hooks.phases_counted(count, 0, time.monotonic() - start)
        except Exception as problem:
            if not batch or connection_is_lost(problem):
                raise
            log.warning("A batch of %s phases failed (%s).", len(batch), type(problem).__name__)
            count = _close_one_by_one(batch, failures)
        if not batch:
            break
        tally.closed += count
    tally.failed = len(failures)
    return tally


def _close_one_by_one(phases: Iterable[int], failures: set[int]) -> int:
    count = 0
    for number in phases:
        start = time.monotonic()
        try:
            is_closed = close_due_phase(phase_id=number, wait_for_lock=False)
        except Exception as problem:
            if connection_is_lost(problem):
                raise
            failures.add(number)
            hooks.phases_counted(0, 1, 0.0)
            log.exception("Phase %s could not be closed.", number)
        else:
            count += is_closed
            hooks.phases_counted(int(is_closed), 0, time.monotonic() - start)
    return count


def connection_is_lost(problem: Exception) -> bool:
    """Was this problem caused by a lost connection to the database?"""
    return isinstance(problem, (InterfaceError, OperationalError)) and connection.connection is None


def close_due_phase(*, phase_id: int, wait_for_lock: bool = True) -> bool:
    """Close a phase that is due and open the next, in one transaction. False if it is not due, or is extended because a
    player has saved nothing.

    If that fails, the game is put on hold under an incident number and the exception is raised; no other game is
    affected. Without `wait_for_lock`, a game that is locked by someone else is left alone.
    """
    try:
        with transaction.atomic():
            return bool(_close_phases(*_claim_due_phases(Q(phases__pk=phase_id), wait_for_lock=wait_for_lock)))
    except (InterfaceError, OperationalError):
        raise  # the database is down or busy: the next sweep tries again
    except Exception:
        hold_game(game_id=Phase.every.get(pk=phase_id).game_id, phase_id=phase_id)
        raise


def _claim_due_phases(
    condition: Q, *, except_for: Collection[int] = (), wait_for_lock: bool = False
) -> tuple[list[Phase], datetime]:
    """Lock the games of a batch of due phases, the oldest first, until the transaction ends. Without `wait_for_lock`,
    games that are locked are left out.

    Also return the moment at which they close, however long adjudication takes: now in whole seconds, or the latest of
    their deadlines.
    """
    with connection.cursor() as cursor:  # a worker does not queue for a lock for ever: the next sweep comes in seconds
        cursor.execute("SELECT set_config('lock_timeout', '5s', true)")
    now = clock.now()
    due = Q(phases__closed__isnull=True, phases__deadline__lte=now) & condition
    games = Game.objects.filter(due, ~Q(phases__pk__in=except_for), status=Status.RUNNING)
    free = games.select_for_update(of=("self",), skip_locked=not wait_for_lock)
    games_by_id = {game.pk: game for game in free.order_by("phases__deadline", "phases__pk")[:BATCH]}
    open_ones = Phase.objects.filter(game__in=games_by_id, closed__isnull=True, deadline__lte=now)
    phases = list(open_ones.order_by("deadline", "pk"))
    for phase in phases:
        phase.game = games_by_id[phase.game_id]
    return phases, max([now.replace(microsecond=0), *(phase.deadline for phase in phases if phase.deadline)])


@dataclass(frozen=True, slots=True)
class DuePhase:
    """A phase whose time is up, and what was saved for it. `missed`: powers that owe orders and are absent."""

    phase: Phase
    variant: Variant
    position: Position
    bodies: Mapping[str, Body]
    missed: list[str]


@dataclass(frozen=True, slots=True)
class JudgedPhase:
    """The result of a phase that has closed, and what was written ahead in it."""

    game: Game
    variant: Variant
    public: Public
    phase: Phase
    ahead: Mapping[str, Ahead]


def _close_phases(phases: Sequence[Phase], now: datetime) -> list[JudgedPhase]:
    """Close these phases of different games and open the next ones. The caller holds the lock on the games."""
    if not phases:
        return []
    with merging_calls():
        participants = Participants(phase.game for phase in phases)
        for phase in phases:
            end_giving_seats_back(phase, participants)
        due_phases = _due_phases(phases)
        graced = give_grace({it.phase: it.missed for it in due_phases}, participants, now)
        due_phases = [it for it in due_phases if it.phase not in graced]
        judged_phases = [_judge_phase(it) for it in due_phases]
        closed = [it.phase for it in due_phases]
        Phase.objects.filter(pk__in=[phase.pk for phase in closed]).update(closed=now)
        for phase in closed:
            phase.closed = now
        fields = ("phase", "public", "missed", "engine_version", "inputs_hmac")
        results = zip(due_phases, judged_phases, strict=True)
        insert_with_copy(Result, fields, (_result_row(it, found.public) for it, found in results))
        Readiness.objects.filter(phase__in=closed).delete()
        # Count, for everyone who owed orders, whether they were there. Nobody misses a phase that was ended early.
        absentees, those_present = list[int](), list[int]()
        ended_early = phases_ended_early_by_gm([due_phase.phase.game_id for due_phase in due_phases])
        for due_phase in due_phases:
            was_ended_early = (due_phase.phase.game_id, due_phase.phase.deadline, due_phase.phase.turn) in ended_early
            powers = powers_owing_orders(due_phase.position, due_phase.variant)
            owing_now = [
                it for it in participants.seated[due_phase.phase.game_id] if not it.bot and it.seat.power in powers
            ]
            those_present += [it.pk for it in owing_now if it.seat.power not in due_phase.missed]
            absentees += [it.pk for it in owing_now if it.seat.power in due_phase.missed and not was_ended_early]
        rows = Occupancy.objects.filter
        rows(pk__in=absentees).update(owed=F("owed") + 1, missed=F("missed") + 1, silent=F("silent") + 1)
        rows(pk__in=those_present).update(owed=F("owed") + 1, silent=0)
        hooks.phases_closed([(it.phase, it.bodies) for it in due_phases])
        continue_after_results(judged_phases, participants, now=now)
    return judged_phases


def end_giving_seats_back(phase: Phase, participants: Participants) -> None:
    """Former players can't get their seats back from now on: the phase is at its deadline, ends or is undone. The
    caller holds the lock on the game."""
    store.blank_what_predecessors_left(
        phase, [one for one in participants.seated[phase.game_id] if one.instead_of_id is not None]
    )


def _due_phases(phases: Sequence[Phase]) -> list[DuePhase]:
    bodies = store.read_all_at_closing(phases)
    ready = set(Readiness.objects.filter(phase__in=phases).values_list("phase_id", "seat__power"))
    due_phases = []
    for phase in phases:
        variant, position = codec.variant_to_judge(phase.game), codec.position_of(phase)
        written = bodies[phase.pk]
        absent = [power for power in powers_owing_orders(position, variant) if not written[power].saved]
        # players who are ready don't miss the phase, even with no orders saved
        missed = [power for power in absent if (phase.pk, power) not in ready and not written[power].ready]
        due_phases.append(DuePhase(phase, variant, position, written, missed))
    return due_phases


def _judge_phase(due: DuePhase) -> JudgedPhase:
    sheets = codec.read_order_sheets(store.lines_of(due.bodies), due.position, due.variant)
    public = judge.adjudicate(due.position, sheets, due.variant.ruleset).public
    return JudgedPhase(
        due.phase.game, due.variant, public, due.phase, {power: sheet.ahead for power, sheet in sheets.items()}
    )


def continue_after_results(judged_phases: Sequence[JudgedPhase], participants: Participants, *, now: datetime) -> None:
    """After results, open each game's next phase or end the game. The caller holds the lock on the games."""
    verdicts = {ended.game.pk: verdict_by_rules(ended.game, ended.public) for ended in judged_phases}
    undecided = [ended for ended in judged_phases if verdicts[ended.game.pk] is None]
    if hooks.before_next_phase([ended.game for ended in undecided], now):
        participants = Participants(ended.game for ended in undecided)
    for ends in hooks.agreed_ends([(ended.game, ended.public.next) for ended in undecided], now):
        verdicts |= ends
    for ended in judged_phases:
        if verdict := verdicts[ended.game.pk]:
            finish_game(ended.game, verdict, status=Status.FINISHED, by=None, now=now)
    going_on = [ended for ended in judged_phases if verdicts[ended.game.pk] is None]
    openings = [
        NextPhase(ended.game, ended.variant, ended.public.next, ended.phase.ordinal + 1, ended.phase, ahead=ended.ahead)
        for ended in going_on
    ]
    opened = open_phases(openings, participants, now=now)
    for ended, phase in zip(going_on, opened, strict=True):
        if not phase.ended_as_it_opened and not _is_anyone_playing(ended, participants):
            timing.stop_for_lack_of_players(ended.game, phase, now)
    hooks.phases_opened([ended.game for ended in going_on], now)


def verdict_by_rules(game: Game, public: Public) -> Verdict | None:
    """How the game ends with this result, if nobody has to agree."""
    last_year = game.options[LastYear].last_year
    return public.verdict or verdict_after_last_year(public.next, codec.variant_of(game), last_year)


def _is_anyone_playing(judged_phase: JudgedPhase, participants: Participants) -> bool:
    """Does any person or bot play a power that is still in the game?"""
    left = survivors(judged_phase.public.next, judged_phase.variant)
    return any(one.seat.power in left for one in participants.seated[judged_phase.game.pk])


def powers_owing_orders(position: Position, variant: Variant) -> list[str]:
    """The powers that must decide, except those that can only bid: they miss nothing by not bidding."""
    deciders = must_decide(position, variant.ruleset)
    if position.turn.kind is not PhaseKind.MOVEMENT:
        return list(deciders)
    return [power for power in deciders if position.units_of(power)]


def _result_row(due: DuePhase, content: Public) -> tuple[object, ...]:
    digest = codec.keyed_digest(due.phase, store.lines_of(due.bodies))
    return due.phase.pk, pack(codec.public_to_row(content)), json.dumps(due.missed), codec.ENGINE_VERSION, digest


def was_ended_early_by_gm(phase: Phase) -> bool:
    """Did the game master end the phase early? Then no player has missed it."""
    return (phase.game_id, phase.deadline, phase.turn) in phases_ended_early_by_gm([phase.game_id])


def phases_ended_early_by_gm(games: Collection[int]) -> set[tuple[int, datetime | None, str]]:
    """Every phase that the game master ended early, as game, deadline and turn."""
    acts = Event.objects.filter(game__in=games, kind=news.DEADLINE_MOVED.log, facts__seconds=0)
    return set(acts.values_list("game_id", "at", "facts__turn"))


def close_without_result(phase: Phase, now: datetime) -> None:
    """End an open phase without a result, because the game ends."""
    end_giving_seats_back(phase, Participants([phase.game]))
    phase.closed, phase.remaining = now, None
    phase.save(update_fields=["closed", "remaining"])


def finish_game(
    game: Game, verdict: Verdict, *, status: Status, by: int | None, now: datetime, reason: str = "", void: bool = False
) -> None:
    """End a game for good; a `void` one counts nowhere. The caller has locked the game and closed its last phase."""
    game.status = status
    game.incident = ""
    game.verdict = codec.verdict_to_row(verdict, void=void)
    game.save(update_fields=["status", "incident", "verdict"])
    kind = news.FINISHED if status == Status.FINISHED else news.CLOSED
    tell(kind, game, at=now, by=by, sentence="", reason=reason, verdict=game.verdict or {})
    participants = Participants([game])
    to = [*participants.people(game), *masters_of(game), *participants.followers(game)]
    tell(news.GAME_OVER, game, at=now, to=to, about=f"end {now.isoformat()}")
    hooks.game_over(game)


def withdraw_end(game: Game, *, by: int, now: datetime) -> None:
    """Let the end of a game no longer count, nor anything that was made from it. The caller holds the lock on the game,
    and opens its next phase or ends it again."""
    tell(news.END_WITHDRAWN, game, at=now, by=by, sentence="", verdict=game.verdict or {})
    Letter.objects.filter(game=game, kind=news.GAME_OVER.letter, sent__isnull=True).delete()
    game.status, game.verdict = Status.RUNNING, None
    game.save(update_fields=["status", "verdict"])
    hooks.end_withdrawn(game, by)


@transaction.atomic
def hold_game(*, game_id: int, phase_id: int | None = None) -> str:
    """Put a game on hold until someone has looked into it; return the incident number, or "" if there was nothing to
    hold.

    With `phase_id`, do this only if that phase is the open one.
    """
    game = lock_game(game_id)
    phase = game.phases.filter(closed__isnull=True).first()
    if game.status not in {Status.RUNNING, Status.PAUSED} or phase is None or phase_id not in {None, phase.pk}:
        return ""
    now = clock.now()
    timing.stop_clock(phase, now)
    game.status, game.incident = Status.HELD, secrets.token_hex(4)
    game.save(update_fields=["status", "incident"])
    timing.tell_of_clock(news.HELD, game, phase, now, except_for=masters_of(game), incident=game.incident)
    tell(news.GAME_HELD, game, at=now, to=masters_of(game), about=game.incident)
    log.error("Game %s is held in phase %s, incident %s.", game.pk, phase.pk, game.incident)
    return game.incident


@transaction.atomic
def resume_held_game(*, game_id: int) -> None:
    """Resume a game that was on hold, with the time that was left on its clock. Other games are not affected."""
    game = lock_game(game_id)
    if game.status != Status.HELD:
        return
    phase, now = game.phases.get(closed__isnull=True), clock.now()
    game.status, game.incident = Status.RUNNING, ""
    game.save(update_fields=["status", "incident"])
    timing.start_clock(phase, now)
    timing.tell_of_clock(news.RELEASED, game, phase, now)


def phases_are_due() -> bool:
    """Is any phase waiting to be closed? Phases that have waited for so long that something is wrong don't count."""
    now = clock.now()
    due = Phase.objects.filter(closed__isnull=True, deadline__lte=now, deadline__gt=now - STUCK)
    return due.filter(game__status=Status.RUNNING).exists()
