"""Whether a vulnerability of a pinned version has been published: what the package index says about each."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

from pip._internal.models.index import PyPI

from tests.supply.locks import ALL, pins

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from tests.supply.locks import Pin

SECONDS = 20
NOT_FOUND = 404
SIMPLE = "/simple"


@dataclass
class Findings:
    """`unchecked`: the pins about which nothing could be learned, and why."""

    advisories: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    checked: int = 0


def index() -> str:
    """The address of the index that pip uses, without what only pip asks for."""
    asked = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    configured = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    address = os.environ.get("PIP_INDEX_URL") or configured or PyPI.simple_url
    return address.rstrip("/").removesuffix(SIMPLE)


def facts_from_index(pin: Pin) -> dict[str, Any]:
    """What the index knows about this version, or about the project if this is its newest. OSError or ValueError if it
    cannot be asked or doesn't say."""
    try:
        return _asked(f"{pin.name}/{pin.version}")
    except HTTPError as unknown:
        if unknown.code != NOT_FOUND:
            raise
    project = _asked(pin.name)
    newest = project["info"]["version"]
    if newest != pin.version:
        raise ValueError(f"the index only speaks of {newest}")
    return project


def _asked(what: str) -> dict[str, Any]:
    address = f"{index()}/pypi/{what}/json"
    if urlsplit(address).scheme != "https":
        raise ValueError("the index is not asked over https")
    with urlopen(address, timeout=SECONDS) as answer:  # noqa: S310 - https alone, see above
        found: dict[str, Any] = json.load(answer)
    return found


def check(wanted: Iterable[Pin], ask: Callable[[Pin], dict[str, Any]] = facts_from_index) -> Findings:
    found = Findings()
    for pin in wanted:
        try:
            known = ask(pin)["vulnerabilities"]
        except (OSError, ValueError, KeyError) as problem:
            found.unchecked.append(f"{pin}: {problem}")
            continue
        found.checked += 1
        found.advisories += [
            f"{pin}: {one['id']}, fixed in {', '.join(one.get('fixed_in') or ()) or 'no version yet'}"
            for one in known
            if not one.get("withdrawn")
        ]
    return found


def pinned(only: Iterable[str]) -> list[Pin]:
    names = set(only)
    return [pin for pin in pins(*ALL) if not names or pin.name in names]
