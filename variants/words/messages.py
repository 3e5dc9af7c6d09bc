"""Messages: the words of the rules as they are written, in English, and what turns them into another language.

A message is looked up when it is told, because each reader may have another language. A sentence in which a number
chooses a word, as in {count:unit|units}, is a message with two forms.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from gettext import NullTranslations
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple, Protocol, TypeAlias

from adjudication.reasons import Facts

FILE = Path(__file__).with_name("en.toml")
PARTS = {"orders", "todo", "idle", "for good", "aim", "ahead"}
"""The tables of parts of sentences, whose keys stand in other tables too."""
EXAMPLE = "example"
BY_NUMBER = re.compile(r"{(\w+):([^{}|]*)\|([^{}|]*)}")


class Language(Protocol):
    """A translation as provided by the standard library's `gettext` and Django's `translation`."""

    def gettext(self, message: str, /) -> str: ...
    def ngettext(self, one: str, several: str, number: int, /) -> str: ...


spoken: Language = NullTranslations()
"""The reader's language; a site may set another here that knows its catalogues."""


def worded(template: str, **fields: object) -> str:
    """A template in the reader's language, with its fields filled."""
    return _translated(template, fields).format(**fields)


def term(key: str, **fields: object) -> str:
    """One of the words under "terms" in the reader's language, with its fields filled. Raises KeyError."""
    return worded(english()[0][key], **fields)


@cache
def message_of(template: str) -> tuple[str, str, str]:
    """A template as translators read it: the form for one and that for several, and the field whose number decides; if
    there is no such field, the first is all."""
    match = BY_NUMBER.search(template)
    return BY_NUMBER.sub(r"\2", template), BY_NUMBER.sub(r"\3", template), match[1] if match else ""


def _translated(template: str, facts: Mapping[str, Any]) -> str:
    singular, plural, count_name = message_of(template)
    return spoken.ngettext(singular, plural, facts[count_name]) if count_name else spoken.gettext(singular)


Parts: TypeAlias = tuple[tuple[str, str, str], ...]
"""A text, and the name and form of the fact that follows it, if any."""


class Sentence(NamedTuple):
    """`fields`: the facts that it uses."""

    template: str
    fields: frozenset[str]

    def parts(self, facts: Facts) -> Parts:
        """The parts of the sentence in the reader's language."""
        return _parts(_translated(self.template, facts))


@cache
def _parts(template: str) -> Parts:
    return tuple([(text, name or "", form or "") for text, name, form, _ in Formatter().parse(template)])


@lru_cache(maxsize=1)
def english() -> tuple[Mapping[str, str], Mapping[str, tuple[Sentence, ...]]]:
    """The words to look up, and for each key its sentences, those with most facts first."""
    tables: dict[str, dict[str, Any]] = tomllib.loads(FILE.read_text(encoding="utf-8"))
    terms = tables.pop("terms")
    return terms, {
        f"{name} {key}" if name in PARTS else key: parse_sentences(texts)
        for name, table in tables.items()
        for key, texts in table.items()
    }


def parse_sentences(templates: str | list[str]) -> tuple[Sentence, ...]:
    """Parse one or more templates; those with the most facts come first."""
    texts = [templates] if isinstance(templates, str) else templates
    sentences = [Sentence(it, frozenset(name for _, name, _ in _parts(it) if name) - {EXAMPLE}) for it in texts]
    return tuple(sorted(sentences, key=lambda sentence: -len(sentence.fields)))
