"""Problem details (RFC 9457): the one shape of every error, and all kinds of errors there are.

`type` is the place on the guide's page that explains the error, `detail` the sentence that the pages show.
"""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.http import JsonResponse
from django.utils.translation import gettext as _

VERSION_1 = "/api/v1/"
MEDIA_TYPE = "application/problem+json"


class ProblemKind(NamedTuple):
    """One kind of error: its status, its title, what it means and what to do, an example of its detail, and examples of
    the further members that such an error may have (`more`)."""

    status: int
    title: str
    meaning: str
    example: str
    more: Mapping[str, Any]


TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
PROBLEM_KINDS = {code: ProblemKind(**{**row, "more": json.loads(row.get("more", "{}"))}) for code, row in TABLE.items()}
"""By their codes, in the order of their statuses."""


def problem(code: str, detail: str, **more: Any) -> dict[str, Any]:
    """An error of one of the `PROBLEM_KINDS`; `more`: its further members, `problems` or `receipt`."""
    kind = PROBLEM_KINDS[code]
    return {
        "type": f"{settings.SITE_ADDRESS}/api/#{code}",
        "title": _(kind.title),
        "status": kind.status,
        "detail": detail,
        "code": code,
        **more,
    }


def problem_answer(code: str, detail: str) -> JsonResponse:
    """`problem` as a response, for errors that occur outside the API's views."""
    return JsonResponse(problem(code, detail), status=PROBLEM_KINDS[code].status, content_type=MEDIA_TYPE)
