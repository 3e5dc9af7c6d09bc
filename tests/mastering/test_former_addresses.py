"""A page of the desk that was open during an upgrade sends its acts to where they were."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse

from games.consent.models import Asking
from games.kernel.models import Assistant, Handover, Joiner
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, open_phase, running_game, waiting_game

pytestmark = pytest.mark.django_db


def test_the_buttons_of_the_clock_say_by_a_field_what_they_want() -> None:
    game, gm = running_game(), visitor(CAROL)
    before = open_phase(game).deadline
    assert before is not None
    for how, moved in (("until", timedelta(hours=3)), ("earlier", timedelta(hours=-3))):
        moment = (before + moved).strftime("%Y-%m-%dT%H:%M")
        answer = gm.post(f"/games/{game.slug}/gm/extend/", {"how": how, "until": moment, "reason": ""})
        assert answer["Location"] == reverse("games:gm", args=[game.slug])
    assert open_phase(game).deadline == (before + timedelta(hours=3)).replace(second=0, microsecond=0)
    assert Asking.objects.count() == 1, "the players are asked about the earlier one"


def test_people_are_named_and_withdrawn_as_before() -> None:
    game, gm = running_game(), visitor(CAROL)
    person(DAVE)
    desk = f"/games/{game.slug}/gm"
    gm.post(f"{desk}/assistants/", {"username": DAVE, "rights": ["talk"]})
    assert Assistant.objects.get().accepted is None
    gm.post(f"{desk}/assistants/", {"remove": DAVE})
    assert Assistant.objects.get().accepted is False
    gm.post(f"{desk}/hand-over/", {"username": DAVE})
    assert Handover.objects.get().accepted is None
    gm.post(f"{desk}/hand-over/", {"back": "1"})
    assert Handover.objects.get().accepted is False
    gm.post(f"{desk}/empty/", {"power": "GERMANY", "reason": "Gone"})
    gm.post(f"{desk}/bot/", {"power": "GERMANY", "level": "strong"})
    assert occupancy_of(game, "GERMANY").user.is_bot


def test_a_place_without_a_power_is_given_from_a_seat_s_form() -> None:
    game = waiting_game(seats="preferences")
    person(PLAYERS[0])
    visitor(CAROL).post(f"/games/{game.slug}/gm/place/", {"power": "", "username": PLAYERS[0]})
    assert Joiner.objects.get(game=game).user == person(PLAYERS[0])
