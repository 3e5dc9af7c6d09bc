"""The news of a game is posted where its game master chose, and nothing inside the host's network can be reached."""

from __future__ import annotations

import hmac
import json
import socket
import threading
from base64 import b64decode, b64encode
from functools import partial
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.urls import reverse

from games.delivery import outbound
from games.delivery.outbound import Answer, BadAddress, is_public, post_to, target_of
from games.delivery.posting import MOST_FAILURES, post_news
from games.delivery.webhooks import BadWebhook, add_webhook, remove_webhook, webhooks_of
from games.kernel import clock
from games.kernel.refusals import NotAllowed
from games.mastering.queries import webhook_has_stopped
from games.mastering.services.desk import close_game, extend_deadline
from games.news.models import Webhook
from games.seating.services.vacancies import resign
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, person
from tests.factories import running_game
from tests.receiving import Receiver
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django.fixtures import Settings

    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

CONTENT = "content"


class OtherSite(Receiver):
    """A chat with an address that shows what is posted to it."""

    def __init__(self) -> None:
        super().__init__(204)
        self.address = f"http://{self.place}/hook"

    def shown(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _headers, body in self.got]


@pytest.fixture
def receiver(settings: Settings) -> Iterator[OtherSite]:
    with OtherSite() as site:
        settings.OUTBOUND_ALLOWED = frozenset({site.place})
        yield site


def told_game(receiver: OtherSite, form: str = "chat", **options: Any) -> Game:
    game = running_game(**options)
    add_webhook(game_id=game.pk, user_id=person(CAROL).pk, address=receiver.address, form=form)
    return game


def try_now() -> int:
    Webhook.objects.filter(next_try__isnull=False).update(next_try=clock.now())
    return post_news()


def test_results_moved_deadlines_and_the_end_are_posted_once_and_in_their_sequence(receiver: OtherSite) -> None:
    game = told_game(receiver, name="Locarno")
    assert post_news() == 0, "what was before is not told"
    Story(game).deadline()
    extend_deadline(game_id=game.pk, by=person(CAROL).pk, seconds=3600)
    close_game(game_id=game.pk, by=person(CAROL).pk)
    assert [post_news() for _ in range(4)] == [1, 1, 1, 0]
    first, second, third = receiver.shown()
    assert first[CONTENT] == "Locarno: Spring 1926, movement: the result is out."
    assert first["embeds"][0]["url"] == f"http://testserver/games/{game.slug}/phases/0/"
    assert first["allowed_mentions"] == {"parse": []}
    assert second[CONTENT] == "Locarno: carol moved the deadline for Fall 1926 by 1 hour."
    assert third[CONTENT].startswith("Locarno: ")


def test_a_program_gets_json_signed_with_the_secret_that_its_user_saw_once(receiver: OtherSite) -> None:
    game = running_game(name="Locarno")
    alice = person("alice").pk
    number, secret = add_webhook(game_id=game.pk, user_id=alice, address=receiver.address, form="json")
    Story(game).deadline()
    receiver.status = 500
    assert post_news() == 0
    receiver.status = 204
    assert try_now() == 1
    (headers, body), (again, same) = receiver.got
    told = json.loads(body)
    assert told["lines"] == [{"kind": "result", "sentence": "Spring 1926, movement: the result is out.", "ordinal": 0}]
    assert (told["event"], told["game"]["slug"], told["id"]) == ("news", game.slug, headers["Webhook-Id"])
    assert (again["Webhook-Id"], same) == (headers["Webhook-Id"], body), "a repeated post can be recognised"
    key = b64decode(secret.removeprefix("whsec_"))
    content = f"{headers['Webhook-Id']}.{headers['Webhook-Timestamp']}.".encode() + body
    expected = b64encode(hmac.new(key, content, "sha256").digest()).decode()
    assert headers["Webhook-Signature"] == f"v1,{expected}"
    assert secret not in str(webhooks_of(alice))
    other = add_webhook(game_id=game.pk, user_id=alice, address=f"{receiver.address}/2", form="json")
    assert other[1] != secret
    assert number != other[0]


def test_what_fails_is_tried_again_later_and_then_in_its_place(receiver: OtherSite) -> None:
    game = told_game(receiver)
    Story(game).deadline()
    receiver.status = 500
    assert post_news() == 0
    assert post_news() == 0
    assert len(receiver.got) == 1, "its next try is not due"
    receiver.status = 204
    assert try_now() == 1
    first, second = receiver.shown()
    assert first == second
    assert Webhook.objects.get().failures == 0


def test_after_too_many_failures_it_stops_until_a_test_post_arrives(receiver: OtherSite) -> None:
    game = told_game(receiver)
    Story(game).deadline()
    receiver.status = 302
    for _ in range(MOST_FAILURES + 2):
        try_now()
    assert len(receiver.got) == MOST_FAILURES, "and a redirect is not followed"
    carol = person(CAROL).pk
    assert webhook_has_stopped(game.pk, carol)
    assert ">stopped</span>" in visitor(CAROL).get(reverse("games:gm", kwargs={"slug": game.slug})).content.decode()
    page = reverse("games:webhooks", kwargs={"slug": game.slug})
    assert "failed attempts in a row" in visitor(CAROL).get(page).content.decode()
    where = {"slug": game.slug, "number": Webhook.objects.get().pk}
    for answer, then in (("yes", "Post no reminders"), ("no", "Post reminders too")):
        visitor(CAROL).post(reverse("games:webhook-reminders", kwargs=where), {"reminders": answer})
        assert f">{then}<" in visitor(CAROL).get(page).content.decode()
    button = reverse("games:test-webhook", kwargs=where)
    visitor(CAROL).post(button)
    assert post_news() == 0
    assert webhook_has_stopped(game.pk, carol)
    receiver.status = 204
    visitor(CAROL).post(button)
    assert [post_news() for _ in range(3)] == [1, 1, 0], "the test, then the news that waited"
    assert not webhook_has_stopped(game.pk, carol)
    (hook,) = webhooks_of(carol, game.pk)
    assert [(each.test, each.status) for each in hook.deliveries[:4]] == [
        (False, 204), (True, 204), (True, 302), (False, 302),
    ]  # fmt: skip


def test_the_newest_attempts_and_the_beginning_of_each_answer_are_shown_to_the_owner_alone(
    receiver: OtherSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.delivery.posting.MOST_DELIVERIES", 2)
    receiver.said = b"no such\nchannel " + b"x" * 1000
    receiver.status = 404
    game = told_game(receiver)
    Story(game).deadline()
    for _ in range(3):
        try_now()
    (hook,) = webhooks_of(person(CAROL).pk)
    assert len(hook.deliveries) == 2
    assert hook.deliveries[0].answer == "no such channel " + "x" * (outbound.LONGEST_ANSWER - 16)
    page = reverse("games:webhooks", kwargs={"slug": game.slug})
    assert "no such channel" in visitor(CAROL).get(page).content.decode()
    theirs = visitor("alice").get(page).content.decode()
    assert "no such channel" not in theirs
    assert receiver.address not in theirs
    for act in ("test", "remove"):
        address = reverse(f"games:{act}-webhook", kwargs={"slug": game.slug, "number": hook.number})
        assert visitor("alice").post(address).status_code == 404
    assert webhooks_of(person(CAROL).pk)[0].number == hook.number


def test_a_sender_that_dies_leaves_the_news_to_be_told_after_its_lease(
    receiver: OtherSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = told_game(receiver)
    Story(game).deadline()

    class Killed(BaseException):
        pass

    def die(*_: object) -> int:
        raise Killed

    monkeypatch.setattr("games.delivery.outbound.post_to", die)
    with pytest.raises(Killed):
        post_news()
    monkeypatch.undo()
    assert post_news() == 0, "another process may still be sending"
    assert try_now() == 1
    assert len(receiver.got) == 1


@pytest.mark.django_db(transaction=True)
def test_nothing_is_posted_in_a_transaction_nor_of_one_that_is_rolled_back(
    receiver: OtherSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = told_game(receiver)
    with transaction.atomic():
        close_game(game_id=game.pk, by=person(CAROL).pk)
        transaction.set_rollback(True)
    assert post_news() == 0
    extend_deadline(game_id=game.pk, by=person(CAROL).pk, seconds=3600)
    open_ones = []

    def watched(*facts: Any) -> Answer:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE state LIKE 'idle in transaction%' AND datname = current_database()"
            )
            open_ones.extend(cursor.fetchone())
        connection.close()
        return post_to(*facts)

    monkeypatch.setattr("games.delivery.outbound.post_to", watched)
    assert post_news() == 1
    assert open_ones == [0]


def test_games_without_news_take_no_turn_and_a_slow_site_keeps_no_other_waiting(
    receiver: OtherSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    told_game(receiver)
    told_game(receiver)
    for game in told_game(receiver), told_game(receiver):
        Story(game).deadline()
    monkeypatch.setattr("games.delivery.posting.MOST_AT_ONCE", 2)
    meeting = threading.Barrier(2, timeout=60)

    def waiting_for_another(*facts: Any) -> Answer:
        meeting.wait()
        return post_to(*facts)

    monkeypatch.setattr("games.delivery.outbound.post_to", waiting_for_another)
    assert post_news() == 2


def test_no_name_that_is_hidden_is_posted(receiver: OtherSite) -> None:
    game = told_game(receiver, hidden_names=True)
    Story(game).deadline()
    post_news()
    assert "alice" not in json.dumps(receiver.shown())


def test_news_of_a_game_by_invitation_is_posted_only_for_the_people_in_it(receiver: OtherSite) -> None:
    game = running_game(by_invitation=True)
    with pytest.raises(NotAllowed, match="Only the players and the game master"):
        add_webhook(game_id=game.pk, user_id=person(DAVE).pk, address=receiver.address, form="json")
    add_webhook(game_id=game.pk, user_id=person("alice").pk, address=receiver.address, form="json")
    Story(game).deadline()
    assert post_news() == 1
    resign(game_id=game.pk, user_id=person("alice").pk)
    Story(game).deadline()
    assert post_news() == 0
    assert len(receiver.got) == 1


def test_posting_ends_with_the_account(receiver: OtherSite) -> None:
    game = told_game(receiver)
    Story(game).deadline()
    get_user_model().objects.filter(username=CAROL).update(is_active=False)
    assert post_news() == 0


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/hook",
        "ftp://example.org/",
        "https://",
        "https://example.org:8443/",
        "https://me:secret@example.org/",
        "https://me@example.org/",
        "https://example.org:port/",
        "https://example.org/a b",
        "https://exämple.org/",
        "https://example.org/" + "a" * 400,
        "example.org",
    ],
)
def test_an_address_that_nothing_may_be_sent_to_is_refused_with_what_is_allowed(address: str) -> None:
    game = running_game()
    with pytest.raises(BadWebhook) as refused:
        add_webhook(game_id=game.pk, user_id=person(CAROL).pk, address=address, form="chat")
    assert refused.value.sentence.endswith(".")
    assert not Webhook.objects.exists()


def test_one_address_gets_the_news_of_a_game_once_and_a_user_has_only_so_many_webhooks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("games.delivery.webhooks.MOST_WEBHOOKS", 2)
    alice = person("alice").pk
    add = partial(add_webhook, game_id=running_game().pk, user_id=alice, form="chat")
    first, _ = add(address="https://example.org/1")
    with pytest.raises(BadWebhook, match="already posted"):
        add(address="https://example.org/1")
    add(address="https://example.org/2")
    with pytest.raises(NotAllowed, match="already have 2 webhooks"):
        add(address="https://example.org/3")
    remove_webhook(user_id=alice, number=first)
    add(address="https://example.org/3")


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",  # noqa: S104
        "224.0.0.1", "255.255.255.255", "240.0.0.1", "::1", "::", "fe80::1", "fc00::1", "ff02::1",
        "::ffff:10.0.0.1", "::ffff:127.0.0.1", "2002:7f00:1::", "64:ff9b::7f00:1", "64:ff9b:1::a00:1",
        "fec0::1", "::127.0.0.1", "::ffff:0:10.0.0.1", "2001:db8::1",
    ],
)  # fmt: skip
def test_no_address_inside_is_public(address: str) -> None:
    assert not is_public(ip_address(address))


def test_addresses_of_the_open_network_are_public() -> None:
    assert is_public(ip_address("1.1.1.1"))
    assert is_public(ip_address("2606:4700:4700::1111"))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1"])
def test_a_server_inside_is_never_connected_to(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("connected")

    monkeypatch.setattr(socket, "create_connection", never)
    with pytest.raises((BadAddress, outbound.Unreachable)):
        post_to(f"https://{host}/", b"{}", {})


def test_one_address_inside_among_public_ones_is_enough_to_refuse_and_the_name_is_looked_up_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def lookup(host: str, port: int, **_: object) -> list[Any]:
        asked.append(host)
        return [(2, 1, 6, "", ("1.1.1.1", port)), (2, 1, 6, "", ("10.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    with pytest.raises(BadAddress):
        post_to("https://example.org/", b"{}", {})
    assert asked == ["example.org"]
    assert target_of("https://example.org/a?b=c").path == "/a?b=c"


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    went = []

    def lookup(_host: str, port: int, **_: object) -> list[Any]:
        return [(2, 1, 6, "", ("1.1.1.1", port))]

    def connect(place: tuple[str, int], **_: object) -> None:
        went.append(place)
        raise OSError

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(outbound.Unreachable):
        post_to("https://example.org/", b"{}", {})
    assert went == [("1.1.1.1", 443)]
