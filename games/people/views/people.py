"""Profiles, and the visitor's own settings: time zone, light or dark theme, API tokens."""

from functools import partial

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from games.kernel import view_helpers as web
from games.kernel.blocks import blocked_by
from games.kernel.languages import later
from games.kernel.refusals import Refusal
from games.kernel.signing_in import sent_from, signed_in
from games.kernel.typed import forget_sent_form
from games.people import services as people
from games.people.forms import ProfileForm, TokenForm
from games.people.profiles import person_view
from games.people.sign_up import keep_sign_up_link
from games.people.tokens import make_token, revoke_token, tokens_of

A_YEAR = 365 * 24 * 3600
TITLES = {"playing": later("Playing"), "over": later("Finished games"), "mastered": later("Game master of")}


@web.own_page
def sign_up(request: HttpRequest, secret: str) -> HttpResponse:
    """A moderator's sign-up link, which is kept in the session, not in the address bar."""
    keep_sign_up_link(request, secret)
    return web.SeeOther(reverse("account_signup"))


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """The account: name, email address, time zone, password."""
    # A copy: a refused time zone must not reach the page, which is written in the user's own.
    form = ProfileForm(request.POST or None, instance=get_user_model().objects.get(pk=web.signed_in_id(request)))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return web.SeeOther(request.path)
    return render(
        request,
        "people/profile.html",
        {"form": form, "blocked": blocked_by(web.signed_in_id(request))},
        status=web.status_of(form),
    )


@require_safe
def person(request: HttpRequest, username: str) -> HttpResponse:
    """The public profile of a user; with ?show= only one list of games, after the game ?after=."""
    query = {name: request.GET.get(name, "") for name in ("show", "after")}
    profile_shown = person_view(username, viewer_id=request.user.pk, **query)
    blocked = profile_shown.name in blocked_by(web.signed_in_id(request)) if request.user.is_authenticated else False
    lists = [(name, TITLES[name], page) for name, page in profile_shown.lists.items() if page.games]
    return render(request, "people/person.html", {"person": profile_shown, "blocked": blocked, "lists": lists})


@signed_in
@sent_from("games:person")
def block(request: HttpRequest, username: str) -> HttpResponse:
    """Block a user or, with `unblocks`, unblock them. They aren't told."""
    if not get_user_model().objects.filter(username=username, is_active=True).exists():
        raise Http404
    unblocks = "again" in request.POST
    act = partial(
        people.unblock_user if unblocks else people.block_user, by=web.signed_in_id(request), username=username
    )
    sentence = (
        _("You’ve unblocked {username}.").format(username=username)
        if unblocks
        else _("You’ve blocked {username}. They aren’t told.").format(username=username)
    )
    return web.attempt(
        request,
        act,
        sentence,
        "games:profile" if unblocks else "games:person",
        **({} if unblocks else {"username": username}),
    )


@signed_in
@sent_from("games:home")
def discard_kept_form(request: HttpRequest) -> HttpResponse:
    """Throw away the form that a visitor sent in vain and that we kept, then go back to its page."""
    forget_sent_form(request, request.POST.get("discarded", ""))
    return _redirect_within_site(request.GET.get("page", "/"))


@csrf_exempt
@sent_from("games:home")
def switch_theme(request: HttpRequest) -> HttpResponse:
    """Switch between light and dark, without scripts. There is no CSRF token, so that strangers get no cookie."""
    response = _redirect_within_site(request.POST.get("next", "/"))
    chosen = "light" if request.COOKIES.get("theme") == "dark" else "dark"
    response.set_cookie("theme", chosen, max_age=A_YEAR, samesite="Lax", secure=request.is_secure())
    return response


def _redirect_within_site(path: str) -> web.SeeOther:
    """Redirect to this path, if it is a page of this site."""
    return web.SeeOther(path if url_has_allowed_host_and_scheme(path, allowed_hosts=None) else "/")


@signed_in
@reauthentication_required  # type: ignore[untyped-decorator]  # the library has no types
@web.own_form
def tokens(request: HttpRequest) -> HttpResponse:
    """The user's tokens; after a POST, with the new one, which is never shown again."""
    form, new_token = TokenForm(request.POST if request.method == "POST" else None), ""
    if request.method == "POST" and form.is_valid():
        try:
            new_token = make_token(user_id=web.signed_in_id(request), **form.cleaned_data)
            form = TokenForm()
        except Refusal as refusal:
            form.add_error(None, refusal.sentence)
    context = {"form": form, "fresh": new_token, "tokens": tokens_of(web.signed_in_id(request))}
    return render(request, "people/tokens.html", context, status=web.status_of(form))


@signed_in
@sent_from("games:tokens")
def revoke_own_token(request: HttpRequest, number: int) -> HttpResponse:
    revoke_token(user_id=web.signed_in_id(request), number=number)
    return web.redirect_with_success(request, _("Token revoked. It no longer works."), "games:tokens")
