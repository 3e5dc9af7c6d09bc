"""How a request reaches a game, and how success or a refusal is reported."""

from collections.abc import Callable, Mapping
from functools import wraps
from http import HTTPStatus
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe

from games.kernel.access import GameAccess, access_game
from games.kernel.acts import Act
from games.kernel.limits import View
from games.kernel.refusals import BadInput, BadReason, Refusal, Unconfirmed
from games.kernel.signing_in import sent_from, signed_in
from games.kernel.typed import keep_sent_form

INVITATIONS = "invitations"
Does = Callable[..., HttpResponse | str]


class SeeOther(HttpResponseRedirect):
    """Redirects with GET after a POST. `refuses`: was this refused, so that nothing was done?"""

    status_code = HTTPStatus.SEE_OTHER
    refuses = False


class FormOrForms(Protocol):
    """A form, or several that are sent together."""

    @property
    def errors(self) -> Mapping[str, Any]: ...


def status_of(form: FormOrForms) -> HTTPStatus:
    """The status of a page that shows this form, for the first time or with its errors."""
    return HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK


def access_for_visitor(request: HttpRequest, slug: str) -> GameAccess:
    """This visitor's access to the game; raises Http404 if they may not see it. An invitation is kept in the session.
    Pages that change nothing ask for access only once."""
    accesses: dict[str, GameAccess] = vars(request).setdefault("entered", {})
    if slug not in accesses or request.method == "POST":
        accesses[slug] = access_game(user=request.user, slug=slug, token=invitation_to(request, slug))
    return accesses[slug]


def signed_in_id(request: HttpRequest) -> int:
    """The id of the signed-in visitor, on pages that require signing in."""
    assert request.user.pk is not None
    return request.user.pk


def time_zone_of(request: HttpRequest) -> ZoneInfo:
    return ZoneInfo(getattr(request.user, "time_zone", "UTC"))


def is_from_here(request: HttpRequest) -> bool:
    """Was this sent by a page of this site, or its worker? Browsers send an origin with every POST."""
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == request.get_host()


def invitation_to(request: HttpRequest, slug: str) -> str:
    return str(request.session.get(INVITATIONS, {}).get(slug, ""))


def keep_invitation(request: HttpRequest, slug: str, token: str) -> None:
    request.session[INVITATIONS] = {**request.session.get(INVITATIONS, {}), slug: token}


_kept_nowhere = cache_control(private=True, no_store=True)


def own_page(view: View) -> View:
    """A view of a page to read that differs from visitor to visitor; never cached."""
    return require_safe(_kept_nowhere(view))


def own_form(view: View) -> View:
    """A view of a page that is sent to its own address; never cached."""
    return require_http_methods(["GET", "HEAD", "POST"])(_kept_nowhere(view))


def form_page(view: View) -> View:
    """A view of a page that a signed-in visitor fills in or confirms and sends to its own address; never cached."""
    return signed_in(own_form(view))


def refusals_to(page: str) -> Callable[[Does], View]:
    """Show the sentence that this view returns, or the reason for a refusal, on this page (of the same game, if the
    address names one)."""

    def decorate(view: Does) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            game = {"slug": kwargs["slug"]} if "slug" in kwargs else {}
            try:
                answer = view(request, **kwargs)
            except Refusal as refusal:
                return redirect_with_refusal(request, refusal, page, **game)
            return answer if isinstance(answer, HttpResponse) else redirect_with_success(request, answer, page, **game)

        return guarded

    return decorate


def button_action(page: str) -> Callable[[Does], View]:
    """A view of what one button does for a signed-in visitor; it reports on this page, as in `refusals_to`."""
    return lambda view: signed_in(sent_from(page)(refusals_to(page)(view)))


def button(act: Act) -> View:
    """The address of a button that does this act of a player with what the address names, and nothing else."""

    @button_action(act.back or act.to)
    def do(request: HttpRequest, slug: str, **where: Any) -> HttpResponse:
        who = act.who(access_for_visitor(request, slug), time_zone_of(request).key)
        result = act.service(**who, **where)
        done = act.told(lambda: result, where)
        return redirect_with_success(request, done, act.to, **({} if act.back else {"slug": slug}))

    return do


def form_succeeds(form: BaseForm, act: Callable[..., object], blamed: str | None = None) -> bool:
    """Is the form valid, and did the action with its data succeed? A refusal is shown at the field `blamed`, or above
    all fields; a missing reason at its own. What has to be confirmed is for the page to show."""
    if not form.is_valid():
        return False
    try:
        act(**form.cleaned_data)
    except Unconfirmed:
        raise
    except Refusal as refusal:
        if isinstance(refusal, BadReason) and "reason" in form.fields:
            blamed = "reason"
        for field, sentence in problems_by_field(refusal, blamed or "").items():
            form.add_error(field if field in form.fields else None, sentence)
        return False
    return True


def problems_by_field(refusal: Refusal, blamed: str) -> dict[str, str]:
    """The sentences of a refusal by the fields that it names; of one that names none, that of the field `blamed`."""
    return refusal.problems if isinstance(refusal, BadInput) else {blamed: refusal.sentence}


def attempt(request: HttpRequest, act: Callable[[], object], text: str, to: str, **kwargs: object) -> SeeOther:
    """Perform the action, report `text` or the refusal, and go to the page named `to`."""
    try:
        act()
    except Refusal as refusal:
        return redirect_with_refusal(request, refusal, to, **kwargs)
    return redirect_with_success(request, text, to, **kwargs)


def answer_offer(request: HttpRequest, act: Callable[[bool], object], text: str, to: str, **kwargs: object) -> SeeOther:
    """Act on the visitor's answer to an offer. After a yes they go to the page named `to`, otherwise to the home page,
    because without the offer they may no longer see a game by invitation."""
    accept = request.POST.get("answer") == "yes"
    try:
        act(accept)
    except Refusal as refusal:
        return redirect_with_refusal(request, refusal, "games:home")
    if not accept:
        return redirect_with_success(request, _("You’ve declined. We’ll tell them."), "games:home")
    return redirect_with_success(request, text, to, **kwargs)


def redirect_with_success(request: HttpRequest, sentence: str, to: str, **kwargs: object) -> SeeOther:
    messages.success(request, sentence)
    return SeeOther(resolve_url(to, **kwargs))


def redirect_with_refusal(request: HttpRequest, refusal: Refusal, to: str, **kwargs: object) -> SeeOther:
    """Report the refusal on the page named `to`, which gives back what was sent."""
    messages.error(request, refusal.sentence)
    response = SeeOther(resolve_url(to, **kwargs))
    response.refuses = True
    keep_sent_form(request, response, unquote(response.url), refused=True)
    return response
