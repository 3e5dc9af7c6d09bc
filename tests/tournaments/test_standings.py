"""The standings of tournaments: whose points they are, round by round, and what is told of them."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.kernel import clock
from games.mastering.services.desk import close_game, seat_player
from games.tournaments.models import Director, Entrant, Place, Round, Ruling, Table, Tournament
from games.tournaments.queries import SeriesView
from games.tournaments.results import outcome_of
from games.tournaments.rules.combining import Credit, Holder, Tie
from games.tournaments.sheet import holders_of
from games.tournaments.standings import ranks_in
from games.tournaments.terms import RoundTerms, TournamentTerms
from games.tournaments.tournament_page import TournamentView
from tests.browsers import EVE, visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game
from tests.story import Story
from variants.kinds import Ending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.kernel.models import Game

pytestmark = pytest.mark.django_db
ALICE, BOB, FRITZ = PLAYERS[:3]
ENDS: dict[str, Any] = {"gm_outcomes": True}
TERMS = TournamentTerms("draw-size", rounds=2)


def tournament(*rounds: Sequence[Game], terms: TournamentTerms = TERMS, times: Sequence[int] = ()) -> Tournament:
    """Carol's, with all players and Dave as entrants, Alice and Bob in a team, and these games at its tables."""
    now, carol = clock.now(), person(CAROL)
    made = Tournament.objects.create(
        slug="masters", name="Masters", terms=terms.to_json(), is_series=False, created=now, published=now
    )
    Director.objects.create(tournament=made, user=carol)
    for name in (*PLAYERS, DAVE):
        team = "Reds" if name in {ALICE, BOB} else "Blues"
        Entrant.objects.create(tournament=made, user=person(name), place=Place.IN, team=team, entered=now)
    for number, games in enumerate(rounds, 1):
        own = RoundTerms(f"Round {number}", ("1926",), {}, times=dict(enumerate(times, 1)).get(number, 1))
        row = Round.objects.create(tournament=made, number=number, terms=own.to_json(), seated=now)
        for at, game in enumerate(games, 1):
            Table.objects.create(round=row, number=at, game=game, added=now, added_by=carol, outcome=outcome_of(game))
    return made


def game(name: str = "Genoa", **options: Any) -> Game:
    return running_game(name=name, **ENDS, **options)


def close(of: Game, outcome: str = "solo", *powers: str) -> None:
    close_game(game_id=of.pk, by=person(CAROL).pk, outcome=outcome, powers=powers)
    of.refresh_from_db()


def won(name: str = "Genoa", power: str = "BRITAIN") -> Game:
    made = game(name)
    close(made, "solo", power)
    return made


def view(made: Tournament, name: str | None = None) -> SeriesView:
    return SeriesView(made.slug, person(name).pk if name else None)


def totals(made: Tournament) -> dict[str, str]:
    return {row.name: row.total for row in view(made).sheet.standings}


def rule(made: Tournament, name: str, points: int, table: Table | None = None) -> None:
    by = person(CAROL)
    given = {"user": person(name), "table": table, "points": points, "at": clock.now(), "by": by}
    Ruling.objects.create(tournament=made, reason="Agreed by all.", **given)


# --- Whose points they are ---

NOON = datetime(2026, 1, 1, tzinfo=UTC)


def at(day: int) -> datetime:
    return NOON + timedelta(days=day)


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([(1, at(0), at(99))], (Holder(1, 3),)),
        ([(1, at(0), at(15)), (2, at(16), at(99))], (Holder(1, 1), Holder(2, 2))),
        ([(1, at(0), at(15)), (2, at(25), at(99))], (Holder(1, 1), Holder(2, 1), Holder(None, 1), Holder(2))),
        ([(1, at(0), at(15))], (Holder(1, 1), Holder(None, 2))),
        ([(1, at(0), at(15)), (None, at(15), at(99))], (Holder(1, 1), Holder(None, 2))),
        ([(1, at(0), at(30)), (2, at(31), at(99))], (Holder(1, 3),)),
        ([], (Holder(None, 3),)),
    ],
    ids=["alone", "replaced", "vacant", "left", "bot", "after the end", "nobody"],
)
def test_a_year_belongs_to_the_holder_at_its_end(spans: Any, expected: tuple[Holder, ...]) -> None:
    assert holders_of(spans, [at(10), at(20), at(30)]) == expected


@pytest.mark.parametrize(
    ("credit", "expected"),
    [
        (Credit.STARTER, {ALICE: "100"}),
        (Credit.FINISHER, {DAVE: "100"}),
        (Credit.NOBODY, {}),
        (Credit.BY_YEARS, {ALICE: "0", DAVE: "100"}),
    ],
)
def test_points_of_a_seat_that_changed_hands_go_to_those_whom_the_terms_name(
    credit: Credit, expected: dict[str, str]
) -> None:
    played = game()
    made = tournament([played], terms=TournamentTerms("draw-size", credit=credit))
    seat_player(
        game_id=played.pk, by=person(CAROL).pk, power="BRITAIN", username=person(DAVE).username, reason="Agreed."
    )
    close(played, "solo", "BRITAIN")
    found = totals(made)
    assert {name: found[name] for name in expected} == expected
    assert sum(float(total) for total in found.values()) == (100 if expected else 0)


def test_only_entrants_score() -> None:
    played = game()
    made = tournament([played])
    made.entrants.filter(user__username=ALICE).delete()
    close(played, "draw", "BRITAIN", "FRANCE")
    assert ALICE not in totals(made)
    assert totals(made)[BOB] == "50"


# --- Rounds, finals, rulings, teams ---


def test_points_are_told_by_round_table_team_and_power() -> None:
    made = tournament(
        [won()],
        [won("Paris", "FRANCE"), won("Turin")],
        times=(1, 2),
        terms=TournamentTerms("draw-size", team_best=1, rounds=2),
    )
    first, second = view(made).sheet.standings[:2]
    assert (first.name, first.total, [it and it.points for it in first.rounds]) == (ALICE, "300", ["100", "200"])
    assert (second.name, second.total, [it and it.points for it in second.rounds]) == (BOB, "200", ["0", "200"])
    teams = view(made).sheet.teams
    assert [(it.rank, it.name, it.total) for it in teams] == [(1, "Reds", "300"), (2, "Blues", "0")]
    assert teams[0].members == ((ALICE, "300", True), (BOB, "200", False))
    scored = view(made).sheet.scored
    assert [(it.round, it.table.number, it.seats[0].players, it.seats[0].points) for it in scored] == [
        (1, 1, (ALICE,), "100"),
        (2, 1, (BOB,), "100"),
        (2, 2, (ALICE,), "100"),
    ]
    best = {it.seats[0].power: it.seats[0].players for it in view(made).sheet.best_with_powers}
    assert (best["BRITAIN"], best["FRANCE"]) == ((ALICE,), (BOB,))


def test_a_final_decides_the_first_places() -> None:
    made = tournament([won()], [won("Paris", "FRANCE")], times=(1, 0))
    rows = view(made).sheet.standings
    assert [(it.rank, it.name, it.total) for it in rows[:2]] == [(1, BOB, "0"), (2, ALICE, "100")]
    assert rows[0].rounds[1] is not None
    assert not rows[0].rounds[1].counted
    assert [ranks_in(made)[person(name).pk] for name in (BOB, ALICE)] == [1, 2]


def test_brackets_are_explained_only_where_points_may_not_count() -> None:
    said = "Points in brackets"
    made = tournament([won()], [won("Paris", "FRANCE")])
    assert (said in page_of(made), "running" in page_of(made), "over" in page_of(made)) == (False, False, True)
    made.rounds.filter(number=2).update(terms={**made.rounds.get(number=2).terms, "times": 0})
    assert said in page_of(made), "those of the top table"
    made.rounds.all().update(terms=made.rounds.get(number=1).terms)
    made.terms |= {"combine": "best", "best": 1}
    made.save()
    assert said in page_of(made)


def page_of(made: Tournament) -> str:
    """With the results of each table: it is kept for nobody."""
    return visitor(EVE).get(reverse("games:tournament", args=[made.slug]), {"results": ""}).content.decode()


def test_who_sits_out_has_the_points_that_the_terms_give() -> None:
    made = tournament([won()], terms=TournamentTerms("draw-size", sitting_out=7))
    seated = [person(name).pk for name in PLAYERS]
    made.rounds.update(plan={"tables": [seated], "bench": [person(DAVE).pk, seated[0]]})
    assert totals(made)[DAVE] == "7"
    assert totals(made)[ALICE] == "100"


def test_rulings_are_applied_and_shown_with_their_reason() -> None:
    made = tournament([won()])
    table = Table.objects.get()
    rule(made, ALICE, 60, table)
    rule(made, BOB, -5)
    rule(made, DAVE, 40, table)
    assert (totals(made)[ALICE], totals(made)[BOB]) == ("60", "-5")
    assert DAVE not in totals(made), "a ruling about a table at which they have no points"
    shown = page(made)
    assert "A director gave 60 in Genoa: Agreed by all." in shown
    assert "A director added -5: Agreed by all." in shown


def best_with(made: Tournament, power: str) -> list[tuple[tuple[str, ...], str]]:
    best = [it.seats[0] for it in view(made).sheet.best_with_powers]
    return [(seat.players, seat.points) for seat in best if seat.power == power]


def test_all_who_are_exactly_equal_are_named_as_the_best_with_a_power_and_rulings_count() -> None:
    one, two = won(), running_game(name="Turin", players=[BOB, ALICE, *PLAYERS[2:]], **ENDS)
    close(two, "solo", "BRITAIN")
    made = tournament([one, two])
    assert best_with(made, "BRITAIN") == [((ALICE,), "100"), ((BOB,), "100")]
    assert best_with(made, "FRANCE") == [], "nobody has ever had a point with it"
    rule(made, BOB, 40, Table.objects.get(game=two))
    assert best_with(made, "BRITAIN") == [((ALICE,), "100")]
    Ruling.objects.update(points="100.01")
    assert best_with(made, "BRITAIN") == [((BOB,), "100.01")]


def test_teams_whose_names_differ_only_in_capitals_or_spaces_are_one() -> None:
    made = tournament([won()], terms=TournamentTerms("draw-size", team_best=0))
    for name, team in ((ALICE, "Red Foxes"), (BOB, "red  foxes"), (FRITZ, "REDFOXES"), (DAVE, "")):
        made.entrants.filter(user__username=name).update(team=team)
    teams = {it.name: {name for name, _total, _counts in it.members} for it in view(made).sheet.teams}
    assert teams["Red Foxes"] == {ALICE, BOB, FRITZ}
    assert {*teams} == {"Red Foxes", "Blues"}


@pytest.mark.parametrize("slug", ["c-diplo-100", "c-diplo-80", "c-diplo-namur", "whipping"])
@pytest.mark.parametrize("by", ["the players", "the game master"])
def test_a_concession_is_a_win_or_as_if_nobody_had_won_as_the_terms_say(slug: str, by: str) -> None:
    played = game()
    close(played, "concession", "BRITAIN")
    if by == "the players":
        played.verdict = {**(played.verdict or {}), "kind": Ending.CONCESSION_AGREED, "facts": {"powers": ["BRITAIN"]}}
        played.save()
    made = tournament([played], terms=TournamentTerms(slug, ties=(Tie.GAMES_WON,)))
    as_a_win = totals(made)
    assert [name for name, points in as_a_win.items() if float(points) > 30] == [ALICE]
    made.terms = TournamentTerms(slug, conceded_as_drawn=True).to_json()
    made.save()
    assert min(map(float, totals(made).values())) > 1, "all survivors have points"
    assert float(totals(made)[ALICE]) < float(as_a_win[ALICE]) / 2
    assert "A conceded game scores as if all survivors had drawn." in page(made)


def test_shares_count_every_table_as_100_points_and_the_page_says_where_boards_of_different_sizes_are_added() -> None:
    made = tournament([won()], terms=TournamentTerms("carnage"))
    assert not TournamentView(made.slug, None).mixes_sizes
    made.rounds.update(terms=RoundTerms("Round 1", ("1926", "the-sound"), {}).to_json())
    assert "Boards of different sizes are played here" in page(made)
    made.terms = TournamentTerms("carnage", shares=True).to_json()
    made.save()
    assert totals(made)[ALICE] == "100"
    assert not TournamentView(made.slug, None).mixes_sizes
    assert "All points at a table count as 100 together" in str(view(made).terms.sentences())


def test_terms_that_were_stored_before_shares_are_read_as_they_were() -> None:
    stored = TournamentTerms("carnage").to_json()
    del stored["shares"], stored["conceded_as_drawn"]
    assert TournamentTerms.stored(stored) == TournamentTerms("carnage")


# --- As if all ended now ---


def test_running_tables_are_told_apart_and_never_those_that_hide_names_or_are_private() -> None:
    terms = TournamentTerms("centre-count", shows_running=True)
    hidden = running_game(name="Hidden", hidden_names=True)
    private = running_game(name="Private", by_invitation=True)
    made = tournament([won(), running_game(name="Paris"), hidden, private], terms=terms)
    assert len(view(made).sheet.standings[0].played) == 1
    assert {it.game.name for row in view(made).running for it in row.played} == {"Genoa", "Paris"}
    told = visitor().get(reverse("games:tournament", args=[made.slug]), {"results": ""}).content.decode()
    assert "If all games ended now" in told
    assert "If all games ended now" not in page(made)
    made.terms = TournamentTerms("centre-count").to_json()
    made.save()
    assert view(made).running == ()


def test_the_end_of_a_table_is_told_with_the_first_in_its_log_but_nothing_before_it() -> None:
    played, hidden = game(), game("Hidden", hidden_names=True)
    tournament([played, hidden])
    Story(played).deadline()
    assert not any("standings" in line for line in log_of(played))
    close(hidden, "solo", "FRANCE")
    assert not any("standings" in line for line in log_of(played))
    close(played, "solo", "BRITAIN")
    (told,) = [line for line in log_of(played) if "standings" in line]
    assert told.startswith(
        f"With this table, the standings of the tournament “Masters” begin: 1. {ALICE} 100, 1. {BOB}"
    )


def test_the_line_names_all_who_lead_and_none_of_equals_for_whom_there_is_no_room() -> None:
    played = game()
    tournament([played])
    close(played, "draw", *(seat.power for seat in played.seats.order_by("pk")[:4]))
    (told,) = [line for line in log_of(played) if "standings" in line]
    assert told.endswith(f"begin: {', '.join(f'1. {name} 25' for name in sorted(PLAYERS[:4]))}.")


def log_of(of: Game) -> list[str]:
    return [event.sentence for event in Story(of).seen_by(DAVE).events]


# --- Pages and files ---


def page(made: Tournament, name: str = EVE) -> str:
    answer = visitor(name).get(reverse("games:tournament", args=[made.slug]))
    assert answer.status_code == HTTPStatus.OK
    return answer.content.decode()


def test_the_files_have_rounds_teams_and_no_formulas() -> None:
    made = tournament([won()], [won("Paris", "FRANCE")], terms=TournamentTerms("draw-size", team_best=0, rounds=2))
    made.entrants.filter(user__username=ALICE).update(team="=1+1")
    lines = visitor().get(reverse("games:standings", args=[made.slug])).content.decode().split("\r\n")
    assert lines[0] == "rank,player,team,games,total,Round 1,Round 2"
    assert lines[1] == "1,alice,'=1+1,2,100,100,0"
    answer = json.loads(visitor().get(reverse("games:standings-json", args=[made.slug])).content)
    table = answer["rounds"]["1"]["games"]["R1T1"]
    assert table["players"]["BRITAIN"]["name"] == ALICE
    assert table["players"]["BRITAIN"]["score"] == 100
    assert (table["draw"], table["board"]) == (None, "1926")
    first_game = made.rounds.get(number=1).tables.get().game
    assert (table["title"], table["address"]) == (first_game.name, first_game.slug)
    assert table["started"] == first_game.created.date().isoformat()
    first = answer["results"][0]
    assert (first["player_name"], first["ranking"], first["score"]) == (ALICE, 1, 100)
    assert [it["score"] for it in first["score_breakdown"]] == [100, 0]
    assert answer["boards"]["1926"]["powers"]["BRITAIN"]


def test_standings_take_as_many_statements_whatever_there_is() -> None:
    terms = TournamentTerms("centre-count", shows_running=True, rounds=2, team_best=2)
    made = tournament([won(), running_game(name="Paris")], terms=terms)
    rule(made, ALICE, 5)
    before = _statements(made)
    assert before <= 12
    row = Round.objects.create(tournament=made, number=2, terms=RoundTerms("Second", ("1926",), {}).to_json())
    for number, of in enumerate((running_game(name="Turin"), won("Milan")), 1):
        more = {"outcome": outcome_of(of), "added": clock.now(), "added_by": person(CAROL)}
        Table.objects.create(round=row, number=number, game=of, **more)
    rule(made, BOB, 5)
    assert _statements(made) == before


def _statements(made: Tournament) -> int:
    cache.clear()
    with CaptureQueriesContext(connection) as statements:
        shown = view(made)
        assert repr(
            (shown.sheet.standings, shown.sheet.teams, shown.running, shown.sheet.scored, shown.sheet.best_with_powers)
        )
    return len(statements)


def test_points_have_two_decimals_at_most() -> None:
    made = tournament([game()])
    close(made.rounds.get().tables.get().game, "draw", "BRITAIN", "FRANCE", "GERMANY")
    assert totals(made)[ALICE] == f"{float(Fraction(100, 3)):.2f}"
