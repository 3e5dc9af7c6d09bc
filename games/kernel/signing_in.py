"""Pages and acts that need an account. Visitors without one are sent to sign in, and then back to the page with the
form. Nothing is looked up before, so the answer doesn't depend on what exists. Times are read in their own zone, as
pages show them."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import wraps
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, unquote, urlsplit
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.shortcuts import render, resolve_url
from django.urls import NoReverseMatch, Resolver404, resolve, reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.http import HttpResponseClientRedirect

from games.kernel.languages import later
from games.kernel.limits import View
from games.kernel.typed import KEPT_SECONDS, forget_sent_form, keep_sent_form, sender_of

READING = {"GET", "HEAD"}
WAY_BACK = "way_back"
"""The cookie for those who sign in by a way that loses it, such as a new password."""

SIGNED_OUT = later("Nothing was done, because you’re not signed in. Sign in to go back to the page.")
KEPT = later("What you sent is kept for your account for an hour: you get it back there.")
NOT_KEPT = later("What you typed is not kept: to get it back, use your browser’s way back.")
TOO_OLD = later("Nothing was done, because the page was out of date. Check it and send it again.")


def signed_in(view: View) -> View:
    return _guarded(view, set())


def signed_in_to_send(view: View) -> View:
    """A view that everyone may read, but only signed-in users may send something to."""
    return _guarded(view, READING)


def _guarded(view: View, open_to_all: set[str]) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return view(request, *args, **kwargs) if request.method in open_to_all else redirect_to_sign_in(request)
        if request.method == "POST":
            if sender_of(request) not in {None, request.user.pk}:
                return _refuse_other_account(request)
            forget_sent_form(request, request.path)
        with timezone.override(ZoneInfo(request.user.time_zone)):
            answer = view(request, *args, **kwargs)
        if request.COOKIES.get(WAY_BACK) == request.get_full_path():
            answer.delete_cookie(WAY_BACK)
        return answer

    return guarded


def sent_from(*pages: str) -> Callable[[View], View]:
    """For an address that only takes the form of a page: redirect those who open it to the first of these pages that
    has an address with its arguments, or to the game's page if they may not see that one."""

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method in READING:
                return HttpResponseRedirect(_address_if_visible(request, _first_page_for(pages, kwargs), kwargs))
            if request.method != "POST":
                return HttpResponseNotAllowed([*READING, "POST"])
            return view(request, *args, **kwargs)

        guarded.pages = pages  # type: ignore[attr-defined]
        return guarded

    return decorate


def form_page_of(address: str) -> str:
    """The page with the form that is sent to this address."""
    try:
        match = resolve(address)
    except Resolver404:
        return address
    pages = getattr(match.func, "pages", ())
    return _first_page_for(pages, match.kwargs) if pages else address


def _address_of_form(request: HttpRequest) -> str:
    """The address of the form with its query, if the browser names it; else the address that it was sent to."""
    referer = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(referer, allowed_hosts={request.get_host()}):
        return request.get_full_path()
    parts = urlsplit(referer)
    return f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"


def page_of_form(request: HttpRequest) -> str:
    """The address of the form's page without the query, as in `request.path`."""
    return form_page_of(unquote(_address_of_form(request).partition("?")[0]))


def redirect_to_sign_in(request: HttpRequest) -> HttpResponse:
    """Let the visitor sign in and return. A sent form is kept; a script gets a status on which it lets the browser send
    it."""
    is_read = request.method in READING
    address = request.get_full_path() if is_read else _address_of_form(request)
    answer = _redirect_browser(request, f"{resolve_url(settings.LOGIN_URL)}?next={quote(address)}")
    if answer.status_code == HTTPStatus.UNAUTHORIZED:
        return answer
    if not is_read:
        is_kept = keep_sent_form(request, answer, page_of_form(request))
        has_typed = sender_of(request) is not None
        sentences = [SIGNED_OUT, *([KEPT if is_kept else NOT_KEPT] if has_typed else [])]
        messages.warning(request, " ".join(map(str, sentences)))
    secure = request.is_secure()
    answer.set_cookie(WAY_BACK, address, max_age=KEPT_SECONDS, httponly=True, samesite="Lax", secure=secure)
    return answer


def return_address(request: HttpRequest) -> str | None:
    """The page that visitors wanted before they were sent to sign in."""
    back = request.COOKIES.get(WAY_BACK, "")
    return back if back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None) else None


def page_too_old(request: HttpRequest, **_reason: str) -> HttpResponse:
    """Answer a form whose token is missing or no longer valid, as after signing in again in another tab: its sender
    gets back what they typed. A form without a sender, which another site may have sent, is refused."""
    sender = sender_of(request)
    if sender is None:
        return render(request, "403_csrf.html", status=HTTPStatus.FORBIDDEN)
    if not request.user.is_authenticated:
        return redirect_to_sign_in(request)
    if sender != request.user.pk:
        return _refuse_other_account(request)
    answer = _redirect_browser(request, _address_of_form(request))
    if answer.status_code != HTTPStatus.UNAUTHORIZED:
        keep_sent_form(request, answer, page_of_form(request))
        messages.warning(request, TOO_OLD)
    return answer


def _refuse_other_account(request: HttpRequest) -> HttpResponse:
    """Refuse a form from a page of another account, which had signed in here before."""
    return render(request, "403_csrf.html", {"of_another": True}, status=HTTPStatus.FORBIDDEN)


def _redirect_browser(request: HttpRequest, to: str) -> HttpResponse:
    if request.headers.get("HX-Request"):
        return HttpResponseClientRedirect(to)
    if request.headers.get("HX-Target"):
        return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
    return HttpResponseRedirect(to)


def _first_page_for(pages: tuple[str, ...], kwargs: Mapping[str, Any]) -> str:
    """The address of the first of these pages that can be built from these arguments or some of them."""
    for page in pages:
        for names in (kwargs.keys(), {"slug"}, set()):
            with suppress(NoReverseMatch):
                return reverse(page, kwargs={name: kwargs[name] for name in names & kwargs.keys()})
    raise NoReverseMatch(f"None of {', '.join(pages)} takes {', '.join(kwargs)}.")


def _address_if_visible(request: HttpRequest, page: str, kwargs: Mapping[str, Any]) -> str:
    """This page, or the game's page if this visitor may not see it."""
    if "slug" not in kwargs or not request.user.is_authenticated:
        return page
    with suppress(Resolver404):
        match = resolve(page)
        try:
            match.func(request, *match.args, **match.kwargs)
        except Http404:
            return reverse("games:game", kwargs={"slug": kwargs["slug"]})
    return page
