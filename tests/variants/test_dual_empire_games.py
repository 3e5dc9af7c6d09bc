"""The Collapse of the Dual Empire: whole random games follow the rules on factions, month after month."""

import pytest

from adjudication.orders import Move, Support
from adjudication.position import Position
from adjudication.reasons import Reason
from adjudication.resolution import OrderResult, Public
from adjudication.turns import PhaseKind
from tests.long_round import how_many
from tests.variants.chance import whole_game
from tests.variants.dual_empire import RULES, START
from tests.variants.test_contract import check_position
from variants.dual_empire.factions import RIVAL

GAMES = how_many("chance")
YEARS = 4 * GAMES


def check_centres(after: Position) -> None:
    """Powers' own home centres keep their home faction. Of other centres only the Germans' may be imperial."""
    factions, at_home = RULES.control.factions(after), RULES.control.factions(START)
    for centre, power in after.centres.items():
        if centre in RULES.homes[power]:
            assert factions[centre] == at_home[centre]
        else:
            assert factions[centre] in ("CDI" if power == "GERMANS" else "CD")


def check_supply(after: Position) -> None:
    """After a build turn no faction has more armies than centres."""
    factions = RULES.control.factions(after)
    for power in RULES.powers:
        for faction in RULES.factions:
            armies = sum(unit.faction == faction for unit in after.units_of(power))
            assert armies <= sum(factions[centre] == faction for centre in after.centres_of(power))


def check_month(before: Position, public: Public) -> None:
    """No leaderless unit moved or has to retreat; no rival was supported."""
    leaderless, units = RULES.disorder.leaderless(before), before.units_by_province()
    assert not any(beaten.unit.province in leaderless for beaten in public.next.dislodged)
    for outcome in public.outcomes:
        assert outcome.unit is not None
        assert outcome.reason is not Reason.IN_DISORDER
        if outcome.unit.province in leaderless:
            assert not isinstance(outcome.order, Move | Support)
            assert outcome.results in {(OrderResult.STANDS,), (OrderResult.DESTROYED,)}
        if isinstance(outcome.order, Support):
            assert units[outcome.order.supported].faction != RIVAL.get(outcome.unit.faction)


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_game_of_chance_keeps_the_rules_of_factions(seed: int) -> None:
    for before, public in whole_game(START, RULES, seed, YEARS):
        check_position(public.next, RULES)
        check_centres(public.next)
        assert all(unit.faction in RULES.factions for unit in public.next.units)
        assert {unit.power for unit in public.next.units if unit.faction == "I"} <= {"GERMANS"}
        if before.turn.kind is PhaseKind.ADJUSTMENT:
            check_supply(public.next)
        if before.turn.kind is PhaseKind.MOVEMENT:
            check_month(before, public)
    assert public.verdict or public.next.turn.year == START.turn.year + YEARS
