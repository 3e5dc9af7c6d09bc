"""Creating a game and using the GM desk, through their pages."""

import re
from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse

from games.kernel.models import Game, Status
from games.mastering.services.desk import close_game
from tests.browsers import address, visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, running_game, waiting_game
from tests.story import Story

pytestmark = pytest.mark.django_db

SEE_OTHER, UNPROCESSABLE = HTTPStatus.SEE_OTHER, HTTPStatus.UNPROCESSABLE_ENTITY
NEW_GAME = {
    "name": "Locarno",
    "variant": "1926",
    "pace": "own",
    "movement_seconds": "86400",
    "retreat_seconds": "43200",
    "adjustment_seconds": "43200",
    "entrance": "open",
    "part": "runs",
    "bids_for_gm": "sees",
    "bids_at_end": "opened",
}


def created(**changed: str) -> Game:
    answer = visitor(DAVE).post(reverse("games:create"), {**NEW_GAME, **changed})
    assert answer.status_code == SEE_OTHER, answer.content.decode()
    return Game.objects.get()


def test_a_game_is_created_with_what_was_chosen() -> None:
    game = created()
    assert (game.name, game.gm, game.by_invitation) == ("Locarno", person(DAVE), False)
    chosen = {
        "movement_seconds": 86400,
        "retreat_seconds": 43200,
        "adjustment_seconds": 43200,
        "gm_plays": False,
        "gm_sees_bids": True,
        "open_bids_at_end": True,
        "all_ready": False,
        "gm_processes_early": False,
    }
    assert chosen.items() <= game.options.values.items()


def test_the_other_choices_have_their_effect() -> None:
    game = created(
        pace="own",
        movement_seconds="300",
        retreat_seconds="60",
        adjustment_seconds="60",
        entrance="invitation",
        part="plays",
        bids_for_gm="blind",
        bids_at_end="sealed",
        all_ready="on",
        gm_processes_early="on",
    )
    assert game.by_invitation
    chosen = {
        "movement_seconds": 300,
        "retreat_seconds": 60,
        "adjustment_seconds": 60,
        "gm_plays": True,
        "gm_sees_bids": False,
        "open_bids_at_end": False,
        "all_ready": True,
        "gm_processes_early": True,
    }
    assert chosen.items() <= game.options.values.items()


@pytest.mark.parametrize(
    ("field", "sent"),
    [("name", ""), ("name", "x"), ("name", "y" * 200), ("variant", "atlantis"), ("pace", "never"), ("part", "watches")],
)
def test_a_wrong_choice_is_named_and_the_rest_stays(field: str, sent: str) -> None:
    answer = visitor(DAVE).post(reverse("games:create"), {**NEW_GAME, "bids_at_end": "opened", field: sent})
    page = answer.content.decode()
    assert answer.status_code == UNPROCESSABLE
    assert "Please correct the mistake below" in page
    assert re.search(r'value="opened"\s+checked', page)
    assert not Game.objects.exists()


def test_only_people_with_an_account_create_games() -> None:
    assert Client().post(reverse("games:create"), NEW_GAME).status_code == HTTPStatus.FOUND
    assert not Game.objects.exists()


def test_the_lobby_has_a_shelf_for_each_kind_of_game() -> None:
    waiting = waiting_game(name="Still waiting")
    running = running_game(name="Being played")
    dave = visitor(DAVE)

    def shelf(show: str) -> str:
        return dave.get(reverse("games:lobby"), {"show": show}).content.decode()

    assert waiting.name in shelf("open")
    assert running.name in shelf("running")
    assert running.name not in shelf("open")
    assert "No public games have ended yet." in shelf("finished")
    assert running.name in visitor(PLAYERS[0]).get(reverse("games:lobby")).content.decode()


def test_a_list_says_which_power_one_plays_and_leads_to_the_days_away() -> None:
    game, without = running_game(absence_days=5), running_game(absence_days=0)
    mine = visitor(PLAYERS[0]).get(reverse("games:lobby"), {"show": "mine"}).content.decode()
    assert mine.count("<strong>You are Britain</strong>") == 2
    assert address("absences", game) in mine
    assert address("absences", without) not in mine
    assert "You are" not in visitor(DAVE).get(reverse("games:lobby"), {"show": "running"}).content.decode()
    assert f"{reverse('games:lobby')}?show=mine" in visitor(PLAYERS[0]).get(reverse("games:profile")).content.decode()


def test_a_game_whose_variant_is_gone_is_still_listed_and_breaks_no_page(client: Client) -> None:
    over, running = running_game(), running_game()
    close_game(game_id=over.pk, by=person(CAROL).pk)
    Game.objects.filter(pk__in=[over.pk, running.pk]).update(variant_slug="gone")
    player = visitor(PLAYERS[0])
    for game, show in ((over, "finished"), (running, "mine")):
        assert game.name in player.get(reverse("games:lobby"), {"show": show}).content.decode()
    assert [who.get("/").status_code for who in (client, player)] == [HTTPStatus.OK, HTTPStatus.OK]


def test_the_game_master_stops_the_clock_and_lets_it_run() -> None:
    game = running_game()
    carol = visitor(CAROL)
    for verb, status in (("pause", Status.PAUSED), ("resume", Status.RUNNING)):
        assert carol.post(address(f"gm-{verb}", game)).status_code == SEE_OTHER
        game.refresh_from_db()
        assert game.status == status


def test_the_deadline_is_put_off_by_a_length_of_the_list_only() -> None:
    game = running_game()
    carol = visitor(CAROL)
    before = Story(game).seen_by(CAROL).game.deadline
    assert before is not None
    assert carol.post(address("gm-extend", game), {"seconds": "3600"}).status_code == SEE_OTHER
    after = Story(game).seen_by(CAROL).game.deadline
    assert after is not None
    assert (after - before).total_seconds() == 3600
    refused = carol.post(address("gm-extend", game), {"seconds": "-5"})
    assert refused.status_code == UNPROCESSABLE
    assert "Choose a length from the list." in refused.content.decode()


@pytest.mark.parametrize(
    ("page", "where"), [("gm-pause", {}), ("gm-process", {}), ("close", {}), ("disorder", {"power": "ITALY"})]
)
def test_a_reason_that_is_too_long_is_refused_and_stays_in_its_field(page: str, where: dict[str, str]) -> None:
    game, carol = running_game(gm_processes_early=True), visitor(CAROL)
    shown = carol.get(address(page, game, **where) if page != "act" else address("gm", game)).content.decode()
    assert 'name="reason" maxlength' not in shown, "the browser would cut off what is pasted"
    answer = carol.post(address(page, game, **where), {"reason": "y" * 301})
    assert answer.status_code == UNPROCESSABLE
    told = answer.content.decode()
    assert "The reason can have at most 300 characters; this one has 301." in told
    assert told.count("y" * 301) == 1
    game.refresh_from_db()
    assert game.status == Status.RUNNING


def test_a_new_player_is_put_into_a_seat() -> None:
    game = running_game()
    sent = {"power": "ITALY", "username": DAVE, "reason": "Agreed."}
    answer = visitor(CAROL).post(address("gm-seat", game), sent)
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    top = answer.content.decode().split("What needs attention")[0]
    assert '<a href="#seat-username">Player name</a>: There is no account named' in top
    person(DAVE)
    answer = visitor(CAROL).post(address("gm-seat", game), {**sent, "reason": ""})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    page = answer.content.decode()
    assert '<a href="#seat-reason">Reason</a>: Nothing was changed. Give a reason' in page
    assert f'value="{DAVE}"' in page, "what was sent is kept"
    assert visitor(CAROL).post(address("gm-seat", game), sent).status_code == SEE_OTHER
    assert occupancy_of(game, "ITALY").user == person(DAVE)


def test_permanent_civil_disorder_is_declared_after_a_page_that_names_its_consequences() -> None:
    game = running_game()
    carol = visitor(CAROL)
    page = carol.get(address("disorder", game, power="ITALY")).content.decode()
    assert "No one can play" in page
    assert carol.post(address("disorder", game, power="ITALY")).status_code == SEE_OTHER
    assert next(power for power in Story(game).seen_by(CAROL).powers if power.id == "ITALY").disordered


def test_closing_a_game_names_its_consequences_first() -> None:
    game = running_game()
    carol = visitor(CAROL)
    assert "can’t be resumed" in carol.get(address("close", game)).content.decode()
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    assert carol.post(address("close", game)).status_code == SEE_OTHER
    game.refresh_from_db()
    assert game.status == Status.CLOSED
    newest = Story(game).seen_by(CAROL).events[0]
    assert newest.sentence.startswith("The game master closed the game: a draw between ")


def test_a_look_at_bids_stands_in_the_public_log() -> None:
    game = running_game(gm_sees_bids=True)
    story = Story(game)
    story.order("GERMANY", "2: A Aus S A Mun-Cze")
    story.deadline()
    page = visitor(CAROL).post(address("bids", game, ordinal=0)).content.decode()
    assert "A Aus S A Mun–Cze" in page
    assert "carol looked at the bids of Spring 1926." in Client().get(address("game", game)).content.decode()


def test_a_blind_game_master_sees_no_bids() -> None:
    game = running_game(gm_sees_bids=False)
    Story(game).deadline()
    answer = visitor(CAROL).post(address("bids", game, ordinal=0))
    assert answer.status_code in {SEE_OTHER, HTTPStatus.NOT_FOUND}
    assert "Bids of closed phases" not in visitor(CAROL).get(address("gm", game)).content.decode()


@pytest.mark.parametrize("name", ["gm-extend", "gm-seat", "close"])
def test_only_the_game_master_has_the_desk(name: str) -> None:
    game = running_game()
    assert visitor(PLAYERS[0]).post(address(name, game)).status_code == HTTPStatus.NOT_FOUND
    assert visitor(PLAYERS[0]).post(address("gm-pause", game)).status_code == HTTPStatus.NOT_FOUND
