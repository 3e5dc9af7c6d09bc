"""Push notifications: sent at least once and shown once, because a repeated one has the same tag.

The browser's maker delivers them but can't read them: they are encrypted for the device, and all have the same length.
"""

import base64
import json
import logging
import secrets
import struct
import time
from collections.abc import Collection
from datetime import timedelta
from email.utils import parseaddr
from functools import partial
from http import HTTPStatus
from itertools import chain
from typing import Any
from urllib.parse import urlsplit

from allauth.account.signals import password_changed, password_reset, password_set
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.contrib.auth.signals import user_logged_out
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.dispatch import receiver
from django.http import HttpRequest
from py_vapid import Vapid02

from games.delivery import news
from games.delivery.letters import Batch
from games.delivery.outbound import Answer, BadAddress, post_all
from games.kernel import clock
from games.kernel.models import Game
from games.kernel.news import tell
from games.news.choices import wants_push
from games.news.emails import closing_time, deal_with_claimed
from games.news.models import PushDevice
from games.news.outboxes import OUTBOXES, Outbox, Post

log = logging.getLogger(__name__)
MOST_DEVICES = 10
SESSION_KEY = "push"
"""The key under which a session keeps the number of its device."""

LEASE = timedelta(minutes=4)
"""Longer than we wait for all devices of those who are told at once."""

RETRY = timedelta(minutes=1)
NEWEST_FOR = timedelta(hours=1)
"""Older news is left to emails and the page."""

PAYLOAD_BYTES = 2000
RECORD_BYTES, SALT_BYTES, LAST_RECORD = 4096, 16, b"\2"
MOST_ROWS = 10
"""At once. As those of a secret outbox are claimed together, no row shows which of them took long to send. Of another
outbox each is for another user, so that slow devices keep no one waiting but their owner."""

LONGEST_TITLE = 200
TOKEN_SECONDS = 12 * 3600
GONE = {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}


@transaction.atomic
def add_device(*, user_id: int, endpoint: str, key: str, auth: str) -> int:
    """From now on, notify only this user on this device; return the device's number.

    With too many devices, the oldest ones are dropped.
    """
    facts = {"user_id": user_id, "key": key, "auth": auth, "since": clock.now()}
    device, _ = PushDevice.objects.update_or_create(endpoint=endpoint, defaults=facts)
    newest = PushDevice.objects.filter(user_id=user_id).order_by("-since", "-pk")
    too_old = newest.values_list("pk", flat=True)[MOST_DEVICES:]
    PushDevice.objects.filter(pk__in=list(too_old)).delete()
    return device.pk


def remove_device(*, user_id: int, number: int) -> None:
    """Stop notifying this device of this user."""
    PushDevice.objects.filter(user_id=user_id, pk=number).delete()


def forget_devices(user_id: int) -> None:
    """Stop notifying all devices of this user."""
    PushDevice.objects.filter(user_id=user_id).delete()


def devices_of(user_id: int) -> dict[int, str]:
    """The devices on which this user is notified: number -> endpoint."""
    return dict(PushDevice.objects.filter(user_id=user_id).values_list("pk", "endpoint"))


@receiver(user_logged_out)
def _forget_device_of_session(request: HttpRequest | None, user: Any, **_more: object) -> None:
    """Stop notifying a browser when its user signs out."""
    number = request.session.get(SESSION_KEY) if request is not None else None
    if user is not None and number is not None:
        remove_device(user_id=user.pk, number=number)


@receiver([password_changed, password_reset, password_set])
def _forget_all_devices(user: Any, **_more: object) -> None:
    """Stop notifications to all devices of a user with a new password, which ends all sessions."""
    forget_devices(user.pk)


def public_key() -> str:
    """What a browser needs to sign up for this site's notifications, in URL-safe base64; "" without a key."""
    if settings.PUSH_KEY is None:
        return ""
    point = _private_key().public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).decode().rstrip("=")


def _private_key() -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(settings.PUSH_KEY or b""), ec.SECP256R1())


def notify_devices() -> int:
    """Send what is new to its recipients' devices and return how many arrived. Call it outside any transaction."""
    if settings.PUSH_KEY is None:
        return 0
    until = closing_time()
    return sum(chain(*(deal_with_claimed(partial(_claim, box), partial(_send_rows, box), until) for box in OUTBOXES)))


@transaction.atomic
def _claim(box: Outbox[Post]) -> list[Post] | None:
    """The next rows to send to devices, reserved for this process while the lease lasts; None if there are none."""
    now = clock.now()
    devices = PushDevice.objects.filter(user_id=OuterRef("user_id"), since__lte=OuterRef("written"))
    rows_due = box.rows.filter(
        Q(next_push__isnull=True) | Q(next_push__lte=now),
        Exists(devices),
        pushed=False,
        seen__isnull=True,
        written__gt=now - NEWEST_FOR,
    )
    if not box.is_secret:
        first = rows_due.order_by("user_id", "written", "pk").distinct("user_id")
        rows_due = rows_due.filter(pk__in=first.values("pk"))
    rows = list(rows_due.order_by("written", "pk").select_for_update(skip_locked=True, of=("self",))[:MOST_ROWS])
    box.rows.model._default_manager.filter(pk__in=[row.pk for row in rows]).update(next_push=now + LEASE)
    return rows or None


def count_users_pushed_to(*, since: timedelta) -> tuple[int, int]:
    """How many users’ devices could not be told within this time, and how many were, of the last hour’s news. Secret
    outboxes don't count."""
    now, unreached, reached = clock.now(), set[int](), set[int]()
    for box in OUTBOXES:
        if not box.is_secret:
            rows = box.rows.filter(written__gt=now - NEWEST_FOR, written__lt=now - since).order_by()
            users = rows.values_list("user_id", flat=True)
            unreached |= set(users.filter(pushed=False, next_push__isnull=False, seen__isnull=True))
            reached |= set(users.filter(pushed=True))
    return len(unreached), len(reached - unreached)


def _send_rows(box: Outbox[Post], rows: Collection[Post]) -> int:
    """Send these rows to their recipients' devices, if wanted and still true; return how many arrived. Rows that a
    device may accept later wait, except in a secret outbox: there all are marked alike."""
    posts = [(row, *post) for row in rows for post in _posts_for_row(row, box)]
    answers: dict[int, list[bool | None]] = {row.pk: [] for row in rows}  # whether it has arrived at each device
    # All are asked at once, so that a slow one keeps no other waiting.
    responses = post_all(
        (device.endpoint, _encrypt(device, content), _push_headers(device.endpoint)) for _, device, content in posts
    )
    for (row, device, _), answer in zip(posts, responses, strict=True):
        answers[row.pk].append(_has_arrived(device, answer, None if box.is_secret else box.game_of(row)))
    to_retry = [] if box.is_secret else [number for number, arrivals in answers.items() if None in arrivals]
    table = box.rows.model._default_manager
    table.filter(pk__in=to_retry).update(next_push=clock.now() + RETRY)
    table.filter(pk__in=answers.keys() - to_retry).update(pushed=True, next_push=None)
    return sum(arrivals.count(True) for arrivals in answers.values())


def _posts_for_row(row: Post, box: Outbox[Post]) -> list[tuple[PushDevice, bytes]]:
    wanted = wants_push(row.user_id, box.game_of(row).pk, box.topic_of(row))
    words = Batch([row], box).words(row) if wanted else None
    if words is None:
        return []
    shown = {"title": str(words.subject)[:LONGEST_TITLE], "path": words.path, "tag": box.key_of(row)}
    content = json.dumps(shown).encode().ljust(PAYLOAD_BYTES)
    return [(device, content) for device in PushDevice.objects.filter(user_id=row.user_id, since__lte=row.written)]


def _has_arrived(device: PushDevice, answer: Answer | Exception, game: Game | None) -> bool | None:
    """True if the news of this game has arrived, False if it never will, None if another attempt may succeed.

    A device that is gone is forgotten, and its user is told by email and on the site. Without a game it was a secret:
    then neither that nor a line in the logs may show that it was sent.
    """
    result = answer.status if isinstance(answer, Answer) else answer
    if isinstance(result, int) and result < HTTPStatus.MULTIPLE_CHOICES:
        return True
    if isinstance(result, BadAddress) or result in GONE:
        if game is not None:
            with transaction.atomic():
                tell(news.DEVICE_GONE, game, at=clock.now(), to=[device.user_id], about=str(device.pk))
                device.delete()
        return False
    if game is not None:
        log.warning("Device %s did not take the notification: %s.", device.pk, result)
    if isinstance(result, int) and result != HTTPStatus.TOO_MANY_REQUESTS and result < HTTPStatus.INTERNAL_SERVER_ERROR:
        return False
    return None


def _encrypt(device: PushDevice, content: bytes) -> bytes:
    """The content encrypted for this device with a key that is used once."""
    ours, salt = ec.generate_private_key(ec.SECP256R1()), secrets.token_bytes(SALT_BYTES)
    return encrypted(content, decode(device.key), decode(device.auth), ours, salt)


def encrypted(content: bytes, key: bytes, secret: bytes, own_key: ec.EllipticCurvePrivateKey, salt: bytes) -> bytes:
    """The content encrypted for the device with this public key and secret, as RFC 8291 says, in one record (RFC 8188).

    Written out, because the library for it is only published as source, which no hash pins when it is built.
    """
    point = own_key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    shared = own_key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key))
    first = HKDF(SHA256(), 32, secret, b"WebPush: info\0" + key + point).derive(shared)
    record_key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(first)
    nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(first)
    header = salt + struct.pack("!LB", RECORD_BYTES, len(point)) + point
    return header + AESGCM(record_key).encrypt(nonce, content + LAST_RECORD, None)


def decode(text: str) -> bytes:
    """Decode URL-safe base64 with or without padding; raises ValueError for anything else."""
    plain = text.rstrip("=").replace("-", "+").replace("_", "/").encode()
    return base64.b64decode(plain + b"=" * (-len(plain) % 4), validate=True)


def _push_headers(endpoint: str) -> dict[str, str]:
    """The headers that name the sender, how long the notification is useful, and how it is encrypted."""
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
        "TTL": str(int(NEWEST_FOR.total_seconds())),
    }
