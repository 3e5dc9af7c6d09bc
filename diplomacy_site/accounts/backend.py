"""Checking a name or address and a password."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.base_user import AbstractBaseUser


class SignInBackend(AuthenticationBackend):  # type: ignore[misc]  # the library has no types
    """Try each account only once. The library tries twice for an address, which takes longer if the account exists."""

    def __init__(self) -> None:
        self.tried: set[Any] = set()

    def _check_password(self, user: AbstractBaseUser | None, password: str) -> Any:
        if user is None or user.pk in self.tried:
            return None
        self.tried.add(user.pk)
        return super()._check_password(user, password)
