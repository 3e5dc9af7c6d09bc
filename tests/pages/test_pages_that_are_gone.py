"""Acts after which their own page is gone: pressed once more from another tab, or after the way back, they lead where
they led at first."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from django.urls import reverse

from games.kernel.models import Game
from games.mastering.services.assistants import name_assistant, offer_handover
from games.practice.services import start_practice
from games.seating.services.vacancies import invite_to_seat, resign
from games.tournaments import entry, services
from games.tournaments.models import Round, Tournament
from games.tournaments.seating import ask_for_plan, make_plans
from tests.browsers import address, visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, running_game
from tests.story import Story
from tests.tournaments.made import entered, terms_of_round, tournament
from tests.tournaments.sending import Form, Forms

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

pytestmark = pytest.mark.django_db
ALICE = PLAYERS[0]
GERMANY = "GERMANY"
HOST = "http://testserver"
"""Browsers say on which page a form was."""


class Press(NamedTuple):
    """Whose button of which page. `sent`: what they fill in."""

    who: str
    page: str
    button: str
    sent: dict[str, Any] = {}  # noqa: RUF012 - it never changes


def at(name: str, made: Tournament, **more: Any) -> str:
    return reverse(f"games:{name}", kwargs={"slug": made.slug, **more})


def planned() -> Tournament:
    made = tournament()
    entered(made, PLAYERS)
    Round.objects.create(tournament=made, number=1, terms=terms_of_round(variants=["standard"]).to_json())
    carol = person(CAROL).pk
    entry.look(tournament_id=made.pk, by=carol)
    ask_for_plan(tournament_id=made.pk, by=carol, number=1)
    make_plans()
    return made


def tables() -> Press:
    return Press(CAROL, at("plan", planned(), number=1), "Create all tables")


def draft() -> Press:
    return Press(CAROL, at("tournament", tournament(published=False)), "Delete the draft")


def last_round() -> Press:
    made = tournament()
    Round.objects.create(tournament=made, number=1, terms=terms_of_round().to_json())
    return Press(CAROL, at("edit-round", made, number=1), "Delete the round")


def directing() -> Press:
    made = tournament()
    services.add_director(tournament_id=made.pk, by=person(CAROL).pk, username=person(DAVE).username)
    return Press(CAROL, at("edit-tournament", made), "Stop being a director")


def desk_handed_over() -> Press:
    game = running_game()
    offer_handover(game_id=game.pk, by=person(CAROL).pk, username=person(DAVE).username)
    return Press(DAVE, address("take-game", game), "Accept")


def help_declined() -> Press:
    game = running_game(by_invitation=True)
    rights = ["clock"]
    name_assistant(game_id=game.pk, by=person(CAROL).pk, username=person(DAVE).username, rights=rights)
    return Press(DAVE, address("assist", game), "Decline")


def seat_accepted() -> Press:
    game = running_game()
    resign(game_id=game.pk, user_id=occupancy_of(game, GERMANY).user_id)
    invite_to_seat(game_id=game.pk, by=person(CAROL).pk, power=GERMANY, username=person(DAVE).username)
    return Press(DAVE, address("offer", game), "Accept")


def seat_given_up() -> Press:
    return Press(ALICE, address("resign", running_game()), "Give up my seat")


def game_closed() -> Press:
    return Press(CAROL, address("close", running_game()), "Close the game", {"reason": "So"})


def gone_back() -> Press:
    game = running_game()
    Story(game).deadline()
    return Press(CAROL, address("back", game, ordinal=0), "Go back", {"reason": "So"})


def disorder() -> Press:
    game = running_game()
    resign(game_id=game.pk, user_id=occupancy_of(game, GERMANY).user_id)
    return Press(CAROL, address("disorder", game, power=GERMANY), "Declare", {"reason": "So"})


def practice_deleted() -> Press:
    game = Game.objects.get(slug=start_practice(user_id=person(ALICE).pk))
    return Press(ALICE, address("game", game), "Delete this game")


CASES = (
    tables,
    draft,
    last_round,
    directing,
    desk_handed_over,
    help_declined,
    seat_accepted,
    seat_given_up,
    game_closed,
    gone_back,
    disorder,
    practice_deleted,
)


def form_on(client: Client, page: str, button: str) -> tuple[Form, dict[str, str]]:
    shown = client.get(page)
    assert shown.status_code == HTTPStatus.OK, (page, shown.status_code)
    forms = Forms(shown.content.decode()).found
    return next(
        (form, pressed) for form in forms for words, pressed in form.buttons.items() if words.startswith(button)
    )


@pytest.mark.parametrize("case", CASES, ids=lambda it: it.__name__)
def test_an_act_pressed_again_leads_where_it_led(case: Callable[[], Press]) -> None:
    it = case()
    client = visitor(it.who)
    tabs = [form_on(client, it.page, it.button) for _tab in range(2)]

    def press(tab: int) -> str:
        form, pressed = tabs[tab]
        sent = {**form.fields, **pressed, **it.sent}
        answer = client.post(form.action or it.page, sent, follow=True, headers={"referer": f"{HOST}{it.page}"})
        assert answer.status_code == HTTPStatus.OK, (tab, answer.redirect_chain, answer.status_code)
        assert answer.redirect_chain, answer.content.decode()
        return str(answer.redirect_chain[-1][0])

    first = press(0)
    again = {press(0), press(1)}
    back = client.get(it.page, follow=True)
    assert back.status_code == HTTPStatus.OK
    assert again == {first}


def test_two_pages_that_are_gone_do_not_lead_to_each_other() -> None:
    made = tournament(published=False)
    client, page = visitor(CAROL), at("tournament", made)
    client.post(at("do-choose_to_play", made), {"plays": "false"})
    client.post(at("do-publish", made))
    Tournament.objects.all().delete()
    assert client.get(at("edit-tournament", made), follow=True).status_code == HTTPStatus.NOT_FOUND
    assert client.get(page, follow=True).status_code == HTTPStatus.NOT_FOUND


def test_who_comes_too_late_to_a_plan_is_told_that_the_round_is_seated() -> None:
    made = planned()
    services.add_director(tournament_id=made.pk, by=person(CAROL).pk, username=person(DAVE).username)
    visitor(CAROL).post(at("plan", made, number=1), {"seat": "yes"})
    for page in ("plan", "edit-round"):
        late = visitor(DAVE).post(at(page, made, number=1), {"seat": "yes"}, follow=True)
        assert "Round 1 is seated: all its tables are there." in late.content.decode()
