"""API tokens, with which apps act for users.

A token is "dip_", eight characters that find it, and 64 that prove it. It is shown once, when it is created.
"""

import hashlib
import re
import secrets
from collections.abc import Iterable
from datetime import timedelta

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import QuerySet
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from games.kernel import clock
from games.kernel.days import DAY
from games.kernel.languages import later
from games.kernel.refusals import NotAllowed
from games.kernel.wording import duration_in_words_later
from games.people.models import PREFIX_LENGTH, ApiToken, Scope, TokenKind

MOST_TOKENS = 20
LIFETIMES = {30: duration_in_words_later(30 * DAY), 90: duration_in_words_later(90 * DAY), 365: later("a year")}
TOKEN_SHAPE = re.compile(rf"dip_([0-9a-f]{{{PREFIX_LENGTH}}})([0-9a-f]{{64}})\Z")


@transaction.atomic
def make_token(*, user_id: int, name: str, scopes: Iterable[str], days: int, kind: str = TokenKind.APP.value) -> str:
    """Make and return a new token, which can't be shown again. Raises NotAllowed if the user already has too many."""
    get_user_model().objects.select_for_update().get(pk=user_id)
    if ApiToken.objects.filter(user_id=user_id).count() >= MOST_TOKENS:
        raise NotAllowed(
            _("You already have {most} tokens, the most you can have. Revoke one first.").format(most=MOST_TOKENS)
        )
    scopes_asked = set(scopes)
    prefix, proof, now = secrets.token_hex(PREFIX_LENGTH // 2), secrets.token_hex(32), clock.now()
    ApiToken.objects.create(
        user_id=user_id,
        kind=kind,
        name=name,
        prefix=prefix,
        digest=_digest_of_proof(proof),
        scopes=[scope.value for scope in Scope if scope.value in scopes_asked],
        made=now,
        expires=now + timedelta(days=days),
    )
    return f"dip_{prefix}{proof}"


def token_row_of(text: str) -> ApiToken | None:
    """The row of a valid token; records that it was used today."""
    shape, now = TOKEN_SHAPE.match(text), clock.now()
    row = ApiToken.objects.select_related("user").filter(prefix=shape[1]).first() if shape else None
    if shape is None or row is None or not constant_time_compare(row.digest, _digest_of_proof(shape[2])):
        return None
    if row.has_expired or not row.user.is_active:
        return None
    if row.last_used != now.date():
        ApiToken.objects.filter(pk=row.pk).update(last_used=now.date())
    return row


def revoke_token(*, user_id: int, number: int) -> None:
    """Make this token invalid from now on."""
    ApiToken.objects.filter(user_id=user_id, pk=number).delete()


def revoke_tokens(user_id: int) -> None:
    """Stop all apps from acting for this user."""
    ApiToken.objects.filter(user_id=user_id).delete()


def tokens_of(user_id: int) -> QuerySet[ApiToken]:
    """This user's tokens, the newest first."""
    return ApiToken.objects.filter(user_id=user_id).order_by("-pk")


def _digest_of_proof(proof: str) -> str:
    return hashlib.sha256(proof.encode()).hexdigest()
