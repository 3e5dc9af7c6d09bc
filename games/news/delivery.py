"""Emptying the outboxes: every email is sent at least once, and a broken mail server only delays it."""

from __future__ import annotations

import contextlib
import logging
import smtplib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from itertools import chain

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.template.loader import render_to_string
from django.urls import reverse

from adjudication.english import amount
from games.kernel import clock
from games.kernel.access import access_game
from games.kernel.models import Outgoing
from games.news.choices import THE_DAY, leaving_secret, lock_daily, mail_for, next_daily
from games.news.models import DailyLetter, Mail
from games.news.outboxes import OUTBOXES, Outbox, Post, Words, closing_time, drained
from games.pages.queries import phase_view

log = logging.getLogger(__name__)
LEASE = timedelta(minutes=5)
"""Longer than we wait for the slowest mail server."""

FIRST_WAIT = timedelta(seconds=30)
DAY_WAIT = timedelta(minutes=10)
LONGEST_DOUBLINGS = 10
REFUSALS = (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError)
"""Errors about one email. Any other error would affect every email."""


class NoServer(Exception):
    """The mail server accepts nothing at the moment."""


def deliver_letters() -> int:
    """Send what is waiting in the outboxes and return how many emails were handled. Call it outside any transaction.

    It stops at the first email for which the server doesn't answer, so a dead server costs one timeout rather than
    one for every email.
    """
    done, until = 0, closing_time()
    with contextlib.suppress(NoServer):
        for is_dealt_with in chain(*(_drained(box, until) for box in OUTBOXES), drained(_claim_day, _send_day, until)):
            done += is_dealt_with
    return done


def _drained(box: Outbox[Post], until: float) -> Iterator[bool]:
    return drained(lambda: claim(box.rows), lambda row: _deliver(row, box), until)


@transaction.atomic
def claim(outbox: QuerySet[Post]) -> Post | None:
    """The next waiting email, reserved for this process for the length of the lease; None if none is waiting.

    If the process dies, the email can be claimed again when the lease ends. It may then be sent twice, but it is never
    lost.
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


def _deliver(letter: Post, box: Outbox[Post]) -> bool:
    """Handle a claimed email as its recipient wishes. False if the mail server refused it.

    It is thrown away if it is no longer true or its recipient may no longer know it. NoServer if no server accepts it.
    """
    wish = _wish(letter, box)
    if wish == Mail.OFF:
        _mark(letter, next_try=None)
        return True
    if wish == Mail.DAILY:
        _keep_for_the_day(letter)
        return True
    words = words_of(letter, box)
    if words is None:
        letter.delete()
        return True
    foot = _foot(letter.user_id, box.topic_of(letter))
    try:
        _send(letter.user.email, letter_of(words, **foot), foot["leave"])
    except OSError as problem:
        wait = FIRST_WAIT * 2 ** min(letter.tries, LONGEST_DOUBLINGS)
        _mark(letter, next_try=clock.now() + wait)
        log.warning("Email %s could not be sent (attempt %s).", letter.pk, letter.tries)
        return _not_sent(problem)
    _mark(letter, sent=clock.now())
    return True


def _wish(letter: Post, box: Outbox[Post]) -> Mail:
    return mail_for(letter.user_id, box.game_of(letter).pk, box.topic_of(letter))


def words_of(letter: Post, box: Outbox[Post]) -> Words | None:
    """What it says, as far as its recipient may know it now; None if it is no longer true or nothing of it is left."""
    try:
        access = access_game(user=letter.user, slug=box.game_of(letter).slug, token=box.link_of(letter))
        return box.words(letter, access, partial(phase_view, access))
    except Http404:
        return None


def _mark(letter: Outgoing, **facts: object) -> None:
    """Update the email's row if it still exists: the reason for it may have gone while it was being sent."""
    type(letter)._default_manager.filter(pk=letter.pk).update(**facts)


def _foot(user_id: int, what: str) -> dict[str, str]:
    """The links in the footer: unsubscribe, and notification settings."""
    secret = {"secret": leaving_secret(user_id, what)}
    return {
        "leave": settings.SITE_ADDRESS + reverse("games:unsubscribe", kwargs=secret),
        "settings": settings.SITE_ADDRESS + reverse("games:notify"),
    }


def _send(to: str, letter: WrittenLetter, leave: str) -> None:
    """Hand an email to the mail server, outside any transaction; an OSError, like all of smtplib's, if that fails."""
    headers = {"List-Unsubscribe": f"<{leave}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    mail = EmailMultiAlternatives(letter.subject, letter.body, settings.DEFAULT_FROM_EMAIL, [to], headers=headers)
    mail.attach_alternative(letter.html, "text/html")
    mail.send()


def _not_sent(problem: OSError) -> bool:
    """False if the server refused this email; NoServer if it would accept no other."""
    if not isinstance(problem, REFUSALS):
        raise NoServer from problem
    return False


@dataclass(frozen=True, slots=True)
class WrittenLetter:
    """An email as plain text and as HTML, with the same content."""

    subject: str
    body: str
    html: str


def letter_of(words: Words, *, leave: str, settings: str) -> WrittenLetter:
    """`leave` is the unsubscribe link for emails like this one, `settings` the link to all choices."""
    foot = f"Turn off emails like this one: {leave}\nNotification settings: {settings}"
    html = render_to_string("news/mail/letter.html", {"words": words, "leave": leave, "settings": settings})
    return WrittenLetter(words.subject, "\n\n".join((*words.paragraphs, foot)) + "\n", html)


def day_of(news: Sequence[Words], *, leave: str, settings: str) -> WrittenLetter:
    """The daily digest of everything that was waiting for it."""
    subject = f"Your daily digest: {amount(len(news), 'update')}"
    foot = f"Turn off the daily digest: {leave}\nNotification settings: {settings}"
    parts = ["\n\n".join((words.subject, *words.paragraphs)) for words in news]
    facts = {"subject": subject, "news": news, "leave": leave, "settings": settings}
    return WrittenLetter(subject, "\n\n\n".join((*parts, foot)) + "\n", render_to_string("news/mail/day.html", facts))


@transaction.atomic
def _keep_for_the_day(letter: Post) -> None:
    daily = lock_daily(letter.user_id)
    if daily.due is None:
        daily.due = next_daily(daily.hour, daily.user.time_zone, clock.now())
        daily.save(update_fields=["due"])
    _mark(letter, next_try=None, for_the_day=True)


@transaction.atomic
def _claim_day() -> DailyLetter | None:
    now = clock.now()
    due = DailyLetter.objects.filter(due__lte=now).select_related("user").order_by("due", "pk")
    daily = due.select_for_update(skip_locked=True, of=("self",)).first()
    if daily is not None:
        daily.due = now + LEASE
        daily.save(update_fields=["due"])
    return daily


def _send_day(daily: DailyLetter) -> bool:
    """Send one email with everything that was waiting and is still true and wanted. False and NoServer as above."""
    waited: list[tuple[Outgoing, Words]] = [part for box in OUTBOXES for part in _parts_of_day(box, daily.user_id)]
    waited.sort(key=lambda part: (part[0].written, part[1].subject))
    if waited:
        foot = _foot(daily.user_id, THE_DAY)
        try:
            _send(daily.user.email, day_of([words for _, words in waited], **foot), foot["leave"])
        except OSError as problem:
            DailyLetter.objects.filter(pk=daily.pk).update(due=clock.now() + DAY_WAIT)
            log.warning("Daily digest %s could not be sent.", daily.pk)
            return _not_sent(problem)
    for letter, _ in waited:
        _mark(letter, sent=clock.now(), for_the_day=False)
    _end_day(daily.user_id)
    return bool(waited)


def _parts_of_day(box: Outbox[Post], user_id: int) -> Iterator[tuple[Post, Words]]:
    """What is waiting for today's digest. Anything no longer wanted or true is dropped."""
    for letter in box.rows.filter(user_id=user_id, for_the_day=True, sent__isnull=True):
        words = words_of(letter, box)
        if words is None:
            letter.delete()
        elif _wish(letter, box) == Mail.OFF:
            _mark(letter, for_the_day=False)
        else:
            yield letter, words


@transaction.atomic
def _end_day(user_id: int) -> None:
    """Make the next digest due tomorrow if something new is waiting for it, else not at all."""
    daily = lock_daily(user_id)
    waits = any(box.rows.filter(user_id=user_id, for_the_day=True, sent__isnull=True).exists() for box in OUTBOXES)
    daily.due = next_daily(daily.hour, daily.user.time_zone, clock.now()) if waits else None
    daily.save(update_fields=["due"])
