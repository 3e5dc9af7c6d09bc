"""Names without accents and capitals, as people type them to find something."""

import re
import unicodedata
from typing import Any

from django.db.models import CharField, QuerySet, Transform

ACCENTS = re.compile("[\\u0300-\\u036f]")
"""Of Latin, Greek and Cyrillic letters; the signs of other scripts make another letter."""


def without_case_and_accents(text: str) -> str:
    return ACCENTS.sub("", unicodedata.normalize("NFKD", text)).lower()


@CharField.register_lookup
class Plain(Transform):
    """The same of a column, as in `name__plain__contains=plain(typed)`."""

    lookup_name = "plain"
    template = r"lower(regexp_replace(normalize(%(expressions)s, NFKD), '[\u0300-\u036f]', '', 'g'))"


def find_user_by_name(name: str, users: QuerySet[Any]) -> Any:
    """The one of these users with exactly this name, else with it in other letters' case, else without its accents;
    None if none or several have."""
    for how, typed in (
        ("username", name),
        ("username__iexact", name),
        ("username__plain", without_case_and_accents(name)),
    ):
        users_found = users.filter(**{how: typed})[:2]
        if len(users_found) == 1:
            return users_found[0]
    return None
