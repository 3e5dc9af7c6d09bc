"""A variant as the site has it: powers, rules, start, map and words for players."""

from collections.abc import Mapping
from dataclasses import dataclass

from adjudication.position import Position
from adjudication.ruleset import Ruleset
from variants.drawing import BoardArt
from variants.rulebook import Rulebook
from variants.words.messages import term


@dataclass(frozen=True, slots=True)
class PowerInfo:
    """A playable power: its names, its letter and its colour slot (1 to 8) on the map."""

    id: str
    name: str
    adjective: str
    letter: str
    colour: int
    article: bool = False

    @property
    def called(self) -> str:
        """The power's name within a sentence, as in "France", "the Soviet Union"."""
        return term("the", name=self.name) if self.article else self.name


@dataclass(frozen=True, slots=True)
class Variant:
    """One playable variant. `digest` is a SHA-256 over the data that decides results: a game pins slug, version and
    digest, so that it cannot go on under other rules than it began with. `press_default`: "full", "public" or "none",
    unless the creator of a game says otherwise. `notes`: province -> a short fact about it, without a full stop."""

    slug: str
    title: str
    version: str
    digest: str
    summary: str
    credits: str
    powers: tuple[PowerInfo, ...]
    ruleset: Ruleset
    start: Position
    art: BoardArt
    press_default: str
    notes: Mapping[str, str]
    rules_text: str
    examples_text: str
    is_newest: bool = True

    @property
    def ref(self) -> str:
        """What loads it: its slug or, of an earlier version, "slug@version"."""
        return self.slug if self.is_newest else f"{self.slug}@{self.version}"

    @property
    def rulebook(self) -> Rulebook:
        return Rulebook(self.slug, self.title, self.ruleset, self.start)

    @property
    def players(self) -> int:
        return len(self.powers)

    def power(self, power_id: str) -> PowerInfo:
        """The power with this id; raises KeyError if the variant doesn't have it."""
        for info in self.powers:
            if info.id == power_id:
                return info
        raise KeyError(power_id)
