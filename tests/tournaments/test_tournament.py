"""A tournament from its form to its tables: entry, check-in, the seating plan, and who sees what of it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.core import mail
from django.core.cache import cache, caches
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from diplomacy_site.accounts.leaving import rename_account
from diplomacy_site.accounts.models import User
from diplomacy_site.patience import most_bytes
from games.kernel import clock
from games.kernel.models import Game, Joiner, Occupancy, Status
from games.kernel.refusals import NotAllowed, Refusal
from games.mastering.services.desk import close_game
from games.people.export import stored_facts_of
from games.people.models import Scope
from games.people.services import leave_all_games
from games.seating.services.joining import confirm_place
from games.tournaments import desk, entry, seating
from games.tournaments import services as acts
from games.tournaments.forms import TournamentForm
from games.tournaments.letters import send_tournament_letters
from games.tournaments.models import Entrant, Place, Table, Tournament, TournamentLetter, Wishes
from games.tournaments.queries import version_of_series
from games.tournaments.roster import BadRoster, Invitee, read_roster
from games.tournaments.rounds import add_round
from games.tournaments.rules.plan import FaultKind, total
from games.tournaments.seating import StoredPlan, make_plans
from games.tournaments.terms import Entry, Powers
from games.tournaments.tournament_page import PlanView, TournamentView
from tests.api.test_acts import App
from tests.browsers import EVE, visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.delivery.test_feeds import entries
from tests.moment import Moment
from tests.tournaments.made import entered, terms_of_round, tournament
from variants.registry import UnknownVariant, find

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.tournaments.terms import RoundTerms


pytestmark = pytest.mark.django_db
ALICE, BOB, FRITZ, GINA = PLAYERS[:4]
DUEL = "balkan-battle"


def duels(powers: Powers = Powers.RANDOM, **choices: Any) -> RoundTerms:
    return terms_of_round(variants=[DUEL], choices=choices, powers=powers)


def made(*rounds: RoundTerms, people: Sequence[str] = PLAYERS[:6], published: bool = True, **terms: Any) -> Tournament:
    """Carol's, with these rounds (one of duels) and people."""
    it = tournament(published=published, **{"rounds": max(1, len(rounds)), **terms})
    for each in rounds or (duels(),):
        add_round(**ids(it, terms=each))
    entered(it, people)
    TournamentLetter.objects.all().delete()
    return it


def ids(it: Tournament, **more: Any) -> dict[str, Any]:
    return {"tournament_id": it.pk, "by": person(CAROL).pk, **more}


def own(it: Tournament, name: str, **more: Any) -> dict[str, Any]:
    return {"tournament_id": it.pk, "by": person(name).pk, **more}


def place_of(it: Tournament, name: str) -> str:
    return Entrant.objects.get(tournament=it, user=person(name)).place


def refusal(act: Any, **given: Any) -> str:
    with pytest.raises(Refusal) as refused:
        act(**given)
    return refused.value.sentence


def planned(it: Tournament, number: int = 1, seed: int = 7) -> StoredPlan:
    seating.ask_for_plan(**ids(it, number=number, seed=seed))
    make_plans()
    return plan_of(it, number)


def plan_of(it: Tournament, number: int = 1) -> StoredPlan:
    return StoredPlan.stored(it.rounds.get(number=number).plan or {})


def page(it: Tournament, name: str = EVE) -> str:
    answer = visitor(name).get(reverse("games:tournament", args=[it.slug]))
    assert answer.status_code == HTTPStatus.OK
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", answer.content.decode())


FORM = {
    "name": "Autumn cup",
    "text": "",
    "closes": "2026-12-01T12:00",
    "entry": "open",
    "rounds": "3",
    "notes": "Ours",
    "scoring": "own",
    "own": "30, 10, 5",
    "combine": "powers",
    "credit": "starter",
    "team_best": "2",
    "places": "9",
}


def test_a_tournament_is_made_and_changed_by_its_form(moment: Moment) -> None:
    director = visitor(CAROL)
    answer = director.post(reverse("games:new-tournament"), FORM)
    it = Tournament.objects.get()
    assert answer.headers["Location"] == reverse("games:tournament", args=[it.slug])
    edit = reverse("games:edit-tournament", args=[it.slug])
    shown = director.get(edit).content.decode()
    assert 'value="30, 10, 5"' in shown
    assert "Ours" in shown
    assert shown.count('<details class="fold" open>') == len(TournamentForm.folded)
    new = director.get(reverse("games:new-tournament")).content.decode()
    assert new.count('<details class="fold">') == len(TournamentForm.folded) + 1, "what each scoring gives"
    assert "Otherwise all powers share 100 points in proportion to the squares of their centres." in new
    assert director.post(edit, {**FORM, "places": ""}).status_code == HTTPStatus.SEE_OTHER
    terms = TournamentView(it.slug, person(CAROL).pk).terms
    assert (terms.own, terms.places, terms.rounds, terms.team_best) == ((30, 10, 5), None, 3, 2)
    wrong = director.post(edit, {**FORM, "own": "5, 10"}).content.decode()
    assert "Write whole numbers from 0 up that never rise, the first above the others, at most 20." in wrong
    acts.publish(**ids(it))
    assert "A player’s total is the sum of their best game with each power." in page(it)
    assert "Ours" not in page(it, ALICE)


def test_times_are_read_in_the_zone_in_which_the_page_shows_them(moment: Moment) -> None:
    User.objects.filter(pk=person(CAROL).pk).update(time_zone="Europe/Berlin")
    director = visitor(CAROL)
    director.post(reverse("games:new-tournament"), FORM)
    it = Tournament.objects.get()
    assert it.closes == datetime(2026, 12, 1, 11, tzinfo=UTC)
    acts.publish(**ids(it))
    add_round(**ids(it), terms=terms_of_round())
    edit, call = reverse("games:edit-tournament", args=[it.slug]), "2026-11-18T20:30"
    shown = re.search('name="closes" value="([^"]+)"', director.get(edit).content.decode())
    assert shown
    director.post(edit, {**FORM, "closes": shown[1]})
    director.post(reverse("games:do-call_check_in", args=[it.slug]), {"number": "1", "until": call})
    it.refresh_from_db()
    assert it.closes == datetime(2026, 12, 1, 11, tzinfo=UTC)
    assert it.rounds.get().check_in_until == datetime(2026, 11, 18, 19, 30, tzinfo=UTC)


# --- Entry ---


def test_people_enter_wait_and_move_up_until_entry_closes(moment: Moment) -> None:
    it = made(people=(), places=2)
    for name in (ALICE, BOB, FRITZ, GINA):
        visitor(name).post(reverse("games:do-enter", args=[it.slug]))
    assert [place_of(it, name) for name in (ALICE, BOB, FRITZ, GINA)] == ["in", "in", "waiting", "waiting"]
    visitor(ALICE).post(reverse("games:do-withdraw", args=[it.slug]))
    assert [place_of(it, name) for name in (ALICE, FRITZ, GINA)] == ["out", "in", "waiting"]
    send_tournament_letters()
    assert [(letter.to, letter.subject) for letter in mail.outbox] == [
        (["fritz@example.org"], f"{it.name}: you have a place")
    ]
    assert not TournamentLetter.objects.filter(next_try__isnull=False).exists()
    moment.wait(days=8)
    assert refusal(entry.enter, **own(it, DAVE)) == "Entry to this tournament is closed."
    entry.withdraw(**own(it, BOB))
    assert [place_of(it, name) for name in (BOB, GINA)] == ["out", "waiting"], "nobody gets it unasked after that"
    entry.enter(**own(it, DAVE, as_substitute=True))
    assert place_of(it, DAVE) == "substitute"


@pytest.mark.parametrize(
    ("by", "told"), [(Entry.LIST, "Only people on the directors’ list"), (Entry.LINK, "You need the invitation link")]
)
def test_entry_by_list_or_link_lets_no_one_else_in(by: Entry, told: str) -> None:
    it = made(people=(), entry=by)
    assert refusal(entry.enter, **own(it, ALICE)).startswith(told)
    if by == Entry.LINK:
        alice, director = visitor(ALICE), visitor(CAROL)
        link = reverse("games:tournament-link", args=[it.slug, it.invitation])
        managed = director.get(reverse("games:manage-tournament", args=[it.slug])).content.decode()
        assert f'value="http://testserver{link}"' in managed, "whole, to be copied"
        alice.get(link)
        alice.post(reverse("games:do-enter", args=[it.slug]))
        assert place_of(it, ALICE) == "in"


def test_a_roster_invites_each_address_once_whoever_has_an_account() -> None:
    it = made(people=(), entry=Entry.LIST)
    text = "Name,Email Address,Preferences,Team\n=Ann,new@example.org,,\nAlice A,alice@example.org,Turkey,Reds\n"
    alice = person(ALICE)
    sent = [
        visitor(CAROL).post(reverse("games:manage-tournament", args=[it.slug]), {"text": text}) for _twice in range(2)
    ]
    assert [answer.status_code for answer in sent] == [HTTPStatus.SEE_OTHER] * 2
    send_tournament_letters()
    assert sorted(letter.to for letter in mail.outbox) == [["alice@example.org"], ["new@example.org"]]
    first, second = (
        letter.body.replace(str(it.letters.get(email=letter.to[0]).token), "").split("Never")[0]
        for letter in mail.outbox
    )
    assert first == second, "nothing tells who has an account"
    assert it.name not in first
    token = it.letters.get(email="alice@example.org").token
    invitation = reverse("games:tournament-invitation", args=[token])
    read = Client().get(invitation).content.decode()
    assert it.name in read
    assert f"{reverse('account_signup')}?next={invitation}" in read
    visitor(ALICE).post(invitation)
    assert (place_of(it, ALICE), it.entrants.get().team) == ("in", "Reds")
    assert Wishes.objects.get().powers == {DUEL: ["TURKEY"]}
    assert refusal(entry.accept_invitation, token=token, user_id=alice.pk).startswith(
        "This invitation is no longer open"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ann, ann@example.org\nBob, bob", "Line 2: “bob” is not an email address."),
        ("Ann, ann@example.org\nBob; bob@example.org", "Line 2 has no email address."),
        ("Ann, ann@example.org\n\nAnn, ANN@example.org", "Line 3: ANN@example.org is on line 1 already."),
        ('"Ann, the ""old""", ann@example.org, Narnia', "Line 1: “Narnia” names no powers."),
        ("Ann, ann@example.org, , , bob@example.org", "Line 1 has several email addresses: ann@example.org, bob@"),
        (
            "Name,Email,Address\nAnn,ann@example.org,a@example.org",
            "Line 2 has several email addresses: a@example.org, ",
        ),
        ("Ann, x@bücher.example\nBob, X@xn--bcher-kva.example", "Line 2: X@xn--bcher-kva.example is on line 1 "),
        (f"Ann, x@{'ü' * 60}.example", "is not an email address."),
        (f"{'a' * 81}, ann@example.org", "has more than 80 characters."),
        (" \n", "The list is empty."),
        ("\n".join(f"{n}, {n}@example.org" for n in range(1_001)), "at most 1000 people"),
        ("a" * 1_100_001, "The list is too long."),
    ],
)
def test_a_wrong_line_of_a_roster_is_named(text: str, told: str) -> None:
    with pytest.raises(BadRoster) as refused:
        read_roster(text, [find("standard")])
    assert told in refused.value.sentence


def test_rosters_of_other_programs_are_read() -> None:
    standard = find("standard")
    dipvis = "First Name,Last Name,Email Address,Backstabbr Username\nAnn,Ex,ann@example.org,ann1\n"
    full = "Full name,Email\nAnn Ex,ann@bücher.example\n"
    assert [*read_roster(full, [standard])] == [Invitee("Ann Ex", "ann@xn--bcher-kva.example")]
    tabs = "\ufeffname\taddress\tpreferences\nAnn\tann@example.org\tFGIRT\n"
    assert [(it.name, it.email) for it in read_roster(dipvis, [standard])] == [("Ann Ex", "ann@example.org")]
    assert [*read_roster(tabs, [standard])[0].powers["standard"]] == ["FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"]
    many = read_roster("\n".join(f'"Ann, {n}";{n}@example.org' for n in range(1_000)), [standard])
    assert many[-1].name == "Ann, 999"


@pytest.mark.parametrize("way", ["entering", "by invitation", "by a director"])
def test_a_team_is_written_as_its_members_write_it_already(way: str) -> None:
    it = made(people=[ALICE], team_best=0)
    entry.change_entry(**own(it, ALICE, team="Red Foxes"))
    entry.change_entry(**own(it, ALICE, team="Red foxes"))
    if way == "by invitation":
        entry.invite_roster(**ids(it, text="Bob,bob@example.org,,redfoxes"))
        entry.accept_invitation(token=it.letters.get().token, user_id=person(BOB).pk)
    else:
        entered(it, [BOB])
    if way == "entering":
        entry.change_entry(**own(it, BOB, team="RED  FOXES"))
    if way == "by a director":
        entry.set_place(**ids(it, username=BOB, place=Place.IN, team="redfoxes"))
    assert [row.team for row in it.entrants.order_by("pk")] == ["Red foxes", "Red foxes"]


# --- Check-in, plan and tables ---


def test_a_round_goes_from_check_in_to_running_games(moment: Moment) -> None:
    it, director = made(), visitor(CAROL)
    entry.look(**ids(it))
    until = (clock.now() + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M")
    director.post(reverse("games:do-call_check_in", args=[it.slug]), {"number": 1, "until": until})
    send_tournament_letters()
    assert len(mail.outbox) == 6
    for name in PLAYERS[:5]:
        visitor(name).post(reverse("games:do-check_in", args=[it.slug]), {"number": 1})
    visitor(FRITZ).post(reverse("games:do-check_in", args=[it.slug]), {"number": 1, "is_here": "false"})
    assert refusal(seating.ask_for_plan, **ids(it, number=1)) == "People can still check in. Plan after that."
    manage = reverse("games:manage-tournament", args=[it.slug])
    assert f"Not yet: {FRITZ}, {PLAYERS[5]}." in director.get(manage).content.decode()
    moment.wait(hours=2)
    assert "Check-in ended on" in director.get(manage).content.decode()
    plan_page = reverse("games:plan", args=[it.slug, 1])
    director.post(plan_page, {"seed": "7"})
    make_plans()
    shown = director.get(plan_page).content.decode()
    assert "Made with seed 7" in shown
    assert FRITZ not in shown
    assert ALICE in shown
    director.post(plan_page, {"seat": "yes"})
    tables = list(Table.objects.order_by("number"))
    assert [(table.number, table.game.status, table.game.name) for table in tables] == [
        (number, Status.RUNNING, f"{it.name} 1.{number}") for number in (1, 2)
    ]
    players = Occupancy.objects.filter(game__table__isnull=False).values_list("user__username", flat=True)
    assert sorted(players) == sorted({ALICE, BOB, GINA, "hugo"})
    assert (
        f"This game is table 2 of round 1 of the tournament “{it.name}”."
        in visitor(EVE).get(reverse("games:game", args=[tables[1].game.slug])).content.decode()
    )
    assert tables[0].game.name in page(it)
    assert refusal(seating.seat_round, **ids(it, number=1)) == "There is no such round that is not seated yet."


def test_directors_swap_lock_and_plan_again() -> None:
    it = made()
    entry.look(**ids(it))
    plan = planned(it)
    one, other = (0, plan.tables[0][0]), (1, plan.tables[1][0])
    seating.swap(**ids(it, number=1, one=one, other=other))
    swapped = plan_of(it)
    assert other[1] in swapped.tables[0]
    seating.lock_table(**ids(it, number=1, index=0, is_locked=True))
    again = planned(it, seed=8)
    assert again.tables[0] == swapped.tables[0]
    assert planned(it, seed=8) == again, "the same seed, the same plan"
    assert refusal(seating.swap, **ids(it, number=1, one=(5, 1), other=(0, 2))).startswith("These two can’t")


def test_a_call_to_check_in_and_a_place_are_on_the_home_page(moment: Moment) -> None:
    it = made(people=[ALICE, BOB])
    entered(it, [FRITZ], Place.WAITING)

    def home(name: str) -> str:
        text = visitor(name).get("/").content.decode().partition("My tournaments")[2].partition("</section>")[0]
        return " ".join(re.sub("<[^>]+>", " ", text).split())

    assert home(ALICE) == "Club cup : you have a place."
    sent = {"number": 1, "until": "2026-11-18T12:00"}
    visitor(CAROL).post(reverse("games:do-call_check_in", args=[it.slug]), sent)
    told = "Club cup : check in for Round 1 until Wed 18 Nov 2026, 12:00 UTC , or you won’t be seated. Check in"
    assert home(ALICE).startswith(told)
    assert home(FRITZ) == "Club cup : you’re on the waiting list."
    visitor(ALICE).post(reverse("games:do-check_in", args=[it.slug]), {"number": 1, "is_here": "true"})
    assert home(ALICE) == "Club cup : you have a place."
    moment.wait(days=3)
    assert home(BOB) == "Club cup : you have a place."
    it.rounds.update(seated=clock.now())
    assert home(ALICE) == home(DAVE) == ""


def test_a_plan_names_the_people_in_it_who_no_longer_play() -> None:
    it = made()
    entry.look(**ids(it))
    planned(it)
    entry.set_place(**ids(it, username=BOB, place=Place.OUT))
    shown = visitor(CAROL).get(reverse("games:plan", args=[it.slug, 1])).content.decode()
    assert f"These people are in this plan, but no longer play: {BOB}. Plan again." in shown


def test_after_publishing_directors_read_what_comes_next_with_the_address_to_copy() -> None:
    it = made(people=[ALICE], places=12, rounds=2)
    shown = page(it, CAROL)
    assert f'readonly value="http://testserver/tournaments/{it.slug}/"' in shown
    assert "Ask everyone to check in for a round, then make its seating plan" in shown
    assert "1 of 12 places is taken." in shown
    assert "What next" not in page(it)
    it.rounds.update(seated=clock.now())
    then = page(it, CAROL)
    assert "Add the next round" in then
    assert "Ask everyone to check in" not in then
    it.rounds.all().delete()
    assert "Add the first round" in page(it, CAROL)


def test_a_round_asks_who_sees_its_tables_and_says_how_many_bots_play_at_them() -> None:
    it = made(terms_of_round(choices={"bots": 1}))
    form = visitor(CAROL).get(reverse("games:new-round", args=[it.slug])).content.decode()
    assert "Who sees the tables and takes vacant seats?" in form
    assert "Who may join?" not in form
    assert "A bot plays at each table, too." in page(it)
    entry.look(**ids(it))
    assert (
        "A bot plays at each table, too."
        in visitor(CAROL).get(reverse("games:plan", args=[it.slug, 1])).content.decode()
    )


def test_rulings_that_are_taken_back_can_be_told_apart() -> None:
    it = made()
    for points, reason in ((2, "Late"), (-1, "Rude")):
        desk.rule(**ids(it, user=person(ALICE).pk, points=Decimal(points), reason=reason))
    path = reverse("games:tournament-desk", args=[it.slug])
    before = visitor(CAROL).get(path).content.decode()
    assert all(f"{points} points added to the total of {ALICE}</span>" in before for points in (2, -1))
    for row in it.rulings.order_by("pk"):
        answer = visitor(CAROL).post(path, {"do": "undo", "number": row.pk}, follow=True).content.decode()
        assert f"The ruling about {ALICE} is taken back." in answer
    shown = page(it)
    assert f"carol took back the 2 points added to the total of {ALICE}: Late" in shown
    assert f"carol took back the -1 points added to the total of {ALICE}: Rude" in shown


def test_refusals_part_people_and_preferences_give_powers_and_are_then_deleted() -> None:
    it = made(duels(powers=Powers.WISHES), people=PLAYERS[:4])
    for name in PLAYERS[:4]:
        refused = {ALICE: [BOB, FRITZ]}.get(name, [])
        entry.change_entry(**own(it, name, refused=refused, powers={DUEL: ["TURKEY"] if name in (ALICE, BOB) else []}))
    plan = planned(it)
    alice, gina = person(ALICE).pk, person(GINA).pk
    assert {alice, gina} in [set(table) for table in plan.tables]
    seating.seat_round(**ids(it, number=1))
    assert Occupancy.objects.get(user=alice).seat.power == "TURKEY"
    assert not Wishes.objects.exists()
    assert refusal(entry.change_entry, **own(it, ALICE)).startswith("The last round is seated.")


def test_tables_that_deal_themselves_only_have_people() -> None:
    it = made(duels(powers=Powers.TABLE, seats="random", roll_call_seconds=3_600))
    planned(it)
    seating.seat_round(**ids(it, number=1))
    assert Joiner.objects.count() == 6
    assert {game.status for game in Game.objects.all()} == {Status.OPEN}


def test_directors_start_a_table_with_those_who_have_confirmed() -> None:
    it = made(duels(roll_call_seconds=3_600), people=PLAYERS[:2])
    planned(it)
    seating.seat_round(**ids(it, number=1))
    (game,) = Game.objects.all()
    start = {"game_id": game.pk, "by": person(CAROL).pk}
    assert refusal(desk.start_game, **start) == "No player has confirmed yet."
    confirm_place(game_id=game.pk, user_id=person(ALICE).pk)
    desk.start_game(**start)
    assert Game.objects.get().status == Status.RUNNING
    assert [held.user.username for held in Occupancy.objects.filter(until__isnull=True)] == [ALICE]


def test_a_substitute_in_a_roll_call_has_confirmed_and_is_shown_at_the_table() -> None:
    it = made(duels(roll_call_seconds=3_600), people=PLAYERS[:2])
    entered(it, [DAVE], Place.SUBSTITUTE)
    planned(it)
    seating.seat_round(**ids(it, number=1))
    (table,) = Table.objects.all()
    power = Occupancy.objects.get(user=person(ALICE)).seat.power
    confirm_place(game_id=table.game.pk, user_id=person(BOB).pk)
    at_desk = visitor(CAROL).get(reverse("games:tournament-desk", args=[it.slug])).content.decode()
    assert f"1 of 2 have confirmed. Not yet: {ALICE}." in at_desk
    desk.substitute(**ids(it, table=table.pk, power=power, reason="Ill"))
    assert Game.objects.get().status == Status.RUNNING, "both have confirmed"
    (people,) = [table.people for table in TournamentView(it.slug, None).rounds[0].tables]
    called = find(DUEL).power(power).name
    assert (DAVE, called, ALICE) in people
    assert TournamentView(it.slug, person(DAVE).pk).own_tables == [(table.game.name, table.game.slug, called)]
    assert f"You play {called} at" in page(it, DAVE)


def test_entry_closes_once_the_last_round_is_seated() -> None:
    it, listed = made(people=PLAYERS[:2]), reverse("games:tournaments")
    assert "entry until" in visitor(EVE).get(listed).content.decode()
    assert "Say what you would like" in page(it, ALICE)
    planned(it)
    seating.seat_round(**ids(it, number=1))
    shown = page(it, ALICE)
    assert "Say what you would like" not in shown
    assert "Withdraw" not in shown
    assert "Entry is closed." in page(it)
    assert "entry until" not in visitor(EVE).get(listed).content.decode()


def test_people_are_asked_only_for_what_matters_and_keep_what_they_are_not_asked_for() -> None:
    it = made(duels(), terms_of_round("Round 2", variants=["1926", "locarno"], powers=Powers.WISHES))
    entry.change_entry(**own(it, ALICE, powers={DUEL: ["TURKEY"]}))
    place = reverse("games:own-entry", args=[it.slug])
    form = visitor(ALICE).get(place).context["form"]
    assert [board.slug for board in form.boards] == ["1926", "locarno"], "powers of the first round are dealt at random"
    assert [slug for slug, _title in form.fields["variant"].choices] == ["", "1926", "locarno"]
    visitor(ALICE).post(place, {"1926-0": "FRANCE"})
    assert Wishes.objects.get().powers == {DUEL: ["TURKEY"], "1926": ["FRANCE"]}


def test_all_tables_are_created_or_none() -> None:
    it = made()
    planned(it)
    person(BOB)
    Entrant.objects.filter(user=person(BOB)).update(place=Place.OUT)
    assert refusal(seating.seat_round, **ids(it, number=1)).startswith("Somebody in this plan has withdrawn or checked")
    Entrant.objects.filter(user=person(BOB)).update(place=Place.IN)
    it.rounds.update(plan=replace(plan_of(it), boards=(DUEL, DUEL, "gone")).to_json())
    with pytest.raises(UnknownVariant):
        seating.seat_round(**ids(it, number=1))
    assert not Game.objects.exists()
    assert it.rounds.get().seated is None


def test_a_plan_names_once_who_has_no_seat_and_a_top_table_leaves_them_out_without_fault() -> None:
    it = made(duels(), terms_of_round("Final", variants=[DUEL], times=0), people=PLAYERS[:3])
    entry.look(**ids(it))
    planned(it)
    view = PlanView(TournamentView(it.slug, person(CAROL).pk), 1)
    bench = view.tables[-1]
    assert bench.faults == (f"Without a seat: {bench.people[0].name}.",)
    assert view.total == total([it for it in view.faults or () if it.kind is not FaultKind.SITS_OUT])
    seating.seat_round(**ids(it, number=1))
    planned(it, 2)
    final = PlanView(TournamentView(it.slug, person(CAROL).pk), 2)
    assert final.tables[-1].faults == ()
    seating.seat_round(**ids(it, number=2))
    assert "The top table decides the first places, whatever the totals." in page(it)


def test_someone_sits_out_first_who_never_has() -> None:
    it = made(duels(), duels(), people=PLAYERS[:5], rounds=3)
    out = list[int]()
    for number in (1, 2):
        out += planned(it, number).seating.people_out
        seating.seat_round(**ids(it, number=number))
    assert len(set(out)) == 2


# --- What each reader sees ---


def test_only_directors_who_have_looked_see_plans_and_wishes_and_those_who_play_make_none() -> None:
    it = made(people=(), directors_play=True)
    person(DAVE)
    acts.add_director(**ids(it, username=DAVE))
    entered(it, [*PLAYERS[:5], DAVE])
    entry.change_entry(**own(it, ALICE, refused=[BOB], powers={DUEL: ["TURKEY"]}))
    entry.look(**ids(it))
    planned(it)
    manage, plan = (
        reverse(f"games:{name}", args=args) for name, args in (("manage-tournament", [it.slug]), ("plan", [it.slug, 1]))
    )
    assert "Won’t play with bob." in visitor(CAROL).get(manage).content.decode()
    assert "Table 1" in visitor(CAROL).get(plan).content.decode()
    assert "Table 1" not in visitor(DAVE).get(plan).content.decode()
    for name in (ALICE, EVE):
        assert visitor(name).get(plan).status_code in (HTTPStatus.NOT_FOUND, HTTPStatus.FOUND)
    for act in (seating.ask_for_plan, seating.seat_round):
        with pytest.raises(NotAllowed):
            act(tournament_id=it.pk, by=person(DAVE).pk, number=1)


def test_directors_who_all_play_have_plans_made_unseen_and_choose_no_seed() -> None:
    it = made(people=(CAROL, *PLAYERS[:3]), directors_play=True)
    assert refusal(seating.ask_for_plan, **ids(it, number=1, seed=7)).startswith("A director who plays can’t choose")
    seating.ask_for_plan(**ids(it, number=1))
    make_plans()
    assert "Table 1" not in visitor(CAROL).get(reverse("games:plan", args=[it.slug, 1])).content.decode()


def test_pages_are_the_same_whatever_entrants_wish_and_who_has_checked_in() -> None:
    it = made()
    entry.call_check_in(**ids(it, number=1, until=clock.now() + timedelta(hours=1)))
    before = {name: page(it, name) for name in (EVE, BOB)}
    entry.change_entry(**own(it, ALICE, refused=[BOB], powers={DUEL: ["TURKEY"]}, second_seat=True))
    entry.check_in(**own(it, ALICE, number=1))
    cache.clear()
    caches["parts"].clear()
    assert {name: page(it, name) for name in (EVE, BOB)} == before


def test_what_all_see_alike_is_made_again_when_something_public_happens_and_never_for_a_secret() -> None:
    it = made(duels(gm_outcomes=True), people=PLAYERS[:5])
    found = [version_of_series(it.slug, for_strangers=True)]

    def is_new(act: Any, **given: Any) -> bool:
        act(**given)
        found.append(version_of_series(it.slug, for_strangers=True))
        return found[-1] not in found[:-1]

    until = clock.now() + timedelta(hours=1)
    assert is_new(entry.enter, **own(it, PLAYERS[5]))
    assert is_new(entry.call_check_in, **ids(it, number=1, until=until))
    assert not is_new(entry.change_entry, **own(it, ALICE, refused=[BOB], powers={DUEL: ["TURKEY"]}, second_seat=True))
    assert not is_new(entry.check_in, **own(it, ALICE, number=1))
    entry.check_in(**own(it, BOB, number=1))
    it.rounds.update(check_in_until=clock.now())
    assert not is_new(planned, it=it)
    assert is_new(seating.seat_round, **ids(it, number=1))
    ended = {"game_id": Table.objects.get().game_id, "by": person(CAROL).pk, "outcome": "solo", "powers": ["TURKEY"]}
    assert is_new(close_game, **ended)
    assert is_new(desk.rule, **ids(it, user=person(ALICE).pk, points=Decimal(3), reason="Agreed."))
    assert is_new(leave_all_games, user_id=person(BOB).pk)
    dave = person(DAVE)
    assert is_new(acts.add_director, **ids(it, username=DAVE))
    assert is_new(acts.leave, tournament_id=it.pk, by=dave.pk)
    assert is_new(rename_account, user=dave, name="david"), "a line tells of dave, who directs nothing any more"


def test_a_game_by_invitation_is_kept_for_nobody_who_is_signed_in() -> None:
    it = made(people=PLAYERS[:2])
    planned(it)
    seating.seat_round(**ids(it, number=1))
    Game.objects.update(by_invitation=True)
    assert version_of_series(it.slug, for_strangers=False) is None
    name = Game.objects.get().name
    assert [name in page(it, reader) for reader in (ALICE, EVE, PLAYERS[2])] == [True, False, False]


def test_directors_write_to_all_who_have_entered() -> None:
    it = made(people=PLAYERS[:2])
    entered(it, [DAVE], Place.SUBSTITUTE)
    entered(it, [PLAYERS[3]], Place.OUT)
    manage = reverse("games:manage-tournament", args=[it.slug])
    assert visitor(CAROL).post(manage, {"message": ""}).status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    visitor(CAROL).post(manage, {"message": "Round 2 begins on Monday."})
    assert "carol wrote to all entrants: Round 2 begins on Monday." in page(it)
    send_tournament_letters()
    assert sorted(letter.to[0].partition("@")[0] for letter in mail.outbox) == sorted([*PLAYERS[:2], DAVE])
    assert not any("Monday" in letter.body for letter in mail.outbox), "nothing that somebody wrote"


def test_a_thousand_people_and_a_file_of_a_megabyte_are_read_or_the_wrong_line_is_named() -> None:
    it, filler = made(people=()), "x" * 1_000
    rows = [f'"Ann ""{n}"", =1+1",ann{n}@example.org,,Reds,{filler}' for n in range(1_000)]
    text, manage = "\n".join(["Name,Email,,Team,Remarks", *rows]), reverse("games:manage-tournament", args=[it.slug])
    assert 1_000_000 < len(text) < most_bytes({"method": "POST", "path": manage})

    def sent(text: str) -> Any:
        return visitor(CAROL).post(manage, {"text": "", "file": SimpleUploadedFile("people.csv", text.encode())})

    shown = sent(text.replace("ann700@example.org", "ann700")).content.decode()
    assert "Line 702: “ann700” is not an email address." in shown
    assert sent(text).status_code == HTTPStatus.SEE_OTHER
    assert it.letters.count() == len(rows)
    assert it.letters.get(email="ann7@example.org").facts["name"] == 'Ann "7", =1+1'


def test_strangers_share_the_page_and_are_asked_to_sign_in() -> None:
    it = made()
    assert "Sign in to enter" in page(it)
    with CaptureQueriesContext(connection) as queries:
        page(it)
    assert len(queries) == 1


def test_its_feed_tells_of_changes_tables_and_standings_and_of_no_hidden_names() -> None:
    it = made(duels(), duels(hidden_names=True), people=PLAYERS[:2])
    for number in (1, 2):
        planned(it, number)
        seating.seat_round(**ids(it, number=number))
    shown, _hidden = Game.objects.order_by("pk")
    close_game(game_id=shown.pk, by=person(CAROL).pk)
    found = entries(visitor(ALICE), it)
    assert found == entries(visitor(), it)
    assert {address for _title, address in found} == {f"http://testserver/tournaments/{it.slug}/"}
    titles = [title for title, _address in found]
    assert "carol published this." in titles
    assert any(title.startswith(f"After {shown.name}, the standings begin: 1. alice ") for title in titles)
    seats = {title.partition(": ")[2] for title in titles if title.startswith("Tables of ")}
    assert "1. Club cup 2.1" in seats, "names are hidden there"
    assert any(re.fullmatch(r"1\. Club cup 1\.1: \w+ \(\w+\), \w+ \(\w+\)", told) for told in seats), seats
    draft = reverse("games:tournament-feed", args=[made(published=False).slug])
    assert visitor(CAROL).get(draft).status_code == HTTPStatus.NOT_FOUND


def test_it_is_on_the_list_of_those_that_are_over_once_all_its_games_are() -> None:
    it, listed = made(people=PLAYERS[:2]), reverse("games:tournaments") + "?over"
    assert listed in visitor().get(reverse("games:lobby") + "?show=finished").content.decode()
    planned(it)
    seating.seat_round(**ids(it, number=1))
    game = Game.objects.get()
    shown = [it.name in visitor().get(listed).content.decode()]
    close_game(game_id=game.pk, by=person(CAROL).pk)
    assert [*shown, it.name in visitor().get(listed).content.decode()] == [False, True]
    assert "A table of the tournament" in visitor().get(reverse("games:game", args=[game.slug])).content.decode()


def test_a_program_writes_to_all_entrants_and_adds_days_off_at_all_tables_or_none() -> None:
    it, carol, alice = made(people=PLAYERS[:4]), App(CAROL, Scope.MASTER), App(ALICE, Scope.MASTER)
    planned(it)
    seating.seat_round(**ids(it, number=1))
    assert carol("post", "do-message", it.slug, message="See you soon").json() == {"done": "message"}
    assert "carol wrote to all entrants: See you soon" in page(it)
    year = clock.now().year + 2
    days = {"first": f"{year}-12-24", "last": f"{year}-12-26"}
    assert alice("post", "do-add_holiday", it.slug, **days).status_code == HTTPStatus.FORBIDDEN
    assert carol("post", "do-add_holiday", it.slug, **days, reason="Midwinter").json() == {"done": "add_holiday"}
    assert ["Midwinter" in str(game.stored_options) for game in Game.objects.all()] == [True, True]
    here = Table.objects.order_by("number").values_list("pk", flat=True)
    there = {"first": f"{year}-07-01", "last": f"{year}-07-02", "reason": "Summer"}
    assert carol("post", "do-add_holiday", it.slug, **there, tables=[here[1]]).status_code == HTTPStatus.OK
    assert carol("post", "do-add_holiday", it.slug, **there, tables=[here[1], 10**6]).json()["code"] == "NotAllowed"
    close_game(game_id=Table.objects.get(pk=here[0]).game.pk, by=person(CAROL).pk)
    both = carol("post", "do-add_holiday", it.slug, first=f"{year}-09-01", last=f"{year}-09-02", tables=[*here]).json()
    assert both["detail"].startswith("Not done at these tables: 1.1. ")
    assert f"{year}-09" not in str(list(Game.objects.values_list("stored_options", flat=True)))


def test_a_table_with_hidden_names_tells_nobody_who_sits_there() -> None:
    it = made(duels(hidden_names=True))
    planned(it)
    seating.seat_round(**ids(it, number=1))
    assert all(not table.people for shown in TournamentView(it.slug, None).rounds for table in shown.tables)


def test_a_page_costs_the_same_for_any_number_of_rounds_people_and_tables() -> None:
    counted, again = list[int](), dict[str, list[int]]({CAROL: [], ALICE: []})
    for people, rounds in ((PLAYERS[:2], 1), (PLAYERS, 3)):
        it = made(*[duels()] * rounds, people=people)
        for number in range(1, rounds + 1):
            planned(it, number)
            seating.seat_round(**ids(it, number=number))
        with CaptureQueriesContext(connection) as queries:
            page(it)
        counted.append(len(queries))
        for name in (CAROL, ALICE):
            browser, address = visitor(name), reverse("games:tournament", args=[it.slug])
            browser.get(address)
            with CaptureQueriesContext(connection) as queries:
                browser.get(address)
            again[name].append(len(queries))
    assert counted[0] == counted[1] <= 12
    assert again == {CAROL: [13, 13], ALICE: [13, 13]}, "what all see is kept, and not read again"


def test_a_deleted_account_leaves_its_place_and_its_facts_are_exported() -> None:
    it = made()
    entry.change_entry(**own(it, ALICE, refused=[BOB], powers={DUEL: ["TURKEY"]}))
    (told,) = stored_facts_of(person(ALICE).pk)["tournaments"]
    assert (told["place"], told["refused"], told["powers"]) == ("in", [person(BOB).pk], {DUEL: ["TURKEY"]})
    leave_all_games(user_id=person(ALICE).pk)
    assert place_of(it, ALICE) == "out"
    assert not Wishes.objects.exists()
