"""Every address the site answers at, found in its resolver and filled with the facts of one game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse

from variants.registry import find

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from games.kernel.models import Game

Facts = dict[str, str | int]

OTHER_FACTS: dict[str, Facts] = {"games:variant": {"slug": "1926"}}
PRIVATE_THREAD, OF_OTHERS = "BRITAIN+FRANCE", "FRANCE+GERMANY"
"""One in which the first player is, and one in which not."""
QUESTIONS = {"admin:autocomplete": "?app_label=admin&model_name=logentry&field_name=user"}
ARGUMENT = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>")


def addresses(game: Game, *, others: Mapping[str, Facts] | None = None, **known: str | int) -> dict[str, str]:
    """Full name -> path, for every named address: also those of the admin and of the accounts.

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
        "verb": "pause",
        "number": 1,
        "form": "move",
        "username": "alice",
        "object_id": "1",
        "app_label": "kernel",
        "key": "unknown-key",
        "pk": 1,
        "uidb36": "1",
        "content_type_id": 1,
        "id": 1,
        **known,
    }
    single = {**OTHER_FACTS, **(others or {})}
    return {
        name: _filled(name, arguments, {**facts, **single.get(name, {})})
        for name, arguments in sorted(set(_named(get_resolver())))
    }


def nameless() -> list[str]:
    """The patterns without a name, which no row can be about."""
    return sorted(_nameless(get_resolver()))


def onto_grounds(game: Game) -> dict[str, str]:
    """The pages that come without the ground of their map to who has it."""
    ground = find(game.variant_slug).art.ground
    known = addresses(game)
    return {
        f"{name} onto its ground": f"{known[name]}?ground={ground}" for name in ("games:game", "games:phase")
    }


def _filled(name: str, arguments: tuple[str, ...], facts: Facts) -> str:
    try:
        path = reverse(name, kwargs={argument: facts[argument] for argument in arguments})
    except (KeyError, NoReverseMatch) as missing:
        raise AssertionError(
            f"The address {name} takes {', '.join(arguments)}: add what stands there, in one line, "
            f"to `facts` of addresses() in tests/secrecy/addresses.py."
        ) from missing
    return path + QUESTIONS.get(name, "")


def _named(
    resolver: URLResolver, prefix: str = "", outer: tuple[str, ...] = ()
) -> Iterator[tuple[str, tuple[str, ...]]]:
    for pattern in resolver.url_patterns:
        arguments = outer + tuple(a or b for a, b in ARGUMENT.findall(str(pattern.pattern)))
        if isinstance(pattern, URLResolver):
            namespace = f"{prefix}{pattern.namespace}:" if pattern.namespace else prefix
            yield from _named(pattern, namespace, arguments)
        elif isinstance(pattern, URLPattern) and pattern.name:
            yield prefix + pattern.name, arguments


def _nameless(resolver: URLResolver, prefix: str = "") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        where = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _nameless(pattern, where)
        elif isinstance(pattern, URLPattern) and not pattern.name:
            yield where
