"""Draining the outbox: every letter leaves at least once, and a broken mail server only delays it."""

from __future__ import annotations

import logging
import smtplib
from datetime import timedelta

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.http import Http404
from django.urls import reverse

from games import clock
from games.models import Letter, LetterKind
from games.notifications.words import Words, words_for
from games.visibility import access_game, phase_view

log = logging.getLogger(__name__)

MOST_AT_ONCE = 200
FIRST_WAIT = timedelta(seconds=30)
LONGEST_DOUBLINGS = 10


def deliver_letters() -> int:
    """Send what waits, one transaction each; how many were sent."""
    return sum(1 for _ in range(MOST_AT_ONCE) if _deliver_one())


@transaction.atomic
def _deliver_one() -> bool:
    """Send the next letter; False if none waits or the mail server refused it."""
    now = clock.now()
    waiting = Letter.objects.filter(sent__isnull=True, next_try__lte=now).order_by("next_try", "pk")
    letter = waiting.select_for_update(skip_locked=True, of=("self",)).select_related("user", "game").first()
    if letter is None:
        return False
    words = _words(letter)
    if words is None:
        letter.delete()
        return True
    try:
        send_mail(words.subject, words.body, settings.DEFAULT_FROM_EMAIL, [letter.user.email])
    except (OSError, smtplib.SMTPException):
        letter.tries += 1
        letter.next_try = now + FIRST_WAIT * 2 ** min(letter.tries, LONGEST_DOUBLINGS)
        letter.save(update_fields=["tries", "next_try"])
        log.warning("Letter %s could not be sent, try %s.", letter.pk, letter.tries)
        return False
    letter.sent = now
    letter.save(update_fields=["sent"])
    return True


def _words(letter: Letter) -> Words | None:
    """None if the receiver may no longer see the game, or if the phase has closed before the letter left."""
    try:
        view = phase_view(access_game(user=letter.user, slug=letter.game.slug), letter.ordinal)
    except Http404:
        return None
    if letter.ordinal is not None and (view.head is None or not view.head.is_open):
        return None
    address = settings.SITE_ADDRESS + reverse("games:game", kwargs={"slug": letter.game.slug})
    return words_for(LetterKind(letter.kind), view, address=address, time_zone=letter.user.time_zone)
