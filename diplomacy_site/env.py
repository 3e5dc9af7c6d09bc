"""Typed settings from the environment; every error is one sentence that names the variable."""

import base64
import binascii
import os
import re
import string
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email

SHORTEST_SECRET = 32
HOST_NAME = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
IN_A_PATH = frozenset(string.ascii_letters + string.digits + "-_")
SEALED_KEY_BYTES = 32
KNOWN_DEFAULTS = ("change", "default", "django-insecure", "example", "password", "placeholder", "secret")
TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"0", "false", "no", "off", ""})


def text(name: str, default: str | None = None) -> str:
    """The variable's text, or that of the file which the variable with _FILE at its end names. Raises
    ImproperlyConfigured if it is unset or empty and no default is given, both are set, or the file can't be read."""
    value, path = (os.environ.get(each, "").strip() for each in (name, f"{name}_FILE"))
    if value and path:
        raise ImproperlyConfigured(f"{name} and {name}_FILE are both set. Set one of them.")
    try:
        value = Path(path).read_text(encoding="utf-8").strip() if path else value
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", error)
        raise ImproperlyConfigured(f"{name}_FILE names {path}, which can’t be read: {why}.") from None
    if value:
        return value
    if default is None:
        raise ImproperlyConfigured(f"{name} is not set. Set it in the environment; .env.example explains it.")
    return default


def secret(name: str) -> str:
    """A secret of 32 characters or more. Raises ImproperlyConfigured for one that looks like an example."""
    value = text(name)
    if len(value) < SHORTEST_SECRET:
        raise ImproperlyConfigured(f"{name} is too short. Use at least {SHORTEST_SECRET} random characters.")
    if value.lower().startswith(KNOWN_DEFAULTS) or len(set(value)) < SHORTEST_SECRET // 4:
        raise ImproperlyConfigured(f"{name} looks like an example, not like a secret. Use random characters.")
    return value


def integer(name: str, default: int) -> int:
    """The variable's whole number. Raises ImproperlyConfigured."""
    value = text(name, str(default))
    try:
        return int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} is {value!r}, but must be a whole number.") from None


def boolean(name: str, *, default: bool) -> bool:
    """Whether the variable is one of 1, true, yes, on, not 0, false, no, off. Raises ImproperlyConfigured."""
    value = text(name, str(default)).lower()
    if value in TRUE_WORDS:
        return True
    if value in FALSE_WORDS:
        return False
    raise ImproperlyConfigured(f"{name} is {value!r}, but must be one of 1, true, yes, on, 0, false, no, off.")


def one_of(name: str, *words: str) -> str:
    """The variable's text, one of these words; the first if it is not set. Raises ImproperlyConfigured."""
    value = text(name, words[0]).lower()
    if value not in words:
        raise ImproperlyConfigured(f"{name} is {value!r}, but must be one of {', '.join(words)}.")
    return value


def list_of_texts(name: str, default: str | None = None) -> list[str]:
    """The variable's texts, which are separated by commas, without the spaces around them."""
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


def host_names(name: str) -> list[str]:
    """The variable's names of hosts, separated by commas, as browsers send them. Raises ImproperlyConfigured."""
    names = list_of_texts(name)
    for each in names:
        if not HOST_NAME.fullmatch(each):
            raise ImproperlyConfigured(
                f"{name} has {each!r}, but must be names such as diplomacy.example.org, separated by commas: without "
                "https://, a port or a dot at the end, and with xn--… for umlauts."
            )
    return names


def email_addresses(name: str) -> list[str]:
    """The variable's email addresses, separated by commas; none if it is not set. Raises ImproperlyConfigured."""
    addresses = list_of_texts(name, "")
    try:
        for address in addresses:
            validate_email(address)
    except ValidationError:
        raise ImproperlyConfigured(f"{name} must be email addresses, separated by commas.") from None
    return addresses


def url(name: str, *, schemes: tuple[str, ...], default: str | None = None) -> str:
    """The variable's address, of one of the schemes, for example postgresql://… Raises ImproperlyConfigured."""
    value = text(name, default)
    if value.split("://", 1)[0] not in schemes or "://" not in value:
        allowed_schemes = ", ".join(f"{scheme}://" for scheme in schemes)
        raise ImproperlyConfigured(f"{name} must be an address that starts with one of {allowed_schemes}.")
    return value


def admin_path(name: str) -> str:
    """The path of the admin pages, ending with a slash: not admin/, where everyone looks first."""
    value = text(name).strip("/")
    if value.lower() in {"admin", ""} or any(character not in IN_A_PATH for character in value):
        raise ImproperlyConfigured(
            f"{name} must be a path of your own, not admin/: letters, digits, - and _ only, such as back-room-7h2k/."
        )
    return f"{value}/"


def keys_for_sealing(name: str, default: str | None = None) -> tuple[bytes, ...]:
    """Keys of 32 bytes in base64, separated by commas, or in a file by lines. The first seals new orders; any of them
    may open old ones. Raises ImproperlyConfigured."""
    keys = tuple(_decoded_key(name, part) for part in text(name, default).replace(",", " ").split())
    if not keys:
        raise ImproperlyConfigured(f"{name} has no key. Use one or more keys of 32 bytes in base64.")
    return keys


def push_key(name: str, default: str) -> bytes | None:
    """A key of 32 bytes in base64; None if the variable is empty."""
    value = text(name, default)
    return _decoded_key(name, value) if value else None


def _decoded_key(name: str, encoded_key: str) -> bytes:
    try:
        key = base64.b64decode(encoded_key, validate=True)
    except binascii.Error:
        raise ImproperlyConfigured(f"{name} has a key that is not base64.") from None
    if len(key) != SEALED_KEY_BYTES:
        raise ImproperlyConfigured(f"{name} has a key of {len(key)} bytes; it must have {SEALED_KEY_BYTES}.")
    if len(set(key)) < SEALED_KEY_BYTES // 4:
        raise ImproperlyConfigured(f"{name} has a key that looks like an example. Use random bytes.")
    return key


def backups(place: str, key: str) -> tuple[str, str]:
    """Where backups go, and the public key that they are encrypted to: either both or only the key or none."""
    where, recipient = text(place, ""), text(key, "")
    if where and not recipient:
        raise ImproperlyConfigured(f"{place} needs {key}, the public key of age that backups are encrypted to.")
    if recipient and not recipient.startswith("age1"):
        raise ImproperlyConfigured(f"{key} is not a public key of age; it begins with age1.")
    return where, recipient
