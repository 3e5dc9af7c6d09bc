"""Change what the others wrote: my page must not change by a byte, my letters neither, nor any public row."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
import time_machine

from games import clock
from tests.cast import PLAYERS
from tests.factories import running_game
from tests.secrecy.addresses import addresses, onto_grounds
from tests.secrecy.observation import VIEWERS, Observed, letters, observed_at, observed_by, public_rows
from tests.secrecy.worlds import world
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_django.fixtures import Settings

    from games.models import Game

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)

Writing = dict[str, tuple[str, ...]]
"""Power -> the lines of its sheet."""

MINE: Writing = {"BRITAIN": ("F Lon-NTH", "1: F Nwy H")}
"""The viewing player's own sheet is the same in every world."""

WHILE_OPEN: dict[str, Writing] = {
    "nobody else wrote": {},
    "one bid much": {"GERMANY": ("A Mun-Cze", "3: A Aus S A Mun-Cze")},
    "all wrote and bid": {
        "GERMANY": ("A Mun H", "1: A Aus H"),
        "FRANCE": ("A Par-Bur", "1: A Bel S A Par-Bur", "1: A Swi H", "1: A Spa H"),
        "ITALY": ("A Mil-Swi", "3: A Aus S A Mil-Swi"),
        "TURKEY": ("# thinking",),
        "POLAND": ("A War H", "A Cra H", "F Gdy H"),
        "SOVIET_UNION": ("A Mos H", "2: A Rum H"),
    },
}

ORDERS: Writing = {
    "FRANCE": ("A Par-Bur",),
    "GERMANY": ("A Mun-Cze", "A Ber H"),
    "ITALY": ("A Mil-Swi",),
    "POLAND": ("A War H",),
    "TURKEY": ("A Ank H",),
}
"""The same orders in every world; the bids differ, and the same orders of minor powers win:
Austria supports Munich, Switzerland holds."""

BIDS: dict[str, Writing] = {
    "outbid": {
        "GERMANY": ("2: A Aus S A Mun-Cze",),
        "ITALY": ("1: A Aus S A Mil-Swi", "1: A Swi H"),
        "FRANCE": ("1: A Swi S A Aus",),
    },
    "alone": {"GERMANY": ("3: A Aus S A Mun-Cze",)},
    "helped by a friend": {
        "GERMANY": ("1: A Aus S A Mun-Cze",),
        "TURKEY": ("1: A Aus S A Mun-Cze", "2: A Swi H"),
        "ITALY": ("1: A Aus S A Mil-Swi",),
        "POLAND": ("1: A Swi S A Aus",),
    },
}


@pytest.fixture(autouse=True)
def frozen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every clock stands still: the site's own, and the one behind sessions and headers."""
    monkeypatch.setattr(clock, "now", lambda: NOON)
    with time_machine.travel(NOON, tick=False):
        yield


def write(game: Game, writing: Mapping[str, tuple[str, ...]]) -> None:
    for power, lines in {**writing, **MINE}.items():
        Story(game).order(power, *lines)


def joined(bids: Writing) -> Writing:
    return {power: (*lines, *bids.get(power, ())) for power, lines in ORDERS.items()}


def seen_while_open(game: Game, viewer: str) -> dict[str, dict[str, Observed]]:
    seen = {}
    for name, writing in WHILE_OPEN.items():
        with world():
            write(game, writing)
            seen[name] = observed_by(viewer, game) | observed_at(onto_grounds(game), viewer)
    return seen


def seen_once_closed(game: Game, viewer: str) -> dict[str, dict[str, Observed]]:
    seen = {}
    for name, bids in BIDS.items():
        with world():
            write(game, joined(bids))
            Story(game).deadline()
            seen[name] = observed_by(viewer, game) | observed_at(onto_grounds(game), viewer)
            if viewer == "carol":
                del seen[name]["POST games:bids"]  # this door is open to her, and each look is logged
    return seen


def assert_all_alike(worlds: dict[str, dict[str, Observed]]) -> None:
    first, *others = worlds.values()
    for other in others:
        assert other.keys() == first.keys()
        for address, observed in first.items():
            assert other[address] == observed, address
            assert observed.status < 500, address


@pytest.mark.parametrize("viewer", VIEWERS)
def test_while_a_phase_is_open_nothing_depends_on_what_the_others_wrote(viewer: str) -> None:
    game = running_game()
    worlds = seen_while_open(game, viewer)
    assert_all_alike(worlds)
    for address in ("GET games:game", "GET games:game onto its ground"):
        page = worlds["all wrote and bid"][address]
        assert page.status == 200
        assert "Movement" in page.body
        assert ("data-colours=" in page.body) is ("onto" in address)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_once_it_has_closed_nothing_depends_on_who_bid_how_much(viewer: str) -> None:
    game = running_game()
    worlds = seen_once_closed(game, viewer)
    assert_all_alike(worlds)
    for address in ("GET games:phase", "GET games:phase onto its ground"):
        page = worlds["outbid"][address]
        assert page.status == 200
        assert "A Aus S A Mun–Cze" in page.body
        assert ("data-colours=" in page.body) is ("onto" in address)


def test_the_own_sheet_is_there_so_that_the_pages_compared_are_the_real_ones() -> None:
    game = running_game()
    with world():
        write(game, WHILE_OPEN["all wrote and bid"])
        mine = observed_by(PLAYERS[0], game)
    assert "F Lon-NTH" in mine["GET games:orders"].body
    assert "F Lon-NTH" in mine["GET api:sheet"].body


def test_letters_and_public_rows_do_not_depend_on_bids() -> None:
    game = running_game()
    letters()
    worlds = []
    for bids in BIDS.values():
        with world():
            write(game, joined(bids))
            while_open = public_rows()
            Story(game).deadline()
            worlds.append((while_open, public_rows(), letters()))
    assert worlds[0] == worlds[1] == worlds[2]
    assert len(worlds[0][2]) == len(PLAYERS)


def test_no_page_of_an_observer_contains_a_trace_of_a_bid() -> None:
    """Rules pages may show such an order among their examples, and the page for trying offers all, whoever bids."""
    game = running_game()
    with world():
        anyway = traces(observed_by("eve", game) | observed_by("dave", game), "A HUN S")
    with world():
        write(game, {"GERMANY": ("A Mun-Cze", "2: A Hun S A Aus # Zygmunt")})
        pages = observed_by("eve", game) | observed_by("dave", game)
        assert traces(pages, "ZYGMUNT") == []
        assert traces(pages, "A HUN S") == anyway
        assert anyway == ["GET games:variant", "GET games:whatif", "POST games:whatif"]


def traces(pages: Mapping[str, Observed], words: str) -> list[str]:
    return sorted(name for name, page in pages.items() if words in page.body.upper())


@pytest.mark.parametrize("leak", ["count", "length", "queries", "sequence"])
def test_a_planted_leak_is_noticed(leak: str, settings: Settings) -> None:
    settings.ROOT_URLCONF = "tests.secrecy.leaks"
    game = running_game()
    name, seen = f"leaks:{leak}", []
    planted = {name: addresses(game)[name]}
    for bids in BIDS.values():
        with world():
            write(game, joined(bids))
            seen.append(observed_at(planted, "eve")[f"GET {name}"])
    assert seen[0].status == 200
    assert not seen[0] == seen[1] == seen[2]
