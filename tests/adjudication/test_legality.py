import pytest

from adjudication.legality import order_refusal
from adjudication.notation import parse_order
from adjudication.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from adjudication.position import Dislodged, Position
from adjudication.reasons import Reason
from adjudication.situation import Situation
from adjudication.turns import Turn
from adjudication.units import UnitKind
from tests.adjudication.boards import STANDARD, position, unit, units
from tests.adjudication.minors import MINORS, WITH_MINORS
from variants.words import say

MOVEMENT = position(
    "S1901M",
    {"FRANCE": ["F MAO", "F GAS", "F BRE", "A MAR", "A PAR", "F SPA/NC"], "ENGLAND": ["F NTH", "A LON", "F ENG"]},
)


@pytest.mark.parametrize(
    ("order", "reason", "sentence"),
    [
        (Hold("BUR"), Reason.NO_SUCH_UNIT, "There is no unit in Burgundy."),
        (Hold("LON"), Reason.NOT_YOUR_UNIT, "The unit in London is not yours to order."),
        (Build(UnitKind.ARMY, "PAR"), Reason.WRONG_PHASE, "Movement: units can hold, move, support or convoy."),
        (Move("PAR", "PAR"), Reason.OWN_PROVINCE, "The unit in Paris is already there."),
        (Move("MAR", "LYO"), Reason.WRONG_TERRAIN, "An army cannot enter Gulf of Lyon, which is sea."),
        (Move("BRE", "PAR"), Reason.WRONG_TERRAIN, "A fleet cannot enter Paris, which is inland."),
        (Move("PAR", "MUN"), Reason.OUT_OF_REACH, "A Par cannot reach Munich in one move."),
        (Move("BRE", "LON"), Reason.OUT_OF_REACH, "F Bre cannot reach London in one move."),
        (Move("BRE", "PIC", via=True), Reason.FLEET_NOT_CONVOYED, "F Bre is a fleet, and only armies can be convoyed."),
        (
            Move("MAR", "TUN", via=True),
            Reason.NO_FLEET_TO_CONVOY,
            "Marseilles and Tunis are not adjacent, and no chain of fleets could convoy an army between them.",
        ),
        (
            Move("MAR", "PIE", via=True),
            Reason.NO_FLEET_TO_CONVOY,
            "There is no chain of fleets that could convoy from Marseilles to Piedmont.",
        ),
        (Move("PAR", "BUR", via=True), Reason.NO_FLEET_TO_CONVOY, "There can be no convoy from Paris to Burgundy."),
        (Move("MAO", "SPA"), Reason.COAST_NEEDED, "Name the coast: Spain (nc) or Spain (sc)."),
        (Move("GAS", "SPA/SC"), Reason.WRONG_COAST, "F Gas reaches Spain (nc), not Spain (sc)."),
        (Move("SPA/SC", "LYO"), Reason.LIES_ON_ANOTHER_COAST, "The unit is in Spain (nc), not in Spain (sc)."),
        (Support("PAR", "PAR"), Reason.SUPPORTS_ITSELF, "A unit cannot support itself."),
        (Support("GAS", "PAR", "GAS"), Reason.SUPPORT_OUT_OF_REACH, "F Gas cannot support a move to its own province."),
        (Support("PAR", "BUR"), Reason.NOTHING_TO_SUPPORT, "There is no unit in Burgundy to support."),
        (
            Support("PAR", "MAR"),
            Reason.SUPPORT_OUT_OF_REACH,
            "A Par cannot support into Marseilles, which it cannot reach itself.",
        ),
        (
            Support("PAR", "GAS", "BUR"),
            Reason.SUPPORT_OF_IMPOSSIBLE_MOVE,
            "F Gas could not move to Burgundy, so that move cannot be supported.",
        ),
        (Convoy("PAR", "MAR", "SPA"), Reason.CONVOY_BY_FLEET_AT_SEA, "A Par cannot convoy: only a fleet at sea can."),
        (Convoy("BRE", "MAR", "SPA"), Reason.CONVOY_BY_FLEET_AT_SEA, "F Bre cannot convoy: only a fleet at sea can."),
        (Convoy("MAO", "GAS", "POR"), Reason.NO_ARMY_TO_CONVOY, "There is no army in Gascony to convoy."),
        (
            Convoy("MAO", "LON", "NWY"),
            Reason.CONVOY_OUTSIDE_ROUTE,
            "F MAO is not on any convoy route from London to Norway.",
        ),
    ],
)
def test_a_movement_order_is_refused_with_its_rule_and_a_sentence(order: Order, reason: Reason, sentence: str) -> None:
    refusal = order_refusal(order, "FRANCE", Situation(MOVEMENT, STANDARD))
    assert refusal is not None
    assert (refusal.reason, say(refusal, STANDARD)) == (reason, sentence)


@pytest.mark.parametrize(
    ("power", "text"),
    [
        ("FRANCE", "A PAR - BUR"),
        ("FRANCE", "F MAO - SPA/SC"),
        ("FRANCE", "F GAS S F MAO - SPA"),
        ("FRANCE", "F GAS S F MAO - SPA/SC"),
        ("FRANCE", "F MAO C A LON - GAS"),
        ("FRANCE", "A MAR S A LON - SPA"),
        ("ENGLAND", "A LON - SPA VIA"),
        ("ENGLAND", "A LON - NWY"),
        ("ENGLAND", "F ENG C A LON - GAS"),
    ],
)
def test_lawful_orders_pass(power: str, text: str) -> None:
    assert order_refusal(parse_order(text, MOVEMENT, STANDARD), power, Situation(MOVEMENT, STANDARD)) is None


RETREAT = Position(
    Turn.from_code("F1901R"),
    units({"AUSTRIA": ["A MUN"], "ITALY": ["A SIL"]}),
    dislodged=(Dislodged(unit("GERMANY", "A MUN"), "TYR", ("BER", "BUR", "KIE", "RUH")),),
    contested=frozenset({"BOH"}),
)


@pytest.mark.parametrize(
    ("order", "reason", "sentence"),
    [
        (Hold("MUN"), Reason.WRONG_PHASE, "Retreats: dislodged units can retreat or disband."),
        (Retreat("SIL", "GAL"), Reason.NO_SUCH_UNIT, "No unit was dislodged from Silesia."),
        (Retreat("MUN", "TYR"), Reason.RETREAT_TO_ATTACKER, "The attack on A Mun came from Tyrolia."),
        (Retreat("MUN", "BOH"), Reason.RETREAT_TO_CONTESTED, "There was a bounce in Bohemia."),
        (Retreat("MUN", "SIL"), Reason.RETREAT_TO_OCCUPIED, "Silesia is occupied."),
        (Retreat("MUN", "PAR"), Reason.NOT_A_RETREAT, "A Mun cannot reach Paris to retreat there."),
    ],
)
def test_a_retreat_is_refused_with_its_rule_and_a_sentence(order: Order, reason: Reason, sentence: str) -> None:
    refusal = order_refusal(order, "GERMANY", Situation(RETREAT, STANDARD))
    assert refusal is not None
    assert (refusal.reason, say(refusal, STANDARD)) == (reason, sentence)


def test_only_the_owner_orders_a_retreat() -> None:
    refusal = order_refusal(Retreat("MUN", "BER"), "ITALY", Situation(RETREAT, STANDARD))
    assert refusal is not None
    assert refusal.reason is Reason.NOT_YOUR_UNIT
    assert order_refusal(Retreat("MUN", "BER"), "GERMANY", Situation(RETREAT, STANDARD)) is None


WINTER = position(
    "W1901A",
    {"RUSSIA": ["A SEV"], "GERMANY": ["A BER", "A KIE"], "FRANCE": ["A PAR"]},
    {"RUSSIA": ["MOS", "SEV", "STP", "RUM"], "GERMANY": ["BER"], "FRANCE": ["PAR"]},
)


@pytest.mark.parametrize(
    ("power", "order", "reason", "sentence"),
    [
        ("RUSSIA", Build(UnitKind.ARMY, "SEV"), Reason.SITE_OCCUPIED, "There is already a unit in Sevastopol."),
        ("RUSSIA", Build(UnitKind.ARMY, "WAR"), Reason.CENTRE_NOT_CONTROLLED, "You do not control Warsaw."),
        ("RUSSIA", Build(UnitKind.ARMY, "RUM"), Reason.NOT_A_BUILD_SITE, "Rumania is not one of your home centres."),
        (
            "RUSSIA",
            Build(UnitKind.FLEET, "STP"),
            Reason.BUILD_NEEDS_COAST,
            "Name the coast: St Petersburg (nc) or St Petersburg (sc).",
        ),
        ("RUSSIA", Build(UnitKind.FLEET, "MOS"), Reason.WRONG_TERRAIN, "A fleet cannot be built in Moscow."),
        ("RUSSIA", Disband("SEV"), Reason.NO_REMOVAL_DUE, "You have no unit to remove."),
        ("RUSSIA", Disband("WAR"), Reason.NO_SUCH_UNIT, "There is no unit in Warsaw."),
        ("RUSSIA", Disband("BER"), Reason.NOT_YOUR_UNIT, "The unit in Berlin is not yours to order."),
        ("FRANCE", Waive(), Reason.NO_BUILD_LEFT, "You have no unit to build."),
    ],
)
def test_an_adjustment_is_refused_with_its_rule_and_a_sentence(
    power: str, order: Order, reason: Reason, sentence: str
) -> None:
    refusal = order_refusal(order, power, Situation(WINTER, STANDARD))
    assert refusal is not None
    assert (refusal.reason, say(refusal, STANDARD)) == (reason, sentence)


def test_lawful_adjustments_pass() -> None:
    assert order_refusal(Build(UnitKind.FLEET, "STP/NC"), "RUSSIA", Situation(WINTER, STANDARD)) is None
    assert order_refusal(Waive(), "RUSSIA", Situation(WINTER, STANDARD)) is None
    assert order_refusal(Disband("KIE"), "GERMANY", Situation(WINTER, STANDARD)) is None


def test_a_minors_unit_follows_bids_not_orders() -> None:
    refusal = order_refusal(Hold("TYR"), "GERMANY", Situation(WITH_MINORS, MINORS))
    assert refusal is not None
    assert say(refusal, STANDARD) == "The unit in Tyrolia belongs to a minor power: it follows bids, not orders."


def test_every_reason_has_a_source() -> None:
    for reason in Reason:
        assert reason.source
