"""What pages show of files and of games that were played elsewhere."""

from collections.abc import Mapping
from dataclasses import dataclass

from variants.travel import Replayed


@dataclass(frozen=True, slots=True)
class ElsewhereView:
    """A game that was played elsewhere. `differences`: what our adjudicator finds otherwise, in sentences."""

    differences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FoundInFile:
    """What a file has, before it is added. `players`: name of a power -> a player's name. `kept`: the file, packed."""

    name: str
    variant: str
    first: str
    last: str
    phases: int
    verdict: str
    players: Mapping[str, str]
    differences: tuple[str, ...]
    kept: str

    @classmethod
    def of(cls, found: Replayed, name: str, verdict: str, kept: str) -> "FoundInFile":
        heading, standing = found.game.heading, found.game.standing
        variant = heading.variant
        return cls(
            name=name,
            variant=variant.title,
            first=standing[0].title,
            last=standing[-1].title,
            phases=len(standing),
            verdict=verdict,
            players={variant.power(power).name: player for power, player in heading.players.items()},
            differences=found.differences,
            kept=kept,
        )
