"""The account pages that the library doesn't have: download my data, sign out elsewhere, delete my account."""

from functools import partial
from http import HTTPStatus

from allauth.account import app_settings
from allauth.account.models import EmailAddress
from allauth.account.views import confirm_email
from django.contrib import messages
from django.contrib.auth import get_user_model, logout
from django.core import signing
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from diplomacy_site.accounts.forms import DeleteAccountForm, UsernameForm
from diplomacy_site.accounts.leaving import account_file, delete_account, rename_account
from games.kernel.days import DAY
from games.kernel.languages import later
from games.kernel.limits import refusal_if_too_often
from games.kernel.refusals import Refusal
from games.kernel.signing_in import sent_from, signed_in
from games.kernel.view_helpers import SeeOther, form_succeeds, signed_in_id, status_of
from games.people.sessions import end_sessions

TOO_MANY_PASSWORDS = later("Nothing was deleted: you’ve tried passwords {most} times within a minute.")


@signed_in
@sent_from("games:profile")
@never_cache
def download_account(request: HttpRequest) -> HttpResponse:
    """A file of everything the site stores about the user, made on the spot and stored nowhere."""
    if too_often := refusal_if_too_often(
        request, "export", "6/min", _("You’ve downloaded this file {most} times within a minute.")
    ):
        messages.error(request, too_often.sentence)
        return SeeOther(reverse("games:profile"))
    user = get_user_model().objects.get(pk=signed_in_id(request))
    response = JsonResponse(account_file(user), json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="diplomacy-{user.pk}.json"'
    return response


@signed_in
@sent_from("mfa_index")
def sign_out_elsewhere(request: HttpRequest) -> HttpResponse:
    end_sessions(signed_in_id(request), except_for=request.session.session_key)
    messages.success(request, _("You’ve been signed out everywhere else. Your API tokens still work."))
    return SeeOther(reverse("mfa_index"))


@never_cache
def confirm_address(request: HttpRequest, key: str) -> HttpResponse:
    """Follow the link that confirms an address. If that is done already, say so; otherwise show the library's page."""
    longest = app_settings.EMAIL_CONFIRMATION_EXPIRE_DAYS * DAY
    try:
        number = signing.loads(key, salt=app_settings.SALT, max_age=longest)
    except signing.BadSignature:
        number = None
    address = EmailAddress.objects.filter(pk=number, verified=True).first()
    if address is None:
        return confirm_email(request, key=key)  # type: ignore[no-any-return]  # the library has no types
    return render(request, "account/email_confirm.html", {"confirmed": address.email})


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def change_username(request: HttpRequest) -> HttpResponse:
    user = get_user_model().objects.get(pk=signed_in_id(request))
    form = UsernameForm(request.POST or None)
    if request.method == "POST" and form_succeeds(form, partial(rename_account, user), "name"):
        messages.success(request, _("Your username is now {user}.").format(user=user.username))
        return SeeOther(reverse("games:profile"))
    return render(request, "account/name.html", {"form": form}, status=status_of(form))


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def delete_own_account(request: HttpRequest) -> HttpResponse:
    """Explain what deleting the account means, and do it if the password is right."""
    user = get_user_model().objects.get(pk=signed_in_id(request))
    form = DeleteAccountForm(user, request.POST or None)
    if request.method == "POST" and (
        too_often := refusal_if_too_often(request, "delete-account", "10/min", TOO_MANY_PASSWORDS)
    ):
        form.add_error("password", too_often.sentence)
        return render(request, "account/delete.html", {"form": form}, status=HTTPStatus.TOO_MANY_REQUESTS)
    if request.method == "POST" and form.is_valid():
        try:
            delete_account(user)
        except Refusal as refusal:
            form.add_error(None, refusal.sentence)
        else:
            logout(request)
            messages.success(request, _("Your account has been deleted. Thank you for playing."))
            return SeeOther(reverse("games:home"))
    return render(request, "account/delete.html", {"form": form}, status=status_of(form))
