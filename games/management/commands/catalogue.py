"""The catalogue of a language: every message of the site, with its translation."""

import os
import re
import tomllib
from argparse import ArgumentParser
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeAlias

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir, extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.template import engines
from django.utils.translation import to_locale

from games.kernel.game_options import SAID
from games.kernel.languages import HOLE, PSEUDO, in_pseudo_language
from games.kernel.news import READ_AS
from games.kernel.sentences import CountedNode, SentenceNode, holes_in
from games.kernel.told_in_templates import has_words_for_people, mark_sentences
from games.kernel.wording import PhaseWords
from games.learning.lessons import TEXTS_SHOWN
from games.tournaments.texts import ALL as TEXTS_OF_TOURNAMENTS
from variants.words.messages import FILE as WORDS_OF_THE_RULES
from variants.words.messages import message_of


class Source(NamedTuple):
    """Where messages are, the functions that mark them, and the extractor for each kind of file, as in Babel."""

    folders: tuple[str, ...]
    keywords: Mapping[str, Any]
    readers: list[tuple[str, str]]


SERVER, SCRIPTS = "django", "djangojs"
"""The catalogues of a language, as Django names them."""
SOURCES = {
    SERVER: Source(
        ("templates", "games", "variants", "diplomacy_site"),
        {
            **DEFAULT_KEYWORDS,
            "_": None,
            "gettext_lazy": None,
            "gettext_noop": None,
            "later": None,
            "later_as": ((1, "c"), 2),
            "later_by": (1, 2),
        },
        [
            ("commands/skeleton/**", "ignore"),
            ("**.py", f"{__name__}:messages_in_module"),
            ("**.toml", f"{__name__}:extract_toml"),
            ("**.html", f"{__name__}:messages_in_template"),
            ("**.txt", f"{__name__}:messages_in_template"),
        ],
    ),
    SCRIPTS: Source(("static/js",), {"said": None, "counted": (1, 2)}, [("**.js", "javascript")]),
}
LIBRARIES = ("django.conf", "django.contrib.auth", "django.contrib.humanize", "allauth")
BRACE = re.compile("[{}]")
IN_TAG = re.compile(r"=_\(\"([^\"]+)\"\)")
"""Words that a tag gives to another template, as in {% include "form.html" with button=_("Save") %}."""
KEYS_OF_TEXTS = {
    "lessons.toml": {*TEXTS_SHOWN},
    "problems.toml": {"title", "example"},
    "variant.toml": {"summary", "credits", "armies", "notes", "sentences"},
    "examples.toml": {"title", "text"},
    "en.toml": set(tomllib.loads(WORDS_OF_THE_RULES.read_text(encoding="utf-8"))),
    "news.toml": {*READ_AS} - {"topic"},
    "options.toml": SAID,
    "wording.toml": {*PhaseWords._fields},
    "terms.toml": {"title", "sentence"},
    "systems.toml": {"title", "sentence", "generalised"},
    "texts.toml": {*TEXTS_OF_TOURNAMENTS},
    "trouble.toml": {"words"},
    "patience.toml": {"kicker", "heading", "sentence", "advice"},
}
"""The keys of what people read in TOML files: of texts, or of tables of them."""
Extracted: TypeAlias = tuple[int, str, str | tuple[str, str], list[str]]
"""Line, function, a message or its two forms, comments: as Babel wants them."""


class Command(BaseCommand):
    help = (
        "Bring the catalogue of a language up to date with the site, and compile it. Messages without a translation "
        f"stay in English. The pseudo-language {PSEUDO} is translated by this command."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("language", help=f"its code, such as de, or {PSEUDO}")

    def handle(self, *args: Any, language: str, **options: Any) -> None:
        if language == PSEUDO and PSEUDO not in dict(settings.LANGUAGES):
            raise CommandError(f"{PSEUDO} is for demonstration and test sites only.")
        folder = Path(settings.LOCALE_PATHS[-1 if language == PSEUDO else 0])
        messages = [each for domain in SOURCES for each in write_catalogue(language, folder, domain) if each.id]
        done = sum(any(message.string or ()) for message in messages if not message.fuzzy)
        self.stdout.write(f"{language}: {len(messages)} messages, {done} of them translated.")
        for message in messages:
            if message.fuzzy:
                self.stdout.write(f"Fields or elements differ from those of {message.id!r}.")


def write_catalogue(language: str, folder: Path, domain: str = SERVER) -> Catalog:
    """The catalogue of the language in that folder, brought up to date and compiled. Translations that lack a field or
    an element of their message are marked as fuzzy, and left out of what is compiled."""
    path = folder / to_locale(language) / "LC_MESSAGES" / f"{domain}.po"
    path.parent.mkdir(parents=True, exist_ok=True)
    catalogue = Catalog("en" if language == PSEUDO else to_locale(language))
    if path.exists():
        with path.open("rb") as written:
            catalogue = read_po(written, catalogue.locale)
    catalogue.update(deepcopy(every_message(domain)), no_fuzzy_matching=True)
    if language == PSEUDO:
        if domain == SERVER:
            _add_messages_of_libraries(catalogue)
        for message in catalogue:
            forms = [message.id] if isinstance(message.id, str) else message.id
            if message.id:
                message.string = (
                    tuple(map(in_pseudo_language, forms)) if message.pluralizable else in_pseudo_language(forms[0])
                )
    for message in catalogue:
        if message.id and not _keeps_all_fields(message):
            message.flags.add("fuzzy")
    _write_whole_file(path, partial(write_po, catalog=catalogue, width=0, sort_by_file=True))
    _write_whole_file(path.with_suffix(".mo"), partial(write_mo, catalog=catalogue))
    return catalogue


def _write_whole_file(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write a file completely or not at all."""
    beside = path.with_suffix(f"{path.suffix}.{os.getpid()}")
    with beside.open("wb") as file:
        write(file)
    beside.replace(path)


def _keeps_all_fields(message: Message) -> bool:
    """Does each translation have the fields and elements of its message, and no other braces? Where a number decides
    the form, one form may leave the number out. A field may lose its format, but not get another."""
    ids, strings = (each if isinstance(each, tuple | list) else (each,) for each in (message.id, message.string or ""))
    common_holes, all_holes = set.intersection(*map(holes_in, ids)), {*HOLE.findall(" ".join(ids))}
    all_holes |= {f"{hole.partition(':')[0]}}}" for hole in all_holes if ":" in hole}
    return all(
        common_holes <= holes_in(string)
        and all_holes.issuperset(HOLE.findall(string))
        and not BRACE.search(HOLE.sub("", string))
        for string in strings
        if string
    )


def _add_messages_of_libraries(catalogue: Catalog) -> None:
    """Add the messages that the libraries translate themselves for real languages."""
    for library in LIBRARIES:
        folder = Path(str(find_spec(library).submodule_search_locations[0]))  # type: ignore[union-attr,index]
        with next(folder.glob("locale/d*/LC_MESSAGES/django.po")).open("rb") as written:
            for message in read_po(written):
                if message.id and message.id not in catalogue:
                    catalogue.add(message.id, context=message.context)


@cache
def every_message(domain: str = SERVER) -> Catalog:
    """All messages of templates and Python, or of scripts, each with the files that contain it."""
    messages, source = Catalog(), SOURCES[domain]
    for folder in source.folders:
        extracted = extract_from_dir(settings.BASE_DIR / folder, source.readers, keywords=source.keywords)
        for file, line, message, comments, context in extracted:
            messages.add(message, locations=[(f"{folder}/{file}", line)], auto_comments=comments, context=context)
    return messages


def messages_in_module(file: IO[bytes], keywords: Sequence[str], tags: Sequence[str], **options: Any) -> Iterator[Any]:
    """Extract the messages of a Python module, in the way that Babel calls."""
    if b"gettext" in (source := file.read()) or b"later" in source:
        file.seek(0)
        yield from extract_python(file, dict.fromkeys(keywords), tags, options["options"])


def extract_toml(file: IO[bytes], *_asked: Sequence[str], **_options: Any) -> Iterator[Extracted]:
    """Extract the messages of a TOML file, in the way that Babel calls."""
    name = Path(file.name).name
    if name in KEYS_OF_TEXTS:
        source = file.read().decode()
        for text in _texts_under(tomllib.loads(source), KEYS_OF_TEXTS[name]):
            line, (one, several, counted) = source.count("\n", 0, source.find(text)) + 1, message_of(text)
            yield (line, "ngettext", (one, several), []) if counted else (line, "gettext", one, [])


def _texts_under(table: Mapping[str, Any], keys: Container[str]) -> Iterator[str]:
    """The texts under these keys at any depth, and in tables under them."""
    for key, value in table.items():
        for entry in value if isinstance(value, list) else [value]:
            if isinstance(entry, dict):
                yield from _texts_under(entry, entry if key in keys else keys)
            elif isinstance(entry, str) and entry and key in keys:
                yield entry


def messages_in_template(file: IO[bytes], *_asked: Sequence[str], **_options: Any) -> Iterator[Extracted]:
    """Extract the messages of a template, in the way that Babel calls."""
    if not has_words_for_people(Path(file.name)):
        return
    engine, source = engines["django"].engine, file.read().decode()  # type: ignore[attr-defined]
    for match in IN_TAG.finditer(source):
        yield source.count("\n", 0, match.start()) + 1, "gettext", match[1], []
    nodes = engine.from_string(mark_sentences(source)).nodelist
    for node in nodes.get_nodes_by_type(SentenceNode):
        yield node.token.lineno, "gettext", node.said.message, []
    for node in nodes.get_nodes_by_type(CountedNode):
        yield node.token.lineno, "ngettext", (node.message_for_one.message, node.message_for_many.message), []
