"""October 1918: every power places its first armies in its own land (rule 4)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from adjudication.board import province_of
from adjudication.orders import Build, Order
from adjudication.reasons import Facts, OrderRefusal, Reason, refuse
from adjudication.resolution import Notice, NoticeKind, OrderOutcome, OrderResult, Settled
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import Unit, UnitKind
from variants.words.messages import term, worded


@dataclass(frozen=True, slots=True)
class Deployment:
    """`armies`: faction -> how many armies each power places. `lands`: power -> the provinces of its people."""

    armies: Mapping[str, int]
    lands: Mapping[str, tuple[str, ...]]
    orders = (Build,)

    def options(self, power: str, situation: Situation) -> tuple[tuple[str, tuple[Order, ...]], ...]:
        rows = ((place, self._placings(place, power, situation)) for place in sorted(self.lands[power]))
        return tuple((place, placings) for place, placings in rows if placings)

    def _placings(self, place: str, power: str, situation: Situation) -> tuple[Order, ...]:
        placings = (Build(UnitKind.ARMY, place, faction) for faction in self.armies)
        return tuple(order for order in placings if self.refusal(order, power, situation) is None)

    def refusal(self, order: Order, power: str, situation: Situation) -> OrderRefusal | None:
        if not isinstance(order, Build):
            return refuse(Reason.WRONG_PHASE, case="now", phase=PhaseKind.DEPLOYMENT.value)
        if order.kind is UnitKind.FLEET:
            return refuse(Reason.WRONG_TERRAIN, case="no fleets")
        if order.faction not in self.armies:
            return refuse(Reason.WRONG_FACTION, case="which", factions=tuple(self.armies))
        return self._place_refusal(order, power, situation)

    def _place_refusal(self, order: Build, power: str, situation: Situation) -> OrderRefusal | None:
        place = province_of(order.location)
        if place not in self.lands[power]:
            return refuse(Reason.NOT_A_BUILD_SITE, case="land", place=order.location)
        if situation.unit_at(place):
            return refuse(Reason.SITE_OCCUPIED, case="army", place=order.location)
        if not situation.board.provinces[place].centre:
            return None
        # The rules for centres are 4a and 4b.
        if place not in situation.position.centres:
            return refuse(Reason.NOT_A_BUILD_SITE, case="neutral", place=place)
        home_faction = situation.ruleset.control.factions(situation.position)[place]
        if home_faction == order.faction:
            return None
        return refuse(Reason.WRONG_FACTION, case="home", place=place, supplied=home_faction, faction=order.faction)

    def surplus_refusal(
        self, order: Order, accepted: Sequence[Order], power: str, situation: Situation
    ) -> OrderRefusal | None:
        builds = [earlier for earlier in accepted if isinstance(earlier, Build)]
        if not isinstance(order, Build):
            return None
        if any(earlier.location == order.location for earlier in builds):
            return refuse(Reason.ORDERED_TWICE, case="placed", place=order.location)
        limit = self.armies[order.faction]
        if sum(earlier.faction == order.faction for earlier in builds) < limit:
            return None
        return refuse(Reason.NO_BUILD_LEFT, case="place", count=limit, faction=order.faction)

    def has_a_choice(self, power: str, situation: Situation) -> bool:
        return bool(self.options(power, situation))

    def unfinished(self, orders: Sequence[Order], power: str, situation: Situation) -> tuple[str, ...]:
        counts = self._armies_left(orders).items()
        return tuple(
            term("armies left", count=count, faction=worded(situation.ruleset.factions[faction]))
            for faction, count in counts
            if count > 0
        )

    def _armies_left(self, orders: Sequence[Order]) -> dict[str, int]:
        """Faction -> the number of armies that these orders do not place."""
        counts = Counter(order.faction for order in orders if isinstance(order, Build))
        return {faction: count - counts[faction] for faction, count in self.armies.items()}

    def resolve(self, orders: Mapping[str, Sequence[Order]], situation: Situation) -> Settled:
        """Place all armies at once; armies without an order are placed by D1."""
        units, outcomes, notices = list(situation.position.units), [], []
        for power in situation.ruleset.powers:
            builds = [order for order in orders.get(power, ()) if isinstance(order, Build)]
            completed = self._placed_by_rule(builds, power, situation)
            outcomes += [OrderOutcome(None, power, order, (OrderResult.SUCCEEDS,)) for order in builds]
            placed = [Unit(power, order.kind, order.location, order.faction) for order in (*builds, *completed)]
            units += placed
            if completed:
                facts: Facts = {"power": power, "units": tuple(placed[len(builds) :]), "count": len(completed)}
                notices.append(Notice(NoticeKind.PLACED, power, None, facts))
        after = replace(situation.position, units=tuple(units))
        return Settled(after, tuple(outcomes), tuple(notices))

    def _placed_by_rule(self, builds: Sequence[Build], power: str, situation: Situation) -> list[Build]:
        """For each army without an order, the first lawful home centre that is free, otherwise the first other
        province, sorted by the names of the provinces (D1)."""
        homes = situation.ruleset.homes[power]
        new_builds: list[Build] = []
        for faction, count in self._armies_left(builds).items():
            used_places = {order.location for order in (*builds, *new_builds)}
            choices = [Build(UnitKind.ARMY, place, faction) for place in self.lands[power] if place not in used_places]
            lawful = [order for order in choices if self.refusal(order, power, situation) is None]
            lawful.sort(key=lambda order: (order.location not in homes, situation.board.name(order.location)))
            new_builds += lawful[:count]
        return new_builds
