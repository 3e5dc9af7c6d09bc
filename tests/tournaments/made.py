"""Tournaments in the state a test starts with."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction

from games.kernel import clock
from games.seating.services.joining import call_roll_or_start, confirm_place
from games.tournaments import services as acts
from games.tournaments.models import Entrant, Place, Round, Table, Tournament
from games.tournaments.rounds import round_terms
from games.tournaments.terms import TournamentTerms
from tests.cast import CAROL, PLAYERS, people, person
from tests.factories import powers_of, seat_at_once, waiting_game

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.kernel.models import Game
    from games.tournaments.terms import RoundTerms


def tournament(*, published: bool = True, rounds: int = 2, **terms: Any) -> Tournament:
    """Carol's, of two rounds, with a week to enter."""
    by, chosen = person(CAROL).pk, TournamentTerms("centre-count", rounds=rounds, **terms)
    closes = clock.now() + timedelta(days=7)
    made = Tournament.objects.get(slug=acts.create(by=by, name="Club cup", text="", terms=chosen, closes=closes))
    if published:
        acts.publish(tournament_id=made.pk, by=by)
        made.refresh_from_db()
    return made


def entered(made: Tournament, names: Iterable[str], place: Place = Place.IN) -> list[Entrant]:
    """Those with this place, in turn."""
    return [
        Entrant.objects.create(tournament=made, user=person(name), place=place, turn=turn, entered=clock.now())
        for turn, name in enumerate(names, start=1)
    ]


def terms_of_round(name: str = "Round 1", **terms: Any) -> RoundTerms:
    return round_terms(**{"name": name, "variants": ["1926"], "choices": {}, **terms})


def seated(made: Tournament, *games: Game, number: int = 1, **terms: Any) -> list[Table]:
    """The tables of a round that is seated, with these games."""
    now = clock.now()
    row = Round.objects.create(
        tournament=made, number=number, terms=terms_of_round(f"Round {number}", **terms).to_json(), seated=now
    )
    return [
        Table.objects.create(round=row, number=place, game=game, added=now, added_by=person(CAROL))
        for place, game in enumerate(games, start=1)
    ]


def in_roll_call(*confirmed: str, name: str = "Genoa", **options: Any) -> Game:
    """A game whose seats are taken, and in which these have confirmed."""
    people([CAROL, *PLAYERS])
    game = waiting_game(name=name, roll_call_seconds=3_600, **options)
    seat_at_once(game, dict(zip(PLAYERS, powers_of(game), strict=True)))
    with transaction.atomic():
        call_roll_or_start(game, clock.now())
    for each in confirmed:
        confirm_place(game_id=game.pk, user_id=person(each).pk)
    return game
