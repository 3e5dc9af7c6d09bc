"""Names in lower case without accents, as people type them when they look for something."""

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
    """Puts a column into lower case without accents, as in `name__plain__contains=without_case_and_accents(typed)`."""

    lookup_name = "plain"
    template = r"lower(regexp_replace(normalize(%(expressions)s, NFKD), '[\u0300-\u036f]', '', 'g'))"


def find_user_by_name(name: str, users: QuerySet[Any]) -> Any:
    """The user among these with exactly this name, else the only one with it in other case, else the only one with it
    without accents; None if there is none."""
    for how, spelling in (
        ("username", name),
        ("username__iexact", name),
        ("username__plain", without_case_and_accents(name)),
    ):
        users_found = users.filter(**{how: spelling})[:2]
        if len(users_found) == 1:
            return users_found[0]
    return None
