"""Emails: text and HTML say the same, and load nothing from anywhere."""

import re
from html import unescape

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from games.delivery.choosing import choose_mail
from games.delivery.letters import deliver_letters
from games.kernel import clock
from games.kernel.models import Letter
from games.kernel.news import Topic
from games.mastering.services.desk import close_game
from games.news.models import DailyLetter, Mail
from tests.cast import CAROL, DAVE, person
from tests.factories import running_game
from tests.story import Story

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery staple"
SIGN_UP = {"username": "erin", "email": "erin@example.org", "password1": PASSWORD}
LINK = re.compile(r"https?://\S+")


def words(html: str) -> str:
    shown = re.sub(r"<head>.*?</head>|<[^>]+>", " ", html, flags=re.DOTALL)
    return " ".join(unescape(shown).split())


def html_of(letter: object) -> str:
    assert isinstance(letter, EmailMultiAlternatives)
    ((content, kind),) = letter.alternatives
    assert kind == "text/html"
    return str(content)


def only_letter() -> tuple[str, str, str]:
    """Subject, text and HTML."""
    (letter,) = mail.outbox
    return str(letter.subject), str(letter.body), html_of(letter)


def says_the_same(text: str, html: str) -> bool:
    """Whether every paragraph of the text is in the HTML, with the same links."""
    addresses = set(LINK.findall(text))
    paragraphs = [" ".join(part.split()) for part in text.split("\n\n") if "http" not in part]
    own = [part for part in paragraphs if part and not part.startswith("Diplomacy, ")]
    assert {found.rstrip('"<') for found in re.findall(r'https?://[^\s"<]+', html)} == addresses
    return all(part in words(html) for part in own)


def test_every_letter_about_a_game_says_the_same_in_both_forms() -> None:
    game = running_game(name="Peace & <Quiet>")
    Story(game).deadline()
    deliver_letters()
    close_game(game_id=game.pk, by=person(CAROL).pk)
    deliver_letters()
    assert len({letter.subject for letter in mail.outbox}) >= 3
    for letter in mail.outbox:
        assert says_the_same(str(letter.body), html_of(letter))
        assert "<Quiet>" not in html_of(letter)
        assert ">Open the game</a>" in html_of(letter)


def test_the_letter_of_the_day_says_the_same_in_both_forms() -> None:
    choose_mail(user_id=person("alice").pk, game_id=None, mail=dict.fromkeys((Topic.GAME, Topic.PHASE), Mail.DAILY))
    for name in ("Peace & <Quiet>", "War"):
        running_game(name=name)
    deliver_letters()
    mail.outbox.clear()
    DailyLetter.objects.update(due=clock.now())
    deliver_letters()
    _, text, html = only_letter()
    assert says_the_same(text, html)
    assert text.count("Open the game") == 0
    assert html.count(">Open the game</a>") == 2, "of each game"
    assert "<Quiet>" not in html


def test_a_letter_loads_no_picture_no_style_and_no_script_from_anywhere() -> None:
    running_game()
    deliver_letters()
    for letter in mail.outbox:
        assert re.findall(r"<(?:img|link|script|iframe)|url\(|@import| src=", html_of(letter)) == []


def test_a_letter_breaks_what_is_long_rather_than_run_over_its_edge() -> None:
    running_game()
    deliver_letters()
    sheet = re.search(r"\.sheet \{([^}]*)\}", html_of(mail.outbox[0]))
    assert sheet
    assert "overflow-wrap: anywhere" in sheet[1]
    assert "word-break: break-word" in sheet[1]


def test_a_forgotten_password_is_answered_by_a_letter_with_a_link() -> None:
    Client().post(reverse("account_reset_password"), {"email": person(DAVE).email})
    subject, text, html = only_letter()
    assert subject == "Choose a new password"
    assert "for the account with this address." in text
    assert says_the_same(text, html)


def test_who_has_no_account_is_told_so_by_a_letter() -> None:
    Client().post(reverse("account_reset_password"), {"email": "o'nobody@example.org"})
    subject, text, html = only_letter()
    assert subject == "No account here uses this email address"
    assert "but no account here uses it." in text
    assert says_the_same(text, html)


def test_a_new_account_is_asked_to_confirm_its_address() -> None:
    Client().post(reverse("account_signup"), SIGN_UP)
    subject, text, html = only_letter()
    assert subject == "Confirm your email address"
    assert text.startswith("Welcome.\n")
    assert says_the_same(text, html)
    (address,) = LINK.findall(text)
    assert Client().get(address).status_code == 200


def test_where_addresses_must_be_confirmed_a_second_account_for_one_is_answered_by_a_letter(settings: Settings) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    EmailAddress.objects.create(user=person(DAVE), email=person(DAVE).email, verified=True, primary=True)
    Client().post(reverse("account_signup"), {**SIGN_UP, "email": person(DAVE).email})
    subject, text, html = only_letter()
    assert subject == "You already have an account"
    assert says_the_same(text, html)


def test_a_mail_program_can_tell_which_letters_belong_to_one_game(settings: Settings) -> None:
    settings.SITE_ADDRESS = "https://play.example.org"
    first, second = running_game(), running_game()
    Story(first).deadline()
    deliver_letters()
    threads = {letter.extra_headers["References"] for letter in mail.outbox}
    assert threads == {f"<game-{game.slug}@play.example.org>" for game in (first, second)}
    lists = {letter.extra_headers["List-Id"] for letter in mail.outbox}
    assert lists == {f"<{game.slug}.games.play.example.org>" for game in (first, second)}
    own = [letter.extra_headers["Message-ID"] for letter in mail.outbox]
    assert len(set(own)) == len(own)
    assert all(re.fullmatch(r"<[0-9a-f]{32}@play\.example\.org>", one) for one in own)
    assert {letter.extra_headers["Auto-Submitted"] for letter in mail.outbox} == {"auto-generated"}


def test_a_letter_that_is_sent_again_has_the_same_number() -> None:
    running_game()
    deliver_letters()
    once = {letter.extra_headers["Message-ID"] for letter in mail.outbox}
    Letter.objects.update(sent=None, next_try=clock.now())
    mail.outbox.clear()
    deliver_letters()
    assert {letter.extra_headers["Message-ID"] for letter in mail.outbox} == once


def test_a_letter_about_an_account_names_the_site_and_not_the_machine() -> None:
    Client().post(reverse("account_reset_password"), {"email": person(DAVE).email})
    (letter,) = mail.outbox
    assert letter.extra_headers["Message-ID"].endswith("@testserver>")
    assert letter.extra_headers["Auto-Submitted"] == "auto-generated"
