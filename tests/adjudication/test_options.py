from collections.abc import Iterator

from hypothesis import given

from adjudication.legality import check_in
from adjudication.options import bid_options, must_decide, order_options
from adjudication.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from adjudication.position import Dislodged, Position
from adjudication.scene import Scene
from adjudication.turns import Turn
from adjudication.units import NEUTRAL, UnitKind
from tests.adjudication.battles import POWERS, examples, positions
from tests.adjudication.boards import BOARD, STANDARD, START, position, unit, units
from tests.adjudication.minors import MINORS, WITH_MINORS


def every_order(location: str, drawn: Position) -> Iterator[Order]:
    """All that can be said of one unit on this board, sense or nonsense."""
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
    scene = Scene(drawn, STANDARD)
    for power in POWERS:
        options = order_options(power, drawn, STANDARD)
        assert {option.unit for option in options} == set(drawn.units_of(power))
        for option in options:
            accepted = {
                order for order in every_order(option.location, drawn) if not check_in(order, power, scene)
            }
            assert set(option.orders) == accepted
            assert len(set(option.orders)) == len(option.orders)


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
        "W1901A",
        {"RUSSIA": ["A SEV"], "FRANCE": ["A PAR", "A MAR", "F BRE"]},
        {"FRANCE": ["PAR", "MAR", "BRE", "SPA"]},
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
