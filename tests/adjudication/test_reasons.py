"""Reasons and kinds come with the facts that they declare."""

from collections.abc import Iterator, Mapping

import pytest

from adjudication.board import province_of
from adjudication.judge import resolve
from adjudication.orders import OrderSheet, Support
from adjudication.reasons import (
    AS_WRITTEN,
    CASE,
    COUNTS,
    FACTIONS,
    FALLEN,
    ORDERS,
    PLACES,
    POWERS,
    UNITS,
    Coded,
    Misreading,
    Reason,
)
from adjudication.resolution import NoticeKind, OrderOutcome, OrderResult, VerdictKind
from tests.adjudication.boards import STANDARD, position
from tests.variants.wild import Said, all_that_is_said, kinds_said

KINDS: tuple[Coded, ...] = (*Reason, *Misreading, *NoticeKind, *VerdictKind)
GONE = {OrderResult.DISLODGED, OrderResult.DESTROYED}
OF_THE_DISLODGED = {"dislodged_by", "fate"}


def declared(kind: Coded) -> Iterator[tuple[str | None, set[str], set[str]]]:
    """The cases of a reason: the case, None for the usual one, the facts it needs, and those that may be missing."""
    for entry in kind.facts or ("",):
        case, colon, names = entry.rpartition(":")
        every = names.split()
        maybe = {name.strip("[]") for name in every if name.startswith("[")}
        yield case if colon else None, {name for name in every if not name.startswith("[")}, maybe


def names_of(said: Said) -> set[str]:
    """The facts that the reason itself tells."""
    dislodged = isinstance(said.told, OrderOutcome) and GONE & {*said.told.results}
    return {*said.facts} - {CASE} - (OF_THE_DISLODGED if dislodged else set())


def as_declared(said: Said) -> bool:
    assert isinstance(said.kind, Coded), said
    names, case = names_of(said), said.facts.get(CASE)
    return any(case == which and needed <= names <= needed | maybe for which, needed, maybe in declared(said.kind))


def test_what_the_rules_say_has_exactly_the_facts_that_are_declared() -> None:
    assert [str(said) for said in all_that_is_said() if not as_declared(said)] == []


def test_most_of_what_the_rules_can_say_is_said_in_these_games() -> None:
    assert len(kinds_said()) > len(KINDS) * 3 / 4


def test_a_unit_is_dislodged_by_an_order_and_its_fate_is_told_and_of_no_other_unit() -> None:
    found = [said for said in all_that_is_said() if isinstance(said.told, OrderOutcome)]
    assert any(GONE & {*said.told.results} for said in found if isinstance(said.told, OrderOutcome))
    for said in found:
        assert isinstance(said.told, OrderOutcome)
        gone = bool(GONE & {*said.told.results})
        assert OF_THE_DISLODGED & {*said.facts} == (OF_THE_DISLODGED if gone else set()), said


def test_an_order_that_succeeds_has_neither_reason_nor_facts() -> None:
    before = position("S1901M", {"FRANCE": ["A PAR", "A GAS"]})
    orders = OrderSheet((Support("GAS", "PAR"),))
    for outcome in resolve(before, {"FRANCE": orders}, STANDARD).public.outcomes:
        assert (outcome.reason, outcome.facts) == (None, {})


def test_the_name_of_a_fact_says_what_kind_of_value_it_has() -> None:
    for said in all_that_is_said():
        board, ruleset = said.ruleset.board, said.ruleset
        allowed: Mapping[frozenset[str], set[str]] = {
            PLACES: {*board.provinces},
            POWERS: {*ruleset.powers, "NEUTRAL"},
            FACTIONS: {*ruleset.factions},
        }
        for name, fact in said.facts.items():
            each = fact if type(fact) is tuple else (fact,)
            assert {type(it).__name__ for it in each} <= {expected(name)}, said
            for names, values in allowed.items():
                assert name not in names or {province_of(str(it)) for it in each} <= values, said


def expected(name: str) -> str:
    """The type of a fact, or of each where there are several."""
    types = {"Unit": UNITS, "GivenOrder": ORDERS, "Fallen": FALLEN, "int": COUNTS}
    return next((kind for kind, names in types.items() if name in names), "str")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_source_and_no_two_cases_that_are_alike(kind: Coded) -> None:
    cases = [(case, frozenset(needed | maybe)) for case, needed, maybe in declared(kind)]
    assert kind.source
    assert len(cases) == len({*cases})
    assert all(AS_WRITTEN not in names and CASE not in names for _, names in cases)
