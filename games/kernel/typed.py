"""Forms that were sent in vain, refused or after the session had ended: kept for an hour, for the same account in the
same browser.

A form names the account whose page it is on. Its fields wait in the session (without one, in a new one until somebody
signs in), encrypted with a key that only the browser has, so that neither the database nor a copy of it reveals orders
or messages.
"""

import json
from contextlib import suppress
from dataclasses import dataclass

from cryptography.fernet import Fernet, InvalidToken
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.kernel.acts import INSTEAD_OF
from games.kernel.limits import count_kept_form
from games.kernel.refusals import TooOften

WHOSE, TYPED = "whose", "typed"
"""The field that names the account, and the name of the cookie with the key and of the part of the session."""

KEPT_SECONDS = 3600
LONGEST, MOST = 150_000, 4
"""How many bytes are kept of one form, and how many forms in one browser."""
LONGEST_CHOICE = 20
BETWEEN = "\n"
"""What no address contains."""

REFUSED = "refused"
"""Marks a kept form that was refused: without a text it is shown only where a script puts it back."""
NOT_TYPED = {WHOSE, REFUSED, "csrfmiddlewaretoken"}
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
    def is_hidden(self) -> bool:
        return (REFUSED, "") in self.fields and not self.texts

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


def keep_sent_form(
    request: HttpRequest, answer: HttpResponse, page: str, *, refused: bool = False, sent: QueryDict | None = None
) -> bool:
    """Keep what was sent, or the part `sent`, for its sender, who gets it back on this page, with the key in a cookie
    of the answer. False if the form names no account, is too long or holds a password, if this happens too often, or
    if a button without fields was refused."""
    sender, lists = sender_of(request), (sent or request.POST).lists()
    left_out = NOT_TYPED | ({INSTEAD_OF} if refused else set())  # what is there now is on the page that refuses
    fields = [(name, value) for name, values in lists for value in values if name not in left_out]
    if refused and not fields:
        return False
    content = json.dumps([sender, [*fields, *([(REFUSED, "")] if refused else [])]], ensure_ascii=False).encode()
    if sender is None or len(content) > LONGEST or any(SECRET in name for name, _ in fields):
        return False
    try:
        count_kept_form(sender)
    except TooOften:
        return False
    key = request.COOKIES.get(TYPED, "")
    if _cipher_with(key) is None:
        key = Fernet.generate_key().decode()
    here = f"{request.path}{BETWEEN}{page}"
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


def forget_sent_form(request: HttpRequest, address: str) -> None:
    """Forget what was sent to this address, from whichever page."""
    forms = _kept_forms(request) if TYPED in request.COOKIES else {}
    others = {name: sealed for name, sealed in forms.items() if name.partition(BETWEEN)[0] != address}
    if others != forms:
        request.session[TYPED] = others


def _kept_forms(request: HttpRequest) -> dict[str, str]:
    return dict(request.session.get(TYPED, {}))


def _cipher_with(key: str) -> Fernet | None:
    with suppress(ValueError):
        return Fernet(key)
    return None


def _signer() -> Signer:
    return Signer(salt="games.kernel.typed")
