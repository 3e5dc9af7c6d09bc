"""An act that is sent again with the same `Idempotency-Key` is done once; the second time, its answer is repeated.

Not the key is stored but a keyed hash of it, and only the key opens stored answers: they may contain orders and bids,
which are destroyed elsewhere.
"""

import json
import os
import re
from collections.abc import Callable
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.db import transaction
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from games.kernel import clock
from games.kernel.models import Act
from games.kernel.refusals import Refusal

KEY = re.compile(r"[!-~]{16,100}")
NONCE = 12


class KeyUsed(Refusal):
    """Something else was sent with this key before."""


def answered_once(key: str, body: bytes, method: Callable[..., Response], request: Request, **kwargs: Any) -> Response:
    """What this method answers or, if the same was sent with this key before, what it answered then. Raises
    ValidationError for a bad key."""
    if request.user.pk is None:
        return method(request, **kwargs)
    if not KEY.fullmatch(key):
        sentence = _("Send 16 to 100 letters, digits and signs without spaces, such as a UUID.")
        raise ValidationError({"Idempotency-Key": sentence})
    digest = _keyed_hash("sent", key, f"{request.method} {request.META['QUERY_STRING']}", body.hex()).hex()
    cipher = AESGCM(_keyed_hash("answer", key))
    act_of_key = {"user_id": request.user.pk, "path": request.path[:300], "key": _keyed_hash("key", key).hex()[:32]}
    with transaction.atomic():
        act, is_new = Act.objects.get_or_create(**act_of_key, defaults={"to": digest, "at": clock.now()})
        if not is_new:
            if act.to != digest:
                raise KeyUsed(_("Nothing was done: you have sent something else with this key. Use a new one."))
            stored = bytes(act.answer or b"")
            status, data = json.loads(cipher.decrypt(stored[:NONCE], stored[NONCE:], None))
            return Response(data, status=status)
        response = method(request, **kwargs)
        nonce, text = os.urandom(NONCE), JSONRenderer().render([response.status_code, response.data])
        act.answer = nonce + cipher.encrypt(nonce, text, None)
        act.save(update_fields=["answer"])
    return response


def _keyed_hash(purpose: str, *texts: str) -> bytes:
    return salted_hmac(f"games.api.once.{purpose}", "\n".join(texts), algorithm="sha256").digest()
