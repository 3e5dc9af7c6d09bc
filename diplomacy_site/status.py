"""/status/: whether deadlines are met, and whether the adjudicator passes its tests, for everyone."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from diplomacy_site.health import SWEEP_IS_RECENT_SECONDS, answer_or_none
from diplomacy_site.shared_counts import backup_record
from diplomacy_site.state import site_state

DATC_RECORD = Path(__file__).with_name("datc.json")


@cache
def datc_record() -> dict[str, Any]:
    """The results of the adjudicator's test cases when they last ran; a test compares this file with new results."""
    record: dict[str, Any] = json.loads(DATC_RECORD.read_text(encoding="utf-8"))
    return record


@never_cache
@require_safe
def status(request: HttpRequest) -> HttpResponse:
    state, sections = site_state(), datc_record()["sections"]
    context = {
        "state": state,
        "backups": answer_or_none(backup_record) if settings.BACKUP_TO else None,
        "sweeps": state.sweep_age is not None and state.sweep_age <= SWEEP_IS_RECENT_SECONDS,
        "document": datc_record()["document"],
        "sections": sections,
        "cases": sum(section["cases"] for section in sections),
        "passed": sum(section["passed"] for section in sections),
    }
    return render(request, "status.html", context)
