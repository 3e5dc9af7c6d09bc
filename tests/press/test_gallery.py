"""The gallery: once a game is over, anyone who played or watched may write about it."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command

from games.mastering.services.desk import close_game
from games.people.export import stored_facts_of
from games.press.models import Remark, RemarkReport
from tests.browsers import address, visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game
from tests.press.test_press import say

pytestmark = pytest.mark.django_db

ALICE = PLAYERS[0]


def test_the_gallery_opens_at_the_end_for_everybody_with_an_account() -> None:
    game = running_game()
    path = address("gallery", game)
    say(game, ALICE, "Good luck, all")
    for name in (DAVE, ALICE, CAROL):
        assert visitor(name).get(path).status_code == visitor(name).post(path, {"text": "Boo"}).status_code == 404
    assert (visitor().get(path).status_code, visitor().post(path, {"text": "Boo"}).status_code) == (404, 302)
    close_game(game_id=game.pk, by=person(CAROL).pk)
    for name in (DAVE, ALICE, CAROL):
        assert visitor(name).post(path, {"text": f"Well **played**, says {name}"}).status_code == 303
    assert visitor("eve").post(path, {"text": "I too"}).status_code == 302
    seen = visitor("eve").get(path)
    assert [remark.author for remark in seen.context["gallery"].remarks] == [DAVE, ALICE, CAROL]
    assert "Well <strong>played</strong>" in seen.content.decode()
    public = visitor("eve").get(address("thread", game, address="everybody")).content.decode()
    assert ("Good luck, all" in public, path in public) == (True, True)


def test_a_remark_sent_twice_is_one_and_a_refused_one_is_not_lost() -> None:
    game = running_game()
    close_game(game_id=game.pk, by=person(CAROL).pk)
    dave, path = visitor(DAVE), address("gallery", game)
    key = str(dave.get(path).context["form"]["key"].value())
    for _ in range(2):
        dave.post(path, {"text": "Bravo", "key": key})
    assert Remark.objects.count() == 1
    refused = dave.post(path, {"text": "y" * 4001})
    assert (refused.status_code, "y" * 4001 + "</textarea>" in refused.content.decode()) == (422, True)


def test_a_remark_is_shown_to_the_moderators_who_deal_with_it_once() -> None:
    game = running_game()
    close_game(game_id=game.pk, by=person(CAROL).pk)
    dave, alice, mark = visitor(DAVE), visitor(ALICE), visitor("mark")
    dave.post(address("gallery", game), {"text": "You are all fools"})
    page = address("remark", game, place=1)
    assert page in alice.get(address("gallery", game)).content.decode()
    assert page not in dave.get(address("gallery", game)).content.decode()
    assert alice.get(address("remark", game, place=2)).status_code == 404
    assert alice.post(page, {"reason": " "}).status_code == 422
    for _ in range(2):
        assert alice.post(page, {"reason": "An insult"}).status_code == 303
    call_command("moderator", "mark", stdout=StringIO())
    desk = mark.get("/moderation/").content.decode()
    assert ("You are all fools" in desk, "An insult" in desk, ALICE in desk) == (True, True, False)
    deal = {"report": str(RemarkReport.objects.get().pk), "about": "gallery", "reason": "Told them"}
    answers = [mark.post("/moderation/reports/", deal, follow=True).content.decode() for _ in range(2)]
    assert "You are all fools" not in answers[0]
    assert "That report has already been dealt with." in answers[1]
    assert stored_facts_of(person(ALICE).pk)["reported_remarks"][0]["reason"] == "An insult"


def test_a_gallery_of_a_game_by_invitation_is_for_the_invited() -> None:
    game = running_game(by_invitation=True)
    close_game(game_id=game.pk, by=person(CAROL).pk)
    assert visitor(DAVE).get(address("gallery", game)).status_code == 404
