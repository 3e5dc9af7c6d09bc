"""What directors mistype is asked about: it is neither repaired nor done in silence, and nothing of it is lost."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from games.kernel import clock
from games.kernel.refusals import WrongMoment
from games.mastering.services.desk import close_game
from games.tournaments import entry, seating, services
from games.tournaments.models import Round
from games.tournaments.roster import BadRoster, read_roster
from games.tournaments.seating import StoredPlan, make_plans
from games.tournaments.terms import Entry
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, TEN, person
from tests.factories import running_game
from tests.tournaments.made import entered, seated, terms_of_round, tournament
from variants.registry import find

if TYPE_CHECKING:
    from games.tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def at(made: Tournament, name: str) -> str:
    return reverse(f"games:{name}", args=[made.slug])


def read(made: Tournament, name: str, who: str = CAROL) -> str:
    return str(visitor(who).get(at(made, name)).content.decode())


@pytest.mark.parametrize(
    ("first", "last", "told"),
    [(2, 1, "The last day is before the first day."), (-9, -8, "These days are over."), (-9, None, "These days are")],
)
def test_days_off_that_cant_be_meant_are_added_at_no_table_and_the_form_keeps_them(
    first: int, last: int | None, told: str
) -> None:
    made, game = tournament(), running_game()
    (table,) = seated(made, game)
    days = [(clock.now() + timedelta(days=it)).date().isoformat() if it is not None else "" for it in (first, last)]
    sent = {"do": "days", "tables": [table.pk], "first": days[0], "last": days[1], "reason": "Midwinter"}
    answer = visitor(CAROL).post(at(made, "tournament-desk"), sent)
    shown = answer.content.decode()
    assert answer.status_code == 422
    assert f"Not done at these tables: 1.1. {told}" in shown
    assert f'value="{days[0]}"' in shown
    assert 'value="Midwinter"' in shown
    assert f'value="{table.pk}" checked' in shown
    before = game.stored_options
    game.refresh_from_db()
    assert game.stored_options == before


def test_nobody_changes_places_with_themselves_or_out_of_a_locked_table() -> None:
    made = tournament()
    entered(made, [*TEN, DAVE])
    Round.objects.create(tournament=made, number=1, terms=terms_of_round(variants=["standard"]).to_json())
    by: dict[str, Any] = {"tournament_id": made.pk, "by": person(CAROL).pk}
    entry.look(**by)
    seating.ask_for_plan(**by, number=1)
    make_plans()
    plan = made.rounds.get().plan
    assert plan is not None
    stored = StoredPlan.stored(plan)
    one, free = (0, stored.tables[0][0]), (None, stored.bench[0])
    with pytest.raises(WrongMoment, match="Choose two different people"):
        seating.swap(**by, number=1, one=one, other=one)
    seating.lock_table(**by, number=1, index=0, is_locked=True)
    for pair in ((one, free), (free, one)):
        with pytest.raises(WrongMoment, match="Table 1 is locked"):
            seating.swap(**by, number=1, one=pair[0], other=pair[1])


def test_a_tournament_that_nobody_could_enter_is_not_published(moment: Any) -> None:
    made = tournament(published=False)
    moment.wait(days=8)
    with pytest.raises(WrongMoment, match="Choose a later end of entry first"):
        services.publish(tournament_id=made.pk, by=person(CAROL).pk)
    made.refresh_from_db()
    assert made.published is None


def test_who_publishes_without_a_round_is_told_that_none_is_there() -> None:
    made = tournament(published=False)
    told = visitor(CAROL).post(at(made, "do-publish"), follow=True).content.decode()
    assert "people can enter. It has no round yet: add one." in told


def test_only_people_with_the_link_are_offered_to_enter_by_it() -> None:
    made = tournament(entry=Entry.LINK)
    client, page = visitor(DAVE), at(made, "tournament")
    assert "Only people with the invitation link can enter." in client.get(page).content.decode()
    client.get(reverse("games:tournament-link", args=[made.slug, made.invitation]))
    shown = client.get(page).content.decode()
    assert "Only people with the invitation link" not in shown
    assert ">Enter</button>" in shown


@pytest.mark.parametrize("variant", ["1926", "standard", ""])
def test_the_example_of_a_roster_is_a_roster(variant: str) -> None:
    made = tournament()
    if variant:
        terms = terms_of_round(variants=[variant])
        Round.objects.create(tournament=made, number=1, terms=terms.to_json())
    (example,) = (it.split("”")[0] for it in read(made, "manage-tournament").split("as in “")[1:])
    assert entry.invite_roster(tournament_id=made.pk, by=person(CAROL).pk, text=example) == 1


def test_a_roster_is_told_all_its_wrong_lines_at_once() -> None:
    with pytest.raises(BadRoster) as refused:
        read_roster("Ann\nBob, bob@example.org\nCid, cid@\nDee, BOB@example.org", [find("standard")])
    lines = ("Line 1 has no email address.", "Line 3: “cid@” is not", "Line 4: BOB@example.org is on line 2 already.")
    assert all(it in refused.value.sentence for it in lines)
    with pytest.raises(BadRoster, match=r"Line 10 has .* And 5 more\.$"):
        read_roster("\n".join(["Ann"] * 15), [])
    with pytest.raises(BadRoster, match="names powers, but there is no round yet"):
        read_roster("Ann, ann@example.org, France", [])


def test_the_desk_offers_no_longer_extension_than_a_table_can_get() -> None:
    made, game = tournament(), running_game(movement_seconds=900)
    seated(made, game)
    offered = read(made, "tournament-desk").split('name="seconds"')[1].split("</select>")[0]
    assert '<option value="900"' in offered
    assert "1 week" not in offered


def test_tables_that_are_over_stand_last() -> None:
    made = tournament()
    over, runs = running_game(name="Rome"), running_game(name="Paris")
    seated(made, over, runs)
    close_game(game_id=over.pk, by=person(CAROL).pk, reason="So")
    shown = read(made, "tournament-desk")
    assert shown.index("Paris") < shown.index("Rome")
