"""The tutorial: lessons, most on the teaching board, and a page for every kind of order.

A lesson is a worked example in which learners write the orders of one power; the other powers have those of the
example. Nothing is stored: a lesson's address holds the orders to adjudicate.
"""

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from django.utils.translation import gettext

from adjudication.judge import resolve, with_next_phase
from adjudication.position import Position
from adjudication.resolution import Public
from adjudication.turns import PhaseKind
from games.history.parts import NoticeView, OutcomeView, RelationsView
from games.history.results import notice_views, outcome_views, relations_view
from games.kernel.languages import cached_by_language
from games.orders.sheets import ReadSheet
from variants.examples import Example, examples_of, outcomes_to_show, play
from variants.maps import Drawing, drawing_of
from variants.registry import find, offered, teaching
from variants.variant import Variant
from variants.words import ending_words
from variants.words.messages import worded

BOARD = teaching()[0].slug


def _entries_of(kind: str) -> Iterator[dict[str, Any]]:
    """The entries of this kind in lessons.toml, with tuples instead of lists."""
    entries = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))[kind]
    return ({name: _with_tuples(value) for name, value in entry.items()} for entry in entries)


def _with_tuples(value: Any) -> Any:
    return tuple(map(_with_tuples, value)) if isinstance(value, list) else value


PiecesOfPowers = tuple[tuple[str, str], ...]
"""Powers and what they have, as in (("WESTLAND", "A HIL"),)."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """`example`: the title of the worked example of `board` with which it starts; with `after`, it is about the phase
    after the example, and with `bids` the learner bids points.

    `units` and `centres`: what powers must have afterwards. `praise` is shown if they do, otherwise `hint`. `taps`: one
    row for each order, with the provinces to tap and the names of buttons. `number`: its address before it had a name;
    None if it always had one.
    """

    slug: str
    title: str
    power: str
    task: str
    example: str
    praise: str
    hint: str
    taps: tuple[tuple[str, ...], ...]
    units: PiecesOfPowers = ()
    centres: PiecesOfPowers = ()
    board: str = BOARD
    number: int | None = None
    after: bool = False
    bids: bool = False

    @property
    def variant(self) -> Variant:
        return find(self.board)

    @property
    def places(self) -> tuple[str, ...]:
        """The provinces in `taps`."""
        return tuple(tap for row in self.taps for tap in row if tap in self.variant.ruleset.board.provinces)

    @property
    def taps_in_words(self) -> tuple[tuple[tuple[str, bool], ...], ...]:
        """The taps in words, each with whether it is a button."""
        board, places = self.variant.ruleset.board, self.places
        return tuple(
            tuple((board.name(tap), False) if tap in places else (gettext(tap), True) for tap in row)
            for row in self.taps
        )

    def has_reached_goal(self, position: Position) -> bool:
        units = {(unit.power, str(unit)) for unit in position.units}
        return units.issuperset(self.units) and {(p, c) for c, p in position.centres.items()}.issuperset(self.centres)


TEXTS_SHOWN = ("title", "task", "praise", "hint", "says", "mind")
"""What people read of an entry."""
LESSONS = tuple(Lesson(**row) for row in _entries_of("lesson"))


T = TypeVar("T", "Lesson", "OrderForm")


def in_readers_language(entries: Iterable[T]) -> tuple[T, ...]:
    """These lessons or order forms in the reader's language."""
    words: Iterable[dict[str, Any]]
    words = ({name: gettext(getattr(entry, name)) for name in TEXTS_SHOWN if hasattr(entry, name)} for entry in entries)
    return tuple(replace(entry, **texts) for entry, texts in zip(entries, words, strict=True))


@dataclass(frozen=True, slots=True)
class ResultShown:
    """What happened, as `history/partials/result.html` shows it."""

    outcomes: tuple[OutcomeView, ...]
    notices: tuple[NoticeView, ...]
    missed: tuple[str, ...] = ()
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class LessonAnswer:
    """The result of the learner's orders. `before`: the map with their arrows, `now`: the map afterwards."""

    reached: bool
    result: ResultShown
    before: Drawing
    now: Drawing


def example_called(title: str, variant: Variant) -> Example:
    """The variant's worked example with this title; raises KeyError if there is none."""
    return {example.title: example for example in examples_of(variant)}[title]


@lru_cache(maxsize=16)
def start_of_lesson(lesson: Lesson) -> Position:
    """The position in which the learner gives orders."""
    example = example_called(lesson.example, lesson.variant)
    return play(example, lesson.variant.ruleset).next if lesson.after else example.position


def result_before(lesson: Lesson) -> ResultShown | None:
    """The result that led to the lesson's position, if the lesson shows one."""
    if not lesson.after:
        return None
    variant = lesson.variant
    example = example_called(lesson.example, variant)
    public = play(example, variant.ruleset)
    return _result_shown(replace(public, outcomes=outcomes_to_show(example, public)), example.position, variant)


def answer_to(lesson: Lesson, sheet: ReadSheet) -> LessonAnswer:
    """The result of the orders on the learner's sheet, and what follows if no unit must retreat."""
    variant, position = sheet.variant, sheet.position
    example = example_called(lesson.example, variant)
    others = {} if lesson.after else example.phase.sheets
    result = resolve(position, {**others, lesson.power: sheet.lawful}, variant.ruleset).public
    if result.next.turn.kind is PhaseKind.RETREAT and not result.next.dislodged:
        result = with_next_phase(result, variant.ruleset)
    outcomes_shown = {*outcomes_to_show(example, result), *(it for it in result.outcomes if it.power == lesson.power)}
    public_shown = replace(result, outcomes=tuple(outcome for outcome in result.outcomes if outcome in outcomes_shown))
    return LessonAnswer(
        reached=lesson.has_reached_goal(result.next),
        result=_result_shown(public_shown, position, variant),
        before=drawing_of(position, variant, result.outcomes),
        now=drawing_of(result.next, variant),
    )


def _result_shown(result: Public, position: Position, variant: Variant) -> ResultShown:
    outcomes, notices = outcome_views(result.outcomes, position, variant), notice_views(result.notices, variant)
    return ResultShown(outcomes, notices, verdict=ending_words(result, variant.ruleset))


# The forms of orders.


@dataclass(frozen=True, slots=True)
class OrderForm:
    """A kind of order. `written`: spellings that mean the same, the shortest first. `example`: the title of a worked
    example of some variant in which `power` gives such an order."""

    slug: str
    title: str
    says: str
    written: tuple[str, ...]
    mind: str
    power: str
    example: str


ORDER_FORMS = tuple(OrderForm(**row) for row in _entries_of("order_form"))


@dataclass(frozen=True, slots=True)
class WorkedForm:
    """An order form with its example adjudicated; `relations` only if the example's powers make declarations."""

    form: OrderForm
    text: str
    result: ResultShown
    drawing: Drawing
    relations: RelationsView | None


def variant_with_example(form: OrderForm) -> Variant:
    """The variant that has the form's example."""
    return next(
        variant
        for variant in (*teaching(), *offered())
        if any(example.title == form.example for example in examples_of(variant))
    )


@cached_by_language(64)
def worked_form(form: OrderForm) -> WorkedForm:
    """The kind of order with its worked example, made once per process and language: it never changes."""
    variant = variant_with_example(form)
    example = example_called(form.example, variant)
    result = play(example, variant.ruleset)
    public_shown = replace(result, outcomes=outcomes_to_show(example, result))
    has_relations = "relations_after" in example.claims
    return WorkedForm(
        form=form,
        text=worded(example.text),
        result=_result_shown(public_shown, example.position, variant),
        drawing=drawing_of(example.position, variant, public_shown.outcomes),
        relations=relations_view(result.next, variant) if has_relations else None,
    )
