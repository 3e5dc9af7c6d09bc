"""Emails that are sent whatever their reader's settings, and sending the waiting rows of a table one by one."""

import logging
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from hashlib import sha256
from typing import TypeVar
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMultiAlternatives
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Model, QuerySet
from django.template.loader import render_to_string
from django.utils.encoding import punycode
from django.utils.translation import gettext as _

from games.kernel import clock
from games.kernel.languages import later
from games.kernel.limits import LETTERS_TO_ONE, takes_today

Waiting = TypeVar("Waiting")
Found = TypeVar("Found")
Row = TypeVar("Row", bound=Model)
log = logging.getLogger(__name__)
NEVER_INVITE = later("Never invite this address again")

MOST_AT_ONCE = 200
MOST_SECONDS = 10
"""For all outboxes of a task together: it must neither occupy a worker for long nor be stopped halfway through an
email, which would be sent twice."""

AGAIN = timedelta(minutes=5)
"""When an email that could not be sent is tried again: longer than we wait for the slowest mail server."""


def closing_time() -> float:
    """When a task that begins now should stop starting new work, on the monotonic clock."""
    return time.monotonic() + MOST_SECONDS


def deal_with_claimed(
    claim: Callable[[], Waiting | None], deal: Callable[[Waiting], Found], until: float
) -> Iterator[Found]:
    """What `deal` returns for each claimed row, until none is waiting or time is up; the next beat continues."""
    for _turn in range(MOST_AT_ONCE):
        row = claim() if time.monotonic() < until else None
        if row is None:
            break
        yield deal(row)


@transaction.atomic
def claim_first_due(rows: QuerySet[Row], moment: str, lease: timedelta) -> Row | None:
    """Claim the row that is due first by this column, and set the column to the end of the lease: until then no other
    process takes the row."""
    now = clock.now()
    due = rows.filter(**{f"{moment}__lte": now}).order_by(moment, "pk")
    row = due.select_for_update(skip_locked=True, of=("self",)).first()
    if row is not None:
        setattr(row, moment, now + lease)
        row.save(update_fields=[moment])
    return row


def send_waiting(
    rows: QuerySet[Row], write: Callable[[Row], EmailMultiAlternatives | None], when_done: Callable[[Row], object]
) -> None:
    """Send the rows whose `next_try` is due, as `write` words them (None: send nothing), and pass each finished row to
    `when_done`. Emails that the mail server refuses are tried again. Call it outside any transaction."""

    def send(row: Row) -> None:
        email = write(row)
        try:
            if email is not None:
                email.send()
                takes_another(email.to[0], LETTERS_TO_ONE, sent=True)
        except OSError:
            log.warning("The email about %s could not be sent.", row)
        else:
            when_done(row)

    for _sent in deal_with_claimed(lambda: claim_first_due(rows, "next_try", AGAIN), send, closing_time()):
        pass


def single_email(
    subject: str,
    sentence: str,
    *,
    to: str,
    about: str,
    address: str,
    act: str,
    closing: str = "",
    never: str = "",
    never_says: str = NEVER_INVITE,
) -> EmailMultiAlternatives:
    """An email with one thing to do, for someone whose settings don't matter; `about` identifies it. It may go to an
    address that nobody has confirmed, so it must not contain anything written by strangers. `never`: the path of the
    page where its reader can unsubscribe from such emails."""
    address, never = settings.SITE_ADDRESS + address, never and settings.SITE_ADDRESS + never
    words = {"subject": subject, "sentence": sentence, "address": address, "act": act, "closing": closing}
    words |= {"never": never, "never_says": never_says}
    headers = {
        "Message-ID": f"<{about}@{host_of_site()}>",
        "Auto-Submitted": "auto-generated",
        **unsubscribe_headers(never),
    }
    foot = _("{text}: {address}").format(text=never_says, address=never) if never else ""
    body = "\n\n".join(map(str, filter(None, (sentence, address, closing, foot)))) + "\n"
    mail = EmailMultiAlternatives(subject, body, None, [to], headers=headers)
    mail.attach_alternative(render_to_string("news/mail/single.html", words), "text/html")
    return mail


def checked_address(typed: str) -> str:
    """The address in the spelling that mail servers take, its domain in ASCII. Raises ValidationError."""
    validate_email(typed)
    name, _at, server = typed.rpartition("@")
    try:
        return f"{name}@{punycode(server)}"
    except UnicodeError as error:
        raise ValidationError(str(error)) from error


def digest_of_address(address: str) -> str:
    """A digest, the same for all spellings of an address. It doesn't depend on the site's key, which may change."""
    name, _at, server = address.casefold().rpartition("@")
    return sha256(f"{name.partition('+')[0]}@{server}".encode()).hexdigest()


def takes_another(address: str, most: int, *, sent: bool = False) -> bool:
    """May this address get one more of so many emails a day (UTC)? Once it is `sent`, it counts."""
    return takes_today("written-to", digest_of_address(address), most, int(sent))


def host_of_site() -> str:
    """The site's name for the headers of emails, which must not reveal the machine that sends them."""
    return urlsplit(settings.SITE_ADDRESS).hostname or "localhost"


def unsubscribe_headers(leave: str) -> dict[str, str]:
    """Headers for which mail programs show their own unsubscribe button."""
    return {"List-Unsubscribe": f"<{leave}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"} if leave else {}
