"""Forms that were sent after the session had ended: kept for an hour, for the same account in the same browser.

A form names the account whose page it is on. Without a session its fields wait in a new one until somebody signs in,
encrypted with a key that only the browser has, so that neither the database nor a copy of it reveals orders or
messages.
"""

import json
from contextlib import suppress
from dataclasses import dataclass

from cryptography.fernet import Fernet, InvalidToken
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.kernel.limits import refusal_if_too_often

WHOSE, TYPED = "whose", "typed"
"""The field that names the account, and the name of the cookie with the key and of the part of the session."""

KEPT_SECONDS = 3600
LONGEST, MOST = 150_000, 4
"""How many bytes are kept of one form, and how many forms in one browser."""
LONGEST_CHOICE = 20
BETWEEN = "\n"
"""What no address contains."""
KEPT_OFTEN = "30/h"

NOT_TYPED = {WHOSE, "csrfmiddlewaretoken"}
SECRET = "password"  # noqa: S105 - part of the name of fields that are never kept


@dataclass(frozen=True, slots=True)
class KeptForm:
    """A form as it was sent to `address`, with the names and values of its fields."""

    address: str
    fields: tuple[tuple[str, str], ...]

    @property
    def texts(self) -> list[tuple[str, str]]:
        """The fields that are shown as they were typed; all others are choices."""
        return [field for field in self.fields if _is_text(field[1])]

    @property
    def choices(self) -> list[tuple[str, str]]:
        return [field for field in self.fields if not _is_text(field[1])]


def _is_text(value: str) -> bool:
    return len(value) > LONGEST_CHOICE or "\n" in value


def sender_field(user_id: int) -> SafeString:
    """The hidden field that names the account whose page a form is on; nobody else can make it."""
    return format_html('<input type="hidden" name="{}" value="{}">', WHOSE, _signer().sign(str(user_id)))


def sender_of(request: HttpRequest) -> int | None:
    """The id of the account whose page the form is on; None if it names none."""
    with suppress(BadSignature):
        return int(_signer().unsign(request.POST.get(WHOSE, "")))
    return None


def keep_sent_form(request: HttpRequest, answer: HttpResponse, page: str) -> bool:
    """Keep what was sent from this page for its sender, with the key in a cookie of the answer. False if the form names
    no account, is too long or holds a password, or if this happens too often."""
    sender = sender_of(request)
    fields = [(name, value) for name, values in request.POST.lists() for value in values if name not in NOT_TYPED]
    content = json.dumps([sender, fields], ensure_ascii=False).encode()
    if sender is None or len(content) > LONGEST or any(SECRET in name for name, _ in fields):
        return False
    if refusal_if_too_often(request, "keeping", KEPT_OFTEN):
        return False
    key = request.COOKIES.get(TYPED, "")
    if _cipher_with(key) is None:
        key = Fernet.generate_key().decode()
    here = _key_in_session(request.path, page)
    others = [(name, sealed) for name, sealed in _kept_forms(request).items() if name != here]
    sealed = Fernet(key).encrypt(content).decode()
    request.session[TYPED] = dict([*others, (here, sealed)][-MOST:])
    secure = request.is_secure()
    answer.set_cookie(TYPED, key, max_age=KEPT_SECONDS, httponly=True, samesite="Lax", secure=secure)
    return True


def kept_forms_of_page(request: HttpRequest) -> list[KeptForm]:
    """The forms kept in this browser for this page and the account that has signed in, oldest first."""
    opener = _cipher_with(request.COOKIES.get(TYPED, ""))
    if opener is None or request.user.pk is None:
        return []
    forms = []
    for name, sealed in _kept_forms(request).items():
        address, page = name.split(BETWEEN)
        with suppress(InvalidToken):
            sender, fields = json.loads(opener.decrypt(sealed, ttl=KEPT_SECONDS))
            if sender == request.user.pk and page == request.path:
                forms.append(KeptForm(address, tuple((name, value) for name, value in fields)))
    return forms


def forget_sent_form(request: HttpRequest, address: str, page: str) -> None:
    forms = _kept_forms(request) if TYPED in request.COOKIES else {}
    if forms.pop(_key_in_session(address, page), None):
        request.session[TYPED] = forms


def _key_in_session(address: str, page: str) -> str:
    return f"{address}{BETWEEN}{page}"


def _kept_forms(request: HttpRequest) -> dict[str, str]:
    return dict(request.session.get(TYPED, {}))


def _cipher_with(key: str) -> Fernet | None:
    with suppress(ValueError):
        return Fernet(key)
    return None


def _signer() -> Signer:
    return Signer(salt="games.kernel.typed")
