"""Signing up on a site that needs an invitation: a moderator's link, or an email with an invitation to a seat. Either
is kept in the session of the browser that opened it."""

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.kernel import clock
from games.kernel.refusals import Refusal, WrongMoment
from games.people.models import SignUpLink
from games.seating.services.placing import SESSION_KEY, email_invitation_with

LINK_IN_SESSION = "sign-up-link"


def may_sign_up(request: HttpRequest) -> bool:
    """May someone create an account in this browser?"""
    if settings.SIGN_UP != "invitation" or _link_in_session(request).exists():
        return True
    try:
        email_invitation_with(str(request.session.get(SESSION_KEY, "")))
    except Refusal:
        return False
    return True


def keep_sign_up_link(request: HttpRequest, token: str) -> None:
    """Remember the link with which this browser came, if it is valid."""
    if _valid_links_with(token).exists():
        request.session[LINK_IN_SESSION] = token


def count_use_of_link(request: HttpRequest) -> None:
    """Count a sign-up in this browser for its link, which continues to work for others."""
    if LINK_IN_SESSION in request.session:
        _link_in_session(request).update(used=F("used") + 1)
        del request.session[LINK_IN_SESSION]


def _link_in_session(request: HttpRequest) -> QuerySet[SignUpLink]:
    return _valid_links_with(str(request.session.get(LINK_IN_SESSION, "")))


def _valid_links_with(token: str) -> QuerySet[SignUpLink]:
    return SignUpLink.objects.filter(secret=token, withdrawn__isnull=True)


def valid_links() -> QuerySet[SignUpLink]:
    """The links that work, the newest first."""
    return SignUpLink.objects.filter(withdrawn__isnull=True).select_related("by").order_by("-pk")


def make_sign_up_link(*, by: int, purpose: str) -> None:
    """Make a link that any number of people can use until it is withdrawn."""
    SignUpLink.objects.create(by_id=by, purpose=purpose, made=clock.now())


@transaction.atomic
def withdraw_sign_up_link(*, number: int) -> None:
    """Withdraw a link, so that nobody can sign up with it any more. Raises WrongMoment if it is already withdrawn."""
    if not valid_links().filter(pk=number).update(withdrawn=clock.now()):
        raise WrongMoment(_("This link has already been withdrawn."))
