"""The adjudicator: one phase, from its orders to the next position."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from operator import attrgetter

from adjudication.adjustments import resolve_adjustments
from adjudication.auction import award_orders, why_bids_do_not_count
from adjudication.board import province_of
from adjudication.civil_disorder import playable_powers
from adjudication.examined_orders import ExaminedMovement, Orders, separate_lawful_orders
from adjudication.legality import with_kinds_ordered
from adjudication.movement.after_moves import after_moves, contests_of
from adjudication.movement.battle import Battle
from adjudication.movement.explain import Explainer
from adjudication.movement.layout import Layout, lay_out
from adjudication.movement.presolve import plain_answers
from adjudication.movement.solver import Solver
from adjudication.options import must_decide
from adjudication.orders import Declare, Order, OrderSheet, Waive, location_of
from adjudication.position import Position
from adjudication.resolution import Changed, Contests, OrderOutcome, Private, Public, Resolution, Settled
from adjudication.retreats import resolve_retreats
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import PhaseKind, Turn
from adjudication.units import NEUTRAL

_POWER_AND_PLACE = attrgetter("power", "order.location")
NONE_IMPOSED: Mapping[str, Order] = {}


def adjudicate(
    position: Position,
    sheets: Mapping[str, OrderSheet],
    ruleset: Ruleset,
    *,
    imposed: Mapping[str, Order] = NONE_IMPOSED,
) -> Resolution:
    """`resolve`, continuing through phases in which no player has anything to decide. `imposed`: province -> the order
    that its minor power's unit follows regardless of the bids.

    Afterwards `public.next` awaits orders, or `public.verdict` is set. If a whole year leaves nothing to decide, the
    game is returned after that year.
    """
    resolution = resolve_in(Situation(position, ruleset), sheets, imposed)
    public = resolution.public
    for _ in ruleset.calendar.steps[1:]:
        if public.verdict or must_decide(public.next, ruleset):
            break
        public = with_next_phase(public, ruleset)
    return replace(resolution, public=public)


def with_next_phase(public: Public, ruleset: Ruleset) -> Public:
    """The same result, continued with the next phase, for which there are no orders."""
    next_result = resolve(public.next, {}, ruleset).public
    notices = public.notices + next_result.notices
    return replace(public, notices=notices, next=next_result.next, verdict=next_result.verdict)


def resolve(position: Position, sheets: Mapping[str, OrderSheet], ruleset: Ruleset) -> Resolution:
    """Adjudicate exactly one phase. Sheets of powers without a player are ignored."""
    return resolve_in(Situation(position, ruleset), sheets)


def resolve_in(
    situation: Situation,
    sheets: Mapping[str, OrderSheet],
    imposed: Mapping[str, Order] = NONE_IMPOSED,
    layout: Layout | None = None,
) -> Resolution:
    """`resolve` for a position that is already laid out. `layout`: the orders of all sheets laid out in it, if every
    line had been read before."""
    ruleset = situation.ruleset
    power_sheets = {p: sheets[p] for p in playable_powers(situation.position, ruleset) if p in sheets}
    if ruleset.muster is not None:
        situation = with_kinds_ordered(situation, {power: sheet.orders for power, sheet in power_sheets.items()})
    position = situation.position
    next_turn, counts = _turn_after(position.turn, ruleset)
    private = {p: _private_result(p, s, situation) if s.bids else Private(s) for p, s in power_sheets.items()}
    settled = _carry_out(private, situation, imposed, layout if len(power_sheets) == len(sheets) else None)
    position_after, notices = settled.position, [*settled.notices]
    for custom in ruleset.customs:
        position_after, changes = custom.apply_custom(position, position_after, ruleset)
        notices += changes
    if counts:
        position_after, count_notices = ruleset.control.count_centres(position_after, ruleset)
        position_after, minor_notices = ruleset.neutrals.after_count(position_after, ruleset)
        notices += (*count_notices, *minor_notices)
    verdict = ruleset.victory.verdict(position_after, ruleset) if counts else None
    public = Public(
        turn=position.turn,
        outcomes=settled.outcomes,
        notices=tuple(notices),
        next=position_after.in_turn(next_turn),
        verdict=verdict,
        contests=settled.contests,
    )
    return Resolution(public, private)


def put_in_civil_disorder(position: Position, power: str, ruleset: Ruleset) -> Changed:
    """Put a power in permanent civil disorder, between two phases: it is never played again."""
    return ruleset.disorder.put_in_civil_disorder(power, position, ruleset)


def _carry_out(
    private: Mapping[str, Private], situation: Situation, imposed: Mapping[str, Order], layout: Layout | None
) -> Settled:
    orders: Orders = {power: result.sheet.orders for power, result in private.items()}
    kind = situation.position.turn.kind
    special_phase = situation.ruleset.special.get(kind)
    if special_phase:
        return _resolve_separately(orders, situation, special_phase.resolve)
    if kind is PhaseKind.RETREAT:
        return _resolve_separately(orders, situation, resolve_retreats)
    if kind is PhaseKind.ADJUSTMENT:
        return _resolve_separately(orders, situation, resolve_adjustments)
    bids = [bid for result in private.values() if result.sheet.bids for bid in result.counting]
    orders_of_minors = award_orders(bids, situation) if bids else ()
    if imposed:
        orders_of_minors = (
            *(it for it in orders_of_minors if province_of(location_of(it)) not in imposed),
            *imposed.values(),
        )
    if not orders_of_minors:
        return _resolve_moves(orders, situation, layout)
    return _resolve_moves(
        {**orders, NEUTRAL: orders_of_minors},
        situation,
        None if imposed else _layout_with_minors(layout, orders_of_minors, situation),
    )


def _layout_with_minors(layout: Layout | None, minors: Iterable[Order], situation: Situation) -> Layout | None:
    """The layout with lawful orders of minor powers added; None if there is no layout."""
    if layout is None:
        return None
    units = situation.units
    return lay_out(
        [*layout.given, *(situation.prepared(it, units[province_of(location_of(it))]) for it in minors)], situation
    )


def _private_result(power: str, sheet: OrderSheet, situation: Situation) -> Private:
    reasons = why_bids_do_not_count(sheet.bids, power, situation)
    dropped_bids = ((b, r) for b, r in zip(sheet.bids, reasons, strict=True) if r is not None)
    return Private(sheet, tuple(dropped_bids))


def _sorted_outcomes(outcomes: Sequence[OrderOutcome], surplus: Sequence[OrderOutcome]) -> tuple[OrderOutcome, ...]:
    """The outcomes by power and location. A power's refused surplus orders keep their order."""
    everything = (*outcomes, *surplus)
    if any(isinstance(outcome.order, Waive | Declare) for outcome in everything):
        return tuple(sorted(everything, key=lambda o: (o.power, location_of(o.order))))
    return tuple(sorted(everything, key=_POWER_AND_PLACE))


# The phases.


def _resolve_moves(orders: Orders, situation: Situation, layout: Layout | None) -> Settled:
    movement = ExaminedMovement(orders, situation, layout)
    battle = Battle(situation, movement.layout)
    movement.strike_unlawful(battle)
    solver = Solver(battle, plain_answers(battle))
    after = after_moves(solver)
    outcomes = Explainer(solver, after, movement.refused).outcomes()
    contests = Contests(partial(contests_of, solver))
    shown_outcomes = _sorted_outcomes(outcomes, movement.surplus) if movement.surplus else tuple(outcomes)
    # Dislodged units that have no retreat or are in civil disorder are gone.
    dislodged_units = [d for d in after.dislodged.values() if d.retreats and not situation.is_leaderless(d.unit)]
    position = situation.position.after_moves(after.units.values(), dislodged_units, after.contested)
    return Settled(position, shown_outcomes, after.interned, contests)


def _resolve_separately(
    orders: Orders, situation: Situation, resolve_lawful: Callable[[Orders, Situation], Settled]
) -> Settled:
    """Resolve a phase whose orders are all examined one by one before any is carried out."""
    lawful, surplus = separate_lawful_orders(orders, situation)
    settled = resolve_lawful(lawful, situation)
    return settled._replace(outcomes=_sorted_outcomes(settled.outcomes, surplus))


# Between the phases.


@lru_cache(maxsize=4096)
def _turn_after(turn: Turn, ruleset: Ruleset) -> tuple[Turn, bool]:
    """The turn that follows, and whether supply centres are counted before it."""
    return ruleset.calendar.after(turn), ruleset.calendar.counts_centres(turn)
