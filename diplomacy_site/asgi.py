"""The pages for an ASGI server: Django in threads, several times faster than Django's own ASGI handler."""

from a2wsgi import WSGIMiddleware

from diplomacy_site.wsgi import application as pages

THREADS = 8

application = WSGIMiddleware(pages, workers=THREADS)  # type: ignore[arg-type]  # Django types WSGI loosely
