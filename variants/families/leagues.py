"""Leagues, such as religions: which units a minor power's unit does not help.

These rules have the same three kinds as DPjudge. In a plain league, minor powers help every unit. A strict minor power
helps only units of its own league. In a benign league, a minor power does not help a unit of a foreign league to move
into a province where a unit of a friendly league is. The units count as they are when orders are written.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from adjudication.board import province_of
from adjudication.orders import Convoy, Support
from adjudication.reasons import OrderRefusal, Reason, refuse
from adjudication.ruleset import Legality
from adjudication.situation import Situation
from adjudication.units import NEUTRAL, Unit


@dataclass(frozen=True, slots=True, eq=False)
class Leagues:
    """`of_power`, `of_minor`: power or province -> its league. `strict`: provinces of strict minor powers. `friends`:
    benign league -> the friendly leagues, its own included; other leagues are plain."""

    of_power: Mapping[str, str]
    of_minor: Mapping[str, str]
    strict: frozenset[str]
    friends: Mapping[str, tuple[str, ...]]

    def league(self, unit: Unit | None) -> str | None:
        if unit is None:
            return None
        return self.of_minor.get(unit.province) if unit.power == NEUTRAL else self.of_power.get(unit.power)

    def refusal(self, order: Support | Convoy, unit: Unit, situation: Situation) -> OrderRefusal | None:
        """Why a minor power's unit does not give this help; None if it does."""
        own_league = self.league(unit)
        if unit.power != NEUTRAL or own_league is None:
            return None
        helped_league = self.league(situation.unit_at(order.supported if isinstance(order, Support) else order.army))
        if unit.province in self.strict:
            strict = refuse(Reason.VARIANT_RULE, case="strict league", place=unit.province, league=own_league)
            return None if helped_league == own_league else strict
        friends = self.friends.get(own_league, ())
        if helped_league in friends or not order.destination:
            return None
        if self.league(situation.unit_at(province_of(order.destination))) not in friends:
            return None
        return refuse(Reason.VARIANT_RULE, case="benign league", place=unit.province, leagues=friends)


def leagues_of(facts: Mapping[str, Any]) -> Leagues:
    """The leagues in a variant.toml: name -> `powers`, `minors` and, where they apply, `strict` (some of the minors)
    and `friends` (leagues, for a benign one)."""
    return Leagues(
        of_power={power: name for name, league in facts.items() for power in league["powers"]},
        of_minor={minor: name for name, league in facts.items() for minor in league["minors"]},
        strict=frozenset(minor for league in facts.values() for minor in league.get("strict", ())),
        friends={name: tuple(league["friends"]) for name, league in facts.items() if "friends" in league},
    )


def with_leagues(legality: Legality, leagues: Leagues) -> Legality:
    return replace(
        legality, supports=(*legality.supports, leagues.refusal), convoys=(*legality.convoys, leagues.refusal)
    )
