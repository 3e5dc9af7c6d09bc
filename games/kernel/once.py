"""Makes a form that is sent several times act only once.

A page is known by its CSRF token, which is new for each page. A program may send the cookie's own token, which belongs
to no page: then every request acts.
"""

from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from games.kernel import clock
from games.kernel.days import ONE_DAY
from games.kernel.languages import later
from games.kernel.limits import View
from games.kernel.models import Act
from games.kernel.retrying import atomic_again
from games.kernel.view_helpers import SeeOther, signed_in_id

KEPT = 30 * ONE_DAY
DRAWN = 32
"""How many characters of a page's token are random; as many again follow from them and the browser's cookie."""
ALREADY = later("You’ve already done that from this page, so nothing was done again. This page is up to date.")


def once_per_page(view: View) -> View:
    """Act only once on a form from one page; the second time, send the visitor to where the first time led. A form that
    was refused, or only looked at, may be sent again."""

    @wraps(view)
    def act_once(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        token = request.POST.get("csrfmiddlewaretoken", "")
        if len(token) != 2 * DRAWN or not request.user.is_authenticated:
            return view(request, *args, **kwargs)
        act_of_page = {"user_id": signed_in_id(request), "path": request.path, "key": token[:DRAWN]}

        @atomic_again
        def act_on_it() -> HttpResponse:
            act, is_new = Act.objects.get_or_create(**act_of_page, defaults={"to": "", "at": clock.now()})
            if not is_new:
                messages.info(request, ALREADY)
                return SeeOther(act.to)
            response = view(request, *args, **kwargs)
            if isinstance(response, SeeOther) and not response.refuses:
                act.to = response.url
                act.save(update_fields=["to"])
            else:
                act.delete()
            return response

        return act_on_it()

    return act_once


def forget_old_acts() -> None:
    """Delete the acts of pages that nobody has open any more."""
    Act.objects.filter(at__lt=clock.now() - KEPT).delete()
