"""Emails say what happened: the reader's own orders first, then what changed hands, then everyone's orders."""

from __future__ import annotations

from email.mime.image import MIMEImage

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from games.delivery.choosing import choose_mail, topics_for
from games.delivery.letters import deliver_letters
from games.kernel.news import Topic
from games.mastering.services.desk import close_game
from games.news.models import Mail
from tests.browsers import visitor
from tests.cast import CAROL, PLAYERS, person
from tests.delivery.test_mail import html_of, says_the_same
from tests.e2e.sheet import set_up
from tests.factories import occupancy_of, running_game
from tests.story import Story

pytestmark = pytest.mark.django_db

SECRET = "3: A Aus S A Mun-Cze"


def told(name: str) -> EmailMessage:
    """The newest email to this user."""
    return next(letter for letter in reversed(mail.outbox) if letter.to == [person(name).email])


def played() -> Story:
    """Germany takes Czechia with the help of a bid; no one else has saved anything."""
    story = Story(running_game())
    story.order("GERMANY", "A Mun-Cze", "A Ber-Sil", "F Ham-Den", SECRET)
    deliver_letters()
    mail.outbox.clear()
    story.deadline()
    deliver_letters()
    return story


def test_a_player_reads_their_own_orders_first_then_what_changed_then_all_others() -> None:
    story = played()
    germany = occupancy_of(story.game, "GERMANY").user.get_username()
    body = str(told(germany).body)
    own = "Result of Spring 1926, movement\n\nYour orders\n  "
    parts = ["Deadline: ", own, "✓ A Mun–Cze", "\n\nFrance\n  No orders received.\n", "Map: "]
    assert [body.find(part) for part in parts] == sorted(body.find(part) for part in parts)
    assert all(part in body for part in parts)
    assert f"http://testserver/games/{story.game.slug}/phases/0/map.png" in body
    assert body.count("✓ A Mun–Cze") == 1, "not again among the others"


def test_units_that_only_held_are_one_line_and_others_keep_theirs() -> None:
    story = played()
    body = str(told(occupancy_of(story.game, "GERMANY").user.get_username()).body)
    france = "France\n  No orders received.\n  ✓ A Alg, A Bei, F Bre, A Mar and A Par hold\n\n"
    assert france in body
    minors = body.partition("Minor powers\n")[2].partition("\n\n")[0].splitlines()
    assert len(minors) == 3, "the one that was dislodged, the one that helped, and all others"
    assert minors[2].startswith("  ✓ A Bel, ")


def test_a_supply_centre_that_changed_hands_is_named_with_both_powers() -> None:
    story = Story(running_game())
    held = {"FRANCE": "A BUR, A RHI", "GERMANY": "A MUN", "SOVIET_UNION": "A CRA"}
    set_up(story.game, "F1926M", held)
    story.order("FRANCE", "A Bur-Mun", "A Rhi S A Bur-Mun")
    story.deadline()
    story.deadline()  # the German army in Munich has not retreated
    deliver_letters()
    body = str(told(occupancy_of(story.game, "GERMANY").user.get_username()).body)
    assert "Supply centres\n  France won Munich (from Germany).\n" in body
    assert "  The Soviet Union won Cracow (from Poland).\n" in body
    assert "  Lost Munich (to France).\n" in body


def test_the_game_master_gets_the_result_and_is_asked_for_nothing() -> None:
    played()
    letter = told(CAROL)
    assert letter.subject == "Locarno: the result of Spring 1926, movement"
    assert "Spring 1926, movement, is over, and Fall 1926, movement, has begun.\n" in str(letter.body)
    assert "\n\nGermany\n  " in str(letter.body)
    assert "Your orders" not in str(letter.body)
    assert len([it for it in mail.outbox if it.to == letter.to]) == 1


def test_players_with_nothing_to_enter_get_the_result_and_can_turn_that_off() -> None:
    story = Story(running_game(variant="standard"))
    story.order("FRANCE", "A Mar-Spa")
    story.deadline()
    choose_mail(user_id=person(CAROL).pk, game_id=None, mail={Topic.RESULT: Mail.OFF})
    deliver_letters()
    mail.outbox.clear()
    story.order("FRANCE", "A Spa H")
    story.deadline()
    deliver_letters()
    turn = "Fall 1901, movement"
    assert {it.subject for it in mail.outbox} == {
        "Locarno: enter your orders for Winter 1901, adjustments",
        f"Locarno: the result of {turn}",
    }
    assert "You have no orders to enter for Italy." in str(told(occupancy_of(story.game, "ITALY").user.username).body)
    assert not [it for it in mail.outbox if it.to == [person(CAROL).email]]


def test_no_letter_about_a_result_names_a_bid() -> None:
    played()
    for letter in mail.outbox:
        assert "3: " not in str(letter.body)
        assert "points" not in f"{letter.body} {html_of(letter)}".lower()


def test_a_result_says_the_same_in_both_forms() -> None:
    played()
    close_game(game_id=Story(running_game()).game.pk, by=person(CAROL).pk)
    assert mail.outbox
    assert all(says_the_same(str(letter.body), html_of(letter)) for letter in mail.outbox)


def test_the_last_letter_of_a_game_says_how_it_ended_and_what_happened_last() -> None:
    story = played()
    close_game(game_id=story.game.pk, by=person(CAROL).pk)
    deliver_letters()
    body = str(told(PLAYERS[0]).body)
    assert told(PLAYERS[0]).subject == "Locarno: the game is over"
    assert "\n\nGermany\n  " in body


def test_the_map_is_in_the_letter_only_for_those_who_chose_it() -> None:
    choose_mail(user_id=person(CAROL).pk, game_id=None, mail={}, with_map=True)
    story = played()
    with_map, without = told(CAROL), told(PLAYERS[0])
    assert 'src="cid:map"' in html_of(with_map)
    (picture,) = with_map.attachments
    assert isinstance(picture, MIMEImage)
    assert picture["Content-ID"] == "<map>"
    page = Client().get(f"/games/{story.game.slug}/phases/0/map.png")
    assert picture.get_payload(decode=True) == page.content, "the one that the site shows"
    assert "Content-Type: multipart/related" in with_map.message().as_string()
    assert without.attachments == []
    assert "cid:" not in html_of(without)


def test_the_choice_of_the_map_is_kept_and_shown() -> None:
    page = reverse("games:notify")
    browser = visitor(CAROL)
    assert 'name="with_map" id="id_with_map">' in browser.get(page).content.decode()
    every = {topic.value: Mail.AT_ONCE.value for topic in topics_for(person(CAROL).pk, None)}
    browser.post(page, {**every, "hour": "8", "with_map": "on"})
    assert 'name="with_map" id="id_with_map" checked>' in browser.get(page).content.decode()
    browser.post(page, {**every, "hour": "8"})
    assert 'name="with_map" id="id_with_map">' in browser.get(page).content.decode()
