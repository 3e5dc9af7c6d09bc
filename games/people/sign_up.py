"""Signing up on a site that is by invitation: with a moderator's link, or with an email that invites to a seat.
Either is kept in the session of the browser that opened it."""

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.kernel import clock
from games.kernel.refusals import Refusal, WrongMoment
from games.people.models import SignUpLink
from games.seating.services.placing import MAILED, open_mailed

LINK = "sign-up-link"


def may_sign_up(request: HttpRequest) -> bool:
    """May this browser make an account?"""
    return settings.SIGN_UP != "invitation" or _link_of(request).exists() or _is_invited(request)


def keep_link(request: HttpRequest, secret: str) -> None:
    """Remember the link with which this browser came, unless it is none."""
    if _valid(secret).exists():
        request.session[LINK] = secret


def note_use(request: HttpRequest) -> None:
    """Someone has signed up in this browser. Its link lets others in, too."""
    if LINK in request.session:
        _link_of(request).update(used=F("used") + 1)
        del request.session[LINK]


def _link_of(request: HttpRequest) -> QuerySet[SignUpLink]:
    return _valid(str(request.session.get(LINK, "")))


def _valid(secret: str) -> QuerySet[SignUpLink]:
    return SignUpLink.objects.filter(secret=secret, withdrawn__isnull=True)


def _is_invited(request: HttpRequest) -> bool:
    try:
        open_mailed(str(request.session.get(MAILED, "")))
    except Refusal:
        return False
    return True


def links() -> QuerySet[SignUpLink]:
    """Those that work, the newest first."""
    return SignUpLink.objects.filter(withdrawn__isnull=True).select_related("by").order_by("-pk")


def make_link(*, by: int, purpose: str) -> None:
    """Make a link that any number of people can use until it is withdrawn."""
    SignUpLink.objects.create(by_id=by, purpose=purpose, made=clock.now())


@transaction.atomic
def withdraw_link(*, number: int) -> None:
    """Let no one sign up with this link any more. WrongMoment if it is withdrawn already."""
    if not links().filter(pk=number).update(withdrawn=clock.now()):
        raise WrongMoment(_("This link has already been withdrawn."))
