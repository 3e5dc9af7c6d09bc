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

from diplomacy_site.health import answer_or_none, is_recent
from diplomacy_site.shared_counts import SWEEP, last_moments
from games.deadlines.queries import overdue_phases
from games.kernel.models import Game, Status

DATC_RECORD = Path(__file__).with_name("datc.json")


@cache
def datc_record() -> dict[str, Any]:
    """The results of the adjudicator's test cases when they last ran; a test compares this file with new results."""
    return dict(json.loads(DATC_RECORD.read_text(encoding="utf-8")))


@never_cache
@require_safe
def status(request: HttpRequest) -> HttpResponse:
    moments, overdue, sections = answer_or_none(last_moments), overdue_phases(), datc_record()["sections"]
    context = {
        "version": settings.SITE_VERSION,
        "running": Game.objects.of_people().filter(status=Status.RUNNING).count(),
        "overdue": len(overdue),
        "overdue_since": overdue[0].since if overdue else None,
        "moments": moments,
        "has_backups": settings.BACKUP_TO and moments is not None,
        "sweeps": is_recent(moments or {}, SWEEP, "sweep_age_seconds"),
        "document": datc_record()["document"],
        "sections": sections,
        "cases": sum(section["cases"] for section in sections),
        "passed": sum(section["passed"] for section in sections),
    }
    return render(request, "status.html", context)
