"""Assistants of the game master, and the next game master. Both are asked by email, and both roles end here."""

from collections.abc import Collection
from datetime import datetime
from typing import Annotated

from django import forms
from django.db import transaction
from django.utils.translation import gettext as _

from games.kernel.acts import Accept, Asked, Username, asked_for_user, gm_act, player_act
from games.kernel.blocks import is_blocked
from games.kernel.languages import later
from games.kernel.limits import count_request_to_user
from games.kernel.locking import account_named, lock_account, lock_game_for
from games.kernel.members import is_member
from games.kernel.models import Assistant, Game, Handover, Letter, Occupancy, Right, new_invitation
from games.kernel.news import NEWS_BY_LETTER, Topic, tell
from games.kernel.options import Master
from games.kernel.refusals import NotAllowed, WrongMoment
from games.kernel.standpoint import Standpoint
from games.mastering import news, rules
from games.news.models import Webhook

CAN = {
    Right.TALK: later("Messages: write to everyone as the game master"),
    Right.CLOCK: later(
        "Clock: start, pause and resume the game, move the deadline, ask for an earlier one and, where the terms "
        "allow it, end a phase early"
    ),
    Right.SEATS: later("Seats: answer requests, invite, replace and remove players, and seat bots"),
    Right.RESULTS: later("Results: correct orders and the position, and look at what the terms let you see"),
}
Helper = Annotated[str, asked_for_user(missing=later("Enter the name of the player who should be your assistant."))]
Successor = Annotated[str, asked_for_user(missing=later("Enter the name of the player who should take over the game."))]
Rights = Annotated[
    Collection[str],
    Asked(
        says="What the assistant may do: “talk” (messages), “clock”, “seats” and “results”.",
        label=later("Rights"),
        choices=[(right.value, can) for right, can in CAN.items()],
        missing=later("Choose at least one right."),
        wrong=later("There is no right %(value)s. Choose from the list."),
        widget=forms.CheckboxSelectMultiple,
    ),
]


@gm_act.locked(
    "name_assistant",
    rules.may_name_assistant,
    done=later("We’ve asked {username}. They are your assistant once they accept."),
    for_master=True,
    offered=False,
)
def name_assistant(here: Standpoint, by: int, *, username: Helper, rights: Rights) -> None:
    """Ask a user to be your assistant, with these rights.

    Raises UnknownPlayer; NotAllowed for players, sitters and assistants, and if there are too many.
    """
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
    assistant = Assistant.objects.create(game=game, user=user, rights=chosen, made=now)
    if not is_blocked(by=user.pk, whom=by):
        tell(news.ASSISTANT_ASKED, game, at=now, to=[user.pk], about=str(assistant.pk))


@player_act("answer_assist", rules.may_decline_to_assist)
@transaction.atomic
def answer_assistance(*, game_id: int, user_id: int, accept: Accept) -> None:
    """Become an assistant of the game master who has asked you, or decline.

    Raises WrongMoment if it is closed; NotAllowed for players and sitters.
    """
    here = lock_game_for(game_id, user_id)
    game, now, assistant = here.game, here.now, (rules.may_assist if accept else rules.may_decline_to_assist)(here)
    assistant.accepted, assistant.answered = accept, now
    if accept:
        lock_account(user_id)
    assistant.save(update_fields=["accepted", "answered"])
    key = str(assistant.pk)
    if accept:
        to, rights = [game.gm_id], assistant.rights
        tell(news.ASSISTANT_NAMED, game, at=now, by=user_id, to=to, about=key, rights="", may=rights)
    else:
        tell(news.ASSISTANT_DECLINED, game, at=now, to=[game.gm_id], about=key)


@gm_act.locked(
    "dismiss_assistant",
    rules.may_dismiss_assistant,
    done=later("{username} is not your assistant any more."),
    for_master=True,
    offered=False,
)
def dismiss_assistant(here: Standpoint, by: int, *, username: Username) -> None:
    """Remove an assistant, or withdraw the request."""
    assistant = next((row for row in rules.assistants_of(here) if row.user.get_username() == username), None)
    if assistant is None:
        raise WrongMoment(_("No assistant of this game has that name."))
    if not assistant.accepted:
        withdraw_request(assistant, here.now)
        return
    end_assistance(here.game, assistant, here.now)
    to, about = [assistant.user_id], str(assistant.pk)
    tell(news.ASSISTANT_DISMISSED, here.game, at=here.now, by=by, to=to, about=about, assistant=username)


@player_act.locked("step_down", rules.may_stop_assisting)
def stop_assisting(here: Standpoint, user_id: int) -> None:
    """Stop being an assistant.

    The game master is told.
    """
    (assistant,) = (assistant for assistant in rules.assistants_of(here) if assistant.user_id == user_id)
    end_assistance(here.game, assistant, here.now)
    tell(news.ASSISTANT_LEFT, here.game, at=here.now, by=user_id, to=[here.game.gm_id], about=str(assistant.pk))


def withdraw_request(assistant: Assistant, now: datetime) -> None:
    assistant.accepted, assistant.answered = False, now
    assistant.save(update_fields=["accepted", "answered"])


def end_assistance(game: Game, assistant: Assistant, now: datetime) -> None:
    """End this assistance. The caller holds the lock on the game."""
    assistant.ended = now
    assistant.save(update_fields=["ended"])
    game.refresh_from_db(fields=["assistants"])
    end_access_of_master(game, assistant.user_id)


def end_access_of_master(game: Game, user_id: int) -> None:
    """Delete what only a game master has: this user's invitation, webhook and news for game masters."""
    for_masters = [kind for kind, news_kind in NEWS_BY_LETTER.items() if news_kind.topic == Topic.MASTER]
    Letter.objects.filter(game=game, user_id=user_id, kind__in=for_masters, sent__isnull=True).delete()
    Webhook.objects.filter(game=game, user_id=user_id).delete()
    game.invitation = new_invitation()
    game.save(update_fields=["invitation"])


# Handing over a game to another game master.


@gm_act.locked(
    "hand_over",
    rules.may_hand_over,
    done=later("We’ve asked {username}. You stay the game master until they accept."),
    for_master=True,
    offered=False,
)
def offer_handover(here: Standpoint, by: int, *, username: Successor) -> None:
    """Ask a user to take over as game master.

    No one else is told. Raises UnknownPlayer; NotAllowed for a player, unless the game master may play; WrongMoment if
    another is asked.
    """
    game, now, user = here.game, here.now, account_named(username)
    if user.pk == by:
        raise NotAllowed(_("You’re already the game master. Name another player."))
    if not game.options[Master].gm_plays and is_member(game, user.pk):
        raise NotAllowed(rules.PLAYS_HERE.format(user=user.get_username()))
    count_request_to_user(by, game)
    ask_to_take_over(game, user.pk, now, by_moderators=False)


def ask_to_take_over(game: Game, user_id: int, now: datetime, *, by_moderators: bool) -> None:
    """Record that this user is asked, and tell them. The caller holds the lock on the game."""
    handover = Handover.objects.create(
        game=game, giver_id=game.gm_id, taker_id=user_id, by_moderators=by_moderators, made=now
    )
    if by_moderators or not is_blocked(by=user_id, whom=game.gm_id):
        tell(news.MASTER_ASKED, game, at=now, to=[user_id], about=str(handover.pk))


@gm_act.locked(
    "take_back",
    rules.may_withdraw_handover,
    done=later("Request withdrawn. You stay the game master."),
    for_master=True,
    offered=False,
)
def withdraw_handover(here: Standpoint, _by: int) -> None:
    """Withdraw the request to take over the game."""
    here.game.handovers.filter(accepted__isnull=True).update(accepted=False, answered=here.now)


@player_act("answer_hand_over", rules.may_answer_handover)
@transaction.atomic
def answer_handover(*, game_id: int, user_id: int, accept: Accept) -> None:
    """Become the next game master of a game whose game master has asked you, or decline.

    The previous game master keeps no rights, no invitation and no webhook.

    Raises WrongMoment if the request is closed; NotAllowed for players and sitters, unless the game master may play.
    """
    here = lock_game_for(game_id, user_id)
    game, now, handover = here.game, here.now, (rules.may_take_over if accept else rules.may_answer_handover)(here)
    if accept:
        lock_account(user_id)
        end_access_of_master(game, game.gm_id)
        game.gm_id = user_id
        game.save(update_fields=["gm"])
        Occupancy.objects.filter(game=game, gm_enters=True).update(gm_enters=False)
        assistance = Assistant.objects.filter(game=game, user_id=user_id, ended__isnull=True).exclude(accepted=False)
        for row in assistance:
            if row.accepted:
                row.ended = now
                row.save(update_fields=["ended"])
            else:
                withdraw_request(row, now)
        tell(news.MASTER_NAMED if handover.by_moderators else news.HANDED_OVER, game, at=now, by=user_id)
    handover.accepted, handover.answered = accept, now
    handover.save(update_fields=["accepted", "answered"])
    if not handover.by_moderators:
        answer = news.MASTER_ACCEPTED if accept else news.MASTER_DECLINED
        tell(answer, game, at=now, to=[handover.giver_id], about=str(handover.pk))
