"""The pages for an ASGI server: Django in threads, which answers several times faster than its own ASGI handler."""

from a2wsgi import WSGIMiddleware

from diplomacy_site.wsgi import application as pages

THREADS = 8

application = WSGIMiddleware(pages, workers=THREADS)
