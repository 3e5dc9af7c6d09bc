"""Sessions in the database that record their user, so that all sessions of a user can be ended at once."""

from contextvars import ContextVar
from datetime import timedelta
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore as DBStore
from django.db import InterfaceError, OperationalError

from games.kernel import clock
from games.kernel.typed import KEPT_SECONDS, TYPED
from games.news.models import PushDevice
from games.people.models import Session

user_of_session: ContextVar[Any] = ContextVar("reader", default=None)
"""The user who was read with the session of this request, until they are asked for."""


def take_user_of_session(user_id: int) -> Any:
    """The user with this id, if a session was just read with them. Returned once, as the row may change."""
    user = user_of_session.get()
    user_of_session.set(None)
    return user if user is not None and user.pk == user_id else None


class SessionStore(DBStore):
    """The class that SESSION_ENGINE requires."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def _get_session_from_db(self) -> Session | None:
        row: Session | None = super()._get_session_from_db()  # type: ignore[misc]  # not in the stubs
        user_of_session.set(row.user if row else None)
        return row

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row = super().create_model_instance(data)
        assert isinstance(row, Session)
        row.user_id = data.get(SESSION_KEY)
        if row.user_id is None and TYPED in data:  # large, and anyone with an account can send as many as are kept
            row.expire_date = clock.now() + timedelta(seconds=KEPT_SECONDS)
        return row

    def save(self, must_create: bool = False) -> None:
        """Save the session, and raise a lost connection as such, not as an ended session."""
        try:
            super().save(must_create)
        except UpdateError as ended:
            if isinstance(ended.__context__, (InterfaceError, OperationalError)):
                raise ended.__context__ from None
            raise


def end_sessions(user_id: int, *, except_for: str | None = None) -> None:
    """Sign this user out everywhere, except in the session with this key, and stop notifications to their devices."""
    Session.objects.filter(user_id=user_id).exclude(session_key=except_for).delete()
    PushDevice.objects.filter(user_id=user_id).delete()
