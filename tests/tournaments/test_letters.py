"""Emails about a tournament: to whom, by when, how many, and how they are stopped."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games.delivery.inbox import count_unseen, mark_seen, notice_page
from games.kernel import clock, limits
from games.kernel.models import Occupancy
from games.kernel.refusals import TooOften
from games.mastering.services.desk import pause_game
from games.people.services import block_user, leave_all_games
from games.seating.services.placing import path_to_refuse
from games.tournaments import desk, entry, letters, rounds, seating
from games.tournaments import services as acts
from games.tournaments.letters import send_tournament_letters
from games.tournaments.models import Place, Table, Tournament, TournamentLetter, Wishes
from games.tournaments.seating import present_at
from games.tournaments.tournament_page import PlanView, TournamentView
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game
from tests.moment import Moment
from tests.tournaments.made import entered, terms_of_round
from tests.tournaments.test_tournament import duels, ids, made, own, page, place_of, planned, refusal

pytestmark = pytest.mark.django_db
ALICE, BOB, FRITZ, GINA = PLAYERS[:4]
DAY = timedelta(days=1)
ASKED, REMINDED = "check in for the next round", "you have not checked in"


def called(it: Tournament, **ahead: Any) -> Tournament:
    """The same, once all have been asked to check in until then."""
    entry.call_check_in(**ids(it, number=1, until=clock.now() + timedelta(**(ahead or {"days": 2}))))
    return it


def sent() -> list[tuple[str, str]]:
    """Readers and subjects since the last time."""
    send_tournament_letters()
    found = [(letter.to[0].partition("@")[0], letter.subject.partition(": ")[2]) for letter in mail.outbox]
    mail.outbox.clear()
    return sorted(found)


# --- Check-in ---


@pytest.mark.parametrize("way", ["freed", "left", "given", "entered", "added"])
def test_who_gets_a_place_while_a_check_in_runs_is_asked_to_check_in_and_reminded(moment: Moment, way: str) -> None:
    it = made(people=PLAYERS[:2], places=2 if way in ("freed", "left") else 20)
    if way not in ("entered", "added"):
        entered(it, [DAVE], Place.WAITING)
    person(DAVE)
    called(it, days=9)
    moment.wait(days=7.5)
    if way == "entered":
        Tournament.objects.update(closes=clock.now() + DAY)
    sent()
    acts_by_way: dict[str, Any] = {
        "freed": lambda: entry.withdraw(**own(it, BOB)),
        "left": lambda: leave_all_games(user_id=person(BOB).pk),
        "given": lambda: entry.set_place(**ids(it, username=DAVE, place=Place.IN)),
        "entered": lambda: entry.enter(**own(it, DAVE)),
        "added": lambda: entry.set_place(**ids(it, username=DAVE, place=Place.IN)),
    }
    acts_by_way[way]()
    assert (DAVE, ASKED) in sent()
    moment.wait(hours=18)
    assert (DAVE, REMINDED) in sent()


def test_only_those_who_have_said_nothing_are_reminded_and_nobody_of_what_is_past(moment: Moment) -> None:
    it = called(made(people=PLAYERS[:5]), days=3)
    assert [kind for _name, kind in sent()] == [ASKED] * 5
    entry.check_in(**own(it, ALICE, number=1))
    entry.check_in(**own(it, BOB, number=1, is_here=False))
    entry.withdraw(**own(it, FRITZ))
    entry.set_check_in(**ids(it, number=1, username=GINA, is_here=False))
    moment.wait(days=2)
    assert sent() == sorted([(GINA, "you are checked out"), (PLAYERS[4], REMINDED)])
    called(it, days=3)
    called(it, days=4)
    assert [name for name, _kind in sent()] == sorted({*PLAYERS[:5]} - {FRITZ}), "once, about the later end"
    moment.wait(days=2)
    assert sent() == [], "the reminder of the end that no longer holds"
    TournamentLetter.objects.exclude(kind="checked-out").update(next_try=clock.now())
    moment.wait(days=3)
    assert sent() == []


def test_a_director_checks_people_in_and_out_until_the_round_is_seated(moment: Moment) -> None:
    it = made(people=PLAYERS[:2])
    call = reverse("games:do-set_check_in", args=[it.slug])
    assert refusal(entry.set_check_in, **ids(it, number=1, username=BOB)).startswith("Ask everyone to check in first.")
    called(it)
    moment.wait(days=8)
    entry.set_place(**ids(it, username=person(DAVE).username, place=Place.IN))
    for name in (BOB, DAVE):
        visitor(CAROL).post(call, {"number": 1, "username": name})
    assert {*present_at(it.rounds.get())} == {person(BOB).pk, person(DAVE).pk}
    planned(it)
    visitor(CAROL).post(call, {"number": 1, "username": BOB, "is_here": "false"})
    assert refusal(seating.seat_round, **ids(it, number=1)).startswith("Somebody in this plan has")
    visitor(CAROL).post(call, {"number": 1, "username": BOB})
    planned(it)
    seating.seat_round(**ids(it, number=1))
    assert Occupancy.objects.filter(user=person(DAVE)).exists()
    assert refusal(entry.set_check_in, **ids(it, number=1, username=BOB)).startswith("There is no such round")
    told = refusal(entry.withdraw, **own(it, BOB))
    assert told == "All rounds are seated. If you can’t play any more, write to a director: carol."


def test_nobody_is_added_who_would_not_be_let_in_or_has_blocked_the_director() -> None:
    it = made(people=())
    block_user(by=person(DAVE).pk, username=person(CAROL).username)
    assert refusal(entry.set_place, **ids(it, username=DAVE, place="in")) == "dave can’t be given a place."
    block_user(by=person(CAROL).pk, username=person(BOB).username)
    assert refusal(entry.set_place, **ids(it, username=BOB, place="in")) == "You can’t enter this tournament."
    assert not it.entrants.exists()


def test_who_withdraws_has_to_check_in_again() -> None:
    it = called(made(people=PLAYERS[:2]))
    entry.check_in(**own(it, ALICE, number=1))
    entry.withdraw(**own(it, ALICE))
    assert count_unseen(person(ALICE).pk) == 0, "nothing is new to those who have left"
    entry.enter(**own(it, ALICE))
    assert present_at(it.rounds.get()) == []


def test_a_plan_names_the_powers_that_people_really_had() -> None:
    it = made(duels(), duels(), people=PLAYERS[:3])
    plan = planned(it)
    seating.seat_round(**ids(it, number=1))
    (out,), table = plan.seating.people_out, Table.objects.get()
    gone = Occupancy.objects.filter(game=table.game).select_related("seat").first()
    assert gone is not None
    power, left = gone.seat.power, gone.user_id
    desk.substitute(**ids(it, table=table.pk, power=power, user_id=out, reason="did not come"))
    planned(it, 2)
    entry.look(**ids(it))
    view = PlanView(TournamentView(it.slug, person(CAROL).pk), 2)
    had = {person.user: person.before for shown in view.tables for person in shown.people}
    assert had[out].upper() == power
    assert had[left] == ""
    shown = visitor(CAROL).get(reverse("games:plan", args=[it.slug, 2])).content.decode()
    assert f"before: {had[out]}" in shown


# --- On the site ---


def new_lines(name: str) -> list[tuple[str, str]]:
    """What is new among their notifications, and where it leads."""
    return [(it.sentence, it.address) for it in notice_page(person(name)).lines if not it.seen]


def test_what_entrants_are_told_is_new_among_their_notifications_until_they_look(moment: Moment) -> None:
    it = called(made(people=PLAYERS[:3]))
    here = reverse("games:tournament", args=[it.slug])
    asked = "Round 1 of the tournament “Club cup” begins soon. Only those who check in by Wed 18 Nov 2026, 12:00 UTC"
    assert new_lines(ALICE) == [(f"{asked} are seated.", here)]
    sent()
    moment.wait(days=1.5)
    sent()
    assert new_lines(ALICE) == [(f"{asked} are seated.", here)], "the email changes nothing, and a reminder is no line"
    assert visitor(BOB).get(here).status_code == 200
    (line,) = notice_page(person(FRITZ)).lines
    answer = visitor(FRITZ).post(reverse("games:read-notices"), {"key": line.key})
    assert answer.headers["Location"] == here
    assert [count_unseen(person(name).pk) for name in PLAYERS[:3]] == [1, 0, 0]
    called(it, days=3)
    assert [len(notice_page(person(name)).lines) for name in PLAYERS[:3]] == [1, 1, 1], "in place of the first"
    assert [count_unseen(person(name).pk) for name in PLAYERS[:3]] == [1, 1, 1]
    Tournament.objects.update(hidden=clock.now())
    assert (new_lines(ALICE), count_unseen(person(ALICE).pk)) == ([], 0)


def test_whoever_gets_a_place_or_a_seat_or_none_is_told_on_the_site_whether_or_not_they_want_emails() -> None:
    it = made(people=PLAYERS[:3])
    entered(it, [GINA], Place.WAITING)
    Client().post(path_to_refuse(letters.about(it, person(GINA).email)))
    entry.set_place(**ids(it, username=BOB, place=Place.OUT))
    entry.set_place(**ids(it, username=GINA, place=Place.IN))
    assert sent() == []
    assert [sentence[:40] for sentence, _address in new_lines(GINA)] == ["You have a place in the tournament “Club"]
    mark_seen(person(GINA).pk)
    plan = planned(it)
    seating.seat_round(**ids(it, number=1))
    game = Table.objects.get().game
    told = {user: new_lines(user.username)[0] for user in map(person, (ALICE, FRITZ, GINA))}
    seat = ("The game has started.", reverse("games:game", args=[game.slug]))
    (out,) = plan.seating.people_out
    assert [told[user] for user in told if user.pk != out] == [seat, seat]
    (none,) = (told[user] for user in told if user.pk == out)
    assert none[0].startswith("Round 1 of the tournament “Club cup” is seated, and you have no seat in it.")


# --- Letters ---


def test_changes_within_ten_minutes_are_one_email_and_a_deadline_waits_for_nothing(moment: Moment) -> None:
    it = made(duels(), rounds=4, people=[ALICE])
    for number in range(3):
        rounds.add_round(**ids(it, terms=terms_of_round(f"Round {number}")))
        moment.wait(minutes=2)
    called(it)
    assert sent() == [(ALICE, ASKED)]
    moment.wait(minutes=8)
    assert sent() == [(ALICE, "the terms have changed")]
    assert not TournamentLetter.objects.exclude(kind="reminder").filter(next_try__isnull=False).exists()


def test_emails_of_all_tournaments_and_games_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LETTERS", 10)
    game, it, other = running_game(variant="standard"), made(people=[ALICE]), made(people=[ALICE, BOB])
    pause_game(game_id=game.pk, by=person(CAROL).pk, reason="Holidays")
    acts.write_to_entrants(**ids(it, message="One"))
    acts.write_to_entrants(**ids(other, message="Two"))
    for act, given in ((acts.write_to_entrants, {"message": "3"}), (entry.set_place, {"username": BOB, "place": "in"})):
        with pytest.raises(TooOften, match="more than 10 emails within a day"):
            act(**ids(it, **given))
    assert TournamentLetter.objects.count() == 3
    entry.enter(**own(it, BOB))


def test_an_address_gets_few_emails_a_day_whoever_sends_them_and_no_sender_learns_it(moment: Moment) -> None:
    both = [made(people=[ALICE]), made(people=[ALICE])]
    for turn in range(11):
        for it in both:
            acts.write_to_entrants(**ids(it, message=f"News {turn}"))
        send_tournament_letters()
    assert len(mail.outbox) == 20
    called(both[0])
    assert (ALICE, ASKED) in sent(), "a deadline is told all the same"


def test_a_stranger_is_invited_five_times_a_day() -> None:
    for it in [made(people=()) for _turn in range(7)]:
        assert entry.invite_roster(**ids(it, text="Ann, ann@example.org")) == 1
    send_tournament_letters()
    assert len(mail.outbox) == 5
    cache.clear()
    new = person("newcomer")
    new.date_joined = clock.now()
    new.save()
    acts.add_director(**ids(it, username="newcomer"))
    text = "\n".join(f"{n}, {n}@example.org" for n in range(11))
    told = refusal(entry.invite_roster, tournament_id=it.pk, by=new.pk, text=text)
    assert told.startswith("With this, you would have invited more than 10 addresses within a day.")


def test_every_email_says_how_to_stop_those_of_this_tournament(moment: Moment) -> None:
    it, other = made(people=[ALICE, BOB]), made(people=[ALICE])
    for each in (it, other):
        acts.write_to_entrants(**ids(each, message="News"))
    send_tournament_letters()
    letter = next(each for each in mail.outbox if each.to == ["alice@example.org"])
    assert "Send me no emails about this tournament: http" in letter.body
    path = re.search(r"<https?://[^/]+(/[^>]+)>", letter.extra_headers["List-Unsubscribe"])
    assert path is not None
    assert "not even when you have to check in" in Client().get(path[1]).content.decode()
    Client(enforce_csrf_checks=True).post(path[1], {"List-Unsubscribe": "One-Click"})
    mail.outbox.clear()
    for each in (it, other):
        called(each)
    assert sent() == [(ALICE, ASKED), (BOB, ASKED)], "of the other tournament"


def test_who_has_stopped_the_emails_of_a_tournament_starts_them_again_from_its_page() -> None:
    it, alice = made(people=[ALICE, BOB]), visitor(ALICE)
    path = re.search(r"/invitations/never/[^\"]+", page(it, ALICE))
    assert path is not None
    assert path[0] not in page(it, BOB)
    assert "/invitations/never/" not in page(it, DAVE), "they have not entered and get none"
    for button, shown in (({}, "Send me these emails again"), ({"again": "yes"}, "You get these emails again")):
        assert shown in alice.post(path[0], button).content.decode()
        acts.write_to_entrants(**ids(it, message="News"))
        told = [name for name, _subject in sent()]
        assert told == ([ALICE, BOB] if button else [BOB])


def test_check_in_withdrawal_and_changes_of_an_entry_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    it = called(made(people=[ALICE]))
    monkeypatch.setattr(limits, "SERIES", "1/h")
    cache.clear()
    entry.check_in(**own(it, ALICE, number=1))
    for act, given in ((entry.check_in, {"number": 1}), (entry.change_entry, {}), (entry.withdraw, {})):
        assert refusal(act, **own(it, ALICE, **given)).startswith("You’ve changed tournaments")
    assert (place_of(it, ALICE), Wishes.objects.exists(), "You have a place" in page(it, ALICE)) == ("in", False, True)
