"""What directors and entrants can't do, each told in its own sentence, and terms that contradict themselves."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from games.kernel import clock
from games.kernel.refusals import Refusal
from games.mastering.services.desk import close_game
from games.tournaments import desk, entry, rounds, seating, services
from games.tournaments.models import Place, Round
from games.tournaments.rules.combining import Tie
from games.tournaments.terms import BEST, MOST_OWN, OWN, POWERS, ROUNDS, SUM, Terms, TournamentTerms
from tests.cast import CAROL, DAVE, PLAYERS, TEN, person
from tests.factories import running_game
from tests.tournaments.made import entered, seated, terms_of_round, tournament

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.tournaments.models import Tournament

pytestmark = pytest.mark.django_db
ALICE, BOB = PLAYERS[:2]


def of(name: str) -> int:
    return person(name).pk


def table(made: Tournament) -> Any:
    return made.rounds.get(number=1).tables.get()


POINTS: dict[str, Any] = {"points": Decimal(5), "reason": "So"}
REFUSED: dict[str, Callable[[int, int], object]] = {
    "The tournament has no such table.": lambda it, by: desk.substitute(
        tournament_id=it, by=by, table=0, power="FRANCE", reason="So"
    ),
    "Rulings are about people who have entered the tournament.": lambda it, by: desk.rule(
        tournament_id=it, by=by, user=of(DAVE), **POINTS
    ),
    "That ruling has been taken back already.": lambda it, by: desk.undo_ruling(tournament_id=it, by=by, number=1),
    "You have entered already.": lambda it, _by: entry.enter(tournament_id=it, by=of(ALICE)),
    "You have not entered this tournament.": lambda it, _by: entry.withdraw(tournament_id=it, by=of(DAVE)),
    "You can’t check in for this round now.": lambda it, _by: entry.check_in(tournament_id=it, by=of(ALICE), number=2),
    "You have no place in this tournament yet.": lambda it, _by: entry.check_in(tournament_id=it, by=of(BOB), number=2),
    "Choose a moment from now on, at most 14 days ahead.": lambda it, by: entry.call_check_in(
        tournament_id=it, by=by, number=2, until=clock.now() + timedelta(days=15)
    ),
    "There is no such round that is not seated yet.": lambda it, by: entry.call_check_in(
        tournament_id=it, by=by, number=1, until=clock.now()
    ),
    "Ask everyone to check in first.": lambda it, by: entry.set_check_in(
        tournament_id=it, by=by, number=2, username=ALICE
    ),
    "You can name at most 10 people you won’t play with.": lambda it, _by: entry.change_entry(
        tournament_id=it, by=of(ALICE), refused=[person(name).username for name in (*TEN, DAVE)]
    ),
    "You can’t refuse to play with yourself.": lambda it, _by: entry.change_entry(
        tournament_id=it, by=of(ALICE), refused=[ALICE]
    ),
    "There is no such power.": lambda it, _by: entry.change_entry(
        tournament_id=it, by=of(ALICE), powers={"1926": ["FRANCE", "FRANCE"]}
    ),
    "There is no such variant.": lambda it, _by: entry.change_entry(
        tournament_id=it, by=of(ALICE), variants=["nowhere"]
    ),
    "By the terms of the tournament, there are no more rounds.": lambda it, by: rounds.add_round(
        tournament_id=it, by=by, terms=terms_of_round("Third")
    ),
    "The tournament has no such round.": lambda it, by: rounds.delete_round(tournament_id=it, by=by, number=3),
    "This round is seated, so its terms no longer change.": lambda it, by: rounds.delete_round(
        tournament_id=it, by=by, number=1
    ),
    "You don’t see the plan.": lambda it, by: seating.lock_table(
        tournament_id=it, by=by, number=2, index=0, is_locked=True
    ),
    "There is no plan yet.": lambda it, by: seating.seat_round(tournament_id=it, by=by, number=2),
    "It is published already.": lambda it, by: services.publish(tournament_id=it, by=by),
    "What is published can’t be deleted.": lambda it, by: services.delete_draft(tournament_id=it, by=by),
    "carol is a director already.": lambda it, by: services.add_director(tournament_id=it, by=by, username=CAROL),
    "alice has entered, and by the terms, directors don’t play.": lambda it, by: services.add_director(
        tournament_id=it, by=by, username=ALICE
    ),
    "By the terms, directors don’t play.": lambda it, by: services.choose_to_play(tournament_id=it, by=by, plays=True),
    "You are the last director.": lambda it, by: services.leave(tournament_id=it, by=by),
    "A tournament has only the tables that it seats.": lambda it, by: services.put_game(
        tournament_id=it, by=by, game=running_game(name="Paris").slug
    ),
    "This game isn’t in the series.": lambda it, by: services.take_out(tournament_id=it, by=by, table=0),
}


@pytest.mark.parametrize("told", REFUSED)
def test_what_cant_be_done_is_told_and_changes_nothing(told: str) -> None:
    """With two rounds, one of them seated at a table whose game runs, and one entrant who waits."""
    made = tournament()
    entered(made, [ALICE])
    entered(made, [BOB], Place.WAITING)
    seated(made, running_game(name="Rome"))
    Round.objects.create(tournament=made, number=2, terms=terms_of_round("Second").to_json())
    before = [*made.entrants.values(), *made.rounds.values(), *made.directors.values(), *made.changes.values()]
    with pytest.raises(Refusal, match=told):
        REFUSED[told](made.pk, of(CAROL))
    after = [*made.entrants.values(), *made.rounds.values(), *made.directors.values(), *made.changes.values()]
    assert after == before


def test_a_game_is_ruled_about_after_its_end_and_for_its_players() -> None:
    made = tournament()
    entered(made, [ALICE, DAVE])
    game = running_game(name="Rome")
    seated(made, game)
    about: dict[str, Any] = {"tournament_id": made.pk, "by": of(CAROL), "table": table(made).pk, **POINTS}
    with pytest.raises(Refusal, match="The game at this table isn’t over"):
        desk.rule(user=of(ALICE), **about)
    close_game(game_id=game.pk, by=of(CAROL), reason="So")
    with pytest.raises(Refusal, match="dave hasn’t played at this table"):
        desk.rule(user=of(DAVE), **about)


@pytest.mark.parametrize("team", [None, "Reds", ""])
def test_a_place_that_is_given_again_leaves_the_team_unless_it_names_one(team: str | None) -> None:
    made = tournament(team_best=0)
    (alice,) = entered(made, [ALICE])
    made.entrants.update(team="Blues")
    entry.set_place(tournament_id=made.pk, by=of(CAROL), username=ALICE, place=Place.IN, team=team)
    alice.refresh_from_db()
    assert (alice.place, alice.team) == (Place.IN, "Blues" if team is None else team)


CONTRADICTIONS: tuple[tuple[dict[str, Any], dict[str, str]], ...] = (
    ({}, {}),
    ({"combine": ROUNDS, "best": 2}, {}),
    ({"combine": ROUNDS, "best": 3}, {"best": "Say how many count, from 1 to 2."}),
    ({"combine": BEST, "best": 4}, {}),
    ({"combine": BEST, "best": 5}, {"best": "Say how many count, from 1 to 4."}),
    ({"combine": BEST}, {"best": "Say how many count, from 1 to 4."}),
    ({"combine": SUM, "best": 1}, {"best": "Say how many count only if the best count."}),
    ({"combine": "luck"}, {"combine": "Choose from the list."}),
    ({"scoring": "luck"}, {"scoring": "There is no such scoring here. Choose one from the list."}),
    ({"scoring": OWN, "own": (5, 3, 0)}, {}),
    ({"scoring": OWN, "own": (3, 5)}, {"own": f"the first above the others, at most {MOST_OWN}."}),
    ({"ties": (Tie.YEARS, Tie.YEARS)}, {"ties": "Choose at most 2, each once."}),
    ({"first": date(2026, 3, 2)}, {"first": "Only a series has days on which its games begin."}),
    ({"combine": POWERS, "sitting_out": 1}, {"sitting_out": "a round without a seat brings no points."}),
    ({"combine": POWERS, "sitting_out": 0}, {}),
    ({"team_best": 99}, {"team_best": "Choose a whole number from 0 to"}),
)


@pytest.mark.parametrize(("chosen", "told"), CONTRADICTIONS, ids=str)
def test_terms_say_at_its_field_what_contradicts_them(chosen: dict[str, Any], told: dict[str, str]) -> None:
    problems = TournamentTerms(**{"scoring": "centre-count", "rounds": 2, **chosen}).problems()
    assert problems.keys() == told.keys()
    assert [problem for field, problem in problems.items() if told[field] not in problem] == []


def test_the_last_day_of_a_series_is_not_before_its_first() -> None:
    day = clock.now().date()
    assert Terms("centre-count", first=day, last=day).problems() == {}
    told = Terms("centre-count", first=day, last=day - timedelta(days=1)).problems()
    assert told == {"last": "The last day is before the first day. Choose the same day or a later one."}
