"""Agreeing to what the game master asks for, and the page on which a game master changes the terms."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.consent import rules, services
from games.consent.models import Matter
from games.consent.queries import requests_in
from games.kernel.access import access_gm, standpoint_of
from games.kernel.page import page_of
from games.kernel.refusals import BadGame, WrongMoment
from games.kernel.signing_in import signed_in
from games.kernel.view_helpers import accepted, account, deed, enter, form_page, refusals_to, status_of
from games.pages.forms import TermsForm

APPLIED = "The terms have changed. The public log says how."
ASKED = "We’ve asked all players. The new terms apply once everyone has agreed."


@signed_in
@require_safe
@cache_control(private=True, no_store=True)
def consent(request: HttpRequest, slug: str) -> HttpResponse:
    """What the game master asks this viewer to agree to."""
    access = enter(request, slug)
    context = {"view": page_of(access), "requests": requests_in(access)}
    return render(request, "consent/requests.html", context)


@deed("games:consent")
def answer(request: HttpRequest, slug: str, number: int) -> str:
    """A player's yes or no, or a game master who withdraws the request."""
    access, who, said = enter(request, slug), account(request), request.POST.get("answer", "")
    if said == "recall":
        services.withdraw(game_id=access.game_id, by=who, number=number)
        return "Request withdrawn. Nothing changes."
    if said not in {"yes", "no"}:
        raise WrongMoment("Nothing was changed: choose whether you agree or refuse.")
    if services.answer(game_id=access.game_id, user_id=who, number=number, agrees=said == "yes"):
        return "Everyone has agreed, so it applies now."
    return "You’ve agreed. It applies once everyone has." if said == "yes" else "You’ve refused. Nothing changes."


@form_page
@refusals_to("games:gm")
def terms(request: HttpRequest, slug: str) -> HttpResponse:
    """The terms as a form: what is changed there applies now or once all players agree."""
    access = access_gm(user=request.user, slug=slug, alone=True)
    here = standpoint_of(access)
    rules.may_change_terms(here)
    fixed = rules.fixed(here.game, is_empty=not here.members)
    form = TermsForm(request.POST or None, options=here.options, fixed=fixed)
    if request.method == "POST" and form.is_valid():
        try:
            applied = services.change_terms(game_id=access.game_id, by=access.user_id, choices=form.changed())
        except BadGame as refusal:
            for name, sentence in refusal.problems.items():
                form.add_error(name, sentence)
        else:
            return accepted(request, APPLIED if applied else ASKED, "games:gm", slug=slug)
    asked = rules.concerned(here, Matter.TERMS) - {here.user_id}
    view, folds = page_of(enter(request, slug)), form.folds(here.options)
    context = {"view": view, "form": form, "folds": folds, "asked": asked}
    return render(request, "consent/terms.html", context, status=status_of(form))
