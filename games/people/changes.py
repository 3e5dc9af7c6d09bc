"""What changed for players in the newest versions, as the changelog says it."""

import re
from functools import cache

import nh3
from django.conf import settings
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

VERSIONS_TOLD = 2
_VERSION = re.compile(r"^## (.*)$", re.MULTILINE)
_GROUP = re.compile(r"^([A-Z].*):$", re.MULTILINE)
_NOT_FOR_PLAYERS = re.compile(r"^(For |Host).*:$", re.MULTILINE)
"""The first group of lines that players need not read: for hosts, programs or contributors."""


@cache
def newest_changes() -> tuple[tuple[str, SafeString], ...]:
    """(version, its changes as HTML), the newest first."""
    _before, *parts = _VERSION.split((settings.BASE_DIR / "CHANGELOG.md").read_text(encoding="utf-8"))
    reader, told = MarkdownIt("js-default", {"typographer": True}).enable("smartquotes"), []
    for version, text in list(zip(parts[::2], parts[1::2], strict=True))[:VERSIONS_TOLD]:
        for_players = _GROUP.sub(r"### \1", _NOT_FOR_PLAYERS.split(text, maxsplit=1)[0])
        html = mark_safe(nh3.clean(reader.render(for_players)))  # noqa: S308 - cleaned here
        told.append((version, html))
    return tuple(told)
