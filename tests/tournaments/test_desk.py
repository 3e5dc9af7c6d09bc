"""The desk for all tables: acts at several of them, substitutes, and rulings."""

from __future__ import annotations

import re
from datetime import timedelta
from decimal import Decimal
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.deadlines.options import PhaseLengths
from games.deadlines.timetable import Slot, Week
from games.delivery.inbox import notice_page
from games.kernel import clock
from games.kernel.models import Assistant, Game, Right, Status
from games.kernel.refusals import NotAllowed, Refusal, WrongMoment
from games.kernel.typed import sender_field
from games.mastering.services.desk import close_game, empty_seat, pause_game
from games.news.models import Webhook
from games.orders.services import set_ready
from games.press.models import Message
from games.seating.services.joining import confirm_place
from games.tournaments import desk as acts
from games.tournaments.models import Place, Ruling, Table
from games.tournaments.queries import SeriesView
from games.tournaments.seating import StoredPlan
from games.tournaments.tournament_page import TournamentView
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, SAM, person
from tests.factories import occupancy_of, open_phase, powers_of, running_game, waiting_game
from tests.moment import Moment
from tests.story import Story
from tests.tournaments.made import entered, in_roll_call, seated, tournament
from variants.bots import Level

if TYPE_CHECKING:
    from games.tournaments.models import Tournament

pytestmark = pytest.mark.django_db

ALICE = PLAYERS[0]


def send(made: Tournament, do: str, name: str = CAROL, **more: Any) -> Any:
    path = reverse("games:tournament-desk", args=[made.slug])
    return visitor(name).post(path, {"do": do, **more}, follow=True)


def page(made: Tournament, name: str = CAROL) -> str:
    answer = visitor(name).get(reverse("games:tournament-desk", args=[made.slug]))
    assert answer.status_code == HTTPStatus.OK
    return answer.content.decode()


def changes(made: Tournament) -> list[str]:
    return [line.sentence for line in SeriesView(made.slug, None).changes]


def vacated(**options: Any) -> Game:
    """A game whose seat of Britain, Alice's, is vacant."""
    game = running_game(name="Genoa", **options)
    empty_seat(game_id=game.pk, by=person(CAROL).pk, power="BRITAIN", reason="Gone")
    return game


def holder(game: Game, power: str = "BRITAIN") -> str:
    return str(occupancy_of(game, power).user.get_username())


def substitute(made: Tournament, table: Table, seat: str = "BRITAIN", **more: Any) -> str:
    return acts.substitute(tournament_id=made.pk, by=person(CAROL).pk, table=table.pk, power=seat, **more)


# --- Acts at several tables ---


def test_one_act_is_done_at_the_ticked_tables_and_the_page_says_where_not() -> None:
    made, games = tournament(), [running_game(name=name) for name in ("Genoa", "Paris", "Thoiry")]
    tables = seated(made, *games)
    pause_game(game_id=games[1].pk, by=person(CAROL).pk)
    shown = send(made, "pause", tables=[tables[0].pk, tables[1].pk]).content.decode()
    assert "The games are paused. Tables: 1.1." in shown
    assert "Not done at these tables: 1.2. Only a running game can be paused." in shown
    assert [Game.objects.get(pk=it.pk).status for it in games] == [Status.PAUSED, Status.PAUSED, Status.RUNNING]
    send(made, "resume", every="on")
    before = [open_phase(it).deadline for it in games]
    send(made, "extend", every="on", seconds="86400", reason="Holidays")
    assert [open_phase(it).deadline for it in games] == [it + timedelta(days=1) for it in before if it]


def test_lengths_that_only_some_tables_allow_are_told_before_and_a_refused_act_keeps_its_form_for_those(
    moment: Moment,
) -> None:
    made, at_seven = tournament(), tuple(Slot(weekday, 19, 0) for weekday in range(7))
    tables = seated(
        made,
        running_game(name="Genoa", most_extended=1, movement_seconds=3 * 86_400),
        running_game(name="Paris", most_extended=1, movement_seconds=43_200),
        running_game(name="Thoiry", most_extended=1, movement_seconds=3_600, week=Week(movement=at_seven)),
    )
    assert "Tables that allow at most 12 hours: 1.2. Tables that allow at most 1 hour: 1.3." in page(made)
    whose = str(sender_field(person(CAROL).pk)).split('"')[-2]
    shown = send(made, "extend", every="on", seconds="3600", whose=whose).content.decode()
    assert "The deadlines have moved. Tables: 1.1, 1.2, 1.3." in shown
    assert "data-typed" not in shown
    over = running_game(name="Over")
    seated(made, over, number=2)
    close_game(game_id=over.pk, by=person(CAROL).pk)
    shown = send(made, "extend", every="on", seconds="43200", reason="Ice", whose=whose).content.decode()
    assert "The deadlines have moved. Tables: 1.1." in shown
    kept = shown.partition("data-typed")[2].partition("</form>")[0]
    assert re.findall(r'name="tables" value="(\d+)"', kept) == [str(it.pk) for it in tables[1:]]
    assert 'name="seconds" value="43200"' in kept
    assert "every" not in kept


def test_an_announcement_an_assistant_and_a_webhook_reach_all_tables() -> None:
    made, games = tournament(), [running_game(name=name) for name in ("Genoa", "Paris")]
    person(DAVE)
    seated(made, *games)
    send(made, "write", every="on", text="Good evening")
    assert sorted(Message.objects.values_list("thread__game__name", flat=True)) == ["Genoa", "Paris"]
    send(made, "name_assistant", every="on", username=DAVE)
    assert Assistant.objects.filter(user=person(DAVE), rights__contains=[Right.CLOCK]).count() == len(games)
    send(made, "webhook", every="on", address="https://hooks.example.org/cup", form="json")
    assert Webhook.objects.filter(user=person(CAROL)).count() == len(games)


def test_days_off_are_for_all_tables_and_for_all_their_deadlines() -> None:
    made, games = tournament(), [running_game(name="Genoa"), running_game(name="Paris", movement_seconds=3 * 86_400)]
    seated(made, *games)
    first, later = (open_phase(it).deadline for it in games)
    assert first is not None
    given = {"first": first.date().isoformat(), "last": (first.date() + timedelta(days=1)).isoformat()}
    shown = send(made, "days", every="on", reason="Midwinter", **given).content.decode()
    assert "No deadline falls on these days now. Tables: 1.1, 1.2." in shown
    assert [open_phase(it).deadline for it in games] == [first + timedelta(days=2), later]
    for it in games:
        it.refresh_from_db()
        told = [line for line in Story(it).seen_by(DAVE).events if line.kind == "holiday"]
        assert "Midwinter" in told[0].sentence
        assert it.options[PhaseLengths].timetable.same_time_from(first) == first + timedelta(days=2), "of later phases"
    (alice, fritz) = (notice_page(person(name)).lines for name in (ALICE, PLAYERS[2]))
    assert all("Days without a deadline" in str([line.sentence for line in lines]) for lines in (alice, fritz))
    again = send(made, "days", every="on", **{**given, "last": f"{first.year + 2}-01-01"}).content.decode()
    assert "Not done at these tables: 1.1, 1.2. A holiday can last at most 60 days." in again


@pytest.mark.parametrize(
    ("do", "more", "told"),
    [
        ("pause", {}, "Tick the tables, or “At all tables”."),
        ("write", {"every": "on"}, "Fill this in first."),
        ("pause", {"tables": "7"}, "There is no such table."),
    ],
)
def test_a_mistake_is_named(do: str, more: dict[str, str], told: str) -> None:
    made = tournament()
    seated(made, running_game())
    answer = send(made, do, **more)
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert told in answer.content.decode()


def test_the_desk_is_for_directors_who_act_only_where_they_do_not_play() -> None:
    made, game = tournament(), running_game(gm_plays=True, players=[CAROL, *PLAYERS[1:]], hidden_names=True)
    (table,) = seated(made, game)
    assert visitor(DAVE).get(reverse("games:tournament-desk", args=[made.slug])).status_code == HTTPStatus.NOT_FOUND
    shown = page(made)
    assert "You play here" in shown
    assert not any(name in shown for name in PLAYERS[1:])
    assert "You play at this table" in send(made, "pause", tables=table.pk).content.decode()
    with pytest.raises(NotAllowed, match="You play at this table"):
        substitute(made, table)


def test_what_needs_attention_and_the_next_deadline_are_there_for_each_table() -> None:
    made = tournament()
    seated(made, vacated(), waiting_game(name="Thoiry"), running_game(name="Vienna", gm_sees_saved=True))
    shown = page(made)
    assert "Britain is vacant." in shown
    assert "Spring 1926" in shown
    assert shown.count("See who has saved orders") == 1


def test_the_page_takes_as_many_statements_however_many_tables_there_are() -> None:
    made = tournament()
    seated(made, vacated())
    entered(made, [DAVE], Place.SUBSTITUTE)
    before = statements(made)
    assert before <= 12
    seated(made, *(running_game(name=name) for name in ("Paris", "Thoiry", "Vienna")), waiting_game(), number=2)
    entered(made, [SAM, ALICE], Place.SUBSTITUTE)
    acts.rule(tournament_id=made.pk, by=person(CAROL).pk, user=person(DAVE).pk, points=Decimal(1), reason="Late")
    assert statements(made) == before


def statements(made: Tournament) -> int:
    client, path = visitor(CAROL), reverse("games:tournament-desk", args=[made.slug])
    cache.clear()
    with CaptureQueriesContext(connection) as found:
        assert client.get(path).status_code == HTTPStatus.OK
    return len(found)


# --- Substitutes ---


def test_the_next_substitute_gets_a_vacant_seat_in_two_taps() -> None:
    made, game = tournament(), vacated()
    (table,) = seated(made, game)
    entered(made, [SAM, DAVE], Place.SUBSTITUTE)
    shown = page(made)
    assert shown.index(f"{table.pk}:BRITAIN") < shown.index(f"{table.pk}:FRANCE"), "what is vacant comes first"
    send(made, "substitute", seat=f"{table.pk}:BRITAIN", to=person(SAM).pk)
    assert holder(game) == SAM
    assert made.entrants.get(user=person(SAM)).place == Place.IN
    assert changes(made)[0] == f"carol gave {SAM} a seat at table 1.1."
    assert substitute(made, table, "FRANCE", reason="Gone") == DAVE
    assert changes(made)[0] == f"carol gave {DAVE} the seat of {PLAYERS[1]} at table 1.1."
    with pytest.raises(WrongMoment, match="no substitute"):
        substitute(made, table, "GERMANY", reason="Gone")


def test_a_reason_is_asked_for_where_a_player_loses_the_seat_and_what_was_chosen_stays_chosen() -> None:
    made, game = tournament(), vacated()
    (table,) = seated(made, game)
    entered(made, [SAM, DAVE], Place.SUBSTITUTE)
    assert "Reason, needed if a player loses the seat" in page(made)
    chosen = {"seat": f"{table.pk}:FRANCE={holder(game, 'FRANCE')}", "to": str(person(DAVE).pk)}
    answer = send(made, "substitute", **chosen)
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert all(f'value="{value}" selected' in answer.content.decode() for value in chosen.values())
    send(made, "substitute", **chosen, reason="Gone")
    send(made, "substitute", seat=f"{table.pk}:BRITAIN", to=person(SAM).pk)
    assert (holder(game, "FRANCE"), holder(game)) == (DAVE, SAM)


def test_before_the_start_a_substitute_takes_a_place() -> None:
    made, game = tournament(), waiting_game(seats="random")
    (table,) = seated(made, game, powers="table", choices={"seats": "random"})
    game.joiners.create(user=person(ALICE), joined=clock.now())
    entered(made, [SAM, DAVE], Place.SUBSTITUTE)
    assert f"{table.pk}:@{person(ALICE).pk}" in page(made)
    assert substitute(made, table, f"@{person(ALICE).pk}", reason="Ill") == SAM
    assert substitute(made, table, "") == DAVE
    assert sorted(game.joiners.values_list("user__username", flat=True)) == sorted([SAM, DAVE])


def test_who_has_no_seat_in_the_round_can_take_that_of_someone_who_does_not_come() -> None:
    made, game = tournament(), vacated()
    (table,) = seated(made, game)
    entered(made, [SAM, DAVE])
    plan = StoredPlan(1, ("1926",), ((person(ALICE).pk,),), (person(SAM).pk,), powers=({"BRITAIN": person(ALICE).pk},))
    made.rounds.update(plan=plan.to_json())
    view = TournamentView(made.slug, None)
    assert (view.rounds[0].sits_out, view.sheet.standings) == ((SAM,), ())
    assert free(made, CAROL) == [SAM]
    assert substitute(made, table) == SAM
    assert (free(made, CAROL), TournamentView(made.slug, None).rounds[0].sits_out) == ([], ())


def test_nothing_public_tells_who_joined_a_table_with_hidden_names() -> None:
    made, game = tournament(), vacated(hidden_names=True)
    (table,) = seated(made, game)
    entered(made, [SAM, DAVE], Place.SUBSTITUTE)
    before = changes(made)
    assert substitute(made, table) == SAM
    assert changes(made) == before
    assert made.entrants.get(user=person(SAM)).place == Place.SUBSTITUTE
    assert free(made, CAROL) == [DAVE]
    assert free(made, ALICE) == [SAM, DAVE], "as if nobody had been given a seat"


def free(made: Tournament, name: str) -> list[str]:
    known = acts.entrants_known_to(made, person(name).pk)
    return [it.user.get_username() for it in acts.free_substitutes(made.rounds.all(), known)]


def test_a_bot_plays_a_vacant_seat() -> None:
    made, game = tournament(), vacated()
    (table,) = seated(made, game)
    send(made, "substitute", seat=f"{table.pk}:BRITAIN", to=f"bot-{Level.EASY.value}")
    assert occupancy_of(game, "BRITAIN").user.is_bot


def test_a_bot_gets_the_seat_of_a_player_who_does_not_come_though_all_others_are_ready() -> None:
    made, game = tournament(), running_game(name="Genoa", all_ready=True, panic_seconds=0)
    (table,) = seated(made, game)
    for power in powers_of(game)[1:]:
        set_ready(occupancy_id=occupancy_of(game, power).pk, ordinal=0, ready=True)
    seat = {"seat": f"{table.pk}:BRITAIN", "to": f"bot-{Level.EASY.value}"}
    assert "Give a reason" in send(made, "substitute", **seat).content.decode()
    send(made, "substitute", **seat, reason="Did not come")
    assert (holder(game).startswith("bot "), open_phase(game).ordinal) == (True, 0)
    lines = [line.sentence for line in Story(game).seen_by(DAVE).events]
    assert "carol removed alice from Britain; the seat is now vacant. Reason: Did not come" in " ".join(lines)


def test_a_bot_gets_the_place_of_the_only_one_who_has_not_confirmed_and_the_game_starts() -> None:
    made, game = tournament(), in_roll_call(*PLAYERS[2:])
    (table,) = seated(made, game)
    seat = {"seat": f"{table.pk}:BRITAIN", "to": f"bot-{Level.EASY.value}"}
    assert "only if all others have confirmed" in send(made, "substitute", **seat).content.decode()
    confirm_place(game_id=game.pk, user_id=person(PLAYERS[1]).pk)
    send(made, "substitute", **seat)
    game.refresh_from_db()
    assert (game.status, holder(game).startswith("bot ")) == (Status.RUNNING, True)


def test_one_act_fills_all_empty_seats_by_substitutes_and_then_by_bots() -> None:
    made, called = tournament(), in_roll_call(*PLAYERS[2:])
    games = [vacated(), called, running_game(name="Paris"), waiting_game(name="Thoiry"), vacated()]
    seated(made, *games)
    entered(made, [SAM, DAVE], Place.SUBSTITUTE)
    shown = send(made, "fill", tables=[str(it.table.pk) for it in games[:4]], level="easy", substitutes_first="on")
    told = shown.content.decode()
    assert "The vacant seats are filled. Tables: 1.1, 1.2." in told
    assert "Not done at these tables: 1.3. No seat is vacant at this table." in told
    assert "Not done at these tables: 1.4. The game waits for players, so start it first." in told
    first, second = holder(called, powers_of(called)[0]), holder(called, powers_of(called)[1])
    assert (holder(games[0]), first, second.startswith("bot ")) == (SAM, DAVE, True)
    send(made, "fill", tables=str(games[4].table.pk), level="easy")
    assert holder(games[4]).startswith("bot ")


# --- Rulings ---


def test_a_ruling_is_public_and_can_be_taken_back() -> None:
    made, game = tournament(), running_game(name="Genoa")
    (table,) = seated(made, game)
    entered(made, [ALICE])
    given: dict[str, Any] = {"user": person(ALICE).pk, "points": "7.5", "reason": "Left early"}
    assert send(made, "rule", table=table.pk, **given).status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    with pytest.raises(Refusal, match="isn’t over"):
        acts.rule(
            tournament_id=made.pk,
            by=person(CAROL).pk,
            user=person(ALICE).pk,
            points=Decimal(1),
            reason="So",
            table=table.pk,
        )
    close_game(game_id=game.pk, by=person(CAROL).pk)
    send(made, "rule", table=table.pk, **given)
    send(made, "rule", **{**given, "points": "-10"})
    assert changes(made)[:2] == [
        "carol changed the total of alice by -10: Left early",
        "carol set the points of alice at table 1.1 to 7.5: Left early",
    ]
    assert "Left early" in page(made)
    for row in Ruling.objects.all():
        send(made, "undo", number=row.pk)
    assert not Ruling.objects.exists()
    assert changes(made)[0] == "carol took back the -10 points added to the total of alice: Left early"


def test_rulings_are_about_entrants_who_have_played_there() -> None:
    made, game = tournament(), running_game(name="Genoa")
    (table,) = seated(made, game)
    close_game(game_id=game.pk, by=person(CAROL).pk)
    given: dict[str, Any] = {"tournament_id": made.pk, "by": person(CAROL).pk, "points": Decimal(1)}
    with pytest.raises(NotAllowed, match="have entered"):
        acts.rule(**given, user=person(ALICE).pk, reason="So")
    entered(made, [DAVE])
    with pytest.raises(WrongMoment, match="hasn’t played"):
        acts.rule(**given, user=person(DAVE).pk, reason="So", table=table.pk)
    with pytest.raises(Refusal, match="Give a reason"):
        acts.rule(**given, user=person(DAVE).pk, reason=" ")
