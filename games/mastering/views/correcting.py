"""Correcting a game: the orders of a closed phase, going back to one, and changing the position by hand."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe

from games.history.queries import undone_view
from games.kernel import view_helpers as web
from games.kernel.access import access_gm
from games.kernel.forms import parse_whole_number
from games.kernel.languages import later
from games.kernel.page import Page, page_of
from games.kernel.parts import PhaseHead
from games.kernel.refusals import Refusal
from games.kernel.signing_in import signed_in
from games.kernel.zipping import gzip_page
from games.mastering.acts import ACTS
from games.mastering.editing import CENTRE, UNIT, EditError, apply_edits, differences, edit_words, lines_from, place_at
from games.mastering.queries import gm, orders_to_correct, sides_to_correct
from games.mastering.services import correcting, repair
from games.mastering.services.correcting import JOIN
from games.orders.services import BadSheet
from variants.maps import drawing_of
from variants.travel.written_position import write_position
from variants.words.english import listed
from variants.words.orders import phase_words

CorrectForm = ACTS["correct_sheet"].form_class("ordinal", "power")
RepairForm = ACTS["change_position"].form_class("changes")
REPAIRED = later("Done. Everyone is told, and it’s in the public log.")


@gzip_page
@signed_in
@web.own_page
def choose_orders(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """All published orders of a phase, to choose whose are to be corrected, perhaps several together."""
    access = access_gm(user=request.user, slug=slug)
    context = context_of_repair(request, page_of(web.access_for_visitor(request, slug)), "correct_sheet", ordinal)
    context["sides"] = sides = sides_to_correct(access, ordinal)
    chosen = request.GET.getlist("power")
    if powers := [side.power for side in sides if side.power in chosen]:
        return redirect("games:correct", slug=slug, ordinal=ordinal, power=JOIN.join(powers))
    return render(request, "mastering/choose_orders.html", context)


@gzip_page
@sensitive_post_parameters()
@web.form_page
def correct(request: HttpRequest, slug: str, ordinal: int, power: str) -> HttpResponse:
    """Correct the orders of one power, or of several joined by "+": write them, look at the changes, confirm. `step`
    says which of these forms was sent."""
    access = access_gm(user=request.user, slug=slug)
    view = page_of(web.access_for_visitor(request, slug))
    context = context_of_repair(request, view, "correct_sheet", ordinal)
    names = {it.power: it.name for it in sides_to_correct(access, ordinal)}
    powers = power.split(JOIN)
    if not names.keys() >= set(powers):
        raise Http404
    name = listed([names[each] for each in powers])
    arguments: dict[str, Any] = {"game_id": access.game_id, "by": access.user_id, "ordinal": ordinal, "power": power}
    step = request.POST.get("do", "preview") if request.method == "POST" else "begin"
    form = CorrectForm(request.POST if request.method == "POST" else None, initial={"seen": view.mark})
    if step == "begin":
        form.initial["text"] = orders_to_correct(access, ordinal, power)
    elif step == "look":
        form = _form_with_bids(form, partial(correcting.look_at_sheet, **arguments), view.mark)
    elif step == "apply" and form.is_valid():
        if _result_or_mistake(form, lambda: correcting.correct_sheet(**arguments, **form.cleaned_data) or True):
            return web.redirect_with_success(request, REPAIRED, "games:gm", slug=slug)
    elif step == "preview" and form.is_valid():
        sent = form.cleaned_data
        preview = partial(correcting.preview_correction, **arguments, text=sent["text"], bids=sent["bids"])
        answer = _result_or_mistake(form, preview)
        if answer is not None:
            context |= {"form": form, "name": name, "preview": answer}
            return render(request, "mastering/correction.html", context)
    may_correct_bids = len(powers) == 1 and any(it.ordinal == ordinal for it in _phases_open_to(view, "look_at_sheet"))
    context |= {"form": form, "name": name, "power": power, "may_correct_bids": may_correct_bids}
    return render(request, "mastering/correct.html", context, status=web.status_of(form))


@signed_in
@require_safe
def to_chosen_phase(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect from the list on the desk to the page for rolling back to, or correcting, that phase."""
    access_gm(user=request.user, slug=slug)
    ordinal = parse_whole_number(request.GET.get("phase", ""))
    page = "games:choose-orders" if request.GET.get("to") == "orders" else "games:back"
    if ordinal is None:
        return redirect("games:gm", slug=slug)
    return redirect(page, slug=slug, ordinal=ordinal)


@web.form_page
def roll_back(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """Roll back to an earlier phase: first the consequences, then the action."""
    access = access_gm(user=request.user, slug=slug)
    view = page_of(web.access_for_visitor(request, slug))
    form = RepairForm(request.POST if request.method == "POST" else None)
    if web.form_succeeds(form, partial(repair.roll_back, game_id=access.game_id, by=access.user_id, ordinal=ordinal)):
        return web.redirect_with_success(request, REPAIRED, "games:gm", slug=slug)
    context = {**context_of_repair(request, view, "roll_back", ordinal), "form": form}
    context["undone"] = listed([phase_words(context["head"]), *context["gone"]])
    return render(request, "mastering/back.html", context, status=web.status_of(form))


@gzip_page
@web.own_page
def undone(request: HttpRequest, slug: str) -> HttpResponse:
    """The undone phases: they were public, but no longer count."""
    access = web.access_for_visitor(request, slug)
    context = {"view": page_of(access), "acts": undone_view(access)}
    return render(request, "mastering/undone.html", context)


def context_of_repair(request: HttpRequest, view: Page, act: str, ordinal: int) -> dict[str, Any]:
    """The context of the pages about a closed phase; raises Http404 if `act` isn't possible with it."""
    head = next((head for head in _phases_open_to(view, act) if head.ordinal == ordinal), None)
    if head is None:
        raise Http404
    return {
        "view": view,
        "mark": view.mark,
        "then": page_of(web.access_for_visitor(request, view.game.slug), ordinal),
        "head": head,
        "gone": [phase_words(other) for other in view.phases if other.ordinal > ordinal],
    }


def _phases_open_to(view: Page, act: str) -> tuple[PhaseHead, ...]:
    powers = gm(view)
    return powers.phases[act] if powers else ()


def _form_with_bids(form: forms.Form, look: Callable[[], str], mark: str) -> forms.Form:
    """The form with everything that counts now, bids included, or with the reason why that can't be shown."""
    text = _result_or_mistake(form, look)
    reason = form.data.get("reason", "")
    return form if text is None else CorrectForm(initial={"seen": mark, "text": text, "bids": True, "reason": reason})


def _result_or_mistake(form: forms.Form, call: Callable[[], Any]) -> Any:
    """The result of `call`; if it was refused, None, and the form shows why."""
    try:
        return call()
    except BadSheet as refusal:
        form.is_valid()
        message = _("Line {line}, “{text}”: {sentence}")
        for slip in refusal.sheet.problems:
            form.add_error("text", message.format(line=slip.line, text=slip.text, sentence=slip.sentence))
    except Refusal as refusal:
        form.is_valid()
        form.add_error(None, refusal.sentence)
    return None


# Changing the position by hand. Until confirmed, the draft exists only in the address of the page.


@gzip_page
@web.form_page
def position(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose a province and what goes there, look at the map, confirm with a reason."""
    access = access_gm(user=request.user, slug=slug)
    view = page_of(web.access_for_visitor(request, slug))
    powers = gm(view)
    if powers is None or "change_position" not in powers.may:
        raise Http404
    if "text" in request.POST:
        try:
            lines = lines_from(request.POST["text"], view.rows.position, view.rows.variant)
        except EditError as error:
            return _draft_page(request, view, [], RepairForm(), error.sentence)
        return redirect(f"{request.path}?{_draft_address(lines)}")
    if request.method == "POST":
        form = RepairForm(request.POST)
        lines = request.POST.getlist("change")
        change = partial(repair.change_position, game_id=access.game_id, by=access.user_id, changes=lines)
        if web.form_succeeds(form, change):
            done = _("The position has changed. Everyone is told, and it’s in the public log.")
            return web.redirect_with_success(request, done, "games:gm", slug=slug)
        return _draft_page(request, view, lines, form)
    lines = request.GET.getlist("change")
    if "at" in request.GET:
        return redirect(f"{request.path}?{_draft_address(_with_choices(lines, request.GET, view))}")
    return _draft_page(request, view, lines, RepairForm())


def _with_choices(lines: list[str], data: QueryDict, view: Page) -> list[str]:
    """The draft with the new choices for one province instead of the old ones."""
    province = data.get("at", "")
    other_lines = [line for line in lines if not line.startswith(f"{province} ")]
    place = place_at(province, view.rows.position, view.rows.variant)
    if place is None:
        return lines
    new_lines = [
        f"{province} {what} {data[what]}"
        for what, options in ((UNIT, place.units), (CENTRE, place.owners))
        if data.get(what) and data[what] != next((it.value for it in options if it.chosen), "")
    ]
    return [*other_lines, *new_lines]


def _draft_address(lines: list[str], **more: str) -> str:
    query = QueryDict(mutable=True)
    query.setlist("change", lines)
    query.update(more)
    return query.urlencode()


def _draft_page(
    request: HttpRequest, view: Page, lines: list[str], form: forms.Form, wrong_text: str = ""
) -> HttpResponse:
    """The draft, or what is wrong with the text that was sent. The page keeps that text."""
    before, variant, complaint = view.rows.position, view.rows.variant, ""
    try:
        position = apply_edits(before, lines, variant)
    except EditError as error:
        complaint, position, lines = error.sentence, before, []
    board = variant.ruleset.board
    context: dict[str, Any] = {
        "view": view,
        "mark": view.mark,
        "drawing": drawing_of(position, variant),
        "lines": lines,
        "changes": [
            (
                edit_words(each, variant),
                _draft_address([line for line in lines if not line.startswith(f"{each.place} ")]),
            )
            for each in differences(before, position, variant)
        ],
        "places": sorted((board.name(province), province) for province in board.provinces),
        "place": place_at(request.GET.get("place", ""), position, variant),
        "complaint": complaint,
        "form": form,
        "wrong_text": wrong_text,
        "text": request.POST.get("text") or write_position(position, variant),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if complaint or wrong_text or form.errors else HTTPStatus.OK
    return render(request, "mastering/position.html", context, status=status)
