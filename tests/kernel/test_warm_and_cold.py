"""Whatever changes who may see what: an answer from warm caches is the one that is made without any."""

from __future__ import annotations

import gzip
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from django.core.cache import caches
from django.urls import reverse

from diplomacy_site.accounts.leaving import delete_account, rename_account
from games.endings.services import propose_end
from games.kernel import clock
from games.kernel.shared_pages import CHANGES_EACH_TIME, KEPT_SECONDS
from games.mastering.services.assistants import answer_assistance, answer_handover, name_assistant, offer_handover
from games.mastering.services.desk import (
    close_game,
    empty_seat,
    extend_deadline,
    pause_game,
    rename_game,
    resume_game,
    seat_player,
)
from games.people.services import block_user
from games.seating.services.vacancies import resign, take_over_seat
from tests.browsers import EVE, visitor
from tests.cast import CAROL, DAVE, PLAYERS, people, person
from tests.factories import occupancy_of, running_game
from tests.press.test_press import say
from tests.secrecy.observation import TOKEN
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from django.test import Client

    from games.kernel.models import Game

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

ALICE, BOB = PLAYERS[:2]
HELPERS = KATE, LIAM, MONA = "kate", "liam", "mona"
READERS = (EVE, DAVE, ALICE, BOB, CAROL)


def changes(game: Game) -> Mapping[str, Callable[[], object]]:
    """Changes of roles and terms, in the order of a game."""
    story = Story(game)
    of: dict[str, Any] = {"game_id": game.pk}
    by: dict[str, Any] = {**of, "by": person(CAROL).pk}
    dave, kate = person(DAVE), person(KATE)
    return {
        "a phase is over": story.deadline,
        "a player talks": lambda: say(game, ALICE, "Good morning, all"),
        "paused": lambda: pause_game(**by),
        "resumed": lambda: resume_game(**by),
        "extended": lambda: extend_deadline(**by, seconds=86_400),
        "renamed": lambda: rename_game(**by, name="The long winter"),
        "an assistant is asked": lambda: name_assistant(**by, username=KATE, rights=["talk"]),
        "an assistant": lambda: answer_assistance(**of, user_id=kate.pk, accept=True),
        "a seat is emptied": lambda: empty_seat(**by, power="FRANCE", reason="Gone"),
        "a player is seated": lambda: seat_player(**by, power="FRANCE", username=DAVE),
        "a player resigns": lambda: resign(**of, user_id=dave.pk),
        "a seat is taken over": lambda: take_over_seat(**of, user_id=person(LIAM).pk, power="FRANCE"),
        "a draw is proposed": lambda: propose_end(
            occupancy_id=occupancy_of(game, "GERMANY").pk, kind="draw", powers=["GERMANY", "ITALY"]
        ),
        "the game is handed over": lambda: offer_handover(**by, username=MONA),
        "another game master": lambda: answer_handover(**of, user_id=person(MONA).pk, accept=True),
        "a player is blocked": lambda: block_user(by=person(ALICE).pk, username=BOB),
        "an account has another name": lambda: rename_account(person(BOB), "robert"),
        "an account is deleted": lambda: delete_account(person(PLAYERS[2])),
        "the game is closed": lambda: close_game(game_id=game.pk, by=person(MONA).pk, reason="Enough"),
    }


WITHOUT_A_VERSION = {"an account has another name"}
"""No line in the log and no game tells of them: what was kept before shows for `KEPT_SECONDS` at most."""


def addresses(game: Game) -> list[str]:
    """Those whose answers, or parts of them, are kept."""
    own = {"slug": game.slug}
    pages = [
        reverse(f"games:{name}", kwargs=own) for name in ("game", "history", "terms", "newest-map", "orders", "gm")
    ]
    lists = [reverse(f"games:{name}") for name in ("home", "lobby", "seats", "tournaments")]
    program = [reverse("api:game", kwargs=own), reverse("api:games")]
    phase = {**own, "ordinal": 0}
    return [*pages, *lists, *program, reverse("games:phase", kwargs=phase), reverse("api:phase", kwargs=phase)]


@contextmanager
def nothing_kept() -> Iterator[None]:
    """Caches are as empty as in a new process; afterwards they are as warm as before."""
    before: dict[Any, Any] = {each: each.version for each in caches.all()}
    for each in before:
        each.version = f"{each.version}-cold-{clock.now().isoformat()}"
    try:
        yield
    finally:
        for each, version in before.items():
            each.version = version


def answers(browsers: Mapping[str, Client], paths: list[str]) -> dict[tuple[str, str], tuple[int, str]]:
    found = {}
    for name, browser in browsers.items():
        for path in paths:
            answer = browser.get(path)
            content = answer.content
            if answer.headers.get("Content-Encoding") == "gzip":
                content = gzip.decompress(content)
            text = TOKEN.sub("TOKEN", CHANGES_EACH_TIME.sub(b"", content).decode())
            found[name, path] = answer.status_code, text
    return found


def test_after_each_change_of_roles_and_terms_warm_answers_equal_cold_ones_for_every_reader() -> None:
    with time_machine.travel(clock.now(), tick=False) as now:
        people([DAVE, *HELPERS])
        game = running_game()
        browsers = {name: visitor(name) for name in READERS}
        paths = addresses(game)
        answers(browsers, paths)
        seen = set()
        for change, happen in changes(game).items():
            happen()
            if change in WITHOUT_A_VERSION:
                now.shift(KEPT_SECONDS + 1)
            warm = answers(browsers, paths)
            with nothing_kept():
                cold = answers(browsers, paths)
            assert [where for where, found in warm.items() if found != cold[where]] == [], change
            seen.add(warm[EVE, paths[0]])
        assert len(seen) > 10, "the changes show"
