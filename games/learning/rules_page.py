"""What a variant's page shows besides its map: facts, the turns of a year, rules and worked examples; the glossary."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape, unescape
from pathlib import Path

import nh3
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt

from adjudication.board import Board, province_of
from adjudication.orders import Convoy, Declare, Move, Order, Retreat, Support, location_of
from adjudication.position import Position
from adjudication.resolution import Public
from adjudication.situation import Situation
from adjudication.turns import Calendar, PhaseKind
from adjudication.units import NEUTRAL, Unit
from games.history.parts import NoticeView, OutcomeView
from games.history.results import notice_views, outcome_views
from games.kernel.languages import SOURCE, cached_by_language, later
from variants.by_slug import versions_by_digest
from variants.differences import differences
from variants.drawing import draw_board
from variants.examples import Example, examples_of, outcomes_to_show, play
from variants.excerpt import board_to_borrow_from, box_around, box_of, excerpt, is_inside, miniature
from variants.maps import draw_svg, drawing_of
from variants.registry import find
from variants.rulebook import path_of, spaces
from variants.rulebooks import home_of
from variants.variant import Variant
from variants.words import aim_words, ending_words
from variants.words.english import listed
from variants.words.messages import term, worded
from variants.words.orders import phase_words, pretty_order, season_words, turn_words, unit_words

_GLOSSARY = Path(__file__).with_name("glossary.md")
_MARKDOWN = MarkdownIt("js-default", {"typographer": True}).enable("smartquotes")
_OUR_READING = re.compile(r"<strong>(Our reading \((D\d+)\)\.|\d\.[A-E]\.\d)</strong>")
"""As in **Our reading (D5).** before a sentence, or **4.A.2** at the start of a row about the DATC."""

_LAND_OF_MINORS = re.compile(r'<path [^>]*data-colour="minor"')
_HEADING = re.compile(r"<h2>(.*?)</h2>")
_TAG = re.compile(r"<[^>]*>")

_PHASE_WORDS = {
    PhaseKind.MOVEMENT: later("all orders are revealed together and carried out at once"),
    PhaseKind.RETREAT: later("dislodged units retreat"),
    PhaseKind.ADJUSTMENT: later("units are built and removed"),
    PhaseKind.DEPLOYMENT: later("all powers place their first units in secret"),
    PhaseKind.DECLARATION: later("all powers declare war, neutrality or alliance in secret"),
}

_CENTRES_CHANGE_HANDS = later("supply centres change hands")
PhaseStep = tuple[PhaseKind, bool]
"""A kind of phase, and whether supply centres change hands after it."""


@dataclass(frozen=True, slots=True)
class VariantFacts:
    """A variant in numbers; `aim` says what it takes to win, `begins` names the first turn."""

    spaces: int
    centres: int
    minors: int
    aim: str
    begins: str


@dataclass(frozen=True, slots=True)
class PowerRow:
    """A power at the start: its units ("A Mun"), and the names of its home centres and other centres."""

    name: str
    letter: str
    colour: str
    units: tuple[str, ...]
    homes: tuple[str, ...]
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CourseStage:
    """One turn, or several in which the same happens, and what happens in words."""

    title: str
    happens: str


@dataclass(frozen=True, slots=True)
class ExampleCard:
    """A worked example. `outcomes`, `notices`, `missed` and `verdict` are as in a ResultView; `picture` is "" if
    nothing happens on the map."""

    title: str
    anchor: str
    text: str
    decision: str
    source: str
    turn: str
    picture: SafeString | str
    bids: tuple[str, ...]
    before: tuple[str, ...]
    outcomes: tuple[OutcomeView, ...]
    notices: tuple[NoticeView, ...]
    missed: tuple[str, ...]
    verdict: str
    retreats: tuple[str, ...]
    relations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RulesHeading:
    anchor: str
    title: str


@dataclass(frozen=True, slots=True)
class RulesPage:
    """`unowned`: the colour slot of unowned land on the map. `newest`: the slug, on the page of an earlier version.
    `versions`: of each earlier version its number, what finds it, and in sentences what the next one has changed; the
    latest first. `names`: ("Mun", "Munich", "") for each province, with what the variant notes about it. `language`: of
    the rules, as HTML names it, if it is not that of the page."""

    board: SafeString
    unowned: str
    facts: VariantFacts
    powers: tuple[PowerRow, ...]
    course: tuple[CourseStage, ...]
    intro: SafeString
    rules: SafeString
    contents: tuple[RulesHeading, ...]
    language: str
    names: tuple[tuple[str, str, str], ...]
    examples: tuple[ExampleCard, ...]
    version: str
    newest: str
    versions: tuple[tuple[str, str, tuple[str, ...]], ...]


@cached_by_language(64)
def variant_facts(slug: str) -> VariantFacts:
    variant = find(slug)
    return VariantFacts(
        spaces=len(spaces(variant.ruleset.board)),
        centres=len(variant.ruleset.board.centres),
        minors=len(variant.start.units_of(NEUTRAL)),
        aim=aim_words(variant.ruleset),
        begins=turn_words(variant.start.turn),
    )


@lru_cache(maxsize=64)
def thumbnail_of(slug: str) -> SafeString:
    """The map at the start, as a thumbnail."""
    variant = find(slug)
    owners = drawing_of(variant.start, variant).owners
    return mark_safe(miniature(draw_board(variant.art, owners, ())))  # noqa: S308 - our own drawing


@cached_by_language(64)
def board_at_start(slug: str) -> SafeString:
    """The map at the start. The pictures of examples on the same page reuse parts of it."""
    variant = find(slug)
    return mark_safe(board_to_borrow_from(draw_svg(slug, drawing_of(variant.start, variant))))  # noqa: S308 - escaped where drawn


@cached_by_language(64)
def rules_page(slug: str) -> RulesPage:
    """The page of a variant, made once per process and language: nothing in it changes while the site runs."""
    variant = find(slug)
    examples = tuple(_example_card(example, variant) for example in examples_of(variant))
    home = home_of(slug)
    text, language = text_in_language(path_of(home.variants / home.folder, "rules.md"))
    html = _with_heading_ids(_with_readings_linked(nh3.clean(_html_without_title(text)), examples))
    intro, heading, rules = html.partition("<h2")
    provinces = [variant.ruleset.board.provinces[province] for province in spaces(variant.ruleset.board)]
    names = [(it.abbr, it.name, worded(variant.notes.get(it.id, ""))) for it in provinces]
    return RulesPage(
        board=board_at_start(slug),
        unowned="minor" if _LAND_OF_MINORS.search(board_at_start(slug)) else "none",
        facts=variant_facts(slug),
        powers=tuple(_power_rows(variant)),
        course=course_of_year(variant.ruleset.calendar),
        intro=mark_safe(intro),  # noqa: S308 - cleaned above; only slugs and numbers are added
        rules=mark_safe(heading + rules),  # noqa: S308 - the same
        contents=tuple(_headings(html)),
        language=language,
        names=tuple(sorted(names, key=lambda row: row[0].casefold())),
        examples=examples,
        version=variant.version,
        newest="" if variant.is_newest else variant.slug,
        versions=tuple(_versions(variant.slug)),
    )


def _versions(slug: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    now = find(slug)
    for digest in reversed(versions_by_digest(slug)):
        before = find(slug, digest)
        yield before.version, before.ref, tuple(differences(before, now))
        now = before


@cached_by_language(64)
def glossary_page() -> tuple[SafeString, tuple[RulesHeading, ...], str]:
    """The glossary without its title, its headings, and its language as in RulesPage."""
    text, language = text_in_language(_GLOSSARY)
    html = _with_heading_ids(nh3.clean(_html_without_title(text)))
    return mark_safe(html), tuple(_headings(html)), language  # noqa: S308 - our own file


# Powers and the year.


def _power_rows(variant: Variant) -> Iterator[PowerRow]:
    board, start = variant.ruleset.board, variant.start
    for power in variant.powers:
        homes = variant.ruleset.homes[power.id]
        other_centres = [centre for centre in start.centres_of(power.id) if centre not in homes]
        yield PowerRow(
            name=power.name,
            letter=power.letter,
            colour=str(power.colour),
            units=tuple(_unit_at_the_start(unit, variant) for unit in start.units_of(power.id)),
            homes=_sorted_names(homes, board),
            others=_sorted_names(other_centres, board),
        )


def _unit_at_the_start(unit: Unit, variant: Variant) -> str:
    """A unit in words, as in "A Mun"; if its first order decides its kind, with both kinds."""
    forms = Situation(variant.start, variant.ruleset).forms(unit)
    if len(forms) == 1:
        return unit_words(unit, variant.ruleset.board)
    words = unit_words(unit, variant.ruleset.board).partition(" ")[2]
    kinds = listed(sorted({form.kind.value for form in forms}), "or")
    return _("{kinds} {place}, chosen with the first order").format(kinds=kinds, place=words)


def _sorted_names(provinces: Iterable[str], board: Board) -> tuple[str, ...]:
    return tuple(sorted(board.provinces[province].name for province in provinces))


def course_of_year(calendar: Calendar) -> tuple[CourseStage, ...]:
    """What happens in the turns that come only once, then in those of every year; turns of one stage are alike."""
    opening_steps: dict[str, list[PhaseStep]] = {}
    for opening in calendar.opening:
        opening_steps.setdefault(turn_words(opening.turn), []).append((opening.turn.kind, opening.counts))
    yearly_steps: dict[str, list[PhaseStep]] = {}
    for step in calendar.steps:
        yearly_steps.setdefault(season_words(step.season), []).append((step.kind, step.counts))
    courses: dict[str, list[str]] = {}
    for title, steps in yearly_steps.items():
        courses.setdefault(_course_words(steps), []).append(title)
    return (
        *(CourseStage(title, _course_words(steps)) for title, steps in opening_steps.items()),
        *(CourseStage(listed(titles), happens) for happens, titles in courses.items()),
    )


def _course_words(steps: Sequence[PhaseStep]) -> str:
    """What happens in these phases, as in "All orders are …, then dislodged units retreat."."""
    events: list[str] = []
    for kind, counts in steps:
        events += [_PHASE_WORDS[kind], *([_CENTRES_CHANGE_HANDS] if counts else [])]
    words = listed(map(str, events), "then")
    return f"{words[0].upper()}{words[1:]}."


# The rules.


def text_in_language(path: Path) -> tuple[str, str]:
    """The text in the reader's language, from a file such as rules.de.md beside it, or in English, and then the code of
    that language."""
    translation = path.with_suffix(f".{get_language()}{path.suffix}")
    if translation.exists():
        return translation.read_text(encoding="utf-8"), ""
    return path.read_text(encoding="utf-8"), "" if get_language() == SOURCE else "en-GB"


def _html_without_title(text: str) -> str:
    """The HTML of a text without its title, which the page already shows."""
    tokens = _MARKDOWN.parse(text)
    if tokens and tokens[0].tag == "h1":
        tokens = tokens[3:]
    return str(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))


def _with_readings_linked(html: str, examples: Sequence[ExampleCard]) -> str:
    """Mark every reading of ours, for examples to link to, and link each to its first example."""
    links, see = dict[str, str](), escape(_("see an example"))
    for example in reversed(examples):
        about = f'<span class="visually-hidden">: {escape(example.title)}</span>'
        links[example.decision] = f' <a class="see" href="#{example.anchor}">{see}{about}</a>'
    marked_before: set[str] = set()

    def mark(match: re.Match[str]) -> str:
        number = match[2] or match[1]
        words = _("Our reading {number}").format(number=number) if match[2] else number
        place = "" if number in marked_before else f' id="{number}"'
        marked_before.add(number)
        return f'<strong class="reading"{place}>{words}</strong>{links.get(number, "")}'

    return _OUR_READING.sub(mark, html)


def _with_heading_ids(html: str) -> str:
    return _HEADING.sub(lambda found: f'<h2 id="{_heading_anchor(found[1])}">{found[1]}</h2>', html)


def _headings(html: str) -> Iterator[RulesHeading]:
    for anchor, title in re.findall(r'<h2 id="([^"]*)">(.*?)</h2>', html):
        yield RulesHeading(anchor, unescape(_TAG.sub("", title)))


def _heading_anchor(title: str) -> str:
    return f"rules-{slugify(unescape(_TAG.sub('', title)))}"


# Worked examples.


def _example_card(example: Example, variant: Variant) -> ExampleCard:
    result = play(example, variant.ruleset)
    result = replace(result, outcomes=outcomes_to_show(example, result))
    position, board, names = example.position, variant.ruleset.board, {it.id: it.name for it in variant.powers}
    anchor = f"example-{slugify(example.title)}"
    return ExampleCard(
        title=worded(example.title),
        anchor=anchor,
        text=worded(example.text),
        decision=example.decision,
        source=example.source,
        turn=phase_words(position.turn),
        picture=_picture_of_example(example, result, variant, anchor),
        bids=tuple(
            term("bid of", power=names[power], points=it.points, order=pretty_order(it.order, position, board))
            for power, sheet in example.phase.sheets.items()
            for it in sheet.bids
        ),
        before=tuple(_relation_lines(position, position.relations, variant)),
        outcomes=outcome_views(result.outcomes, position, variant),
        notices=notice_views(result.notices, variant),
        missed=(),
        verdict=ending_words(result, variant.ruleset),
        retreats=tuple(_retreat_lines(result.next, board)),
        relations=tuple(_relation_lines(result.next, example.claims.get("relations_after", ()), variant)),
    )


def _relation_lines(position: Position, pairs: Iterable[str], variant: Variant) -> Iterator[str]:
    first_stance = variant.ruleset.relations.stances[:1]
    for pair in pairs:
        names = [variant.power(power).name for power in pair.split()]
        yield f"{listed(names)}: {term(str(position.relations.get(pair, *first_stance)))}"


def _retreat_lines(position: Position, board: Board) -> Iterator[str]:
    for beaten in position.dislodged:
        places = [board.name(place) for place in beaten.retreats]
        yield _("{unit} may retreat to {places}.").format(unit=unit_words(beaten.unit, board), places=listed(places))


def _picture_of_example(example: Example, result: Public, variant: Variant, name: str) -> SafeString | str:
    """The part of the board where something happens or, if nothing was ordered, where the example's units are, with the
    orders and their results; "" if it has no units of its own."""
    places = [place for outcome in result.outcomes for place in locations_in(outcome.order)]
    places += [notice.province for notice in result.notices if notice.province]
    if not places and example.position.units != variant.start.units:
        places = [unit.location for unit in example.position.units]
    if not places:
        return ""
    points = [variant.art.places.get(place) or variant.art.places[province_of(place)] for place in places]
    board = board_at_start(variant.ref)
    drawing = drawing_of(example.position, variant, result.outcomes)
    box = box_around(points, box_of(board))
    part_of_board = replace(
        drawing,
        units=tuple(mark for mark in drawing.units if is_inside(variant.art.places[mark.location], box)),
        title=worded(example.title),
    )
    return mark_safe(excerpt(draw_svg(variant.ref, part_of_board), box, board, name))  # noqa: S308 - every text in it is escaped


def locations_in(order: Order) -> Iterator[str]:
    if not isinstance(order, Declare) and location_of(order):
        yield location_of(order)
    if isinstance(order, Support):
        yield order.supported
    if isinstance(order, Convoy):
        yield order.army
    if isinstance(order, Move | Support | Convoy | Retreat) and order.destination:
        yield order.destination
