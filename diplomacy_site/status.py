"""/status/: whether deadlines are met, and whether the adjudicator passes its tests, for everyone."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from diplomacy_site.health import SWEEP_IS_RECENT_SECONDS
from diplomacy_site.state import site_state

RECORD = Path(__file__).with_name("datc.json")


@dataclass(frozen=True, slots=True)
class DatcSection:
    """One section of the test cases: how many it has, and how many the adjudicator passes."""

    code: str
    title: str
    cases: int
    passed: int


@cache
def record() -> dict[str, Any]:
    """The adjudicator's test cases as the tests last found them; a test compares this file with its result."""
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


@cache
def sections() -> tuple[DatcSection, ...]:
    return tuple(DatcSection(**row) for row in record()["sections"])


@never_cache
@require_safe
def status(request: HttpRequest) -> HttpResponse:
    state = site_state()
    context = {
        "state": state,
        "sweeps": state.sweep_age is not None and state.sweep_age <= SWEEP_IS_RECENT_SECONDS,
        "document": record()["document"],
        "sections": sections(),
        "cases": sum(section.cases for section in sections()),
        "passed": sum(section.passed for section in sections()),
    }
    return render(request, "status.html", context)
