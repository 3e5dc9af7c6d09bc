"""Checking a name or address and a password. Every refused sign-in and second factor is logged, without the name and
with the network only as a keyed digest."""

import logging
from threading import Lock
from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.mfa.signals import authentication_failed
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.auth.signals import user_login_failed
from django.core.exceptions import ValidationError
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from games.kernel.limits import network_of
from games.people.sessions import take_user_of_session

log = logging.getLogger(__name__)
LONGEST_PASSWORD = 128
SHORT = 12


class PasswordLength:
    """A password may be as long as a sentence, but not as long as a book."""

    def validate(self, password: str, _user: AbstractBaseUser | None = None) -> None:
        if len(password) > LONGEST_PASSWORD:
            raise ValidationError(self.get_help_text(), code="password_too_long")

    def get_help_text(self) -> str:
        return _("A password can have at most {longest} characters.").format(longest=LONGEST_PASSWORD)


class OneAtATime(Argon2PasswordHasher):
    """Argon2 takes 100 MB for each password, and a small machine has no room for those of all threads at once."""

    turn = Lock()

    def encode(self, password: str, salt: str) -> str:
        with self.turn:
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        with self.turn:
            return super().verify(password, encoded)


class SignInBackend(AuthenticationBackend):  # type: ignore[misc]  # the library has no types
    """Try each account only once. The library tries twice for an address, which takes longer if the account exists."""

    def __init__(self) -> None:
        self.tried: set[Any] = set()

    def _check_password(self, user: AbstractBaseUser | None, password: str) -> Any:
        if user is None or user.pk in self.tried:
            return None
        self.tried.add(user.pk)
        return super()._check_password(user, password)

    def get_user(self, user_id: int) -> Any:
        """The user with this id, without another query if they were read with the session."""
        user = take_user_of_session(user_id)
        if user is None:
            return super().get_user(user_id)
        return user if self.user_can_authenticate(user) else None


@receiver(user_login_failed)
def _log_refused_password(request: HttpRequest | None = None, **_more: object) -> None:
    log.warning("password refused, network %s", _digest_of_network(request))


@receiver(authentication_failed)
def _log_refused_code(request: HttpRequest, **_more: object) -> None:
    log.warning("second factor refused, network %s", _digest_of_network(request))


def _digest_of_network(request: HttpRequest | None) -> str:
    """A short digest that is the same for every request from one network."""
    return salted_hmac("refused", network_of(request), algorithm="sha256").hexdigest()[:SHORT] if request else "none"
