"""A form that is sent several times acts once: the page that it stands on has a key of its own."""

from __future__ import annotations

import uuid
from functools import wraps
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db import transaction

from games.kernel import clock
from games.kernel.days import ONE_DAY
from games.kernel.models import Act
from games.kernel.view_helpers import SeeOther, account

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from games.kernel.signing_in import View

KEPT = 30 * ONE_DAY
ALREADY = "You’ve already done that from this page, so nothing was done again. This page is up to date."


def key_of_page(request: HttpRequest) -> str:
    """The same for all forms of one page."""
    key: str = vars(request).setdefault("page_key", str(uuid.uuid4()))
    return key


def once(view: View) -> View:
    """What was done with the key of one page is not done again: the visitor is sent to where it was done. What was
    refused, or only looked at, may be sent again."""

    @wraps(view)
    def acting(request: HttpRequest, *args: Any, **where: Any) -> HttpResponse:
        key = request.POST.get("key", "")[:36]
        if not key or not request.user.is_authenticated:
            return view(request, *args, **where)
        with transaction.atomic():
            fresh = {"to": "", "at": clock.now()}
            act, is_new = Act.objects.get_or_create(
                user_id=account(request), path=request.path, key=key, defaults=fresh
            )
            if not is_new:
                messages.info(request, ALREADY)
                return SeeOther(act.to)
            response = view(request, *args, **where)
            if isinstance(response, SeeOther) and not response.refuses:
                act.to = response.url
                act.save(update_fields=["to"])
            else:
                act.delete()
        return response

    return acting


def forget_acts() -> None:
    """Delete the keys of pages that nobody has open any more."""
    Act.objects.filter(at__lt=clock.now() - KEPT).delete()
