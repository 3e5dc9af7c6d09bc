"""A game that began elsewhere goes on here."""

from __future__ import annotations

import json
import re
from http import HTTPStatus
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from games.kernel import codec
from games.kernel.access import access_game
from games.kernel.models import Game, Status
from games.kernel.refusals import BadGame
from games.mastering.services.desk import start_game
from games.seating.services.new_game import take_seat
from games.travel.bringing import bring_game
from games.travel.queries import played_game
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import HOUR, occupancy_of, open_phase, powers_of, running_game
from tests.pages.test_pages_running import NEW_GAME
from tests.story import Story
from variants.maps import drawing_of
from variants.registry import find
from variants.travel import write_game
from variants.travel.written_position import write_position
from variants.words import say

pytestmark = pytest.mark.django_db

VARIANT = "1926"
POSITION = write_position(find(VARIANT).start, find(VARIANT)).replace("Spring 1926", "Fall 1928", 1)
OPTIONS: dict[str, Any] = {"name": "Lugano by email", "variant": VARIANT, "movement_seconds": 24 * HOUR}


def brought(position: str = POSITION, **more: Any) -> Game:
    chosen = {**OPTIONS, "players": {}, **more}
    return Game.objects.get(slug=bring_game(by=person(CAROL).pk, position=position, **chosen))


def test_how_even_the_board_was_at_its_start_is_not_said_of_another_position() -> None:
    game = brought()
    for name in ("game", "terms"):
        path = reverse(f"games:{name}", kwargs={"slug": game.slug})
        assert "equal bots" not in visitor(PLAYERS[0]).get(path).content.decode()


def test_the_game_goes_on_in_its_position_turn_and_year() -> None:
    game = brought(POSITION.replace("A Munich, ", "", 1))
    before = codec.opening_position(game.brought, find(VARIANT))
    assert before.unit_at("MUN") is None
    assert Story(game).seen_by(DAVE).drawing == drawing_of(before, find(VARIANT))
    told = Client().get(f"/games/{game.slug}/terms/").content.decode()
    assert "The game goes on in Fall 1928, in a position that the game master entered." in told
    for name, power in zip(PLAYERS, powers_of(game), strict=True):
        take_seat(game_id=game.pk, user_id=person(name).pk, power=power)
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    phase = open_phase(game)
    assert phase.turn == "F1928M"
    assert codec.position_of(phase) == before
    assert say(codec.notices_of(phase)[0], find(VARIANT).ruleset).startswith("This game began elsewhere.")
    assert game.events.get(kind="position entered").facts["turn"] == "F1928M"
    Story(game).deadline()
    assert open_phase(game).turn in {"W1928A", "S1929M"}


def test_it_may_go_on_with_adjustments() -> None:
    position = POSITION.replace("Fall 1928, movement", "Winter 1928, adjustments", 1).replace("A Munich, ", "", 1)
    game = brought(position, players=dict(zip(powers_of(running_game()), PLAYERS, strict=True)))
    start_game(game_id=game.pk, by=person(CAROL).pk)
    assert open_phase(game).turn == "W1928A"
    Story(game).order("GERMANY", "Build A Mun")
    Story(game).deadline()
    assert open_phase(game).turn == "S1929M"
    assert codec.position_of(open_phase(game)).unit_at("MUN") is not None


def test_its_players_have_their_seats_at_once() -> None:
    person(DAVE)
    game = brought(players={"GERMANY": DAVE, "FRANCE": ""})
    assert occupancy_of(game, "GERMANY").user == person(DAVE)
    with pytest.raises(BadGame) as refused:
        brought(players={"GERMANY": "nobody", "FRANCE": CAROL})
    assert refused.value.problems.keys() == {"player GERMANY", "player FRANCE"}
    assert Game.objects.count() == 1, "nothing is stored"


def test_its_players_without_an_account_are_invited_by_email() -> None:
    game = brought(players={"GERMANY": "anna@example.org"})
    seat = game.mailed_invitations.get().seat
    assert seat is not None
    assert seat.power == "GERMANY"
    with pytest.raises(BadGame) as refused:
        brought(players={"GERMANY": "anna@example"})
    assert refused.value.problems.keys() == {"player GERMANY"}


def test_no_one_plays_a_power_in_permanent_disorder_and_the_game_is_full_without_it() -> None:
    game = brought(f"{POSITION}In disorder: Turkey\n")
    assert game.seats.get(disordered=True).power == "TURKEY"
    others = [power for power in powers_of(game) if power != "TURKEY"]
    for name, power in zip(PLAYERS, others, strict=False):
        take_seat(game_id=game.pk, user_id=person(name).pk, power=power)
    game.refresh_from_db()
    assert game.status == Status.RUNNING


def test_a_power_that_is_out_of_the_game_has_no_seat_to_fill() -> None:
    lines = [line for line in POSITION.splitlines() if not line.startswith("Poland:")]
    game = brought("\n".join(lines))
    assert game.seats.get(disordered=True).power == "POLAND"
    seen = Story(game).seen_by(DAVE).game
    assert (seen.taken, seen.players) == (0, len(PLAYERS) - 1)


def test_a_game_cannot_end_before_it_comes_here() -> None:
    with pytest.raises(BadGame) as refused:
        brought(last_year=1927)
    assert refused.value.problems.keys() == {"last_year"}


def page(client: Client, **sent: Any) -> tuple[int, str]:
    answer = client.post("/new-game/bring/", {"variant": VARIANT, **sent})
    return answer.status_code, " ".join(answer.content.decode().split())


def test_the_page_names_each_mistake_then_shows_the_map_and_then_creates_the_game() -> None:
    client = Client()
    client.force_login(person(CAROL))
    empty = client.get("/new-game/bring/").content.decode()
    assert "F Edinburgh" in empty
    assert "Create the game" not in empty
    status, text = page(client, check="1", position=POSITION.replace("Poland:", "Polend:", 1))
    assert status == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Did you mean Poland?" in text
    assert "Polend:" in text.split("<textarea")[1]
    status, text = page(client, check="1", position=POSITION)
    assert status == HTTPStatus.OK
    assert "This is what we read: Fall 1928, movement" in text
    assert 'aria-label="Map"' in text
    assert "Diplomacy Points in this turn: Britain 3, France 3" in text
    assert 'name="create"' in text
    checked = set(re.findall(r'name="(part|entrance)"[^>]* value="(\w+)" checked', text))
    assert checked == {("entrance", "invitation"), ("part", "runs")}, (
        "the person who brings a game along usually wants this"
    )
    person(DAVE)
    sent = {
        **{name: value for name, value in NEW_GAME.items() if name != "variant"},
        "position": POSITION,
        "entrance": "invitation",
        "player_GERMANY": DAVE,
        "name": "Lugano",
        "reports": "Spring 1928\nGermany took Poland.",
    }
    status, text = page(client, **sent, create="1", player_FRANCE="nobody")
    assert status == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "There is no account named “nobody”" in text
    assert "Germany took Poland." in text
    assert not Game.objects.exists()
    status, text = page(client, **sent, create="1")
    assert status == HTTPStatus.SEE_OTHER, text
    game = Game.objects.get()
    assert (game.name, game.by_invitation) == ("Lugano", True)
    assert occupancy_of(game, "GERMANY").user == person(DAVE)
    history = client.get(f"/games/{game.slug}/history/").content.decode()
    assert "Before this game came here" in history
    assert "Germany took Poland." in history


def test_a_text_without_minor_powers_is_asked_about_them_before_the_game_is_created() -> None:
    silent = "\n".join(line for line in POSITION.splitlines() if not line.startswith("Minor powers"))
    with pytest.raises(BadGame) as refused:
        brought(silent)
    assert "Minor powers: as at the start" in refused.value.problems["position"]
    client = Client()
    client.force_login(person(CAROL))
    status, text = page(client, check="1", position=silent)
    assert status == HTTPStatus.OK
    assert "All others as at the start" in text
    assert 'aria-label="Map"' in text
    assert "Create the game" not in text
    _, text = page(client, minors="as at the start", position=silent)
    assert "Minor powers: as at the start" in text.split("<textarea")[1]
    assert "Create the game" in text


def test_a_file_of_another_program_goes_on_where_it_ends() -> None:
    game = running_game(variant=VARIANT)
    Story(game).deadline()
    played = played_game(access_game(user=person(CAROL), slug=game.slug))
    client = Client()
    client.force_login(person(CAROL))
    file = SimpleUploadedFile("game.json", write_game("pypi", played).encode())
    status, text = page(client, check="1", file=file)
    assert status == HTTPStatus.OK, text
    assert "This is what we read: Fall 1926, movement" in text
    status, text = page(client, check="1", variant="standard", file=SimpleUploadedFile("x", b'{"map": 1}'))
    assert status == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "This file can’t be read." in text


def test_only_so_many_files_and_more_positions_are_read_within_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.pages.bring_form.POSITIONS", "3/h")
    client = Client()
    client.force_login(person(CAROL))
    for _ in range(40):
        page(client, check="1", position="{}")
    assert "You’ve sent 40 files within an hour." in page(client, check="1", position="{}")[1]
    for sent in ({"position": POSITION}, {"position": "no position"}, {"file": SimpleUploadedFile("x", b"Fall")}):
        assert "positions within an hour" not in page(client, check="1", **sent)[1]
    page(client, check="1")  # nothing was sent, so nothing is counted
    status, text = page(client, check="1", position=POSITION)
    assert status == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "You’ve sent 3 positions within an hour. That’s the most there can be. The next one is possible in " in text
    assert "Fall 1928, movement" in text.split("<textarea")[1], "nothing typed is lost"


def test_a_position_with_more_units_than_play_can_lead_to_is_refused() -> None:
    client = Client()
    client.force_login(person(CAROL))
    board = find(VARIANT).ruleset.board
    units = ", ".join(f"{'A' if place in board.army else 'F'} {place}" for place in board.provinces if "/" not in place)
    crowded = f"Fall 1928\nFrance: {units}\nCentres:\nFrance: Paris"
    status, text = page(client, check="1", position=crowded)
    assert status == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "units, but there can be at most 47" in text


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"memory": {"homes": []}}, "“homes” must give each power a list of supply centres."),
        ({"memory": {"homes": {"austria": ["BUD"]}}}, "There is no power austria; there are AUSTRIA, TURKEY."),
        ({"memory": {"homes": {"AUSTRIA": ["bud"]}}}, "“homes” must give AUSTRIA supply centres"),
        ({"memory": {"minors": 1}}, "“minors” must name supply centres."),
        ({"units": {}, "centers": {"ITALY": ["BUD"]}}, "There is no power ITALY"),
    ],
)
def test_a_file_that_says_what_the_rules_do_not_remember_is_refused(change: dict[str, Any], sentence: str) -> None:
    balkan = find("balkan-battle")
    phase = {"phase": balkan.start.turn.code, "units": {"AUSTRIA": ["A VIE"]}, **change}
    client = Client()
    client.force_login(person(CAROL))
    status, text = page(client, check="1", variant=balkan.slug, position=json.dumps(phase))
    assert status == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "This file can’t be read." in text
    assert sentence in text


def test_a_text_that_is_too_long_is_refused_and_kept() -> None:
    client = Client()
    client.force_login(person(CAROL))
    long = f"{POSITION}{'# remark' * 20_000}"
    status, text = page(client, check="1", position=long)
    assert status == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "# remark# remark" in text.split("<textarea")[1]
    assert "100,000 are allowed" in page(client, check="1", file=SimpleUploadedFile("x", long.encode()))[1]


def test_there_is_a_form_to_fill_in_for_every_variant() -> None:
    client = Client()
    client.force_login(person(CAROL))
    form = client.get(f"/new-game/bring/{VARIANT}.txt")
    assert "attachment" in form["Content-Disposition"]
    assert "# First the turn" in form.content.decode()
    assert client.get("/new-game/bring/atlantis.txt").status_code == HTTPStatus.NOT_FOUND
