"""Blocking other users, changing one's name in all one's games, and leaving them all."""

from collections.abc import Iterable

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from games.deadlines.models import Absence, CalendarKey
from games.kernel import clock, hooks
from games.kernel.after_commit import merging_calls
from games.kernel.locking import account_named, lock_game
from games.kernel.members import is_member
from games.kernel.models import OVER, Assistant, Block, Following, Game, Handover, Joiner, Occupancy, Sitting, Status
from games.kernel.news import tell
from games.kernel.queries import names_are_hidden
from games.kernel.refusals import NotAllowed, WrongMoment
from games.mastering.services.assistants import stop_assisting, withdraw_request
from games.news.models import DailyLetter, NotificationChoice, PushDevice, PushSilence, Webhook
from games.news.outboxes import OUTBOXES
from games.people.models import SignIn
from games.press.models import Bookmark, Mute, Notebook
from games.seating.models import Approach, JoinRequest, Standby
from games.seating.news import RENAMED
from games.seating.services.new_game import leave_before_start
from games.seating.services.vacancies import resign


def block_user(*, by: int, username: str) -> None:
    """Block a user, who can't join your games any more nor, where names are shown, write to you in private."""
    blocked_id = account_named(username).pk
    if blocked_id == by:
        raise NotAllowed(_("You can’t block yourself."))
    Block.objects.get_or_create(by_id=by, whom_id=blocked_id, defaults={"since": clock.now()})


def unblock_user(*, by: int, username: str) -> None:
    """Unblock a user. Messages withheld in the meantime stay withheld."""
    Block.objects.filter(by_id=by, whom_id=account_named(username).pk).delete()


@transaction.atomic
def leave_all_games(*, user_id: int) -> None:
    """Give up every seat, place and request. Orders saved for open phases are destroyed unread.

    Raises WrongMoment while the user is game master of a game that is not over, while the deadline of one of their
    games has passed but its phase is not closed yet, or if they join another game meanwhile. Messages and the lines of
    public logs stay. The account, which may be suspended, is locked until the transaction ends.
    """
    _require_no_game_to_run(user_id)
    for game_id in sorted(_unfinished_games_of(user_id)):
        game = lock_game(game_id)
        for row in _assistant_rows(user_id).filter(game=game):
            if row.accepted:
                stop_assisting(game_id=game_id, user_id=user_id)
            else:
                withdraw_request(row, clock.now())
        if game.status == Status.OPEN and is_member(game, user_id):
            leave_before_start(game_id=game_id, user_id=user_id)
        elif game.occupancies.filter(user_id=user_id, until__isnull=True).exists() and game.status not in OVER:
            resign(game_id=game_id, user_id=user_id)
    hooks.account_left(user_id)
    get_user_model().objects.select_for_update(no_key=True, of=("self",)).get(pk=user_id)
    _require_no_game_to_run(user_id)
    if _unfinished_games_of(user_id):
        raise WrongMoment(_("You’ve just joined another game. Try again."))
    _delete_personal_rows(user_id)
    hooks.account_left(user_id)  # again, for what they entered while others held the account


def _require_no_game_to_run(user_id: int) -> None:
    mastered = Game.objects.filter(gm_id=user_id).exclude(status__in=OVER).order_by("name")
    if mastered:
        names = ", ".join(game.name for game in mastered)
        raise WrongMoment(
            _(
                "You’re the game master of games that aren’t over: {names}. Hand each one over to someone else on its"
                " GM desk, close it, or wait until it ends."
            ).format(names=names)
        )


def _delete_personal_rows(user_id: int) -> None:
    Sitting.objects.filter(sitter_id=user_id, ended__isnull=True).update(ended=clock.now())
    open_requests = Handover.objects.filter(taker_id=user_id, accepted__isnull=True)
    open_requests.update(accepted=False, answered=clock.now())
    SignIn.objects.filter(user_id=user_id).delete()
    Notebook.objects.filter(occupancy__user_id=user_id).delete()
    Block.objects.filter(Q(by_id=user_id) | Q(whom_id=user_id)).delete()
    for kind in (
        Absence,
        Approach,
        Bookmark,
        CalendarKey,
        DailyLetter,
        Following,
        Mute,
        JoinRequest,
        NotificationChoice,
        PushDevice,
        PushSilence,
        Standby,
        Webhook,
    ):
        kind._default_manager.filter(user_id=user_id).delete()
    for box in OUTBOXES:
        box.rows.filter(user_id=user_id).delete()


def _unfinished_games_of(user_id: int) -> set[int]:
    """The games that are not over in which this user has a seat, waits for one, or helps."""
    seats = Occupancy.objects.filter(user_id=user_id, until__isnull=True).exclude(game__status__in=OVER)
    joined = Joiner.objects.filter(user_id=user_id)
    helps = _assistant_rows(user_id)
    return {game_id for rows in (seats, joined, helps) for game_id in rows.values_list("game_id", flat=True)}


def _assistant_rows(user_id: int) -> QuerySet[Assistant]:
    """The rows that make this user an assistant, or ask them to be one."""
    rows = Assistant.objects.filter(user_id=user_id, ended__isnull=True).exclude(accepted=False)
    return rows.exclude(game__status__in=OVER)


def lock_games_that_show(*, user_id: int) -> list[Game]:
    """Lock and return the games whose pages show this user's name; an anonymous game shows only its game master's. The
    account is locked after them."""
    played, joined = (kind.objects.filter(user=user_id).values("game_id") for kind in (Occupancy, Joiner))
    rows = Game.objects.filter(Q(gm=user_id) | Q(pk__in=played) | Q(pk__in=joined), practice=False)
    games = list(rows.select_for_update(of=("self",)).order_by("pk"))
    return [game for game in games if game.gm_id == user_id or not names_are_hidden(game, None)]


def log_new_name(games: Iterable[Game], *, before: str, name: str) -> None:
    """Write the new name in the logs of these games. The caller holds the locks on them."""
    with merging_calls():
        for game in games:
            tell(RENAMED, game, at=clock.now(), before=before, player=name)
