"""The building blocks of the pages, on one page; only if DEBUG is on."""

from types import SimpleNamespace

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.kernel.queries import variant_card
from games.learning.lessons import BOARD, ORDER_FORMS, worked_form

COLOURS = {
    "Surfaces": ("paper", "paper-deep", "card", "line", "line-strong"),
    "Ink": ("ink", "ink-soft"),
    "What can be done": ("accent", "accent-ink", "accent-wash", "focus"),
    "What is special": ("brass", "brass-wash"),
    "Good and bad": ("good", "good-wash", "bad", "bad-wash"),
}
"""The colour tokens of 00-tokens.css, by their use."""
TEXTS = ("xs", "s", "m", "l", "xl", "2xl", "3xl")
SPACES = range(1, 9)
BANNERS = {
    "": "A reminder: your orders are saved, but not complete.",
    "plain": "A fact: four of seven seats are taken.",
    "good": "A success: Germany has won.",
    "bad": "A refusal: the deadline has passed.",
}


@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    if not settings.DEBUG:
        raise Http404
    card = variant_card(BOARD)
    example = worked_form(ORDER_FORMS[0])
    context = {
        "colours": COLOURS,
        "texts": TEXTS,
        "spaces": SPACES,
        "banners": BANNERS,
        "chips": ("", "good", "bad", "brass", "plain"),
        "owners": (*map(str, range(1, 9)), "minor", "none"),
        "powers": card.powers,
        "example": example,
        "view": SimpleNamespace(game={"board": BOARD, "options": {"bids": True}}, powers=card.powers),
    }
    return render(request, "styleguide.html", context)
