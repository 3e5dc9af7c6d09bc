"""The same people play again: by one tap, with the next power or one by lot, once all have confirmed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from games.kernel.models import Game, Joiner, Letter, Occupancy, Status
from games.kernel.refusals import NotAllowed, WrongMoment
from games.mastering.services.desk import close_game
from games.people.services import block_user
from games.seating.services.joining import confirm_place
from games.seating.services.rematch import call_rematch
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game

if TYPE_CHECKING:
    from typing import Any

pytestmark = pytest.mark.django_db
POWERS = ("AUSTRIA", "RUSSIA", "TURKEY")


def over(**options: Any) -> Game:
    game = running_game(variant="three-way-balkan-battle", players=PLAYERS[:3], gm_outcomes=True, **options)
    close_game(game_id=game.pk, by=person(CAROL).pk, outcome="solo", powers=["AUSTRIA"], reason="Enough.")
    return game


def again(game: Game, name: str) -> Game:
    return Game.objects.get(slug=call_rematch(game_id=game.pk, user_id=person(name).pk))


def seats_in(game: Game) -> dict[str, str]:
    rows = Occupancy.objects.filter(game=game, until__isnull=True)
    return dict(rows.values_list("seat__power", "user__username"))


def test_everybody_has_the_next_power_and_the_game_begins_when_all_have_confirmed() -> None:
    first = over()
    second = again(first, PLAYERS[1])
    assert (second.gm_id, second.name, second.status) == (first.gm_id, "Locarno, again", Status.OPEN)
    assert seats_in(first) == dict(zip(POWERS, PLAYERS[:3], strict=True))
    assert seats_in(second) == dict(zip(POWERS, (PLAYERS[2], *PLAYERS[:2]), strict=True))
    for name in (PLAYERS[0], PLAYERS[2]):
        confirm_place(game_id=second.pk, user_id=person(name).pk)
    second.refresh_from_db()
    assert second.status == Status.RUNNING


def test_while_all_confirm_the_page_neither_waits_for_players_nor_invites_any() -> None:
    page = visitor(PLAYERS[0]).get(reverse("games:game", args=[again(over(), PLAYERS[1]).slug])).content.decode()
    assert "Every seat is taken" in page
    assert "The game starts once everyone has confirmed" in page
    assert "Waiting for players" not in page
    assert "Invitation link" not in page


def test_one_letter_reaches_each() -> None:
    second = again(over(), PLAYERS[1])
    letters = Letter.objects.filter(game=second).values_list("kind", "user__username")
    assert sorted(letters) == [("rematch", CAROL), *sorted(("roll called", name) for name in PLAYERS[:3])]
    log = visitor(CAROL).get(reverse("games:log", args=[second.slug])).content.decode()
    assert "bob called for a rematch of “Locarno” with the same people." in log


def test_a_second_tap_finds_the_same_game_and_a_rematch_has_one_too() -> None:
    first = over()
    second = again(first, CAROL)
    assert again(first, PLAYERS[0]) == second
    assert Game.objects.count() == 2


def test_anonymous_players_are_dealt_powers_by_lot() -> None:
    second = again(over(hidden_names=True), PLAYERS[0])
    assert not seats_in(second)
    assert Joiner.objects.filter(game=second).count() == 3
    log = visitor(DAVE).get(reverse("games:log", args=[second.slug])).content.decode()
    assert "A player called for a rematch of “Locarno” with the same people." in log
    assert PLAYERS[0] not in log


def test_whoever_the_game_master_has_blocked_is_left_out_and_the_others_are_told() -> None:
    first = over()
    block_user(by=person(CAROL).pk, username=PLAYERS[2])
    second = again(first, PLAYERS[0])
    assert seats_in(second) == {"AUSTRIA": PLAYERS[1], "RUSSIA": PLAYERS[0]}
    assert sorted(Letter.objects.filter(game=second).values_list("user__username", flat=True)) == [PLAYERS[1], CAROL]


def test_people_who_took_over_the_seats_of_bots_fill_the_rematch() -> None:
    first = over()
    Game.objects.filter(pk=first.pk).update(stored_options={**first.stored_options, "bots": 1})
    second = again(first, PLAYERS[0])
    for name in PLAYERS[1:3]:
        confirm_place(game_id=second.pk, user_id=person(name).pk)
    second.refresh_from_db()
    assert second.status == Status.RUNNING


def test_a_rematch_that_came_to_nothing_may_be_called_again() -> None:
    first = over()
    second = again(first, PLAYERS[0])
    close_game(game_id=second.pk, by=person(CAROL).pk)
    third = again(first, PLAYERS[1])
    assert third not in {first, second}
    assert again(first, PLAYERS[2]) == third


def test_a_stranger_and_a_game_under_way_have_no_rematch() -> None:
    first = over()
    with pytest.raises(NotAllowed):
        again(first, DAVE)
    with pytest.raises(WrongMoment):
        again(running_game(name="Another"), PLAYERS[0])


def test_it_is_one_tap_on_the_page_of_the_end() -> None:
    first = over()
    page = visitor(PLAYERS[1]).get(reverse("games:game", args=[first.slug])).content.decode()
    assert '<h2 id="verdict">Austria won. You have no centre left.</h2>' in page
    answer = visitor(PLAYERS[1]).post(reverse("games:rematch", args=[first.slug]), follow=True)
    assert "Here is the rematch." in answer.content.decode()
    assert "Rematch" not in visitor(DAVE).get(reverse("games:game", args=[first.slug])).content.decode()
