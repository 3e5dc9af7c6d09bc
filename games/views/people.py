"""Who somebody is, and the visitor's own settings: time zone, light or dark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.forms.person import ProfileForm
from games.profiles import person_view
from games.views.doors import SeeOther, account

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

A_YEAR = 365 * 24 * 3600
UNPROCESSABLE = 422


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """The account: name, e-mail address, time zone, password."""
    # A copy: a refused time zone must not reach the page, which is written in the user's own.
    form = ProfileForm(request.POST or None, instance=get_user_model().objects.get(pk=account(request)))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Saved.")
        return SeeOther(request.path)
    return render(request, "games/profile.html", {"form": form}, status=UNPROCESSABLE if form.errors else 200)


@require_safe
def person(request: HttpRequest, username: str) -> HttpResponse:
    """What everybody may know of somebody."""
    shown = person_view(username, viewer_id=request.user.pk)
    return render(request, "games/person.html", {"person": shown})


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Light or dark, for browsers without scripts: the other one than now."""
    back = request.POST.get("next", "/")
    response = SeeOther(back if url_has_allowed_host_and_scheme(back, allowed_hosts=None) else "/")
    chosen = "light" if request.COOKIES.get("theme") == "dark" else "dark"
    response.set_cookie("theme", chosen, max_age=A_YEAR, samesite="Lax")
    return response
