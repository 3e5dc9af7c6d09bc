"""The tutorial: five lessons on the teaching board, and a page for every form of order.

A lesson is a worked example of the teaching board whose orders the learner writes himself; everybody else orders
what the example says. Nothing here is stored: a lesson is judged from what its address says.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from adjudication.judge import resolve
from adjudication.notation import read_sheet
from games.history.drawing import drawing_of
from games.history.relations import relations_of
from games.history.results import notice_views, outcome_views
from games.kernel import codec
from games.kernel.models import Game, Phase
from games.orders.desk import desk_for
from variants.examples import examples_of, play, told
from variants.registry import ALL, TEACHING, find

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjudication.orders import Sheet
    from adjudication.position import Position
    from adjudication.resolution import Public
    from games.history.parts import Drawing, NoticeView, OutcomeView, RelationsView
    from games.orders.parts import Desk
    from variants.examples import Example
    from variants.variant import Variant


BOARD = TEACHING[0].slug

Units = tuple[tuple[str, str], ...]
"""Powers and their units, as in (("WESTLAND", "A HIL"),)."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """`example`: the title of the worked example that it is played from; with `after` the phase that follows
    is played, with `bids` points are bid.

    `goal`: units that must stand there afterwards. `praise` is said when they do, `hint` when they do not.
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


LESSONS = (
    Lesson(
        title="Move",
        power="WESTLAND",
        task=(
            "You play Westland: an army in Oakham and a fleet in Westport. Send the army to the Hills and the "
            "fleet to West Bay."
        ),
        example="Units move to a space next door",
        goal=(("WESTLAND", "A HIL"), ("WESTLAND", "F WBY")),
        praise=(
            "Armies walk from land to land, fleets sail along the coast and over the sea. Everybody's orders "
            "happen at the same moment."
        ),
        hint="For each unit choose “Move” and then where it goes: the army to Hil, the fleet to WBY.",
    ),
    Lesson(
        title="Support",
        power="WESTLAND",
        task=(
            "A minor power's army stands in Millbrook, and one army alone cannot beat it. Attack from "
            "Oakham, and let your army in the Hills support that move."
        ),
        example="A support beats a unit that stands alone",
        goal=(("WESTLAND", "A MIL"),),
        praise="Two against one. A support adds one to an attack, and the unit that supports stays where it is.",
        hint=(
            "One army moves to Mil. For the other choose “Support move”, then the army that attacks, then Mil: "
            "both must name the same move."
        ),
    ),
    Lesson(
        title="Bounce",
        power="WESTLAND",
        task=(
            "Eastland's army in Ashford is about to walk into the Hills. Keep it out: order your army to move "
            "there as well."
        ),
        example="Two that want one space stay where they are",
        goal=(("EASTLAND", "A ASH"), ("WESTLAND", "A OAK")),
        praise=(
            "Equally strong, so neither got in, and both stay where they were. A bounce can be just what you want."
        ),
        hint="Nobody may get into the Hills: order your army in Oakham to move to Hil as well.",
    ),
    Lesson(
        title="Bid",
        power="WESTLAND",
        task=(
            "You want Millbrook and have no second army near it. Attack from Oakham, and bid one of your points "
            "that the Corridor's army supports you."
        ),
        example="One point buys the support of a minor power",
        goal=(("WESTLAND", "A MIL"),),
        praise=(
            "Nobody bid more, so the Corridor did as you asked. In a game all bids are secret: others see what "
            "the army did, and never who paid."
        ),
        hint=(
            "Move the army to Mil. Under Diplomacy Points choose the army in the Corridor, then “Support move”, "
            "A Oak and Mil, with one point or more."
        ),
        bids=True,
    ),
    Lesson(
        title="Retreat",
        power="EASTLAND",
        task=(
            "Now you play Eastland. Two armies have beaten yours in the Hills: take it back to a space next door "
            "that is empty."
        ),
        example="A unit that is beaten retreats",
        goal=(("EASTLAND", "A ASH"),),
        praise=(
            "It lives to fight another day. A retreat may not go where the attack came from, nor where somebody "
            "stands, nor where there was a bounce."
        ),
        hint="Choose “A Hil retreats to Ash”. A unit that does not retreat is disbanded.",
        after=True,
    ),
)


@dataclass(frozen=True, slots=True)
class Told:
    """What happened, as `games/partials/result.html` shows it."""

    outcomes: tuple[OutcomeView, ...]
    notices: tuple[NoticeView, ...]
    missed: tuple[str, ...] = ()
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of the learner's orders: `before` with their arrows, `now` with the units where they are after it."""

    reached: bool
    told: Told
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


def events_before(lesson: Lesson) -> Told | None:
    """What led to the position, where that is told."""
    if not lesson.after:
        return None
    variant = find(BOARD)
    example = example_called(lesson.example, variant)
    public = play(example, variant.ruleset)
    return _told(replace(public, outcomes=told(example, public)), example.position, variant)


def desk_of(lesson: Lesson, typed: str) -> Desk:
    """The learner's order form as in a game, filled with what was typed; its phase is of no game and is never saved."""
    position = position_of(lesson)
    phase = Phase(
        game=Game(variant_slug=BOARD),
        ordinal=LESSONS.index(lesson),
        turn=position.turn.code,
        position=codec.position_to_row(position),
        opened=datetime(position.turn.year, 1, 1, tzinfo=UTC),
    )
    return desk_for(lesson.power, phase, typed, saved=None, ready=None, show_problems=True)


def answer_to(lesson: Lesson, typed: str) -> Answer:
    """The judge's results, the learner's orders being those that were typed."""
    variant, position = find(BOARD), position_of(lesson)
    own = read_sheet(typed, lesson.power, position, variant.ruleset).sheet
    public = resolve(position, {**_others(lesson, variant), lesson.power: own}, variant.ruleset).public
    return Answer(
        reached=_reached(lesson.goal, public.next),
        told=_told(public, position, variant),
        before=drawing_of(position, variant, public.outcomes),
        now=drawing_of(public.next, variant),
    )


def _others(lesson: Lesson, variant: Variant) -> Mapping[str, Sheet]:
    return {} if lesson.after else example_called(lesson.example, variant).phase.sheets


def _reached(goal: Units, after: Position) -> bool:
    stand = {(unit.power, str(unit)) for unit in after.units}
    return stand.issuperset(goal)


def _told(public: Public, position: Position, variant: Variant) -> Told:
    return Told(outcome_views(public.outcomes, position, variant), notice_views(public.notices))


# The forms of orders.


@dataclass(frozen=True, slots=True)
class OrderForm:
    """`written`: spellings that mean the same, the shortest first. `example`: title of some variant's worked example,
    where `power` gives the order."""

    slug: str
    title: str
    says: str
    written: tuple[str, ...]
    mind: str
    power: str
    example: str


ORDER_FORMS = (
    OrderForm(
        slug="hold",
        title="Hold",
        says="The unit stays where it is and defends its space. A unit without an order does the same.",
        written=("A Oak H", "A Oak holds", "Army Oakham hold"),
        mind="Only a unit that does not try to move can be supported where it stands.",
        power="WESTLAND",
        example="Who helps a unit to stay where it is",
    ),
    OrderForm(
        slug="move",
        title="Move",
        says=(
            "The unit goes to a space next door: armies on land, fleets on the sea and along the coast. If somebody "
            "is there or wants to go there too, the stronger side gets in, and equals do not."
        ),
        written=("A Oak - Hil", "A Oak to Hil", "Army Oakham moves to Hills"),
        mind="A move is an attack as well: there is no other order for attacking.",
        power="WESTLAND",
        example="Units move to a space next door",
    ),
    OrderForm(
        slug="support",
        title="Support",
        says=(
            "The unit stays and adds its strength to another's: to a move, or to a unit that stays. It must be able "
            "to move to the space where it helps, and whoever attacks it cuts the support."
        ),
        written=(
            "A Hil S A Oak - Mil",
            "A Hil supports A Oak - Mil",
            "Army Hills support Army Oakham to Millbrook",
        ),
        mind=(
            "Name exactly the move that you support. “A Wes S A Oak” supports a unit that stays. You may support "
            "anybody's units, and nobody has to agree."
        ),
        power="WESTLAND",
        example="A support beats a unit that stands alone",
    ),
    OrderForm(
        slug="convoy",
        title="Convoy",
        says=(
            "A fleet at sea carries an army from one coast to another. The army gets a move, the fleet a convoy that "
            "names the same move; several fleets in a row carry it farther."
        ),
        written=(
            "F WBY C A Wes - Isl",
            "F WBY convoys A Wes to Isl",
            "Fleet West Bay convoys Army Westport - Isle",
        ),
        mind="If the fleet is driven out of its sea, the army does not get across.",
        power="WESTLAND",
        example="A fleet takes an army over the bay",
    ),
    OrderForm(
        slug="retreat",
        title="Retreat",
        says=(
            "After the moves, a unit that was beaten goes to an empty space next door. Not to where the attack came "
            "from, and not to where two have just bounced."
        ),
        written=("A Hil - Ash", "A Hil R Ash", "Army Hills retreats to Ashford"),
        mind="Two that retreat to the same space are both disbanded.",
        power="EASTLAND",
        example="The way back",
    ),
    OrderForm(
        slug="build",
        title="Build",
        says=(
            "In Winter, whoever has more supply centres than units builds new ones: in own home centres that are empty "
            "and still held. A fleet is built where there is a coast."
        ),
        written=("BUILD A Oak", "Build army Oakham"),
        mind="WAIVE builds nothing and keeps the place free for another year.",
        power="WESTLAND",
        example="A new centre feeds a new unit",
    ),
    OrderForm(
        slug="disband",
        title="Disband",
        says=(
            "In Winter, whoever has more units than supply centres takes some off the board and says which. After a "
            "battle a beaten unit may disband instead of retreating."
        ),
        written=("DISBAND A Hil", "A Hil D", "Remove army Hills"),
        mind="If you name none, the rules choose, and they do not ask which you need most.",
        power="EASTLAND",
        example="A lost centre costs a unit",
    ),
    OrderForm(
        slug="bid",
        title="Bid",
        says=(
            "In games with Diplomacy Points you bid on what a minor power's army does: hold, or support somebody. The "
            "order with the most points behind it is followed; on a tie the army holds."
        ),
        written=("1: A Cor S A Oak - Mil", "1 point: A Cor supports A Oak - Mil"),
        mind="The number before the colon is how many points you bid. Others never see your bid.",
        power="WESTLAND",
        example="One point buys the support of a minor power",
    ),
    OrderForm(
        slug="declare",
        title="Declare",
        says=(
            "In Formal Diplomacy powers declare before every Spring and every Fall what they want to be to each other: "
            "at war, neutral or allied. All are opened together; war needs one of two, an alliance needs both."
        ),
        written=("DECLARE WAR FRANCE", "Declare war on France"),
        mind="If you say nothing about a power, you want to keep what is.",
        power="GERMANY",
        example="One word of war is enough",
    ),
    OrderForm(
        slug="place",
        title="Place",
        says=(
            "Some games begin with an empty board: before the first turn everybody places units, in secret and at the "
            "same time. In the Dual Empire the letter before the unit is its faction."
        ),
        written=("PLACE CA Vie", "Deploy CA Vienna"),
        mind="What you leave out, the rules place for you.",
        power="GERMANS",
        example="Four armies in October",
    ),
)


@dataclass(frozen=True, slots=True)
class WorkedForm:
    """An order form with its example as the judge plays it; `relations` where powers declared."""

    form: OrderForm
    text: str
    told: Told
    drawing: Drawing
    relations: RelationsView | None


def variant_of(form: OrderForm) -> Variant:
    """The variant in whose rules such an order is shown, by its example; StopIteration if no example is called so."""
    there = (variant for variant in (*TEACHING, *ALL) if form.example in map(_title, examples_of(variant)))
    return next(there)


def _title(example: Example) -> str:
    return example.title


@lru_cache(maxsize=16)
def worked(form: OrderForm) -> WorkedForm:
    """Made once per process: nothing in it changes while the site runs."""
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
