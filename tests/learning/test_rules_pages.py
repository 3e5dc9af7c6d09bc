"""A variant's page: its facts, its year, its rules and its adjudicated examples."""

import gzip
import re
from html import unescape
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from adjudication.orders import Build, Convoy, Declare, Move, Retreat, Support, Waive
from adjudication.turns import STANDARD_YEAR, Calendar, Opening, PhaseKind, Season, Step, Turn
from adjudication.units import NEUTRAL, UnitKind
from games.learning.lessons import LESSONS
from games.learning.rules_page import CourseStage, course_of_year, locations_in, rules_page, text_in_language
from variants.examples import examples_of
from variants.registry import find, offered
from variants.rulebook import spaces
from variants.variant import Variant
from variants.words import aim_words
from variants.words.orders import unit_words

pytestmark = pytest.mark.django_db

each_variant = pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)


def page_of(variant: Variant) -> str:
    return Client().get(reverse("games:variant", kwargs={"slug": variant.ref})).content.decode()


def words(html: str) -> str:
    """What a reader sees, with single spaces."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def card(page: str, title: str) -> str:
    """The words of one worked example."""
    cards = re.findall(r'<article class="card example".*?</article>', page, re.DOTALL)
    return next(words(each) for each in cards if title in words(each))


def test_the_page_tells_how_even_a_board_is_if_that_version_was_measured() -> None:
    uneven, unmeasured = (words(page_of(find(slug))) for slug in ("balkan-battle", "corridor"))
    assert "Much easier for Austria. We measure how even boards are by games of equal bots." in uneven
    assert "equal bots" not in unmeasured


@each_variant
def test_the_page_tells_what_wins_how_large_the_board_is_and_how_everybody_starts(variant: Variant) -> None:
    page = words(page_of(variant))
    board, start = variant.ruleset.board, variant.start
    assert f"Provinces {len(spaces(board))} Supply centres {len(board.centres)} " in page
    assert f"To win {aim_words(variant.ruleset)} First turn {start.turn.title} " in page
    for power in variant.powers:
        open_still = variant.ruleset.muster == start.turn
        units = ", ".join(unit_words(unit, board) for unit in start.units_of(power.id) if not open_still)
        homes = sorted(board.provinces[home].name for home in variant.ruleset.homes[power.id])
        assert f"{power.name} {units}".strip() in page
        assert not homes or f"Builds in {', '.join(homes)}" in page


@each_variant
def test_the_page_leads_to_the_lessons_and_says_if_one_is_about_bids(variant: Variant) -> None:
    page = page_of(variant)
    assert f'<a href="{reverse("games:learn")}">Learn to play in short lessons</a>' in page
    assert sum(lesson.bids for lesson in LESSONS) == 2
    assert ("two of them about bids" in page) is bool(variant.start.units_of(NEUTRAL))


@each_variant
def test_every_province_is_listed_with_its_abbreviation(variant: Variant) -> None:
    _, _, page = words(page_of(variant)).rpartition("Names and abbreviations ")
    board = variant.ruleset.board
    provinces = [board.provinces[place] for place in spaces(board)]
    provinces.sort(key=lambda province: province.abbr.casefold())
    assert page.startswith(" ".join(f"{p.abbr} {p.name} {variant.notes.get(p.id, '')}".strip() for p in provinces))


def test_where_first_orders_say_what_the_units_are_the_page_does_not_say_it_before() -> None:
    page = words(page_of(find("three-way-balkan-battle")))
    assert "Turkey A or F Bul, chosen with the first order" in page


@each_variant
def test_every_example_is_told_with_the_judges_own_words(variant: Variant) -> None:
    page = page_of(variant)
    for shown, example in zip(rules_page(variant.slug).examples, examples_of(variant), strict=True):
        told = card(page, " ".join(example.title.split()))
        assert " ".join(example.text.split()) in told
        for outcome in shown.outcomes:
            assert outcome.text in told
            assert " ".join(outcome.sentence.split()) in told
        for notice in shown.notices:
            assert notice.sentence in told


@each_variant
def test_every_link_within_the_page_leads_somewhere_and_no_id_is_there_twice(variant: Variant) -> None:
    page = page_of(variant)
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)


@each_variant
def test_a_reading_leads_to_its_example_and_the_example_back(variant: Variant) -> None:
    page = page_of(variant)
    for example in rules_page(variant.slug).examples:
        if example.decision:
            assert f'href="#{example.decision}">Our reading {example.decision}</a>' in page
            link = r'<a class="see" [^>]*>see an example<span [^>]*>: \w'
            assert re.search(rf'id="{re.escape(example.decision)}">[^<]*</strong> {link}', page)


@each_variant
def test_the_page_is_light_enough_for_a_phone(variant: Variant) -> None:
    answer = Client().get(reverse("games:variant", kwargs={"slug": variant.slug}), headers={"accept-encoding": "gzip"})
    assert len(answer.content) < 120_000
    assert len(gzip.decompress(answer.content)) < 500_000


def test_the_list_has_every_variant_with_its_map_its_players_and_its_size() -> None:
    page = Client().get(reverse("games:variants")).content.decode()
    assert page.count("board--small") == len(offered())
    for variant in offered():
        board = variant.ruleset.board
        size = f"{variant.players} players · {len(spaces(board))} provinces · {len(board.centres)} supply centres"
        assert f"{variant.title} {variant.summary} {size}" in words(page)


def test_a_whole_text_is_that_of_the_readers_language_or_in_english_and_says_so(tmp_path: Path) -> None:
    for name in ("rules", "rules.de"):
        (tmp_path / f"{name}.md").write_text(name)
    found = []
    for language in ("en-gb", "de", "xa"):
        with override(language):
            found.append(text_in_language(tmp_path / "rules.md"))
    assert found == [("rules", ""), ("rules.de", ""), ("rules", "en-GB")]
    for name, where in (("glossary", {}), ("variant", {"slug": "1926"})):
        address = reverse(f"games:{name}", kwargs=where)
        assert ' lang="en-GB">' in Client().get(address, {"lang": "xa"}).text.partition("<body")[2]
        assert ' lang="en-GB">' not in Client().get(address).text.partition("<body")[2]


def test_the_glossary_is_the_file_that_contributors_read() -> None:
    page = Client().get(reverse("games:glossary")).content.decode()
    rows = re.findall(
        r"^\| (.+) \| (.+) \|$", (settings.BASE_DIR / "games/learning/glossary.md").read_text("utf-8"), re.MULTILINE
    )
    assert len(rows) > 40
    assert [row for row in rows if f"<td>{row[0]}</td>\n<td>{row[1]}" not in page and row[0] != "Word"] == []


# The year in words.

MOVES = "all orders are revealed together and carried out at once"


def test_the_course_of_the_classic_year() -> None:
    assert course_of_year(STANDARD_YEAR) == (
        CourseStage("Spring", f"{MOVES.capitalize()}, then dislodged units retreat."),
        CourseStage("Fall", f"{MOVES.capitalize()}, then dislodged units retreat, then supply centres change hands."),
        CourseStage("Winter", "Units are built and removed."),
    )


def test_what_comes_once_is_told_first_and_equal_months_together() -> None:
    months = (Season.NOVEMBER, Season.DECEMBER, Season.JANUARY)
    opening = Turn(1918, Season.OCTOBER, PhaseKind.DEPLOYMENT)
    retreats = Turn(1918, Season.OCTOBER, PhaseKind.RETREAT)
    calendar = Calendar(
        tuple(Step(month, PhaseKind.MOVEMENT) for month in months),
        opening=(Opening(opening), Opening(retreats, counts=True)),
        begins=Turn(1918, Season.NOVEMBER, PhaseKind.MOVEMENT),
    )
    assert course_of_year(calendar) == (
        CourseStage(
            "October 1918",
            "All powers place their first units in secret, then dislodged units retreat, "
            "then supply centres change hands.",
        ),
        CourseStage("November, December and January", f"{MOVES.capitalize()}."),
    )


# Where something happens.


def test_an_order_is_drawn_with_all_the_places_it_speaks_of() -> None:
    assert list(locations_in(Move("PAR", "BUR"))) == ["PAR", "BUR"]
    assert list(locations_in(Support("MAR", "PAR", "BUR"))) == ["MAR", "PAR", "BUR"]
    assert list(locations_in(Support("MAR", "PAR"))) == ["MAR", "PAR"]
    assert list(locations_in(Convoy("ENG", "LON", "BEL"))) == ["ENG", "LON", "BEL"]
    assert list(locations_in(Retreat("MUN", "TYR"))) == ["MUN", "TYR"]
    assert list(locations_in(Build(UnitKind.ARMY, "PAR"))) == ["PAR"]
    assert list(locations_in(Waive())) == list(locations_in(Declare("war", "FRANCE"))) == []
