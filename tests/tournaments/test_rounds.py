"""The form of a round: one set of terms for all of its tables, until they are seated."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from games.kernel import clock
from games.kernel.refusals import BadGame, NotAllowed, Refusal, WrongMoment
from games.pages.forms import CreateGameForm
from games.press.options import Press, Talk
from games.seating.options import Dealing
from games.tournaments import rounds as acts
from games.tournaments.models import Place, TournamentLetter
from games.tournaments.queries import SeriesView
from games.tournaments.terms import FINAL, Powers, RoundTerms
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import waiting_game
from tests.tournaments.made import entered, seated, terms_of_round, tournament
from variants.registry import find

if TYPE_CHECKING:
    from games.tournaments.models import Tournament

pytestmark = pytest.mark.django_db

ROUND = {"powers": "random", "times": "1", "scoring": ""}


def filled(**more: Any) -> dict[str, Any]:
    """The form as it is shown, and what is changed in it."""
    shown = {field.html_name: field.value() for field in CreateGameForm()}
    return {name: value for name, value in {**shown, **ROUND, **more}.items() if value not in (None, False)}


def new(made: Tournament) -> str:
    return reverse("games:new-round", args=[made.slug])


def changes(made: Tournament) -> list[str]:
    return [line.sentence for line in SeriesView(made.slug, None).changes]


def stored(made: Tournament, number: int) -> RoundTerms:
    return RoundTerms.stored(made.rounds.get(number=number).terms)


def test_a_round_is_added_changed_and_deleted_on_its_pages() -> None:
    made, director = tournament(), visitor(CAROL)
    entered(made, PLAYERS[:2])
    entered(made, [PLAYERS[2]], Place.SUBSTITUTE)
    shown = director.get(new(made)).content.decode()
    assert "Round 1" in shown
    for usual in ("Powers are assigned at random before the first turn.", "The game master does not play"):
        assert usual in shown, "the round deals powers, and directors don’t play"
    director.post(
        new(made), filled(name="Opening", others=["locarno"], powers="wishes", times="2", scoring="draw-size")
    )
    terms = stored(made, 1)
    assert (terms.name, terms.variants, terms.times) == ("Opening", ("1926", "locarno"), 2)
    assert (terms.scoring, terms.powers) == ("draw-size", Powers.WISHES)
    assert terms.options_for(find("locarno"))[Dealing].seats == "random"
    edit = reverse("games:edit-round", args=[made.slug, 1])
    assert 'value="Opening"' in director.get(edit).content.decode()
    second = director.get(new(made)).content.decode()
    assert 'value="Round 2"' in second, "with the terms of the round before"
    director.post(edit, filled(name="Opening", others=["locarno"], powers="random", times="0"))
    assert stored(made, 1).times == FINAL
    director.post(reverse("games:do-delete_round", args=[made.slug]), {"number": 1})
    assert not made.rounds.exists()
    gone, changed, added = changes(made)[:3]
    assert added == "carol added round 1, “Opening”."
    assert changed.startswith("carol changed the terms of round 1: ")
    assert "Powers: “Powers are dealt at random” instead of “Powers are dealt by the players’ preferences”." in changed
    assert gone == "carol deleted round 1, “Opening”."
    told = TournamentLetter.objects.filter(tournament=made).values_list("user__username", "kind")
    assert sorted(told) == [(name, "terms") for name in sorted(PLAYERS[:2])], "three changes at once are one email"


def test_nobody_is_told_of_a_draft() -> None:
    made = tournament(published=False)
    acts.add_round(tournament_id=made.pk, by=person(CAROL).pk, terms=terms_of_round())
    assert not made.changes.exists()
    assert not TournamentLetter.objects.exists()


def test_the_options_are_those_of_a_game_that_the_director_may_see() -> None:
    made, game = tournament(), waiting_game(name="Genoa", gm_previews=True)
    shown = visitor(CAROL).get(f"{new(made)}?like={game.slug}").content.decode()
    assert 'name="gm_previews" id="id_gm_previews" checked' in shown
    hidden = waiting_game(name="Paris", by_invitation=True)
    hidden.gm = person(DAVE)
    hidden.save()
    assert visitor(CAROL).get(f"{new(made)}?like={hidden.slug}").status_code == HTTPStatus.NOT_FOUND


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"name": "ab"}, "The name must have 3 to 80 characters."),
        ({"others": ["chess"]}, "Select a valid choice."),
        ({"powers": "table", "seats": "choice"}, "Players are seated together, so they can’t pick powers."),
    ],
)
def test_a_mistake_is_named_and_nothing_is_stored(wrong: dict[str, Any], told: str) -> None:
    made = tournament()
    answer = visitor(CAROL).post(new(made), filled(**wrong))
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert told in answer.content.decode()
    assert not made.rounds.exists()


def test_options_must_suit_each_variant_and_what_is_left_empty_is_the_variants_own() -> None:
    with pytest.raises(BadGame) as refused:
        terms_of_round(variants=["1926", "chess"])
    assert refused.value.problems["variant"] == "There is no such variant. Choose one from the list."
    with pytest.raises(BadGame) as refused:
        terms_of_round(variants=["1926", "formal-diplomacy"], choices={"movement_seconds": 1})
    assert refused.value.problems["movement_seconds"].startswith("In 1926")
    terms = RoundTerms.stored(terms_of_round(variants=["1926", "formal-diplomacy"], choices={"press": None}).to_json())
    assert {terms.options_for(it)[Talk].press for it in terms.boards()} == {
        Press(it.press_default) for it in terms.boards()
    }


def test_only_directors_change_rounds_and_only_until_they_are_seated() -> None:
    made, carol = tournament(rounds=1), person(CAROL).pk
    with pytest.raises(NotAllowed):
        acts.add_round(tournament_id=made.pk, by=person(DAVE).pk, terms=terms_of_round())
    for name, args in (("new-round", [made.slug]), ("edit-round", [made.slug, 1])):
        assert visitor(DAVE).get(reverse(f"games:{name}", args=args)).status_code == HTTPStatus.NOT_FOUND
    seated(made)
    for act in (acts.change_round, acts.delete_round):
        more: dict[str, Any] = {"terms": terms_of_round()} if act is acts.change_round else {}
        with pytest.raises(WrongMoment, match="seated"):
            act(tournament_id=made.pk, by=carol, number=1, **more)
        with pytest.raises(Refusal, match="no such round"):
            act(tournament_id=made.pk, by=carol, number=7, **more)
    with pytest.raises(WrongMoment, match="no more rounds"):
        acts.add_round(tournament_id=made.pk, by=carol, terms=terms_of_round())


def test_another_way_to_deal_powers_undoes_the_plan() -> None:
    made, carol = tournament(), person(CAROL).pk
    acts.add_round(tournament_id=made.pk, by=carol, terms=terms_of_round())
    made.rounds.update(plan={"seed": 1}, plan_wanted=2, check_in_until=clock.now())
    acts.change_round(tournament_id=made.pk, by=carol, number=1, terms=terms_of_round("Opening"))
    assert made.rounds.get().plan == {"seed": 1}
    dealt = terms_of_round(powers=Powers.TABLE, choices={"seats": "preferences"})
    acts.change_round(tournament_id=made.pk, by=carol, number=1, terms=dealt)
    assert (made.rounds.get().plan, made.rounds.get().plan_wanted) == (None, None)


def test_another_number_of_bots_undoes_the_plan_because_tables_have_another_size() -> None:
    made = tournament()
    by = {"tournament_id": made.pk, "by": person(CAROL).pk}
    acts.add_round(**by, terms=terms_of_round())
    made.rounds.update(plan={"seed": 1})
    acts.change_round(**by, number=1, terms=terms_of_round(choices={"bots": 2}))
    assert made.rounds.get().plan is None
