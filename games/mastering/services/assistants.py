"""Naming assistants of the game master, who are asked by email, and ending that."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from games.kernel.blocks import is_blocked
from games.kernel.limits import count_ask
from games.kernel.locking import account_named, lock, lock_account
from games.kernel.models import Assistant, Game, Letter, Right, new_invitation
from games.kernel.news import LETTERS, Topic, tell
from games.kernel.refusals import NotAllowed, WrongMoment
from games.mastering import news, rules
from games.news.models import Webhook


@transaction.atomic
def name_assistant(*, game_id: int, by: int, username: str, rights: Collection[str]) -> None:
    """Ask a person to assist the game master with these rights; they have them once they accept.

    UnknownPlayer; NotAllowed for players, sitters and assistants, and if there are too many.
    """
    here = lock(game_id, by)
    rules.may_name_assistant(here)
    game, now, user = here.game, here.now, account_named(username)
    if any(row.user_id == user.pk for row in rules.assistants_of(here)):
        raise NotAllowed(f"{user.get_username()} is already an assistant or has been asked. Remove them first.")
    sentence = rules.why_not_assistant(game, user.pk, now)
    if sentence:
        raise NotAllowed(f"{user.get_username()} {sentence}")
    if not rights:
        raise NotAllowed("Choose at least one right for the assistant.")
    count_ask(by, game)
    chosen = [right.value for right in Right if right in set(rights)]
    asked = Assistant.objects.create(game=game, user=user, rights=chosen, made=now)
    if not is_blocked(by=user.pk, whom=by):
        tell(news.ASSISTANT_ASKED, game, at=now, to=[user.pk], about=str(asked.pk))


@transaction.atomic
def answer_assistance(*, game_id: int, user_id: int, accept: bool) -> None:
    """Become an assistant, or decline. WrongMoment if the request is closed; NotAllowed for players and sitters."""
    here = lock(game_id, user_id)
    game, now, asked = here.game, here.now, (rules.may_assist if accept else rules.may_decline_to_assist)(here)
    asked.accepted, asked.answered = accept, now
    if accept:
        lock_account(user_id)
    asked.save(update_fields=["accepted", "answered"])
    about = str(asked.pk)
    if accept:
        to, rights = [game.gm_id], asked.rights_words
        tell(news.ASSISTANT_NAMED, game, at=now, by=user_id, to=to, about=about, rights=rights)
    else:
        tell(news.ASSISTANT_DECLINED, game, at=now, to=[game.gm_id], about=about)


@transaction.atomic
def dismiss_assistant(*, game_id: int, by: int, username: str) -> None:
    """End somebody's assistance, or withdraw the request. WrongMoment if there is neither."""
    here = lock(game_id, by)
    rules.may_dismiss(here)
    found = next((row for row in rules.assistants_of(here) if row.user.get_username() == username), None)
    if found is None:
        raise WrongMoment("No assistant of this game has that name.")
    if not found.accepted:
        withdraw(found, here.now)
        return
    end(here.game, found, here.now)
    told, about = [found.user_id], str(found.pk)
    tell(news.ASSISTANT_DISMISSED, here.game, at=here.now, by=by, to=told, about=about, assistant=username)


@transaction.atomic
def step_down(*, game_id: int, user_id: int) -> None:
    """Stop being an assistant. The game master is told."""
    here = lock(game_id, user_id)
    rules.may_step_down(here)
    (row,) = (row for row in rules.assistants_of(here) if row.user_id == user_id)
    end(here.game, row, here.now)
    tell(news.ASSISTANT_LEFT, here.game, at=here.now, by=user_id, to=[here.game.gm_id], about=str(row.pk))


def withdraw(asked: Assistant, now: datetime) -> None:
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
    for_masters = [kind for kind, told in LETTERS.items() if told.topic == Topic.MASTER]
    Letter.objects.filter(game=game, user_id=user_id, kind__in=for_masters, sent__isnull=True).delete()
    Webhook.objects.filter(game=game, user_id=user_id).delete()
    game.invitation = new_invitation()
    game.save(update_fields=["invitation"])
