"""The variants: which there are, and the rules of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import nh3
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt

from games.drawing import drawing_of
from games.selectors import variant_card, variants_offered
from variants.registry import find

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from games.phase_view import Drawing

_MARKDOWN = MarkdownIt("js-default")


@require_safe
def variants(request: HttpRequest) -> HttpResponse:
    return render(request, "variants/list.html", {"variants": variants_offered()})


@require_safe
def variant(request: HttpRequest, slug: str) -> HttpResponse:
    """The map at the start, the powers and the rules."""
    card = variant_card(slug)
    rules = mark_safe(nh3.clean(_rules(card.rules_text)))  # noqa: S308 - cleaned in the same line
    return render(
        request, "variants/variant.html", {"variant": card, "rules": rules, "drawing": _opening(slug)}
    )


def _rules(text: str) -> str:
    """The rules as HTML without their title, which the page has already."""
    tokens = _MARKDOWN.parse(text)
    if tokens and tokens[0].tag == "h1":
        tokens = tokens[3:]
    return str(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))


def _opening(slug: str) -> Drawing:
    variant = find(slug)
    return drawing_of(variant.start, variant)
