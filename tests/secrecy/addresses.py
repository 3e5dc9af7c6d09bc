"""Every address the site answers at, found in its resolver and filled with the facts of one game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse

from variants.registry import find

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.models import Game

OTHER_FACTS: dict[str, dict[str, str | int]] = {"games:variant": {"slug": "1926"}}
PRIVATE_THREAD, OF_OTHERS = "BRITAIN+FRANCE", "FRANCE+GERMANY"
"""One in which the first player is, and one in which not."""
QUESTIONS = {"admin:autocomplete": "?app_label=admin&model_name=logentry&field_name=user"}
ARGUMENT = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>")


def addresses(game: Game) -> dict[str, str]:
    """Full name -> path, for every named address: also those of the admin and of the accounts."""
    facts: dict[str, str | int] = {
        "slug": game.slug,
        "ordinal": 0,
        "place": 1,
        "power": "GERMANY",
        "address": PRIVATE_THREAD,
        "token": game.invitation,
        "secret": "1-1.forged",
        "verb": "pause",
        "number": 1,
        "form": "move",
        "username": "alice",
        "object_id": "1",
        "app_label": "games",
        "key": "unknown-key",
        "pk": 1,
        "uidb36": "1",
        "content_type_id": 1,
        "id": 1,
    }
    return {name: _filled(name, arguments, facts) for name, arguments in sorted(set(_named(get_resolver())))}


def onto_grounds(game: Game) -> dict[str, str]:
    """The pages that come without the ground of their map to who has it."""
    ground = find(game.variant_slug).art.ground
    known = addresses(game)
    return {
        f"{name} onto its ground": f"{known[name]}?ground={ground}" for name in ("games:game", "games:phase")
    }


def _filled(name: str, arguments: tuple[str, ...], facts: dict[str, str | int]) -> str:
    try:
        known = {**facts, **OTHER_FACTS.get(name, {})}
        path = reverse(name, kwargs={argument: known[argument] for argument in arguments})
    except (KeyError, NoReverseMatch) as missing:
        raise AssertionError(f"addresses.py has no fact for {name}{arguments}") from missing
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
