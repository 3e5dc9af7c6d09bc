"""The library's account forms in the site's own words."""

import re
import unicodedata
from typing import Any

from allauth.account import forms as library
from allauth.account.adapter import get_adapter
from allauth.account.views import SignupView
from allauth.mfa.base import forms as factors
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as apps
from allauth.mfa.webauthn import forms as passkeys
from django import forms
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.text import format_lazy
from django.utils.translation import gettext as _

from diplomacy_site.accounts.adapter import redirect_to_waiting_page
from diplomacy_site.accounts.leaving import is_retired
from diplomacy_site.accounts.models import looks_taken, validate_time_zone
from games.kernel.languages import later
from games.kernel.wording import has_web_address
from games.people.sign_up import count_use_of_link
from games.practice.guests import link_guest_to_account

LONGEST_KEY_NAME = 60
LABELS = {
    "login": later("Username or email address"),
    "username": later("Username"),
    "email": later("Email address"),
    "remember": later("Keep me signed in"),
    "code": later("Code"),
    "passwordless": later("Let me sign in with this passkey alone, without a password"),
    "oldpassword": later("Current password"),
    "password1": later("Password"),
    "password2": later("Password (again)"),
}
PASSWORD_HELP = later(
    "At least 12 characters, not all digits. Avoid common passwords and anything like your username or email."
)
LONGEST_USERNAME = 30
USERNAME_HELP = format_lazy(
    later("At most {most} characters: letters of one alphabet, digits and . + - _ (no spaces)."), most=LONGEST_USERNAME
)
SCRIPTS_WRITTEN_TOGETHER = {"CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "HANGUL"}


def validate_name(name: str) -> None:
    """Raises ValidationError for a new name that is too long, or can be taken for another, for an email or web address
    or for a part of an address."""
    if len(name) > LONGEST_USERNAME:
        told = _("This username has {count} characters. {allowed}")
        raise ValidationError(told.format(count=len(name), allowed=USERNAME_HELP), code="long")
    if has_web_address(name):
        raise ValidationError(
            _("This username looks like a web address. Use - or _ in place of the dot."), code="address"
        )
    letters = {unicodedata.name(sign, "").split(" ")[0] for sign in name if sign.isalpha()}
    scripts = {"ASIAN" if script in SCRIPTS_WRITTEN_TOGETHER else script for script in letters}
    is_plain = re.fullmatch(r"[\w.+-]+", name) and unicodedata.normalize("NFKC", name) == name
    if not is_plain or len(scripts) > 1 or not any(map(str.isalnum, name)):
        raise ValidationError(_("This username can’t be used. {allowed}").format(allowed=USERNAME_HELP), code="name")


NAME_VALIDATORS = [validate_name]


class OwnLabels:
    """Labels that match the other pages, and no placeholders that repeat them."""

    fields: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label = LABELS.get(name, field.label)
            field.widget.attrs.pop("placeholder", None)
            if name == "password1":
                field.help_text = PASSWORD_HELP


class LoginForm(OwnLabels, library.LoginForm):  # type: ignore[misc]  # the library has no types
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["remember"].initial = True


class SignupForm(OwnLabels, library.SignupForm):  # type: ignore[misc]
    """`time_zone` is filled in by a script in the browser; if it is missing or unknown, the account's stays UTC."""

    time_zone = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = USERNAME_HELP
        self.fields["password1"].widget.render_value = True

    def clean_time_zone(self) -> str:
        zone: str = self.cleaned_data["time_zone"]
        try:
            validate_time_zone(zone)
        except ValidationError:
            return ""
        return zone

    def save(self, request: HttpRequest) -> Any:
        user = super().save(request)
        if looks_taken(user.username, except_for=user):
            raise IntegrityError(_("A name that looks the same has been taken since this one was checked."))
        link_guest_to_account(request, user)
        count_use_of_link(request)
        if self.cleaned_data["time_zone"]:
            user.time_zone = self.cleaned_data["time_zone"]
            user.save(update_fields=["time_zone"])
        return user

    def clean_username(self) -> str:
        name: str = super().clean_username()
        if is_retired(name):
            told = _(
                "This name, or one that looks like it, belonged to a former player and can’t be reused. Choose another."
            )
            raise forms.ValidationError(told)
        return name

    def try_save(self, request: HttpRequest) -> Any:
        """Hash the password even if the address is taken, so that both cases take the same time, and lead both to the
        same page. If the name or the address has been taken since it was checked, check again."""
        if self.account_already_exists:
            make_password(self.cleaned_data["password1"])
            nobody, answer = super().try_save(request)
            return nobody, redirect_to_waiting_page() if settings.SIGN_UP == "approval" else answer
        try:
            with transaction.atomic():
                return super().try_save(request)
        except IntegrityError:
            self.full_clean()
            if self.is_valid():
                return self.try_save(request)
            page = SignupView()
            page.setup(request)
            return None, page.form_invalid(self)


class NewPasswordLabels(OwnLabels):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].label = _("New password")
        self.fields["password2"].label = _("New password (again)")


def with_own_labels(form: type, words: type = OwnLabels) -> type:
    """The library's form with our labels and nothing else."""
    return type(form.__name__, (words, form), {})


AddEmailForm = with_own_labels(library.AddEmailForm)
ResetPasswordForm = with_own_labels(library.ResetPasswordForm)
ReauthenticateForm = with_own_labels(library.ReauthenticateForm)
ChangePasswordForm = with_own_labels(library.ChangePasswordForm, NewPasswordLabels)
NewPasswordForm = with_own_labels(library.ResetPasswordKeyForm, NewPasswordLabels)
SecondFactorAgainForm = with_own_labels(factors.ReauthenticateForm)
ActivateAppForm = with_own_labels(apps.ActivateTOTPForm)


class SecondFactorForm(OwnLabels, factors.AuthenticateForm):  # type: ignore[misc]
    """`has_app` and `has_key` say which second factors the account has, so that the page asks for nothing else."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = set(Authenticator.objects.filter(user=self.user).values_list("type", flat=True))
        self.has_app = Authenticator.Type.TOTP in kinds
        self.has_key = Authenticator.Type.WEBAUTHN in kinds


class AddPasskeyForm(OwnLabels, passkeys.AddWebAuthnForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].help_text = _("A name you’ll recognise, such as “Phone”.")
        self.fields["name"].validators.append(MaxLengthValidator(LONGEST_KEY_NAME))
        self.fields["passwordless"].initial = True
        self.fields["passwordless"].help_text = ""


class UsernameForm(forms.Form):
    name = forms.CharField(label=later("New username"), max_length=150, help_text=USERNAME_HELP)

    def clean_name(self) -> str:
        return str(get_adapter().clean_username(self.cleaned_data["name"], shallow=True))


class DeleteAccountForm(forms.Form):
    """Asks for the password, because this cannot be undone."""

    password = forms.CharField(
        label=later("Password"), widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}), strip=False
    )

    def __init__(self, user: AbstractBaseUser, *args: Any) -> None:
        super().__init__(*args)
        self.user = user

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise forms.ValidationError(_("This isn’t your password. Nothing was deleted."))
        return password
