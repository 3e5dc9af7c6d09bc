"""A page offers directors and entrants an act exactly where its rule allows it, and its service asks the same rule."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from django.db import transaction

from games.kernel import clock
from games.kernel.acts import subject_of
from games.kernel.refusals import Refusal
from games.kernel.rules import why_not
from games.tournaments.acts import ACTS
from games.tournaments.models import Place
from games.tournaments.rights import Here
from games.tournaments.rounds import add_round
from games.tournaments.terms import TournamentTerms
from games.tournaments.tournament_page import TournamentView
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game
from tests.tournaments.made import entered, seated, terms_of_round, tournament

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.kernel.acts import Act
    from games.tournaments.models import Tournament

pytestmark = pytest.mark.django_db
ALICE, BOB, FRITZ, GINA = PLAYERS[:4]


def draft() -> Tournament:
    return tournament(published=False, directors_play=True)


def checking_in() -> Tournament:
    it = tournament(directors_play=True)
    entered(it, [ALICE])
    entered(it, [BOB], Place.WAITING)
    add_round(tournament_id=it.pk, by=person(CAROL).pk, terms=terms_of_round("Round 1"))
    it.rounds.update(check_in_until=clock.now() + timedelta(hours=1))
    return it


def all_seated() -> Tournament:
    it = tournament(rounds=1, directors_play=True)
    entered(it, [ALICE])
    entered(it, [BOB], Place.WAITING)
    seated(it, running_game(name="Rome"))
    return it


def shut() -> Tournament:
    it = checking_in()
    it.shut = clock.now()
    it.save()
    return it


def sent(name: str) -> dict[str, Any]:
    """What is sent with this act, right in itself."""
    until = clock.now() + timedelta(days=1)
    of_act: dict[str, dict[str, Any]] = {
        "change": {"name": "Cup", "text": "", "terms": TournamentTerms("centre-count", rounds=2, directors_play=True)},
        "message": {"message": "News"},
        "add_director": {"username": GINA},
        "choose_to_play": {"plays": True},
        "add_round": {"terms": terms_of_round("Another")},
        "change_round": {"number": 1, "terms": terms_of_round("Changed")},
        "delete_round": {"number": 1},
        "move_end": {"number": 1, "ends": until},
        "call_check_in": {"number": 1, "until": until},
        "set_check_in": {"number": 1, "username": ALICE},
        "check_in": {"number": 1},
        "invite": {"text": "Fritz, fritz@example.org"},
        "set_place": {"username": ALICE, "place": Place.WAITING},
        "rule": {"user": person(ALICE).pk, "points": Decimal(5), "reason": "So"},
        "enter": {"as_substitute": True},
        "type_table": {"number": 1, "text": "Nothing"},
        "remove_table": {"table": 1},
        "claim": {"name": "Zoe Zoo"},
        "answer_claim": {"username": ALICE},
    }
    return of_act.get(name, {})


APART = {"take_out", "put_game", "substitute", "add_holiday", "plan", "seat"}
"""Those that lock a game first, or everyone: they ask their rule by themselves."""
FAULTS_OF_WHAT_IS_SENT = {("draft", "rule"), ("draft", "set_place")}
"""In a draft nobody has entered."""
OF_TYPED_TABLES = {"type_table", "remove_table", "claim", "answer_claim"}
"""There are none here, so more than their rule refuses them."""


def answer_of(act: Act, **given: Any) -> str:
    """The refusal; "" if it is done, which is undone then."""
    try:
        with transaction.atomic():
            act.service(**given)
            transaction.set_rollback(True)
    except Refusal as refusal:
        return refusal.sentence
    return ""


@pytest.mark.parametrize("made", [draft, checking_in, all_seated, shut], ids=lambda it: it.__name__)
def test_where_the_page_offers_an_act_its_service_does_it_and_elsewhere_says_why_not(
    made: Callable[[], Tournament],
) -> None:
    it = made()
    for name in (ALICE, FRITZ, GINA):
        person(name)
    refused, done = set[str](), set[str]()
    for who in (CAROL, ALICE, BOB, DAVE):
        by = person(who).pk
        for act in (ACTS[name] for name in sorted(ACTS.keys() - APART)):
            assert act.rule is not None, act.name
            here = TournamentView(it.slug, by) if it.published or who == CAROL else Here(it, by)
            given = sent(act.name)
            told = why_not(act.rule, here, *([given["number"]] if subject_of(act.rule) else []))
            answer = answer_of(act, tournament_id=it.pk, by=by, **given)
            (refused if answer else done).add(act.name)
            if act.name in OF_TYPED_TABLES:
                assert not told or answer == told, (who, act.name)
            elif (made.__name__, act.name) not in FAULTS_OF_WHAT_IS_SENT:
                assert answer == told, (who, act.name)
    assert refused
    assert done
