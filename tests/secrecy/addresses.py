"""Every address the site answers at, found in its resolver and filled with the facts of one game."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from django.urls import URLResolver, get_resolver
from django.utils.regex_helper import normalize

from variants.registry import find

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from games.kernel.models import Game

Facts = dict[str, str | int]

OTHER_FACTS: dict[str, Facts] = {
    "games:bring-form": {"variant": "1926"},
    **{name: {"slug": "1926"} for name in ("games:variant", "api:variant", "api:board")},
    "games:export": {"form": "pypi"},
}
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
PRIVATE_THREAD, OF_OTHERS = "BRITAIN+FRANCE", "FRANCE+GERMANY"
"""One with the first player, and one without."""
QUESTIONS = {"admin:autocomplete": "?app_label=admin&model_name=logentry&field_name=user"}
LIBRARIES = {"account_": ("allauth.",), "mfa_": ("allauth.",), "admin:": ("allauth.", "django.")}
"""How the names of their pages begin, and the modules of the views."""
GUESSES = ("1", "00000000-0000-4000-8000-000000000000")
"""The value in a library page's address for an unknown argument."""


class Address(NamedTuple):
    """A pattern of the resolver, by its name or else by its form; `module` is its view's, and `methods` are those that
    an answer of the API takes."""

    name: str
    module: str
    pattern: str
    form: str
    arguments: tuple[str, ...]
    methods: tuple[str, ...] = ()

    @property
    def of_a_library(self) -> bool:
        """An upgrade may add, rename and remove it."""
        known = LIBRARIES.items()
        return any(self.name.startswith(start) and self.module.startswith(homes) for start, homes in known)


def addresses(game: Game, *, others: Mapping[str, Facts] | None = None, **known: str | int) -> dict[str, str]:
    """Full name -> path, for every address, including the admin's and the accounts'.

    `known`: what stands in them instead of the usual; `others`: what stands in single ones, by their names.
    """
    facts: Facts = {
        "slug": game.slug,
        "ordinal": 0,
        "place": 1,
        "rest": "nowhere/",
        "power": "GERMANY",
        "address": PRIVATE_THREAD,
        "token": game.invitation,
        "secret": "1-1.forged",
        "key": "MQ:worn:out",
        "verb": "pause",
        "number": 1,
        "form": "move",
        "name": "move",
        "username": "alice",
        "app_label": "kernel",
        **known,
    }
    single = {**OTHER_FACTS, **(others or {})}
    return {address.name: _filled(address, {**facts, **single.get(address.name, {})}) for address in everywhere()}


def everywhere() -> tuple[Address, ...]:
    return _all_in(get_resolver())


@cache
def _all_in(resolver: URLResolver) -> tuple[Address, ...]:
    return tuple(sorted(set(_found(resolver))))


def of_the_game(game: Game) -> dict[str, str]:
    """The addresses where something of this game could be visible."""
    return {name: path for name, path in addresses(game).items() if game.slug in path}


def onto_grounds(game: Game) -> dict[str, str]:
    """The pages sent without their map's ground to browsers that have it."""
    ground = find(game.variant_slug).art.ground
    known = addresses(game)
    return {f"{name} onto its ground": f"{known[name]}?ground={ground}" for name in ("games:game", "games:phase")}


def _filled(address: Address, facts: Facts) -> str:
    guesses = GUESSES if address.of_a_library else ()
    for usual in ({}, *(dict.fromkeys(address.arguments, guess) for guess in guesses)):
        values = {**usual, **facts}
        if values.keys() >= set(address.arguments) and re.match(address.pattern, address.form % values):
            return f"/{address.form % values}{QUESTIONS.get(address.name, '')}"
    raise AssertionError(
        f"The address {address.name} takes {', '.join(address.arguments)}: add what stands there, in one line, "
        f"to `facts` of addresses() in tests/secrecy/addresses.py."
    )


def _found(resolver: URLResolver, namespaces: str = "", outer: str = "") -> Iterator[Address]:
    for inner in resolver.url_patterns:
        pattern = outer + inner.pattern.regex.pattern.removeprefix("^")
        if isinstance(inner, URLResolver):
            yield from _found(inner, f"{namespaces}{inner.namespace}:" if inner.namespace else namespaces, pattern)
        else:
            form, arguments = normalize(pattern)[0]
            name = namespaces + (inner.name or f"/{form}")
            answers = getattr(inner.callback, "cls", None)
            methods = tuple(method for method in METHODS if hasattr(answers, method.lower()))
            yield Address(name, inner.callback.__module__, pattern, form, tuple(arguments), methods)
