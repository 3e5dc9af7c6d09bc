"""The languages of the site. All words are written in English; catalogues turn messages into other languages.

The pseudo-language shows English with accents, a third longer and in brackets: plain English on a page in it was not
marked for translation, and a layout that breaks would also break in a longer language.
"""

import re
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

SOURCE = "en-gb"
"""The language in which all words are written."""
PSEUDO = "xa"
later = cast(Callable[[str], str], translation.gettext_lazy)
"""A message that is looked up when it is shown: for what is written where no reader is known yet. It stands for a text,
and is one to the type checker; what joins, stores or compares it makes it a `str` first."""
later_as = cast(Callable[[str, str], str], translation.pgettext_lazy)
"""The same, of what is named first."""
later_by = cast(Callable[[str, str, str], str], translation.ngettext_lazy)
"""The same, for one and for more, by the number of which the name stands last: `format` fills it in."""
HOLE = re.compile(r"{[\w.]+(?::[^{}]*)?}|</?\w+>")
"""A field, maybe with the form that the rules want of it, or an element in a message."""
KEPT = re.compile(rf"({HOLE.pattern}|{{}}|&#?\w+;|%(?:\(\w+\))?[sd]|\s+)")
ACCENTED = str.maketrans("AEIOUYaeiouycnsz", "ÀÉÎÕÜÝàéîõüýçñšž")
LONGER = 3
"""Every so many letters one more is added."""
P = ParamSpec("P")
T = TypeVar("T")


class ChosenLanguage:
    """Middleware that shows a page in the language that its address asks for, as in `?lang=xa`, if the site has it.
    Forms are answered in the site's own language, because that may send messages to other people."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        code = request.GET.get("lang", "")
        if code not in dict(settings.LANGUAGES) or request.method not in ("GET", "HEAD"):
            return self.get_response(request)
        with translation.override(code):
            return self.get_response(request)


class Spoken:
    """Gives the rules their words. In English nothing is looked up, which would take as long as the rest."""

    def gettext(self, message: str, /) -> str:
        return message if translation.get_language() == SOURCE else translation.gettext(message)

    def ngettext(self, one: str, several: str, number: int, /) -> str:
        if translation.get_language() == SOURCE:
            return one if number == 1 else several
        return translation.ngettext(one, several, number)


def cached_by_language(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """As `lru_cache`, for values that contain words in the reader's language."""

    def decorate(make: Callable[P, T]) -> Callable[P, T]:
        @lru_cache(maxsize=most)
        def made_once(_language: str | None, *given: P.args, **named: P.kwargs) -> T:
            return make(*given, **named)

        @wraps(make)
        def in_this_language(*given: P.args, **named: P.kwargs) -> T:
            return made_once(translation.get_language(), *given, **named)  # type: ignore[arg-type]

        return in_this_language

    return decorate


def in_pseudo_language(message: str) -> str:
    """The message in the pseudo-language. Its {fields} stay as they are."""
    longer = "".join(
        part if KEPT.fullmatch(part) else part.translate(ACCENTED) + "~" * (len(part) // LONGER)
        for part in KEPT.split(message)
    )
    return f"[{longer}]"
