"""Emails to people whose settings don't matter, and sending what waits in a table, row by row."""

import logging
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import TypeVar
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import Model, QuerySet
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from games.kernel import clock

Waiting = TypeVar("Waiting")
Found = TypeVar("Found")
Row = TypeVar("Row", bound=Model)
log = logging.getLogger(__name__)

MOST_AT_ONCE = 200
MOST_SECONDS = 10
"""For all outboxes of a task together: it must neither occupy a worker for long nor be stopped halfway through an
email, which would be sent twice."""

AGAIN = timedelta(minutes=5)
"""When an email that could not be sent is tried again: longer than we wait for the slowest mail server."""


def closing_time() -> float:
    """When a task that begins now should stop taking on more, on the clock that never jumps."""
    return time.monotonic() + MOST_SECONDS


def deal_with_claimed(
    claim: Callable[[], Waiting | None], deal: Callable[[Waiting], Found], until: float
) -> Iterator[Found]:
    """What `deal` returns for each claimed row, until none is waiting or time is up; the next beat continues."""
    for _turn in range(MOST_AT_ONCE):
        waiting = claim() if time.monotonic() < until else None
        if waiting is None:
            break
        yield deal(waiting)


@transaction.atomic
def claim_first_due(rows: QuerySet[Row], moment: str, lease: timedelta) -> Row | None:
    """The row that is due first by the moment in this column, which becomes the end of the lease: until then no other
    process takes it."""
    now = clock.now()
    due = rows.filter(**{f"{moment}__lte": now}).order_by(moment, "pk")
    row = due.select_for_update(skip_locked=True, of=("self",)).first()
    if row is not None:
        setattr(row, moment, now + lease)
        row.save(update_fields=[moment])
    return row


def send_waiting(
    rows: QuerySet[Row], write: Callable[[Row], EmailMultiAlternatives | None], done: Callable[[Row], object]
) -> None:
    """Send what is due by the `next_try` of these rows, as `write` puts it (None: nothing), and tell `done` which rows
    were dealt with. What the mail server does not take is tried again. Call it outside any transaction."""

    def send(row: Row) -> None:
        email = write(row)
        try:
            if email is not None:
                email.send()
        except OSError:
            log.warning("The email about %s could not be sent.", row)
        else:
            done(row)

    for _sent in deal_with_claimed(lambda: claim_first_due(rows, "next_try", AGAIN), send, closing_time()):
        pass


def single_email(
    subject: str, sentence: str, *, to: str, about: str, address: str, act: str, closing: str = "", never: str = ""
) -> EmailMultiAlternatives:
    """An email with one thing to do, for someone whose settings don't matter; `about` tells it from all others. It may
    go to an address that no one has confirmed, so nothing in it may come from strangers. `never`: the path at which
    its reader can ask for no more like it."""
    address, never = settings.SITE_ADDRESS + address, never and settings.SITE_ADDRESS + never
    words = {"subject": subject, "sentence": sentence, "address": address, "act": act, "closing": closing}
    headers = {
        "Message-ID": f"<{about}@{host_of_site()}>",
        "Auto-Submitted": "auto-generated",
        **unsubscribe_headers(never),
    }
    foot = _("Never invite this address again: {never}").format(never=never) if never else ""
    body = "\n\n".join(map(str, filter(None, (sentence, address, closing, foot)))) + "\n"
    mail = EmailMultiAlternatives(subject, body, None, [to], headers=headers)
    mail.attach_alternative(render_to_string("news/mail/single.html", {**words, "never": never}), "text/html")
    return mail


def host_of_site() -> str:
    """The site's name in the headers of emails; the machine that sends them is nobody's business."""
    return urlsplit(settings.SITE_ADDRESS).hostname or "localhost"


def unsubscribe_headers(leave: str) -> dict[str, str]:
    """With which mail programs show a button of their own."""
    return {"List-Unsubscribe": f"<{leave}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"} if leave else {}
