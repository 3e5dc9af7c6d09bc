"""A game master corrects an adjudication after the end: what is told first, and what follows from the new result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from games.delivery.letters import deliver_letters
from games.endings.services import write_statement
from games.kernel import codec
from games.kernel.models import Letter, OpenedBids, Status
from games.kernel.queries import phase_head
from games.kernel.rules import objection
from games.kernel.standpoint import Standpoint
from games.mastering.judging import what_differs_on_replay
from games.mastering.rules import may_correct_orders
from games.mastering.services.desk import close_game
from games.mastering.services.repair import change_position
from games.tournaments.models import Table
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, open_phase, running_game
from tests.story import Story
from tests.tournaments.made import entered, seated, tournament

if TYPE_CHECKING:
    from django.core.mail import EmailMessage

    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

STAYS, LEAVES = "A Cze H", "A Cze-Mun"
WHY = "I misread an order."


def at_a_table(order: str, **options: Any) -> Game:
    """A table of a tournament in which Germany has 17 centres, and an army in Czechia that in autumn does this."""
    game = running_game(open_bids_at_end=True, **options)
    made = tournament()
    entered(made, PLAYERS)
    seated(made, game)
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze", "2: A Aus S A Mun-Cze")
    story.deadline()
    position = codec.position_of(open_phase(game))
    others = sorted(place for place, owner in position.centres.items() if owner != "GERMANY" and place != "CZE")
    taken = others[: 17 - len(position.centres_of("GERMANY"))]
    change_position(
        game_id=game.pk,
        by=person(CAROL).pk,
        changes=[
            *(f"{place} centre GERMANY" for place in taken),
            *(f"{place} unit -" for place in taken if position.unit_at(place)),
        ],
        seen=phase_head(open_phase(game)).mark,
        reason="A test.",
    )
    story.order("GERMANY", order)
    story.deadline()
    return game


def correct(game: Game, order: str, *, do: str = "apply", seen: str = "") -> str:
    """What the page says on which a game master sends the form with this order instead."""
    browser, page = visitor(CAROL), reverse("games:correct", args=[game.slug, 1, "GERMANY"])
    mark = seen or str(browser.get(page).context["form"]["seen"].value())
    answer = browser.post(page, {"do": do, "text": order, "reason": WHY, "seen": mark}, follow=True)
    game.refresh_from_db()
    return str(answer.content.decode())


def log_of(game: Game) -> list[str]:
    return [event.sentence for event in Story(game).seen_by(DAVE).events]


def standings(game: Game) -> str:
    slug = Table.objects.get(game=game).round.tournament.slug
    return str(visitor(DAVE).get(reverse("games:tournament", args=[slug])).content.decode())


def test_an_end_that_the_correction_takes_away_is_told_first_and_the_game_goes_on(
    mailoutbox: list[EmailMessage],
) -> None:
    game = at_a_table(STAYS)
    germany = occupancy_of(game, "GERMANY").user
    write_statement(game_id=game.pk, user_id=germany.pk, text="I knew it.")
    deliver_letters()
    mailoutbox.clear()
    assert (
        reverse("games:choose-phase", args=[game.slug])
        in visitor(CAROL).get(reverse("games:gm", args=[game.slug])).content.decode()
    )
    told = correct(game, LEAVES, do="preview")
    for sentence in (
        "The game goes on with Winter 1926, adjustments, and nobody has won yet. This end no longer counts: ",
        "The game doesn’t count in Club cup until it ends again. Rounds that are seated stay as they are.",
        "Players’ statements and the press gallery are hidden until the game ends again",
        "Orders and bids that were published at the end are hidden again until the next end",
        "Missed phases are counted again",
    ):
        assert sentence in told
    assert game.status == Status.FINISHED, "nothing has changed yet"

    assert "Done. Everyone is told" in correct(game, LEAVES)
    assert (game.status, game.verdict, open_phase(game).turn) == (Status.RUNNING, None, "W1926A")
    assert what_differs_on_replay(game_id=game.pk) == ()
    correction, withdrawn = log_of(game)[:2]
    assert correction.startswith("carol corrected an order of Fall 1926: A Cze holds of Germany counts as A Cze–Mun.")
    assert withdrawn == (
        "carol corrected the game after its end, which no longer counts. It was: Germany wins with 18 supply centres."
    )
    assert "The game ended. Germany wins with 18 supply centres." in log_of(game), "what was told then"
    assert not OpenedBids.objects.filter(phase__game=game).exists()
    record = visitor(DAVE).get(f"/games/{game.slug}/record.json").json()
    assert [(phase["turn"], phase["sheets"]) for phase in record["phases"] if not phase["undone"]] == [
        ("S1926M", None),
        ("F1926M", None),
    ]
    assert "carol corrected the game “Locarno” after its end." in standings(game)
    assert Table.objects.get(game=game).outcome is None
    assert "I knew it." not in visitor(DAVE).get(reverse("games:game", args=[game.slug])).content.decode()
    deliver_letters()
    assert len(mailoutbox) == len({mail.to[0] for mail in mailoutbox}) == len(PLAYERS), "one email each"
    (mail,) = (mail for mail in mailoutbox if mail.to == [germany.email])
    assert "The game is now in Winter 1926, adjustments." in mail.body
    assert "corrected an order of Fall 1926" in mail.body


def test_an_end_that_the_correction_brings_is_made_from_the_new_result_at_once(mailoutbox: list[EmailMessage]) -> None:
    game = at_a_table(LEAVES)
    close_game(game_id=game.pk, by=person(CAROL).pk)
    deliver_letters()
    mailoutbox.clear()
    told = correct(game, STAYS, do="preview")
    assert "The game ends with it. Germany wins with 18 supply centres." in told
    assert "The points of Club cup follow from the new result at once." in told
    correct(game, STAYS)
    assert (game.status, game.verdict_sentence) == (Status.FINISHED, "Germany wins with 18 supply centres.")
    outcome = Table.objects.get(game=game).outcome
    assert outcome is not None
    assert ["GERMANY", 18] in [row[:2] for row in outcome["powers"]]
    assert [bids.phase.turn for bids in OpenedBids.objects.order_by("phase__ordinal")] == ["S1926M", "F1926M"]
    germany = occupancy_of(game, "GERMANY").user.username
    leaders = f"With this table, the standings of the tournament “Club cup” begin: 1. {germany} "
    assert log_of(game)[0].startswith(leaders)
    deliver_letters()
    (mail,) = (mail for mail in mailoutbox if mail.to == [person(PLAYERS[0]).email])
    assert mail.subject.endswith("the game is over")
    assert "corrected an order of Fall 1926" in mail.body
    assert "The game ended. Germany wins with 18 supply centres." in mail.body


def test_an_email_about_an_end_that_no_longer_counts_is_not_sent(mailoutbox: list[EmailMessage]) -> None:
    game = at_a_table(STAYS)
    correct(game, LEAVES)
    deliver_letters()
    assert not [mail for mail in mailoutbox if "the game is over" in mail.subject]
    assert Letter.objects.filter(game=game, kind="game over").count() == 0


def test_a_page_from_before_another_correction_changes_nothing_though_the_game_is_over_again() -> None:
    game = at_a_table(STAYS)
    page = reverse("games:correct", args=[game.slug, 0, "ITALY"])
    seen = str(visitor(CAROL).get(page).context["form"]["seen"].value())
    correct(game, LEAVES)
    close_game(game_id=game.pk, by=person(CAROL).pk)
    correct(game, STAYS)
    assert "The game has moved on since you opened this page" in correct(game, LEAVES, seen=seen)
    assert game.status == Status.FINISHED


@pytest.mark.parametrize("facts", [{"practice": True, "by_invitation": True}, {"elsewhere": {}}])
def test_a_game_against_bots_or_played_elsewhere_is_not_corrected_by_any_door(facts: dict[str, Any]) -> None:
    game = at_a_table(STAYS)
    for name, value in facts.items():
        setattr(game, name, value)
    assert objection(may_correct_orders, Standpoint(game, game.gm_id), 1) is not None
