"""Downloading, renaming and deleting an account."""

from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from diplomacy_site.accounts.looks import looks_of
from diplomacy_site.accounts.models import RetiredName, User, looks_taken
from games.kernel import clock
from games.kernel.languages import later
from games.kernel.locking import lock_account
from games.kernel.refusals import NotAllowed, TooOften
from games.kernel.retrying import atomic_again
from games.people.export import stored_facts_of
from games.people.services import leave_all_games, lock_games_that_show, log_new_name
from games.people.sessions import end_sessions
from games.people.tokens import revoke_tokens, tokens_of
from games.practice.services import delete_all_practice

BETWEEN_RENAMINGS = timedelta(days=30)
NAME_TAKEN = later("This username, or one that looks like it, is or was another player’s. Choose another.")


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
            "names_changed": sorted({row.since.isoformat() for row in user.former_names.all() if row.since}),
        },
        "passkeys_and_second_factors": [
            {"kind": row.get_type_display(), "since": row.created_at.isoformat()}
            for row in Authenticator.objects.filter(user=user).order_by("pk")
        ],
        "tokens": [
            {"name": token.name, "may": token.allows, "until": token.expires.isoformat()}
            for token in tokens_of(user.pk)
        ],
        **stored_facts_of(user.pk),
    }


@atomic_again
def delete_account(user: User) -> None:
    """Delete all practice games, leave all others, and erase everything that says whose account it was. The row stays,
    because messages and game logs refer to it; no one else can take its name. Raises Refusal as `leave_all_games`."""
    user.refresh_from_db()
    delete_all_practice(user_id=user.pk)
    leave_all_games(user_id=user.pk)
    _retire_name(user)
    user.former_names.update(user=None, since=None)
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


@atomic_again
def rename_account(user: User, name: str) -> None:
    """Give the account another name; no one else can take the old one. Games, messages and logs of anonymous games
    don't mention the change. Raises TooOften within 30 days of the last time, and NotAllowed for a name that is taken
    or looks like one that is."""
    user.refresh_from_db()
    games = lock_games_that_show(user_id=user.pk)
    lock_account(user.pk)
    if name == user.username:
        raise NotAllowed(_("This is your username already."))
    if user.former_names.filter(since__gt=clock.now() - BETWEEN_RENAMINGS).exists():
        raise TooOften(_("You can change your username once in {count} days.").format(count=BETWEEN_RENAMINGS.days))
    if is_retired(name, except_for=user) or looks_taken(name, except_for=user):
        raise NotAllowed(NAME_TAKEN)
    now, before = clock.now(), user.username
    _retire_name(user, since=now)
    user.username = name
    try:
        with transaction.atomic():
            user.save(update_fields=["username"])
            if looks_taken(name, except_for=user):
                raise IntegrityError(_("A name that looks the same has been taken since this one was checked."))
    except IntegrityError:
        raise NotAllowed(NAME_TAKEN) from None
    log_new_name(games, before=before, name=name)


def _retire_name(user: User, since: datetime | None = None) -> None:
    """Reserve this user's current name, so that no one else can take it; with `since`, the user still may."""
    facts = {"user": user, "since": since} if since else {}
    rows = [RetiredName(digest=digest, **facts) for digest in _digests_of_name(user.username)]
    RetiredName.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["digest"], update_fields=["user", "since"]
    )


def is_retired(name: str, except_for: User | None = None) -> bool:
    """Did another account, perhaps deleted since, have this name or one that looks like it?"""
    names = RetiredName.objects.filter(digest__in=_digests_of_name(name))
    return (names.exclude(user=except_for) if except_for else names).exists()


def _digests_of_name(name: str) -> list[str]:
    """Digests that show whether a given name was used, without revealing which names were."""
    forms = sorted({name.casefold(), *looks_of(name)})
    return [salted_hmac("retired name", form, algorithm="sha256").hexdigest() for form in forms]
