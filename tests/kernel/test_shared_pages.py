"""Pages that strangers share: what is kept, for whom, and when it is made anew."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.db import connection
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django.fixtures import Settings

from diplomacy_site.accounts.leaving import delete_account
from diplomacy_site.settings.servers import MOST_PAGES
from diplomacy_site.settings.servers import caches as on_redis
from games.delivery.readers import GameFacts
from games.kernel.access import access_game
from games.kernel.models import Game
from games.kernel.page import page_of
from games.kernel.shared_pages import CHANGES_EACH_TIME, LARGEST_PAGE, part_for_everyone, shared_answer
from games.mastering.services.desk import pause_game
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game, waiting_game
from tests.press.test_press import say
from tests.story import Story

pytestmark = pytest.mark.django_db

HIT = 1
"""How many statements a kept page takes: the one that asks for its version."""


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    clear()
    yield
    clear()


def clear() -> None:
    for each in ("pages", "parts"):
        caches[each].clear()


def pages(game: Game) -> dict[str, str]:
    own = {"slug": game.slug}
    return {
        "home": reverse("games:home"),
        "lobby": reverse("games:lobby"),
        "game": reverse("games:game", kwargs=own),
        "phase": reverse("games:phase", kwargs={**own, "ordinal": 0}),
        "history": reverse("games:history", kwargs=own),
    }


def played() -> Story:
    story = Story(running_game())
    story.deadline()
    return story


def asked(path: str, client: Client | None = None, headers: dict[str, str] | None = None) -> tuple[Any, int]:
    """The answer and how many statements it took."""
    with CaptureQueriesContext(connection) as statements:
        answer = (client or Client()).get(path, headers=headers)
    return answer, len(statements)


def body(answer: Any) -> bytes:
    """Without what differs each time a page is made."""
    zipped = answer.headers.get("Content-Encoding") == "gzip"
    return CHANGES_EACH_TIME.sub(b"", gzip.decompress(answer.content) if zipped else answer.content)


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(person(name))
    return client


@pytest.mark.parametrize("name", ["home", "lobby", "game", "phase", "history"])
def test_a_page_is_made_once_for_all_strangers_who_get_no_cookie_and_may_ask_whether_it_still_holds(name: str) -> None:
    path = pages(played().game)[name]
    made, statements = asked(path)
    assert HIT < statements <= (9 if name == "history" else 8)
    for headers in ({}, {"Accept-Encoding": "gzip"}):
        kept, statements = asked(path, headers=headers)
        assert statements == HIT
        assert body(kept) == body(made)
        assert (kept.headers["ETag"], kept.headers["Cache-Control"]) == (made.headers["ETag"], "public, no-cache")
        assert {"Cookie", "Accept-Encoding"} <= set(kept.headers["Vary"].replace(" ", "").split(","))
        assert not kept.cookies
    unchanged, statements = asked(path, headers={"If-None-Match": made.headers["ETag"]})
    assert (unchanged.status_code, unchanged.content, statements) == (304, b"", HIT)


def test_pages_about_rules_ask_the_database_nothing() -> None:
    for name, where in (("variants", {}), ("variant", {"slug": "1926"}), ("learn", {})):
        path = reverse(f"games:{name}", kwargs=where)
        made, _ = asked(path)
        kept, statements = asked(path)
        assert (statements, body(kept)) == (0, body(made))


def test_whatever_everyone_may_see_change_makes_the_page_anew() -> None:
    story = played()
    path = pages(story.game)["game"]
    answer, _ = asked(path)
    seen = {answer.headers["ETag"]}
    for act in (
        lambda: say(story.game, PLAYERS[0], "Good morning, all"),
        story.deadline,
        lambda: pause_game(game_id=story.game.pk, by=person(CAROL).pk),
        lambda: delete_account(person(PLAYERS[1])),
    ):
        act()
        answer, statements = asked(path)
        assert statements > HIT
        seen.add(answer.headers["ETag"])
    assert len(seen) == 5
    assert PLAYERS[1] not in answer.content.decode()


def test_what_a_seat_writes_neither_changes_nor_renews_the_page() -> None:
    story = played()
    before = {name: asked(path)[0] for name, path in pages(story.game).items()}
    story.order("GERMANY", "A Mun-Cze", "2: A Aus S A Mun-Cze")
    say(story.game, PLAYERS[0], "Channel stays empty?", "FRANCE")
    for name, path in pages(story.game).items():
        kept, statements = asked(path)
        assert (statements, kept.headers["ETag"]) == (HIT, before[name].headers["ETag"])
    caches["pages"].clear()
    for name, path in pages(story.game).items():
        assert asked(path)[0].headers["ETag"] == before[name].headers["ETag"]


def test_what_a_player_was_shown_reaches_no_stranger_and_a_stranger_s_page_no_player() -> None:
    story = played()
    path = pages(story.game)["game"]
    clean, _ = asked(path)
    caches["pages"].clear()
    for name in (PLAYERS[0], CAROL, DAVE):
        own, _ = asked(path, signed_in(name))
        assert own.headers["Cache-Control"] == "private, no-store"
        assert "ETag" not in own.headers
    filled, statements = asked(path)
    assert statements > HIT
    assert body(filled) == body(clean)
    own, statements = asked(path, signed_in(PLAYERS[0]))
    assert statements > HIT
    assert "My orders" in own.content.decode()


def test_a_game_by_invitation_comes_near_no_cache() -> None:
    game = running_game(by_invitation=True)
    for client in (signed_in(PLAYERS[0]), Client()):
        client.get(reverse("games:invited", kwargs={"token": game.invitation}))
        for _ in range(2):
            answer, statements = asked(pages(game)["game"], client)
            assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "private, no-store")
            assert statements > HIT
    assert asked(pages(game)["game"])[0].status_code == 404


def test_addresses_that_anyone_can_make_up_fill_no_cache() -> None:
    path = pages(waiting_game())["game"]
    for _ in range(2):
        answer, statements = asked(f"{path}?made=up")
        assert statements > HIT
        assert answer.headers["Cache-Control"] == "private, no-store"


def test_the_theme_is_part_of_the_page() -> None:
    path = pages(waiting_game())["game"]
    dark = Client()
    dark.cookies["theme"] = "dark"
    shown = {name: asked(path, client)[0] for name, client in (("light", Client()), ("dark", dark))}
    assert b'data-theme="dark"' in shown["dark"].content
    assert b'data-theme="' not in shown["light"].content
    assert shown["light"].headers["ETag"] != shown["dark"].headers["ETag"]


def test_a_process_keeps_a_bounded_number_of_pages_and_none_that_are_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    path = pages(waiting_game())["game"]
    monkeypatch.setattr("games.kernel.shared_pages.LARGEST_PAGE", 1_000)
    assert asked(path)[1] == asked(path)[1] > HIT
    monkeypatch.undo()
    for number in range(2 * MOST_PAGES):
        caches["pages"].set(str(number), b"")
    asked(path)
    assert asked(path)[1] == HIT
    assert len(caches["pages"]._cache) <= MOST_PAGES  # type: ignore[attr-defined]
    assert MOST_PAGES * LARGEST_PAGE < 16_000_000


def test_without_redis_every_stranger_still_gets_the_page(settings: Settings) -> None:
    path = pages(waiting_game())["game"]
    settings.CACHES = on_redis("redis://127.0.0.1:1")
    for _ in range(2):
        assert asked(path)[0].status_code == 200


ALIKE = sorted(
    file.name for file in Path("templates/pages/alike").iterdir() if file.stem not in {"showcase", "open_games"}
)


def alike(game: Game, who: str) -> dict[tuple[str, str], str]:
    """Every part of the game's page that all see alike, made because this viewer asks."""
    caches["parts"].clear()
    page = page_of(access_game(user=person(who) if who else AnonymousUser(), slug=game.slug))
    return {
        (name, power): part_for_everyone(page, f"pages/alike/{name}", power=power, ground="")
        for name in ALIKE
        for power in ("", "FRANCE", "GERMANY")
    }


def test_what_all_see_alike_has_the_same_bytes_whoever_asks_first_and_whatever_is_saved_in_secret() -> None:
    story = played()
    for_stranger = alike(story.game, "")
    assert any("Map of" in part for part in for_stranger.values())
    for who in (PLAYERS[0], PLAYERS[1], CAROL, DAVE):
        assert alike(story.game, who) == for_stranger
    for power in ("FRANCE", "GERMANY"):
        story.order(power, "2: A Aus H")
    for who in ("", *PLAYERS[:2], CAROL):
        assert alike(story.game, who) == for_stranger


def test_two_phases_for_one_reader_are_each_as_strangers_see_that_phase() -> None:
    game = played().game
    clear()
    facts = GameFacts([game.pk])
    access = facts.access(game.pk, person(PLAYERS[0]).pk)
    shown = {it: part_for_everyone(facts.page(access, it), "pages/alike/map.html", ground="") for it in (0, 1)}
    assert ("Spring 1926" in shown[0], "Spring 1926" in shown[1]) == (True, False)


@pytest.mark.parametrize("status", [404, 422, 503])
def test_an_answer_that_is_not_shared_is_kept_by_no_browser_or_proxy(status: int, rf: RequestFactory) -> None:
    answer = shared_answer(rf.get("/"), "any", lambda: HttpResponse(status=status))
    assert (answer.status_code, answer.headers["Cache-Control"]) == (status, "private, no-store")


def test_a_stranger_gets_the_same_page_after_a_player_has_asked_as_before() -> None:
    game = played().game
    path = pages(game)["game"]
    before = body(asked(path)[0])
    clear()
    signed_in(PLAYERS[0]).get(path)
    assert body(asked(path)[0]) == before


def test_a_part_is_made_anew_when_something_public_changes_and_only_then() -> None:
    story = played()
    client, path = signed_in(PLAYERS[0]), pages(story.game)["game"]
    first, again = asked(path, client)[1], asked(path, client)[1]
    assert again < first
    story.deadline()
    assert "Fall 1926" in gunzipped(asked(path, client)[0])


def gunzipped(answer: Any) -> str:
    return body(answer).decode()


def test_nothing_is_kept_of_a_game_by_invitation() -> None:
    story = Story(running_game(by_invitation=True))
    story.deadline()
    assert signed_in(PLAYERS[0]).get(pages(story.game)["game"]).status_code == 200
    assert not caches["parts"]._cache  # type: ignore[attr-defined]
