"""The site for an ASGI server: its pages, and the events that tell open pages when a game has changed.

Django answers in threads, several times faster than with its own ASGI handler.
"""

from a2wsgi import WSGIMiddleware

from diplomacy_site.events.stream import PATH, Receive, Scope, Send, events
from diplomacy_site.wsgi import application as pages

THREADS = 8
in_threads = WSGIMiddleware(pages, workers=THREADS)  # type: ignore[arg-type]  # Django types WSGI loosely


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Route events to their stream; everything else is a page."""
    if scope["type"] == "http" and scope["path"] == PATH:
        await events(scope, receive, send)
    else:
        await in_threads(scope, receive, send)  # type: ignore[arg-type]  # a2wsgi's messages are typed narrowly
