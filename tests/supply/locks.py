"""The pinned dependencies, as the locks name them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from diplomacy_site.embedded import places

if TYPE_CHECKING:
    from pathlib import Path

IMAGE = tuple(places.CHECKOUT / name for name in ("requirements.lock", "requirements-backups.lock"))
"""What the site's image has."""

ALL = tuple(sorted(places.CHECKOUT.glob("requirements*.lock")))
PIN = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>\S+)(?P<rest>.*\n(?:[ ]+\S.*\n?)*)", re.MULTILINE)
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Pin:
    """One version of a package. `hashes`: the SHA-256 of its files."""

    name: str
    version: str
    hashes: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


def pins(*locks: Path) -> list[Pin]:
    """Those of all these locks, each once."""
    every = (it for lock in locks for it in PIN.finditer(lock.read_text()))
    found = {Pin(it["name"], it["version"], tuple(HASH.findall(it["rest"]))) for it in every}
    return sorted(found, key=str)
