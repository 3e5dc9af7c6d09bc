"""Telling people on their devices, at once: at least once, and shown once, because a repeated notice has the same tag.

The maker of the browser carries it and reads nothing: it is encrypted for the device, and all have the same length.
"""

from __future__ import annotations

import base64
import json
import logging
import time
from datetime import timedelta
from email.utils import parseaddr
from http import HTTPStatus
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from py_vapid import Vapid02
from pywebpush import WebPusher

from games.kernel import clock
from games.news.delivery import boxes
from games.news.devices import wants
from games.news.drain import closing_time, drained
from games.news.inbox import key_of
from games.news.models import PushDevice
from games.news.outbound import BadAddress, Unreachable, post

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import QuerySet

    from games.news.delivery import Box, Post
    from games.news.words import Words


log = logging.getLogger(__name__)

LEASE = timedelta(minutes=4)
"""Longer than all devices of one person are waited for."""

WAIT = timedelta(minutes=1)

FRESH = timedelta(hours=1)
"""Older news are left to the letters and the page."""

PAYLOAD_BYTES = 2000

LONGEST_TITLE = 200

TOKEN_SECONDS = 12 * 3600

GONE = {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}


def public_key() -> str:
    """What a browser asks for when it is to show notices of this site, in base64 for addresses; "" without a key."""
    if settings.PUSH_KEY is None:
        return ""
    point = _private_key().public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).decode().rstrip("=")


def _private_key() -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(settings.PUSH_KEY or b""), ec.SECP256R1())


def tell_devices() -> int:
    """Tell what is new on the devices of those it is for; how many arrived. Call it outside of any transaction."""
    if settings.PUSH_KEY is None:
        return 0
    letters, messages, reminders = boxes()
    until = closing_time()
    return sum(chain(_told(letters, until), _told(messages, until), _told(reminders, until)))


def _told(box: Box[Post], until: float) -> Iterator[int]:
    return drained(lambda: _claim(box.rows), lambda row: _tell(row, box), until)


@transaction.atomic
def _claim(rows: QuerySet[Post]) -> Post | None:
    """The next that somebody is to be told on a device, nobody else's for the time of the lease."""
    now = clock.now()
    devices = PushDevice.objects.filter(user_id=OuterRef("user_id"), since__lte=OuterRef("written"))
    waiting = rows.filter(
        Q(next_push__isnull=True) | Q(next_push__lte=now),
        Exists(devices),
        pushed=False,
        seen__isnull=True,
        written__gt=now - FRESH,
    )
    row = waiting.order_by("written", "pk").select_for_update(skip_locked=True, of=("self",)).first()
    if row is not None:
        row.next_push = now + LEASE
        row.save(update_fields=["next_push"])
    return row


def _tell(row: Post, box: Box[Post]) -> int:
    """Tell it on all devices of its reader, if it is wanted and still true; on how many it arrived."""
    words = box.words(row) if wants(row.user_id, box.game(row).pk, box.topic(row)) else None
    own = type(row)._default_manager.filter(pk=row.pk)
    if words is None:
        own.update(pushed=True)
        return 0
    content = payload(words, key_of(row))
    devices = PushDevice.objects.filter(user_id=row.user_id, since__lte=row.written)
    answers = [_send(device, content) for device in devices]
    if None in answers:
        own.update(next_push=clock.now() + WAIT)
    else:
        own.update(pushed=True)
    return answers.count(True)


def payload(words: Words, tag: str) -> bytes:
    """What the device shows: the letter's subject and the path of its page."""
    told = {"title": words.subject[:LONGEST_TITLE], "path": urlsplit(words.address).path, "tag": tag}
    return json.dumps(told).encode().ljust(PAYLOAD_BYTES)


def _send(device: PushDevice, content: bytes) -> bool | None:
    """True if it has arrived, False if it never will, None if it may another time."""
    try:
        status = post(device.endpoint, _sealed(device, content), _headers(device.endpoint))
    except BadAddress:
        device.delete()
        return False
    except Unreachable as problem:
        log.warning("Device %s could not be told: %s.", device.pk, problem)
        return None
    if status in GONE:
        device.delete()
        return False
    if status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        log.warning("Device %s: %s, to be told later.", device.pk, status)
        return None
    if status >= HTTPStatus.MULTIPLE_CHOICES:
        log.warning("Device %s was not told: %s.", device.pk, status)
    return status < HTTPStatus.MULTIPLE_CHOICES


def _sealed(device: PushDevice, content: bytes) -> bytes:
    keys = {"p256dh": device.key, "auth": device.auth}
    sealed = WebPusher({"endpoint": device.endpoint, "keys": keys}).encode(content)
    return bytes(sealed["body"])


def _headers(endpoint: str) -> dict[str, str]:
    """Who sends it, for how long it is worth something, and how it is encrypted."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + TOKEN_SECONDS,
        "sub": f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}",
    }
    return {
        **Vapid02(_private_key()).sign(claims),
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(int(FRESH.total_seconds())),
    }
