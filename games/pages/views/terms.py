"""The page on which a game master changes the terms of a game: the form of a new game, with what may still change."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.consent import rules, services
from games.consent.models import Matter
from games.kernel.access import access_gm, standpoint_of
from games.kernel.languages import later
from games.kernel.page import page_of
from games.kernel.refusals import BadGame
from games.kernel.view_helpers import access_for_visitor, form_page, redirect_with_success, refusals_to, status_of
from games.pages.forms import TermsForm

APPLIED = later("The terms have changed. The public log says how.")
ASKED = later("We’ve asked all players. The new terms apply once everyone has agreed.")


@form_page
@refusals_to("games:gm")
def change_terms_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The terms as a form. A change applies now, or once all players agree."""
    access = access_gm(user=request.user, slug=slug, master_only=True)
    here = standpoint_of(access)
    rules.may_change_terms(here)
    fixed = rules.options_fixed_in(here.game, is_empty=not here.members)
    form = TermsForm(request.POST or None, options=here.options, fixed=fixed)
    if request.method == "POST" and form.is_valid():
        try:
            applied = services.change_terms(game_id=access.game_id, by=access.user_id, choices=form.changed_options())
        except BadGame as refusal:
            for name, sentence in refusal.problems.items():
                form.add_error(name, sentence)
        else:
            return redirect_with_success(request, APPLIED if applied else ASKED, "games:gm", slug=slug)
    players_asked = rules.players_to_agree(here, Matter.TERMS) - {here.user_id}
    view, folds = page_of(access_for_visitor(request, slug)), form.folded_sections(here.options)
    context = {"view": view, "form": form, "folds": folds, "asked": players_asked}
    return render(request, "consent/terms.html", context, status=status_of(form))
