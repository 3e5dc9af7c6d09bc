"""Where somebody is signed in."""

from __future__ import annotations

from django.contrib.sessions.models import Session

from games.news.push import forget_devices


def end_sessions(user_id: int, *, but: str | None = None) -> None:
    """Sign this person out everywhere, for good, but in the session of this key; devices are told nothing more."""
    for session in Session.objects.exclude(session_key=but).iterator():
        if session.get_decoded().get("_auth_user_id") == str(user_id):
            session.delete()
    forget_devices(user_id)
