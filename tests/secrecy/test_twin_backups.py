"""Backups of twin sites show nothing of what was done in secret, even side by side: saves, their number and their
times, secret readiness, and the seats that a deadline waited for.

`LONG_ROUND=backups` tries each secret alone too, for several powers.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from io import BytesIO
from itertools import combinations
from operator import eq
from typing import TYPE_CHECKING, Any

import pytest

from diplomacy_site.backups import CHECKS, write_backup
from games.deadlines.phases import close_due_phase
from games.deadlines.reminders import remind_of_phase
from games.delivery.letters import deliver_letters
from games.orders.services import set_ready
from games.sealed.crypto import KEY_BYTES_SHOWN, SLOT_BYTES
from tests.backups import members_of
from tests.database import copy_of_database, use_database
from tests.factories import HOUR, occupancy_of, open_phase, powers_of, running_game
from tests.long_round import how_many
from tests.moment import MONDAY_NOON, Moment
from tests.secrecy.sealed_records import without_codes
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from games.kernel.models import Game

pytestmark = pytest.mark.django_db(transaction=True)

SECRETS = ("saves", "blank orders", "ready", "waited for")
PAIRS = (("GERMANY", "ITALY"), ("BRITAIN", "SOVIET_UNION"), ("TURKEY", "FRANCE"))
SHEETS = "rows/sealed_sheets"
TRIED = [(SECRETS, PAIRS[0]), *(((kind,), pair) for kind in SECRETS for pair in PAIRS)][: how_many("backups")]


@dataclass(frozen=True)
class Held:
    """A backup as someone without the keys can read it. `told`: the members of the file, without the codes of sealed
    records and the sheets; `sheets`: what is sealed for each phase."""

    told: dict[str, str]
    sheets: dict[int, bytes]
    open_phases: frozenset[int]


def held(games: tuple[Game, Game]) -> Held:
    file = BytesIO()
    write_backup(file)
    told = {name: content.decode() for name, content in members_of(file.getvalue()).items()}
    rows = [line.split("\t") for line in told.get(SHEETS, "").splitlines()]
    checks: dict[str, Any] = json.loads(told[CHECKS])
    for table in ("sealed_sheets", "orders_commitment"):
        checks[table][1] = "differs by chance"
    told[CHECKS] = json.dumps(checks)
    told["rows/orders_commitment"] = without_codes(told.get("rows/orders_commitment", ""))
    told[SHEETS] = "\n".join(f"{number} {len(content)}" for number, content in rows)
    sealed = {int(number): bytes.fromhex(content.removeprefix("\\\\x")) for number, content in rows}
    return Held(told, sealed, frozenset(open_phase(game).pk for game in games))


def story_of(games: tuple[Game, Game], moment: Moment, secrets: tuple[str, ...], pair: tuple[str, str]) -> list[Held]:
    """The backups made while two games go on, in public always in the same way, in secret with all of these or none."""
    hidden, graced = games
    first, second = pair
    moment.now = MONDAY_NOON
    found = [held(games)]
    moment.wait(hours=1)
    acts: dict[str, Callable[[], object]] = {
        "saves": lambda: [Story(hidden).order(first, line) for line in ("", "# Well", "2: A Aus H")],
        "blank orders": lambda: Story(hidden).order(second, ""),
        "ready": lambda: say_ready(hidden, pair),
    }
    for kind in acts.keys() & set(secrets):
        acts[kind]()
    found += [held(games), held(games)]
    moment.wait(hours=47)
    for game in games:
        remind_of_phase(phase_id=open_phase(game).pk)
    deliver_letters()
    found.append(held(games))
    save_all(hidden)
    save_all(graced, except_for=second if "waited for" in secrets else first)
    moment.wait(hours=24)
    assert [close_due_phase(phase_id=open_phase(game).pk) for game in games] == [True, False]
    found.append(held(games))
    save_all(graced)
    moment.wait(hours=1)
    assert close_due_phase(phase_id=open_phase(graced).pk)
    deliver_letters()
    return [*found, held(games)]


def say_ready(game: Game, powers: tuple[str, ...]) -> None:
    """The last of them takes it back."""
    said = [(power, True) for power in powers] + [(powers[-1], False)]
    for power, ready in said:
        set_ready(occupancy_id=occupancy_of(game, power).pk, ordinal=0, ready=ready)


def save_all(game: Game, except_for: str = "") -> None:
    for power in powers_of(game):
        if power != except_for:
            Story(game).order(power, "")


@pytest.mark.parametrize(("secrets", "pair"), TRIED)
def test_backups_of_twin_sites_tell_nothing_of_what_was_done_in_secret(
    secrets: tuple[str, ...], pair: tuple[str, str], moment: Moment
) -> None:
    hidden = running_game(name="Hidden", movement_seconds=72 * HOUR, all_ready=True, show_ready=False)
    graced = running_game(name="Graced", movement_seconds=72 * HOUR, grace_seconds=HOUR, grace_times=2)
    deliver_letters()
    with copy_of_database() as twin:
        quiet = story_of((hidden, graced), moment, (), pair)
        use_database(twin)
        busy = story_of((hidden, graced), moment, secrets, pair)
    for there, here in zip(quiet, busy, strict=True):
        assert differing(there, here) == []
    compared = 0
    for one, other in combinations([*quiet, *busy], 2):
        compared += differ_in_every_slot(one, other)
    tell(f"{', '.join(secrets)} ({' and '.join(pair)}): {len(quiet)} pairs of backups, {compared} slots compared")


def differing(one: Held, other: Held) -> list[str]:
    """The members of the files that differ. Sheets differ by chance, so of these it is their phases and sizes."""
    return sorted(name for name in one.told.keys() | other.told.keys() if one.told.get(name) != other.told.get(name))


def differ_in_every_slot(one: Held, other: Held) -> int:
    """How many slots were compared: those of phases that were open in either of the backups."""
    count = 0
    for number in (one.open_phases | other.open_phases) & one.sheets.keys() & other.sheets.keys():
        for slots in zip(slots_in(one.sheets[number]), slots_in(other.sheets[number]), strict=True):
            assert sum(map(eq, *slots)) < SLOT_BYTES / 10, "chance leaves one byte in 256 as it was"
            count += 1
    assert count
    return count


def slots_in(sealed: bytes) -> Iterator[bytes]:
    return (sealed[start : start + SLOT_BYTES] for start in range(KEY_BYTES_SHOWN, len(sealed), SLOT_BYTES))


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
