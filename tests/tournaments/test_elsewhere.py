"""Tables that were played elsewhere: typed in, counted, corrected, and claimed by people without an account."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from games.kernel.refusals import BadInput, NotAllowed, Refusal
from games.tournaments import elsewhere, entry, seating
from games.tournaments.desk import rule
from games.tournaments.models import Entrant, Place, Table
from games.tournaments.queries import SeriesView
from games.tournaments.rounds import add_round
from games.tournaments.tournament_page import PlanView, TournamentView
from tests.browsers import EVE, visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game
from tests.tournaments.made import entered, seated, terms_of_round, tournament

if TYPE_CHECKING:
    from typing import Any

    from games.tournaments.models import Tournament

pytestmark = pytest.mark.django_db
ALICE, BOB = PLAYERS[:2]
TABLE = f"""Austria: {ALICE}: 5 6 7
England; Ann Lee; 4 5 6
France\t{BOB}\t5 6 8
Germany, Ben Orr, 5 3 1
Italy, -, 4 4 3
Russia, Cem Ulu, 6 7 9
Turkey, Dee Fox, 4 2 0"""


def made(scoring: str = "", **terms: Any) -> Tournament:
    it = tournament(rounds=1, **terms)
    entered(it, (ALICE, BOB))
    add_round(tournament_id=it.pk, by=person(CAROL).pk, terms=terms_of_round(variants=["standard"], scoring=scoring))
    return it


def type_in(it: Tournament, text: str = TABLE, **more: Any) -> str:
    return elsewhere.type_table(tournament_id=it.pk, by=person(CAROL).pk, number=1, text=text, **more)


def totals(it: Tournament) -> dict[str, str]:
    return {row.name: row.total for row in SeriesView(it.slug, None).sheet.standings}


def test_a_typed_table_counts_in_standings_best_results_and_files_as_any_other() -> None:
    it = made()
    assert type_in(it, name="Board 3") == "1.1"
    assert totals(it) == {"Cem Ulu": "9", BOB: "8", ALICE: "7", "Ann Lee": "6", "Ben Orr": "1", "Dee Fox": "0"}
    view = TournamentView(it.slug, None)
    assert view.best_of_powers["Russia"] == ("Cem Ulu",)
    assert view.is_all_seated
    page = visitor(EVE).get(reverse("games:tournament", args=[it.slug]), {"results": ""}).content.decode()
    assert "Board 3" in page
    assert "played elsewhere" in page
    file = visitor().get(reverse("games:results", args=[it.slug])).content.decode()
    assert "Cem Ulu,,1,1,Board 3,Diplomacy,Russia,9,6 7 9,,9" in file
    assert "Dee Fox,,1,1,Board 3,Diplomacy,Turkey,0,4 2 0,1903,0" in file
    answer = json.loads(visitor().get(reverse("games:standings-json", args=[it.slug])).content)
    players = answer["rounds"]["1"]["games"]["R1T1"]["players"]
    assert (players["TURKEY"]["name"], players["TURKEY"]["elimination_year"]) == ("Dee Fox", 1903)
    assert players["ITALY"]["name"] is None


@pytest.mark.parametrize(
    ("stars", "points"),
    [((), "16.67"), (("Russia", "France"), "50"), (("France",), "100")],
    ids=["draw of all", "draw of two", "concession"],
)
def test_stars_say_who_shared_the_end(stars: tuple[str, ...], points: str) -> None:
    it = made("draw-size")
    lines = [f"{line} *" if line.startswith(stars or "-") else line for line in TABLE.splitlines()]
    type_in(it, "\n".join(lines))
    assert totals(it)[BOB] == points


def test_enough_centres_win_and_the_end_alone_does_where_the_scoring_needs_no_years() -> None:
    it = made("draw-size")
    ends = {"Austria": f"{ALICE}, 18", "England": "Ann Lee, 10", "France": f"{BOB}, 6"}
    text = "\n".join(f"{it}, {ends.get(it, ', 0')}" for it in (line[:7].strip(":;\t, ") for line in TABLE.splitlines()))
    type_in(it, text)
    assert totals(it) == {ALICE: "100", "Ann Lee": "0", BOB: "0"}
    with pytest.raises(BadInput, match="depends on years"):
        type_in(made("maxonian"), text)


def test_scorings_that_need_years_have_them() -> None:
    it = made("maxonian")
    type_in(it)
    assert totals(it) == {"Cem Ulu": "7", BOB: "6", ALICE: "5", "Ann Lee": "4", "Ben Orr": "2", "Dee Fox": "1"}


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("Austria", "Atlantis", "Line 1: “Atlantis” is no power of Diplomacy."),
        ("England", "Austria", "Line 2: This power has a line already."),
        (ALICE, "zoe", "Line 1: “zoe” has not entered."),
        ("Ben Orr", "Ann Lee", "Line 4: This player has a line already."),
        ("5 6 7", "5 six 7", "Line 1: Write the player, a comma"),
        ("5 6 7", "5 6", "All powers need centres of the same years"),
        ("5 6 7", "5 6 9", "In 1903 there are 36 centres, but the board has 34."),
        ("4 2 0", "4 2 0 *", "neither wins nor shares"),
        ("Turkey, Dee Fox, 4 2 0", "", "These powers have no line: Turkey."),
    ],
)
def test_what_is_wrong_is_told_by_line_and_nothing_is_stored(before: str, after: str, told: str) -> None:
    it = made()
    with pytest.raises(BadInput) as refusal:
        type_in(it, TABLE.replace(before, after))
    assert told in refusal.value.problems["text"]
    assert not Table.objects.exists()


def test_the_page_keeps_what_was_typed_and_shows_it_again_to_correct() -> None:
    it, carol = made(), visitor(CAROL)
    address = reverse("games:type-table", args=[it.slug, 1])
    assert "Turkey, , " in carol.get(address).content.decode()
    refused = carol.post(address, {"text": "Atlantis, Ann Lee, 3"})
    assert refused.status_code == 422
    assert "Atlantis, Ann Lee, 3" in refused.content.decode()
    assert "table 1.1 counts now" in carol.post(address, {"text": TABLE, "name": "Pub"}, follow=True).content.decode()
    table = Table.objects.get()
    assert "Cem Ulu" in carol.get(address, {"table": table.pk}).content.decode()
    carol.post(f"{address}?table={table.pk}", {"text": TABLE.replace("6 7 9", "6 7 8")})
    assert totals(it)["Cem Ulu"] == "8"
    assert visitor(DAVE).get(address).status_code == 404
    carol.post(reverse("games:do-remove_table", args=[it.slug]), {"table": table.pk})
    assert totals(it) == {}


def test_a_table_may_be_typed_beside_those_that_are_played_here_and_ruled_about() -> None:
    it = tournament(rounds=1)
    seated(it, running_game(), variants=["standard"])
    entered(it, (ALICE, BOB))
    assert type_in(it) == "1.2"
    desk = visitor(CAROL).get(reverse("games:tournament-desk", args=[it.slug]))
    assert "Table 1.2" in desk.content.decode()
    table = Table.objects.get(number=2)
    rule(
        tournament_id=it.pk,
        by=person(CAROL).pk,
        user=person(BOB).pk,
        points=Decimal(20),
        reason="Agreed.",
        table=table.pk,
    )
    assert totals(it)[BOB] == "20"


def test_who_sat_at_a_typed_table_has_met_the_others_there_and_had_the_power() -> None:
    it = tournament(rounds=2)
    entered(it, (ALICE, BOB))
    for number in (1, 2):
        terms = terms_of_round(f"Round {number}", variants=["standard"])
        add_round(tournament_id=it.pk, by=person(CAROL).pk, terms=terms)
    type_in(it)
    alice, bob, dave = (person(name).pk for name in (ALICE, BOB, DAVE))
    second = it.rounds.get(number=2)
    assert seating._history(second) == ({alice: {bob: 1}, bob: {alice: 1}}, {})
    assert {(sat.user, sat.power) for sat in seating.sat_before(second)} == {(alice, "AUSTRIA"), (bob, "FRANCE")}
    claim(it)
    answer(it)
    assert seating._history(second)[0][dave] == {alice: 1, bob: 1}
    entry.look(tournament_id=it.pk, by=person(CAROL).pk)
    assert PlanView(TournamentView(it.slug, person(CAROL).pk), 2).powers_had[dave] == ["England"]


# --- Claims ---


def claim(it: Tournament, name: str = "Ann Lee", user: str = DAVE) -> None:
    elsewhere.claim(tournament_id=it.pk, by=person(user).pk, name=name)


def answer(it: Tournament, user: str = DAVE, *, agrees: bool = True) -> None:
    elsewhere.answer_claim(tournament_id=it.pk, by=person(CAROL).pk, username=person(user).username, agrees=agrees)


def test_who_played_without_an_account_has_the_results_once_a_director_agrees() -> None:
    it = made()
    type_in(it)
    visitor(DAVE).post(reverse("games:do-claim", args=[it.slug]), {"name": "Ann Lee"})
    assert "Ann Lee" in totals(it)
    shown = visitor(CAROL).get(reverse("games:manage-tournament", args=[it.slug])).content.decode()
    assert "says that they are Ann Lee." in shown
    answer(it)
    found = totals(it)
    assert found[DAVE] == "6"
    assert "Ann Lee" not in found
    assert Entrant.objects.get(user=person(DAVE)).place == Place.IN
    with pytest.raises(Refusal, match="don’t claim"):
        answer(it)
    # The text of the table still has the name, and a correction is made of that text.
    type_in(it, table=Table.objects.get(round__tournament=it).pk)
    assert totals(it) == found


def test_who_has_claimed_results_waits_for_a_place_where_none_is_free() -> None:
    it = made(places=2)
    type_in(it)
    claim(it)
    answer(it)
    assert Entrant.objects.get(user=person(DAVE)).place == Place.WAITING
    assert totals(it)[DAVE] == "6"


def test_claims_are_refused_of_names_that_nobody_has_and_by_those_who_sat_there_or_may_not_play() -> None:
    it = made()
    type_in(it)
    with pytest.raises(Refusal, match="Nobody of this name"):
        claim(it, "Zoe Zoo")
    with pytest.raises(NotAllowed, match="directors don’t play"):
        claim(it, user=CAROL)
    claim(it)
    answer(it, agrees=False)
    assert "Ann Lee" in totals(it)
    claim(it, user=BOB)
    with pytest.raises(Refusal, match="a seat of their own"):
        answer(it, BOB)
    assert "Ann Lee" in totals(it)
