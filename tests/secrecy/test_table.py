"""The table of non-interference, in its short form: every address for every role, in two worlds that differ in every
kind of secret at once; and everything else that leaves the site. `table.py` is the full form."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

import pytest
from django.db import transaction

from tests.cast import CAROL
from tests.secrecy import leaks
from tests.secrecy.addresses import METHODS, everywhere
from tests.secrecy.channels import CHANNELS, listen, receivers
from tests.secrecy.comparison import caches_compared, channels_compared, compared, rows_compared
from tests.secrecy.groups import WRONG_METHOD
from tests.secrecy.observation import Observed, Request, answers
from tests.secrecy.requests import WRONG_PAGE, answered_alike, known, refused_by_method
from tests.secrecy.roles import ALICE, HAL, NORA, ROLES
from tests.secrecy.rows import EXCEPTIONS, row_of
from tests.secrecy.scene import APART, built, mixed, world_of
from tests.secrecy.worlds import standing_still

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_django import DjangoDbBlocker
    from pytest_django.fixtures import Settings

    from tests.secrecy.comparison import Outcome
    from tests.secrecy.roles import Role
    from tests.secrecy.scene import Scene

pytestmark = pytest.mark.django_db

QUIET, LOUD = mixed(0), mixed(1)
SEALED: dict[str, int] = {"bids": 1, "sheets": 1}
STRANGER, PLAYER = ROLES[0], ROLES[2]
SHARING = [ROLES[first : first + 6] for first in range(0, len(ROLES), 6)]
"""The roles that look at the same two worlds, which take time to make."""
SOME = (ALICE, NORA, CAROL, HAL)
"""The recipients of emails here: a player, a former one, a game master, and one who plays."""


@pytest.fixture(scope="module")
def once_built(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    """One scene for all tests here: each undoes its changes."""
    with django_db_blocker.unblock(), transaction.atomic():
        with standing_still():
            scene = built()
        yield scene
        transaction.set_rollback(True)


@pytest.fixture
def scene(once_built: Scene) -> Iterator[Scene]:
    with standing_still():
        yield deepcopy(once_built)


@pytest.mark.timeout(3_600)  # hundreds of requests for each role, perhaps on a busy machine
@pytest.mark.parametrize("roles", SHARING, ids=lambda roles: ", ".join(role.title for role in roles))
def test_nothing_at_any_address_depends_on_secrets_to_which_a_role_is_not_entitled(
    roles: Sequence[Role], scene: Scene
) -> None:
    outcome = compared(scene, (QUIET, LOUD), roles)
    assert outcome.beyond(EXCEPTIONS) == []
    titles = {role.title for role in roles}
    needed = {cell for cell, (kind, _) in EXCEPTIONS.items() if cell[0] in titles and kind != APART} - outcome.alike
    assert needed <= set(outcome.differing), "an exception that is not needed"
    for role in roles:
        assert rows_that_are_wrong(role, outcome) == []
        wanted = READERS_OF.get(role.title, {})
        assert [what for what, words in wanted.items() if words not in body(outcome, role, what)] == []


READERS_OF = {
    "stranger": {"GET games:phase": "A Aus S A Mun–Cze", "GET games:thread everybody": "Good morning, all"},
    "player": {
        "GET games:orders": "F NTH-Nwy",
        "GET games:thread": "Good morning, Britain",
        "GET games:thread gm+BRITAIN": "Good morning, alone",
        "GET games:proposals": "A draw between Britain and Italy",
    },
    "sitter": {"GET games:orders": "F NTH-Nwy", "GET api:sheet": "F NTH-Nwy"},
    "gm": {
        "GET games:thread gm+BRITAIN": "Good morning, master",
        "GET games:missing": "5 of 6 players haven’t saved orders",
        "POST games:bids": "3",
        "POST games:correct filled": "A Mun–Cze of Germany counts as A Mun holds",
        "POST games:all-bids": "Bids of Spring",
        "POST games:preview": "It shows the result if",
    },
    "blind gm": {
        "GET games:terms": "The game master can look at the bids from past phases",
        "POST games:preview": "their orders are left out",
    },
    "assistant": {
        "POST games:bids": "3",
        "POST games:all-bids": "Bids of Spring",
        "POST games:preview": "It shows the result if",
    },
    "moderator": {"GET games:moderation": "Good morning, ally"},
}
"""Words that must be there, so that the pages compared are the real ones."""


def body(outcome: Outcome, role: Role, what: str) -> str:
    found = outcome.first[role.title, what]
    assert isinstance(found, Observed)
    return found.body


def rows_that_are_wrong(role: Role, outcome: Outcome) -> list[str]:
    """For each response that differs from its row: what to write where."""
    wrong, refused = [], refused_by_method(role)
    for address in everywhere():
        for method, row in (row_of(address) or {}).items():
            cell = role.title, f"{method} {address.name}"
            if cell in outcome.alike or ((method, address.name) in refused and row[role.title] == WRONG_METHOD):
                continue
            found = outcome.first.get(cell)
            status = found.status if isinstance(found, Observed) else "nothing, as nobody asks"
            if status not in row[role.title]:
                wrong.append(
                    f"tests/secrecy/rows.py, {method} {address.name}: the {role.title} gets {status}, "
                    f"and the row says {' or '.join(map(str, row[role.title]))}"
                )
    return wrong


def test_a_method_that_an_address_does_not_take_is_refused_before_anything_is_looked_up_there(scene: Scene) -> None:
    refused = sorted(refused_by_method(PLAYER))
    assert {method for method, _ in refused} == set(METHODS)
    with world_of(scene, QUIET):
        paths = known(scene, PLAYER)
        seen = answers([Request(method, name, paths[name]) for method, name in refused], PLAYER.name)
    assert {what: it.status for what, it in seen.items() if it.status != 405} == {}
    assert [what for what, it in seen.items() if it.looked and " api:" in what] == []
    pages = {it.queries for what, it in seen.items() if " games:" in what}
    assert pages == {seen[" ".join(WRONG_PAGE)].queries}, "what the frame of the page takes, compared at one address"


def test_buttons_of_a_page_lead_there_alike_and_one_gate_refuses_alike(scene: Scene) -> None:
    with world_of(scene, QUIET):
        paths = known(scene, PLAYER)
        alike = answered_alike(PLAYER, paths)
        asked = {*alike, *((method, earlier) for (method, _), earlier in alike.items())}
        seen = answers([Request(method, name, paths[name]) for method, name in sorted(asked)], PLAYER.name)
    assert {method for method, _ in alike} == {"GET", "POST"}
    led = {what: dict(it.headers).get("Location", "").partition("?next=")[0] for what, it in seen.items()}
    parts = {what: (it.status, it.queries, led[what]) for what, it in seen.items()}
    differing = {
        f"{method} {name}"
        for (method, name), earlier in alike.items()
        if parts[f"{method} {name}"] != parts[f"{method} {earlier}"]
    }
    assert differing == set()


def test_the_staff_may_read_that_somebody_asks_to_join_and_nobody_else(scene: Scene) -> None:
    staff = [role for role in ROLES if role.title == "staff"]
    outcome = compared(scene, ({}, {APART: 1}), staff, only="admin:kernel_letter")
    assert set(outcome.differing) == {cell for cell, (kind, _) in EXCEPTIONS.items() if kind == APART}


def test_no_preview_depends_on_bids_that_the_game_master_may_not_see(scene: Scene) -> None:
    roles = [role for role in ROLES if role.title in {"blind gm", "gm"}]
    for only in ("games:preview", "api:gm-preview"):
        outcome = compared(scene, ({"offers": 1}, {"offers": 2}), roles, only=only)
        assert set(outcome.differing) == {("gm", f"POST {only}")}, "it does where they may"


def test_nothing_that_leaves_the_site_depends_on_secrets(scene: Scene, settings: Settings) -> None:
    with receivers(settings) as both:
        listen(scene, both, SOME[:3])
        outcome = channels_compared(scene, (QUIET, LOUD), both, SOME)
    assert outcome.beyond(()) == []
    assert {channel for _, channel in outcome.first} == set(CHANNELS) - {"rows"}
    empty = {channel for _, channel in outcome.first} - {what for (_, what), it in outcome.first.items() if it}
    assert empty == set(), "something must arrive on every channel"


def test_no_row_depends_on_what_is_sealed(scene: Scene) -> None:
    assert rows_compared(scene, ({}, SEALED)).beyond(()) == []


def test_no_cached_answer_depends_on_secrets_whoever_asked_before(scene: Scene) -> None:
    outcome = caches_compared(scene, (QUIET, LOUD), [(PLAYER, STRANGER)], only="games:")
    assert outcome.beyond(()) == []
    again = caches_compared(scene, [QUIET], [(STRANGER, STRANGER)], only="games:phase")
    seen = again.first["stranger", "GET games:phase after the stranger"]
    made = outcome.first["stranger", "GET games:phase after the player"]
    assert isinstance(seen, Observed)
    assert isinstance(made, Observed)
    assert (seen.body, seen.queries < made.queries) == (made.body, True), "nothing came from the cache"


def test_a_leak_through_the_cache_is_noticed(scene: Scene, settings: Settings) -> None:
    settings.ROOT_URLCONF = "tests.secrecy.leaks"
    outcome = caches_compared(scene, (QUIET, LOUD), [(PLAYER, STRANGER)], only="leaks:kept")
    assert outcome.differing == {("stranger", "GET leaks:kept after the player"): "differs in body"}


def test_leaks_planted_at_addresses_are_noticed(scene: Scene, settings: Settings) -> None:
    settings.ROOT_URLCONF = "tests.secrecy.leaks"
    with leaks.remembering():
        outcome = compared(scene, (QUIET, LOUD), ROLES[:2], only="leaks:")
    noticed: dict[str, dict[str, str]] = {role.title: {} for role in ROLES[:2]}
    for (title, what), how in outcome.differing.items():
        noticed[title][what.removeprefix("GET leaks:")] = how
    in_rows = {
        "count": "differs in body",
        "length": "differs in headers, body",
        "header": "differs in headers",
        "queries": "differs in queries",
        "sequence": "differs in body",
        "words": "differs in body",
        "line": "differs in logged",
    }
    assert noticed["stranger"] == {**in_rows, "remembered": "differs in body"}
    assert noticed["observer"] == {**in_rows, "kept": "differs in body"}, "asks again only for what rests on other rows"
    outcome = compared(scene, (QUIET, LOUD), ROLES[:1], only="account_tomorrow")
    assert outcome.differing == {("stranger", "GET account_tomorrow"): "differs in body"}


def test_leaks_planted_elsewhere_are_noticed(scene: Scene, settings: Settings) -> None:
    with receivers(settings) as both, leaks.planted():
        outcome = channels_compared(scene, ({}, SEALED), both, (CAROL,))
    noticed = {channel for _, channel in outcome.differing}
    assert {*leaks.AT_THE_DEADLINE.values(), *leaks.WHEN_SAVED.values()} <= noticed
