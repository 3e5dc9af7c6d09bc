"""What a position is worth to one power, in thousandths of a supply centre.

Four things count: centres held or about to be; units, by how near they are to centres that are wanted or threatened;
units dislodged; and at every centre, whether more units of others or of one's own could enter it next.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import mul
from typing import NamedTuple

from adjudication.civil_disorder import players
from adjudication.situation import Situation
from adjudication.turns import Calendar, PhaseKind, Turn
from adjudication.units import NEUTRAL, Unit, UnitKind
from variants.bots.ground import WIDTH, Ground, ground_of

FIELD = (1 << WIDTH) - 1


class Weights(NamedTuple):
    """`centre`: a centre taken or lost; `place`: the best place for a unit; `own`, `theirs`: a unit dislodged;
    `risk`: a centre that others could take next, `doubt`: one that they could enter, though as many could defend it;
    `chance`: a centre of others that could be taken next; `build`: an empty home for a unit that is due; `race`: a
    centre that no one controls, by the steps that the nearest unit must still go, if that is the power's own."""

    centre: int
    place: int
    own: int
    theirs: int
    risk: int
    doubt: int
    chance: int
    build: int
    race: tuple[int, ...] = (0, 250, 180, 120, 80, 50, 30, 20)


DECIDED = 8000
"""What victory is worth, and defeat costs."""


def weights_in(turn: Turn, calendar: Calendar) -> Weights:
    """What counts most is a centre, if centres are counted before units move again; and what could happen to one next,
    if they are counted after that."""
    counted, following = _counted(turn, calendar)
    soon, _ = _counted(following, calendar)
    return Weights(
        centre=1000 if counted else 600,
        place=120,
        own=300,
        theirs=80,
        risk=350 if soon else 200,
        doubt=120 if soon else 60,
        chance=220 if soon else 140,
        build=350 if counted else 0,
    )


def _counted(turn: Turn, calendar: Calendar) -> tuple[bool, Turn]:
    """Are centres counted before units move again? And when they move again."""
    counted = calendar.counts(turn)
    turn = calendar.after(turn)
    while turn.kind is not PhaseKind.MOVEMENT:
        counted = counted or calendar.counts(turn)
        turn = calendar.after(turn)
    return counted, turn


class Prospect:
    """What is the same for all powers in one position. `owners`: centre -> the power that controls it. `reaching`:
    power -> how many of its units reach each centre."""

    __slots__ = ("brink", "free", "ground", "owners", "powers", "reaching", "situation", "sizes", "weights")

    def __init__(self, situation: Situation) -> None:
        position, ruleset = situation.position, situation.ruleset
        self.situation = situation
        self.ground: Ground = ground_of(ruleset.board)
        number = self.ground.number
        self.owners = {number[centre]: owner for centre, owner in position.centres.items()}
        self.sizes = Counter(self.owners.values())
        self.weights = weights_in(position.turn, ruleset.calendar)
        self.powers = players(position, ruleset)
        self.free = [(c, index) for index, c in enumerate(self.ground.centres) if c not in self.owners]
        self.reaching: dict[str, int] = dict.fromkeys((*ruleset.powers, NEUTRAL), 0)
        for unit in position.units:
            self.reaching[unit.power] += self.ground.reach[unit.rank]
        self.brink = self._brink() if self.weights.build else {}

    def _brink(self) -> dict[str, int]:
        """The powers that could win in this turn, each with the number of centres that it takes."""
        found = ((power, self._needed(power)) for power in self.powers)
        return {power: needed for power, needed in found if needed}

    def _needed(self, power: str) -> int:
        """How many centres would make the power win, if its units reach as many; else 0."""
        position, ruleset = self.situation.position, self.situation.ruleset
        own, near = {unit.province for unit in position.units_of(power)}, self.reaching[power]
        named = enumerate(self.situation.board.centres)
        reached = [centre for index, centre in named if near >> index * WIDTH & FIELD or centre in own]
        centres = dict(position.centres)
        for centre in sorted(reached, key=lambda c: -self.sizes[centres.get(c, "")]):
            centres[centre] = power
            verdict = ruleset.victory.verdict(replace(position, centres=centres), ruleset)
            if verdict and verdict.winners == (power,):
                return [*centres.values()].count(power)
        return 0

    def threats(self, index: int, power: str) -> int:
        """The most units with which one other power could enter that centre."""
        shift = index * WIDTH
        foes = (p for p in self.powers if p != power and self.may_take(p, power))
        return max((self.reaching[p] >> shift & FIELD for p in foes), default=0)

    def may_take(self, power: str, owner: str) -> bool:
        """May one power take the other's centres?"""
        return self.situation.ruleset.relations.may_take(power, owner, self.situation.position)


class Worth:
    """The position as one power sees it."""

    __slots__ = ("foes", "gains", "homes", "losses", "places", "power", "prospect", "rival")

    def __init__(self, power: str, prospect: Prospect) -> None:
        self.power = power
        self.prospect = prospect
        wanted = tuple(self._appetite(index, centre) for index, centre in enumerate(prospect.ground.centres))
        self.places = Places(wanted, prospect.weights.place, prospect.ground)
        self.gains, self.losses = self._at_stake()
        others = [p for p in prospect.powers if p != power]
        self.foes = frozenset(p for p in others if prospect.may_take(p, power))
        self.rival = prospect.weights.centre // max(1, len(others))
        number, homes = prospect.ground.number, prospect.situation.ruleset.builds.homes(power, prospect.situation)
        self.homes = [number[home] for home in homes if number[home] in self.losses]

    def _appetite(self, index: int, centre: int) -> int:
        """How much a unit wants to be at a centre: to take it, or to keep it from others."""
        prospect = self.prospect
        owner = prospect.owners.get(centre)
        threats = prospect.threats(index, self.power)
        if owner == self.power:
            return 250 + 250 * min(threats, 2) if threats else 60
        if owner is None:
            return 1000
        if not prospect.may_take(self.power, owner):
            return 150
        return 700 + 25 * prospect.sizes[owner]

    def _at_stake(self) -> tuple[dict[int, int], dict[int, int]]:
        """What it gains by entering each centre of others, and loses by others entering its own."""
        prospect, gains, losses = self.prospect, {}, {}
        for centre in prospect.ground.centres:
            owner = prospect.owners.get(centre)
            if owner == self.power:
                losses[centre] = prospect.weights.centre
            elif owner is None or prospect.may_take(self.power, owner):
                gains[centre] = prospect.weights.centre + (10 * prospect.sizes[owner] if owner else 0)
        return gains, losses

    def of(self, after: Mapping[int, Unit], beaten: Sequence[tuple[Unit, int]] = ()) -> int:
        """The worth of units: province number -> the unit there; and of those dislodged."""
        me, places, reach = self.power, self.places, self.prospect.ground.reach
        gains, losses, foes = self.gains, self.losses, self.foes
        owners = self.prospect.owners
        total = mine = theirs = units = taken = 0
        for here, unit in after.items():
            power = unit.power
            if power == me:
                rank = unit.rank
                units += 1
                total += places[rank]
                mine += reach[rank]
                if here in gains:
                    taken += 1
                    total += gains[here]
            elif power in foes:
                theirs += reach[unit.rank]
                if here in losses:
                    taken -= 1
                    total -= losses[here]
                elif here in gains and owners.get(here) != power:
                    total -= self.rival
        total += sum(self._loss(unit) for unit, _ in beaten)
        total += self._builds(after, len(losses) + taken - units)
        return total + self._outlook(after, mine, theirs, units) + self._race(after) + self._decided(after)

    def _loss(self, beaten: Unit) -> int:
        """What it is worth that this unit was dislodged."""
        if beaten.power == self.power:
            return -self.prospect.weights.own
        return self.prospect.weights.theirs if beaten.power in self.foes else 0

    def _builds(self, after: Mapping[int, Unit], due: int) -> int:
        """What it is worth that units that are due can be built."""
        if due <= 0:
            return 0
        return self.prospect.weights.build * min(due, sum(home not in after for home in self.homes))

    def _race(self, after: Mapping[int, Unit]) -> int:
        """The centres without an owner or a unit to which this power is nearest."""
        steps, race, total = self.prospect.ground.steps, self.prospect.weights.race, 0
        open_to = [index for centre, index in self.prospect.free if centre not in after]
        if not open_to:
            return 0
        mine = [steps[unit.rank] for unit in after.values() if unit.power == self.power]
        others = [steps[unit.rank] for unit in after.values() if unit.power in self.foes]
        far = len(race)
        for index in open_to:
            own = min([each[index] for each in mine], default=far)
            other = min([each[index] for each in others], default=far)
            if own <= other and own < far:
                total += race[own] if own < other else race[own] // 2
        return total

    def _decided(self, after: Mapping[int, Unit]) -> int:
        """Has this power won, or another one?"""
        prospect, counts = self.prospect, dict(self.prospect.sizes)
        if not prospect.brink:
            return 0
        for centre in prospect.ground.centres:
            unit, owner = after.get(centre), prospect.owners.get(centre)
            if unit is not None and unit.power not in (owner, NEUTRAL):
                counts[unit.power] = counts.get(unit.power, 0) + 1
                if owner:
                    counts[owner] -= 1
        there = {power for power, needed in prospect.brink.items() if counts.get(power, 0) >= needed}
        if self.power in there:
            return DECIDED
        return -DECIDED if there else 0

    def _outlook(self, after: Mapping[int, Unit], mine: int, theirs: int, units: int) -> int:
        """Which centres could change hands next; no more of others' than there are units to take them."""
        me, foes, weights, total, chances = self.power, self.foes, self.prospect.weights, 0, 0
        gains, losses, centres = self.gains, self.losses, self.prospect.ground.centres
        size = len(centres)
        for centre, ours, others in zip(
            centres, mine.to_bytes(size, "little"), theirs.to_bytes(size, "little"), strict=True
        ):
            if not (ours or others):
                continue
            unit = after.get(centre)
            if unit is not None and unit.power == me:
                if others > ours + 1:
                    total -= weights.risk
            elif centre in losses and (unit is None or unit.power not in foes):
                if others:
                    total -= weights.risk if others > ours else weights.doubt
            elif ours > others + (unit is not None) and (centre in gains or centre in losses):
                chances += 1
        return total + weights.chance * min(chances, units)


class Places(dict[str, int]):
    """Rank of a unit (`Unit.rank`) -> what it is worth to have it there. `wanted`: how much each centre pulls."""

    __slots__ = ("best", "ground", "most", "wanted")

    def __init__(self, wanted: Sequence[int], best: int, ground: Ground) -> None:
        """`best`: what the best place is worth."""
        super().__init__()
        self.wanted, self.best, self.ground = wanted, best, ground
        board = ground.board
        everywhere = [ground.near(UnitKind.ARMY, p) for p in board.army]
        everywhere += [ground.near(UnitKind.FLEET, p) for p in board.fleet]
        self.most = max(1, *(sum(map(mul, wanted, pulls)) for pulls in everywhere))

    def __missing__(self, rank: str) -> int:
        _, kind, location, *_ = rank.split(" ")
        pulls = self.ground.near(UnitKind(kind), location)
        known: int = self.best * sum(map(mul, self.wanted, pulls)) // self.most
        self[rank] = known
        return known
