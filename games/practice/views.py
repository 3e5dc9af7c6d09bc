"""Playing against bots at once, with or without an account."""

from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.views.decorators.csrf import csrf_exempt

from games.kernel.limits import count_practice
from games.kernel.refusals import NotAllowed
from games.kernel.signing_in import sent_from
from games.kernel.view_helpers import SeeOther, accepted, account, deed, enter, refusals_to
from games.practice.guests import sign_in_as_guest
from games.practice.services import delete_practice, start_as_guest, start_practice


@csrf_exempt  # the pages with its button are shared by strangers, so they hold no token; see `_is_from_here`
@sent_from("games:home")
@refusals_to("games:home")
def play(request: HttpRequest) -> HttpResponse:
    """Start a game against bots of the `variant`, or else of the quickest, and show its orders. A stranger becomes a
    guest."""
    if not _is_from_here(request):
        raise NotAllowed("Nothing was started: this button only works on our own pages. Press it here.")
    variant, player = request.POST.get("variant", ""), request.user.pk
    count_practice(request, player)
    if player is None:
        guest, slug = start_as_guest(variant=variant)
        sign_in_as_guest(request, guest)
    else:
        slug = start_practice(user_id=player, variant=variant)
    return SeeOther(resolve_url("games:orders", slug=slug))


def _is_from_here(request: HttpRequest) -> bool:
    """Was the button pressed on a page of this site? Browsers name the origin of everything that is posted."""
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == request.get_host()


@deed("games:game")
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete a game against bots for good."""
    delete_practice(game_id=enter(request, slug).game_id, user_id=account(request))
    return accepted(request, "The game has been deleted.", "games:home")
