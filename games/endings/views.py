"""Ending a game by agreement, and end-of-game statements."""

from functools import partial
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from games.endings import services as votes
from games.endings.forms import ProposalForm, StatementForm
from games.endings.options import HIDDEN_VOTES, OPEN_VOTES
from games.endings.parts import AgreementView
from games.endings.queries import agreement, farewell
from games.kernel import view_helpers as web
from games.kernel.access import SeatAccess, access_seat
from games.kernel.languages import later
from games.kernel.page import Page, page_of
from games.kernel.refusals import BadProposal, Refusal, TooOften, WrongMoment
from games.kernel.signing_in import sent_from, signed_in, signed_in_to_send

GAME_OVER = later("Everyone agrees: the game is over.")
ANSWERS = {"yes": True, "no": False}


@signed_in_to_send
@web.own_form
def proposals(request: HttpRequest, slug: str) -> HttpResponse:
    """The page with the ways to end this game by agreement, its open proposals, and a form for those with a vote."""
    view = page_of(web.access_for_visitor(request, slug))
    agreement_now = agreement(view)
    if agreement_now is None:
        refusal = WrongMoment(_("Nothing was proposed because the game is not under way."))
        is_sent = request.method == "POST"
        if is_sent:
            return web.redirect_with_refusal(request, refusal, "games:game", slug=slug)
        return redirect("games:game", slug=slug)
    if request.method != "POST":
        form = None if agreement_now.why_not_propose else ProposalForm(agreement=agreement_now)
        return _proposals_page(request, view, agreement_now, form)
    return _propose(request, view, agreement_now, access_seat(user=request.user, slug=slug))


def _propose(request: HttpRequest, view: Page, agreement_now: AgreementView, seat: SeatAccess) -> HttpResponse:
    form = ProposalForm(request.POST, agreement=agreement_now)
    if form.is_valid():
        try:
            is_over = votes.propose_end(occupancy_id=seat.occupancy_id, **form.chosen_end())
        except Refusal as refusal:
            form.add_error(None, refusal.sentence)
            if isinstance(refusal, TooOften):
                return _proposals_page(request, view, agreement_now, form, HTTPStatus.TOO_MANY_REQUESTS)
        else:
            done, page = (GAME_OVER, "game") if is_over else (_("Proposed. You’ve also voted for it."), "proposals")
            return web.redirect_with_success(request, done, f"games:{page}", slug=seat.slug)
    return _proposals_page(request, view, agreement_now, form, HTTPStatus.UNPROCESSABLE_ENTITY)


def _proposals_page(
    request: HttpRequest, view: Page, agreement_now: AgreementView, form: ProposalForm | None, status: int = 200
) -> HttpResponse:
    votes_told = HIDDEN_VOTES if agreement_now.secret else OPEN_VOTES
    context = {"view": view, "form": form, "votes_told": votes_told}
    return render(request, "endings/proposals.html", context, status=status)


@web.button_action("games:proposals")
def vote(request: HttpRequest, slug: str, number: int) -> HttpResponse | str:
    seat = access_seat(user=request.user, slug=slug)
    agrees = ANSWERS.get(request.POST.get("answer", ""))
    if agrees is None:
        raise BadProposal(_("Nothing was changed: choose whether you agree or refuse."))
    if votes.vote_on_proposal(occupancy_id=seat.occupancy_id, number=number, agrees=agrees):
        return web.redirect_with_success(request, GAME_OVER, "games:game", slug=slug)
    if agrees:
        return _("You have agreed. You can change your vote while the proposal is open.")
    return _("You have refused. You can change your vote while the proposal is open.")


@signed_in
@sent_from("games:game")
def statement(request: HttpRequest, slug: str) -> HttpResponse:
    access = web.access_for_visitor(request, slug)
    view = page_of(access)
    final = farewell(view)
    if final is None or not final.may_state:
        raise Http404
    form = StatementForm(request.POST)
    act = partial(votes.write_statement, game_id=access.game_id, user_id=web.signed_in_id(request))
    if web.form_succeeds(form, act, "text"):
        published, deleted = _("Your statement has been published."), _("Your statement has been deleted.")
        message = published if form.cleaned_data["text"] else deleted
        return web.redirect_with_success(request, message, "games:game", slug=slug)
    return render(request, "endings/statement.html", {"view": view, "form": form}, status=web.status_of(form))
