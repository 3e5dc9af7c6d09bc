"""Rate limits, and that nothing typed is lost by them."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client, RequestFactory
from django.urls import reverse

from games.endings.services import propose_end
from games.history.views import PAINTERS
from games.kernel import limits
from games.kernel.limits import SPARE_ASKS, network_of
from games.kernel.refusals import TooOften
from games.mastering.services.desk import empty_seat, extend_deadline, pause_game, seat_player
from games.orders.views import orders as order_page
from games.seating.services.new_game import leave_before_start, take_seat
from games.seating.services.placing import send_email_invitation
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PASSWORD, PLAYERS, person
from tests.factories import occupancy_of, powers_of, running_game, waiting_game

pytestmark = pytest.mark.django_db

ALICE = PLAYERS[0]
LOGIN, SIGNUP, RESET = (reverse(f"account_{name}") for name in ("login", "signup", "reset_password"))


def newcomer(number: int) -> dict[str, str]:
    return {"username": f"newcomer{number}", "email": f"newcomer{number}@example.org", "password1": PASSWORD}


def test_guessing_a_password_is_stopped_for_the_name_and_for_the_network() -> None:
    person(DAVE)
    for _ in range(5):
        assert "not correct" in Client().post(LOGIN, {"login": DAVE, "password": "guess"}).content.decode()
    stopped = Client().post(LOGIN, {"login": DAVE, "password": PASSWORD})
    assert "Too many failed login attempts" in stopped.content.decode()
    for number in range(6):
        Client().post(LOGIN, {"login": f"name{number}", "password": "guess"})
    network = Client().post(LOGIN, {"login": "another", "password": "guess"})
    assert "Too many failed login attempts" in network.content.decode()
    elsewhere = Client(REMOTE_ADDR="192.0.2.7").post(LOGIN, {"login": "another", "password": "guess"})
    assert "not correct" in elsewhere.content.decode()


def test_guesses_are_counted_by_account_however_its_name_is_written_and_whatever_port_is_named() -> None:
    person("iris")
    for written, port in (
        ("iris", "1"),
        ("IRIS", "2"),
        ("iri\u017f", "3"),
        ("iris@example.org", "4"),
        ("Iris@Example.org", "5"),
    ):
        guess = Client().post(LOGIN, {"login": written, "password": "guess"}, headers={"host": f"testserver:{port}"})
        assert "not correct" in guess.content.decode()
    right = Client(REMOTE_ADDR="192.0.2.9").post(LOGIN, {"login": "iris", "password": PASSWORD})
    assert "Too many failed login attempts" in right.content.decode()


@pytest.mark.parametrize("path", [SIGNUP, RESET])
def test_letters_to_addresses_that_somebody_typed_are_few(path: str) -> None:
    answers: list[Any] = []
    for number in range(21):
        sent = newcomer(number) if path == SIGNUP else {"email": f"nobody{number}@example.org"}
        answers.append(Client().post(path, sent))
    assert [answer.status_code for answer in answers] == [302] * 20 + [429]
    assert "Too many requests" in answers[20].content.decode()
    assert len(mail.outbox) == 20


def test_one_address_is_sent_few_emails_no_matter_who_asks() -> None:
    sent = {"email": "dave@example.org"}
    answers = [Client(REMOTE_ADDR=f"192.0.2.{number}").post(RESET, sent) for number in range(6)]
    assert [answer.status_code for answer in answers] == [302] * 5 + [429]
    assert len(mail.outbox) == 5


def test_saving_too_often_keeps_what_was_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order_page, "SAVES", "1/min")
    monkeypatch.setattr(order_page, "READS", "1/min")
    game, alice = running_game(), visitor(ALICE)
    path = reverse("games:orders", args=[game.slug])
    sheet = {"ordinal": "0", "use": "text", "text": "F Lon-NTH"}
    assert alice.post(path, sheet).status_code == 303
    refused = alice.post(path, {**sheet, "text": "F Lon-ENG\nA Lvp-Yor"})
    page = refused.content.decode()
    assert (refused.status_code, "Not saved: you’ve saved orders" in page) == (429, True)
    assert "F Lon-ENG\nA Lvp-Yor" in page
    saved = alice.get(path).content.decode()
    assert ("F Lon-NTH" in saved, "F Lon-ENG" in saved) == (True, False)
    read = reverse("games:read", args=[game.slug])
    assert [alice.post(read, sheet).status_code for _ in range(2)] == [200, 204]
    cache.clear()
    assert alice.post(path, sheet).status_code == 303


def test_proposing_and_voting_too_often_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "VOTES", "1/min")
    game = running_game(open_votes=True)
    propose_end(occupancy_id=occupancy_of(game, "FRANCE").pk, kind="draw", powers=["BRITAIN", "FRANCE"])
    alice = visitor(ALICE)
    vote = reverse("games:vote", args=[game.slug, 1])
    said = [alice.post(vote, {"answer": "no"}, follow=True).content.decode() for _ in range(2)]
    assert ["You have refused." in said[0], "Nothing was changed" in said[1]] == [True, True]
    form = alice.post(reverse("games:proposals", args=[game.slug]), {"kind": "draw"})
    assert (form.status_code, "Nothing was changed" in form.content.decode()) == (429, True)
    app = alice.put(reverse("api:vote", args=[game.slug, 1]), {"agrees": True}, content_type="application/json")
    assert (app.status_code, limits.VOTED.format(most=1) in app.content.decode()) == (429, True)
    assert 1 <= int(app["Retry-After"]) <= 60


@pytest.mark.parametrize("name", ["game-feed", "calendar", "search"])
def test_feeds_and_searches_are_answered_sixty_times_a_minute(name: str) -> None:
    path = reverse(f"games:{name}", args=[running_game().slug])
    key = f"limit:{'searching' if name == 'search' else 'feeds'}:127.0.0.1"
    assert Client().get(path).status_code == 200
    cache.set(key, cache.get(key) * 60, 60)
    refused = Client().get(path)
    assert (refused.status_code, refused["Retry-After"]) == (429, "60")


def left_to(answer: Any) -> tuple[str, ...]:
    """What the headers say: how many requests in all and now, and in how many seconds one more."""
    return tuple(answer[f"RateLimit-{name}"] for name in ("Limit", "Remaining", "Reset"))


def test_every_answer_of_the_api_says_how_many_requests_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    for counter in (limits.StrangersThrottle, limits.AccountsThrottle):
        monkeypatch.setattr(counter, "rate", "9/min", raising=False)
    game, alice = running_game(), visitor(ALICE)
    path = reverse("api:game", args=[game.slug])
    first = alice.get(path)
    headers = {"If-None-Match": first["ETag"]}
    answers = [first, alice.get(path, headers=headers), alice.delete(path), alice.get(reverse("api:game", args=["no"]))]
    assert [answer.status_code for answer in answers] == [200, 304, 405, 404]
    assert [left_to(answer)[:2] for answer in answers] == [("9", "8"), ("9", "7"), ("9", "6"), ("9", "5")]
    wrong = Client().get(path, headers={"Authorization": "Bearer dip_guess"})
    assert (wrong.status_code, left_to(wrong)[:2]) == (401, ("9", "8"))
    assert left_to(Client().get(path))[:2] == ("9", "7")


def test_the_api_counts_strangers_by_network_and_people_by_account(monkeypatch: pytest.MonkeyPatch) -> None:
    for counter in (limits.StrangersThrottle, limits.AccountsThrottle):
        monkeypatch.setattr(counter, "rate", "1/min", raising=False)
    path, alice = reverse("api:games"), visitor(ALICE)
    networks = ("2001:db8:1:2::3", "2001:db8:1:2::4", "2001:db8:1:3::3")
    asked = [Client(REMOTE_ADDR=address).get(path) for address in networks]
    assert [answer.status_code for answer in asked] == [200, 429, 200]
    assert "Too many requests. Try again in" in asked[1].json()["detail"]
    assert asked[1].json()["code"] == "TooOften"
    assert [left_to(answer)[:2] for answer in asked] == [("1", "0")] * 3
    assert 1 <= int(left_to(asked[1])[2]) <= int(asked[1]["Retry-After"]) + 1 <= 61
    assert [alice.get(path).status_code, alice.get(path).status_code] == [200, 429]


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("unix:", "unix:"),
    ],
)
def test_a_household_counts_as_one(address: str, network: str) -> None:
    assert network_of(RequestFactory().get("/", REMOTE_ADDR=address)) == network


@pytest.mark.parametrize("page", ["/games/?after=%00", "/seats/?after=%00", "/people/dave/?show=playing&after=%00"])
def test_a_game_whose_name_no_database_takes_is_no_game(page: str) -> None:
    person(DAVE)
    assert Client().get(page).status_code == 200
    assert visitor(DAVE).get("/new-game/?like=%00").status_code == 200


def test_nobody_fills_the_lobby_with_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.kernel.limits.NEW_GAMES", "1/h")
    client = Client()
    client.force_login(person("alice"))
    clocks = dict.fromkeys(("movement_seconds", "retreat_seconds", "adjustment_seconds"), 86_400)
    game = {"name": "Come and play", "variant": "1926", "pace": "evening", "part": "runs", **clocks}
    first, second = [client.post(reverse("games:create"), game) for _ in range(2)]
    assert (first.status_code, second.status_code) == (303, 422)
    said = second.content.decode()
    assert "You’ve created 1 games within an hour. That’s the most there can be. The next one is possible in " in said


def test_nobody_makes_news_of_one_game_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    game, another, open_one = running_game(), running_game(), waiting_game()
    monkeypatch.setattr("games.kernel.limits.NEWS", "1/h")
    carol, dave = person(CAROL).pk, person(DAVE).pk
    extend_deadline(game_id=game.pk, by=carol, seconds=60)
    with pytest.raises(TooOften):
        pause_game(game_id=game.pk, by=carol)
    empty_seat(game_id=another.pk, by=carol, power="ITALY", reason="Asked to leave.")
    with pytest.raises(TooOften):
        seat_player(game_id=another.pk, by=carol, power="ITALY", username=DAVE, reason="Agreed.")
    take_seat(game_id=open_one.pk, user_id=dave)
    leave_before_start(game_id=open_one.pk, user_id=dave)
    with pytest.raises(TooOften):
        take_seat(game_id=open_one.pk, user_id=dave)


def test_only_two_pictures_are_painted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.history.views.WAIT_SECONDS", 0)
    game = running_game()
    page = reverse("games:picture", args=[game.slug, 0])
    with PAINTERS, PAINTERS:
        busy = Client().get(page)
    assert (busy.status_code, busy["Retry-After"]) == (429, "5")
    assert Client().get(page).status_code == 200


def test_a_game_master_can_ask_for_every_seat_and_five_more_within_an_hour() -> None:
    game, other = waiting_game(), waiting_game(name="Another table")
    carol = person(CAROL).pk
    for number in range(len(powers_of(game)) + SPARE_ASKS):
        power = powers_of(game)[number % 7]
        send_email_invitation(game_id=game.pk, by=carol, power=power, email=f"player{number}@example.org")
    with pytest.raises(TooOften, match=r"^You’ve asked 12 people about this game .* possible in 1 hour\.$") as refused:
        send_email_invitation(game_id=game.pk, by=carol, power="GERMANY", email="one-more@example.org")
    assert 0 < refused.value.wait <= 3_600
    send_email_invitation(game_id=other.pk, by=carol, power="GERMANY", email="one-more@example.org")


def test_nobody_asks_without_end_in_many_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.kernel.limits.ASKS_A_DAY", "2/day")
    carol = person(CAROL).pk
    games = [waiting_game(name=f"Table {number}") for number in range(3)]
    for game in games[:2]:
        send_email_invitation(game_id=game.pk, by=carol, power="GERMANY", email="g@example.org")
    with pytest.raises(TooOften, match="You’ve asked 2 people about games within a day"):
        send_email_invitation(game_id=games[2].pk, by=carol, power="GERMANY", email="h@example.org")
