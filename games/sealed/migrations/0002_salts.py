"""A salt for the sheets of open phases, so that the record at their deadline covers them; and the way back."""

import json
import secrets
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations

from games.sealed.crypto import seal, unseal

OLD_FORMAT, PADDED, LENGTH = b"\x01", 8192, 4


def salt(apps: Apps, _editor: Any) -> None:
    for sheet in _sheets(apps).filter(phase__closed__isnull=True).iterator():
        body = json.loads(_opened(sheet))
        body["salt"] = secrets.token_hex(32)
        sealed = seal(_written(body), phase_id=sheet.phase_id, seat_id=sheet.seat_id)
        _sheets(apps).filter(pk=sheet.pk).update(sealed=sealed)


def unsalt(apps: Apps, _editor: Any) -> None:
    for sheet in _sheets(apps).iterator():
        body = json.loads(_opened(sheet))
        kept = {name: body[name] for name in ("saved", "typed", "lines")}
        _sheets(apps).filter(pk=sheet.pk).update(sealed=_sealed_of_old(_written(kept), sheet))


def _sheets(apps: Apps) -> Any:
    return apps.get_model("sealed", "Sheet").rows


def _opened(sheet: Any) -> bytes:
    return unseal(bytes(sheet.sealed), phase_id=sheet.phase_id, seat_id=sheet.seat_id)


def _written(body: dict[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False).encode()


def _sealed_of_old(body: bytes, sheet: Any) -> bytes:
    nonce = secrets.token_bytes(12)
    padded = (len(body).to_bytes(LENGTH, "big") + body).ljust(PADDED, b"\0")
    bound_to = f"sheet of phase {sheet.phase_id}, seat {sheet.seat_id}".encode()
    return OLD_FORMAT + nonce + AESGCM(settings.SEALED_KEYS[0]).encrypt(nonce, padded, bound_to)


class Migration(migrations.Migration):
    dependencies = [("sealed", "0001_initial"), ("games", "0017_receipts")]

    operations = [migrations.RunPython(salt, unsalt)]
