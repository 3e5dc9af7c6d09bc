"""The variants: which there are, and the page of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games.selectors import variant_card, variants_offered
from games.views.rules_page import facts_of, rules_page, stamp_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
@gzip_page
def variants(request: HttpRequest) -> HttpResponse:
    rows = [(card, facts_of(card.slug), stamp_of(card.slug)) for card in variants_offered()]
    return render(request, "variants/list.html", {"rows": rows})


@require_safe
@gzip_page
def variant(request: HttpRequest, slug: str) -> HttpResponse:
    """The map at the start, the powers, the rules and their worked examples."""
    card = variant_card(slug)
    return render(request, "variants/variant.html", {"variant": card, "page": rules_page(slug)})
