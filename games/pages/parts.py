"""What the home page and the lobby show."""

from collections.abc import Mapping
from dataclasses import dataclass

from games.kernel.parts import GameCard, PowerCard
from variants.maps import Drawing


@dataclass(frozen=True, slots=True)
class Lobby:
    """The newest games of every list. `next`: where the lists that are longer go on, by their names."""

    mine: tuple[GameCard, ...]
    open: tuple[GameCard, ...]
    running: tuple[GameCard, ...]
    finished: tuple[GameCard, ...]
    next: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Showcase:
    """A public game on the home page. `leaders`: the powers with the most centres and how many, best first."""

    game: GameCard
    drawing: Drawing
    leaders: tuple[tuple[int, PowerCard], ...]
