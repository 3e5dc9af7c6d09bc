"""Draining the outbox: every letter leaves at least once, and a broken mail server only delays it."""

from __future__ import annotations

import contextlib
import logging
import smtplib
from dataclasses import dataclass
from datetime import timedelta
from itertools import chain
from typing import TYPE_CHECKING, Generic, TypeVar

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.http import Http404
from django.urls import reverse

from games.deadlines.models import Reminder
from games.kernel import clock
from games.kernel.access import access_game
from games.news.choices import THE_DAY, leaving_secret, lock_daily, mail_for, next_daily
from games.news.drain import closing_time, drained
from games.news.inbox import BOXES
from games.news.models import OUTSIDE, TOPICS, DailyLetter, Letter, LetterKind, Mail, Topic
from games.news.words import Words, author_of, day_of, letter_of, press_words, reminder_words, words_for
from games.pages.queries import phase_view
from games.press.models import PressLetter
from games.press.queries import unread_message
from games.press.talk import address_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.db.models import QuerySet

    from games.kernel.models import Game
    from games.news.words import Written


Post = TypeVar("Post", Letter, PressLetter, Reminder)

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=5)
"""Longer than the slowest mail server is waited for."""

FIRST_WAIT = timedelta(seconds=30)

DAY_WAIT = timedelta(minutes=10)

LONGEST_DOUBLINGS = 10

REFUSALS = (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError)
"""What the mail server has against one letter; whatever else goes wrong would befall every letter."""

STILL_INVITED = (LetterKind.PLACE_LOST, LetterKind.REQUEST_ACCEPTED)


class NoServer(Exception):
    """The mail server takes nothing just now."""


@dataclass(frozen=True, slots=True)
class Box(Generic[Post]):
    """One outbox, and how its letters are read."""

    rows: QuerySet[Post]
    topic: Callable[[Post], Topic]
    game: Callable[[Post], Game]
    words: Callable[[Post], Words | None]

    def wish(self, letter: Post) -> Mail:
        return mail_for(letter.user_id, self.game(letter).pk, self.topic(letter))


def deliver_letters() -> int:
    """Send what waits in the outboxes; how many letters were dealt with. Call it outside of any transaction.

    The first letter for which the server does not answer is the last that is tried, so that a dead server is waited
    for once and not for every letter.
    """
    done, until = 0, closing_time()
    with contextlib.suppress(NoServer):
        for is_dealt_with in chain(
            _drained(_letters(), until),
            _drained(_press(), until),
            _drained(_reminders(), until),
            drained(_claim_day, _send_day, until),
        ):
            done += is_dealt_with
    return done


def boxes() -> tuple[Box[Letter], Box[PressLetter], Box[Reminder]]:
    """All outboxes."""
    return _letters(), _press(), _reminders()


def _letters() -> Box[Letter]:
    rows = Letter.objects.select_related("user", "game")
    return Box(rows, _topic, lambda it: it.game, _words)


def _topic(letter: Letter) -> Topic:
    """To its game master a vacant seat is something to see to, to others one that they may have."""
    kind = LetterKind(letter.kind)
    if kind == LetterKind.SEAT_VACANT and letter.user_id != letter.game.gm_id:
        return Topic.SEAT
    return TOPICS.get(kind, Topic.GAME)


def _press() -> Box[PressLetter]:
    rows = PressLetter.objects.select_related("user", "thread__game")
    return Box(rows, lambda _: Topic.MESSAGE, lambda it: it.thread.game, _press_words)


def _reminders() -> Box[Reminder]:
    rows = Reminder.objects.select_related("user", "phase__game")
    return Box(rows, lambda _: Topic.DUE, lambda it: it.phase.game, _reminder_words)


def _drained(box: Box[Post], until: float) -> Iterator[bool]:
    return drained(lambda: claim(box.rows), lambda letter: _deliver(letter, box), until)


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


def _deliver(letter: Post, box: Box[Post]) -> bool:
    """Do with a claimed letter what its reader wants. False if the mail server refused it.

    What is no longer true, or no longer the reader's to know, is thrown away. NoServer if none takes it.
    """
    wish = box.wish(letter)
    if wish == Mail.OFF:
        _mark(letter, next_try=None)
        return True
    if wish == Mail.DAILY:
        _keep_for_the_day(letter)
        return True
    words = box.words(letter)
    if words is None:
        letter.delete()
        return True
    foot = _foot(letter.user_id, box.topic(letter))
    try:
        _send(letter.user.email, letter_of(words, **foot), foot["leave"])
    except OSError as problem:
        wait = FIRST_WAIT * 2 ** min(letter.tries, LONGEST_DOUBLINGS)
        _mark(letter, next_try=clock.now() + wait)
        log.warning("Letter %s could not be sent, try %s.", letter.pk, letter.tries)
        return _not_sent(problem)
    _mark(letter, sent=clock.now())
    return True


def _mark(letter: Letter | PressLetter | Reminder, **facts: object) -> None:
    """Write this into the letter's row, if it is still there: its reason may have gone while it was on its way."""
    type(letter)._default_manager.filter(pk=letter.pk).update(**facts)


def _foot(user_id: int, what: str) -> dict[str, str]:
    """The addresses at which letters are turned off and chosen."""
    secret = {"secret": leaving_secret(user_id, what)}
    return {
        "leave": settings.SITE_ADDRESS + reverse("games:unsubscribe", kwargs=secret),
        "settings": settings.SITE_ADDRESS + reverse("games:notify"),
    }


def _send(to: str, letter: Written, leave: str) -> None:
    """Hand a letter to the mail server, outside of any transaction; an OSError, as all of smtplib's, if it fails."""
    headers = {"List-Unsubscribe": f"<{leave}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    mail = EmailMultiAlternatives(
        letter.subject, letter.body, settings.DEFAULT_FROM_EMAIL, [to], headers=headers
    )
    mail.attach_alternative(letter.html, "text/html")
    mail.send()


def _not_sent(problem: OSError) -> bool:
    """False for a letter that the server refused; NoServer if it would take no other either."""
    if not isinstance(problem, REFUSALS):
        raise NoServer from problem
    return False


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
    """One letter with everything that waited and is still true and wanted. False and NoServer as above."""
    user_id = daily.user_id
    waited: list[tuple[Letter | PressLetter | Reminder, Words]] = [
        *_parts_of_day(_letters(), user_id),
        *_parts_of_day(_press(), user_id),
        *_parts_of_day(_reminders(), user_id),
    ]
    waited.sort(key=lambda part: (part[0].written, part[1].subject))
    if waited:
        foot = _foot(daily.user_id, THE_DAY)
        try:
            _send(daily.user.email, day_of([words for _, words in waited], **foot), foot["leave"])
        except OSError as problem:
            DailyLetter.objects.filter(pk=daily.pk).update(due=clock.now() + DAY_WAIT)
            log.warning("The letter of the day %s could not be sent.", daily.pk)
            return _not_sent(problem)
    for letter, _ in waited:
        _mark(letter, sent=clock.now(), for_the_day=False)
    _end_day(daily.user_id)
    return bool(waited)


def _parts_of_day(box: Box[Post], user_id: int) -> Iterator[tuple[Post, Words]]:
    """What waits for the letter of this day; what is not wanted or not true any more waits no longer."""
    for letter in box.rows.filter(user_id=user_id, for_the_day=True, sent__isnull=True):
        words = box.words(letter)
        if words is None:
            letter.delete()
        elif box.wish(letter) == Mail.OFF:
            _mark(letter, for_the_day=False)
        else:
            yield letter, words


@transaction.atomic
def _end_day(user_id: int) -> None:
    """The next letter of the day is due tomorrow if something came to wait meanwhile, else not at all."""
    daily = lock_daily(user_id)
    waits = any(
        box._default_manager.filter(user_id=user_id, for_the_day=True, sent__isnull=True).exists()
        for box in BOXES.values()
    )
    daily.due = next_daily(daily.hour, daily.user.time_zone, clock.now()) if waits else None
    daily.save(update_fields=["due"])


def _words(letter: Letter) -> Words | None:
    """None if the receiver may no longer see the game or lost the seat, or if the phase closed before the letter left.

    Who has just lost a place is told so in any case, and who is invited in any case gets the link.
    """
    game, kind = letter.game, LetterKind(letter.kind)
    token = game.invitation if game.by_invitation and kind in {*STILL_INVITED, *OUTSIDE} else ""
    try:
        view = phase_view(access_game(user=letter.user, slug=game.slug, token=token), letter.ordinal)
    except Http404:
        return None
    if letter.ordinal is not None and (view.head is None or not view.head.is_open):
        return None
    if letter.kind == LetterKind.NEW_PHASE and view.desk is None:
        return None
    if token and kind in OUTSIDE:
        path, act = reverse("games:lobby"), "To the games"
    else:
        path = reverse("games:invited", args=[token]) if token else reverse("games:game", args=[game.slug])
        act = "To the game"
    address = settings.SITE_ADDRESS + path
    return words_for(kind, view, address=address, time_zone=letter.user.time_zone, act=act)


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
    return press_words(game.name, author_of(message), public=not letter.thread.powers, address=address)
