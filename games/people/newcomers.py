"""New accounts: the list that moderators see, and actions on several accounts at once.

Nothing here depends on games: the number of someone's seats would reveal who plays where names are hidden.
"""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth import get_user_model
from django.core.mail import EmailMultiAlternatives
from django.core.paginator import Page, Paginator
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from games.kernel import clock, hooks
from games.kernel.languages import later
from games.kernel.news import checked_reason
from games.kernel.plain import without_case_and_accents
from games.kernel.refusals import NotAllowed, WrongMoment
from games.kernel.retrying import atomic_again
from games.news.emails import send_waiting, single_email
from games.people.models import ActKind, Approval
from games.people.moderation import MAY_MODERATE, locked_account, record_act, suspend_person

ACCOUNTS_ON_A_PAGE = 50
APPROVAL_SUBJECT = later("Your account has been approved")
APPROVAL_TEXT = later("Welcome. A moderator has approved your account, so you can sign in now.")


def newest_accounts(*, search: str = "", waiting: bool = False, page: str = "") -> Page[Any]:
    """A page of people's accounts, the newest first: those whose name contains `search`, or only those `waiting` for
    approval. For a page that doesn't exist, the nearest one that does."""
    rows = get_user_model().objects.filter(is_bot=False, is_guest=False).exclude(username__contains=" ")
    if search:
        rows = rows.filter(username__plain__contains=without_case_and_accents(search))
    if waiting:
        rows = rows.filter(awaits_approval=True)
    return Paginator(rows.order_by("-date_joined", "-pk"), ACCOUNTS_ON_A_PAGE).get_page(page)


@transaction.atomic
def approve_accounts(*, by: int, usernames: Sequence[str]) -> None:
    """Let the owners of these accounts sign in, and tell them by email. Raises WrongMoment unless all are waiting."""
    now = clock.now()
    for user in map(locked_account, sorted(usernames)):
        if not user.awaits_approval:
            raise WrongMoment(_("Nothing was changed: {user} is not waiting for approval.").format(user=user))
        user.is_active, user.awaits_approval = True, False
        user.save(update_fields=["is_active", "awaits_approval"])
        Approval.objects.create(user=user, next_try=now)
        record_act(ActKind.APPROVED, by, "", now, user=user)


@transaction.atomic
def suspend_accounts(*, by: int, usernames: Sequence[str], reason: str) -> None:
    """Suspend all of these users until a moderator ends it, or none of them. Raises as `suspend_person` does."""
    for username in sorted(usernames):
        suspend_person(by=by, username=username, reason=reason, days=None)


@atomic_again
def delete_accounts(*, by: int, usernames: Sequence[str], reason: str) -> None:
    """Delete all of these accounts for good, or none of them. Raises NotAllowed if someone has used one."""
    why, now = checked_reason(reason, needed=True), clock.now()
    for user in map(locked_account, sorted(usernames)):
        # Deleting an account with which anyone has signed in could vacate seats, and reveal whose they were.
        if user.last_login is not None or user.has_perm(MAY_MODERATE):
            raise NotAllowed(
                _(
                    "Nothing was deleted: {user} has signed in before. You can delete only accounts with which no one"
                    " has ever signed in. Suspend the others instead."
                ).format(user=user)
            )
        record_act(ActKind.DELETED, by, why, now, user=user)
        hooks.delete_account(user)


def send_approval_emails() -> None:
    """Email the people who have been approved. Call it outside any transaction."""
    send_waiting(Approval.objects.select_related("user"), _approval_email, Approval.delete)


def _approval_email(row: Approval) -> EmailMultiAlternatives:
    about, address = f"approval-{row.pk}", reverse("account_login")
    return single_email(
        APPROVAL_SUBJECT, APPROVAL_TEXT, to=row.user.email, about=about, address=address, act=_("Sign in")
    )
