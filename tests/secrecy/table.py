"""The table of non-interference in full: `./run test tests/secrecy/table.py -n 0 -s` prints it.

The name keeps this out of the ordinary run, which has the short form (`test_table.py`): here three worlds are compared,
by every method, and everyone gets emails and has a device.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.browsers import EVE
from tests.secrecy.channels import CHANNELS, listen, receivers
from tests.secrecy.comparison import ACCOUNT, caches_compared, channels_compared, compared, rows_compared
from tests.secrecy.observation import Observed
from tests.secrecy.roles import ROLES, TITLES
from tests.secrecy.rows import AS_THEY_ARE, EXCEPTIONS
from tests.secrecy.scene import APART, KINDS, MOST_WAYS, built, mixed
from tests.secrecy.worlds import standing_still

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_django.fixtures import Settings

    from tests.browsers import EVE
from tests.secrecy.comparison import Cell, Outcome

pytestmark = pytest.mark.django_db

WORLDS = [mixed(way) for way in range(MOST_WAYS)]
SEALED = [{"bids": way, "sheets": way} for way in range(MOST_WAYS)]
ASKING = [{APART: way} for way in range(MOST_WAYS)]
STRANGER, *OTHERS = ROLES
AFTER = [(filler, STRANGER) for filler in ROLES] + [(STRANGER, reader) for reader in OTHERS]
PEOPLE = tuple(role.name for role in ROLES if role.name != EVE)


def test_the_table(settings: Settings) -> None:
    with standing_still():
        scene = built()
        outcomes = [compared(scene, WORLDS, [role], fully=True) for role in ROLES]
        outcomes += [compared(scene, ASKING, [role]) for role in ROLES]
        outcomes.append(caches_compared(scene, WORLDS, AFTER, only="games:"))
        outcomes.append(rows_compared(scene, SEALED))
        with receivers(settings) as both:
            listen(scene, both, PEOPLE)
            outcomes.append(channels_compared(scene, WORLDS, both, PEOPLE))
    show(outcomes)
    assert [line for outcome in outcomes for line in outcome.beyond(EXCEPTIONS)] == []
    assert {cell for outcome in outcomes for cell in outcome.differing} == set(EXCEPTIONS), "as many as needed"


def show(outcomes: Iterable[Outcome]) -> None:
    """Print a line for each row, with a sign for each role, and the counts."""
    first: dict[Cell, object] = {}
    differing: dict[Cell, str] = {}
    comparisons = 0
    for outcome in outcomes:
        first = {**outcome.first, **first}
        differing |= outcome.differing
        comparisons += outcome.comparisons
    rows = sorted({what for role, what in first if role in TITLES})
    say(f"{'':44} {' '.join(f'{title:>10}' for title in TITLES)}")
    for what in rows:
        say(f"{what:44} {' '.join(f'{_sign(first, differing, (title, what)):>10}' for title in TITLES)}")
    for role, what in sorted(cell for cell in first if cell[0] not in TITLES):
        say(f"{what:44} {role}: {'differs' if (role, what) in differing else 'the same'}")
    names = {what.split(" ")[1] for what in rows if what not in {ACCOUNT, *CHANNELS}}
    say(f"{len(names)} addresses and {len(CHANNELS)} channels; {len(ROLES)} roles; {len(KINDS)} kinds of secret")
    say(f"{len(rows)} rows, {len(first)} cells, {comparisons} comparisons, {len(differing)} cells differ")
    for name in sorted(AS_THEY_ARE.keys() - names):
        say(f"no library has this page any more, delete it from rows.py: {name}")
    for (role, what), (kind, why) in EXCEPTIONS.items():
        say(f"may differ: {role}, {what}, by {kind}: {why}")


def _sign(first: Mapping[Cell, object], differing: Mapping[Cell, str], cell: Cell) -> str:
    """The status, with ! where something differs that may not, and ? where it may."""
    found = first.get(cell)
    mark = "" if cell not in differing else "?" if cell in EXCEPTIONS else "!"
    if isinstance(found, Observed):
        return f"{found.status}{mark}"
    return "" if found is None else mark or "same"


def say(line: str) -> None:
    sys.stdout.write(line.rstrip() + "\n")
