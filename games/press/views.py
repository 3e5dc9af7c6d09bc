"""The pages of notes, messages and the gallery."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe

from games.kernel import view_helpers as web
from games.kernel.access import GameAccess, access_seat
from games.kernel.forms import parse_whole_number
from games.kernel.languages import later
from games.kernel.limits import rate_limited
from games.kernel.refusals import BadMessage, Refusal
from games.kernel.signing_in import redirect_to_sign_in, sent_from, signed_in, signed_in_to_send
from games.press import queries
from games.press.forms import MessageForm, NotesForm, TalkForm
from games.press.models import LONGEST_MESSAGE, Message, Remark
from games.press.parts import MessageView, RemarkView, TalkView
from games.press.services import mark_read, report_to_moderators, save_notes, send_message, set_mute, write_remark
from games.press.talk import AS_GM
from games.press.threads import EVERYBODY, powers_of


@sensitive_post_parameters()
@web.form_page
def notebook(request: HttpRequest, slug: str) -> HttpResponse:
    """A player's own notes, saved as they are typed. Text that cannot be saved stays on the page."""
    seat = access_seat(user=request.user, slug=slug)
    form = NotesForm(request.POST if request.method == "POST" else None)
    refusal_shown: Refusal | None = None
    if form.is_valid():
        try:
            save_notes(seat, text=form.cleaned_data["text"], version=form.version_seen())
        except Refusal as refusal:
            refusal_shown = refusal
        else:
            if not request.headers.get("HX-Request"):
                return web.SeeOther(request.path)
    notes = queries.notes_view(seat)
    is_elsewhere = refusal_shown is not None and not isinstance(refusal_shown, BadMessage)
    context = {
        "slug": slug,
        "notes": notes,
        "typed": form.cleaned_data["text"] if refusal_shown else notes.text,
        "version": form.version_seen() if refusal_shown else notes.version,
        "wrong": refusal_shown,
        "is_elsewhere": is_elsewhere,
        "is_saved": form.is_bound,
    }
    if request.headers.get("HX-Request"):
        return render(request, "press/partials/notes_state.html", context)
    page = {**context, "view": queries.talk_view(web.access_for_visitor(request, slug))}
    refused = HTTPStatus.CONFLICT if is_elsewhere else HTTPStatus.UNPROCESSABLE_ENTITY
    return render(request, "press/notebook.html", page, status=refused if refusal_shown else HTTPStatus.OK)


POLL_SECONDS = 5
LONGEST_SEARCH = 100
SEARCHES = "60/min"
REPORTED = {
    "message": later("Report sent to the site’s moderators. They can see this message, but no others."),
    "remark": later("Report sent to the site’s moderators, with this remark."),
}
MUTED = later("Muted. No one else is told.")
UNMUTED = later("Unmuted.")


@web.own_page
def talk(request: HttpRequest, slug: str) -> HttpResponse:
    """A reader's threads and, for players, a form for new ones. If there is only the public thread, redirect there."""
    access = web.access_for_visitor(request, slug)
    view = queries.talk_view(access)
    if len(view.threads) == 1:
        return redirect("games:thread", slug=slug, address=EVERYBODY)
    form = TalkForm(request.GET if "power" in request.GET or "new" in request.GET else None, others=view.others)
    if access.voice is not None and form.is_valid():
        return redirect("games:thread", slug=slug, address=form.address(access.voice.power))
    context = {"view": view, "form": form}
    return render(request, "press/talk.html", context, status=web.status_of(form))


@sensitive_post_parameters()
@web.own_form
@signed_in_to_send
def thread(request: HttpRequest, slug: str, address: str) -> HttpResponse:
    """Read a thread and write in it. ?before= shows earlier messages. Strangers sign in before they see any private
    address, whether or not it has a thread."""
    if not request.user.is_authenticated and address != EVERYBODY:
        return redirect_to_sign_in(request)
    access = web.access_for_visitor(request, slug)
    before = request.GET.get("before", "")
    view = queries.talk_view(access, address, before=parse_whole_number(before))
    view_of_thread = view.shown
    if view_of_thread is None:
        raise Http404
    if request.method == "POST":
        form = MessageForm(request.POST, voices=view_of_thread.voices)
        if "preview" in request.POST and view_of_thread.voices:
            return _thread_page(request, view, form, preview=request.POST.get("text", "").strip())
        send = partial(send_message, game_id=access.game_id, user_id=web.signed_in_id(request), to=powers_of(address))
        if _send_form(form, lambda **sent: send(as_gm=form.chosen_voice() == AS_GM, **sent)):
            return _redirect_to_sent(request, form)
        return _thread_page(request, view, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    _mark_read(access, address, view_of_thread.last)
    return _thread_page(request, view, MessageForm(voices=view_of_thread.voices))


@web.own_form
@signed_in_to_send
def gallery(request: HttpRequest, slug: str) -> HttpResponse:
    """Everybody's remarks on a finished game. ?before= shows earlier ones."""
    access = web.access_for_visitor(request, slug)
    before = request.GET.get("before", "")
    gallery_view = queries.gallery_view(access, before=parse_whole_number(before))
    form = MessageForm(request.POST if request.method == "POST" else None, voices=())
    if request.method == "POST" and _send_form(
        form, partial(write_remark, game_id=access.game_id, user_id=web.signed_in_id(request))
    ):
        return _redirect_to_sent(request, form)
    context = {"view": queries.talk_view(access), "gallery": gallery_view, "form": form}
    return render(request, "press/gallery.html", context, status=web.status_of(form))


def _send_form(form: MessageForm, send: Callable[..., object]) -> bool:
    """Send the message and return whether it was sent. A refusal is shown on the form, which keeps the text."""
    if not form.is_valid():
        return False
    try:
        send(text=form.cleaned_data["text"], key=form.cleaned_data["key"] or None)
    except Refusal as refusal:
        form.add_error("text", refusal.sentence)
        return False
    return True


def _redirect_to_sent(request: HttpRequest, form: MessageForm) -> web.SeeOther:
    key = form.cleaned_data["key"]
    return web.SeeOther(request.path + (f"#sent-{key}" if key else ""))


@sensitive_post_parameters()
@web.form_page
def one_remark(request: HttpRequest, slug: str, place: int) -> HttpResponse:
    """A single remark from the gallery, with the form to report it to the moderators."""
    access = web.access_for_visitor(request, slug)
    return _page_to_report(request, access, *queries.remark_view(access, place), "games:gallery", slug=slug)


def _page_to_report(
    request: HttpRequest,
    access: GameAccess,
    row: Message | Remark,
    view_of_row: MessageView | RemarkView,
    page: str,
    **address: str,
) -> HttpResponse:
    """The page of one message or remark; once it is reported, a redirect to the page named `page`."""
    kind = "remark" if isinstance(row, Remark) else "message"
    reason, complaint = request.POST.get("reason", ""), ""
    if request.method == "POST":
        try:
            report_to_moderators(what=row, user_id=web.signed_in_id(request), reason=reason)
        except Refusal as refusal:
            complaint = refusal.sentence
        else:
            return web.redirect_with_success(request, REPORTED[kind], page, **address)
    view = queries.talk_view(access, address.get("address"))
    context = {**address, "view": view, "said": view_of_row, "what": kind, "reason": reason, "wrong": complaint}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if complaint else HTTPStatus.OK
    return render(request, f"press/{kind}.html", context, status=status)


@require_safe
@rate_limited("searching", SEARCHES)
@cache_control(private=True, no_store=True)
def search(request: HttpRequest, slug: str) -> HttpResponse:
    """The messages that contain the words in ?q=, from threads that the visitor may read, in pages."""
    access = web.access_for_visitor(request, slug)
    words = request.GET.get("q", "").replace("\0", "").strip()[:LONGEST_SEARCH]
    page = parse_whole_number(request.GET.get("page", "")) or 1
    result = queries.search_view(access, words, page) if words else None
    context = {"view": queries.talk_view(access), "words": words, "result": result}
    return render(request, "press/search.html", context)


@web.own_page
def messages(request: HttpRequest, slug: str, address: str) -> HttpResponse:
    """The messages of a thread after the place ?after=, as a fragment; no content if there are none."""
    access = web.access_for_visitor(request, slug)
    after = request.GET.get("after", "")
    news = queries.news_view(access, address, after=parse_whole_number(after) or 0)
    if not news.messages:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    _mark_read(access, address, news.last)
    context = {"slug": slug, "address": address, "news": news, "poll": POLL_SECONDS}
    return render(request, "press/partials/messages.html", context)


@sensitive_post_parameters()
@web.form_page
def message(request: HttpRequest, slug: str, address: str, place: int) -> HttpResponse:
    """A single message, with the forms to report it to the moderators and to mute its power."""
    access = web.access_for_visitor(request, slug)
    row_and_view = queries.message_view(access, address, place)
    return _page_to_report(request, access, *row_and_view, "games:thread", slug=slug, address=address)


@signed_in
@sent_from("games:thread")
def mute_power(request: HttpRequest, slug: str, address: str) -> HttpResponse:
    """Mute or unmute a power, and go back to the thread."""
    access = web.access_for_visitor(request, slug)
    queries.talk_view(access, address)
    muted = request.POST.get("muted") == "1"
    return web.attempt(
        request,
        lambda: set_mute(
            game_id=access.game_id, user_id=web.signed_in_id(request), power=request.POST.get("power", ""), muted=muted
        ),
        MUTED if muted else UNMUTED,
        "games:thread",
        slug=slug,
        address=address,
    )


@web.own_page
def unread(request: HttpRequest, slug: str) -> HttpResponse:
    """The number of unread messages, as the fragment beside the word in the navigation."""
    context = {"slug": slug, "unread": queries.unread_count(web.access_for_visitor(request, slug))}
    return render(request, "press/partials/unread.html", context)


def _mark_read(access: GameAccess, address: str, place: int) -> None:
    mark_read(game_id=access.game_id, reader=queries.reader_of(access), powers=powers_of(address), last=place)


def _thread_page(
    request: HttpRequest, view: TalkView, form: MessageForm, status: int = 200, *, preview: str = ""
) -> HttpResponse:
    context = {
        "view": view,
        "thread": view.shown,
        "form": form,
        "poll": POLL_SECONDS,
        "preview": preview[:LONGEST_MESSAGE],
    }
    return render(request, "press/thread.html", context, status=status)
