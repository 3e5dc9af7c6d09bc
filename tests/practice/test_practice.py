"""A game against bots: one tap starts it, no clock ends its phases, no one else sees it, and it can be deleted."""

from __future__ import annotations

import re
import signal
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.core import mail
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse

from diplomacy_site.trouble import measures
from games import tasks
from games.bots import services as bots
from games.deadlines.outage import make_up_for_outage
from games.deadlines.phases import hold_game, resume_held_game
from games.endings.services import propose_end
from games.kernel import clock, codec
from games.kernel.models import OVER, Game, Letter, Occupancy, Phase, Status
from games.kernel.queries import card_of_power
from games.kernel.refusals import NotAllowed, Refusal
from games.orders.services import save_sheet, set_ready
from games.orders.sheets import SentSheet
from games.people.models import SignIn
from games.people.profiles import finished_games_of
from games.practice import services
from games.practice.queries import default_board, next_practices
from games.practice.services import delete_old_guests, start_practice
from games.press.services import send_message
from games.seating.reliability import reliability_of
from games.seating.services.new_game import take_seat
from games.seating.services.sitters import name_sitter
from games.seating.services.vacancies import resign
from tests.browsers import visitor
from tests.cast import DAVE, PLAYERS, SAM, person
from tests.factories import due_phases, open_phase, running_game, waiting_game
from tests.practice.table import HOME, bots_play, game_of, play_phase, seat_of, tap, user_of
from tests.story import Story
from variants.bots.evenness import best_power, share_of
from variants.registry import find, offered

if TYPE_CHECKING:
    from pytest_django.fixtures import Settings

    from tests.moment import Moment
    from variants.variant import Variant

pytestmark = pytest.mark.django_db


def practice_of(name: str, variant: str = "") -> Game:
    return Game.objects.get(slug=start_practice(user_id=person(name).pk, variant=variant))


@pytest.mark.parametrize(
    ("board", "told"),
    [
        ("standard", "Choose a unit on the map, then where it should go."),
        ("formal-diplomacy", "choose from the lists instead of the map. Save your orders"),
        ("collapse-of-the-dual-empire", "Choose a province to place a unit there. Save your orders"),
    ],
)
def test_a_first_order_page_says_what_its_phase_wants(board: str, told: str) -> None:
    client, answer = tap(variant=board)
    assert told in " ".join(client.get(answer.headers["Location"]).content.decode().split())


def test_one_tap_seats_a_stranger_against_bots_and_asks_for_nothing() -> None:
    client, answer = tap()
    game, guest = game_of(client), user_of(client)
    assert answer.status_code == 303
    assert answer.headers["Location"] == reverse("games:orders", args=[game.slug])
    assert (game.variant_slug, game.status, game.practice) == (default_board().slug, Status.RUNNING, True)
    assert guest.is_guest
    assert not guest.has_usable_password()
    assert guest.email.endswith(".invalid")
    seats = Occupancy.objects.filter(game=game)
    assert sorted(seats.values_list("bot", flat=True)) == ["", "easy"]
    page = client.get(answer.headers["Location"]).content.decode()
    assert f"You play {game.options.variant.power(seat_of(game).seat.power).called}" in " ".join(page.split())  # type: ignore[union-attr]
    assert "Sign up to keep this game" in page
    assert not SignIn.objects.exists()


def test_the_welcome_page_offers_to_go_on_with_a_game_that_a_guest_had_begun() -> None:
    practice_of(DAVE)
    assert "Go to your games" in visitor(DAVE).get(reverse("games:welcome")).content.decode()


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_every_board_can_be_played_against_bots(variant: Any) -> None:
    game = practice_of(DAVE, variant.slug)
    play_phase(game)
    assert game.variant_slug == variant.slug
    assert open_phase(game).ordinal == 1


def test_a_phase_ends_once_the_person_and_all_bots_are_ready_and_nothing_is_ever_due(moment: Moment) -> None:
    game = practice_of(DAVE)
    phase, mine = open_phase(game), seat_of(game)
    moment.wait(days=400)
    assert (phase.deadline, due_phases()) == (None, [])
    set_ready(occupancy_id=mine.pk, ordinal=0, ready=True)
    assert due_phases() == []
    bots_play(game)
    assert due_phases() == [phase.pk]
    play_phase(game)
    assert (open_phase(game).ordinal, open_phase(game).deadline) == (1, None)
    page = visitor(DAVE).get(reverse("games:game", args=[game.slug])).content.decode()
    assert "No deadline: the phase ends when you’re ready" in page
    assert "data-countdown" not in page
    assert not Letter.objects.exists()
    assert mail.outbox == []


def test_a_game_without_a_clock_is_held_released_and_restored_without_one() -> None:
    game = practice_of(DAVE)
    bots_play(game)
    hold_game(game_id=game.pk)
    set_ready(occupancy_id=seat_of(game).pk, ordinal=0, ready=True)
    assert due_phases() == []
    resume_held_game(game_id=game.pk)
    assert due_phases() == [open_phase(game).pk]
    make_up_for_outage(since=clock.now() - timedelta(hours=5))
    assert due_phases() == [open_phase(game).pk]


def test_a_bot_that_runs_wild_holds_nothing_up(monkeypatch: pytest.MonkeyPatch) -> None:
    game = practice_of(DAVE)
    set_ready(occupancy_id=seat_of(game).pk, ordinal=0, ready=True)
    monkeypatch.setattr(bots, "play", lambda *_: signal.raise_signal(signal.SIGVTALRM))
    tasks.play_bots()
    assert due_phases() == [open_phase(game).pk]


def test_bots_without_a_clock_come_before_all_but_near_deadlines() -> None:
    games = [game_with_bots(), practice_of(DAVE), game_with_bots()]
    for game, hours in ((games[0], 20), (games[2], 0)):
        game.phases.update(deadline=clock.now() + timedelta(hours=hours, minutes=4))
    asked = [Occupancy.objects.get(pk=one.occupancy_id).game_id for one in bots.open_bot_turns()]
    assert list(dict.fromkeys(asked)) == [games[2].pk, games[1].pk, games[0].pk]


def game_with_bots() -> Game:
    game = waiting_game(variant=default_board().slug, bots=1)
    take_seat(game_id=game.pk, user_id=person(PLAYERS[0]).pk)
    return game


def test_the_bots_do_not_play_on_without_the_person(monkeypatch: pytest.MonkeyPatch) -> None:
    game = practice_of(DAVE)
    monkeypatch.setattr("games.practice.services.survivors", lambda *_: ())
    play_phase(game)
    assert game.status == Status.FINISHED
    assert "has neither a unit nor a supply centre left." in game.verdict_sentence


def test_at_the_end_all_bids_are_shown_and_the_game_can_be_played_again() -> None:
    """Also what the bots bid."""
    client, _answer = tap(variant=offered()[0].slug)
    game = game_of(client)
    bots_play(game)
    play_phase(game)
    phase = client.get(reverse("games:phase", args=[game.slug, 0])).content.decode()
    assert "Published bids" not in phase
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("games.practice.services.survivors", lambda *_: ())
        while game.status not in OVER:
            play_phase(game)
    phase = client.get(reverse("games:phase", args=[game.slug, 0])).content.decode()
    bids = phase.partition("Published bids")[2].partition("</section>\n          ")[0]
    assert bids.count('<span class="numeric">') >= 3
    end = client.get(reverse("games:game", args=[game.slug])).content.decode()
    assert "Play again" in end
    assert "Sign up to keep this game" in end


def test_its_terms_tell_nothing_that_concerns_other_people() -> None:
    game = practice_of(PLAYERS[0])
    page = visitor(PLAYERS[0]).get(reverse("games:terms", args=[game.slug])).content.decode()
    assert "Only you can see this game" in page
    assert "There are no deadlines." in page
    assert "is published at the end" in page
    for sentence in ("invitation link", "game master", "sitter"):
        assert sentence not in page


GAME_PAGES = ("game", "orders", "phase", "history", "log", "terms", "pulse", "game-feed", "record", "talk", "map")


@pytest.mark.parametrize("who", ["", DAVE, SAM])
def test_no_one_else_sees_it_with_the_invitation_either(who: str) -> None:
    game = practice_of(PLAYERS[0])
    play_phase(game)
    for client in (visitor(who or None), tap(Client())[0]):
        client.get(reverse("games:invited", args=[game.invitation]))
        for name in GAME_PAGES:
            more = {"phase": [0], "map": [0]}.get(name, [])
            answer = client.get(reverse(f"games:{name}", args=[game.slug, *more]))
            assert answer.status_code == (302 if name == "orders" and not client.session.get("_auth_user_id") else 404)
        assert client.get(reverse("api:game", args=[game.slug])).status_code == 404
        assert client.post(reverse("games:delete-practice", args=[game.slug])).status_code in {302, 404}
    assert Game.objects.filter(pk=game.pk).exists()
    mine = visitor(PLAYERS[0])
    assert mine.get(reverse("games:game", args=[game.slug])).status_code == 200


LISTS = (
    *("admin:kernel_game_changelist", "admin:kernel_occupancy_changelist", "admin:kernel_event_changelist"),
    *("games:home", "games:lobby", "games:lobby-feed", "games:seats", "games:notices", "games:my-calendar"),
    *("api:games", "games:create", "games:welcome", "games:sitting", "games:moderation", "status", "metrics"),
)


def test_it_is_on_no_list_and_counts_nowhere() -> None:
    """For its own player, only the home page names it, apart from the games of people."""
    game, player = practice_of(PLAYERS[0], offered()[0].slug), person(PLAYERS[0])
    play_phase(game)
    named = set()
    for name in ("", DAVE, SAM, PLAYERS[0]):
        client = visitor(name or None)
        shelves = [f"{reverse('games:lobby')}?show={shelf}" for shelf in ("mine", "open", "running", "finished")]
        found = [f"{reverse('games:lobby')}?show=finished&name={game.name[:9]}&player={player.username}"]
        profile = [reverse("games:person", args=[player.username])]
        api = [f"{reverse('api:games')}?show={shelf}" for shelf in ("public", "mine", "open", "running", "finished")]
        for path in (*map(reverse, LISTS), *shelves, *found, *profile, *api):
            answer = client.get(path)
            if game.slug in answer.content.decode() or game.name in answer.content.decode():
                named.add((name, path))
    assert named == {(PLAYERS[0], reverse("games:home"))}
    assert reliability_of(player.pk).owed == 0
    assert finished_games_of(player.pk).ended == 0
    assert {it.name: it.value for it in measures()}["games_running"] == 0


def rows() -> dict[str, int]:
    return {model._meta.label: model._base_manager.count() for model in apps.get_models()}


def test_deleting_it_leaves_nothing_behind() -> None:
    client = visitor(DAVE)
    practice_of(PLAYERS[0], offered()[0].slug)  # its bots stay
    before = rows()
    game = practice_of(DAVE, offered()[0].slug)
    for _ in range(3):
        play_phase(game)
    client.post(reverse("games:notebook", args=[game.slug]), {"text": "To Bulgaria"})
    played = rows()
    answer = client.post(reverse("games:delete-practice", args=[game.slug]))
    assert answer.headers["Location"] == reverse("games:home")
    assert rows() == before
    assert played != before


def test_a_game_of_people_cannot_be_deleted_by_the_page_or_by_sql() -> None:
    game = running_game()
    Story(game).deadline()
    send_message(game_id=game.pk, user_id=seat(game).user_id, text="Hello")
    client = visitor(seat(game).user.username)
    assert (
        client.post(reverse("games:delete-practice", args=[game.slug]), follow=True)
        .content.decode()
        .count("Only your own games against bots can be deleted.")
    )
    for statement in (
        "DELETE FROM kernel_event",
        "DELETE FROM press_message",
        "DELETE FROM orders_commitment",
        "UPDATE kernel_game SET practice = true, by_invitation = true",
    ):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    practice = practice_of(DAVE)
    for statement in ("UPDATE kernel_event SET kind = 'x'", "UPDATE kernel_game SET practice = false"):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    assert Game.objects.filter(pk__in=[game.pk, practice.pk]).count() == 2


def seat(game: Game) -> Occupancy:
    return Occupancy.objects.select_related("user").filter(game=game, user__is_bot=False).earliest("pk")


def test_what_only_makes_sense_among_people_is_refused() -> None:
    game, dave, today = practice_of(DAVE), person(DAVE), clock.now().date()
    person(PLAYERS[0])
    for act in (
        partial(resign, game_id=game.pk, user_id=dave.pk),
        partial(
            name_sitter, game_id=game.pk, user_id=dave.pk, username=PLAYERS[0], first=today, last=today, zone="UTC"
        ),
        partial(propose_end, occupancy_id=seat_of(game).pk, kind="concession", powers=["TURKEY"]),
    ):
        with pytest.raises(NotAllowed, match="doesn’t exist in a game against bots"):
            act()
    page = visitor(DAVE).get(reverse("games:game", args=[game.slug])).content.decode()
    for name in ("resign", "sitter", "proposals", "talk"):
        assert reverse(f"games:{name}", args=[game.slug]) not in page


def test_a_member_has_only_so_many_until_they_delete_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST_OF_MEMBER", 2)
    games = [practice_of(DAVE) for _ in range(2)]
    with pytest.raises(Refusal, match="2 games against bots at a time"):
        practice_of(DAVE)
    visitor(DAVE).post(reverse("games:delete-practice", args=[games[0].slug]))
    practice_of(DAVE)


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_what_it_takes_to_win_is_said_once(variant: Variant) -> None:
    page = Client().get(reverse("games:play"), {"board": variant.slug}).content.decode().rpartition("</details>")[2]
    assert len(re.findall(r"(?i)to win\b", page)) == 1


def test_starting_is_limited_by_browser_by_network_and_for_the_whole_site(settings: Settings) -> None:
    client, _answer = tap()
    for _ in range(3):
        tap(client)
    assert "You can have 3 games against bots at a time." in client.get(reverse("games:home")).content.decode()
    Game.objects.filter(practice=True).update(status=Status.FINISHED, verdict={"winners": [], "sentence": "Over."})
    for _ in range(4):
        for game in Game.objects.filter(occupancies__user=user_of(client)):
            client.post(reverse("games:delete-practice", args=[game.slug]))
        tap(client)
    assert "You’ve started 6 games within an hour." in client.get(reverse("games:play")).content.decode()
    start = reverse("games:play")
    stranger = next(client for client, answer in (tap() for _ in range(20)) if start in answer.headers["Location"])
    assert "_auth_user_id" not in stranger.session
    assert "started 20 games from your network" in stranger.get(start).content.decode()
    assert tap(visitor(DAVE))[1].headers["Location"] == reverse("games:orders", args=[game_of(visitor(DAVE)).slug])
    settings.MOST_GUEST_GAMES = 1
    elsewhere = Client(REMOTE_ADDR="192.0.2.7")
    tap(elsewhere)
    assert "Too many guests are playing at the moment." in elsewhere.get(reverse("games:play")).content.decode()
    assert "_auth_user_id" not in elsewhere.session


def test_the_start_offers_an_even_board_its_better_side_and_an_easy_bot() -> None:
    page = Client().get(reverse("games:play")).content.decode()
    assert "<strong>The Sound</strong> · Even" in page
    assert re.findall(r'value="(\w+)" checked', page) == ["SWEDEN", "easy"]
    page = Client().get(reverse("games:play"), {"board": "balkan-battle"}).content.decode()
    assert "Much easier for Austria" in page
    variant = find("balkan-battle")
    assert f"{share_of(best_power(variant), variant)} of 100" in page


def test_a_refused_start_gives_back_board_side_and_strength(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST_OF_MEMBER", 0)
    client, chosen = visitor(DAVE), {"variant": "balkan-battle", "power": "TURKEY", "level": "strong"}
    for power in ("TURKEY", ""):
        page = client.post(reverse("games:play"), {**chosen, "power": power}, follow=True).content.decode()
        assert "0 games against bots at a time" in page
        assert 'name="variant" value="balkan-battle"' in page
        assert re.findall(r'value="(\w*)" checked', page) == [power, "strong"]


@pytest.mark.parametrize("name", ["board", "variant"])
def test_an_address_names_a_board_and_an_unknown_one_is_said_once(name: str) -> None:
    start = reverse("games:play")
    assert "<strong>Balkan Battle</strong>" in Client().get(start, {name: "balkan-battle"}).content.decode()
    for page in (
        Client().get(start, {name: "atlantis"}),
        Client().post(start, {"variant": "atlantis"}, headers={"Origin": HOME}, follow=True),
    ):
        assert page.content.decode().count("There is no such board.") == 1


def test_board_side_and_strength_are_as_chosen() -> None:
    slug = start_practice(user_id=person(DAVE).pk, variant="balkan-battle", power="TURKEY", level="strong")
    game = Game.objects.get(slug=slug)
    assert (game.variant_slug, seat_of(game).seat.power) == ("balkan-battle", "TURKEY")
    assert set(Occupancy.objects.filter(game=game).values_list("bot", flat=True)) == {"", "strong"}


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"variant": "atlantis"}, "There is no such board."),
        ({"power": "ATLANTIS"}, "The Sound has no such side."),
        ({"level": "divine"}, "Bots play at one of these levels: easy, medium, strong."),
    ],
)
def test_what_cannot_be_chosen_is_refused_in_words(chosen: dict[str, str], sentence: str) -> None:
    client = Client()
    answer = client.post(reverse("games:play"), chosen, headers={"Origin": HOME}, follow=True)
    assert sentence in answer.content.decode()
    assert not Game.objects.exists()


def test_after_a_win_a_stronger_bot_waits_and_after_a_loss_the_same_side_and_an_easier_bot() -> None:
    slug = start_practice(user_id=person(DAVE).pk, variant="balkan-battle", power="TURKEY", level="medium")
    game = Game.objects.get(slug=slug)
    card = {each.id: card_of_power(each) for each in codec.variant_of(game).powers}
    won, lost, drawn = (
        next_practices(game, "TURKEY", winners) for winners in ([card["TURKEY"]], [card["AUSTRIA"]], [])
    )
    assert [(it.words, it.power, it.level) for it in won] == [
        ("Play the strongest bot", "TURKEY", "strong"),
        ("Play again as Austria", "AUSTRIA", "medium"),
    ]
    assert [(it.words, it.power, it.level) for it in lost] == [
        ("Play again as Turkey", "TURKEY", "medium"),
        ("Play the easiest bot", "TURKEY", "easy"),
        ("Play again as Austria", "AUSTRIA", "medium"),
    ]
    assert drawn == lost


def test_nothing_is_made_by_looking_or_from_another_site() -> None:
    client = Client()
    assert client.get(reverse("games:play")).status_code == 200
    tap(client, Origin="https://elsewhere.example")
    tap(client, Origin="null")
    assert not Game.objects.exists()
    assert not get_user_model().objects.filter(is_guest=True).exists()


def test_the_page_with_the_button_is_shared_and_sets_no_cookie() -> None:
    answer = Client().get(reverse("games:home"))
    assert reverse("games:play") in answer.content.decode()
    assert answer.headers["Cache-Control"] == "public, no-cache"
    assert not answer.cookies


def test_games_of_guests_are_swept_away_after_a_week_and_those_of_members_stay(moment: Moment) -> None:
    client, _answer = tap()
    old, guest = game_of(client), user_of(client)
    member = practice_of(DAVE)
    moment.wait(days=5)
    tap(client)
    moment.wait(days=3)
    assert delete_old_guests() == 1
    assert not Game.objects.filter(pk=old.pk).exists()
    assert get_user_model().objects.filter(pk=guest.pk).exists()
    moment.wait(days=5)
    assert delete_old_guests() == 1
    assert not get_user_model().objects.filter(pk=guest.pk).exists()
    assert list(Game.objects.all()) == [member]


def test_deleting_an_account_deletes_its_practice_games() -> None:
    practice_of(DAVE)
    client = visitor(DAVE)
    client.post(reverse("account-delete"), {"password": "a long walk home"})
    assert not Game.objects.exists()
    assert not Phase.every.exists()


def test_orders_that_the_person_saved_count() -> None:
    game = practice_of(DAVE)
    mine = seat_of(game)
    unit = next(unit for unit in game.options.variant.start.units if unit.power == mine.seat.power)  # type: ignore[union-attr]
    save_sheet(occupancy_id=mine.pk, sheet=SentSheet(f"{unit} H", 0))
    play_phase(game)
    page = visitor(DAVE).get(reverse("games:phase", args=[game.slug, 0])).content.decode()
    assert "Your saved orders" in page
