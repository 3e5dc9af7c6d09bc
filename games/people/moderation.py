"""What moderators may do. Every action is recorded in their log, with who did it and why."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.deadlines.news import GAME_HELD, STOPPED
from games.deadlines.phases import resume_held_game
from games.deadlines.timing import stop_clock, tell_of_clock
from games.endings.services import end_if_all_agree
from games.kernel import clock
from games.kernel.locking import account_named, lock_game, lock_game_for
from games.kernel.members import masters_of
from games.kernel.models import MODERATORS, NOT_OVER, Game, Status
from games.kernel.news import checked_reason, tell
from games.kernel.queries import NOBODY
from games.kernel.refusals import NotAllowed, UnknownPlayer, WrongMoment
from games.kernel.rules import only_before_deadline, only_while
from games.mastering.services.assistants import ask_to_take_over
from games.people.models import ActKind, ModerationAct, SeriesReport, SignIn, Suspension
from games.people.sessions import end_sessions
from games.people.tokens import revoke_tokens
from games.press.models import RemarkReport, Report

MAY_MODERATE = "people.moderate"
REPORTS: dict[str, type[Report | RemarkReport | SeriesReport]] = {"gallery": RemarkReport, "series": SeriesReport}
"""What a report is about, if not about a message."""
SIGN_INS_KEPT = timedelta(days=90)
"""How long a sign-in is kept."""


@transaction.atomic
def suspend_person(*, by: int, username: str, reason: str, days: int | None) -> None:
    """Suspend a user for this number of days or, with None, until a moderator ends it. All their sessions end now.

    Raises NotAllowed for moderators, including yourself; WrongMoment if the user is already suspended.
    """
    reason, user, now = checked_reason(reason, needed=True), locked_account(username), clock.now()
    if user.has_perm(MAY_MODERATE):
        told = _(
            "A moderator can’t be suspended. Ask the person who runs the site to remove their moderator rights first."
        )
        raise NotAllowed(told)
    if not user.is_active:
        raise WrongMoment(_("{username} already can’t sign in.").format(username=username))
    until = None if days is None else now + timedelta(days=days)
    Suspension.objects.create(user=user, reason=reason, since=now, until=until)
    user.is_active = False
    user.save(update_fields=["is_active"])
    revoke_tokens(user.pk)
    end_sessions(user.pk)
    reason_with_duration = _("{reason} (until a moderator ends it)").format(reason=reason)
    if days is not None:
        reason_with_duration = ngettext("{reason} (for {count} day)", "{reason} (for {count} days)", days).format(
            reason=reason, count=days
        )
    record_act(ActKind.SUSPENDED, by, reason_with_duration, now, user=user)


@transaction.atomic
def end_suspension(*, by: int, username: str, reason: str) -> None:
    """End a suspension. Raises WrongMoment if there is none."""
    why, user, now = checked_reason(reason, needed=True), locked_account(username), clock.now()
    if not _end_suspension(user, now):
        raise WrongMoment(_("{username} is not suspended.").format(username=username))
    record_act(ActKind.READMITTED, by, why, now, user=user)


@transaction.atomic
def end_expired_suspensions() -> None:
    """End all suspensions that have run out."""
    now = clock.now()
    for row in Suspension.objects.filter(ended__isnull=True, until__lte=now).select_related("user"):
        user = locked_account(row.user.get_username())
        if _end_suspension(user, now):
            record_act(ActKind.READMITTED, None, "", now, user=user)


def locked_account(username: str) -> Any:
    """The account with this name, locked until the transaction ends; raises UnknownPlayer if there is none."""
    user = get_user_model().objects.select_for_update().filter(username=username).first()
    if user is None:
        raise UnknownPlayer(_("There is no account with the name “{username}”.").format(username=username))
    return user


def _end_suspension(user: Any, now: datetime) -> bool:
    if not Suspension.objects.filter(user=user, ended__isnull=True).update(ended=now):
        return False
    user.is_active = True
    user.save(update_fields=["is_active"])
    return True


@transaction.atomic
def stop_game(*, by: int, slug: str, reason: str) -> None:
    """Stop the clock of a game until the moderators resume it. The public log gives the reason."""
    why, here = checked_reason(reason, needed=True), lock_game_for(_game_of_people(slug).pk, by)
    sentence = _("Only a game in progress or a paused game can be stopped by the moderators.")
    only_while(here, (Status.RUNNING, Status.PAUSED), sentence)
    only_before_deadline(here)
    game, phase, now = here.game, here.phase, here.now
    stop_clock(phase, now)
    game.status, game.incident = Status.HELD, MODERATORS
    game.save(update_fields=["status", "incident"])
    tell_of_clock(STOPPED, game, phase, now, except_for=masters_of(game), reason=why)
    tell(GAME_HELD, game, at=now, to=masters_of(game), about=f"{MODERATORS}{phase.pk}")
    record_act(ActKind.STOPPED, by, why, now, game=game)


@transaction.atomic
def release_game(*, by: int, slug: str, reason: str) -> None:
    """Resume a game that the moderators have stopped, with the time that was left on its clock."""
    why, game = checked_reason(reason, needed=True), lock_game(_game_of_people(slug).pk)
    if game.status != Status.HELD or game.incident != MODERATORS:
        raise WrongMoment(_("The moderators have not stopped this game."))
    resume_held_game(game_id=game.pk)
    record_act(ActKind.RELEASED, by, why, clock.now(), game=game)
    game.refresh_from_db()
    end_if_all_agree(game, now=clock.now())


def _game_of_people(slug: str) -> Game:
    game = Game.objects.of_people().filter(slug=slug).first()
    if game is None:
        raise NotAllowed(_("There is no such game. Copy the last part of the game’s address."))
    return game


@transaction.atomic
def deal_with_report(*, by: int, number: int, reason: str, about: str = "") -> None:
    """Close a report, once. The moderators' log says who did so and what the outcome was. `about`: a key of REPORTS."""
    why, now = checked_reason(reason, needed=True), clock.now()
    kind = REPORTS.get(about, Report)
    row = kind._default_manager.select_for_update().filter(pk=number, dealt__isnull=True).first()
    if row is None:
        raise WrongMoment(_("That report has already been dealt with."))
    row.dealt = now
    row.save(update_fields=["dealt"])
    if isinstance(row, SeriesReport):
        record_act(ActKind.DEALT, by, why, now, user=row.director, series=row.series)
    else:
        game = row.remark.game if isinstance(row, RemarkReport) else row.message.thread.game
        record_act(ActKind.DEALT, by, why, now, game=game)


@transaction.atomic
def record_look_at_sign_ins(*, by: int, username: str, reason: str) -> None:
    """Record in the log that a moderator is looking at this user's sign-ins."""
    record_act(ActKind.LOOKED, by, checked_reason(reason, needed=True), clock.now(), user=locked_account(username))


def delete_old_sign_ins() -> None:
    """Delete sign-ins that are too old to keep."""
    SignIn.objects.filter(at__lt=clock.now() - SIGN_INS_KEPT).delete()


def is_moderator(user_id: int | None) -> bool:
    user = get_user_model().objects.filter(pk=user_id or NOBODY).first()
    return user is not None and user.has_perm(MAY_MODERATE)


def record_act(
    kind: ActKind,
    by: int | None,
    reason: str,
    at: datetime,
    *,
    user: Any = None,
    game: Game | None = None,
    series: str = "",
) -> None:
    """Write a line in the moderators' log."""
    ModerationAct.objects.create(at=at, by_id=by, kind=kind, user=user, game=game, series=series, reason=reason[:300])


@transaction.atomic
def ask_for_new_master(*, by: int, slug: str, username: str, reason: str) -> None:
    """Ask a user to take over a game whose game master can no longer sign in. The moderators' log records this.

    Raises UnknownPlayer, NotAllowed if the game master can sign in, BadReason; no refusal reveals who plays.
    """
    why, user = checked_reason(reason, needed=True), account_named(username)
    here = lock_game_for(_game_of_people(slug).pk, by)
    only_while(here, NOT_OVER)
    game, now = here.game, here.now
    if game.gm.is_active:
        raise NotAllowed(
            _("This game has a game master. You can only name another when the game master can’t sign in.")
        )
    if user.pk == game.gm_id:
        raise NotAllowed(_("That is the game master who can’t sign in. Name someone else."))
    game.handovers.filter(accepted__isnull=True).update(accepted=False, answered=now)
    ask_to_take_over(game, user.pk, now, by_moderators=True)
    record_act(ActKind.MASTER_ASKED, by, why, now, game=game)
