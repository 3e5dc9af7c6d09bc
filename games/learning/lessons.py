"""The tutorial: five lessons on the teaching board, and a page for every kind of order.

A lesson is a worked example on the teaching board in which learners write their own orders; the other powers get those
of the example. Nothing is stored: a lesson's address holds the orders to adjudicate.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from adjudication.judge import resolve
from adjudication.position import Position
from adjudication.resolution import Public
from games.history.parts import NoticeView, OutcomeView, RelationsView
from games.history.results import notice_views, outcome_views, relations_of
from games.orders.sheets import ReadSheet
from variants.examples import Example, examples_of, play, told
from variants.maps import Drawing, drawing_of
from variants.registry import ALL, TEACHING, find
from variants.variant import Variant

BOARD = TEACHING[0].slug


def _written(kind: str) -> Iterator[dict[str, Any]]:
    """The entries of lessons.toml of one kind, their lists as tuples."""
    entries = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))[kind]
    return ({name: _frozen(value) for name, value in entry.items()} for entry in entries)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


Units = tuple[tuple[str, str], ...]
"""Powers and their units, as in (("WESTLAND", "A HIL"),)."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """`example`: the title of the worked example that it starts from; with `after` it is about the phase that
    follows, with `bids` the learner bids points.

    `goal`: the units that must be on the board afterwards. `praise` is shown if they are, `hint` if not.
    """

    title: str
    power: str
    task: str
    example: str
    goal: Units
    praise: str
    hint: str
    after: bool = False
    bids: bool = False


LESSONS = tuple(Lesson(**row) for row in _written("lesson"))


@dataclass(frozen=True, slots=True)
class WhatHappened:
    """What happened, as `history/partials/result.html` shows it."""

    outcomes: tuple[OutcomeView, ...]
    notices: tuple[NoticeView, ...]
    missed: tuple[str, ...] = ()
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class LessonAnswer:
    """The result of the learner's orders: `before` shows their arrows, `now` the units afterwards."""

    reached: bool
    told: WhatHappened
    before: Drawing
    now: Drawing


def example_called(title: str, variant: Variant) -> Example:
    """The worked example of a variant with this title; raises KeyError."""
    return {example.title: example for example in examples_of(variant)}[title]


@lru_cache(maxsize=16)
def position_of(lesson: Lesson) -> Position:
    """Where the learner gives orders."""
    variant = find(BOARD)
    example = example_called(lesson.example, variant)
    return play(example, variant.ruleset).next if lesson.after else example.position


def events_before(lesson: Lesson) -> WhatHappened | None:
    """The result that led to the position, if the lesson shows it."""
    if not lesson.after:
        return None
    variant = find(BOARD)
    example = example_called(lesson.example, variant)
    public = play(example, variant.ruleset)
    return _told(replace(public, outcomes=told(example, public)), example.position, variant)


def answer_to(lesson: Lesson, sheet: ReadSheet) -> LessonAnswer:
    """The result of the learner's orders on this sheet."""
    variant, position = sheet.variant, sheet.position
    others = {} if lesson.after else example_called(lesson.example, variant).phase.sheets
    sheets = {**others, lesson.power: sheet.lawful}
    public = resolve(position, sheets, variant.ruleset).public
    return LessonAnswer(
        reached={(unit.power, str(unit)) for unit in public.next.units}.issuperset(lesson.goal),
        told=_told(public, position, variant),
        before=drawing_of(position, variant, public.outcomes),
        now=drawing_of(public.next, variant),
    )


def _told(public: Public, position: Position, variant: Variant) -> WhatHappened:
    return WhatHappened(outcome_views(public.outcomes, position, variant), notice_views(public.notices, variant))


# The forms of orders.


@dataclass(frozen=True, slots=True)
class OrderForm:
    """`written`: spellings that mean the same, the shortest first. `example`: the title of a worked example of some
    variant, in which `power` gives the order."""

    slug: str
    title: str
    says: str
    written: tuple[str, ...]
    mind: str
    power: str
    example: str


ORDER_FORMS = tuple(OrderForm(**row) for row in _written("order_form"))


@dataclass(frozen=True, slots=True)
class WorkedForm:
    """An order form with its example adjudicated; `relations` if powers declared."""

    form: OrderForm
    text: str
    told: WhatHappened
    drawing: Drawing
    relations: RelationsView | None


def variant_of(form: OrderForm) -> Variant:
    """The variant that has the form's example; raises StopIteration if none has."""
    return next(
        variant
        for variant in (*TEACHING, *ALL)
        if any(example.title == form.example for example in examples_of(variant))
    )


@lru_cache(maxsize=16)
def worked(form: OrderForm) -> WorkedForm:
    """Made once per process, because nothing in it changes while the site runs."""
    variant = variant_of(form)
    example = example_called(form.example, variant)
    public = play(example, variant.ruleset)
    shown = replace(public, outcomes=told(example, public))
    declared = "relations_after" in example.claims
    return WorkedForm(
        form=form,
        text=example.text,
        told=_told(shown, example.position, variant),
        drawing=drawing_of(example.position, variant, shown.outcomes),
        relations=relations_of(public.next, variant) if declared else None,
    )
