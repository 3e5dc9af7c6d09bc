"""The last orders of one's own, and what has passed since: on the page of the game, for one reader."""

from math import inf

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from games.deadlines.phases import close_due_phases
from games.delivery.letters import deliver_letters
from games.kernel.models import Game
from games.orders.parts import OwnTurn
from tests.factories import occupancy_of, open_phase, running_game
from tests.story import Story

pytestmark = pytest.mark.django_db

ATTACK = ("A TYR S F TRI - VEN", "F TRI - VEN", "BUILDS: A VIE")
HELD = "IF A VEN DISLODGED: ROM, TUS"
CHOICES = "A Ven retreats to Apu, A Ven retreats to Pie, A Ven retreats to Tus, A Ven disbands"


def attacked(game: Game, *defence: str) -> Story:
    """Fall 1901: Austria has taken Venice from Italy."""
    story = Story(game)
    story.order("AUSTRIA", "A VIE - TYR")
    story.deadline()
    story.order("AUSTRIA", *ATTACK)
    story.order("ITALY", "A VEN H", *defence)
    story.deadline()
    assert open_phase(game).turn == "F1901R"
    return story


def browser(game: Game, power: str) -> Client:
    client = Client()
    client.force_login(occupancy_of(game, power).user)
    return client


def page(game: Game, power: str, name: str = "games:game") -> str:
    return " ".join(browser(game, power).get(reverse(name, args=[game.slug])).content.decode().split())


def own_turn(story: Story, power: str) -> OwnTurn:
    found = story.seen_by(occupancy_of(story.game, power).user.username).own_turn
    assert isinstance(found, OwnTurn)
    return found


def passed(turn: OwnTurn) -> list[tuple[str, tuple[str, ...]]]:
    return [(result.head.code, words) for result, words in turn.passed]


def test_the_card_keeps_my_moves_while_retreats_and_builds_pass_and_names_what_came_of_my_wishes() -> None:
    story = attacked(running_game(variant="standard"), HELD, "REMOVALS: VEN, NAP")
    assert own_turn(story, "AUSTRIA").result.head.code == "F1901M"
    assert passed(own_turn(story, "AUSTRIA")) == []
    story.deadline()
    assert own_turn(story, "AUSTRIA").result.head.code == "F1901M"
    assert passed(own_turn(story, "AUSTRIA")) == [("F1901R", ())]
    skipped = "As you wrote ahead: A Ven retreats to Tus. Not possible: A Ven retreats to Rom."
    assert passed(own_turn(story, "ITALY")) == [("F1901R", (skipped,))]
    assert skipped in page(story.game, "ITALY")
    assert skipped not in page(story.game, "AUSTRIA")
    assert "A Ven retreats to Tus. <span" in page(story.game, "AUSTRIA")
    story.deadline()
    for power, built in (("AUSTRIA", ("As you wrote ahead: Build A Vie.",)), ("FRANCE", ())):
        assert own_turn(story, power).result.head.code == "F1901M"
        assert passed(own_turn(story, power))[-2:] == [("F1901R", ()), ("W1901A", built)]
    story.deadline()
    assert own_turn(story, "FRANCE").result.head.code == "S1902M"
    assert passed(own_turn(story, "FRANCE")) == []


def test_phases_that_passed_while_i_was_away_are_told_until_the_next_result() -> None:
    story = attacked(running_game(variant="standard"))
    page(story.game, "FRANCE")
    for _ in range(3):
        story.deadline()
    away = ["F1901R", "W1901A", "S1902M"]
    for _ in range(2):
        shown = page(story.game, "FRANCE")
        assert "Since you were last here" in shown
        assert [code for code, _ in passed(own_turn(story, "FRANCE"))] == away[:2]
        assert own_turn(story, "FRANCE").result.head.code == away[2]
    story.deadline()
    assert own_turn(story, "FRANCE").passed != (), "until they look again"
    shown = page(story.game, "FRANCE")
    assert "Since" not in shown[shown.index('id="mine"') : shown.index('id="powers"')]


IMPOSSIBLE = "IF A VEN DISLODGED: ROM"
SAID = f"You wrote ahead what is not possible: A Ven retreats to Rom. Choose instead: {CHOICES}."


def test_a_retreat_without_a_possible_wish_has_no_order_and_page_letter_and_question_say_so() -> None:
    game = running_game(variant="standard", all_ready=True)
    story = attacked(game, IMPOSSIBLE)
    sheet = story.seen_by(occupancy_of(game, "ITALY").user.username).order_sheet
    assert (sheet.saved, sheet.complete, sheet.missing) == (False, False, ("A Ven",))
    assert SAID in page(game, "ITALY")
    assert SAID in page(game, "ITALY", "games:orders")
    deliver_letters()
    letters = {letter.to[0]: " ".join(str(letter.body).split()) for letter in mail.outbox}
    told = [to for to, body in letters.items() if SAID in body]
    assert told == [occupancy_of(game, "ITALY").user.email]
    italian, form = browser(game, "ITALY"), {"ordinal": sheet.ordinal, "mark": sheet.mark, "ready": "yes"}
    asked = italian.post(reverse("games:ready", args=[game.slug]), form, follow=True).content.decode()
    assert "Are you ready?" in asked
    assert SAID in " ".join(asked.split())
    story.order("ITALY", "A VEN - PIE")
    assert SAID not in page(game, "ITALY")
    story.deadline()
    assert passed(own_turn(story, "ITALY")) == [
        ("F1901R", ("You wrote ahead what was not possible: A Ven retreats to Rom.",))
    ]


@pytest.mark.parametrize(
    ("wishes", "phases"),
    [
        (f"{IMPOSSIBLE}", ["F1901M", "F1901R"]),
        (f"{IMPOSSIBLE}, DISBAND", ["F1901M", "F1901R", "W1901A", "S1902M"]),
        (f"{IMPOSSIBLE}, TUS", ["F1901M", "F1901R", "W1901A", "S1902M"]),
    ],
)
def test_a_phase_ends_early_only_by_what_was_possible(wishes: str, phases: list[str]) -> None:
    game = running_game(variant="standard", ends_if_written_ahead=True)
    attacked(game, wishes, "REMOVALS: NAP, ROM")
    close_due_phases(until=inf)
    assert list(game.phases.order_by("ordinal").values_list("turn", flat=True))[1:] == phases


@pytest.mark.parametrize(
    ("wishes", "said"), [(("BUILDS: A BUD",), "Build A Bud. Choose instead: Build A Tri"), ((), "")]
)
def test_a_build_without_a_possible_wish_is_open_and_not_waived(wishes: tuple[str, ...], said: str) -> None:
    """Where nothing had been written ahead, nothing was once said to be impossible."""
    story = Story(running_game(variant="standard"))
    story.order("AUSTRIA", "A VIE - TYR")
    story.deadline()
    story.order("AUSTRIA", "F TRI - VEN", "A TYR S F TRI - VEN", *wishes)
    story.deadline()
    story.deadline()
    sheet = story.seen_by(occupancy_of(story.game, "AUSTRIA").user.username).order_sheet
    assert (sheet.kind, sheet.saved, sheet.missing) == ("A", False, ("1 build",))
    shown = page(story.game, "AUSTRIA")
    assert shown.partition("You wrote ahead what is not possible: ")[2].startswith(said)
    assert ("You wrote ahead" in shown) == bool(said)
