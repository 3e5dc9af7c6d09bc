"""A game as an environment of PettingZoo's parallel shape: a step is a phase, in which all powers order at once.

    env = DiplomacyEnv("standard", phases=60)
    observations, infos = env.reset()
    while env.agents:
        actions = {one: env.action_space(one).sample(seen["action_mask"]) for one, seen in observations.items()}
        observations, rewards, terminations, truncations, infos = env.step(actions)

It needs numpy. With gymnasium the spaces are gymnasium's, and with pettingzoo the class is a `ParallelEnv`; without
them a space only tells its shape. Bids are left out: minor powers' units hold.
"""

from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any, ClassVar, TypeAlias

try:
    import numpy as np
except ImportError as error:
    raise ImportError("This environment needs numpy: pip install numpy", name="numpy") from error

from adjudication.orders import OrderSheet
from adjudication.turns import PhaseKind
from adjudication.units import NEUTRAL, UnitKind
from variants.game import Game

Array: TypeAlias = Any
Said: TypeAlias = dict[str, Any]
"""Agent -> what is said to it."""

PARALLEL: Any = import_module("pettingzoo").ParallelEnv if find_spec("pettingzoo") else object
SPACES: Any = import_module("gymnasium.spaces") if find_spec("gymnasium") else None
KINDS = tuple(PhaseKind)


class DiplomacyEnv(PARALLEL):
    """The agents are the powers. The observation and the action have a row for each of `places`: the provinces, coasts
    and, for declarations, powers.

    An action is a number for each row: 0 for no order, n for the nth lawful order of the unit there, or build there;
    what the mask excludes is no order, either. No more than `orders` - 1 of them can be chosen from. The reward is how
    much the power's share has grown: of the supply centres or, at the end of the game, of the win. After `phases`
    phases the game is truncated. Nothing is left to chance, so a seed changes nothing."""

    metadata: ClassVar[dict[str, Any]] = {"name": "diplomacy_v0", "render_modes": ["svg"]}
    render_mode = "svg"

    def __init__(self, variant: str = "standard", phases: int = 100, orders: int = 256) -> None:
        self.game, self.phases, self.orders = Game(variant), phases, orders
        board = self.game.variant.ruleset.board
        self.possible_agents = list(self.game.variant.ruleset.powers)
        self.agents: list[str] = []
        self.places = sorted({*board.army, *board.fleet, *board.provinces}) + self.possible_agents
        self.row = {place: row for row, place in enumerate(self.places)}
        self._columns = 2 * len(self.possible_agents) + 1 + len(UnitKind) + 1 + len(KINDS)
        self._spaces = {agent: (self._observed(), self._chosen()) for agent in self.possible_agents}

    def _observed(self) -> Any:
        shape, rows = (len(self.places), self._columns), len(self.places)
        if SPACES is None:
            return SimpleNamespace(shape=shape)
        mask = SPACES.Tuple([SPACES.MultiBinary(self.orders) for _ in range(rows)])
        return SPACES.Dict({"observation": SPACES.Box(0, 1, shape, np.int8), "action_mask": mask})

    def _chosen(self) -> Any:
        counts = np.full(len(self.places), self.orders)
        return SimpleNamespace(shape=counts.shape, nvec=counts) if SPACES is None else SPACES.MultiDiscrete(counts)

    def observation_space(self, agent: str) -> Any:
        """{"observation": 0 or 1 by place and column, "action_mask": for each place, 1 for what may be chosen}."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> Any:
        """A number below `orders` for each place."""
        return self._spaces[agent][1]

    def reset(self, seed: int | None = None, options: Said | None = None) -> tuple[Said, Said]:
        """The start of a new game: observations and, for each agent, the phase."""
        self.game = Game(self.game.variant)
        self.agents = list(self.possible_agents)
        return self._seen(self.agents)

    def step(self, actions: Said) -> tuple[Said, Said, Said, Said, Said]:
        """Adjudicate a phase and return observations, rewards, terminations, truncations and infos of the agents so
        far. A power without units and centres is out."""
        before, agents = self._shares(), self.agents
        self.game.push({agent: self._sheet(agent, action) for agent, action in actions.items()})
        after, is_over = self._shares(), self.game.result is not None
        is_cut = not is_over and len(self.game.phases) >= self.phases
        terminations = {agent: is_over or self._is_out(agent) for agent in agents}
        truncated = {agent: is_cut and not terminations[agent] for agent in agents}
        self.agents = [agent for agent in agents if not terminations[agent] and not truncated[agent]]
        observations, infos = self._seen(agents)
        return observations, {it: after[it] - before[it] for it in agents}, terminations, truncated, infos

    def render(self) -> str:
        """The map, as SVG."""
        return self.game.svg()

    def _sheet(self, agent: str, action: Array) -> OrderSheet:
        rows = [(row, int(action[self.row[row.location]])) for row in self.game.options.of_power(agent)]
        return OrderSheet(tuple(row.orders[number - 1] for row, number in rows if 0 < number <= len(row.orders)))

    def _shares(self) -> dict[str, float]:
        """Power -> its share."""
        result, position = self.game.result, self.game.position
        if result and result.winners:
            return {it: (it in result.winners) / len(result.winners) for it in self.possible_agents}
        centres = len(self.game.variant.ruleset.board.centres)
        return {agent: len(position.centres_of(agent)) / centres for agent in self.possible_agents}

    def _is_out(self, agent: str) -> bool:
        position = self.game.position
        has_dislodged = any(it.unit.power == agent for it in position.dislodged)
        return not (has_dislodged or position.units_of(agent) or position.centres_of(agent))

    def _seen(self, agents: list[str]) -> tuple[Said, Said]:
        observations = {it: {"observation": self._observation(it), "action_mask": self._mask(it)} for it in agents}
        return observations, {agent: {"phase": self.game.turn} for agent in agents}

    def _observation(self, agent: str) -> Array:
        """The columns are: units of each power, its own first, and of minor powers; army, fleet, dislodged; centres of
        each power, its own first; the kind of phase."""
        position, index = self.game.position, self.possible_agents.index(agent)
        powers = self.possible_agents[index:] + self.possible_agents[:index]
        owner = {power: column for column, power in enumerate([*powers, NEUTRAL])}
        kinds, array = len(owner), np.zeros((len(self.places), self._columns), np.int8)
        dislodged = [it.unit for it in position.dislodged]
        for unit in (*position.units, *dislodged):
            array[self.row[unit.location], [owner[unit.power], kinds + (unit.kind is UnitKind.FLEET)]] = 1
        for unit in dislodged:
            array[self.row[unit.location], kinds + 2] = 1
        for province, power in position.centres.items():
            array[self.row[province], kinds + 3 + owner[power]] = 1
        array[:, KINDS.index(position.turn.kind) - len(KINDS)] = 1
        return array

    def _mask(self, agent: str) -> tuple[Array, ...]:
        mask = np.zeros((len(self.places), self.orders), np.int8)
        mask[:, 0] = 1
        for row in [] if self.game.result else self.game.options.of_power(agent):
            mask[self.row[row.location], : len(row.orders) + 1] = 1
        return tuple(mask)
