"""Forms of what several people may edit, or one person in two tabs: nobody overwrites what they have not seen.

The form holds a mark of what it was made of. If that has changed when the form is sent, nothing is stored: the page
shows what is there now and what was sent, with a new mark, so that sending it again puts the one in place of the other.
Acts with a button say what they replace in their declaration: see `refuse_unseen` in `games/kernel/acts.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import wraps
from hashlib import sha256
from http import HTTPStatus
from typing import Any, NamedTuple

from django.forms import BoundField
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from games.kernel.limits import View
from games.kernel.retrying import atomic_again
from games.kernel.view_helpers import FormOrForms, status_of


class Difference(NamedTuple):
    """`now` and `sent` in words."""

    field: BoundField
    now: str
    sent: str


class Meanwhile:
    """`fields`: those of the form or forms, whose initial values are what is stored."""

    def __init__(self, request: HttpRequest, fields: Iterable[BoundField]) -> None:
        self.fields = list(fields)
        told = json.dumps([(it.html_name, it.initial) for it in self.fields], default=str)
        self.mark = sha256(told.encode()).hexdigest()[:32]
        seen = request.POST.get("seen", self.mark)  # pages that were open before this version: until the next release
        changed = [it for it in self.fields if it.name in it.form.changed_data] if seen != self.mark else []
        self.differences = [Difference(it, _in_words(it, it.initial), _in_words(it, it.value())) for it in changed]

    def status(self, form: FormOrForms) -> HTTPStatus:
        return HTTPStatus.CONFLICT if self.differences else status_of(form)


def _in_words(field: BoundField, value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    shown = field.field.widget.format_value(field.field.prepare_value(value))
    labels = {str(key): str(label) for key, label in getattr(field.field, "choices", ())}
    texts = [labels.get(it, it) for it in (shown if isinstance(shown, list) else [shown or ""])]
    return ", ".join(filter(None, texts)) or _("nothing")


def one_at_a_time(lock: Callable[[HttpRequest, str], object]) -> Callable[[View], View]:
    """Lock what this view edits while it stores what was sent, so that nothing comes between looking and storing."""

    def decorate(view: View) -> View:
        @atomic_again
        def locked(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
            lock(request, slug)
            return view(request, slug=slug, **kwargs)

        @wraps(view)
        def guarded(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
            return (locked if request.method == "POST" else view)(request, slug=slug, **kwargs)

        return guarded

    return decorate
