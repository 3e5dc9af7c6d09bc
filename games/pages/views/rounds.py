"""The form for a round of a tournament: the form of a new game, for all of its tables, and the fields of the round."""

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from games.kernel import view_helpers as web
from games.kernel.refusals import Refusal
from games.pages.forms import CreateGameForm
from games.pages.views.lobby import outlook_context
from games.tournaments.forms import RoundForm
from games.tournaments.models import Round
from games.tournaments.rounds import add_round, change_round
from games.tournaments.terms import RoundTerms
from games.tournaments.views import directed

USUAL = {"seats": "random", "entrance": "approval"}
"""What the form of a first round starts with: the round deals the powers, and its directors give out vacant seats."""


@web.form_page
def new_round(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a round. The form starts with the terms of the round before, or of the game in ?like=."""
    return _page(request, slug, None)


@web.form_page
def edit_round(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    row = Round.objects.filter(tournament__slug=slug, tournament__is_series=False, number=number, seated=None).first()
    if row is None:
        raise Http404
    return _page(request, slug, row)


def _page(request: HttpRequest, slug: str, old_round: Round | None) -> HttpResponse:
    view, by = directed(request, slug), web.signed_in_id(request)
    last = old_round or view.row.rounds.order_by("-number").first()
    like = RoundTerms.stored(last.terms) if last else None
    copied = request.GET.get("like", "").replace("\0", "")
    options = web.access_for_visitor(request, copied).game.options if copied else None
    if options is None and like is not None:
        options = like.options_for(like.boards()[0])
    data = request.POST if request.method == "POST" else None
    form = CreateGameForm(data, options_to_copy=options, zone=web.time_zone_of(request).key)
    name = like.name if old_round and like else _("Round {number}").format(number=last.number + 1 if last else 1)
    form.first[0].initial["name"] = name
    if options is None:
        form.start_with(USUAL if view.terms.directors_play else {**USUAL, "part": "runs"})
    round_form = RoundForm(data, terms=view.terms, like=like)
    save = partial(change_round, number=old_round.number) if old_round else add_round
    if form.is_valid() and round_form.is_valid():
        try:
            save(tournament_id=view.row.pk, by=by, terms=round_form.terms(**form.options()))
        except Refusal as refusal:
            for field, sentence in web.problems_by_field(refusal, "name").items():
                (round_form if field in round_form.fields else form).add_error(field, sentence)
        else:
            return web.redirect_with_success(request, _("Saved."), "games:tournament", slug=slug)
    context = {"form": form, "more": round_form, "series": view, "round": old_round, **outlook_context(form)}
    return render(request, "pages/round.html", context, status=web.status_of(form if form.errors else round_form))
