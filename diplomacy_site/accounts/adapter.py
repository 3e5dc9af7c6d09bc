"""What the library says of accounts in the words of this site, and its letters with links to the site's own address."""

from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.utils import filter_users_by_email, filter_users_by_username
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest

NOT_CORRECT = "Name or password is not correct."


@dataclass(frozen=True, slots=True)
class SiteName:
    """What the templates ask of a site."""

    domain: str
    name: str


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # the library has no types
    error_messages: ClassVar = {
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": NOT_CORRECT,
        "username_password_mismatch": NOT_CORRECT,
        "username_taken": "Somebody has this name already. Choose another.",
        "username_blacklisted": "This name is kept for the site. Choose another.",
        "email_taken": "There is an account with this address already. Sign in, or choose a new password for it.",
        "incorrect_password": "This is not your password.",
        "enter_current_password": "This is not your password.",
    }

    def _get_login_attempts_cache_key(self, _request: HttpRequest, **credentials: Any) -> str:
        """Under what failed attempts are counted: the account, by its name or its address, in whatever letters mean
        the same, and whatever port the request names. The library counts what was typed, for each port anew."""
        typed = credentials.get("email") or credentials.get("username") or ""
        found = {user.pk for user in (*filter_users_by_username(typed), *filter_users_by_email(typed))}
        return f"accounts {sorted(found)}" if found else f"nobody {typed.casefold()}"

    def get_reauthentication_methods(self, user: AbstractBaseUser) -> list[dict[str, Any]]:
        """Who has a second factor shows it. With the password alone, whoever has that and a session that is still open
        would exchange the second factor for one of his own."""
        ways: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [way for way in ways if way["id"] != "reauthenticate"] or ways

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Who asks for a letter to somebody else chooses the name and the port in his request, and so would choose
        where its link leads."""
        here = urlsplit(settings.SITE_ADDRESS).netloc
        links = {name: _of_this_site(value) for name, value in context.items() if name.endswith("_url")}
        own = {"current_site": SiteName(here, here), "site_address": settings.SITE_ADDRESS}
        super().send_mail(template_prefix, email, {**context, **links, **own})


def _of_this_site(address: str) -> str:
    parts = urlsplit(address)
    return settings.SITE_ADDRESS + parts.path + (f"?{parts.query}" if parts.query else "")
