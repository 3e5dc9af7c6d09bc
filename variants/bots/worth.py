"""The worth of a position to one power, in thousandths of a supply centre.

Centres count if they are held or about to be, at risk, or within reach. Units count by how near they are to centres
that are wanted or threatened. The weights were derived from some hundred games between bots: from what became of their
centres within three years (`python -m tests.variants.weights`). `size` and `free` were found by trial instead: in those
games, centres of large owners and of none are worth less, but bots that avoid them win less against easy ones. Centres
within reach count a sixth less than in those games, and centres at risk some two fifths less: bolder bots won more,
above all against easy ones.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from enum import Enum, auto
from functools import lru_cache
from operator import getitem, mul
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple

from adjudication.board import province_of
from adjudication.civil_disorder import playable_powers
from adjudication.turns import Calendar, PhaseKind, Turn
from adjudication.units import NEUTRAL, Unit, UnitKind
from variants.bots.ground import WIDTH, Ground, ground_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adjudication.situation import Situation

FIELD = (1 << WIDTH) - 1


class Weights(NamedTuple):
    """How much each of these adds to the worth of a position.

    A centre of others with one of our units on it counts `taken`; `size` is for every centre that its owner has, `free`
    is for a centre without an owner. `lost`: our own centre with another's unit on it.

    Our units on centres: `beaten` if others could enter with at least two units more than we could, `tied` if with one
    more, `watched` if with fewer. Our centres without a unit of ours: `open` if others could enter with more units than
    we could, `doubt` if with as many or fewer; `home` is added for a home. Centres that could be taken or retaken next:
    `chance` if more of our units could enter than could defend it, `margin` for every further unit, `even` for as many;
    `early` if the centre has no owner.

    `landing`: our army beside our fleet at sea that could bring it to a centre of others that it can't walk to.
    `blocked`: a unit that is due and has no free home. `fled`: a unit of others that was dislodged and may retreat.
    `place`: the best place for a unit. `race`: a centre without an owner to which this power is nearest, from one step
    away."""

    taken: int
    size: int
    free: int
    lost: int
    beaten: int
    tied: int
    watched: int
    open: int
    doubt: int
    home: int
    chance: int
    margin: int
    even: int
    early: int
    landing: int
    blocked: int
    fled: int
    place: int
    race: int


COUNTED = Weights(
    taken=1000,
    size=10,
    free=0,
    lost=-830,
    beaten=-180,
    tied=-120,
    watched=-70,
    open=-300,
    doubt=-145,
    home=-25,
    chance=160,
    margin=155,
    even=35,
    early=-100,
    landing=100,
    blocked=-350,
    fled=-30,
    place=120,
    race=75,
)
"""Centres are counted before units move again."""
MOVING = Weights(
    taken=1000,
    size=10,
    free=0,
    lost=-800,
    beaten=-300,
    tied=-215,
    watched=-110,
    open=-385,
    doubt=-210,
    home=-70,
    chance=355,
    margin=130,
    even=120,
    early=-100,
    landing=200,
    blocked=-300,
    fled=-50,
    place=120,
    race=175,
)
"""Units move again first."""
MOST_MARGIN = 2
NEARER = (0, 100, 72, 48, 32, 20, 12, 8)
"""How much of a race counts, in percent, by the steps that the nearest unit must still go."""
DECIDED = 8000
"""What victory is worth, and defeat costs."""


def is_counted(turn: Turn, calendar: Calendar) -> bool:
    """Are centres counted before units move again?"""
    counted = calendar.counts_centres(turn)
    turn = calendar.after(turn)
    while turn.kind is not PhaseKind.MOVEMENT:
        counted = counted or calendar.counts_centres(turn)
        turn = calendar.after(turn)
    return counted


class Prospect:
    """The facts that are the same for all powers in one position. `owners`: centre -> the power that controls it.
    `reaching`: power -> how many of its units reach each centre. `brink`: a power that could win in this turn -> how
    many centres that takes."""

    __slots__ = ("brink", "free", "ground", "owners", "powers", "reaching", "situation", "sizes", "weights")

    def __init__(self, situation: Situation, weights: Weights | None = None) -> None:
        position, ruleset = situation.position, situation.ruleset
        self.situation = situation
        self.ground: Ground = ground_of(ruleset.board)
        number = self.ground.number
        self.owners = {number[centre]: owner for centre, owner in position.centres.items()}
        self.sizes = Counter(self.owners.values())
        counted = is_counted(position.turn, ruleset.calendar)
        self.weights = weights or (COUNTED if counted else MOVING)
        self.powers = playable_powers(position, ruleset)
        self.free = [(c, index) for index, c in enumerate(self.ground.centres) if c not in self.owners]
        self.reaching: dict[str, int] = dict.fromkeys((*ruleset.powers, NEUTRAL), 0)
        for unit in position.units:
            self.reaching[unit.power] += self.ground.reach[unit.rank]
        needs = ((power, self._centres_needed(power)) for power in self.powers if counted)
        self.brink = {power: count for power, count in needs if count}

    def _centres_needed(self, power: str) -> int:
        """How many centres would make the power win, if its units reach as many; else 0."""
        position, ruleset = self.situation.position, self.situation.ruleset
        provinces, reach = {unit.province for unit in position.units_of(power)}, self.reaching[power]
        numbered = enumerate(self.situation.board.centres)
        reached_centres = [c for index, c in numbered if reach >> index * WIDTH & FIELD or c in provinces]
        centres = dict(position.centres)
        for centre in sorted(reached_centres, key=lambda c: -self.sizes[centres.get(c, "")]):
            centres[centre] = power
            verdict = ruleset.victory.verdict(replace(position, centres=centres), ruleset)
            if verdict and verdict.winners == (power,):
                return [*centres.values()].count(power)
        return 0

    def threats(self, index: int, power: str) -> int:
        """The largest number of units with which one other power could enter that centre."""
        shift = index * WIDTH
        foes = (p for p in self.powers if p != power and self.may_take(p, power))
        return max((self.reaching[p] >> shift & FIELD for p in foes), default=0)

    def may_take(self, power: str, owner: str) -> bool:
        """May one power take the other's centres?"""
        return self.situation.ruleset.relations.may_take(power, owner, self.situation.position)


class Stake(Enum):
    """The part a centre plays for a power."""

    HOME = auto()
    OWN = auto()
    FREE = auto()
    """No one controls it."""
    OTHERS = auto()
    BARRED = auto()
    """It is another power's, from which it may not be taken."""


class Worth:
    """The position as one power sees it. `gains`: the gain from entering each centre of others; `losses`: its own
    centres. `abroad`: mask of the gains; `sails`: does it have a fleet?"""

    __slots__ = (
        "abroad",
        "cells",
        "foes",
        "gains",
        "homes",
        "losses",
        "marks",
        "places",
        "power",
        "prospect",
        "sails",
        "unpacked",
    )

    def __init__(self, power: str, prospect: Prospect) -> None:
        self.power = power
        self.prospect = prospect
        ground, weights = prospect.ground, prospect.weights
        appetites = tuple(self._appetite(index, centre) for index, centre in enumerate(ground.centres))
        self.places = Places(appetites, weights.place, ground)
        self.losses = frozenset(centre for centre in ground.centres if prospect.owners.get(centre) == power)
        self.gains = {centre: gain for centre in ground.centres if (gain := self._gain(centre)) is not None}
        self.abroad = sum(1 << centre for centre in self.gains)
        self.foes = frozenset(p for p in prospect.powers if p != power and prospect.may_take(p, power))
        homes = prospect.situation.ruleset.builds.homes(power, prospect.situation)
        self.homes = [ground.number[home] for home in homes if ground.number[home] in self.losses]
        self.cells = [cells_of(self._stake(centre), weights) for centre in ground.centres]
        self.unpacked = Struct(f"<{len(ground.centres)}H").unpack
        units = prospect.situation.position.units_of(power)
        self.sails = any(unit.kind is UnitKind.FLEET for unit in units)
        self.marks = Marks(self)

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

    def _gain(self, centre: int) -> int | None:
        """The gain from entering a centre; None if there is none."""
        prospect, weights = self.prospect, self.prospect.weights
        owner = prospect.owners.get(centre)
        if owner is None:
            return weights.taken + weights.free
        if owner == self.power or not prospect.may_take(self.power, owner):
            return None
        return weights.taken + weights.size * prospect.sizes[owner]

    def _stake(self, centre: int) -> Stake:
        if centre in self.losses:
            return Stake.HOME if centre in self.homes else Stake.OWN
        if centre not in self.gains:
            return Stake.BARRED
        return Stake.OTHERS if centre in self.prospect.owners else Stake.FREE

    def of(self, after: Mapping[int, Unit], dislodged: Sequence[tuple[Unit, int]] = ()) -> int:
        """The worth of these units (province number -> the unit there) and of the dislodged ones."""
        prospect, marks = self.prospect, self.marks
        mark_sum = sum(map(marks.__getitem__, [unit.rank for unit in after.values()]))
        codes = self.unpacked((mark_sum & marks.centres).to_bytes(marks.size, "little"))
        total = sum(map(getitem, self.cells, codes)) + (mark_sum >> marks.shift & SUMS)
        builds_due = len(self.losses) + (mark_sum >> marks.shift + SUM)
        if builds_due > 0:
            total += self._worth_of_blocked(after, builds_due)
        if self.sails:
            total += self._worth_of_landings(after)
        for unit, _ in dislodged:
            if unit.power in self.foes:
                total += prospect.weights.fled
        if prospect.free:
            total += self._worth_of_races(after)
        return total + self._worth_of_victory(after) if prospect.brink else total

    def _worth_of_blocked(self, after: Mapping[int, Unit], builds_due: int) -> int:
        """The worth (below 0) of this many units that are due but find no free home."""
        for home in self.homes:
            if home not in after:
                builds_due -= 1
        return self.prospect.weights.blocked * builds_due if builds_due > 0 else 0

    def _worth_of_landings(self, after: Mapping[int, Unit]) -> int:
        """The worth of armies that could be brought to a centre next."""
        board, power, abroad = self.prospect.situation.bitboard, self.power, self.abroad
        landings = [board.landings[here] for here, unit in after.items() if unit.power == power]
        shores = [shore for shore in landings if shore & abroad]
        if not shores:
            return 0
        count = 0
        for here, unit in after.items():
            if board.shore >> here & 1 and unit.power == power and unit.kind is UnitKind.ARMY:
                far = abroad & ~board.army[here]
                count += any(shore >> here & 1 and shore & far for shore in shores)
        return count * self.prospect.weights.landing

    def _worth_of_races(self, after: Mapping[int, Unit]) -> int:
        """The worth of centres without an owner or a unit to which this power is nearest."""
        steps, total = self.prospect.ground.steps, 0
        open_to = [index for centre, index in self.prospect.free if centre not in after]
        if not open_to:
            return 0
        own_steps = [steps[unit.rank] for unit in after.values() if unit.power == self.power]
        foe_steps = [steps[unit.rank] for unit in after.values() if unit.power in self.foes]
        far = len(NEARER)
        for index in open_to:
            own_best = min([each[index] for each in own_steps], default=far)
            foe_best = min([each[index] for each in foe_steps], default=far)
            if own_best <= foe_best and own_best < far:
                total += NEARER[own_best] if own_best < foe_best else NEARER[own_best] // 2
        return total * self.prospect.weights.race // 100

    def _worth_of_victory(self, after: Mapping[int, Unit]) -> int:
        """The worth of the victory if this power has won, minus as much if another one has; otherwise 0."""
        prospect, counts = self.prospect, dict(self.prospect.sizes)
        for centre in prospect.ground.centres:
            unit, owner = after.get(centre), prospect.owners.get(centre)
            if unit is not None and unit.power not in (owner, NEUTRAL):
                counts[unit.power] = counts.get(unit.power, 0) + 1
                if owner:
                    counts[owner] -= 1
        winners = {power for power, count in prospect.brink.items() if counts.get(power, 0) >= count}
        if self.power in winners:
            return DECIDED
        return -DECIDED if winners else 0


SUM = 32
SUMS = (1 << SUM) - 1
MINE, THEIRS, OWN, FOREIGN, NEITHER = 1, 1 << 6, 1 << 12, 1 << 13, 1 << 14
COUNT = THEIRS - 1
"""Of a centre: how many own units could enter, how many of others, and whose unit is on it: an own one, one of a power
that may take it, or another."""


class Marks(dict[str, int]):
    """Rank of a unit (`Unit.rank`) -> everything that it adds to the worth of a position, packed into one number, so
    that the sum of these numbers describes all units: WIDTH bits for each centre; then, from bit `shift` on, SUM bits
    for the worth of units by themselves; and above them the units due because of them, which can be below 0."""

    __slots__ = ("centres", "shift", "size", "worth")

    def __init__(self, worth: Worth) -> None:
        super().__init__()
        self.worth = worth
        self.shift = WIDTH * len(worth.prospect.ground.centres)
        self.centres = (1 << self.shift) - 1
        self.size = self.shift // 8

    def __missing__(self, rank: str) -> int:
        worth, ground = self.worth, self.worth.prospect.ground
        power, _, location, *_ = rank.split(" ")
        here = ground.number[province_of(location)]
        if power == worth.power:
            place_worth = worth.places[rank] + worth.gains.get(here, 0)
            on, reach, above = OWN, MINE * ground.reach[rank], place_worth + ((here in worth.gains) - 1 << SUM)
        elif power in worth.foes:
            on, reach, above = FOREIGN, THEIRS * ground.reach[rank], -(here in worth.losses) << SUM
        else:
            on, reach, above = NEITHER, 0, 0
        there = on << WIDTH * ground.place[here] if here in ground.place else 0
        self[rank] = mark = there + reach + (above << self.shift)
        return mark


class Cells(dict[int, int]):
    """Marks of a centre -> their worth, for one kind of stake."""

    __slots__ = ("stake", "weights")

    def __init__(self, stake: Stake, weights: Weights) -> None:
        super().__init__()
        self.stake, self.weights = stake, weights

    def __missing__(self, code: int) -> int:
        self[code] = value = self._worth(code & COUNT, code // THEIRS & COUNT, code & ~(OWN - 1))
        return value

    def _worth(self, own_units: int, foe_units: int, on: int) -> int:
        if on == OWN:
            return self._worth_if_held(own_units, foe_units)
        if self.stake is Stake.BARRED:
            return 0
        if self.stake in (Stake.HOME, Stake.OWN):
            if on != FOREIGN:
                # The worth of our centre with neither our unit nor an enemy's on it.
                weights = self.weights
                if not foe_units:
                    return 0
                home = weights.home if self.stake is Stake.HOME else 0
                return home + (weights.open if foe_units > own_units else weights.doubt)
            return self.weights.lost + self._worth_of_chance(own_units - foe_units - 1, own_units)
        return self._worth_of_chance(own_units - foe_units - bool(on), own_units)

    def _worth_if_held(self, own_units: int, foe_units: int) -> int:
        """The worth of a centre with a unit of ours on it."""
        weights = self.weights
        if foe_units > own_units + 1:
            return weights.beaten
        if foe_units > own_units:
            return weights.tied
        return weights.watched if foe_units else 0

    def _worth_of_chance(self, lead: int, own_units: int) -> int:
        """The worth of a centre that our units could enter with `lead` more than could defend it."""
        weights = self.weights
        if lead > 0:
            bonus = weights.early if self.stake is Stake.FREE else 0
            return weights.chance + weights.margin * min(lead - 1, MOST_MARGIN) + bonus
        return weights.even if own_units and lead == 0 else 0


@lru_cache(maxsize=256)
def cells_of(stake: Stake, weights: Weights) -> Cells:
    return Cells(stake, weights)


class Places(dict[str, int]):
    """Rank of a unit (`Unit.rank`) -> the worth of having it there. `wanted`: how strongly each centre attracts."""

    __slots__ = ("best", "ground", "most", "wanted")

    def __init__(self, wanted: Sequence[int], best: int, ground: Ground) -> None:
        """`best`: the worth of the best place."""
        super().__init__()
        self.wanted, self.best, self.ground = wanted, best, ground
        board = ground.board
        everywhere = [ground.near(UnitKind.ARMY, p) for p in board.army]
        everywhere += [ground.near(UnitKind.FLEET, p) for p in board.fleet]
        self.most = max(1, *(sum(map(mul, wanted, pulls)) for pulls in everywhere))

    def __missing__(self, rank: str) -> int:
        _, kind, location, *_ = rank.split(" ")
        pulls = self.ground.near(UnitKind(kind), location)
        worth: int = self.best * sum(map(mul, self.wanted, pulls)) // self.most
        self[rank] = worth
        return worth
