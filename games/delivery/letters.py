"""Emptying the outboxes: every email is sent at least once, and a broken mail server only delays it."""

from __future__ import annotations

import contextlib
import logging
import random
import smtplib
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import timedelta
from email.mime.image import MIMEImage
from functools import partial
from itertools import chain
from typing import Generic

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.db import transaction
from django.db.models import F, QuerySet
from django.http import Http404

from games.delivery.choosing import DAILY_DIGEST, lock_digest, next_digest_time
from games.delivery.readers import GameFacts
from games.delivery.writing import MAP, WrittenLetter, write_digest, write_letter
from games.kernel import clock
from games.kernel.models import Outgoing
from games.news.choices import MailChoices
from games.news.emails import claim_first_due, closing_time, deal_with_claimed
from games.news.models import DailyLetter, Mail
from games.news.outboxes import OUTBOXES, EmailWords, Outbox, Post

log = logging.getLogger(__name__)
BATCH = 50
LEASE = timedelta(minutes=5)
"""Longer than we wait for the slowest mail server."""

MOST_ALIKE, ALIKE_SECONDS = 10, 45
"""How many emails of a secret outbox are sent together, and for how long at most: well within the lease."""

FRESH_SECONDS = 3
"""How long what was read for a batch counts. Emails that were not sent by then are claimed again."""

FIRST_RETRY = timedelta(seconds=10)
DIGEST_RETRY = timedelta(minutes=10)
LONGEST_DOUBLINGS = 10
REFUSALS = (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError)
"""Errors about one email. Any other error would affect every email."""


class NoMailServer(Exception):
    """The mail server accepts nothing at the moment."""


def deliver_letters(may_continue: Callable[[], bool] = lambda: True) -> int:
    """Send what is waiting in the outboxes and return how many emails were handled. Call it outside any transaction. It
    stops once it may not continue, which it asks between batches, and at the first email for which the server doesn't
    answer, so a dead server costs one timeout rather than one for every email."""
    handled, until = 0, closing_time()
    with contextlib.suppress(NoMailServer), Postman() as postman:
        batches = (_deliver_box(box, postman, until, may_continue) for box in OUTBOXES)
        digests = DailyLetter.objects.select_related("user")
        daily = deal_with_claimed(lambda: claim_first_due(digests, "due", LEASE), partial(_send_digest, postman), until)
        for is_dealt_with in chain(*batches, daily):
            handled += is_dealt_with
    return handled


def _deliver_box(box: Outbox[Post], postman: Postman, until: float, may_continue: Callable[[], bool]) -> Iterator[bool]:
    """Deliver a box batch by batch, yielding whether each email was dealt with. What a batch needs is read at once."""
    while time.monotonic() < until and may_continue():
        letters = deque(claim_letters(box.rows, MOST_ALIKE if box.is_secret else BATCH))
        if not letters:
            break
        if box.is_secret:
            yield _deliver_secret(tuple(letters), box, postman)
            continue
        batch = Batch(letters, box)
        try:
            yield batch.deliver(letters.popleft(), postman)
            while letters and batch.is_fresh:
                yield batch.deliver(letters.popleft(), postman)
        finally:
            _mark_all(letters, tries=F("tries") - 1, next_try=clock.now())  # they were claimed, but not tried


def _deliver_secret(letters: Sequence[Post], box: Outbox[Post], postman: Postman) -> bool:
    """Send the emails of a secret outbox that are true and wanted, without any row showing which they were.

    NoMailServer is raised before any email is looked at, and afterwards all rows are alike. So an email that the server
    refuses twice is not sent at all: if it waited, its row would show that there was one. The order is random, so the
    times at which two of them arrive don't tell whether a third person was sent one.
    """
    try:
        postman.greet()
    except OSError as problem:
        wait = FIRST_RETRY * 2 ** min(max(letter.tries for letter in letters), LONGEST_DOUBLINGS)
        _mark_all(letters, next_try=clock.now() + wait)
        raise NoMailServer from problem
    until = time.monotonic() + ALIKE_SECONDS
    shuffled = random.SystemRandom().sample(letters, len(letters))
    refused = _send_or_collect(_send_or_collect(shuffled, box, postman, until), box, postman, until)
    if refused:
        log.warning("The mail server did not take some reminders.")
    _mark_all(letters, sent=F("written"), next_try=None)
    return True


def _send_or_collect(letters: Sequence[Post], box: Outbox[Post], postman: Postman, until: float) -> list[Post]:
    """Send these letters, and return those that could not be sent."""
    batch, unsent = Batch(letters, box), list[Post]()
    for letter in letters:
        if not batch.is_fresh:
            batch = Batch(letters, box)
        if time.monotonic() > until or not batch.try_to_send(letter, postman):
            unsent.append(letter)
    return unsent


@transaction.atomic
def claim_letters(outbox: QuerySet[Post], most: int) -> list[Post]:
    """The next waiting emails, reserved for this process for the length of the lease.

    If the process dies, the emails can be claimed again when the lease ends. The one that it was sending may then be
    sent twice, but none is lost.
    """
    now = clock.now()
    waiting = outbox.filter(sent__isnull=True, next_try__lte=now).order_by("next_try", "pk")
    letters = list(waiting.select_for_update(skip_locked=True, of=("self",))[:most])
    for letter in letters:
        letter.tries += 1
    rows = outbox.model._default_manager.filter(pk__in=[letter.pk for letter in letters])
    rows.update(tries=F("tries") + 1, next_try=now + LEASE)
    return letters


class Batch(Generic[Post]):
    """Some claimed emails of one outbox, and what was read for all of them."""

    def __init__(self, letters: Collection[Post], box: Outbox[Post]) -> None:
        self.box = box
        self.until = time.monotonic() + FRESH_SECONDS
        self.now = clock.now()
        self.facts = GameFacts({box.game_of(letter).pk for letter in letters})
        self.choices = MailChoices({letter.user_id for letter in letters})

    @property
    def is_fresh(self) -> bool:
        """Can what was read still be trusted? Later it may be untrue, or its recipient may no longer know it."""
        return time.monotonic() < self.until

    def choice(self, letter: Post) -> Mail:
        # Until an address is confirmed, if the site asks for that before the first sign-in, it may be someone else's,
        # who must not be sent names that strangers chose for themselves and their games.
        if letter.user.last_login is None and settings.ACCOUNT_EMAIL_VERIFICATION == "mandatory":
            return Mail.OFF
        return self.choices.wanted(letter.user_id, self.box.game_of(letter).pk, self.box.topic_of(letter))

    def words(self, letter: Post) -> EmailWords | None:
        """What the email says, as far as its recipient may know it now; None if nothing of it is true any more."""
        try:
            access = self.facts.access(self.box.game_of(letter).pk, letter.user_id, self.box.link_of(letter))
            return self.box.words(letter, access, partial(self.facts.page, access))
        except Http404:
            return None

    def deliver(self, letter: Post, postman: Postman) -> bool:
        """Send an email, keep it for the digest or drop it, as its recipient wishes. False if the mail server refused
        it.

        It is deleted if it is no longer true or its recipient may no longer know it. Raises NoMailServer if no server
        accepts it.
        """
        choice = self.choice(letter)
        if choice == Mail.OFF:
            _mark(letter, next_try=None)
            return True
        if choice == Mail.DAILY:
            _keep_for_digest(letter)
            return True
        words = self.words(letter)
        if words is None:
            letter.delete()
            return True
        try:
            self._send(letter, words, postman)
        except OSError as problem:
            wait = FIRST_RETRY * 2 ** min(letter.tries, LONGEST_DOUBLINGS)
            _mark(letter, next_try=clock.now() + wait)
            log.warning("Email %s could not be sent (attempt %s).", letter.pk, letter.tries)
            return _false_if_refused(problem)
        _mark(letter, sent=self.now)
        return True

    def try_to_send(self, letter: Post, postman: Postman) -> bool:
        """Send it if it is true and wanted; False if the mail server didn't take it."""
        words = self.words(letter) if self.choice(letter) == Mail.AT_ONCE else None
        if words is None:
            return True
        try:
            self._send(letter, words, postman)
        except OSError:
            return False
        return True

    def _send(self, letter: Post, words: EmailWords, postman: Postman) -> None:
        about, topic = f"{self.box.key_of(letter)} {letter.written.isoformat()}", self.box.topic_of(letter)
        picture = words.paint() if words.paint and letter.user_id in self.choices.users_wanting_map else None
        written = write_letter(words, user_id=letter.user_id, topic=topic, about=about, picture=picture)
        postman.send(letter.user.email, written)


def _mark_all(letters: Collection[Outgoing], **facts: object) -> None:
    """Update the rows of those of these emails that are still waiting."""
    for kind in {type(letter) for letter in letters}:
        rows = kind._default_manager.filter(pk__in=[letter.pk for letter in letters], sent__isnull=True)
        rows.update(**facts)


def _mark(letter: Outgoing, **facts: object) -> None:
    """Update the email's row if it still exists: it may have been recalled while it was being sent."""
    type(letter)._default_manager.filter(pk=letter.pk).update(**facts)


class Email(EmailMultiAlternatives):
    """An email with attachments that belong to its HTML, such as pictures."""

    mixed_subtype = "related"


class Postman:
    """One connection to the mail server for many emails. Nothing is sent inside a transaction."""

    def __init__(self) -> None:
        self._line = get_connection()
        self._is_used = False

    def __enter__(self) -> Postman:
        return self

    def __exit__(self, *_problem: object) -> None:
        self._hang_up()

    def greet(self) -> None:
        """Open a new connection; raises OSError if no server answers."""
        self._hang_up()
        self._line.open()

    def send(self, to: str, letter: WrittenLetter) -> None:
        """Hand an email to the mail server; OSError (or smtplib's subclasses) if that fails."""
        sender, headers = settings.DEFAULT_FROM_EMAIL, dict(letter.headers)
        mail = Email(letter.subject, letter.body, sender, [to], headers=headers)
        mail.attach_alternative(letter.html, "text/html")
        if letter.picture is not None:
            part = MIMEImage(letter.picture, "png")
            part.add_header("Content-ID", f"<{MAP}>")
            part.add_header("Content-Disposition", "inline", filename="map.png")  # it is shown in its place in the HTML
            mail.attach(part)
        try:
            self._hand_over(mail)
        except REFUSALS:
            raise
        except OSError:
            was_used = self._is_used
            self._hang_up()
            if not was_used:
                raise
            self._hand_over(mail)  # servers end a connection after some time, or after so many emails

    def _hand_over(self, mail: EmailMultiAlternatives) -> None:
        self._line.open()
        try:
            self._line.send_messages([mail])
        except ValueError as problem:  # the address cannot be written into a header
            raise smtplib.SMTPRecipientsRefused({}) from problem
        self._is_used = True

    def _hang_up(self) -> None:
        self._is_used = False
        with contextlib.suppress(OSError):
            self._line.close()


def _false_if_refused(problem: OSError) -> bool:
    """Return False if the server refused only this email; raises NoMailServer if it would refuse any other."""
    if not isinstance(problem, REFUSALS):
        raise NoMailServer from problem
    return False


@transaction.atomic
def _keep_for_digest(letter: Post) -> None:
    digest = lock_digest(letter.user_id)
    if digest.due is None:
        digest.due = next_digest_time(digest.hour, digest.user.time_zone, clock.now())
        digest.save(update_fields=["due"])
    _mark(letter, next_try=None, for_the_day=True)


def _send_digest(postman: Postman, digest_row: DailyLetter) -> bool:
    """Send one email with everything that was waiting and is still true and wanted. False if nothing was sent; raises
    NoMailServer if no server accepts it."""
    letters = [part for box in OUTBOXES for part in _parts_of_digest(box, digest_row.user_id)]
    letters.sort(key=lambda part: (part[0].written, part[1].subject))
    if letters:
        reference = f"{DAILY_DIGEST} {len(letters)} {letters[-1][0].written.isoformat()}"
        try:
            parts = [words for _, words in letters]
            postman.send(digest_row.user.email, write_digest(parts, user_id=digest_row.user_id, about=reference))
        except OSError as problem:
            DailyLetter.objects.filter(pk=digest_row.pk).update(due=clock.now() + DIGEST_RETRY)
            log.warning("Daily digest %s could not be sent.", digest_row.pk)
            return _false_if_refused(problem)
    for letter, _ in letters:
        _mark(letter, sent=clock.now(), for_the_day=False)
    _schedule_next_digest(digest_row.user_id)
    return bool(letters)


def _parts_of_digest(box: Outbox[Post], user_id: int) -> Iterator[tuple[Post, EmailWords]]:
    """What is waiting for today's digest in this box. Anything no longer wanted or true is dropped."""
    letters = list(box.rows.filter(user_id=user_id, for_the_day=True, sent__isnull=True))
    batch = Batch(letters, box)
    for letter in letters:
        words = batch.words(letter)
        if words is None:
            letter.delete()
        elif batch.choice(letter) == Mail.OFF:
            _mark(letter, for_the_day=False)
        else:
            yield letter, words


@transaction.atomic
def _schedule_next_digest(user_id: int) -> None:
    """Make the next digest due tomorrow if something new is waiting for it, else not at all."""
    digest = lock_digest(user_id)
    is_waiting = any(box.rows.filter(user_id=user_id, for_the_day=True, sent__isnull=True).exists() for box in OUTBOXES)
    digest.due = next_digest_time(digest.hour, digest.user.time_zone, clock.now()) if is_waiting else None
    digest.save(update_fields=["due"])
