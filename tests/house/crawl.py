"""Every page and every answer, for every role, of another checkout and of this one: each difference, told once.

    python -m tests.house.crawl OTHER [--keep FOLDER]

OTHER is a checkout such as a worktree of an older commit, whose tests know the scene of the table of secrecy; each
makes that scene in a test database of its own. What always differs (nonces, codes, the names of static files) is
blanked. Each line taken away or added is printed with the number of pages where that is so, the most frequent first;
then the pages that only one of the two has. `--keep`: the pages as JSON, `before.json` and `after.json`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

CHANCE = re.compile(
    r"nonce(-|=\")[\w+/=-]+|(?<=\.)[0-9a-f]{12}(?=\.\w)|\b(?=[0-9a-f-]*\d)[0-9a-f]{8,}(-[0-9a-f]{4,})*\b"
    r"|\b\d+(:|-)[\w:-]{20,}|(?<=:)\w{6}:[\w-]{20,}|(?<=sha256-)[\w+/=]+"
)
"""Nonces, hashes in names, random codes, signatures."""
TAGS = re.compile(r"(?<=>)\s*(?=<)|(?<=[,{])(?=\")")
"""Where a line may be broken, so that a difference is no longer than a tag or a field."""
NAMED = 3
"""So many of the pages with a line are named."""

Pages = dict[str, str]


def crawled(checkout: Path) -> Pages:
    """What every role sees there, by role and address."""
    with TemporaryDirectory() as elsewhere:  # so that it finds that checkout's tests and not ours
        copy = shutil.copy(Path(__file__).with_name("crawled.py"), elsewhere)
        found = Path(elsewhere, "pages.json")
        flags = ["-q", "-n", "0", "--timeout=0", "--noconftest", "--import-mode=importlib", f"--rootdir={checkout}"]
        command = [sys.executable, "-m", "pytest", *flags, "-c", f"{checkout}/pyproject.toml", copy]
        done = subprocess.run(
            command, cwd=checkout, env={**os.environ, "CRAWLED_PAGES": str(found)}, stdout=sys.stderr, check=False
        )
        if done.returncode:
            raise SystemExit(f"{checkout}: its pages could not be read; the reason stands above.")
        pages: Pages = json.loads(found.read_text("utf-8"))
    return pages


def lines_of(page: str) -> list[str]:
    broken = TAGS.sub("\n", CHANCE.sub("…", page))
    return [line.strip() for line in broken.splitlines() if line.strip()]


def changes(before: str, after: str) -> set[str]:
    """The lines that one of the two has more often, each with its sign."""
    old, new = lines_of(before), lines_of(after)
    if old == new:
        return set()
    gone, come = Counter(old) - Counter(new), Counter(new) - Counter(old)
    return {f"- {line}" for line in gone} | {f"+ {line}" for line in come} or {"  the same lines in another order"}


def told(before: Pages, after: Pages) -> Iterator[str]:
    """The differences as text."""
    where: dict[str, list[str]] = defaultdict(list)
    for page in sorted(before.keys() & after.keys()):
        for change in changes(before[page], after[page]):
            where[change].append(page)
    differing = {page for pages in where.values() for page in pages}
    yield f"{len(before)} pages before, {len(after)} after; {len(differing)} differ, by {len(where)} lines"
    for change, pages in sorted(where.items(), key=lambda item: (-len(item[1]), item[1], item[0])):
        yield f"{len(pages):>5} {change}    in {', '.join(pages[:NAMED])}{', …' * (len(pages) > NAMED)}"
    for what, some, others in (("before", before, after), ("after", after, before)):
        if names := sorted({page.partition(": ")[2] for page in some.keys() - others.keys()}):
            yield f"only {what}: {', '.join(names)}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.house.crawl", description="Compare all pages.")
    parser.add_argument("other", type=Path, help="the checkout to compare with")
    parser.add_argument("--keep", type=Path, help="a folder for the pages")
    asked = parser.parse_args()
    found = {"before": crawled(asked.other.resolve()), "after": crawled(Path.cwd())}
    for name, pages in found.items() if asked.keep else ():
        asked.keep.mkdir(parents=True, exist_ok=True)
        (asked.keep / f"{name}.json").write_text(json.dumps(pages, indent=1), "utf-8")
    sys.stdout.writelines(f"{line}\n" for line in told(**found))


if __name__ == "__main__":
    main()
