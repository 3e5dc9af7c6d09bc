"""Checking a name or address and a password."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.base_user import AbstractBaseUser

from games.people.sessions import read_with_session


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
        """Without asking the database again for a user who was read with the session."""
        user = read_with_session(user_id)
        if user is None:
            return super().get_user(user_id)
        return user if self.user_can_authenticate(user) else None
