"""Assistants of the game master, and the next game master: both are asked by email, and what they have ends here."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.kernel.blocks import is_blocked
from games.kernel.limits import count_request_to_user
from games.kernel.locking import account_named, lock_account, lock_game_for
from games.kernel.members import is_member
from games.kernel.models import Assistant, Game, Handover, Letter, Occupancy, Right, new_invitation
from games.kernel.news import NEWS_BY_LETTER, Topic, tell
from games.kernel.options import Master
from games.kernel.refusals import NotAllowed, WrongMoment
from games.mastering import news, rules
from games.news.models import Webhook


@transaction.atomic
def name_assistant(*, game_id: int, by: int, username: str, rights: Collection[str]) -> None:
    """Ask a person to assist the game master with these rights; they have them once they accept.

    UnknownPlayer; NotAllowed for players, sitters and assistants, and if there are too many.
    """
    here = lock_game_for(game_id, by)
    rules.may_name_assistant(here)
    game, now, user = here.game, here.now, account_named(username)
    if any(row.user_id == user.pk for row in rules.assistants_of(here)):
        raise NotAllowed(
            _("{user} is already an assistant or has been asked. Remove them first.").format(user=user.get_username())
        )
    if why := rules.why_not_assistant(game, user, now):
        raise NotAllowed(why)
    if not rights:
        raise NotAllowed(_("Choose at least one right for the assistant."))
    count_request_to_user(by, game)
    chosen = [right.value for right in Right if right in set(rights)]
    asked = Assistant.objects.create(game=game, user=user, rights=chosen, made=now)
    if not is_blocked(by=user.pk, whom=by):
        tell(news.ASSISTANT_ASKED, game, at=now, to=[user.pk], about=str(asked.pk))


@transaction.atomic
def answer_assistance(*, game_id: int, user_id: int, accept: bool) -> None:
    """Become an assistant, or decline. WrongMoment if the request is closed; NotAllowed for players and sitters."""
    here = lock_game_for(game_id, user_id)
    game, now, asked = here.game, here.now, (rules.may_assist if accept else rules.may_decline_to_assist)(here)
    asked.accepted, asked.answered = accept, now
    if accept:
        lock_account(user_id)
    asked.save(update_fields=["accepted", "answered"])
    about = str(asked.pk)
    if accept:
        to, may = [game.gm_id], asked.rights
        tell(news.ASSISTANT_NAMED, game, at=now, by=user_id, to=to, about=about, rights="", may=may)
    else:
        tell(news.ASSISTANT_DECLINED, game, at=now, to=[game.gm_id], about=about)


@transaction.atomic
def dismiss_assistant(*, game_id: int, by: int, username: str) -> None:
    """End somebody's assistance, or withdraw the request. WrongMoment if there is neither."""
    here = lock_game_for(game_id, by)
    rules.may_dismiss(here)
    found = next((row for row in rules.assistants_of(here) if row.user.get_username() == username), None)
    if found is None:
        raise WrongMoment(_("No assistant of this game has that name."))
    if not found.accepted:
        withdraw_request(found, here.now)
        return
    end(here.game, found, here.now)
    told, about = [found.user_id], str(found.pk)
    tell(news.ASSISTANT_DISMISSED, here.game, at=here.now, by=by, to=told, about=about, assistant=username)


@transaction.atomic
def step_down(*, game_id: int, user_id: int) -> None:
    """Stop being an assistant. The game master is told."""
    here = lock_game_for(game_id, user_id)
    rules.may_step_down(here)
    (row,) = (row for row in rules.assistants_of(here) if row.user_id == user_id)
    end(here.game, row, here.now)
    tell(news.ASSISTANT_LEFT, here.game, at=here.now, by=user_id, to=[here.game.gm_id], about=str(row.pk))


def withdraw_request(asked: Assistant, now: datetime) -> None:
    asked.accepted, asked.answered = False, now
    asked.save(update_fields=["accepted", "answered"])


def end(game: Game, row: Assistant, now: datetime) -> None:
    """End this assistance. The caller holds the lock on the game."""
    row.ended = now
    row.save(update_fields=["ended"])
    game.refresh_from_db(fields=["assistants"])
    shut_out(game, row.user_id)


def shut_out(game: Game, user_id: int) -> None:
    """This user runs the game no more: they keep no invitation, no webhook and no news for its masters."""
    for_masters = [kind for kind, told in NEWS_BY_LETTER.items() if told.topic == Topic.MASTER]
    Letter.objects.filter(game=game, user_id=user_id, kind__in=for_masters, sent__isnull=True).delete()
    Webhook.objects.filter(game=game, user_id=user_id).delete()
    game.invitation = new_invitation()
    game.save(update_fields=["invitation"])


# Handing over a game to another game master.


@transaction.atomic
def offer_game(*, game_id: int, by: int, username: str) -> None:
    """Ask a person to take over the game; it changes hands only if they accept. No one else is told.

    UnknownPlayer; NotAllowed for a player, unless the game master may play; WrongMoment while another request is open.
    """
    here = lock_game_for(game_id, by)
    rules.may_hand_over(here)
    game, now, user = here.game, here.now, account_named(username)
    if user.pk == by:
        raise NotAllowed(_("You’re already the game master. Name another player."))
    if not game.options[Master].gm_plays and is_member(game, user.pk):
        raise NotAllowed(rules.PLAYS.format(user=user.get_username()))
    count_request_to_user(by, game)
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
    here = lock_game_for(game_id, by)
    rules.may_take_back(here)
    here.game.handovers.filter(accepted__isnull=True).update(accepted=False, answered=here.now)


@transaction.atomic
def answer_offer(*, game_id: int, user_id: int, accept: bool) -> None:
    """Take over the game, or decline. The previous game master keeps no rights, no invitation and no webhook.

    WrongMoment if the request is closed; NotAllowed for players and sitters, unless the game master may play.
    """
    here = lock_game_for(game_id, user_id)
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
            withdraw_request(row, now)
    tell(news.MASTER_NAMED if asked.by_moderators else news.HANDED_OVER, game, at=now, by=asked.taker_id)
