"""Logs: one line per event, JSON in production and plain text elsewhere. They contain ids, never what players wrote.

The site's own lines contain only ids. In production, library messages are cut to their pattern, because the values may
be addresses, forms or an exception's words; exceptions are cut to their kind and the lines they came through, without
their message. All lines of one request or task carry the same id.
"""

import json
import logging
import secrets
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import structlog
from django.http import HttpRequest, HttpResponse
from structlog.contextvars import bind_contextvars, clear_contextvars, merge_contextvars
from structlog.typing import EventDict, Processor

SITE = Path(__file__).parents[1]

LEFT_OUT = "(words left out)"
LOGGERS_WITH_WORDS = (
    "games",
    "diplomacy_site",
    "celery.beat",
    "celery.apps",
    "celery.worker.consumer",
    "kombu",
    "uvicorn.error",
)
"""The loggers that never see what players wrote: the site's own, and those of its servers."""


class RequestId:
    """Gives each request an id that appears in every line logged during it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        clear_contextvars()
        bind_contextvars(request=secrets.token_hex(6), method=request.method)
        try:
            return self.get_response(request)
        finally:
            clear_contextvars()

    def process_view(self, request: HttpRequest, *_: object) -> None:
        """Log the name of the page instead of its address, which may be a private link."""
        match = request.resolver_match
        bind_contextvars(page=match.view_name if match else "")


def log_settings(*, as_json: bool, collector: str = "") -> dict[str, Any]:
    """The setting LOGGING. Errors are not emailed, because such emails quote the form, but may go to a collector."""
    sent = {"collector": {"()": "diplomacy_site.logs.Collector", "address": collector}} if collector else {}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {"()": "diplomacy_site.logs.json_lines" if as_json else "diplomacy_site.logs.plain_lines"}
        },
        "handlers": {
            "console": {"class": "logging.StreamHandler", "formatter": "line"},
            "nowhere": {"class": "logging.NullHandler"},
            **sent,
        },
        "root": {"handlers": ["console", *sent], "level": "INFO"},
        "loggers": {
            "django": {"handlers": ["console", *sent], "level": "INFO", "propagate": False},
            # Requests for other host names get a 400 and don't fill the log.
            "django.security.DisallowedHost": {"handlers": ["nowhere"], "propagate": False},
            # A line for every beat of every task is useless.
            "celery.beat": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            # The server's own messages; who asked for which page is not logged.
            "uvicorn": {"handlers": ["console", *sent], "level": "INFO", "propagate": False},
            "uvicorn.access": {"handlers": ["nowhere"], "propagate": False},
        },
    }


def json_lines() -> logging.Formatter:
    """One JSON object per line."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[*_common_processors(), _without_foreign_words, _without_sentences],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        pass_foreign_args=True,
    )


def plain_lines() -> logging.Formatter:
    """Lines for reading at a terminal, with full tracebacks."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=_common_processors(),
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
        ],
    )


class Collector(logging.Handler):
    """Sends each error to a collector that speaks Sentry's protocol: what its line in the log says, and no more. The
    library's integrations are off: they look into requests, tasks and variables."""

    ABOUT_EACH = frozenset({"event_id", "timestamp", "platform", "release"})
    SENT = ABOUT_EACH | {"level", "logger", "message", "transaction", "tags", "exception"}

    def __init__(self, address: str) -> None:
        import sentry_sdk  # noqa: PLC0415 - few have it
        from django.conf import settings  # noqa: PLC0415 - they are complete by now

        super().__init__(logging.ERROR)
        self.setFormatter(json_lines())
        self.send: Callable[..., Any] = sentry_sdk.capture_event
        off = ("default_integrations", "auto_enabling_integrations", "auto_session_tracking", "send_client_reports")
        options: dict[str, Any] = dict.fromkeys(off, False)
        options["before_send"] = lambda event, _hint: {name: event[name] for name in self.SENT & event.keys()}
        sentry_sdk.init(address, release=settings.SITE_VERSION, max_breadcrumbs=0, **options)

    def emit(self, record: logging.LogRecord) -> None:
        line = json.loads(self.format(record))
        parts = [
            (each["kind"], [place.rsplit(" ", 1) for place in each["lines"]]) for each in line.pop("exception", [])
        ]
        kinds = [
            {"type": kind, "stacktrace": {"frames": [{"filename": file, "function": name} for file, name in places]}}
            for kind, places in reversed(parts)
        ]
        event = {"message": line.pop("event"), "transaction": line.get("page") or line.get("task")}
        self.send({**event, "level": "error", "logger": record.name, "tags": line, "exception": {"values": kinds}})


def _common_processors() -> list[Processor]:
    return [
        merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]


def _without_foreign_words(_logger: object, _method: str, event: EventDict) -> EventDict:
    """Reduce a line of a library to its pattern, where it was written, and the response's status."""
    record: logging.LogRecord = event["_record"]
    filled_in = event.pop("positional_args", ())
    if record.name.startswith(LOGGERS_WITH_WORDS):
        return event
    event["event"] = str(record.msg) if filled_in else LEFT_OUT
    event["where"] = f"{record.module}:{record.lineno}"
    if (status := getattr(record, "status_code", None)) is not None:
        event["status"] = int(status)
    return event


def _without_sentences(_logger: object, _method: str, event: EventDict) -> EventDict:
    """Replace an exception by its kind and the lines it came through, and its causes likewise."""
    exc_info = event.pop("exc_info", None)
    event.pop("stack_info", None)
    if exc_info and exc_info[1] is not None:
        event["exception"] = list(_kinds_and_lines(exc_info[1]))
    return event


def _kinds_and_lines(problem: BaseException) -> Iterator[dict[str, Any]]:
    seen_ids: set[int] = set()
    cause: BaseException | None = problem
    while cause is not None and id(cause) not in seen_ids:
        seen_ids.add(id(cause))
        frames = traceback.extract_tb(cause.__traceback__)
        lines = [f"{_short_path(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames]
        yield {"kind": f"{type(cause).__module__}.{type(cause).__qualname__}", "lines": lines}
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)


def _short_path(path: str) -> str:
    file = Path(path)
    if "site-packages" in file.parts:
        return "/".join(file.parts[file.parts.index("site-packages") + 1 :])
    return str(file.relative_to(SITE)) if file.is_relative_to(SITE) else file.name
