"""`python -m variants release`: keeps a version of a variant for the games that have it, before its folder is changed,
and says afterwards what differs."""

import itertools
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from variants.commands.folders import variant_folders
from variants.differences import differences
from variants.loader import BOARD_FILES, EXAMPLES, OWN_FILES, Sources, load
from variants.rulebook import (
    DIGEST,
    VARIANTS,
    VERSIONS,
    board_folder,
    board_path,
    earlier_versions,
    facts_in,
    path_of,
    rules_in,
)

VERSION = re.compile(r"\d+(\.\d+)*")
OF_TOML = re.compile(r'^(version\s*=\s*)"[^"]*"', re.MULTILINE)


class CannotRelease(ValueError):
    """A version can't be released; the message says why."""


def begin_version(folder: str, version: str, variants: Path = VARIANTS) -> Iterator[str]:
    """Keep the folder's files as those of its present version, and give the folder this one. Raises CannotRelease."""
    home, facts, digest = variants / folder, facts_in(folder, variants), Sources.read(folder, variants).digest
    present, kept = str(facts["version"]), variants / folder / VERSIONS / str(facts["version"])
    if not VERSION.fullmatch(version) or version in {present, *earlier_versions(home)}:
        raise CannotRelease(f"{version} can’t be the next version: it is a new number, as in 1.1.")
    if (home / DIGEST).exists() and (home / DIGEST).read_text(encoding="utf-8").strip() != digest:
        raise CannotRelease(f"{folder} no longer is version {present}: undo what has changed, and release it first.")
    kept.mkdir(parents=True)
    files = {name: home / name for name in (*OWN_FILES, EXAMPLES, "rules.py") if (home / name).exists()}
    for name, file in (files | {name: board_path(folder, facts, name, variants) for name in BOARD_FILES}).items():
        shutil.copyfile(file, kept / name)
    (kept / DIGEST).write_text(f"{digest}\n", encoding="utf-8")
    (home / DIGEST).unlink(missing_ok=True)
    toml = home / "variant.toml"
    toml.write_text(OF_TOML.sub(rf'\1"{version}"', toml.read_text(encoding="utf-8"), count=1), encoding="utf-8")
    yield f"Games keep version {present}, in {VERSIONS}/{present}/. Change the folder’s files, then release it again."
    for other in variant_folders(variants):
        if other != folder and board_folder(other, facts_in(other, variants)) == folder:
            yield f"{other} plays on this board: before you change the board, begin a version of {other}, too."


def finish_version(folder: str, variants: Path = VARIANTS) -> Iterator[str]:
    """Remove what earlier versions share with the next one, note what the folder has now, and say what differs."""
    home = variants / folder
    order = [*(home / VERSIONS / it for it in earlier_versions(home)), home]
    for kept, later in itertools.pairwise(order):
        for file in sorted(kept.iterdir()):
            twin = path_of(later, file.name)
            if file.name not in {DIGEST, "variant.toml"} and twin.exists() and twin.read_bytes() == file.read_bytes():
                file.unlink()
    (home / DIGEST).write_text(f"{Sources.read(folder, variants).digest}\n", encoding="utf-8")
    folders = [str(it.relative_to(variants)) for it in order]
    versions = [load(it, rules_in(it, variants), variants) for it in folders]
    for before, now in itertools.pairwise(versions):
        told = [*differences(before, now)] or ["No space, border, centre, unit at the start or worked example differs."]
        yield from [f"{now.version} after {before.version}:", *(f"    {each}" for each in told)]
