"""Muting a power, and reporting a message to the moderators."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from games.endings.services import write_statement
from games.kernel.models import Game, Status
from games.mastering.services.desk import seat_player
from games.press.models import LONGEST_REPORT, Mute, PressLetter, Report
from games.press.services import set_mute, write_remark
from tests.browsers import address, visitor
from tests.cast import CAROL, DAVE, PLAYERS, SAM, person
from tests.factories import running_game
from tests.press.test_press import say, thread, unread

pytestmark = pytest.mark.django_db

ALICE, BOB, FRITZ = PLAYERS[:3]
WITH_BOB = {"address": "BRITAIN+FRANCE"}


def test_a_muted_power_is_folded_away_counts_as_read_and_writes_no_letters() -> None:
    game = running_game()
    say(game, ALICE, "Noise", "FRANCE")
    bob = visitor(BOB)
    answer = bob.post(address("mute", game, **WITH_BOB), {"power": "BRITAIN", "muted": "1"}, follow=True)
    assert "Muted. No one else is told." in answer.content.decode()
    assert "<summary" in answer.content.decode()
    PressLetter.objects.all().delete()
    say(game, ALICE, "More noise", "FRANCE")
    say(game, ALICE, "To all")
    assert (unread(game, BOB), unread(game, FRITZ)) == (0, 1)
    assert BOB not in {letter.user.username for letter in PressLetter.objects.all()}
    assert [message.muted for message in thread(game, BOB, "BRITAIN", "FRANCE").messages] == [True, True]
    assert not any(message.muted for message in thread(game, ALICE, "BRITAIN", "FRANCE").messages)
    bob.post(address("mute", game, **WITH_BOB), {"power": "BRITAIN", "muted": "0"})
    assert (unread(game, BOB), Mute.objects.count()) == (2, 0)


def folded(body: str, words: str) -> bool:
    """Are these words on the page, below a fold each time?"""
    shown = re.sub(r"</?mark>", "", body)
    outside = re.sub(r"<details>.*?</details>", "", shown, flags=re.DOTALL)
    return words in shown and words not in outside


def test_muted_words_are_folded_in_searches_and_where_one_message_is_shown() -> None:
    game = running_game()
    say(game, ALICE, "Noise about Kiel", "FRANCE")
    say(game, ALICE, "Noise to all")
    set_mute(game_id=game.pk, user_id=person(BOB).pk, power="BRITAIN", muted=True)
    for viewer, is_folded in ((BOB, True), (ALICE, False)):
        client = visitor(viewer)
        found = client.get(address("search", game), {"q": "noise"}).content.decode()
        assert (folded(found, "Noise about Kiel"), folded(found, "Noise to all")) == (is_folded, is_folded)
    alone = visitor(BOB).get(address("message", game, **WITH_BOB, place=1)).content.decode()
    assert folded(alone, "Noise about Kiel")
    heads = visitor(BOB).get(address("thread", game, **WITH_BOB)).content.decode()
    assert folded(heads, "Noise about Kiel")
    assert "Noise to all" not in heads, "nor as the last line of the other conversation"


def test_a_mute_stays_when_another_player_takes_the_muted_seat() -> None:
    game = running_game()
    say(game, ALICE, "Old noise", "FRANCE")
    set_mute(game_id=game.pk, user_id=person(BOB).pk, power="BRITAIN", muted=True)
    person(DAVE)
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="BRITAIN", username=DAVE, reason="Agreed.")
    say(game, DAVE, "New noise", "FRANCE")
    body = visitor(BOB).get(address("thread", game, **WITH_BOB)).content.decode()
    assert (folded(body, "Old noise"), folded(body, "New noise"), unread(game, BOB)) == (True, True, 0)
    found = visitor(BOB).get(address("search", game), {"q": "noise"}).content.decode()
    assert (folded(found, "Old noise"), folded(found, "New noise")) == (True, True)


def test_after_the_end_their_remarks_and_statements_are_folded_too() -> None:
    game = running_game()
    set_mute(game_id=game.pk, user_id=person(BOB).pk, power="BRITAIN", muted=True)
    person(DAVE)
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="BRITAIN", username=DAVE, reason="Agreed.")
    Game.objects.filter(pk=game.pk).update(status=Status.FINISHED, verdict={"winners": [], "sentence": "A draw."})
    write_statement(game_id=game.pk, user_id=person(DAVE).pk, text="I played well")
    write_statement(game_id=game.pk, user_id=person(FRITZ).pk, text="So did I")
    for name, text in ((ALICE, "Left early"), (DAVE, "Came late"), (FRITZ, "Stayed")):
        write_remark(game_id=game.pk, user_id=person(name).pk, text=text)
    texts = ("Left early", "Came late", "Stayed")
    for viewer, expected in ((BOB, [True, True, False]), (FRITZ, [False] * 3), (CAROL, [False] * 3)):
        gallery = visitor(viewer).get(address("gallery", game)).content.decode()
        assert [folded(gallery, text) for text in texts] == expected
        page = visitor(viewer).get(address("game", game)).content.decode()
        assert (folded(page, "I played well"), folded(page, "So did I")) == (viewer == BOB, False)
    assert folded(visitor(BOB).get(address("remark", game, place=1)).content.decode(), "Left early")


def test_only_a_power_of_the_game_can_be_muted_and_only_from_a_thread_that_one_reads() -> None:
    game = running_game()
    wrong = visitor(BOB).post(address("mute", game, **WITH_BOB), {"power": "ATLANTIS", "muted": "1"}, follow=True)
    assert "This game has no power &#x27;ATLANTIS&#x27;." in wrong.content.decode()
    assert visitor(FRITZ).post(address("mute", game, **WITH_BOB), {"power": "BRITAIN"}).status_code == 404


def test_a_report_shows_one_message_to_the_moderators_and_nothing_else() -> None:
    game = running_game()
    say(game, ALICE, "Something vile", "FRANCE")
    say(game, ALICE, "Something else", "FRANCE")
    path = address("message", game, **WITH_BOB, place=1)
    for name in (FRITZ, CAROL, DAVE):
        assert visitor(name).get(path).status_code == 404
    bob = visitor(BOB)
    assert "Something vile" in bob.get(path).content.decode()
    assert bob.get(address("message", game, **WITH_BOB, place=3)).status_code == 404
    for reason, sentence in (
        (" ", "Not sent: say in a few words what’s wrong with it."),
        ("x" * (LONGEST_REPORT + 1), "your reason has 501 characters, and the limit is 500."),
    ):
        refused = bob.post(path, {"reason": reason})
        assert (refused.status_code, sentence in refused.content.decode()) == (422, True)
        assert f">{reason}</textarea>" in refused.content.decode()
    for _ in range(2):
        told = bob.post(path, {"reason": "An insult"}, follow=True)
        assert "Report sent to the site’s moderators." in told.content.decode()
    assert Report.objects.count() == 1
    listed = visitor(SAM).get(reverse("admin:press_report_changelist")).content.decode()
    assert ("Something vile" in listed, "An insult" in listed, "Something else" in listed) == (True, True, False)
    alone = visitor(SAM).get(reverse("admin:press_report_change", args=[Report.objects.get().pk])).content.decode()
    assert ("Something vile" in alone, BOB in alone) == (True, False)
