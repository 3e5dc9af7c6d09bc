"""An act that a game master sends several times from one page counts once."""

from __future__ import annotations

import re
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest

from games.kernel.models import Act
from games.kernel.once import forget_old_acts
from tests.browsers import address, visitor
from tests.cast import CAROL, DAVE, PLAYERS
from tests.factories import HOUR, open_phase, running_game, waiting_game
from tests.story import Story

if TYPE_CHECKING:
    from django.test import Client

    from games.kernel.models import Game
    from tests.moment import Moment

pytestmark = pytest.mark.django_db

SIGN = "csrfmiddlewaretoken"
KEY = re.compile(rf'name="{SIGN}" value="(\w+)"')


def key_of(client: Client, game: Game, page: str = "gm", **more: object) -> str:
    """That of the page as it is now."""
    found: list[str] = KEY.findall(client.get(address(page, game, **more)).content.decode())
    return found[-1]


def test_an_extension_sent_six_times_from_one_page_extends_once() -> None:
    game, gm = running_game(), visitor(CAROL)
    before = open_phase(game).deadline
    assert before is not None
    sent = {SIGN: key_of(gm, game), "seconds": str(24 * HOUR), "reason": ""}
    answers = [gm.post(address("gm-extend", game), sent) for _ in range(6)]
    assert {answer.status_code for answer in answers} == {HTTPStatus.SEE_OTHER}
    assert {answer["Location"] for answer in answers} == {address("gm", game)}
    assert open_phase(game).deadline == before + timedelta(days=1)
    assert "already done that" in gm.get(address("gm", game)).content.decode()
    gm.post(address("gm-extend", game), {**sent, SIGN: key_of(gm, game)})
    assert open_phase(game).deadline == before + timedelta(days=2), "a new page may extend again"


def test_a_refused_act_may_be_sent_again_from_the_same_page() -> None:
    game, gm = running_game(), visitor(CAROL)
    key = key_of(gm, game)
    before = open_phase(game).deadline
    assert before is not None
    answer = gm.post(address("gm-extend", game), {SIGN: key, "seconds": "7"})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    gm.post(address("gm-resume", game), {SIGN: key})
    gm.post(address("gm-extend", game), {SIGN: key, "seconds": str(HOUR)})
    assert open_phase(game).deadline == before + timedelta(hours=1)


def test_a_pause_from_an_old_page_does_not_stop_a_game_that_was_resumed() -> None:
    game, gm = running_game(), visitor(CAROL)
    key = key_of(gm, game)
    gm.post(address("gm-pause", game), {SIGN: key})
    gm.post(address("gm-resume", game), {SIGN: key_of(gm, game)})
    gm.post(address("gm-pause", game), {SIGN: key})
    game.refresh_from_db()
    assert game.status == "running"


def test_an_invitation_is_sent_once() -> None:
    game, gm = waiting_game(), visitor(CAROL)
    sent = {SIGN: key_of(gm, game), "power": "GERMANY", "email": "erika@example.org"}
    for _ in range(3):
        gm.post(address("gm-mail", game), sent)
    assert Act.objects.filter(path=address("gm-mail", game)).count() <= 1


def test_what_is_only_looked_at_can_be_looked_at_again() -> None:
    game, gm = running_game(gm_sees_bids=True), visitor(CAROL)
    Story(game).order("GERMANY", "A Mun-Cze", "2: A Aus S A Mun-Cze")
    Story(game).deadline()
    key = key_of(gm, game)
    looks = [gm.post(address("all-bids", game), {SIGN: key}).status_code for _ in range(2)]
    assert looks == [HTTPStatus.OK, HTTPStatus.OK]


def test_a_key_belongs_to_one_person_and_is_forgotten_in_time(moment: Moment) -> None:
    game, gm = running_game(), visitor(CAROL)
    key = key_of(gm, game)
    gm.post(address("gm-extend", game), {SIGN: key, "seconds": str(HOUR)})
    assert visitor(DAVE).post(address("gm-extend", game), {SIGN: key, "seconds": str(HOUR)}).status_code == 404
    moment.wait(days=31)
    forget_old_acts()
    assert not Act.objects.exists()


def test_a_player_has_no_part_in_this() -> None:
    game = running_game()
    assert visitor(PLAYERS[0]).post(address("gm-extend", game), {SIGN: "1", "seconds": str(HOUR)}).status_code == 404
    assert not Act.objects.exists()


def test_a_program_that_sends_the_sign_of_its_cookie_may_act_again() -> None:
    game, gm = running_game(), visitor(CAROL)
    before = open_phase(game).deadline
    assert before is not None
    gm.get(address("gm", game))
    sent = {SIGN: gm.cookies["csrftoken"].value, "seconds": str(HOUR), "reason": ""}
    for _ in range(2):
        gm.post(address("gm-extend", game), sent)
    assert open_phase(game).deadline == before + timedelta(hours=2)
