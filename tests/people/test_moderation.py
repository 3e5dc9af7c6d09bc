"""Moderators: suspending users, stopping games, looking at sign-ins, and a log of all of it."""

from __future__ import annotations

import re
from datetime import timedelta
from http import HTTPStatus
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from diplomacy_site.embedded import places
from games.deadlines.phases import hold_game
from games.kernel import clock
from games.kernel.models import Game, Status
from games.kernel.refusals import NotAllowed, WrongMoment
from games.mastering.services.desk import close_game, resume_game
from games.mastering.services.repair import roll_back
from games.people.models import ModerationAct, SignIn, Suspension
from games.people.moderation import (
    SIGN_INS_KEPT,
    delete_old_sign_ins,
    end_expired_suspensions,
    stop_game,
    suspend_person,
)
from games.people.sign_ins import AccountFromSameAddress, accounts_from_same_addresses
from games.people.tokens import make_token
from games.press.models import Message, Report
from games.press.services import report_to_moderators, send_message
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PASSWORD, PLAYERS, SAM, person
from tests.factories import due_phases, open_phase, running_game
from tests.story import Story

pytestmark = pytest.mark.django_db

ALICE, BOB, FRITZ = PLAYERS[:3]


def moderator(name: str = DAVE) -> Client:
    """The browser of a user whom the command has made a moderator."""
    person(name)
    call_command("moderator", name, stdout=StringIO())
    return visitor(name)


def words(answer: Any) -> str:
    return " ".join(answer.content.decode().replace("&#x27;", "'").split())


def log() -> list[tuple[str, str, str]]:
    rows = ModerationAct.objects.order_by("pk")
    return [(act.by.get_username() if act.by else "", act.kind, act.reason) for act in rows]


def signs_in(name: str, address: str, browser: str) -> Client:
    client = Client(REMOTE_ADDR=address, HTTP_USER_AGENT=browser)
    client.post(reverse("account_login"), {"login": name, "password": PASSWORD})
    return client


def test_the_pages_are_for_moderators_and_a_command_makes_them() -> None:
    person(BOB)
    browser = moderator()
    assert browser.get(reverse("games:moderation")).status_code == HTTPStatus.OK
    call_command("moderator", DAVE, "--remove", stdout=StringIO())
    assert browser.get(reverse("games:moderation")).status_code == HTTPStatus.NOT_FOUND
    assert visitor(BOB).get(reverse("games:moderation")).status_code == HTTPStatus.NOT_FOUND
    staff = person("tess")
    staff.is_staff = True
    staff.save()
    assert visitor("tess").get(reverse("games:moderation")).status_code == HTTPStatus.NOT_FOUND


def test_only_moderators_find_a_link_to_the_pages_in_their_account() -> None:
    person(BOB)
    link = f'<a href="{reverse("games:moderation")}">Moderation</a>'
    assert link in moderator().get(reverse("games:profile")).content.decode()
    assert link not in visitor(BOB).get(reverse("games:profile")).content.decode()


def test_moderators_read_which_version_runs_and_what_changed_for_players(settings: Settings) -> None:
    settings.SITE_VERSION = "of tonight"
    browser = moderator()
    assert reverse("games:version") in words(browser.get(reverse("games:moderation")))
    page = words(browser.get(reverse("games:version")))
    assert "This site runs version of tonight." in page
    versions = re.findall(r"^## (.+)$", (places.CHECKOUT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert [f"What changed in {one}</h2>" in page for one in versions] == [True, True, *[False] * len(versions[2:])]
    assert [f"{group}</h3>" in page for group in ("Playing", "Running a game", "Hosting")] == [True, True, False]
    assert "CHANGELOG.md" in (places.CHECKOUT / "Dockerfile").read_text(), "the image has it, too"


def test_the_suspended_are_signed_out_and_stay_out_until_their_time_is_over() -> None:
    game = running_game()
    alice, playing = person(ALICE), visitor(ALICE)
    token = make_token(user_id=alice.pk, name="bot", scopes=[], days=30)
    answer = moderator().post(reverse("games:suspend", args=[ALICE]), {"reason": "Threats.", "days": "7"})
    assert answer.status_code == HTTPStatus.SEE_OTHER
    orders = reverse("games:orders", args=[game.slug])
    assert playing.get(orders).status_code == HTTPStatus.FOUND
    sheet = reverse("api:sheet", args=[game.slug])
    asked = Client().get(sheet, headers={"authorization": f"Bearer {token}"})
    assert asked.status_code in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND}
    refused = Client().post(reverse("account_login"), {"login": ALICE, "password": PASSWORD}, follow=True)
    assert "This account is suspended" in words(refused)

    end_expired_suspensions()
    assert not person(ALICE).is_active
    Suspension.objects.update(until=clock.now())
    end_expired_suspensions()
    assert person(ALICE).is_active
    assert playing.get(orders).status_code == HTTPStatus.FOUND
    assert signs_in(ALICE, "10.0.0.1", "A").get(orders).status_code == HTTPStatus.OK
    assert log() == [(DAVE, "suspended", "Threats. (for 7 days)"), ("", "suspension lifted", "")]


def test_a_moderator_lets_somebody_in_again_and_every_act_needs_a_reason() -> None:
    person(ALICE)
    browser = moderator()
    answer = browser.post(reverse("games:suspend", args=[ALICE]), {"reason": "", "days": ""})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Give a reason: it is recorded in the log." in words(answer)
    browser.post(reverse("games:suspend", args=[ALICE]), {"reason": "Threats.", "days": ""})
    browser.post(reverse("games:readmit", args=[ALICE]), {"reason": ""})
    assert not person(ALICE).is_active
    browser.post(reverse("games:readmit", args=[ALICE]), {"reason": "A mistake."})
    assert person(ALICE).is_active
    page = words(browser.get(reverse("games:case", args=[ALICE])))
    assert "Threats. (until a moderator ends it)" in page
    assert "A mistake." in page


def test_moderators_are_not_suspended() -> None:
    moderator()
    for name in (DAVE, SAM):
        with pytest.raises(NotAllowed, match="A moderator can’t be suspended"):
            suspend_person(by=person(DAVE).pk, username=person(name).username, reason="No.", days=1)
    assert log() == []


def test_a_game_is_stopped_with_a_reason_that_all_read_and_goes_on_with_the_time_that_was_left() -> None:
    game = running_game()
    browser = moderator()
    left = open_phase(game).time_left(clock.now())
    browser.post(reverse("games:stop-game"), {"game": game.slug, "reason": "Two accounts."})
    game.refresh_from_db()
    assert game.status == Status.HELD
    assert due_phases() == []
    seen = Story(game).seen_by(BOB)
    assert seen.game.status_sentence == (
        "The site’s moderators have put this game on hold. The public log says why. Nothing is lost."
    )
    assert seen.events[0].sentence == "The site’s moderators stopped the game. Reason: Two accounts."
    assert "Locarno" in words(browser.get(reverse("games:moderation")))
    browser.post(reverse("games:release-game"), {"game": game.slug, "reason": "Cleared up."})
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    assert abs(open_phase(game).time_left(clock.now()) - left) < timedelta(minutes=1)
    assert log() == [(DAVE, "game stopped", "Two accounts."), (DAVE, "game resumed", "Cleared up.")]


def test_the_game_master_neither_closes_nor_resumes_what_the_moderators_have_stopped() -> None:
    game, carol = running_game(), person(CAROL).pk
    moderator()
    stop_game(by=person(DAVE).pk, slug=game.slug, reason="Two accounts.")
    page = visitor(CAROL).get(reverse("games:gm", args=[game.slug]))
    assert reverse("games:close", args=[game.slug]) not in words(page)
    with pytest.raises(NotAllowed, match="The site’s moderators have put this game on hold"):
        close_game(game_id=game.pk, by=carol)
    with pytest.raises(WrongMoment):
        resume_game(game_id=game.pk, by=carol)
    with pytest.raises(WrongMoment):
        roll_back(game_id=game.pk, by=carol, ordinal=0, seen="", reason="Once more.")
    game.refresh_from_db()
    assert game.status == Status.HELD
    assert open_phase(game).deadline is None


def test_what_a_moderator_wrote_stays_where_it_was_written_when_it_is_refused() -> None:
    game, other = running_game(), running_game()
    for one in (game, other):
        stop_game(by=person(DAVE).pk, slug=one.slug, reason="Two accounts.")
    browser = moderator()
    assert 'name="reason" required maxlength' not in words(browser.get(reverse("games:moderation")))
    answer = browser.post(reverse("games:release-game"), {"game": other.slug, "reason": "y" * 261})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    page = words(answer)
    assert (
        f'<a href="#release-{other.slug}-reason">Reason</a>: This has 261 characters, but at most 260 are allowed.'
        in page
    )
    assert f'id="release-{other.slug}-reason" name="reason" required value="{"y" * 261}"' in page
    assert page.count("y" * 261) == 1
    long = browser.post(reverse("games:sign-ins", args=[ALICE]), {"reason": "z" * 261})
    assert (long.status_code, words(long).count("z" * 261)) == (HTTPStatus.UNPROCESSABLE_ENTITY, 1)


def test_what_the_judge_has_stopped_is_not_for_moderators_to_release() -> None:
    game = running_game()
    hold_game(game_id=game.pk)
    moderator().post(reverse("games:release-game"), {"game": game.slug, "reason": "Go on."})
    assert Game.objects.get().status == Status.HELD
    with pytest.raises(WrongMoment, match="Only a game in progress or a paused game"):
        stop_game(by=person(DAVE).pk, slug=game.slug, reason="Again.")
    assert log() == []


def test_sign_ins_are_compared_and_not_read_and_a_look_is_logged() -> None:
    for name in (ALICE, BOB, FRITZ, CAROL):
        person(name)
    for name, address, agent in (
        (ALICE, "10.0.0.1", "Firefox"),
        (BOB, "10.0.0.1", "Firefox"),
        (BOB, "10.0.0.1", "Firefox"),
        (FRITZ, "10.0.0.1", "Chrome"),
        (CAROL, "10.0.0.2", "Firefox"),
    ):
        signs_in(name, address, agent)
    assert accounts_from_same_addresses(person(ALICE).pk) == (
        AccountFromSameAddress(BOB, same_browser=True, times=2),
        AccountFromSameAddress(FRITZ, same_browser=False, times=1),
    )
    assert not SignIn.objects.filter(address__contains="10.0").exists()
    browser = moderator()
    path = reverse("games:sign-ins", args=[ALICE])
    unexplained = browser.post(path, follow=True)
    assert "same browser and address" not in words(unexplained)
    page = words(browser.post(path, {"reason": "A report."}))
    assert '<a href="/moderation/people/bob/">bob</a>: same browser and address (2 sign-ins)' in page
    assert "fritz</a>: same address, another browser (1 sign-in)" in page
    assert log() == [(DAVE, "looked at sign-ins", "A report.")]


def test_sign_ins_are_forgotten_after_ninety_days() -> None:
    signs_in(person(ALICE).username, "10.0.0.1", "Firefox")
    signs_in(person(BOB).username, "10.0.0.1", "Firefox")
    SignIn.objects.filter(user=person(ALICE)).update(at=clock.now() - SIGN_INS_KEPT - timedelta(minutes=1))
    delete_old_sign_ins()
    assert [row.user.username for row in SignIn.objects.all()] == [BOB]


def test_the_log_of_the_moderators_only_grows() -> None:
    person(ALICE)
    moderator().post(reverse("games:suspend", args=[ALICE]), {"reason": "Threats.", "days": "1"})
    for change in (ModerationAct.objects.all().delete, lambda: ModerationAct.objects.update(reason="")):
        with pytest.raises(IntegrityError, match="only grows"), transaction.atomic():
            change()


def test_moderators_see_no_orders_and_no_messages() -> None:
    game = running_game(by_invitation=True)
    Story(game).order("BRITAIN", "F Lon-NTH")
    browser = moderator()
    for name in ("game", "orders", "talk", "gm"):
        assert browser.get(reverse(f"games:{name}", args=[game.slug])).status_code == HTTPStatus.NOT_FOUND


@pytest.mark.parametrize(("hidden", "writer"), [(False, "bob</a>)"), (True, "(anonymous until the game is over)")])
def test_of_the_talk_moderators_read_what_was_shown_to_them_and_no_names_that_are_hidden(
    hidden: bool, writer: str
) -> None:
    game = running_game(hidden_names=hidden)
    for text in ("You swine.", "Sorry, friend."):
        send_message(game_id=game.pk, user_id=person(BOB).pk, text=text, to=["BRITAIN"])
    insult = Message.objects.get(text="You swine.")
    report_to_moderators(what=insult, user_id=person(ALICE).pk, reason="An insult.")
    page = words(moderator().get(reverse("games:moderation")))
    assert "You swine." in page
    assert "Why: An insult." in page
    assert writer in page
    assert ("bob" in page) == (not hidden)
    assert "Sorry, friend." not in page
    assert "alice" not in page


def test_a_report_is_dealt_with_once_and_the_log_says_by_whom() -> None:
    game = running_game()
    send_message(game_id=game.pk, user_id=person(BOB).pk, text="You swine.", to=["BRITAIN"])
    report_to_moderators(what=Message.objects.get(), user_id=person(ALICE).pk, reason="An insult.")
    browser, number = moderator(), Report.objects.get().pk
    browser.post(reverse("games:deal"), {"report": number, "reason": ""})
    assert "You swine." in words(browser.get(reverse("games:moderation")))
    browser.post(reverse("games:deal"), {"report": number, "reason": "Warned."})
    again = browser.post(reverse("games:deal"), {"report": number, "reason": "Warned."}, follow=True)
    assert "That report has already been dealt with." in words(again)
    assert "You swine." not in words(again)
    assert Report.objects.get().dealt is not None
    assert log() == [(DAVE, "dealt with a report", "Warned.")]


def test_the_log_goes_on_to_its_first_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.people.moderators_page.MOST_LOG_LINES", 2)
    browser, game = moderator(), running_game()
    by, now = person(DAVE).pk, clock.now()
    for number in range(5):
        ModerationAct.objects.create(at=now, by_id=by, kind="game stopped", game=game, reason=f"Because of {number}.")
    path, read = reverse("games:moderation"), list[str]()
    while path:
        page = words(browser.get(path))
        read += re.findall(r"Because of \d", page)
        assert "Please correct" not in page, "nothing was searched for"
        link = re.search(r'href="(\?before=\d+)" rel="next">Earlier entries<', page)
        path = reverse("games:moderation") + link[1] if link else ""
    assert read == [f"Because of {number}" for number in (4, 3, 2, 1, 0)]
