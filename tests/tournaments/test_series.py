"""A series from its form to its table: what directors may do, and what everyone reads."""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.kernel.refusals import NotAllowed, Refusal, Unconfirmed, WrongMoment
from games.mastering.services.desk import close_game, seat_player
from games.people.export import stored_facts_of
from games.people.services import leave_all_games
from games.tournaments import services as acts
from games.tournaments.models import Director, Table, Tournament
from games.tournaments.queries import SeriesView
from games.tournaments.rules.combining import Tie
from games.tournaments.terms import AVERAGE, BEST, Terms
from tests.browsers import EVE, visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game, waiting_game
from tests.story import Story
from variants.bots import Level

if TYPE_CHECKING:
    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

ALICE, BOB, FRITZ = PLAYERS[:3]
SQUARES, CENTRES = Terms("sum-of-squares"), Terms("centre-count")
FORM = {"name": "Club league", "text": "**Welcome**", "scoring": "centre-count", "combine": "sum"}


def series(*games: Game, terms: Terms = CENTRES, published: bool = True) -> Tournament:
    """Carol's, with these games of hers."""
    by = person(CAROL).pk
    made = Tournament.objects.get(slug=acts.create(by=by, name="Club league", text="", terms=terms))
    if published:
        acts.publish(tournament_id=made.pk, by=by)
    for game in games:
        acts.put_game(tournament_id=made.pk, by=by, game=game.slug)
    return made


def over(name: str = "Genoa", **options: Any) -> Game:
    """A game that was closed after its first phase."""
    game = running_game(name=name, **options)
    Story(game).deadline()
    close(game)
    return game


def close(game: Game, outcome: str = "", powers: tuple[str, ...] = ()) -> None:
    close_game(game_id=game.pk, by=person(CAROL).pk, outcome=outcome, powers=powers)
    game.refresh_from_db()


def change_terms(made: Tournament, terms: Terms) -> None:
    """Change the terms of a series with results, and confirm what that moves."""
    change = partial(acts.change, tournament_id=made.pk, by=person(CAROL).pk, name=made.name, text="", terms=terms)
    with pytest.raises(Unconfirmed) as refused:
        change()
    change(confirmed=refused.value.mark)


def page(made: Tournament, name: str = EVE) -> str:
    answer = visitor(name).get(reverse("games:tournament", args=[made.slug]))
    assert answer.status_code == HTTPStatus.OK
    return answer.content.decode()


def standing(made: Tournament, name: str | None = None) -> dict[str, tuple[int, str]]:
    view = SeriesView(made.slug, person(name).pk if name else None)
    return {row.name: (row.rank, row.total) for row in view.sheet.standings}


def log_of(game: Game) -> list[str]:
    return [event.sentence for event in Story(game).seen_by(DAVE).events]


def refusal(act: Any, **given: Any) -> str:
    with pytest.raises(Refusal) as refused:
        act(**given)
    return refused.value.sentence


# --- A director's way through the pages ---


def test_a_series_is_made_published_and_filled_on_its_pages() -> None:
    director, game = visitor(CAROL), over()
    answer = director.post(reverse("games:new-series"), FORM)
    made = Tournament.objects.get()
    assert answer.headers["Location"] == reverse("games:tournament", args=[made.slug])
    director.post(reverse("games:do-publish", args=[made.slug]))
    assert "Genoa" in director.get(reverse("games:tournament-games", args=[made.slug])).content.decode()
    director.post(reverse("games:do-put_game", args=[made.slug]), {"game": game.slug})
    shown = page(made)
    assert "<strong>Welcome</strong>" in shown
    assert "Scoring of a game: Centre count." in shown
    assert f'<a href="/people/{ALICE}/">' in shown
    assert "Club league" in visitor().get(reverse("games:tournaments")).content.decode()
    assert "Part of the series" in visitor().get(reverse("games:game", args=[game.slug])).content.decode()
    table = Table.objects.get().pk
    director.post(reverse("games:do-take_out", args=[made.slug]), {"table": table})
    assert not Table.objects.exists()
    assert "Part of the series" not in visitor(DAVE).get(reverse("games:game", args=[game.slug])).content.decode()
    out, put = log_of(game)[:2]
    assert out == "carol took this game out of the series “Club league”."
    assert put.startswith("carol put this game into the series “Club league”: everyone can read there")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"name": "ab"}, "The name must have 3 to 80 characters."),
        ({"name": "www.example.org"}, "The name can’t contain a web address."),
        ({"combine": "best"}, "Say how many count, from 1 to 50."),
        ({"first": "2026-02-02", "last": "2026-02-01"}, "The last day is before the first day."),
        ({"scoring": "guess"}, "Select a valid choice."),
        ({"text": "a" * 5_001}, "This has 5001 characters, but at most 5000 are allowed."),
    ],
)
def test_a_mistake_in_the_form_is_named_and_nothing_is_made(wrong: dict[str, str], told: str) -> None:
    answer = visitor(CAROL).post(reverse("games:new-series"), {**FORM, **wrong})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert told in answer.content.decode()
    assert not Tournament.objects.exists()


def test_a_draft_is_there_for_its_directors_alone() -> None:
    made = series(published=False)
    names = ("tournament", "standings", "edit-tournament", "tournament-games")
    for name in names:
        path = reverse(f"games:{name}", args=[made.slug])
        assert visitor(CAROL).get(path).status_code == HTTPStatus.OK
        assert visitor(DAVE).get(path).status_code == HTTPStatus.NOT_FOUND
    assert visitor().get(reverse("games:tournament", args=[made.slug])).status_code == HTTPStatus.NOT_FOUND
    assert made.name not in visitor(DAVE).get(reverse("games:tournaments")).content.decode()
    assert made.name in visitor(CAROL).get(reverse("games:tournaments")).content.decode()
    told = refusal(acts.put_game, tournament_id=made.pk, by=person(CAROL).pk, game=waiting_game().slug)
    assert told == "Publish the series first: everyone can read which games are in it."
    visitor(CAROL).post(reverse("games:do-delete", args=[made.slug]))
    assert not Tournament.objects.exists()


def test_only_directors_change_a_series_and_a_published_one_stays() -> None:
    made, game, dave = series(), waiting_game(), person(DAVE).pk
    for act, more in (
        (acts.publish, {}),
        (acts.delete_draft, {}),
        (acts.leave, {}),
        (acts.add_director, {"username": DAVE}),
        (acts.change, {"name": "Mine", "text": "", "terms": SQUARES}),
    ):
        assert refusal(act, tournament_id=made.pk, by=dave, **more) == "Only a director can do that."
    assert "published" in refusal(acts.delete_draft, tournament_id=made.pk, by=person(CAROL).pk)
    acts.add_director(tournament_id=made.pk, by=person(CAROL).pk, username="Dave")
    told = refusal(acts.put_game, tournament_id=made.pk, by=dave, game=game.slug)
    assert told == "You can add only games that you run on this site, with people."


def test_directors_are_added_by_name_and_the_last_one_stays() -> None:
    made, carol = series(), person(CAROL).pk
    assert "last director" in refusal(acts.leave, tournament_id=made.pk, by=carol)
    assert "no account named" in refusal(acts.add_director, tournament_id=made.pk, by=carol, username="nobody")
    for name in PLAYERS:
        person(name)
        acts.add_director(tournament_id=made.pk, by=carol, username=name)
    person(DAVE)
    assert "already" in refusal(acts.add_director, tournament_id=made.pk, by=carol, username=ALICE)
    assert "at most 8" in refusal(acts.add_director, tournament_id=made.pk, by=carol, username=DAVE)
    acts.leave(tournament_id=made.pk, by=carol)
    assert not Director.objects.filter(user=carol).exists()
    assert f"{CAROL} is no longer a director." in page(made)


def test_each_change_of_a_published_series_is_told_with_its_author() -> None:
    made, carol = series(), person(CAROL).pk
    terms = Terms("draw-size", BEST, 3, (Tie.BEST_GAME, Tie.CENTRES), date(2026, 1, 1), None)
    acts.change(tournament_id=made.pk, by=carol, name="Club cup", text="New", terms=terms)
    lines = [line.sentence for line in SeriesView(made.slug, None).changes]
    assert lines[1:] == [
        "carol changed the text.",
        "carol changed the name from “Club league” to “Club cup”.",
        "carol published this.",
    ]
    assert lines[0].startswith("carol changed the terms: “Scoring of a game: Draw size” instead of “Scoring of a game:")
    assert "Only games that begin on 1 Jan 2026 or later count" in lines[0]
    assert all(sentence.rstrip(".") in page(made) for sentence in SeriesView(made.slug, None).terms.sentences())


def test_a_deleted_account_directs_nothing_and_takes_its_drafts_along() -> None:
    kept, draft, carol = series(), series(published=False), person(CAROL).pk
    assert [it["series"] for it in stored_facts_of(carol)["director_of"]] == [kept.name, draft.name]
    leave_all_games(user_id=carol)
    assert [*Tournament.objects.all()] == [kept]
    assert "This series has no director any more." in page(kept)


# --- Which games ---


def test_a_game_is_in_one_series_and_of_people_on_this_site() -> None:
    game = waiting_game()
    first, second = series(game), series()
    told = refusal(acts.put_game, tournament_id=second.pk, by=person(CAROL).pk, game=game.slug)
    assert told == "This game is in a series already, and can’t be in two."
    with pytest.raises(WrongMoment, match="isn’t in the series"):
        acts.take_out(tournament_id=second.pk, by=person(CAROL).pk, table=Table.objects.get().pk)
    for slug in ("nowhere", "with\0nul"):
        with pytest.raises(NotAllowed):
            acts.put_game(tournament_id=first.pk, by=person(CAROL).pk, game=slug)


def test_a_game_counts_that_began_on_the_days_of_the_terms() -> None:
    game = over()
    made = series(game)
    today = datetime.now(UTC).date()
    late = Terms("centre-count", first=date(today.year + 1, 1, 1))
    change_terms(made, late)
    assert standing(made) == {}
    assert "began on a day that doesn’t count" in page(made)
    other = series(terms=late)
    assert "began on a day" in refusal(
        acts.put_game, tournament_id=other.pk, by=person(CAROL).pk, game=over("Paris").slug
    )
    assert "No player has any points yet." in page(other)
    acts.put_game(tournament_id=other.pk, by=person(CAROL).pk, game=waiting_game(name="Thoiry").slug)


# --- The standings ---

ENDS: dict[str, Any] = {"gm_outcomes": True}


def test_points_go_to_those_who_hold_the_seats_at_the_end_and_ties_are_shared() -> None:
    game = running_game(name="Genoa")
    made = series(game)
    assert standing(made) == {}
    assert "1 public game is still going on." in page(made)
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="BRITAIN", username=person(DAVE).username, reason="Agreed.")
    Story(game).deadline()
    close(game)
    table = standing(made)
    assert ALICE not in table
    assert table[DAVE] == (2, "4")
    assert {rank for rank, total in table.values() if total == "4"} == {2}, "those with as many centres share a rank"


def test_a_win_counts_as_one_void_games_and_bots_count_nowhere() -> None:
    won, void = running_game(name="Genoa", **ENDS), running_game(name="Paris", **ENDS)
    won.occupancies.filter(seat__power="FRANCE").update(bot=Level.STRONG)
    made = series(won, void, terms=Terms("draw-size"))
    close(won, "solo", ("BRITAIN",))
    close(void, "void")
    assert standing(made)[ALICE] == (1, "100")
    assert BOB not in standing(made)
    assert "void, so it doesn’t count" in page(made)


def test_games_are_combined_as_the_terms_say() -> None:
    won, drawn = running_game(name="Genoa", **ENDS), running_game(name="Paris", **ENDS)
    close(won, "solo", ("BRITAIN",))
    close(drawn, "draw", ("FRANCE", "GERMANY"))
    made = series(won, drawn, terms=Terms("draw-size"))
    assert standing(made)[ALICE] == (1, "100")
    assert standing(made)[BOB] == standing(made)[FRITZ] == (2, "50")
    for terms, total in ((Terms("draw-size", AVERAGE), "50"), (Terms("draw-size", BEST, 1), "100")):
        change_terms(made, terms)
        assert standing(made)[ALICE] == (1, total)
    assert page(made).count("doesn’t count") == 7, "a game that isn’t among a player’s best"


def test_the_file_has_a_column_for_each_game_and_no_formulas() -> None:
    won = running_game(name="=SUM(A1)", **ENDS)
    made = series(won, terms=Terms("draw-size"))
    close(won, "solo", ("BRITAIN",))
    answer = visitor().get(reverse("games:standings", args=[made.slug]))
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    first, second, *_rest = answer.content.decode().split("\r\n")
    assert first == "rank,player,games,total,'=SUM(A1)"
    assert second == "1,alice,1,100,100"


# --- What each reader may know ---


def test_the_name_of_a_game_by_invitation_is_for_its_own_people() -> None:
    made = series(over("Rapallo", by_invitation=True), running_game(name="Vienna", by_invitation=True))
    for name in (EVE, DAVE):
        assert "Rapallo" not in page(made, name)
        assert "Vienna" not in page(made, name)
        assert "carol added a private game." in page(made, name)
        assert "still going on" not in page(made, name)
        assert ALICE in page(made, name)
    for name in (ALICE, CAROL):
        assert "Rapallo" in page(made, name)
        assert "carol added the game “Vienna”." in page(made, name)


def test_before_the_end_nothing_depends_on_the_people_in_a_game() -> None:
    """Worlds that differ only in the players behind hidden names."""
    game = running_game(name="Hidden", hidden_names=True)
    made = series(over(), game)
    before = [_seen(made, name) for name in (EVE, DAVE)]
    held = {it.pk: it.user_id for it in game.occupancies.order_by("pk")}
    turned = [*held.values()][1:] + [*held.values()][:1]
    game.occupancies.update(until=datetime.now(UTC))
    for seat, user in zip(game.seats.order_by("pk"), turned, strict=True):
        game.occupancies.create(seat=seat, user_id=user, since=datetime.now(UTC))
    assert [_seen(made, name) for name in (EVE, DAVE)] == before


def _seen(made: Tournament, name: str) -> tuple[str, bytes, list[str]]:
    """The page, the file, and the statements of both."""
    cache.clear()
    with CaptureQueriesContext(connection) as statements:
        view = SeriesView(made.slug, None if name == EVE else person(name).pk)
        told = repr((view.sheet.standings, view.games, view.changes, view.going_on))
    file = visitor(name).get(reverse("games:standings", args=[made.slug])).content
    return told, file, [it["sql"] for it in statements]


def test_a_page_takes_as_many_statements_however_much_is_in_the_series() -> None:
    made = series(over())
    before = _counts(made)
    assert max(before) <= 12
    for name in ("Paris", "Thoiry", "Rapallo"):
        acts.put_game(tournament_id=made.pk, by=person(CAROL).pk, game=over(name).slug)
    acts.put_game(tournament_id=made.pk, by=person(CAROL).pk, game=waiting_game(name="Locarno").slug)
    acts.add_director(tournament_id=made.pk, by=person(CAROL).pk, username=person(DAVE).username)
    series()
    assert _counts(made) == before


def _counts(made: Tournament) -> list[int]:
    named = [reverse(f"games:{name}", args=[made.slug]) for name in ("tournament", "standings", "tournament-games")]
    paths = [(EVE, named[0]), (EVE, named[1]), (EVE, reverse("games:tournaments")), *((CAROL, it) for it in named)]
    found = []
    for name, path in paths:
        client = visitor(name)
        cache.clear()
        with CaptureQueriesContext(connection) as statements:
            assert client.get(path).status_code == HTTPStatus.OK
        found.append(len(statements))
    return found
