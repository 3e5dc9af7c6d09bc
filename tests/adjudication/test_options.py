from collections.abc import Iterator
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from adjudication.adjustments import adjustment_counts
from adjudication.judge import resolve
from adjudication.legality import order_refusal
from adjudication.options import bid_options, must_decide, order_options
from adjudication.orders import Build, Convoy, Disband, Hold, Move, Order, OrderSheet, Retreat, Support, Waive
from adjudication.position import Dislodged, Position
from adjudication.situation import Situation
from adjudication.turns import Turn
from adjudication.units import NEUTRAL, UnitKind
from tests.adjudication.battles import POWERS, Drawn, battles, examples, positions, winters
from tests.adjudication.boards import BOARD, STANDARD, START, position, unit, units
from tests.adjudication.minors import MINORS, WITH_MINORS


def every_order(location: str, drawn: Position) -> Iterator[Order]:
    """Every order for one unit on this board, sensible or not."""
    yield Hold(location)
    for there in BOARD.locations:
        yield Move(location, there)
        yield Move(location, there, via=True)
        for other in drawn.units:
            yield Support(location, other.province, there)
            yield Convoy(location, other.province, there)
    for other in drawn.units:
        yield Support(location, other.province)


@examples(12)
@given(positions(most=6))
def test_every_option_is_accepted_and_every_accepted_order_is_an_option(drawn: Position) -> None:
    situation = Situation(drawn, STANDARD)
    for power in POWERS:
        options = order_options(power, drawn, STANDARD)
        assert {option.unit for option in options} == set(drawn.units_of(power))
        for option in options:
            accepted = {
                order for order in every_order(option.location, drawn) if not order_refusal(order, power, situation)
            }
            assert set(option.orders) == accepted
            assert len(set(option.orders)) == len(option.orders)


@examples(20)
@given(positions(most=6), st.data())
def test_left_out_are_just_the_orders_that_could_not_be_given_without_units_that_take_none(
    drawn: Position, data: st.DataObject
) -> None:
    """Minor powers never move or convoy here."""
    powers = (NEUTRAL, *POWERS)
    owned = tuple(replace(unit, power=data.draw(st.sampled_from(powers))) for unit in drawn.units)
    here = replace(drawn, units=owned)
    alone = Situation(replace(here, units=tuple(unit for unit in owned if unit.power != NEUTRAL)), MINORS)
    for power in POWERS:
        for option in order_options(power, here, MINORS):
            for order in every_order(option.location, here):
                accepted = order_refusal(order, power, Situation(here, MINORS)) is None
                helps_holder = isinstance(order, Support) and order.destination is None
                can_do_something = helps_holder or order_refusal(order, power, alone) is None
                assert (order in option.orders) == (accepted and can_do_something)


@examples(60)
@given(battles())
def test_every_retreat_that_is_accepted_is_offered_and_the_other_way_round(drawn: Drawn) -> None:
    after = drawn.public().next
    situation = Situation(after, STANDARD)
    written: list[Order] = [Disband(place) for place in BOARD.locations]
    written += [Retreat(d.unit.location, there) for d in after.dislodged for there in BOARD.locations]
    for power in POWERS:
        offered = [order for option in order_options(power, after, STANDARD) for order in option.orders]
        assert sorted(offered, key=repr) == sorted(
            (order for order in written if order_refusal(order, power, situation) is None), key=repr
        )


@examples(60)
@given(winters())
def test_every_build_or_removal_that_is_accepted_is_offered_and_the_other_way_round(winter: Position) -> None:
    situation = Situation(winter, STANDARD)
    written: list[Order] = [Waive(), *(Disband(place) for place in BOARD.locations)]
    written += [Build(kind, place) for kind in UnitKind for place in BOARD.locations]
    for power in POWERS:
        offered = {order for option in order_options(power, winter, STANDARD) for order in option.orders}
        assert offered == {order for order in written if order_refusal(order, power, situation) is None}
        assert bool(offered) == bool(sum(adjustment_counts(power, Situation(winter, STANDARD)).values()))


@examples(60)
@given(winters(), st.data())
def test_after_winter_nobody_has_more_units_than_centres(winter: Position, data: st.DataObject) -> None:
    sheets = {}
    for power in POWERS:
        offered = [order for option in order_options(power, winter, STANDARD) for order in option.orders]
        chosen = data.draw(st.lists(st.sampled_from(offered), max_size=4)) if offered else []
        sheets[power] = OrderSheet(tuple(chosen))
    after = resolve(winter, sheets, STANDARD).public.next
    assert len({unit.province for unit in after.units}) == len(after.units)
    for power in POWERS:
        built = len(after.units_of(power)) - len(winter.units_of(power))
        count = sum(adjustment_counts(power, Situation(winter, STANDARD)).values())
        assert min(count, 0) <= built <= max(count, 0)
        assert count >= 0 or built == count


def test_a_retreating_unit_may_go_where_it_can_or_disband() -> None:
    drawn = Position(
        Turn.from_code("S1901R"),
        units({"AUSTRIA": ["A MUN"]}),
        dislodged=(Dislodged(unit("GERMANY", "A MUN"), "TYR", ("BOH", "BUR")),),
    )
    (option,) = order_options("GERMANY", drawn, STANDARD)
    assert option.unit == unit("GERMANY", "A MUN")
    assert option.orders == (Retreat("MUN", "BOH"), Retreat("MUN", "BUR"), Disband("MUN"))
    assert order_options("AUSTRIA", drawn, STANDARD) == ()
    assert must_decide(drawn, STANDARD) == ("GERMANY",)


def test_a_power_with_builds_is_offered_its_sites_with_every_coast() -> None:
    winter = position("W1901A", {"RUSSIA": ["A SEV"]}, {"RUSSIA": ["SEV", "STP", "RUM"]})
    (option,) = order_options("RUSSIA", winter, STANDARD)
    assert (option.location, option.unit) == ("STP", None)
    assert option.orders == (
        Build(UnitKind.ARMY, "STP"),
        Build(UnitKind.FLEET, "STP/NC"),
        Build(UnitKind.FLEET, "STP/SC"),
        Waive(),
    )


def test_a_power_with_too_many_units_is_offered_each_for_removal() -> None:
    winter = position("W1901A", {"RUSSIA": ["A SEV", "F BLA"]}, {"RUSSIA": ["SEV"]})
    options = order_options("RUSSIA", winter, STANDARD)
    assert [option.orders for option in options] == [(Disband("BLA"),), (Disband("SEV"),)]
    assert must_decide(winter, STANDARD) == ("RUSSIA",)


def test_who_loses_all_units_or_has_no_free_home_decides_nothing_in_winter() -> None:
    winter = position(
        "W1901A", {"RUSSIA": ["A SEV"], "FRANCE": ["A PAR", "A MAR", "F BRE"]}, {"FRANCE": ["PAR", "MAR", "BRE", "SPA"]}
    )
    assert must_decide(winter, STANDARD) == ()


def test_minors_are_offered_only_to_bidders_and_only_hold_or_support() -> None:
    assert bid_options(START, STANDARD) == ()
    offered = bid_options(WITH_MINORS, MINORS)
    assert [option.location for option in offered] == ["BOH", "RUM", "TYR"]
    orders = {order for option in offered for order in option.orders}
    assert all(isinstance(order, Hold | Support) for order in orders)
    assert Support("TYR", "MUN", "BOH") in orders
    assert order_options(NEUTRAL, WITH_MINORS, MINORS) == ()


def test_a_power_without_units_still_decides_while_it_can_bid() -> None:
    alone = position("S1901M", {NEUTRAL: ["A BOH"]}, {"ITALY": ["VEN"]})
    assert must_decide(alone, MINORS) == ("ITALY",)
    assert must_decide(alone, STANDARD) == ()
