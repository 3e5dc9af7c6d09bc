"""The form of a new game where it serves for more: to change the terms of a game, and for all tables of a round."""

from dataclasses import replace
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from games.consent import rules, services
from games.consent.models import Matter
from games.kernel import view_helpers as web
from games.kernel.access import access_gm, standpoint_of
from games.kernel.languages import later
from games.kernel.locking import lock_game
from games.kernel.meanwhile import Meanwhile, one_at_a_time
from games.kernel.page import page_of
from games.kernel.refusals import BadGame, Refusal
from games.kernel.rules import allowed
from games.pages.forms import CreateGameForm, TermsForm
from games.pages.views.lobby import outlook_context
from games.tournaments.forms import RoundForm
from games.tournaments.models import Round
from games.tournaments.rights import may_delete_round
from games.tournaments.rounds import add_round, change_round
from games.tournaments.terms import RoundTerms
from games.tournaments.views import directed, lock_for_its_people, refuse_if_seated

USUAL = {"seats": "random", "entrance": "approval"}
"""What the form of a first round starts with: the round deals the powers, and its directors give out vacant seats."""

APPLIED = later("The terms have changed. The public log says how.")
ASKED = later("We’ve asked all players. The new terms apply once everyone has agreed.")


@web.form_page
@one_at_a_time(lambda request, slug: lock_game(access_gm(user=request.user, slug=slug, master_only=True).game_id))
@web.refusals_to("games:gm")
def change_terms_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The terms as a form. A change applies now, or once all players agree."""
    access = access_gm(user=request.user, slug=slug, master_only=True)
    here = standpoint_of(access)
    rules.may_change_terms(here)
    fixed = rules.options_fixed_in(here.game, is_empty=not here.members)
    form = TermsForm(request.POST or None, options=here.options, fixed=fixed)
    meanwhile = Meanwhile(request, form)
    if request.method == "POST" and not meanwhile.differences and form.is_valid():
        try:
            applied = services.change_terms(game_id=access.game_id, by=access.user_id, choices=form.changed_options())
        except BadGame as refusal:
            for name, sentence in refusal.problems.items():
                form.add_error(name, sentence)
        else:
            return web.redirect_with_success(request, APPLIED if applied else ASKED, "games:gm", slug=slug)
    players_asked = rules.players_to_agree(here, Matter.TERMS) - {here.user_id}
    view, folds = page_of(web.access_for_visitor(request, slug)), form.folded_sections(here.options)
    context = {"view": view, "form": form, "folds": folds, "asked": players_asked, "meanwhile": meanwhile}
    return render(request, "consent/terms.html", context, status=meanwhile.status(form))


@web.form_page
def new_round(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a round. The form starts with the terms of the round before, or of the game in ?like=."""
    return _page(request, slug, None)


@web.form_page
@one_at_a_time(lock_for_its_people)
@web.refusals_to("games:tournament")
def edit_round(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    refuse_if_seated(view := directed(request, slug), number)
    row = next((it for it in view.round_rows if it.number == number), None)
    if row is None:
        raise Http404
    return _page(request, slug, row)


def _page(request: HttpRequest, slug: str, old_round: Round | None) -> HttpResponse:
    view, by = directed(request, slug), web.signed_in_id(request)
    last = old_round or view.row.rounds.order_by("-number").first()
    like = RoundTerms.stored(last.terms) if last else None
    like = like and (like if old_round else replace(like, starts=None, ends=None))
    copied = request.GET.get("like", "").replace("\0", "")
    options = web.access_for_visitor(request, copied).game.options if copied else None
    if options is None and like is not None:
        options = like.options_for(like.boards()[0])
    data = request.POST if request.method == "POST" else None
    form = CreateGameForm(data, options_to_copy=options, zone=web.time_zone_of(request).key)
    name = like.name if old_round and like else _("Round {number}").format(number=last.number + 1 if last else 1)
    form.first[0].initial["name"] = name
    form.first[-1].fields["entrance"].label = _("Who sees the tables and takes vacant seats?")
    if options is None:
        form.start_with(USUAL if view.terms.directors_play else {**USUAL, "part": "runs"})
    round_form = RoundForm(data, terms=view.terms, like=like)
    save = partial(change_round, number=old_round.number) if old_round else add_round
    meanwhile = Meanwhile(request, [*form, *round_form] if old_round else ())
    if not meanwhile.differences and form.is_valid() and round_form.is_valid():
        try:
            save(tournament_id=view.row.pk, by=by, terms=round_form.terms(**form.options()))
        except Refusal as refusal:
            for field, sentence in web.problems_by_field(refusal, "name").items():
                (round_form if field in round_form.fields else form).add_error(field, sentence)
        else:
            return web.redirect_with_success(request, _("Saved."), "games:tournament", slug=slug)
    context = {"form": form, "more": round_form, "series": view, "round": old_round, **outlook_context(form)}
    context["deletes"] = old_round and allowed(may_delete_round, view, old_round.number)
    context["meanwhile"] = meanwhile
    return render(request, "pages/round.html", context, status=meanwhile.status(form if form.errors else round_form))
