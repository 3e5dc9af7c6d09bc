"""Joining a game before it starts: asking, joining, the roll call, and assigning the powers."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from random import Random

from django.db import transaction
from django.db.models import DateTimeField, Exists, F, OuterRef
from django.db.models.expressions import RawSQL
from django.utils.translation import gettext as _

from adjudication.resolution import Verdict
from games.deadlines.phases import begin_game, finish_game
from games.kernel import clock, codec, hooks
from games.kernel.acts import Accept, Username, Wishes, gm_act, player_act
from games.kernel.blocks import is_blocked
from games.kernel.languages import later
from games.kernel.limits import count_public_change
from games.kernel.live import announce_change
from games.kernel.locking import lock_account, lock_game, lock_game_for
from games.kernel.members import masters_of, members_of
from games.kernel.models import Game, Joiner, Occupancy, Right, Status
from games.kernel.news import recall_letters, tell, write_letters
from games.kernel.options import Bots
from games.kernel.queries import NOBODY
from games.kernel.refusals import NotAllowed, WrongMoment
from games.kernel.standpoint import Standpoint
from games.seating import news
from games.seating.models import Confirmation, JoinRequest, MailedInvitation, RollCall
from games.seating.options import Dealing, SeatAssignment, Start, WaitForPlayers
from games.seating.queries import open_join_requests
from games.seating.reliability import COUNTED_SEATS
from games.seating.rules import joining as rules
from games.seating.rules.dealing import costs_by_wishes, deal
from games.seating.services.bots import seat_bots_at_start
from games.seating.services.seats import announce_seats_vacant_at_start
from variants.kinds import Ending


@player_act.locked("join", rules.may_join)
def join_game(here: Standpoint, user_id: int, *, wishes: Sequence[str] = ()) -> None:
    """Join a game that assigns powers once it is full; `wishes` are powers, the favourite first. The last player fills
    it.

    Raises WrongMoment once it has started, or if players choose their powers; SeatTaken if it is full; NotAllowed for
    people without invitation or approval, and for those who may not play.
    """
    refuse_if_blocked(here)
    count_public_change(here.game.pk, user_id)
    game, now = here.game, here.now
    lock_account(user_id)
    Joiner.objects.create(game=game, user_id=user_id, wishes=_checked_wishes(game, wishes), joined=now)
    tell(news.JOINED, game, at=now, by=user_id)
    call_roll_or_start(game, now, here=user_id)


@player_act.locked("change_wishes", rules.may_change_wishes)
def change_wishes(here: Standpoint, user_id: int, *, wishes: Wishes) -> None:
    """Replace the powers you would like, until powers are assigned. Only you can see them."""
    Joiner.objects.filter(game=here.game, user_id=user_id).update(wishes=_checked_wishes(here.game, wishes))


def _checked_wishes(game: Game, wishes: Sequence[str]) -> list[str]:
    """The preferences to store: none if powers are assigned at random."""
    if game.options[Dealing].seats != SeatAssignment.PREFERENCES:
        return []
    if len(set(wishes)) < len(wishes):
        raise NotAllowed(_("Your list names a power twice. Choose each power only once."))
    if not set(wishes) <= set(game.seats.values_list("power", flat=True)):
        raise NotAllowed(_("There is no such power in this game. Choose from those in the list."))
    return list(wishes)


def refuse_if_blocked(here: Standpoint) -> None:
    """Raises NotAllowed for people the game master has blocked. The sentence doesn't say why, and no page knows it."""
    if is_blocked(by=here.game.gm_id, whom=here.user_id or NOBODY):
        raise NotAllowed(_("You can’t join this game."))


@player_act("ask_to_join", rules.may_ask_to_join, done=rules.JOIN_REQUEST_SENT, to="games:game")
@transaction.atomic
def ask_to_join(*, game_id: int, user_id: int, token: str = "") -> None:
    """Ask the game master to be let in.

    Only the game master is told, and only once, however often the request is withdrawn and repeated.
    """
    here = lock_game_for(game_id, user_id, token=token)
    if rules.has_open_join_request(here):
        return
    rules.may_ask_to_join(here)
    game, now = here.game, here.now
    JoinRequest.objects.create(game=game, user_id=user_id, asked=now)
    if not is_blocked(by=game.gm_id, whom=user_id):
        tell(news.REQUEST_MADE, game, at=now, to=masters_of(game, Right.SEATS), about=f"by {user_id}")


@player_act.locked(
    "withdraw_request",
    rules.may_withdraw_join_request,
    done=later("You’ve withdrawn your request."),
    to="games:lobby",
    back="games:game",
)
def withdraw_join_request(here: Standpoint, user_id: int) -> None:
    """Withdraw the request; no one is told.

    An unsent email about it is not sent.
    """
    JoinRequest.objects.filter(game=here.game, user_id=user_id).delete()
    recall_letters(news.REQUEST_MADE, here.game, about=f"by {user_id}")


@gm_act.locked("answer_request", rules.may_answer_join_requests, offered=False)
def answer_join_request(here: Standpoint, by: int, *, username: Username, accept: Accept) -> None:
    """Accept or decline a request to join before the start.

    The person who asked is told.
    """
    game, now = here.game, here.now
    request = open_join_requests(game).filter(user__username=username).first()
    if request is None:
        raise WrongMoment(_("No player of that name is waiting for an answer."))
    request.accepted = accept
    request.save(update_fields=["accepted"])
    answer = news.REQUEST_ACCEPTED if accept else news.REQUEST_DECLINED
    to, about = [request.user_id], str(request.pk)
    tell(answer, game, at=now, by=by, to=to, about=about, player=username)


def remove_joiner(game: Game, user_id: int, now: datetime) -> bool:
    """Remove a user who has joined an open game and has no seat yet, and return whether there was one. The caller holds
    the lock."""
    count, _rows = Joiner.objects.filter(game=game, user_id=user_id).delete()
    if count:
        tell(news.UNJOINED, game, at=now, by=user_id)
    return bool(count)


def call_roll_or_start(game: Game, now: datetime, *, here: int | None = None) -> None:
    """Call the roll or start the game, if it is time. `here`: the user who has just acted, which counts as confirming.
    The caller holds the lock on the game."""
    members, places = members_of(game), game.options[Bots].places(game.seats.filter(disordered=False).count())
    roll_call = RollCall.objects.filter(game=game).first()
    if roll_call is None and len(members) < places:
        return
    roll_call = roll_call or _call_roll(game, None, now, incomplete=False, here=here)
    if roll_call is None:
        _start_game(game, None, now)
        return
    if here in members:
        Confirmation.objects.get_or_create(roll_call=roll_call, user_id=here)
    confirmed = set(roll_call.confirmations.values_list("user_id", flat=True))
    enough = members and (roll_call.incomplete or len(members) == places)
    if enough and confirmed.issuperset(members):
        _start_game(game, None, now)


def start_by_gm(game: Game, by: int, now: datetime) -> None:
    """Start with the present players or, if some must confirm first, ask them. The caller holds the lock on the
    game."""
    if _call_roll(game, by, now, incomplete=True, here=by):
        call_roll_or_start(game, now, here=by)
    else:
        _start_game(game, by, now)


def start_with_confirmed(game: Game, by: int, now: datetime) -> None:
    """Start without the players who have not confirmed in the roll call. The caller holds the lock on the game."""
    roll_call = RollCall.objects.get(game=game)
    Confirmation.objects.get_or_create(roll_call=roll_call, user_id=by)
    _remove_unconfirmed(roll_call, now)
    _start_game(game, by, now)


def abandon_roll_call(game: Game, by: int, now: datetime) -> None:
    """Cancel the roll call. The caller holds the lock on the game."""
    roll_call = RollCall.objects.get(game=game)
    about = str(roll_call.pk)
    recall_letters(news.ROLL_CALLED, game, about=about)
    tell(news.ROLL_CALL_CANCELLED, game, at=now, by=by, to=members_of(game), about=about)
    roll_call.delete()


def _call_roll(game: Game, by: int | None, now: datetime, *, incomplete: bool, here: int | None) -> RollCall | None:
    """Ask everyone to confirm or, in a game without a roll call, only those who may have gone; None if there are none.
    In place of the others it confirms itself."""
    start, members = game.options[Start], members_of(game)
    may_have_gone = set() if start.roll_call_seconds else _members_who_abandoned_another(game) - {here}
    if not (start.roll_call_seconds or may_have_gone):
        return None
    deadline = now + timedelta(seconds=start.seconds_to_confirm)
    roll_call = RollCall.objects.create(game=game, called=now, deadline=deadline, incomplete=incomplete)
    about = str(roll_call.pk)
    if start.roll_call_seconds:
        tell(news.ROLL_CALLED, game, at=now, by=by, to=members, about=about, time="", length=start.roll_call_seconds)
        return roll_call
    sure = (Confirmation(roll_call=roll_call, user_id=user_id) for user_id in members if user_id not in may_have_gone)
    Confirmation.objects.bulk_create(sure)
    tell(news.ASKED_AGAIN, game, at=now, to=may_have_gone, about=about)
    announce_change(game.pk)
    return roll_call


def _members_who_abandoned_another(game: Game) -> set[int]:
    """The players who have abandoned another game since they joined this one, as far as it shows in their record."""
    left = Occupancy.objects.filter(COUNTED_SEATS, user_id=OuterRef("user_id")).exclude(departure="")
    joined = Joiner.objects.filter(Exists(left.filter(until__gt=OuterRef("joined"))), game=game)
    seated = Occupancy.objects.filter(Exists(left.filter(until__gt=OuterRef("since"))), game=game, until__isnull=True)
    return {*joined.values_list("user_id", flat=True).union(seated.values_list("user_id", flat=True))}


def _start_game(game: Game, by: int | None, now: datetime) -> None:
    RollCall.objects.filter(game=game).delete()
    _assign_powers(game, now)
    _keep_seats_for_guests(game)
    seat_bots_at_start(game, now)
    begin_game(game, by=by, now=now)
    announce_seats_vacant_at_start(game, now)


def _assign_powers(game: Game, now: datetime) -> None:
    """Assign powers to the players who have joined; their preferences are not kept."""
    joiners = {row.user_id: row for row in Joiner.objects.filter(game=game)}
    if not joiners:
        return
    wishes = {user_id: row.wishes for user_id, row in joiners.items()}
    rows = game.seats.filter(disordered=False).order_by("held", "pk")
    vacant = list(rows.exclude(pk__in=Occupancy.objects.filter(game=game, until__isnull=True).values("seat_id")))
    free = [seat for seat in vacant if not seat.held]
    # seats kept for guests only if these are too few, as in very old games
    seats = {seat.power: seat for seat in vacant[: max(len(joiners), len(free))]}
    powers = [power.id for power in codec.variant_of(game).powers if power.id in seats]
    for user_id, power in assign_by_preference(wishes, powers, secrets.SystemRandom()).items():
        own_bot = joiners[user_id].own_bot
        Occupancy.objects.create(game=game, seat=seats[power], user_id=user_id, since=now, own_bot=own_bot)
    Joiner.objects.filter(game=game).delete()
    tell(news.SEATS_DEALT, game, at=now)


def _keep_seats_for_guests(game: Game) -> None:
    """Keep a random power for each guest who has not answered and was invited without one."""
    guests = list(MailedInvitation.objects.filter(game=game, seat=None).order_by("pk"))
    if not guests:
        return
    free = list(game.seats.filter(held=False, disordered=False).order_by("pk"))
    for guest, seat in zip(guests, secrets.SystemRandom().sample(free, min(len(free), len(guests))), strict=False):
        guest.seat = seat
        guest.save(update_fields=["seat"])
    MailedInvitation.objects.filter(game=game, seat=None).delete()


@player_act("confirm", rules.may_confirm, done=later("You’ve confirmed your place."), to="games:game")
@transaction.atomic
def confirm_place(*, game_id: int, user_id: int) -> None:
    """Confirm your place in the roll call before the start; the last player to do so starts the game."""
    here = lock_game_for(game_id, user_id)
    if user_id in rules.users_who_confirmed(here):
        return
    rules.may_confirm(here)
    game, now = here.game, here.now
    tell(news.CONFIRMED, game, at=now, by=user_id)
    call_roll_or_start(game, now, here=user_id)


def games_that_waited_too_long() -> list[int]:
    """The open games whose time to wait for players is over."""
    patience = RawSQL("created + make_interval(days => (options->>'wait_days')::int)", (), DateTimeField())
    waiting = Game.objects.filter(status=Status.OPEN, stored_options__wait_days__gt=0)
    return list(waiting.annotate(until=patience).filter(until__lte=clock.now()).values_list("pk", flat=True))


@transaction.atomic
def close_unfilled_game(*, game_id: int) -> bool:
    """Close a game that has not filled in time, and tell its players and game master. Returns False if it has filled,
    or during a roll call."""
    game, now = lock_game(game_id), clock.now()
    wait = game.options[WaitForPlayers]
    until = wait.until(game.created)
    if game.status != Status.OPEN or until is None or until > now or RollCall.objects.filter(game=game).exists():
        return False
    verdict = Verdict((), Ending.TOO_FEW_PLAYERS, {"count": wait.wait_days})
    finish_game(game, verdict, status=Status.CLOSED, by=None, now=now)
    return True


def games_with_due_roll_calls() -> list[int]:
    """The games whose roll call is over but not settled, except those in which someone is acting."""
    due = RollCall.objects.filter(deadline__lte=clock.now(), game__status=Status.OPEN)
    with transaction.atomic():
        free = due.select_related("game").select_for_update(of=("game",), skip_locked=True)
        return [roll_call.game_id for roll_call in free.order_by("deadline", "pk")]


@transaction.atomic
def end_roll_call(*, game_id: int) -> bool:
    """Remove all players who have not confirmed in time. Returns False if no roll call of this game is over."""
    game = lock_game(game_id)
    now = clock.now()
    roll_call = RollCall.objects.filter(game=game, deadline__lte=now).first()
    if roll_call is None or game.status != Status.OPEN:
        return False
    roll_call.game = game
    _remove_unconfirmed(roll_call, now)
    roll_call.delete()
    hooks.players_changed(game, now)
    return True


def _remove_unconfirmed(roll_call: RollCall, now: datetime) -> None:
    """Remove the players who have not confirmed, and tell them."""
    game, confirmed = roll_call.game, set(roll_call.confirmations.values_list("user_id", flat=True))
    absentees = [user_id for user_id in members_of(game) if user_id not in confirmed]
    Occupancy.objects.filter(game=game, user_id__in=absentees, until__isnull=True).update(until=now)
    Joiner.objects.filter(game=game, user_id__in=absentees).delete()
    for user_id in absentees:
        tell(news.PLACE_LOST, game, at=now, by=user_id)
    write_letters(news.PLACE_LOST, game, absentees, about=str(roll_call.pk), at=now)


def put_off_roll_call(game: Game, time_lost: timedelta) -> bool:
    """Extend the roll call by the lost time; False if there is none. The caller holds the lock."""
    return bool(RollCall.objects.filter(game=game).update(deadline=F("deadline") + time_lost))


def assign_by_preference(wishes: Mapping[int, Sequence[str]], powers: Sequence[str], random: Random) -> dict[int, str]:
    """Person -> power, with the smallest sum of the powers' places in their own lists."""
    return deal(costs_by_wishes(wishes, powers), random)
