"""The link in an invitation by email."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games.kernel.models import OVER
from games.kernel.refusals import Refusal, WrongMoment
from games.kernel.signing_in import signed_in_to_send
from games.kernel.view_helpers import accepted, account, keep_invitation, refused
from games.seating.queries import mailed_view
from games.seating.services.mailing import MAILED, accept_mailed, digest_in, never_invite, open_mailed


@signed_in_to_send
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
def mailed(request: HttpRequest, token: str) -> HttpResponse:
    """What the invitation is to; a POST accepts it. Everyone with the link may see the game."""
    try:
        row = open_mailed(token)
    except WrongMoment as gone:
        raise Http404(gone.sentence) from gone
    if row.game.status in OVER:
        raise Http404
    keep_invitation(request, row.game.slug, row.game.invitation)
    request.session[MAILED] = token
    if request.method != "POST":
        return render(request, "seating/mailed.html", {"offered": mailed_view(row)})
    try:
        slug = accept_mailed(token=token, user_id=account(request))
    except Refusal as refusal:
        return refused(request, refusal, "games:mailed", token=token)
    power = mailed_view(row).power
    done = (
        f"You have the seat: you play {power}." if power else "You’ve joined. You’ll get a power before the first turn."
    )
    return accepted(request, done, "games:game", slug=slug)


@csrf_exempt  # mail apps post here for people who have no account; the address itself is the proof
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
def never(request: HttpRequest, secret: str) -> HttpResponse:
    """No more invitations to the address that got this link: by its button or the mail app's, never just by looking."""
    try:
        (never_invite if request.method == "POST" else digest_in)(secret)
    except WrongMoment as wrong:
        raise Http404(wrong.sentence) from wrong
    return render(request, "seating/never.html", {"done": request.method == "POST"})
