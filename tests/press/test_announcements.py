"""The game master's announcements: each goes out in full and at once, whatever else is unread."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail

from games.delivery.choosing import choose_mail
from games.delivery.inbox import count_unseen, notice_page
from games.delivery.letters import deliver_letters
from games.kernel import clock
from games.kernel.models import Letter, Sitting
from games.kernel.news import Topic
from games.news.models import DailyLetter, Mail
from games.press.models import AnnouncementLetter
from games.press.services import send_message
from games.seating.services.new_game import let_bot_play
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, running_game
from tests.press.test_press import read, say
from tests.seating.test_sitters import small_game

pytestmark = pytest.mark.django_db

ALICE, BOB = PLAYERS[:2]
LONG = "The deadline is **Friday**.\n\n" + "Please save in time, all of you. " * 20


def delivered() -> list[mail.EmailMessage]:
    """The emails that are sent now."""
    Letter.objects.all().delete()
    mail.outbox.clear()
    deliver_letters()
    return list(mail.outbox)


def test_each_announcement_goes_to_every_player_at_once_in_full_as_text_and_as_html() -> None:
    game = running_game(name="Locarno")
    let_bot_play(occupancy_id=occupancy_of(game, "FRANCE").pk)
    letters: list[mail.EmailMessage] = []
    for text in ("A first one.", LONG):
        say(game, CAROL, text, as_gm=True)
        letters = delivered()
        told = sorted(to for letter in letters for to in letter.to)
        assert told == sorted(person(name).email for name in PLAYERS if name != BOB)
        assert all(text.strip() in letter.body for letter in letters)
    letter = letters[0]
    assert letter.subject.startswith("Locarno: the game master writes: The deadline is Friday. Please save")
    assert len(letter.subject) < 120
    html = str(letter.alternatives[0][0])  # type: ignore[attr-defined]
    assert "<p>The deadline is <strong>Friday</strong>.</p>" in html
    assert html.count("Please save in time") == 22, "all of it, and its beginning in the title"


def test_a_sitter_is_told_as_well_and_messages_that_are_not_announcements_are_still_not_quoted() -> None:
    game = small_game()
    hours = {"begins": clock.now() - timedelta(hours=1), "ends": clock.now() + timedelta(days=1)}
    held = occupancy_of(game, "AUSTRIA")
    Sitting.objects.create(occupancy=held, sitter=person(DAVE), accepted=True, **hours)
    say(game, CAROL, "Welcome", as_gm=True)
    assert sorted(to for letter in delivered() for to in letter.to) == sorted(
        person(name).email for name in (*PLAYERS[:3], DAVE)
    )
    say(game, ALICE, "Secret plans for all to see")
    assert not any("Secret plans" in letter.body for letter in delivered())


def test_an_announcement_has_a_topic_of_its_own_so_that_chatter_can_be_turned_off_without_it() -> None:
    game = running_game()
    alice, bob = person(ALICE), person(BOB)
    choose_mail(user_id=alice.pk, mail={Topic.MESSAGE: Mail.OFF})
    choose_mail(user_id=bob.pk, mail={Topic.ANNOUNCEMENT: Mail.DAILY})
    say(game, CAROL, LONG, as_gm=True)
    told = {to for letter in delivered() for to in letter.to}
    assert (alice.email in told, bob.email in told) == (True, False)
    DailyLetter.objects.update(due=AnnouncementLetter.objects.first().written)  # type: ignore[union-attr]
    (digest,) = delivered()
    assert (digest.to, LONG.strip() in digest.body) == ([bob.email], True)


def test_the_notice_says_how_it_begins_and_reading_the_conversation_marks_it_as_seen() -> None:
    game = running_game()
    before = count_unseen(person(ALICE).pk)
    say(game, CAROL, LONG, as_gm=True)
    line = notice_page(person(ALICE)).lines[0]
    assert line.sentence.startswith("The game master writes: The deadline is Friday. Please save in time")
    assert count_unseen(person(ALICE).pk) == before + 1
    read(game, ALICE)
    assert count_unseen(person(ALICE).pk) == before
    assert len(delivered()) == len(PLAYERS), "a letter that was written is sent, also to those who have read it"


def test_a_form_sent_twice_announces_once() -> None:
    game = running_game()
    for _ in range(2):
        send_message(game_id=game.pk, user_id=person(CAROL).pk, text="Once", as_gm=True, key="k" * 64)
    assert AnnouncementLetter.objects.count() == len(PLAYERS)
