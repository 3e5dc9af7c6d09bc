"""The user's API tokens: create one, see it once, revoke it."""

from allauth.account.decorators import reauthentication_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from games.kernel.refusals import Refusal
from games.kernel.signing_in import sent_from, signed_in
from games.kernel.view_helpers import accepted, account, status_of
from games.people.forms import TokenForm
from games.people.tokens import make_token, revoke_token, tokens_of


@signed_in
@reauthentication_required  # type: ignore[untyped-decorator]  # the library has no types
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
def tokens(request: HttpRequest) -> HttpResponse:
    """The user's tokens; after a POST, with the new one, which no other page shows."""
    form, fresh = TokenForm(request.POST if request.method == "POST" else None), ""
    if request.method == "POST" and form.is_valid():
        try:
            fresh = make_token(user_id=account(request), **form.cleaned_data)
            form = TokenForm()
        except Refusal as refusal:
            form.add_error(None, refusal.sentence)
    context = {"form": form, "fresh": fresh, "tokens": tokens_of(account(request))}
    return render(request, "people/tokens.html", context, status=status_of(form))


@signed_in
@sent_from("games:tokens")
def revoke(request: HttpRequest, number: int) -> HttpResponse:
    """Revoke a token."""
    revoke_token(user_id=account(request), number=number)
    return accepted(request, "Token revoked. It no longer works.", "games:tokens")
