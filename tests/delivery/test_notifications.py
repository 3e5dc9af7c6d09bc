"""Users choose which emails they get and when; an unwanted email isn't sent."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import TYPE_CHECKING

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from games.deadlines.news import GAME_STARTED
from games.delivery.choosing import choose_mail, chosen_mail, next_digest_time, turn_off_mail, unsubscribe_secret
from games.delivery.inbox import count_unseen, notice_page
from games.delivery.letters import deliver_letters
from games.kernel import clock
from games.kernel.models import Letter
from games.kernel.news import NEWS_BY_LETTER, Topic, write_letters
from games.mastering.services.assistants import answer_handover, offer_handover
from games.mastering.services.desk import seat_player
from games.news.choices import mail_for
from games.news.models import DailyLetter, Mail
from games.press.models import PressLetter
from games.press.services import send_message
from games.seating.services.vacancies import join_standby_list, resign
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, person
from tests.factories import running_game
from tests.story import Story

if TYPE_CHECKING:
    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

ALICE = "alice"


def subjects(name: str) -> list[str]:
    """The subjects of the emails this user has received, in order."""
    return [str(letter.subject) for letter in mail.outbox if letter.to == [person(name).email]]


def deliver(game: Game, *names: str) -> list[list[str]]:
    deliver_letters()
    got = [[subject.removeprefix(f"{game.name}: ") for subject in subjects(name)] for name in names]
    mail.outbox.clear()
    return got


def wants(name: str, game: Game | None = None, /, **wishes: Mail) -> None:
    mails = {Topic(topic): wish for topic, wish in wishes.items()}
    choose_mail(user_id=person(name).pk, game_id=game.pk if game else None, mail=mails)


def the_day_comes(name: str) -> None:
    assert DailyLetter.objects.filter(user=person(name), due__gt=clock.now()).update(due=clock.now()) == 1


def test_who_wants_no_letters_on_a_topic_gets_none_on_it_and_all_others() -> None:
    wants(ALICE, phase=Mail.OFF)
    game = running_game()
    alice, bob = deliver(game, ALICE, "bob")
    assert alice == ["the game has started: enter your orders for Spring 1926, movement"]
    assert bob == alice, "one email says both"
    Story(game).deadline()
    assert deliver(game, ALICE, "bob") == [[], ["enter your orders for Fall 1926, movement"]]


def test_who_wants_games_and_phases_told_in_different_ways_gets_a_letter_about_each() -> None:
    wants(ALICE, game=Mail.DAILY)
    assert deliver(running_game(), ALICE) == [["enter your orders for Spring 1926, movement"]]
    the_day_comes(ALICE)
    deliver_letters()
    assert mail.outbox[-1].subject == "Your daily digest: 1 update"
    assert "the game has started" in mail.outbox[-1].body


def test_a_choice_for_one_game_goes_before_that_for_all() -> None:
    quiet, loud = running_game(name="Quiet"), running_game(name="Loud")
    wants(ALICE, game=Mail.OFF, phase=Mail.OFF)
    wants(ALICE, loud, phase=Mail.AT_ONCE)
    for game in (quiet, loud):
        Story(game).deadline()
    deliver_letters()
    assert subjects(ALICE) == ["Loud: enter your orders for Fall 1926, movement"]
    assert mail_for(person(ALICE).pk, quiet.pk, Topic.PHASE) == Mail.OFF


def test_the_letter_of_the_day_holds_what_waited_and_is_still_true() -> None:
    wants(ALICE, game=Mail.DAILY, phase=Mail.DAILY)
    game = running_game()
    assert deliver(game, ALICE) == [[]]
    Story(game).deadline()
    assert deliver(game, ALICE, "bob") == [[], ["enter your orders for Fall 1926, movement"]]
    the_day_comes(ALICE)
    deliver_letters()
    (letter,) = mail.outbox
    assert letter.subject == "Your daily digest: 2 updates"
    assert f"{game.name}: the game has started\n" in letter.body
    assert "Fall 1926, movement" in letter.body
    assert "orders for Spring 1926, movement" not in letter.body, "that phase is over"
    assert letter.body.count("It’s time to enter orders") == 1
    assert deliver_letters() == 0
    assert DailyLetter.objects.get(user=person(ALICE)).due is None, "nothing waits"


def test_a_letter_of_the_day_with_nothing_in_it_is_not_sent() -> None:
    wants(ALICE, game=Mail.OFF, phase=Mail.DAILY)
    game = running_game()
    deliver(game)
    Story(game).deadline()
    wants(ALICE, phase=Mail.OFF)
    the_day_comes(ALICE)
    assert deliver(game, ALICE) == [[]]


def test_messages_that_were_read_meanwhile_are_not_in_the_letter_of_the_day() -> None:
    wants(ALICE, game=Mail.OFF, phase=Mail.OFF, message=Mail.DAILY)
    game = running_game(name="Talk")
    for writer in ("bob", "fritz"):
        send_message(game_id=game.pk, user_id=person(writer).pk, to=("BRITAIN",), text="Hello there")
    PressLetter.objects.update(next_try=clock.now())
    assert deliver(game, ALICE) == [[]]
    page = reverse("games:thread", kwargs={"slug": game.slug, "address": "BRITAIN+FRANCE"})
    assert visitor(ALICE).get(page).status_code == 200
    the_day_comes(ALICE)
    deliver_letters()
    (letter,) = mail.outbox
    assert letter.subject == "Your daily digest: 1 update"
    assert "Talk: a message from Germany" in letter.body
    assert "Hello there" not in letter.body


def test_the_letter_of_the_day_comes_at_its_hour_on_the_reader_s_clock() -> None:
    noon = datetime(2026, 7, 1, 12, tzinfo=UTC)
    assert next_digest_time(8, "Europe/Berlin", noon) == datetime(2026, 7, 2, 6, tzinfo=UTC)
    assert next_digest_time(20, "Europe/Berlin", noon) == datetime(2026, 7, 1, 18, tzinfo=UTC)
    before_winter = datetime(2026, 10, 24, 12, tzinfo=UTC)
    assert next_digest_time(8, "Europe/Berlin", before_winter) == datetime(2026, 10, 25, 7, tzinfo=UTC)


def test_another_hour_holds_for_the_letter_that_already_waits() -> None:
    wants(ALICE, phase=Mail.DAILY)
    running_game()
    deliver_letters()
    hour = (clock.now() + timedelta(hours=3)).hour
    choose_mail(user_id=person(ALICE).pk, game_id=None, mail={}, hour=hour)
    due = DailyLetter.objects.get(user=person(ALICE)).due
    assert due is not None
    assert due - clock.now() <= timedelta(hours=3)


def test_what_is_not_wanted_by_e_mail_is_kept_for_the_site() -> None:
    wants(ALICE, game=Mail.OFF)
    running_game()
    deliver_letters()
    letter = Letter.objects.get(user=person(ALICE), kind=GAME_STARTED.letter)
    assert (letter.sent, letter.next_try) == (None, None)


def test_the_pages_of_choices_keep_what_was_chosen() -> None:
    game = running_game()
    browser = visitor(ALICE)
    everything = {topic.value: Mail.AT_ONCE.value for topic in Topic}
    page = reverse("games:notify")
    assert browser.post(page, {**everything, "phase": "daily", "hour": "21"}).status_code == 303
    assert chosen_mail(person(ALICE).pk, None)[Topic.PHASE] == Mail.DAILY
    assert DailyLetter.objects.get(user=person(ALICE)).hour == 21
    of_game = reverse("games:notify-game", kwargs={"slug": game.slug})
    offered = browser.get(of_game).content.decode()
    assert "Default: in a daily digest" in offered
    assert "Default: straight away" in offered
    assert browser.post(of_game, {"phase": "off"}).status_code == 303
    assert mail_for(person(ALICE).pk, game.pk, Topic.PHASE) == Mail.OFF
    assert chosen_mail(person(ALICE).pk, game.pk)[Topic.GAME] == ""


def test_what_a_game_master_must_see_to_is_offered_to_who_is_or_was_one_or_has_chosen_about_it() -> None:
    game = running_game()
    pages = (reverse("games:notify"), reverse("games:notify-game", kwargs={"slug": game.slug}))

    def offered(name: str) -> list[bool]:
        browser = visitor(name)
        return [str(Topic.MASTER.label) in browser.get(page).content.decode() for page in pages]

    assert (offered(CAROL), offered(ALICE)) == ([True, True], [False, False])
    visitor(ALICE).post(pages[0], {topic.value: Mail.DAILY.value for topic in Topic})
    assert mail_for(person(ALICE).pk, game.pk, Topic.MASTER) == Mail.AT_ONCE, "it was not offered"
    wants(ALICE, master=Mail.OFF)
    assert offered(ALICE) == [True, False]
    offer_handover(game_id=game.pk, by=person(CAROL).pk, username=person(DAVE).username)
    answer_handover(game_id=game.pk, user_id=person(DAVE).pk, accept=True)
    assert str(Topic.MASTER.label) in visitor(CAROL).get(pages[0]).content.decode()


def test_who_waits_for_a_seat_is_told_of_one_also_without_news_for_game_masters() -> None:
    game = running_game()
    deliver(game)
    join_standby_list(user_id=person(DAVE).pk, variants=["1926"])
    for name in (DAVE, CAROL):
        wants(name, master=Mail.OFF)
    resign(game_id=game.pk, user_id=person(ALICE).pk)
    assert deliver(game, DAVE, CAROL) == [["would you like to play Britain?"], []]


def test_a_choice_that_does_not_exist_is_refused_with_what_is_allowed() -> None:
    answer = visitor(ALICE).post(reverse("games:notify"), {"phase": "hourly"})
    assert answer.status_code == 422
    assert "hourly is not one of the available choices" in answer.content.decode()


def test_a_reminder_cannot_wait_for_the_letter_of_the_day() -> None:
    everything = {topic.value: Mail.AT_ONCE.value for topic in Topic}
    page = reverse("games:notify")
    answer = visitor(ALICE).post(page, {**everything, "due": "daily", "hour": "8"})
    assert answer.status_code == 422


def test_every_letter_can_be_turned_off_from_the_mail_program_without_signing_in() -> None:
    game = running_game()
    Story(game).deadline()
    deliver_letters()
    letter = next(it for it in mail.outbox if it.to == [person(ALICE).email] and "Fall 1926" in it.subject)
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = letter.extra_headers["List-Unsubscribe"].strip("<>")
    assert address in letter.body
    stranger = Client(enforce_csrf_checks=True)
    looked = stranger.get(address)
    assert looked.status_code == 200
    assert str(Topic.PHASE.label) in looked.content.decode()
    assert mail_for(person(ALICE).pk, 0, Topic.PHASE) == Mail.AT_ONCE, "looking changes nothing"
    done = stranger.post(address, {"List-Unsubscribe": "One-Click"})
    assert done.status_code == 200
    assert "You’re unsubscribed" in done.content.decode()
    assert mail_for(person(ALICE).pk, 0, Topic.PHASE) == Mail.OFF
    assert mail_for(person("bob").pk, 0, Topic.PHASE) == Mail.AT_ONCE


def test_turning_a_topic_off_holds_in_all_games() -> None:
    game = running_game()
    wants(ALICE, game, phase=Mail.AT_ONCE)
    turn_off_mail(user_id=person(ALICE).pk, topic=Topic.PHASE)
    assert mail_for(person(ALICE).pk, game.pk, Topic.PHASE) == Mail.OFF


def test_the_letter_of_the_day_can_be_turned_off_as_a_whole() -> None:
    wants(ALICE, game=Mail.DAILY, phase=Mail.DAILY)
    game = running_game()
    deliver(game)
    the_day_comes(ALICE)
    deliver_letters()
    address = mail.outbox[0].extra_headers["List-Unsubscribe"].strip("<>")
    mail.outbox.clear()
    assert "daily digest" in Client().post(address).content.decode()
    Story(game).deadline()
    assert deliver(game, ALICE) == [[]]
    assert not DailyLetter.objects.filter(user=person(ALICE), due__isnull=False).exists()


@pytest.mark.parametrize("what", ["", "1-phase", "1-phase.forged", "0-phase"])
def test_a_forged_address_turns_nothing_off(what: str) -> None:
    address = reverse("games:unsubscribe", kwargs={"secret": what or unsubscribe_secret(0, "phase")})
    assert Client().post(address).status_code == 404


def test_a_stranger_to_the_game_has_no_choices_for_it() -> None:
    game = running_game()
    page = reverse("games:notify-game", kwargs={"slug": game.slug})
    assert visitor(DAVE).get(page).status_code == 404
    assert visitor(CAROL).get(page).status_code == 200


def lines(name: str) -> list[str]:
    return [line.sentence for line in notice_page(person(name)).lines]


def test_everything_that_was_to_be_told_stands_on_the_site_once_also_when_no_letter_is_wanted() -> None:
    wants(ALICE, phase=Mail.OFF)
    game = running_game()
    deliver_letters()
    Story(game).deadline()
    assert lines(ALICE) == [
        "Fall 1926, movement: It’s time to enter your orders.",
        "Spring 1926, movement: It’s time to enter your orders.",
        "The game has started.",
    ]
    assert count_unseen(person(ALICE).pk) == 3
    assert lines(DAVE) == []


def test_opening_a_notice_marks_it_as_read_and_leads_to_what_it_is_about() -> None:
    game = running_game()
    send_message(game_id=game.pk, user_id=person("bob").pk, to=("BRITAIN",), text="Hello there")
    newest = notice_page(person(ALICE)).lines[0]
    assert newest.sentence == "A message from France."
    browser = visitor(ALICE)
    assert "Hello there" not in browser.get(reverse("games:notices")).content.decode()
    assert count_unseen(person(ALICE).pk) == 2, "looking marks nothing"
    answer = browser.post(reverse("games:read-notices"), {"key": newest.key})
    assert answer["Location"] == reverse("games:thread", kwargs={"slug": game.slug, "address": "BRITAIN+FRANCE"})
    assert count_unseen(person(ALICE).pk) == 1
    assert browser.post(reverse("games:read-notices")).status_code == 303
    assert count_unseen(person(ALICE).pk) == 0
    assert count_unseen(person("bob").pk) == 1


def test_nobody_marks_the_notices_of_somebody_else() -> None:
    running_game()
    key = notice_page(person(ALICE)).lines[0].key
    visitor("bob").post(reverse("games:read-notices"), {"key": key})
    assert count_unseen(person(ALICE).pk) == 1


def test_the_bell_says_on_every_page_how_much_is_new() -> None:
    running_game()
    page = visitor(ALICE).get(reverse("games:variants")).content.decode()
    assert '<span class="unread">1<span class="visually-hidden"> new</span></span>' in page
    assert ">1<" in visitor(ALICE).get(reverse("games:bell")).content.decode()
    assert "Notifications" not in Client().get(reverse("games:variants")).content.decode()


def test_a_notice_about_a_game_that_one_may_no_longer_see_is_not_shown() -> None:
    game = running_game(by_invitation=True)
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="BRITAIN", username=person(DAVE).username, reason="Agreed.")
    assert lines(ALICE) == ["The game master has removed you from this game."]
    assert lines(DAVE) != []


def test_older_notifications_are_on_further_pages_each_on_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.delivery.inbox.MOST_NOTICES", 3)
    game = running_game()
    game.letters.all().delete()
    kinds, start = list(NEWS_BY_LETTER.values()), clock.now()
    for number, at in enumerate((0, 1, 2, 2, 3, 4, 4, 4, 4, 4, 5, 6)):  # in one moment more than are on a page
        write_letters(kinds[number], game, [person(ALICE).pk], about="this", at=start + timedelta(seconds=at))
    send_message(game_id=game.pk, user_id=person("bob").pk, to=("BRITAIN",), text="Hello there")
    browser, path, pages, keys = visitor(ALICE), reverse("games:notices"), [], list[str]()
    while path:
        page = browser.get(path).content.decode()
        keys += re.findall(r'name="key" value="([^"]*)"', page)
        pages.append(page.count('name="key"'))
        link = re.search(r'href="(\?until=[^"]*)" rel="next">Older notifications<', page)
        path = reverse("games:notices") + unescape(link[1]) if link else ""
    assert (len(keys), len(set(keys))) == (13, 13)
    assert max(pages) == 5
    oldest = Letter.objects.filter(user=person(ALICE)).order_by("written")[0]
    until = {"key": keys[-1], "until": (oldest.written + timedelta(seconds=1)).isoformat()}
    assert browser.post(reverse("games:read-notices"), {"key": keys[-1]})["Location"] == reverse("games:notices")
    browser.post(reverse("games:read-notices"), until)
    oldest.refresh_from_db()
    assert oldest.seen is not None


@pytest.mark.parametrize("until", ["soon", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026", "\0"])
def test_a_moment_that_is_none_leads_to_the_newest_notifications(until: str) -> None:
    running_game()
    page = visitor(ALICE).get(reverse("games:notices"), {"until": until})
    assert (page.status_code, page.content.decode().count('name="key"')) == (200, 1)
