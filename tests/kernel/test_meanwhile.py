"""What several people may edit: nobody overwrites what they have not seen, but one press puts one's own there."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from django.urls import reverse

from games.tournaments import services
from games.tournaments.models import Round, Tournament
from games.tournaments.terms import RoundTerms
from tests.browsers import address, visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import waiting_game
from tests.tournaments.made import entered, terms_of_round, tournament
from tests.tournaments.sending import Form, Forms

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

pytestmark = pytest.mark.django_db
ALICE, BOB = PLAYERS[:2]


class Shared(NamedTuple):
    """A page with a form, who edit it, what the one and then the other change, and what is stored in the end."""

    page: str
    people: tuple[str, str]
    first: dict[str, Any]
    then: dict[str, Any]
    stored: Callable[[], object]
    told: tuple[str, str]


def with_two_directors() -> Tournament:
    made = tournament(team_best=0)
    services.add_director(tournament_id=made.pk, by=person(CAROL).pk, username=person(DAVE).username)
    return made


def text_of_tournament() -> Shared:
    made = with_two_directors()
    page = reverse("games:edit-tournament", args=[made.slug])
    read = Tournament.objects.filter(pk=made.pk).values_list("text", flat=True).get
    return Shared(page, (CAROL, DAVE), {"text": "Bring cake."}, {"text": "No cake."}, read, ("Bring cake.", "No cake."))


def terms_of_a_round() -> Shared:
    made = with_two_directors()
    Round.objects.create(tournament=made, number=1, terms=terms_of_round("First").to_json())
    page = reverse("games:edit-round", args=[made.slug, 1])

    def read() -> object:
        return str(RoundTerms.stored(made.rounds.get().terms).times)

    told = ("The points of this round count twice.", "The points of this round count three times.")
    return Shared(page, (CAROL, DAVE), {"times": "2"}, {"times": "3"}, read, told)


def terms_of_a_game() -> Shared:
    game = waiting_game()
    page = address("change-terms", game)

    def read() -> object:
        game.refresh_from_db()
        return str(game.stored_options["movement_seconds"])

    one, other = {"movement_seconds": str(43_200)}, {"movement_seconds": str(172_800)}
    return Shared(page, (CAROL, CAROL), one, other, read, ("12 hours", "2 days"))


def own_entry() -> Shared:
    made = tournament(team_best=0)
    (alice,) = entered(made, [ALICE])
    page = reverse("games:own-entry", args=[made.slug])

    def read() -> object:
        alice.refresh_from_db()
        return alice.team

    return Shared(page, (ALICE, ALICE), {"team": "Reds"}, {"team": "Blues"}, read, ("Reds", "Blues"))


def form_on(content: str) -> Form:
    return next(it for it in Forms(content).found if "seen" in it.fields)


def opened(client: Client, page: str) -> dict[str, Any]:
    return form_on(client.get(page).content.decode()).fields


@pytest.mark.parametrize(
    "case", [text_of_tournament, terms_of_a_round, terms_of_a_game, own_entry], ids=lambda it: it.__name__
)
def test_what_has_changed_meanwhile_is_shown_before_it_is_overwritten(case: Callable[[], Shared]) -> None:
    it = case()
    one, other = map(visitor, it.people)
    of_one, of_other = opened(one, it.page), opened(other, it.page)
    assert one.post(it.page, {**of_one, **it.first}).status_code == HTTPStatus.SEE_OTHER
    stored = it.stored()
    answer = other.post(it.page, {**of_other, **it.then})
    assert answer.status_code == HTTPStatus.CONFLICT
    assert it.stored() == stored
    shown = answer.content.decode()
    now, sent = it.told
    assert f"<dd><strong>There now:</strong> {now}</dd>" in shown
    assert f"<dd><strong>You sent:</strong> {sent}</dd>" in shown
    assert other.post(it.page, form_on(shown).fields).status_code == HTTPStatus.SEE_OTHER
    assert it.stored() == next(iter(it.then.values())) != stored


def test_who_sends_the_same_as_is_there_now_is_not_asked() -> None:
    it = text_of_tournament()
    one, other = map(visitor, it.people)
    tabs = [(client, opened(client, it.page)) for client in (one, other)]
    assert [client.post(it.page, {**fields, **it.first}).status_code for client, fields in tabs] == [303, 303]
