"""Handing a game over to another game master, who is asked by letter and answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from games.kernel import clock
from games.kernel.blocks import is_blocked
from games.kernel.locking import account_named, lock_game, lock_game_as_gm, require_status
from games.kernel.members import is_in
from games.kernel.models import UNDER_WAY, Game, Handover, Status, new_invitation
from games.kernel.options import Master
from games.kernel.refusals import NotAllowed, WrongMoment
from games.mastering import news
from games.mastering.rules import PLAYS, why_not_master
from games.news.kinds import LETTERS
from games.news.models import Letter, Topic, Webhook
from games.news.services import tell

if TYPE_CHECKING:
    from datetime import datetime


@transaction.atomic
def offer_game(*, game_id: int, by: int, username: str) -> None:
    """Ask somebody to take the game over; it changes hands only when he says yes. Nobody else is told.

    UnknownPlayer; NotAllowed for a player, unless the game master may play; WrongMoment while somebody else is asked.
    """
    game, user, now = lock_game_as_gm(game_id, by), account_named(username), clock.now()
    _require_not_over(game)
    name = user.get_username()
    if user.pk == by:
        raise NotAllowed("You are the game master already. Name somebody else.")
    if not game.options[Master].gm_plays and is_in(game, user.pk):
        raise NotAllowed(f"{name} {PLAYS}")
    if game.handovers.filter(accepted__isnull=True).exists():
        raise WrongMoment("You have asked somebody already. Take that back first.")
    _ask(game, user.pk, now, by_moderators=False)


def _require_not_over(game: Game) -> None:
    require_status(game, (Status.OPEN, *UNDER_WAY), "The game is over.")


def _ask(game: Game, user_id: int, now: datetime, *, by_moderators: bool) -> None:
    asked = Handover.objects.create(
        game=game, giver_id=game.gm_id, taker_id=user_id, by_moderators=by_moderators, made=now
    )
    if by_moderators or not is_blocked(by=user_id, whom=game.gm_id):
        tell(news.MASTER_ASKED, game, at=now, to=[user_id], about=str(asked.pk))


@transaction.atomic
def take_back_offer(*, game_id: int, by: int) -> None:
    """Ask no more. WrongMoment if nobody is asked."""
    game = lock_game_as_gm(game_id, by)
    if not game.handovers.filter(accepted__isnull=True).update(accepted=False, answered=clock.now()):
        raise WrongMoment("Nobody is asked now.")


@transaction.atomic
def answer_offer(*, game_id: int, user_id: int, accept: bool) -> None:
    """Take the game over, or say no. Whoever gives it away keeps no right in it, no invitation, nor where its news go.

    WrongMoment if nobody asks any more; NotAllowed for who plays or sits where the game master may not.
    """
    game, now = lock_game(game_id), clock.now()
    _require_not_over(game)
    asked = game.handovers.filter(taker_id=user_id, accepted__isnull=True).first()
    if asked is None:
        raise WrongMoment("Nobody asks you any more to take this game over.")
    if accept:
        _require_free(game, asked, now)
        _pass_on(game, asked, now)
    asked.accepted, asked.answered = accept, now
    asked.save(update_fields=["accepted", "answered"])
    if not asked.by_moderators:
        tell(news.MASTER_ANSWERED, game, at=now, to=[asked.giver_id], about=str(asked.pk))


def _require_free(game: Game, asked: Handover, now: datetime) -> None:
    sentence = why_not_master(game, asked.taker_id, now)
    if sentence:
        raise NotAllowed(f"You cannot take this game over: {asked.taker.get_username()} {sentence}")
    if asked.by_moderators and game.gm.is_active:
        raise WrongMoment("The game master of this game is back, so it needs no other.")


def _pass_on(game: Game, asked: Handover, now: datetime) -> None:
    for_masters = [kind for kind, told in LETTERS.items() if told.topic == Topic.MASTER]
    Letter.objects.filter(game=game, user_id=game.gm_id, kind__in=for_masters, sent__isnull=True).delete()
    Webhook.objects.filter(game=game).delete()
    game.gm_id, game.invitation = asked.taker_id, new_invitation()
    game.save(update_fields=["gm", "invitation"])
    tell(news.MASTER_NAMED if asked.by_moderators else news.HANDED_OVER, game, at=now, by=asked.taker_id)
