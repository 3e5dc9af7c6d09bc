"""Learning to play: lessons with the real adjudicator, and a page for every form of order. A lesson's address contains
everything about the learner, so lessons need no account and store nothing."""

from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.kernel.queries import variant_card, variants_offered
from games.kernel.shared_pages import shared_by_strangers, version_of_release_page
from games.kernel.wording import words_of_phase_kind
from games.kernel.zipping import gzip_page
from games.learning import lessons
from games.learning.rules_page import glossary_page, rules_page, thumbnail_of, variant_facts
from games.orders.choices import sheet_view
from games.orders.forms import SheetForm, minor_orders, saved_form, sent_form
from games.orders.parts import SheetView
from games.orders.sheets import ReadSheet, SentSheet, read_once
from variants.maps import drawing_of, factions_of, with_marks_placed
from variants.registry import find

SHOW_AFTER, SHOW_AGAIN = "after", "again"
"""In the address: show the map after the orders; show the form again as it was sent."""


@require_safe
@shared_by_strangers(version_of_release_page)
def learn(request: HttpRequest) -> HttpResponse:
    """The start page: the lessons and the kinds of order."""
    context = {
        "lessons": lessons.in_readers_language(lessons.LESSONS),
        "forms": lessons.in_readers_language(lessons.ORDER_FORMS),
        "board": lessons.BOARD,
    }
    return render(request, "learning/learn.html", context)


@require_safe
@gzip_page
def lesson(request: HttpRequest, name: str) -> HttpResponse:
    """One lesson: its position and order form and, once the address has orders, their result."""
    all_lessons = lessons.in_readers_language(lessons.LESSONS)
    names = [each.slug for each in all_lessons]
    if name not in names:
        raise Http404
    index = names.index(name)
    entry = all_lessons[index]
    sheet = read_once(SentSheet.from_form(request.GET), entry.power, lessons.start_of_lesson(entry), entry.variant)
    order_sheet = sheet_view(sheet)
    form = sent_form(order_sheet, sheet) if "use" in request.GET else saved_form(order_sheet)
    # The map before adjudication with the orders as arrows, and the words below it.
    drawing = drawing_of(lessons.start_of_lesson(entry), entry.variant)
    units = with_marks_placed(drawing.units, order_sheet.placed)
    context = {
        "order_sheet": order_sheet,
        "drawing": replace(drawing, units=units, arrows=order_sheet.arrows),
        "view": _view_of_map(entry.board, order_sheet),
        "lesson": entry,
        "lessons": all_lessons,
        "number": index + 1,
        "following": all_lessons[index + 1] if index + 1 < len(names) else None,
        "form": form,
        "minor_orders": minor_orders(order_sheet.minors),
        "happened": lessons.result_before(entry),
        "again": SHOW_AGAIN in request.GET,
    }
    is_asked = request.GET.get("use", "look") != "look" and SHOW_AGAIN not in request.GET
    if is_asked and not form.mistakes:
        context |= _answer_context(request.GET, entry, form, sheet)
    return render(request, "learning/lesson.html", context)


@require_safe
def lesson_by_number(request: HttpRequest, number: int) -> HttpResponse:
    """Redirect from the address that a lesson had before lessons had names."""
    for each in lessons.LESSONS:
        if each.number == number:
            query = f"?{request.GET.urlencode()}" if request.GET else ""
            return redirect(reverse("games:lesson", kwargs={"name": each.slug}) + query, permanent=True)
    raise Http404


def _view_of_map(slug: str, order_sheet: SheetView | None = None) -> dict[str, object]:
    """What the template of the map needs: variant, powers, factions and the sheet."""
    card = variant_card(slug)
    return {
        "game": {"board": slug, "variant_title": card.title, "options": {"bids": card.bids}},
        "powers": card.powers,
        "factions": factions_of(find(slug)),
        "order_sheet": order_sheet,
    }


def _answer_context(query: QueryDict, current: lessons.Lesson, form: SheetForm, sheet: ReadSheet) -> dict[str, object]:
    """The result of the orders, with links to the map after them and back to the form as it was sent."""
    answer = lessons.answer_to(current, sheet)
    is_after = SHOW_AFTER in query
    return {
        "answer": answer,
        "drawing": answer.now if is_after else answer.before,
        "swap_to": _same_orders_with(query, *([] if is_after else [SHOW_AFTER])),
        "swap_words": _("Show the orders") if is_after else _("Show the new positions"),
        "again": _same_orders_with(query, SHOW_AGAIN),
        "left_out": words_of_phase_kind(lessons.start_of_lesson(current).turn.kind.value).note
        if not form.text.strip()
        else "",
    }


def _same_orders_with(query: QueryDict, *flags: str) -> str:
    """The query of an address with the same orders and these flags."""
    new_query = query.copy()
    for flag in (SHOW_AFTER, SHOW_AGAIN):
        new_query.pop(flag, None)
    for flag in flags:
        new_query[flag] = "yes"
    return f"?{new_query.urlencode()}"


@require_safe
@shared_by_strangers(version_of_release_page)
def order_form(request: HttpRequest, form: str) -> HttpResponse:
    """The page of one kind of order, with a worked example."""
    forms = lessons.in_readers_language(lessons.ORDER_FORMS)
    names = [known.slug for known in forms]
    if form not in names:
        raise Http404
    index = names.index(form)
    worked_form = lessons.worked_form(forms[index])
    context = {
        "worked": worked_form,
        "form": worked_form.form,
        "forms": forms,
        "previous": forms[index - 1] if index else None,
        "following": forms[index + 1] if index + 1 < len(forms) else None,
        "drawing": worked_form.drawing,
        "view": _view_of_map(lessons.variant_with_example(worked_form.form).slug),
    }
    return render(request, "learning/order_form.html", context)


@require_safe
@shared_by_strangers(version_of_release_page)
def variants(request: HttpRequest) -> HttpResponse:
    rows = [(card, variant_facts(card.slug), thumbnail_of(card.slug)) for card in variants_offered()]
    return render(request, "learning/variants.html", {"rows": rows})


@require_safe
@shared_by_strangers(version_of_release_page)
def variant(request: HttpRequest, slug: str) -> HttpResponse:
    """The map at the start, the powers, the rules and their worked examples."""
    card = variant_card(slug)
    return render(request, "learning/variant.html", {"variant": card, "page": rules_page(slug)})


@require_safe
@shared_by_strangers(version_of_release_page)
def glossary(request: HttpRequest) -> HttpResponse:
    words, contents, language = glossary_page()
    context = {"words": words, "contents": contents, "language": language}
    return render(request, "learning/glossary.html", context)
