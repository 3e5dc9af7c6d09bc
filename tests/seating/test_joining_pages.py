"""Creating a game, finding it in the lobby, reading its terms and joining it, through the pages."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.deadlines.options import EarlyEnd
from games.kernel.cards import game_cards
from games.kernel.models import Game, Joiner, Status
from games.pages.forms import CreateGameForm
from games.seating.models import JoinRequest
from games.seating.options import Start
from games.seating.services.joining import answer_join_request, ask_to_join, join_game
from games.seating.services.new_game import take_seat
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import powers_of, waiting_game

pytestmark = pytest.mark.django_db

DAY = 24 * 3_600
NEW_GAME = {"name": "Rapallo", "variant": "1926", "pace": "twice", "part": "runs"}


def address(name: str, game: Game) -> str:
    return reverse(f"games:{name}", kwargs={"slug": game.slug})


def words(answer: Any) -> str:
    """The text of a page, with runs of white space collapsed."""
    return " ".join(answer.content.decode().replace("&#x27;", "'").split())


def page(name: str, path: str) -> str:
    return words(visitor(name).get(path))


def created(**changed: str) -> Game:
    answer = visitor(CAROL).post(reverse("games:create"), {**NEW_GAME, **WHEN, **changed})
    assert answer.status_code == HTTPStatus.SEE_OTHER, words(answer)
    return Game.objects.get()


WHEN = {
    "hour": "19:00",
    "zone": "Europe/Berlin",
    "movement_seconds": "86400",
    "retreat_seconds": "43200",
    "adjustment_seconds": "43200",
}


# --- Creating ---


def test_three_decisions_make_a_game_and_the_rest_is_as_usual() -> None:
    usual = {
        "seats": "choice",
        "approval": False,
        "least_reliability": 0,
        "newcomers_welcome": True,
        "roll_call_seconds": 3 * DAY,
        "show_ready": True,
    }
    assert usual.items() <= created().options.values.items()


def test_a_live_evening_starts_as_soon_as_it_is_full() -> None:
    assert created(pace="evening").options[Start].roll_call_seconds == 0


@pytest.mark.parametrize(("pace", "ends"), [("evening", True), ("twice", False)])
def test_the_phases_of_a_live_evening_end_when_all_are_ready(pace: str, *, ends: bool) -> None:
    early = created(pace=pace).options[EarlyEnd]
    assert (early.all_ready, bool(early.panic_seconds)) == (ends, ends)
    page = words(visitor(CAROL).get(reverse("games:create")))
    assert "5 for retreats and builds, or less when all players are ready." in page


def test_every_choice_about_joining_has_its_effect() -> None:
    game = created(
        entrance="approval",
        least_reliability="90",
        newcomers="not",
        seats="preferences",
        roll_call="day",
        readiness="hidden",
    )
    chosen = {
        "approval": True,
        "seats": "preferences",
        "least_reliability": 90,
        "newcomers_welcome": False,
        "roll_call_seconds": DAY,
        "show_ready": False,
    }
    assert not game.by_invitation
    assert chosen.items() <= game.options.values.items()
    terms = page(DAVE, address("terms", game))
    for sentence in (
        "Players need the game master’s approval to join.",
        "Players need to have saved orders in at least 90% of their phases here. New players cannot join.",
        "Powers by preference",
        "everyone has 24 hours to confirm",
        "Only you can see which powers you prefer.",
    ):
        assert sentence in terms


def test_a_mistake_among_the_options_folded_away_is_shown_and_nothing_typed_is_lost() -> None:
    answer = visitor(CAROL).post(
        reverse("games:create"), {**NEW_GAME, **WHEN, "seats": "auction", "entrance": "approval"}
    )
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    seen = words(answer)
    assert '<details class="fold" open> <summary class="told"><span>Powers, bots and the start<br>' in seen
    assert '<details class="fold"> <summary class="told"><span>Vacant seats<br>' in seen
    assert "Please correct the mistake below" in seen
    assert 'value="approval" checked' in seen
    assert not Game.objects.exists()


def test_no_two_groups_of_options_have_a_field_of_the_same_name() -> None:
    names = [field.name for field in CreateGameForm()]
    assert len(set(names)) == len(names)


# --- The lobby ---


def test_an_open_game_says_in_the_lobby_what_one_joins() -> None:
    game = waiting_game(seats="random", approval=True, least_reliability=75, roll_call_seconds=DAY, press="public")
    JoinRequest.objects.create(game=game, user=person("alice"), asked=game.created, accepted=True)
    join_game(game_id=game.pk, user_id=person("alice").pk)
    row = page(DAVE, "/games/?show=open")
    for sentence in (
        "Public press (Wilson)",
        "Powers at random · needs the game master’s approval · at least 75% reliability",
        "1 of 7 seats taken",
        "Starts when it’s full and everyone has confirmed",
    ):
        assert sentence in row


def test_the_lobby_is_narrowed_by_variant_talk_and_pace() -> None:
    waiting_game(name="Slow and open")
    waiting_game(name="Live and quiet", movement_seconds=900, press="public")
    waiting_game(name="Elsewhere", variant="standard")
    everything = {"Slow and open", "Live and quiet", "Elsewhere"}
    for query, shown in (
        ("", everything),
        ("&variant=standard", {"Elsewhere"}),
        ("&press=public", {"Live and quiet"}),
        ("&pace=live", {"Live and quiet"}),
        ("&pace=slow&variant=1926", {"Slow and open"}),
        ("&pace=unheard-of", everything),
    ):
        seen = page(DAVE, f"/games/?show=open{query}")
        assert {name for name in everything if name in seen} == shown, query
    nothing = page(DAVE, "/games/?show=open&pace=live&variant=standard")
    assert "No games match your filters." in nothing
    assert "Clear filters" in nothing


def test_who_chooses_a_board_reads_how_even_each_is() -> None:
    seen = page(CAROL, reverse("games:create"))
    assert '<small>2 players</small> <small class="even">Much easier for Austria</small>' in seen
    assert "how even among bots, not people" in seen


# --- Joining ---


@pytest.mark.parametrize("seats", ["choice", "preferences"])
def test_who_joins_reads_how_even_the_board_is_while_waiting_and_where_powers_are_chosen(seats: str) -> None:
    game = waiting_game(variant="balkan-battle", seats=seats)
    for seen in (words(Client().get(address("game", game))), page(DAVE, address("terms", game))):
        assert seen.count("<strong>Much easier for Austria.</strong> We measure how even boards are") == 1


def test_the_button_that_joins_stands_above_the_terms() -> None:
    game = waiting_game()
    seen = page(DAVE, address("terms", game))
    assert "Seven powers after the Treaty of Locarno" in seen
    assert "Bids are never published, not even after the game." in seen
    assert seen.index(">Take a seat</button>") < seen.index("What the game master can and can’t do")
    assert 'you agree to the <a href="#terms">terms below</a>' in seen
    assert "You need an account to join. It’s free." in words(Client().get(address("terms", game)))
    for reader in (seen, Client().get(address("terms", game)).content.decode()):
        assert reader.count('id="join"') == 1
    assert ">Take a seat" not in page(CAROL, address("terms", game))
    assert visitor(DAVE).get(address("seat", game))["Location"] == address("terms", game)


def test_a_wish_list_is_sent_kept_and_changed_on_the_terms_page() -> None:
    game = waiting_game(seats="preferences")
    dave = visitor(DAVE)
    refused = dave.post(address("seat", game), {"wish_1": "ITALY", "wish_2": "ITALY"})
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Choose each power only once." in words(refused)
    assert '<option value="ITALY" selected>' in words(refused)
    assert not Joiner.objects.exists()
    dave.post(address("seat", game), {"wish_1": "ITALY", "wish_3": "FRANCE"})
    assert Joiner.objects.get().wishes == ["ITALY", "FRANCE"]
    assert "You’ve joined. You’ll get a power before the first turn." in page(DAVE, address("game", game))
    answer = dave.post(address("seat", game), {"wish_1": "TURKEY"}, follow=True)
    assert "Preferences saved. Only you can see them." in words(answer)
    assert Joiner.objects.get().wishes == ["TURKEY"]


def test_the_last_to_join_reads_that_the_game_has_started() -> None:
    game = waiting_game(variant="balkan-battle", roll_call_seconds=0)
    first, last = (words(visitor(name).post(address("seat", game), {"power": ""}, follow=True)) for name in PLAYERS[:2])
    assert "You’ve taken a seat. You can leave it again until the game starts." in first
    assert "You were the last to join: the game has started." in last


def test_who_must_ask_asks_with_one_click_and_is_let_in_from_the_desk() -> None:
    game = waiting_game(approval=True)
    assert ">Ask to join</button>" in page(DAVE, address("terms", game))
    answer = visitor(DAVE).post(address("ask", game), follow=True)
    assert "You’ve asked to join. We’ll let you know the game master’s answer." in words(answer)
    assert "You’ve asked to join. We’ll let you know the game master’s answer." in page(DAVE, address("game", game))
    for place in ("game", "terms"):
        assert f'action="{address("unask", game)}"' in page(DAVE, address(place, game))
    assert "You’ve withdrawn your request." in words(visitor(DAVE).post(address("unask", game), follow=True))
    assert "A player has asked to join." not in page(CAROL, address("gm", game))
    visitor(DAVE).post(address("ask", game))
    desk = page(CAROL, address("gm", game))
    assert "dave</a></strong>, new here" in desk
    assert "A player has asked to join." in desk
    answer = visitor(CAROL).post(address("answer", game), {"player": DAVE, "answer": "yes"}, follow=True)
    assert "Request accepted. We’ve told dave." in words(answer)
    assert ">Take a seat</button>" in page(DAVE, address("terms", game))
    assert "Join now to get a place." in page(DAVE, address("game", game))
    assert ">Join<" in page(DAVE, reverse("games:lobby") + "?show=mine")


def test_who_is_declined_reads_it_and_nobody_else_does() -> None:
    game = waiting_game(approval=True)
    ask_to_join(game_id=game.pk, user_id=person(DAVE).pk)
    visitor(CAROL).post(address("answer", game), {"player": DAVE, "answer": "no"})
    assert "The game master has declined your request" in page(DAVE, address("game", game))
    for name in ("alice", CAROL):
        seen = page(name, address("game", game)) + page(name, address("terms", game))
        assert "declined your" not in seen


def test_the_roll_is_answered_with_one_click() -> None:
    game = waiting_game(roll_call_seconds=DAY)
    for name, power in zip(PLAYERS, powers_of(game), strict=True):
        take_seat(game_id=game.pk, user_id=person(name).pk, power=power)
    assert "Please confirm that you’re playing." in page("alice", address("game", game))
    assert "Confirm my place" not in page(DAVE, address("game", game))
    answer = visitor("alice").post(address("confirm", game), follow=True)
    assert "You’ve confirmed your place." in words(answer)
    assert "2 of 7 players confirmed" in words(answer)
    for name in PLAYERS[1:-1]:
        visitor(name).post(address("confirm", game))
    game.refresh_from_db()
    assert game.status == Status.RUNNING


def test_the_desk_says_that_the_roll_comes_before_an_early_start() -> None:
    game = waiting_game(roll_call_seconds=DAY)
    take_seat(game_id=game.pk, user_id=person("alice").pk, power="ITALY")
    assert "Start the roll call" in page(CAROL, address("gm", game))
    calling = reverse("games:gm-start", kwargs={"slug": game.slug})
    answer = visitor(CAROL).post(calling, follow=True)
    assert "The roll call has started. The game starts when everyone has confirmed." in words(answer)
    assert "Start the roll call" not in words(answer)


@pytest.mark.parametrize("plays", [True, False])
def test_the_desk_shows_who_is_missing_in_the_roll_call_unless_players_are_anonymous(plays: bool) -> None:
    game = waiting_game(roll_call_seconds=DAY, hidden_names=True, gm_plays=plays)
    for name, power in zip(PLAYERS, powers_of(game), strict=True):
        take_seat(game_id=game.pk, user_id=person(name).pk, power=power)
    visitor("alice").post(address("confirm", game))
    desk = page(CAROL, address("gm", game))
    card = re.sub("<[^>]+>", "", desk.partition('id="gm-roll-call"')[2])
    assert "2 of 7 players confirmed." in card
    assert ("Not yet: bob, fritz, " in card) is not plays
    assert "Start the game anyway" in desk
    once_confirmed, by_gm = "The game starts once everyone has confirmed", "The game master can start the game"
    assert once_confirmed in page("alice", address("game", game))
    cancelling = reverse("games:gm-cancel_roll_call", kwargs={"slug": game.slug})
    assert "The roll call is cancelled." in words(visitor(CAROL).post(cancelling, follow=True))
    full = page("alice", address("game", game))
    assert "Every seat is taken" in full
    assert by_gm in full
    assert once_confirmed not in full
    (listed,) = game_cards(Game.objects.all(), user_id=None)
    assert listed.status_sentence == f"Every seat is taken. {by_gm}."


def test_a_game_that_one_asks_to_join_stands_among_the_own_until_the_answer_is_no() -> None:
    game = waiting_game(name="Thoiry", approval=True)
    assert "Ask to join" in page(DAVE, reverse("games:lobby") + "?show=open")
    ask_to_join(game_id=game.pk, user_id=person(DAVE).pk)
    mine = page(DAVE, reverse("games:lobby") + "?show=mine")
    assert ("Thoiry" in mine, "Ask to join" in mine) == (True, False)
    answer_join_request(game_id=game.pk, by=person(CAROL).pk, username=DAVE, accept=False)
    assert "Thoiry" not in page(DAVE, reverse("games:lobby") + "?show=mine")
