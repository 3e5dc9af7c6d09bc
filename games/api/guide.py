"""The pages for people who write programs: a guide with worked examples, and the reference."""

import json
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.api.problems import PROBLEM_KINDS, VERSION_1, problem
from games.api.reference import operations, shapes
from games.kernel.shared_pages import shared_by_strangers, version_of_release_page
from games.people.models import Scope

EXAMPLES = settings.BASE_DIR / "templates" / "api" / "examples"
TEXTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
SITE, PLACE = "https://SITE", "GAME"


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """A worked example: the same in Python and with curl."""

    slug: str
    title: str
    says: str
    python: str
    curl: str


@cache
def worked_examples() -> tuple[WorkedExample, ...]:
    """The examples, with this site's own address in them."""
    texts = TEXTS["examples"].items()
    return tuple(
        WorkedExample(slug, **facts, python=_text_of_example(f"{slug}.py"), curl=_text_of_example(f"{slug}.sh"))
        for slug, facts in texts
    )


def _text_of_example(name: str) -> str:
    return (EXAMPLES / name).read_text(encoding="utf-8").replace(SITE, settings.SITE_ADDRESS)


@require_safe
@shared_by_strangers(version_of_release_page)
def guide(request: HttpRequest) -> HttpResponse:
    """How to write a program for this site."""
    rates = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
    context = {
        "examples": worked_examples(),
        "programs": [
            (slug, *facts.values(), _text_of_example(f"{slug}.py")) for slug, facts in TEXTS["programs"].items()
        ],
        "scopes": Scope.choices,
        "errors": [
            (code, kind, json.dumps(problem(code, kind.example, **kind.more), ensure_ascii=False, indent=2))
            for code, kind in PROBLEM_KINDS.items()
        ],
        "limits": {who: (rate or "").partition("/")[0] for who, rate in rates.items()},
        "changes": TEXTS["changes"].items(),
        "base": settings.SITE_ADDRESS + VERSION_1,
    }
    return render(request, "api/guide.html", context)


@require_safe
@shared_by_strangers(version_of_release_page)
def reference(request: HttpRequest) -> HttpResponse:
    """The page that lists every address, and every field that is sent or answered."""
    return render(request, "api/reference.html", {"groups": operations(), "shapes": shapes()})
