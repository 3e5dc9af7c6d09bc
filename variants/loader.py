"""Loads a playable variant from its folder: rules, board, map and words, read and checked once per process."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from variants.camps import BadCamp, with_places_for_camps
from variants.drawing import read_art
from variants.rulebook import VARIANTS, VERSIONS, BrokenVariant, Rules, board_path, facts_from, path_of, rulebook_of
from variants.variant import PowerInfo, Variant

OWN_FILES = ("variant.toml", "rules.md")
BOARD_FILES = ("board.json", "anchors.json", "map.svg")
"""These may lie in the folder of another variant, which variant.toml then names as `board`."""
EXAMPLES = "examples.toml"
"""Decides nothing; a variant may omit it."""
POWER_FACTS = ("id", "name", "adjective", "letter", "colour")
PRESENTATION = frozenset(
    {"format", "title", "version", "summary", "credits", "counts", "board", "press", "armies", "notes", "aliases"}
)
"""The entries of variant.toml that decide nothing in a game; the board that one of them names is digested itself."""


@dataclass(frozen=True, slots=True)
class Sources:
    """A variant's files as text."""

    folder: str
    texts: Mapping[str, str]

    @classmethod
    def read(cls, folder: str, variants: Path = VARIANTS) -> "Sources":
        """Read the files in the folder in `variants`, and those of the board that it plays on."""
        home = variants / folder
        texts = {name: path_of(home, name).read_text(encoding="utf-8") for name in OWN_FILES}
        if path_of(home, EXAMPLES).exists():
            texts[EXAMPLES] = path_of(home, EXAMPLES).read_text(encoding="utf-8")
        facts = facts_from(folder, texts["variant.toml"])
        board = {name: board_path(folder, facts, name, variants).read_text(encoding="utf-8") for name in BOARD_FILES}
        return cls(folder, texts | board)

    @property
    def facts(self) -> dict[str, Any]:
        return facts_from(self.folder, self.texts["variant.toml"])

    @property
    def digest(self) -> str:
        """A hash of everything that decides results. A better map or a clearer rule text doesn't change it."""
        board = json.loads(self.texts["board.json"])
        decisive_facts: dict[str, Any] = {key: board[key] for key in ("provinces", "army", "fleet")}
        decisive_facts["rules"] = {key: facts for key, facts in self.facts.items() if key not in PRESENTATION}
        return hashlib.sha256(json.dumps(decisive_facts, sort_keys=True).encode()).hexdigest()


def load(folder: str, rules: Rules, variants: Path = VARIANTS) -> Variant:
    """The variant in `variants/<folder>/`; `rules` makes its ruleset from the board and variant.toml.

    Raises BrokenVariant when the files contradict each other.
    """
    sources = Sources.read(folder, variants)
    facts = sources.facts
    rulebook = rulebook_of(folder, facts, sources.texts["board.json"], rules)
    svg, anchors = sources.texts["map.svg"], sources.texts["anchors.json"]
    if not any(entry["homes"] for entry in facts["powers"]):  # they are marked as other centres are
        svg = svg.replace('href="#b-home"', 'href="#b-centre"')
    if "camps" in facts:
        try:
            anchors = json.dumps(with_places_for_camps(json.loads(anchors), facts["camps"]))
        except BadCamp as error:
            raise BrokenVariant(f"{sources.folder}: {error}") from error
    return Variant(
        slug=facts["slug"],
        is_newest=f"/{VERSIONS}/" not in folder,
        title=facts["title"],
        version=facts["version"],
        digest=sources.digest,
        summary=facts["summary"],
        credits=facts["credits"],
        powers=tuple(
            PowerInfo(**{name: entry[name] for name in POWER_FACTS}, article=entry.get("article", False))
            for entry in facts["powers"]
        ),
        ruleset=rulebook.ruleset,
        start=rulebook.start,
        art=read_art(svg, anchors, {entry["id"]: str(entry["colour"]) for entry in facts["powers"]}),
        press_default=facts.get("press", "full"),
        notes=facts.get("notes", {}),
        rules_text=sources.texts["rules.md"],
        examples_text=sources.texts.get(EXAMPLES, ""),
    )
