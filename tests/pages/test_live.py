"""What open pages are told, and which of them: tickets, public versions, announcements, the stream itself."""

from __future__ import annotations

import asyncio
import json
import resource
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
import time_machine
from django.conf import settings as site
from django.core.signing import TimestampSigner
from django.urls import reverse
from django.utils import timezone
from redis import Redis

from diplomacy_site.asgi import application
from diplomacy_site.events import hub, stream
from diplomacy_site.events.hub import Hub
from diplomacy_site.networks import PerNetwork
from diplomacy_site.settings.servers import caches
from games.kernel import live_tickets
from games.mastering.services.desk import close_game, extend_deadline, pause_game, start_game
from games.orders.services import set_ready
from games.people.tokens import make_token
from games.seating.services.new_game import leave_before_start, take_seat
from tests.cast import CAROL, PLAYERS, person
from tests.factories import occupancy_of, running_game, waiting_game
from tests.listening import Listener, current_version
from tests.press.test_press import say
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from django.test import Client
    from pytest_django import DjangoCaptureOnCommitCallbacks
    from pytest_django.fixtures import Settings

    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

ALICE, BOB = PLAYERS[:2]
GONE = {"type": "http.disconnect"}
SOON = 60


def ready(game: Game, power: str, *, yes: bool = True) -> None:
    set_ready(occupancy_id=occupancy_of(game, power).pk, ordinal=0, ready=yes)


# -- versions
def test_every_public_change_makes_another_version_and_nothing_else_does() -> None:
    game = running_game(all_ready=True)
    carol = person(CAROL).pk
    versions = [current_version(game.pk)]
    for act in (
        lambda: ready(game, "BRITAIN"),
        lambda: ready(game, "FRANCE"),
        lambda: ready(game, "BRITAIN", yes=False),
        lambda: say(game, ALICE, "Good morning, all"),
        lambda: extend_deadline(game_id=game.pk, by=carol, seconds=60),
        lambda: Story(game).deadline(),
        lambda: pause_game(game_id=game.pk, by=carol),
        lambda: close_game(game_id=game.pk, by=carol),
    ):
        act()
        versions.append(current_version(game.pk))
        assert current_version(game.pk) == versions[-1]
    assert len(set(versions)) == len(versions) == 9


def test_seats_that_are_taken_and_left_make_another_version() -> None:
    game = waiting_game()
    versions = [current_version(game.pk)]
    take_seat(game_id=game.pk, user_id=person(ALICE).pk, power="FRANCE")
    versions.append(current_version(game.pk))
    leave_before_start(game_id=game.pk, user_id=person(ALICE).pk)
    versions.append(current_version(game.pk))
    take_seat(game_id=game.pk, user_id=person(ALICE).pk, power="FRANCE")
    start_game(game_id=game.pk, by=person(CAROL).pk)
    versions.append(current_version(game.pk))
    assert len(set(versions)) == len(versions) == 4


def test_sheets_and_private_words_leave_the_version_as_it_is() -> None:
    game = running_game()
    before = current_version(game.pk)
    Story(game).order("GERMANY", "A Mun-Cze", "3: A Aus S A Mun-Cze")
    say(game, ALICE, "Channel stays empty?", "FRANCE")
    assert current_version(game.pk) == before


def test_no_game_has_the_version_of_another() -> None:
    assert current_version(running_game().pk) != current_version(waiting_game().pk)


# -- tickets
def test_a_ticket_is_good_for_its_game_until_it_is_old() -> None:
    ticket = live_tickets.ticket_for("locarno-1234")
    assert live_tickets.channels_of_ticket(ticket) == ["locarno-1234"]
    with time_machine.travel(timezone.now() + timedelta(seconds=live_tickets.TICKET_SECONDS + 2)):
        assert live_tickets.channels_of_ticket(ticket) == []


@pytest.mark.parametrize("forged", ["", "locarno-1234", "locarno-1234:1abcde:c2lnbmF0dXJl"])
def test_a_forged_ticket_is_good_for_nothing(forged: str) -> None:
    assert live_tickets.channels_of_ticket(forged) == []
    assert live_tickets.channels_of_ticket(live_tickets.ticket_for("locarno-1234").replace("1234", "1235")) == []
    assert live_tickets.channels_of_ticket(TimestampSigner(salt="something else").sign("locarno-1234")) == []


def test_only_who_may_see_a_game_finds_a_ticket(client: Client) -> None:
    game = waiting_game(by_invitation=True)
    address = reverse("games:game", kwargs={"slug": game.slug})
    refused = client.get(address)
    assert (refused.status_code, b"data-ticket" in refused.content) == (HTTPStatus.NOT_FOUND, False)
    client.force_login(person(CAROL))
    assert f'data-ticket="{game.slug}:' in client.get(address).content.decode()


# -- announcements
@pytest.fixture
def listener() -> Iterator[Listener]:
    with Listener() as made:
        yield made


def test_a_change_is_announced_after_commit_and_not_before(
    listener: Listener, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    game = running_game()
    with django_capture_on_commit_callbacks() as committed:
        Story(game).deadline()
    assert listener.heard() == []
    for tell in committed:
        tell()
    version, people = current_version(game.pk), [*PLAYERS, CAROL]
    channels = {live_tickets.channel_of_user(person(name).pk): f"{game.slug} {version}" for name in people}
    assert dict(listener.heard()) == {game.slug: version, **channels}


def test_what_is_sealed_is_not_announced(
    listener: Listener, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    game = running_game()
    with django_capture_on_commit_callbacks(execute=True):
        Story(game).order("GERMANY", "A Mun-Cze", "3: A Aus S A Mun-Cze")
        say(game, ALICE, "Channel stays empty?", "FRANCE")
    assert listener.heard() == []
    with django_capture_on_commit_callbacks(execute=True):
        say(game, ALICE, "Good morning, all")
    assert [channel for channel, _ in listener.heard() if live_tickets.is_channel_of_game(channel)] == [game.slug]


def test_a_public_game_that_begins_is_told_to_all_who_wait_for_one_and_no_other_game_is(
    listener: Listener, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        game = running_game()
        running_game(by_invitation=True)
    told = [version for channel, version in listener.heard() if channel == live_tickets.PUBLIC]
    assert told == [f"{game.slug} {current_version(game.pk)}"]


def test_a_watcher_hears_of_a_game_once_though_it_comes_through_two_channels() -> None:
    site, channel = Hub(), live_tickets.channel_of_user(5)

    def pass_on(channel: str, data: str) -> None:
        site._pass_on({"channel": f"wire.{channel}".encode(), "data": data.encode()}, "wire.")

    async def heard() -> list[dict[str, str]]:
        with site.watching(["locarno", channel]) as watcher:
            pass_on("locarno", "1")
            first = await watcher.news(0.1)
            pass_on(channel, "locarno 1")
            pass_on(channel, "geneva 7")
            pass_on(live_tickets.channel_of_user(6), "rapallo 7")
            return [first, await watcher.news(0.1)]

    assert asyncio.run(heard()) == [{"locarno": "1"}, {"geneva": "7"}]


def test_without_redis_a_deadline_passes_all_the_same(
    settings: Settings, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    settings.CACHES = caches("unix:///nowhere/valkey.sock")
    game = running_game()
    with django_capture_on_commit_callbacks(execute=True):
        Story(game).deadline()
    assert game.phases.filter(closed__isnull=True).values_list("ordinal", flat=True).get() == 1


# -- the stream
class Visit:
    """One request for the stream, as a server would pass it on; it reads until it has what it is waiting for."""

    def __init__(
        self, *tickets: str, method: str = "GET", token: str = "", game: str = "", asks_first: bool = False
    ) -> None:
        asked = [("ticket", ticket) for ticket in tickets] + [("game", game)] * bool(game)
        headers = [(b"host", b"testserver")]
        headers += [(b"authorization", f"Bearer {token}".encode())] if token else []
        headers += [(b"access-control-request-method", b"GET")] if asks_first else []
        self.scope = {
            "type": "http",
            "method": method,
            "path": "/events/",
            "query_string": urlencode(asked).encode(),
            "headers": headers,
            "scheme": "http",
            "http_version": "1.1",
            "server": ("testserver", 80),
        }
        self.sent: list[dict[str, Any]] = []
        self.came = asyncio.Event()
        self.leaves = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        await self.leaves.wait()
        return GONE

    async def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)
        self.came.set()

    @property
    def status(self) -> int:
        status: int = self.sent[0]["status"]
        return status

    @property
    def text(self) -> str:
        return b"".join(message.get("body", b"") for message in self.sent).decode()

    async def until(self, words: str) -> None:
        async with asyncio.timeout(SOON):
            while words not in self.text:
                self.came.clear()
                await self.came.wait()


def visited(act: Callable[[Visit], Awaitable[None]], *tickets: str, **how: Any) -> Visit:
    """Connect with these tickets, act, disconnect; returns everything that was sent."""

    async def come() -> Visit:
        visit = Visit(*tickets, **how)
        request = asyncio.create_task(application(visit.scope, visit.receive, visit.send))
        await act(visit)
        visit.leaves.set()
        async with asyncio.timeout(SOON):
            await request
        return visit

    return asyncio.run(come())


@pytest.fixture(autouse=True)
def fresh_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a server that has just started."""
    monkeypatch.setattr(stream, "hub", hub.Hub())


async def nothing(_visit: Visit) -> None:
    pass


async def say_hello(visit: Visit) -> None:
    await visit.until("event: hello")


def test_a_browser_with_tickets_hears_of_their_games_and_of_no_other() -> None:
    async def tell(visit: Visit) -> None:
        await visit.until("event: hello")
        live_tickets.publish_versions({slug: f"version of {slug}" for slug in ("rhine-2", "elbe-9", "locarno-1")})
        await visit.until("locarno-1")
        await visit.until("version of locarno-1")
        await visit.until("version of rhine-2")

    visit = visited(tell, live_tickets.ticket_for("locarno-1"), live_tickets.ticket_for("rhine-2"), "forged")
    assert visit.status == HTTPStatus.OK
    assert (b"content-type", b"text/event-stream; charset=utf-8") in visit.sent[0]["headers"]
    events = [line.removeprefix("data: ") for line in visit.text.splitlines() if line.startswith("data: ")]
    hello, *news = [json.loads(line) for line in events]
    assert hello == ["locarno-1", "rhine-2"]
    assert {event["game"]: event["version"] for event in news} == {
        "locarno-1": "version of locarno-1",
        "rhine-2": "version of rhine-2",
    }


def test_without_a_good_ticket_nobody_hears() -> None:
    for tickets in ([], ["forged"], [live_tickets.ticket_for("locarno-1")] * (stream.MOST_TICKETS + 1)):
        visit = visited(nothing, *tickets)
        assert (visit.status, visit.text) == (
            HTTPStatus.FORBIDDEN,
            "Your ticket has expired. Open a page of the game to get a new one.",
        )


@pytest.mark.django_db(transaction=True)
def test_an_app_with_a_token_hears_of_its_own_games_or_is_told_why_not(monkeypatch: pytest.MonkeyPatch) -> None:
    game = running_game()
    watched = running_game(players=(*PLAYERS[1:], CAROL), gm_plays=True)
    token = make_token(user_id=person(ALICE).pk, name="bot", scopes=[], days=1)

    async def tell(visit: Visit) -> None:
        await visit.until("event: hello")
        live_tickets.publish_versions({watched.slug: "other", game.slug: "version 2"})
        await visit.until("version 2")

    own = visited(tell, token=token)
    assert f'data: ["{game.slug}"]' in own.text
    assert watched.slug not in own.text
    monkeypatch.setattr(stream, "hub", hub.Hub())  # each visit has a loop of its own
    named = visited(say_hello, token=token, game=watched.slug)
    assert f'data: ["{watched.slug}"]' in named.text
    unknown = visited(nothing, token="dip_unknown")
    assert (unknown.status, json.loads(unknown.text)["code"]) == (HTTPStatus.UNAUTHORIZED, "AuthenticationFailed")
    assert visited(nothing, token=token, game="nowhere").status == HTTPStatus.NOT_FOUND


def test_a_browser_is_told_that_a_script_of_another_site_may_send_its_token() -> None:
    visit = visited(nothing, method="OPTIONS", asks_first=True)
    told = dict(visit.sent[0]["headers"])
    assert (visit.status, told[b"access-control-allow-origin"]) == (HTTPStatus.NO_CONTENT, b"*")
    assert b"Authorization" in told[b"access-control-allow-headers"]
    assert not {b"set-cookie", b"access-control-allow-credentials"} & told.keys()
    assert visited(nothing, method="OPTIONS").status == HTTPStatus.METHOD_NOT_ALLOWED


def test_only_get_is_answered() -> None:
    visit = visited(nothing, live_tickets.ticket_for("locarno-1"), method="POST")
    assert (visit.status, visit.text) == (HTTPStatus.METHOD_NOT_ALLOWED, "Only GET is allowed here.")
    assert (b"x-content-type-options", b"nosniff") in visit.sent[0]["headers"]


def test_who_leaves_is_forgotten() -> None:
    visited(say_hello, live_tickets.ticket_for("locarno-1"))
    assert (stream.hub.count, dict(stream.hub.watchers)) == (0, {})


@pytest.mark.parametrize("steps", range(16))
def test_listening_ends_at_whatever_step_the_process_stops(steps: int) -> None:
    async def stop() -> set[asyncio.Task[Any]]:
        hearing = asyncio.create_task(hub.Hub().await_subscription())
        for _ in range(steps):
            await asyncio.sleep(0)
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        _, left = await asyncio.wait({hearing, *tasks}, timeout=SOON)
        return left

    assert asyncio.run(stop()) == set()


def test_half_of_the_files_are_left_for_pages() -> None:
    assert [stream.most_watchers(files) for files in (1_024, 1_000_000, resource.RLIM_INFINITY)] == [512, 5_000, 5_000]


def test_a_full_house_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "MOST_WATCHERS", 0)
    assert visited(nothing, live_tickets.ticket_for("locarno-1")).status == HTTPStatus.SERVICE_UNAVAILABLE


def test_a_network_has_only_so_many_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = PerNetwork(1)
    monkeypatch.setattr(stream, "streams_per_network", lambda: limit)
    ticket = live_tickets.ticket_for("locarno-1")
    refused: list[Visit] = []

    async def come_again(visit: Visit) -> None:
        await visit.until("event: hello")
        refused.append(Visit(ticket))
        await application(refused[0].scope, refused[0].receive, refused[0].send)

    assert visited(come_again, ticket).status == HTTPStatus.OK
    assert (refused[0].status, refused[0].text) == (
        HTTPStatus.TOO_MANY_REQUESTS,
        "Too many pages in your network have live events. This one keeps asking for changes.",
    )
    with limit.one_more(None):
        pass  # the place is free again


def test_a_wire_that_is_down_is_said(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "PATIENCE_SECONDS", 0.1)
    settings.CACHES = caches("unix:///nowhere/valkey.sock")
    visit = visited(nothing, live_tickets.ticket_for("locarno-1"))
    assert visit.status == HTTPStatus.SERVICE_UNAVAILABLE
    assert visit.text == "Live events aren’t available now. Pages keep asking for changes instead."


def test_a_stream_ends_when_its_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "LONGEST_STREAM_SECONDS", 0)

    async def wait(visit: Visit) -> None:
        await visit.until("event: hello")

    visit = visited(wait, live_tickets.ticket_for("locarno-1"))
    assert visit.sent[-1] == {"type": "http.response.body", "body": b"", "more_body": False}


def test_a_cut_line_sends_everybody_off_to_come_again() -> None:
    async def cut(visit: Visit) -> None:
        await visit.until("event: hello")
        redis = Redis.from_url(site.CACHES["default"]["LOCATION"])
        for client in redis.client_list(_type="pubsub"):
            if client["db"] != live_tickets.channel_prefix().split(".")[1]:
                continue  # another test's: the tests share a server
            redis.client_kill_filter(_id=client["id"])
        async with asyncio.timeout(SOON):
            while visit.sent[-1].get("more_body", True):
                visit.came.clear()
                await visit.came.wait()

    visit = visited(cut, live_tickets.ticket_for("locarno-1"))
    assert visit.sent[-1]["more_body"] is False
