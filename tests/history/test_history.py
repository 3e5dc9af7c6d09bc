"""Centres over time, and every phase as a picture, a file and a printed page."""

from __future__ import annotations

import gzip
import itertools
import re
from http import HTTPStatus
from resource import RUSAGE_CHILDREN, getrusage
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import AnonymousUser

from games import tasks
from games.history.chart import CentresThen, centre_history
from games.history.files import PREVIEW, card_file, paint_new_cards, svg_to_png
from games.history.queries import history_view
from games.kernel.access import access_game
from games.kernel.page import public_page
from games.mastering.services.desk import close_game
from tests.browsers import address, visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, running_game, waiting_game
from tests.story import Story
from variants.lone_map import standalone_map
from variants.maps import drawing_of
from variants.registry import find, offered

if TYPE_CHECKING:
    from adjudication.turns import Turn
    from games.kernel.models import Game
    from variants.variant import Variant

PNG = b"\x89PNG\r\n\x1a\n"
SECRET = "3: A Aus S A Mun-Cze"


def size_of(png: bytes) -> tuple[int, int]:
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def played() -> Game:
    """A game with a closed Spring phase, with orders and secret bids, and Fall open."""
    game = running_game()
    Story(game).order("GERMANY", "A Mun-Cze", "A Ber-Sil", "F Ham-Den", SECRET)
    Story(game).deadline()
    return game


def turns_of(variant: Variant, number: int) -> list[Turn]:
    turns = [variant.start.turn]
    for _ in range(number):
        turns.append(variant.ruleset.calendar.after(turns[-1]))
    return turns


@pytest.mark.django_db
def test_the_card_of_a_power_does_not_repeat_its_name() -> None:
    game = running_game(variant="three-way-balkan-battle", players=PLAYERS[:3])
    story = Story(game)
    story.order("AUSTRIA", "A Bul - Ser")
    story.order("RUSSIA", "F Bul/ec - Bla")
    story.deadline()
    result = story.seen_by(DAVE, 0).result
    assert "Turkey: Bulgaria is now a home." in [notice.sentence for notice in result.notices]
    assert [side.notices for side in result.sides if side.power == "TURKEY"] == [("Bulgaria is now a home.",)]


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_every_count_of_every_variant_has_its_entry_and_nothing_else_has(variant: Variant) -> None:
    turns = turns_of(variant, 24)
    history = centre_history([CentresThen(i, turn, {}) for i, turn in enumerate(turns)], variant)
    counted = [str(turn.year) for turn in turns[:-1] if variant.ruleset.calendar.counts_centres(turn)]
    assert [count.label for count in history.counts] == ["Start", *counted]
    assert len(counted) >= 3


def test_a_count_stands_at_the_first_phase_after_it_also_when_phases_were_left_out() -> None:
    variant = find("standard")
    spring, _, fall, _, winter, following, *_ = turns_of(variant, 6)
    recorded = [
        CentresThen(0, spring, {"PAR": "FRANCE"}),
        CentresThen(1, fall, {"PAR": "FRANCE"}),
        CentresThen(2, following, {"PAR": "GERMANY", "MUN": "GERMANY"}),
    ]
    history = centre_history(recorded, variant)
    names = [power.id for power in history.powers]
    assert [(count.label, count.ordinal) for count in history.counts] == [("Start", 0), ("1901", 2)]
    assert history.counts[0].centres[names.index("FRANCE")] == 1
    assert history.counts[1].centres[names.index("FRANCE")] == 0
    assert history.counts[1].centres[names.index("GERMANY")] == 2
    assert winter.year == 1901


def test_a_game_that_has_only_begun_has_numbers_and_no_chart() -> None:
    variant = find("1926")
    history = centre_history([CentresThen(0, variant.start.turn, variant.start.centres)], variant)
    assert history.charts == ()
    assert sum(history.counts[0].centres) == len(variant.start.centres)


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_the_letters_of_a_chart_stand_apart_and_inside_of_it(variant: Variant) -> None:
    turns = turns_of(variant, 24)
    charts = centre_history([CentresThen(i, turn, {}) for i, turn in enumerate(turns)], variant).charts
    assert [chart.width for chart in charts] == [720, 340]
    for chart in charts:
        heights = sorted(course.end[1] for course in chart.courses)
        assert all(later - earlier > 16 for earlier, later in itertools.pairwise(heights))
        assert heights[0] > 8
        assert heights[-1] < chart.height - 8
        assert all(course.end[0] < chart.width - 8 for course in chart.courses)
        apart = [later.at - earlier.at for earlier, later in itertools.pairwise(chart.labels)]
        assert min(apart) > 36


def test_every_line_of_a_chart_starts_and_ends_at_its_own_numbers() -> None:
    variant = find("standard")
    spring, _, _, winter, _, following = turns_of(variant, 5)
    owners = variant.start.centres
    recorded = [
        CentresThen(0, spring, owners),
        CentresThen(1, winter, owners),
        CentresThen(2, following, {**owners, "MUN": "FRANCE"}),
    ]
    history = centre_history(recorded, variant)
    for chart in history.charts:
        heights = {rung.label: f"{rung.at:.1f}" for rung in chart.rungs}
        for index, course in enumerate(chart.courses):
            seen = [point.split()[1] for point in course.shape.removeprefix("M").split("L")]
            assert seen == [heights[str(count.centres[index])] for count in history.counts]


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_a_map_on_its_own_has_all_its_colours_in_it(variant: Variant) -> None:
    svg = standalone_map(variant.slug, drawing_of(variant.start, variant))
    assert svg.startswith("<svg ")
    assert 'xmlns="http://www.w3.org/2000/svg"' in svg
    assert "var(" not in svg
    assert ":is(" not in svg
    assert not re.search(r"(href|src)=\"(?!#)", svg)
    assert '.board .unit[data-colour="1"]' in svg


def test_a_picture_is_as_wide_as_it_was_asked_to_be_and_painted_in_another_process() -> None:
    variant = find("corridor")
    before = getrusage(RUSAGE_CHILDREN).ru_utime
    png = svg_to_png(standalone_map("corridor", drawing_of(variant.start, variant)), 260)
    assert png.startswith(PNG)
    assert getrusage(RUSAGE_CHILDREN).ru_utime > before, "the library would keep all threads of this process waiting"
    assert size_of(png)[0] == 260


@pytest.mark.django_db
def test_the_history_shows_chart_numbers_and_the_way_to_every_phase() -> None:
    game = played()
    Story(game).deadline()
    page = visitor().get(address("history", game))
    words = page.content.decode()
    assert page.status_code == HTTPStatus.OK
    assert page["Cache-Control"] == "public, no-cache"
    assert words.count('class="chart__course"') == 2 * 7
    assert f'href="{address("phase", game, ordinal=0)}#play"' in words
    assert '<th scope="row"><a href="' in words


@pytest.mark.django_db
def test_the_map_of_a_phase_that_is_over_opens_at_the_units_of_who_played_in_it() -> None:
    game = played()
    player = occupancy_of(game, "GERMANY").user.username
    past = address("phase", game, ordinal=0)
    colour = find(game.variant_slug).power("GERMANY").colour
    assert f'data-shows="{colour}"' in visitor(player).get(past).content.decode()
    assert "data-shows" not in visitor(DAVE).get(past).content.decode()


@pytest.mark.django_db
def test_the_history_of_a_game_that_waits_says_so() -> None:
    assert "has not started" in visitor().get(address("history", waiting_game())).content.decode()


@pytest.mark.django_db
def test_the_end_of_a_game_that_is_over_is_the_last_entry() -> None:
    game = played()
    Story(game).deadline()
    close_game(game_id=game.pk, by=person(CAROL).pk)
    history = history_view(access_game(user=person(DAVE), slug=game.slug))
    assert [count.label for count in history.counts] == ["Start", "1926"]


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "kind"), [("map", "image/svg+xml"), ("picture", "image/png"), ("card", "image/png")])
def test_files_of_a_phase_are_the_same_for_everybody_and_may_be_kept(name: str, kind: str) -> None:
    game = played()
    path = address(name, game, ordinal=0)
    answers = [visitor(who).get(path) for who in ("", PLAYERS[2], CAROL)]
    first = answers[0]
    assert {answer.status_code for answer in answers} == {HTTPStatus.OK}
    assert {answer.content for answer in answers} == {first.content}
    assert first["Content-Type"] == kind
    assert first["Cache-Control"] == "max-age=300, public"
    again = visitor().get(path, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (HTTPStatus.NOT_MODIFIED, b"")
    if kind == "image/png":
        assert first.content.startswith(PNG)


@pytest.mark.django_db
def test_a_drawn_map_is_sent_compressed_where_that_can_be_read() -> None:
    path = address("map", played(), ordinal=0)
    plain, zipped = visitor().get(path), visitor().get(path, headers={"Accept-Encoding": "gzip"})
    assert (plain.get("Content-Encoding"), zipped["Content-Encoding"]) == (None, "gzip")
    assert gzip.decompress(zipped.content) == plain.content
    assert len(zipped.content) < len(plain.content) / 2
    assert zipped["ETag"] == plain["ETag"]
    assert "Accept-Encoding" in zipped["Vary"]


@pytest.mark.django_db
def test_the_card_has_the_size_that_previews_ask_for_and_changes_with_the_name() -> None:
    game = played()
    first = visitor().get(address("card", game, ordinal=0))
    assert size_of(first.content) == PREVIEW
    game.name = "Renamed"
    game.save(update_fields=["name"])
    assert visitor().get(address("card", game, ordinal=0))["ETag"] != first["ETag"]


def test_words_on_a_map_are_painted() -> None:
    empty = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20">{}</svg>'
    assert svg_to_png(empty.format('<text y="15">Kiel</text>'), 60) != svg_to_png(empty.format(""), 60)


@pytest.mark.django_db
def test_a_phase_tells_places_that_show_links_of_its_card() -> None:
    game = played()
    for page in (address("phase", game, ordinal=0), address("game", game)):
        words = visitor().get(page).content.decode()
        assert 'property="og:image" content="http://testserver' in words
    assert (
        f'content="http://testserver{address("card", game, ordinal=0)}"'
        in visitor().get(address("phase", game, ordinal=0)).content.decode()
    )


@pytest.mark.django_db
def test_the_card_of_a_new_phase_is_painted_before_a_link_to_the_game_is_shared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = running_game()
    running_game(by_invitation=True)
    Story(game).deadline()
    monkeypatch.setattr(tasks, "SWEEP_SECONDS", 0)
    tasks.paint_cards()  # has no time left
    assert paint_new_cards(lambda: False) == 1
    assert paint_new_cards(lambda: False) == 0
    kept = card_file(public_page(access_game(user=AnonymousUser(), slug=game.slug))).kept
    page = visitor().get(address("game", game)).content.decode()
    shared = re.search(r'property="og:image" content="http://testserver([^"]+)"', page)
    assert shared is not None
    assert kept == visitor().get(shared[1]).content
    assert kept is not None


@pytest.mark.django_db
def test_what_strangers_share_does_not_repeat_the_host_that_one_of_them_asked_for() -> None:
    game = played()
    for page in (address("phase", game, ordinal=0), address("game", game)):
        first = visitor().get(page, headers={"host": "testserver:6666"}).content.decode()
        assert ":6666" not in first
        assert first.count('content="http://testserver/') == 2


@pytest.mark.django_db
def test_a_game_by_invitation_shows_nothing_of_it_to_strangers() -> None:
    game = running_game(by_invitation=True)
    Story(game).deadline()
    for name in ("map", "picture", "card", "print"):
        path = address(name, game, ordinal=0)
        assert visitor().get(path).status_code == HTTPStatus.NOT_FOUND
        answer = visitor(PLAYERS[0]).get(path)
        assert answer.status_code == HTTPStatus.OK
        assert "private" in answer["Cache-Control"]
    assert visitor().get(address("history", game)).status_code == HTTPStatus.NOT_FOUND
    phase = visitor(PLAYERS[0]).get(address("phase", game, ordinal=0)).content.decode()
    assert "og:image" not in phase
    assert "by invitation" in phase


@pytest.mark.django_db
def test_the_page_to_print_has_map_and_orders_and_nobodys_own_sheet() -> None:
    game = played()
    answer = visitor(PLAYERS[2]).get(address("print", game, ordinal=0))
    words = answer.content.decode()
    assert "max-age=300" in answer["Cache-Control"]
    assert 'class="board"' in words
    assert "A Mun–Cze" in words
    assert "3: A Aus" not in words
    assert PLAYERS[2] not in words


@pytest.mark.django_db
def test_no_phase_no_picture() -> None:
    game = played()
    for name in ("map", "picture", "card", "print"):
        assert visitor().get(address(name, game, ordinal=9)).status_code == HTTPStatus.NOT_FOUND


@pytest.mark.django_db
def test_who_asks_for_many_new_pictures_waits_and_gets_the_painted_ones_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("games.history.views.PICTURES", "1/min")
    game = played()
    assert visitor().get(address("picture", game, ordinal=0)).status_code == HTTPStatus.OK
    refused = visitor().get(address("picture", game, ordinal=1))
    assert refused.status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert (
        "1 new pictures were painted for your account or network within a minute. That’s the most"
        in refused.content.decode()
    )
    assert visitor().get(address("picture", game, ordinal=0)).status_code == HTTPStatus.OK
    assert visitor(DAVE).get(address("picture", game, ordinal=1)).status_code == HTTPStatus.OK
