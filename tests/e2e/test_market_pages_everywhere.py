"""The pages of vacant seats and of sitters, with content on them: intact, and accessible."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from games.kernel import clock
from games.seating.services.sitters import name_sitter
from games.seating.services.vacancies import invite_to_seat, join_standby_list, resign
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.e2e.test_pages_everywhere import Visit
from tests.factories import running_game

if TYPE_CHECKING:
    from games.kernel.models import Game
    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

A, R = "AUSTRIA", "RUSSIA"


def wanted_game() -> Game:
    """Austria is vacant, Dave is asked to play it and to sit for Bob, Eva waits for a seat."""
    game = running_game(variant="three-way-balkan-battle", players=PLAYERS[:3], absence_days=5)
    for name in (DAVE, "eva"):
        person(name)
    join_standby_list(user_id=person("eva").pk)
    resign(game_id=game.pk, user_id=person("alice").pk)
    invite_to_seat(game_id=game.pk, by=game.gm_id, power=A, username=DAVE)
    first, last = (clock.now().date() + timedelta(days=days) for days in (1, 4))
    name_sitter(
        game_id=game.pk, user_id=person("bob").pk, username=DAVE, zone="UTC", talks=True, first=first, last=last
    )
    return game


@pytest.mark.parametrize(
    ("name", "pages"),
    [
        (DAVE, ("seats", "vacant", "offer", "sitting", "game")),
        ("bob", ("sitter", "resign")),
        ("fritz", ("sitter",)),
        ("eva", ("standby",)),
        (CAROL, ("gm",)),
    ],
)
def test_nothing_is_wrong_with_the_pages_of_the_market(browsers: Browsers, name: str, pages: tuple[str, ...]) -> None:
    game = wanted_game()
    visit = Visit(browsers.of(name))
    where = {"vacant": {"slug": game.slug, "power": A}, "seats": {}, "sitting": {}, "standby": {}}
    wrong = [
        problem
        for page in pages
        for problem in visit.to(reverse(f"games:{page}", kwargs=where.get(page, {"slug": game.slug})))
    ]
    assert wrong == []
