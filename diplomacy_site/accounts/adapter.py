"""The library's account messages in the site's own words, and its emails with links to the site's own address."""

import time
from email.utils import make_msgid
from types import SimpleNamespace
from typing import Any, ClassVar
from urllib.parse import urlencode, urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.utils import filter_users_by_email, filter_users_by_username, get_next_redirect_url
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from diplomacy_site.accounts.looks import looks_of
from diplomacy_site.accounts.models import looks_taken
from games.kernel.languages import later
from games.kernel.signing_in import return_address
from games.kernel.view_helpers import SeeOther
from games.news.emails import host_of_site
from games.people.sign_up import may_sign_up

NOT_CORRECT = later("The name, email address or password is not correct.")


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # the library has no types
    error_messages: ClassVar = {
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": NOT_CORRECT,
        "username_password_mismatch": NOT_CORRECT,
        "username_taken": later("This username is already taken. Choose another."),
        "username_alike": later("This username looks like one that is already taken. Choose another."),
        "username_blacklisted": later("This username is reserved. Choose another."),
        "email_taken": later("An account with this address already exists. Sign in, or reset your password."),
        "incorrect_password": later("This isn’t your password."),
        "enter_current_password": later("This isn’t your password."),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        name: str = super().clean_username(username, shallow)
        looks = looks_of(name)
        if any(looks & looks_of(reserved_name) for reserved_name in settings.ACCOUNT_USERNAME_BLACKLIST):
            raise self.validation_error("username_blacklisted")
        if not shallow and looks_taken(name):
            raise self.validation_error("username_alike")
        return name

    def _get_login_attempts_cache_key(self, _request: HttpRequest, **credentials: Any) -> str:
        """Count failed attempts per account, whether by name or by address, and however either is capitalised. The
        library counts by the text as typed, and separately for each port that a request names."""
        text_typed = credentials.get("email") or credentials.get("username") or ""
        accounts = {user.pk for user in (*filter_users_by_username(text_typed), *filter_users_by_email(text_typed))}
        return f"accounts {sorted(accounts)}" if accounts else f"nobody {text_typed.casefold()}"

    def get_reauthentication_methods(self, user: AbstractBaseUser) -> list[dict[str, Any]]:
        """The ways in which this user can prove who they are: the second factor alone, if they have one. Otherwise an
        intruder with the password and an open session could replace it with their own."""
        ways: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [way for way in ways if way["id"] != "reauthenticate"] or ways

    def is_reauthentication_required(self, *, app: str, **options: Any) -> bool:
        """Must the user prove again who they are? Not if they have just given the same password or second factor."""
        ways = {way["id"] for way in self.get_reauthentication_methods(self.request.user)}
        method = "password" if "reauthenticate" in ways else "mfa"
        moments = [
            record["at"]
            for record in get_authentication_records(self.request, self.request.user)
            if record["method"] == method
        ]
        is_recent = time.time() - max(moments, default=0.0) < settings.ACCOUNT_REAUTHENTICATION_TIMEOUT
        return not is_recent and super().is_reauthentication_required(app=app, **options)

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """The page to go to after signing in: the one that the user wanted before, or the usual one."""
        return return_address(request) or super().get_login_redirect_url(request)

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return may_sign_up(request)

    def save_user(self, request: HttpRequest, user: Any, form: Any, commit: bool = True) -> Any:
        """Save a new account, which waits for a moderator on sites that approve accounts."""
        user.awaits_approval = settings.SIGN_UP == "approval"
        user.is_active = not user.awaits_approval
        return super().save_user(request, user, form, commit)

    def respond_user_inactive(self, request: HttpRequest, user: Any) -> HttpResponse:
        """The answer to a correct password for an account that is suspended or waits for a moderator."""
        return redirect_to_waiting_page() if user.awaits_approval else super().respond_user_inactive(request, user)

    def format_email_subject(self, subject: str) -> str:
        """The subject in sentence case; allauth capitalises each word."""
        return subject.capitalize()

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Make links lead to the site's own address. The host and port of a request are chosen by its sender, who may
        be asking for an email to someone else. The link that confirms an address also returns its owner to the page
        they wanted when signing up."""
        here = urlsplit(settings.SITE_ADDRESS).netloc
        links = {name: _address_on_this_site(value) for name, value in context.items() if name.endswith("_url")}
        after = get_next_redirect_url(self.request)
        if "activate_url" in links and after:
            links["activate_url"] += (
                f"?{urlencode({'next': _address_on_this_site(after).removeprefix(settings.SITE_ADDRESS)})}"
            )
        site_facts = {"current_site": SimpleNamespace(domain=here, name=here), "site_address": settings.SITE_ADDRESS}
        super().send_mail(template_prefix, email, {**context, **links, **site_facts})

    def render_mail(
        self, template_prefix: str, email: str, context: dict[str, Any], headers: dict[str, str] | None = None
    ) -> EmailMessage:
        """Use the site's name in the Message-ID; the library would use that of the machine."""
        own_headers = {"Message-ID": make_msgid(domain=host_of_site()), "Auto-Submitted": "auto-generated"}
        letter: EmailMessage = super().render_mail(template_prefix, email, context, {**own_headers, **(headers or {})})
        return letter


def redirect_to_waiting_page() -> HttpResponse:
    return SeeOther(f"{reverse('account_inactive')}?waiting=yes")


def _address_on_this_site(address: str) -> str:
    parts = urlsplit(address)
    return settings.SITE_ADDRESS + parts.path + (f"?{parts.query}" if parts.query else "")
