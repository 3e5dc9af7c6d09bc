"""Handing over a game to another game master, who is asked by email."""

from datetime import datetime

from django.db import transaction

from games.kernel.blocks import is_blocked
from games.kernel.limits import count_ask
from games.kernel.locking import account_named, lock, lock_account
from games.kernel.members import is_in
from games.kernel.models import Assistant, Game, Handover, Occupancy
from games.kernel.news import tell
from games.kernel.options import Master
from games.kernel.refusals import NotAllowed
from games.mastering import news, rules
from games.mastering.services.assistants import shut_out, withdraw


@transaction.atomic
def offer_game(*, game_id: int, by: int, username: str) -> None:
    """Ask a person to take over the game; it changes hands only if they accept. No one else is told.

    UnknownPlayer; NotAllowed for a player, unless the game master may play; WrongMoment while another request is open.
    """
    here = lock(game_id, by)
    rules.may_hand_over(here)
    game, now, user = here.game, here.now, account_named(username)
    name = user.get_username()
    if user.pk == by:
        raise NotAllowed("You’re already the game master. Name another player.")
    if not game.options[Master].gm_plays and is_in(game, user.pk):
        raise NotAllowed(f"{name} {rules.PLAYS}")
    count_ask(by, game)
    ask(game, user.pk, now, by_moderators=False)


def ask(game: Game, user_id: int, now: datetime, *, by_moderators: bool) -> None:
    """Record that this user is asked, and tell them. The caller holds the lock on the game."""
    asked = Handover.objects.create(
        game=game, giver_id=game.gm_id, taker_id=user_id, by_moderators=by_moderators, made=now
    )
    if by_moderators or not is_blocked(by=user_id, whom=game.gm_id):
        tell(news.MASTER_ASKED, game, at=now, to=[user_id], about=str(asked.pk))


@transaction.atomic
def take_back_offer(*, game_id: int, by: int) -> None:
    """Withdraw the request. WrongMoment if there is none."""
    here = lock(game_id, by)
    rules.may_take_back(here)
    here.game.handovers.filter(accepted__isnull=True).update(accepted=False, answered=here.now)


@transaction.atomic
def answer_offer(*, game_id: int, user_id: int, accept: bool) -> None:
    """Take over the game, or decline. The previous game master keeps no rights, no invitation and no webhook.

    WrongMoment if the request is closed; NotAllowed for players and sitters, unless the game master may play.
    """
    here = lock(game_id, user_id)
    game, now, asked = here.game, here.now, (rules.may_take_over if accept else rules.may_answer)(here)
    if accept:
        _pass_on(game, asked, now)
    asked.accepted, asked.answered = accept, now
    asked.save(update_fields=["accepted", "answered"])
    if not asked.by_moderators:
        answer = news.MASTER_ACCEPTED if accept else news.MASTER_DECLINED
        tell(answer, game, at=now, to=[asked.giver_id], about=str(asked.pk))


def _pass_on(game: Game, asked: Handover, now: datetime) -> None:
    lock_account(asked.taker_id)
    shut_out(game, game.gm_id)
    game.gm_id = asked.taker_id
    game.save(update_fields=["gm"])
    Occupancy.objects.filter(game=game, gm_enters=True).update(gm_enters=False)
    for row in Assistant.objects.filter(game=game, user_id=asked.taker_id, ended__isnull=True).exclude(accepted=False):
        if row.accepted:
            row.ended = now
            row.save(update_fields=["ended"])
        else:
            withdraw(row, now)
    tell(news.MASTER_NAMED if asked.by_moderators else news.HANDED_OVER, game, at=now, by=asked.taker_id)
