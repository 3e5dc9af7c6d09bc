"""Downloading and deleting an account."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import transaction
from django.utils.crypto import salted_hmac

from diplomacy_site.accounts.looks import looks_of
from diplomacy_site.accounts.models import RetiredName, User
from games.people.export import papers_of
from games.people.services import leave_all_games
from games.people.sessions import end_sessions
from games.people.tokens import revoke_tokens, tokens_of
from games.practice.services import delete_all_practice


def account_file(user: User) -> dict[str, Any]:
    """Everything the site stores about this user, as values that JSON can hold."""
    return {
        "account": {
            "name": user.username,
            "email": user.email,
            "since": user.date_joined.isoformat(),
            "last_sign_in": user.last_login.isoformat() if user.last_login else None,
            "last_seen": user.last_seen.isoformat() if user.last_seen else None,
            "time_zone": user.time_zone,
        },
        "passkeys_and_second_factors": [
            {"kind": row.get_type_display(), "since": row.created_at.isoformat()}
            for row in Authenticator.objects.filter(user=user).order_by("pk")
        ],
        "tokens": [
            {"name": token.name, "may": list(token.may), "until": token.expires.isoformat()}
            for token in tokens_of(user.pk)
        ],
        **papers_of(user.pk),
    }


@transaction.atomic
def delete_account(user: User) -> None:
    """Delete all practice games, leave all others, and erase everything that says whose account it was. Refusal as
    `leave_all_games`.

    The row stays, because messages and game logs refer to it; no one else can take its name.
    """
    delete_all_practice(user_id=user.pk)
    leave_all_games(user_id=user.pk)
    retired = [RetiredName(digest=digest) for digest in _digests(user.username)]
    RetiredName.objects.bulk_create(retired, ignore_conflicts=True)
    EmailAddress.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()
    revoke_tokens(user.pk)
    user.groups.clear()
    user.user_permissions.clear()
    user.username = f"former player {user.pk}"
    user.email = f"{user.pk}@former-player.invalid"
    user.first_name = user.last_name = ""
    user.time_zone = "UTC"
    user.last_login = user.last_seen = None
    user.is_active = user.is_staff = user.is_superuser = user.awaits_approval = False
    user.set_unusable_password()
    user.save()
    end_sessions(user.pk)


def is_retired(name: str) -> bool:
    """Did a deleted account have this name, or one that looks like it?"""
    return RetiredName.objects.filter(digest__in=_digests(name)).exists()


def _digests(name: str) -> list[str]:
    """Show whether a given name was used, without revealing which names were."""
    known = sorted({name.casefold(), *looks_of(name)})
    return [salted_hmac("retired name", it, algorithm="sha256").hexdigest() for it in known]
