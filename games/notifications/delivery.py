"""Draining the outbox: every letter leaves at least once, and a broken mail server only delays it."""

from __future__ import annotations

import logging
import smtplib
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.http import Http404
from django.urls import reverse

from games import clock
from games.models import Letter, LetterKind, PressLetter, Reminder
from games.notifications.words import Words, press_words, reminder_words, words_for
from games.talk import address_of
from games.visibility import access_game, phase_view, unread_message

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet

Post = TypeVar("Post", Letter, PressLetter, Reminder)

log = logging.getLogger(__name__)

MOST_AT_ONCE = 200
LEASE = timedelta(minutes=5)
"""Longer than the slowest mail server is waited for."""
FIRST_WAIT = timedelta(seconds=30)
LONGEST_DOUBLINGS = 10


def deliver_letters() -> int:
    """Send what waits in the outboxes; how many letters were dealt with. Call it outside of any transaction."""
    return (
        _drain(Letter.objects.select_related("user", "game"), _words)
        + _drain(PressLetter.objects.select_related("user", "thread__game"), _press_words)
        + _drain(Reminder.objects.select_related("user", "phase__game"), _reminder_words)
    )


def _drain(outbox: QuerySet[Post], words_of: Callable[[Post], Words | None]) -> int:
    done = 0
    for _ in range(MOST_AT_ONCE):
        letter = claim(outbox)
        if letter is None:
            break
        done += _deliver(letter, words_of(letter))
    return done


@transaction.atomic
def claim(outbox: QuerySet[Post]) -> Post | None:
    """The next letter that waits, nobody else's for the time of the lease; None if none waits.

    Who claims it and dies leaves it to be claimed again when the lease ends, so that it may leave twice, but
    never not at all.
    """
    now = clock.now()
    waiting = outbox.filter(sent__isnull=True, next_try__lte=now).order_by("next_try", "pk")
    letter = waiting.select_for_update(skip_locked=True, of=("self",)).first()
    if letter is None:
        return None
    letter.tries += 1
    letter.next_try = now + LEASE
    letter.save(update_fields=["tries", "next_try"])
    return letter


def _deliver(letter: Post, words: Words | None) -> bool:
    """Send a claimed letter. False if the mail server refused it; without words it is thrown away."""
    if words is None:
        letter.delete()
        return True
    try:
        send_mail(
            words.subject,
            words.body,
            settings.DEFAULT_FROM_EMAIL,
            [letter.user.email],
            html_message=words.html,
        )
    except (OSError, smtplib.SMTPException):
        wait = FIRST_WAIT * 2 ** min(letter.tries, LONGEST_DOUBLINGS)
        _rows(letter).update(next_try=clock.now() + wait)
        log.warning("Letter %s could not be sent, try %s.", letter.pk, letter.tries)
        return False
    _rows(letter).update(sent=clock.now())
    return True


def _rows(letter: Post) -> QuerySet[Post]:
    """The letter's row, or none: its reason may have gone while it was on its way."""
    return type(letter)._default_manager.filter(pk=letter.pk)


def _words(letter: Letter) -> Words | None:
    """None if the receiver may no longer see the game, or if the phase has closed before the letter left.

    Whoever has lost a place before the start had been invited, and still is.
    """
    game, invited = letter.game, letter.kind == LetterKind.PLACE_LOST and letter.game.by_invitation
    token = game.invitation if invited else ""
    try:
        view = phase_view(access_game(user=letter.user, slug=game.slug, token=token), letter.ordinal)
    except Http404:
        return None
    if letter.ordinal is not None and (view.head is None or not view.head.is_open):
        return None
    path = reverse("games:invited", args=[token]) if invited else reverse("games:game", args=[game.slug])
    address = settings.SITE_ADDRESS + path
    return words_for(LetterKind(letter.kind), view, address=address, time_zone=letter.user.time_zone)


def _reminder_words(reminder: Reminder) -> Words | None:
    """None if the phase has ended, if the receiver has lost the seat, or if something is saved by now."""
    slug = reminder.phase.game.slug
    try:
        view = phase_view(access_game(user=reminder.user, slug=slug))
    except Http404:
        return None
    if (
        view.head is None
        or view.head.ordinal != reminder.phase.ordinal
        or view.desk is None
        or view.desk.saved
    ):
        return None
    address = settings.SITE_ADDRESS + reverse("games:orders", kwargs={"slug": slug})
    return reminder_words(view, address=address, time_zone=reminder.user.time_zone)


def _press_words(letter: PressLetter) -> Words | None:
    """None if the receiver may no longer see the thread, or has read it."""
    game = letter.thread.game
    try:
        message = unread_message(access_game(user=letter.user, slug=game.slug), letter.thread)
    except Http404:
        return None
    if message is None:
        return None
    where = {"slug": game.slug, "address": address_of(tuple(letter.thread.powers))}
    address = settings.SITE_ADDRESS + reverse("games:thread", kwargs=where)
    return press_words(game.name, message.author_name, public=not letter.thread.powers, address=address)
