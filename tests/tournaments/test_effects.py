"""Terms that change results which stand: a director reads what moves and which rulings no longer fit, then confirms."""

from __future__ import annotations

from decimal import Decimal
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from games.kernel.refusals import Unconfirmed
from games.tournaments import desk, services
from games.tournaments.effects import effect_of
from games.tournaments.models import Tournament
from games.tournaments.queries import SeriesView
from games.tournaments.rules.combining import Tie
from games.tournaments.terms import BEST, OWN, Terms, TournamentTerms, terms_of
from tests.browsers import EVE, visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game
from tests.kernel.test_meanwhile import form_on
from tests.tournaments.made import entered, seated, tournament
from tests.tournaments.test_ceremony import over, played
from tests.tournaments.test_series import close, series
from tests.tournaments.test_series import over as game_over

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db
ALICE, BOB = PLAYERS[:2]
"""In `over`, Alice and Bob have drawn, with as many centres as at the start."""
SAID = "Players and teams that these terms moved in the standings"
DRAW_SIZE = TournamentTerms("draw-size", rounds=1)


def rule(it: Tournament, name: str, points: int, *, at_table: bool = True) -> None:
    table = it.rounds.get().tables.get().pk if at_table else None
    by, user = person(CAROL).pk, person(name).pk
    desk.rule(tournament_id=it.pk, by=by, user=user, points=Decimal(points), reason="So.", table=table)


def change(it: Tournament, terms: Terms, by: str = CAROL, **more: Any) -> None:
    services.change(tournament_id=it.pk, by=person(by).pk, name=it.name, text=it.text, terms=terms, **more)


def refused(it: Tournament, terms: Terms, by: str = CAROL, **more: Any) -> Unconfirmed:
    with pytest.raises(Unconfirmed) as refusal:
        change(it, terms, by, **more)
    return refusal.value


def totals(it: Tournament) -> dict[str, tuple[int, str]]:
    return {row.name: (row.rank, row.total) for row in SeriesView(it.slug, person(CAROL).pk).sheet.standings}


def page_of(it: Tournament, name: str = EVE) -> str:
    return visitor(name).get(reverse("games:tournament", args=[it.slug])).content.decode()


def sent(client: Client, page: str, content: str = "", **changed: Any) -> Any:
    """The answer to the form of this page, or the one that was shown, with these fields changed."""
    fields = form_on(content or client.get(page).content.decode()).fields
    return client.post(page, {**fields, **changed})


def test_a_director_reads_who_moves_before_the_terms_change_and_everyone_reads_it_then() -> None:
    it, carol = over(), visitor(CAROL)
    rule(it, BOB, 33)
    page, before = reverse("games:edit-tournament", args=[it.slug]), totals(it)
    answer = sent(carol, page, scoring="draw-size")
    shown = answer.content.decode()
    assert answer.status_code == HTTPStatus.CONFLICT
    assert (totals(it), terms_of(Tournament.objects.get()).scoring) == (before, "centre-count")
    rank, total = before[ALICE]
    row = f'<th scope="row">{ALICE}</th> <td>Rank {rank}, {total}</td> <td>Rank 1, 50</td>'
    assert row in " ".join(shown.split())
    assert f"Ruling for {BOB} at table 1.1: 33. With these terms, seats there have from 0 to 50." in shown
    assert f'href="{reverse("games:tournament-desk", args=[it.slug])}#rulings"' in shown
    assert sent(carol, page, shown).status_code == HTTPStatus.SEE_OTHER
    assert (totals(it)[ALICE], totals(it)[BOB]) == ((1, "50"), (2, "33"))
    told = page_of(it)
    assert "“Scoring of a game: Draw size” instead of “Scoring of a game: Centre count”" in told
    moved = sum(totals(it)[name] != before[name] for name in before)
    assert f"{SAID}: {moved}. First now: {ALICE}." in told


def test_what_was_not_read_is_not_confirmed() -> None:
    it, carol = over(), visitor(CAROL)
    page = reverse("games:edit-tournament", args=[it.slug])
    shown = sent(carol, page, scoring="draw-size").content.decode()
    rule(it, BOB, 33)  # meanwhile
    answer = sent(carol, page, shown)
    assert answer.status_code == HTTPStatus.CONFLICT
    again = answer.content.decode()
    assert f"Ruling for {BOB} at table 1.1: 33." in again
    assert sent(carol, page, again, scoring="c-diplo-100").status_code == HTTPStatus.CONFLICT, "other terms than those"
    assert terms_of(Tournament.objects.get()).scoring == "centre-count"
    assert sent(carol, page, again).status_code == HTTPStatus.SEE_OTHER


def test_what_has_changed_meanwhile_is_shown_before_other_terms_are_confirmed() -> None:
    it, carol = over(), visitor(CAROL)
    page = reverse("games:edit-tournament", args=[it.slug])
    shown = sent(carol, page, scoring="draw-size").content.decode()
    change(it, TournamentTerms("centre-count", rounds=1, ties=(Tie.CENTRES,)))  # in another tab
    answer = sent(carol, page, shown)
    assert answer.status_code == HTTPStatus.CONFLICT
    assert "This has changed since you opened it" in answer.content.decode()
    assert terms_of(Tournament.objects.get()).ties == (Tie.CENTRES,)


def test_terms_that_move_nobody_change_at_once() -> None:
    it = over()
    terms = TournamentTerms("centre-count", rounds=1)
    change(it, TournamentTerms("centre-count", rounds=2, shows_running=True))
    change(it, TournamentTerms("centre-count", rounds=2, combine=BEST, best=2))
    change(it, terms)
    assert terms_of(Tournament.objects.get()) == terms
    assert SAID not in page_of(it)
    assert effect_of(tournament(), terms, DRAW_SIZE) is None, "without results"
    assert effect_of(played()[0], terms, DRAW_SIZE) is None, "before the end of the first table"


def test_rulings_are_named_only_where_their_scale_changes() -> None:
    it = over()
    rule(it, BOB, 33)
    rule(it, ALICE, -5, at_table=False)
    before = terms_of(it)

    def named(**terms: Any) -> list[str]:
        effect = effect_of(it, before, TournamentTerms(**{"scoring": "centre-count", "rounds": 1, **terms}))
        return [sentence.partition(". ")[0] for sentence in (effect.rulings if effect else ())]

    of_bob, of_alice = f"Ruling for {BOB} at table 1.1: 33", f"Ruling for {ALICE}: -5 added to the total."
    assert named(scoring="draw-size") == named(shares=True) == [of_bob, of_alice]
    assert named(combine="average") == [of_alice]
    assert named(combine=BEST, best=1) == named(conceded_as_drawn=True) == named(ties=("won",)) == []
    row = it.rounds.get()
    row.terms = {**row.terms, "scoring": "draw-size"}
    row.save()
    assert named(scoring="c-diplo-100") == [], "the round has its own scoring"
    assert named(scoring=OWN, own=(9, 3)) == []


@pytest.mark.parametrize(("points", "fits"), [(-1, False), (0, True), (50, True), (51, False)])
def test_a_ruling_out_of_the_new_scale_is_said_to_fit_no_longer(points: int, fits: bool) -> None:
    it = over()
    rule(it, BOB, points)
    effect = effect_of(it, terms_of(it), DRAW_SIZE)
    assert effect is not None
    assert effect.rulings[0].endswith("from 0 to 50." if fits else "from 0 to 50, so it fits no longer.")


def test_teams_move_too_and_days_leave_games_out() -> None:
    it = over()
    it.entrants.filter(user__username=ALICE).update(team="Reds")
    effect = effect_of(it, terms_of(it), TournamentTerms("centre-count", rounds=1, team_best=0))
    assert effect is not None
    assert [(row.name, row.now, row.then and row.then[0]) for row in effect.moves] == [("Team Reds", None, 1)]
    league = series(game_over())
    began = league.rounds.get().tables.get().game.phases.get(ordinal=0).opened.date()
    later = effect_of(league, terms_of(league), Terms("centre-count", first=began.replace(year=began.year + 1)))
    assert later is not None
    assert {row.then for row in later.moves} == {None}


def test_programs_confirm_by_the_same_rule() -> None:
    it, carol = over(), visitor(CAROL)
    rule(it, BOB, 33)
    address = reverse("api:do-change", args=[it.slug])
    asked = {"name": it.name, "scoring": "draw-size", "rounds": 1}
    answer = carol.post(address, asked, content_type="application/json")
    told = answer.json()
    assert (answer.status_code, told["code"]) == (HTTPStatus.CONFLICT, "Unconfirmed")
    assert {row["name"]: row["then"] for row in told["moves"]}[ALICE] == [1, "50"]
    assert len(told["rulings"]) == 1
    confirmed = carol.post(address, {**asked, "confirmed": told["mark"]}, content_type="application/json")
    assert (confirmed.status_code, totals(it)[ALICE]) == (HTTPStatus.OK, (1, "50"))


def test_it_takes_as_many_statements_whatever_there_is(django_assert_max_num_queries: Any) -> None:
    it = over()
    with django_assert_max_num_queries(20) as few:
        effect_of(it, terms_of(it), DRAW_SIZE)
    for name in PLAYERS[:4]:
        rule(it, name, 1, at_table=False)
    entered(it, (EVE,))
    seated(it, game_over("Paris"), game_over("Turin"), number=2)
    with django_assert_max_num_queries(len(few)):
        effect_of(it, terms_of(it), DRAW_SIZE)


def test_a_director_who_sees_no_standings_confirms_without_reading_them() -> None:
    it, game = tournament(rounds=1, directors_play=True, hides_standings=True), running_game(gm_outcomes=True)
    seated(it, game)
    entered(it, (*PLAYERS, DAVE))
    services.add_director(tournament_id=it.pk, by=person(CAROL).pk, username=person(DAVE).username)
    terms = TournamentTerms("draw-size", rounds=1, directors_play=True, hides_standings=True)
    close(game, "draw", ("BRITAIN", "FRANCE"))
    of_dave = refused(it, terms, DAVE)
    assert not of_dave.effect.moves
    assert len(refused(it, terms).effect.moves) > 1, "Carol doesn’t play"
    rule(it, BOB, 33)
    assert refused(it, terms, DAVE).mark == of_dave.mark, "nothing of the results"
    change(it, terms, DAVE, confirmed=of_dave.mark)
    assert [SAID in page_of(it, name) for name in (CAROL, DAVE, ALICE, EVE)] == [True, False, False, False]
