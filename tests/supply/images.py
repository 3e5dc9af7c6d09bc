"""Pinning the images that compose files and the Dockerfile name by digest, with Docker and a registry in reach."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from diplomacy_site.embedded import places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

FILES = (*sorted(places.CHECKOUT.glob("docker-compose*.yml")), places.CHECKOUT / "Dockerfile")
NAMED = re.compile(r"^(?P<before>\s*image: |FROM )(?P<image>[\w./-]+:[\w.-]+)(?:@sha256:[0-9a-f]{64})?", re.MULTILINE)
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
SECONDS = 60


class NotFetched(Exception):
    """The digest of an image could not be fetched; the message says why."""


def digest_from_registry(image: str) -> str:
    """The digest of the image for all platforms, as its registry names it now."""
    asked = ["docker", "buildx", "imagetools", "inspect", image, "--format", "{{.Manifest.Digest}}"]
    try:
        answer = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=SECONDS)
    except FileNotFoundError as missing:
        raise NotFetched("there is no docker command") from missing
    except subprocess.TimeoutExpired as late:
        raise NotFetched(f"no answer in {SECONDS} s") from late
    if answer.returncode or not DIGEST.fullmatch(answer.stdout.strip()):
        raise NotFetched((answer.stderr.strip().splitlines() or ["the answer is no digest"])[-1])
    return answer.stdout.strip()


def pin(files: Iterable[Path] = FILES, ask: Callable[[str], str] = digest_from_registry) -> tuple[list[str], list[str]]:
    """Write the digest behind the name of every image, or, if any cannot be fetched, nothing at all.

    Returns what was pinned, and what could not be fetched.
    """
    texts = {file: file.read_text() for file in files}
    images = sorted({it["image"] for text in texts.values() for it in NAMED.finditer(text)})
    digests, missing = dict[str, str](), list[str]()
    for image in images:
        try:
            digests[image] = ask(image)
        except NotFetched as why:
            missing.append(f"{image}: {why}")
    if missing:
        return [], missing
    for file, text in texts.items():
        file.write_text(NAMED.sub(lambda it: f"{it['before']}{it['image']}@{digests[it['image']]}", text))
    return [f"{image}@{digest}" for image, digest in digests.items()], []
