"""The moderators' pages. For everyone else they don't exist."""

from collections.abc import Callable
from functools import partial, wraps
from http import HTTPStatus
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games.kernel import hooks
from games.kernel.forms import parse_whole_number
from games.kernel.languages import later_by
from games.kernel.plain import find_user_by_name
from games.kernel.refusals import Refusal
from games.kernel.signing_in import sent_from, signed_in
from games.kernel.view_helpers import SeeOther, attempt, form_succeeds, redirect_with_success, signed_in_id, status_of
from games.people import moderation, sign_up
from games.people.forms import AccountsForm, FindAccountForm, ReasonForm, SignUpLinkForm, StopGameForm, SuspendForm
from games.people.moderation import MAY_MODERATE
from games.people.moderators_page import account_case, moderation_view, newest_changes
from games.people.newcomers import approve_accounts, delete_accounts, newest_accounts, suspend_accounts
from games.people.sign_ins import accounts_from_same_addresses, sign_ins_of
from games.people.views.second_factor import has_shown_second_factor, redirect_to_second_factor

View = Callable[..., HttpResponse]
ACTS_ON_ACCOUNTS: dict[str, Callable[..., None]] = {
    "approve": approve_accounts,
    "suspend": suspend_accounts,
    "delete": delete_accounts,
}
DONE_SENTENCES = {
    "approve": later_by("{count} account approved.", "{count} accounts approved.", "count"),
    "suspend": later_by("{count} account suspended.", "{count} accounts suspended.", "count"),
    "delete": later_by("{count} account deleted.", "{count} accounts deleted.", "count"),
}


def for_moderators(view: View) -> View:
    """Raises Http404 for users who aren't moderators. Moderators confirm a second factor first."""

    @signed_in
    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if not request.user.has_perm(MAY_MODERATE):
            raise Http404
        if not has_shown_second_factor(request):
            here = request.get_full_path() if request.method in {"GET", "HEAD"} else reverse("games:moderation")
            return redirect_to_second_factor(request, here)
        return view(request, *args, **kwargs)

    return guarded


@for_moderators
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Suspended users, stopped games, and what moderators have done; with `name`, the page of that account."""
    form = FindAccountForm(request.GET if "name" in request.GET else None)
    if form.is_valid():
        account_found = find_user_by_name(form.cleaned_data["name"].strip(), get_user_model().objects.all())
        if account_found is not None:
            return SeeOther(reverse("games:case", args=[account_found.get_username()]))
        form.add_error("name", _("There is no such account. Enter the name as the site shows it."))
    return _moderation_page(request, find=form)


def _moderation_page(request: HttpRequest, *, status: int = 200, **forms: forms.Form) -> HttpResponse:
    before = parse_whole_number(request.GET.get("before", ""))
    context = {"desk": moderation_view(before), "find": FindAccountForm(), "stop": StopGameForm(), **forms}
    context["troubles"] = hooks.site_troubles()
    return render(request, "people/moderation/index.html", context, status=status)


@for_moderators
@require_safe
def version(request: HttpRequest) -> HttpResponse:
    """The version that runs, and what changed for players in the newest ones."""
    context = {"version": settings.SITE_VERSION, "newest": newest_changes()}
    return render(request, "people/moderation/version.html", context)


@for_moderators
@require_http_methods(["GET", "HEAD", "POST"])
def accounts(request: HttpRequest) -> HttpResponse:
    """The newest accounts, and actions on the ones chosen there. Deleting asks for confirmation."""
    form = AccountsForm(request.POST) if request.method == "POST" else None
    if form is not None and form.is_valid():
        names, act = form.cleaned_data["accounts"], form.cleaned_data["act"]
        if act == "delete" and "sure" not in request.POST:
            return render(request, "people/moderation/delete_accounts.html", {"form": form, "names": names})
        if _is_done_with_reason(
            partial(ACTS_ON_ACCOUNTS[act], by=signed_in_id(request), usernames=names),
            form,
            with_reason=act != "approve",
        ):
            return redirect_with_success(request, DONE_SENTENCES[act].format(count=len(names)), "games:accounts")
    search, is_waiting = request.GET.get("q", "").strip(), "waiting" in request.GET
    context = {
        "page": newest_accounts(search=search, waiting=is_waiting, page=request.GET.get("page", "")),
        "form": form,
        "chosen": request.POST.getlist("accounts"),
        "asks": settings.SIGN_UP == "approval",
        "search": search,
        "waiting": is_waiting,
        "query": urlencode({"q": search, **({"waiting": "yes"} if is_waiting else {})}),
    }
    status = status_of(form) if form else HTTPStatus.OK
    return render(request, "people/moderation/accounts.html", context, status=status)


@for_moderators
@require_http_methods(["GET", "HEAD", "POST"])
def links(request: HttpRequest) -> HttpResponse:
    """The sign-up links, and a form for a new one."""
    form = SignUpLinkForm(request.POST if request.method == "POST" else None)
    if form_succeeds(form, partial(sign_up.make_sign_up_link, by=signed_in_id(request))):
        return redirect_with_success(
            request, _("The link is ready. Copy it and send it to people."), "games:sign-up-links"
        )
    context = {"form": form, "links": sign_up.valid_links(), "needed": settings.SIGN_UP == "invitation"}
    return render(request, "people/moderation/links.html", context, status=status_of(form))


@for_moderators
@sent_from("games:sign-up-links")
def withdraw_link(request: HttpRequest, number: int) -> HttpResponse:
    act = partial(sign_up.withdraw_sign_up_link, number=number)
    return attempt(request, act, _("Link withdrawn. No one can sign up with it any more."), "games:sign-up-links")


def _act_with_reason(request: HttpRequest, act: Callable[..., object], message: str, place: str) -> HttpResponse:
    """Call `act` with the reason in this form of the index. If it is refused, show the index with what was typed."""
    form = _reason_form(request, place)
    if _is_done_with_reason(partial(act, by=signed_in_id(request)), form):
        return redirect_with_success(request, message, "games:moderation")
    return _moderation_page(request, wrong=form, status=HTTPStatus.UNPROCESSABLE_ENTITY)


def _reason_form(request: HttpRequest, place: str) -> ReasonForm:
    return ReasonForm(request.POST, auto_id=f"{place.replace('%', '')}-%s")


def _is_done_with_reason(act: Callable[..., object], form: ReasonForm, *, with_reason: bool = True) -> bool:
    """Call `act` with the form's reason, and return whether it succeeded; if not, the form shows why."""
    if not form.is_valid():
        return False
    try:
        act(**({"reason": form.cleaned_data["reason"]} if with_reason else {}))
    except Refusal as refusal:
        form.add_error(None, refusal.sentence)
        return False
    return True


@for_moderators
@sent_from("games:moderation")
def stop_game(request: HttpRequest) -> HttpResponse:
    form = StopGameForm(request.POST)
    if not form.is_valid():
        return _moderation_page(request, stop=form, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    slug, reason = form.cleaned_data["game"], form.cleaned_data["reason"]
    act = partial(moderation.stop_game, by=signed_in_id(request), slug=slug, reason=reason)
    return attempt(request, act, _("The game is stopped."), "games:moderation")


@for_moderators
@sent_from("games:moderation")
def release_game(request: HttpRequest) -> HttpResponse:
    slug = request.POST.get("game", "")
    act = partial(moderation.release_game, slug=slug)
    return _act_with_reason(request, act, _("The game has resumed."), f"release-{slug}")


@for_moderators
@sent_from("games:moderation")
def name_master(request: HttpRequest) -> HttpResponse:
    """Ask a user to take over a game whose game master can't sign in."""
    slug, name = request.POST.get("game", ""), request.POST.get("name", "")
    act = partial(moderation.ask_for_new_master, slug=slug, username=name)
    return _act_with_reason(
        request, act, _("{name} has been emailed and can accept or decline.").format(name=name), f"master-{slug}"
    )


@for_moderators
@sent_from("games:moderation")
def close_report(request: HttpRequest) -> HttpResponse:
    number, about = parse_whole_number(request.POST.get("report", "")) or 0, request.POST.get("about", "")
    act = partial(moderation.deal_with_report, number=number, about=about)
    return _act_with_reason(request, act, _("Report closed. This is recorded in the log."), f"{about}{number}")


@for_moderators
@require_safe
def case(request: HttpRequest, username: str) -> HttpResponse:
    """One user: their suspension, and what moderators have done about them."""
    return _case_page(request, username)


def _case_page(request: HttpRequest, username: str, *, status: int = 200, **more: object) -> HttpResponse:
    context = {
        "case": account_case(username, parse_whole_number(request.GET.get("before", ""))),
        "suspend": SuspendForm(),
        **more,
    }
    return render(request, "people/moderation/case.html", context, status=status)


@for_moderators
@sent_from("games:case")
def suspend(request: HttpRequest, username: str) -> HttpResponse:
    form = SuspendForm(request.POST)
    if not form.is_valid():
        return _case_page(request, username, suspend=form, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    days = form.cleaned_data["days"]
    act = partial(
        moderation.suspend_person,
        by=signed_in_id(request),
        username=username,
        reason=form.cleaned_data["reason"],
        days=int(days) if days else None,
    )
    return attempt(
        request, act, _("{username} is suspended.").format(username=username), "games:case", username=username
    )


@for_moderators
@sent_from("games:case")
def readmit(request: HttpRequest, username: str) -> HttpResponse:
    form = _reason_form(request, "readmit")
    if _is_done_with_reason(partial(moderation.end_suspension, by=signed_in_id(request), username=username), form):
        return redirect_with_success(
            request, _("{username} may sign in again.").format(username=username), "games:case", username=username
        )
    return _case_page(request, username, wrong=form, status=HTTPStatus.UNPROCESSABLE_ENTITY)


@for_moderators
@sent_from("games:case")
def sign_ins(request: HttpRequest, username: str) -> HttpResponse:
    """Where a user signed in from. The moderators' log records that this page was opened."""
    person = account_case(username)
    form = _reason_form(request, "look")
    if not _is_done_with_reason(
        partial(moderation.record_look_at_sign_ins, by=signed_in_id(request), username=username), form
    ):
        return _case_page(request, username, wrong=form, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    messages.info(request, _("Looking at these sign-ins has been recorded in the log."))
    return _case_page(
        request, username, looked=True, sign_ins=sign_ins_of(person.id), hints=accounts_from_same_addresses(person.id)
    )
