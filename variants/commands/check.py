"""`python -m variants check`: checks that a variant's folder has everything it must contain, and finds faults in it."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from adjudication.board import Board, BoardError
from adjudication.legality import order_refusal
from adjudication.orders import Move, Support
from adjudication.position import Position
from adjudication.reasons import CASE, OrderRefusal, Reason
from adjudication.resolution import Public
from adjudication.ruleset import Ruleset
from adjudication.serialisation import position_from_json, position_to_json, public_from_json, public_to_json
from adjudication.situation import Situation
from adjudication.units import Unit, may_stand, unit_from_text
from variants.camps import BadCamp, with_camps, with_places_for_camps
from variants.commands.trial_games import play_phases
from variants.drawing import PALETTES
from variants.examples import BadExample, answers_to_claims, play, read_examples
from variants.loader import BOARD_FILES, EXAMPLES, OWN_FILES, load
from variants.rulebook import (
    DIGEST,
    VARIANTS,
    VERSIONS,
    BrokenVariant,
    Rulebook,
    Rules,
    board_home,
    counts_of,
    earlier_versions,
    facts_in,
    minor_units,
    rulebook_of,
    rules_in,
)
from variants.words import Told, words_for

PHASES = 200
COUNTED = ("spaces", "centres", "army_borders", "fleet_borders", "minors")


@dataclass(frozen=True, slots=True)
class Check:
    """A claim about a variant, and everything that contradicts it."""

    claim: str
    faults: Sequence[str] = ()

    def __str__(self) -> str:
        return "\n".join([f"{'✗' if self.faults else '✓'} {self.claim}", *(f"    {each}" for each in self.faults)])


@dataclass(frozen=True, slots=True)
class Candidate:
    """A variant's files, read but not yet trusted. `board` and `anchors` include the camps of `facts`."""

    folder: str
    variants: Path
    facts: Mapping[str, Any]
    board: Mapping[str, Any]
    anchors: Mapping[str, Any]
    picture: str

    @property
    def spaces(self) -> dict[str, Mapping[str, Any]]:
        """The spaces without the camps."""
        return {key: each for key, each in self.board["provinces"].items() if "within" not in each}

    @property
    def powers(self) -> list[Mapping[str, Any]]:
        return list(self.facts["powers"])


def check_variant(folder: str, variants: Path = VARIANTS, rules: Rules | None = None) -> Iterator[Check]:
    """One check after another, without those that need something an earlier check found missing. `rules` defaults to
    those in the folder's rules.py."""
    try:
        missing_files = tuple(_missing_files(folder, variants))
        candidate = None if missing_files else _candidate_in(folder, variants)
    except (ValueError, KeyError) as error:
        yield Check("its files can be read", _error_text(error).splitlines())
        return
    yield Check("all its files are there", missing_files)
    if candidate is None:
        return
    map_checks = [Check(claim, tuple(ask(candidate))) for claim, ask in OF_THE_MAP.items()]
    yield from map_checks
    board_checks = [Check(claim, tuple(ask(candidate))) for claim, ask in OF_THE_BOARD.items()]
    yield from board_checks
    yield Check("players can read what it is, who made it and how it is played", tuple(_missing_words(candidate)))
    if any(check.faults for check in board_checks):
        yield Check("it can be played", ("not tried: correct board, powers and units first.",))
        return
    yield from _checks_by_playing(candidate, rules)
    if not any(check.faults for check in map_checks):
        yield Check("it loads, with its map", tuple(_faults_in_loading(candidate, rules)))
        yield Check(
            "games can go on that have this version or an earlier one", tuple(_changed_versions(candidate, rules))
        )


def _missing_files(folder: str, variants: Path) -> Iterator[str]:
    is_there = (variants / folder / "variant.toml").exists()
    facts = facts_in(folder, variants) if is_there else {}
    for name in (*OWN_FILES, *(() if "rules" in facts else ("rules.py", "__init__.py"))):
        if not (variants / folder / name).exists():
            yield f"{folder}/{name} is missing."
    if not is_there:
        return
    board = board_home(folder, facts, variants)
    for name in BOARD_FILES:
        if not (board / name).exists():
            yield f"{board.name}/{name} is missing. To make it from facts.yaml: python -m variants draw {board.name}"


def _candidate_in(folder: str, variants: Path) -> Candidate:
    facts = facts_in(folder, variants)
    board, anchors, picture = (
        (board_home(folder, facts, variants) / name).read_text(encoding="utf-8") for name in BOARD_FILES
    )
    camps = facts.get("camps", {})
    return Candidate(
        folder,
        variants,
        facts,
        with_camps(json.loads(board), camps),
        with_places_for_camps(json.loads(anchors), camps),
        picture,
    )


def _error_text(error: Exception) -> str:
    is_ours = isinstance(error, BadCamp | BadExample | BrokenVariant)
    return str(error) if is_ours else f"{type(error).__name__}: {error}"


# Checks that need no play.


def _outdated_files(candidate: Candidate) -> Iterator[str]:
    facts = board_home(candidate.folder, candidate.facts, candidate.variants) / "facts.yaml"
    if not facts.exists():
        yield f"{facts.parent.name}/facts.yaml is missing, and a board is drawn from its facts."
        return
    now = hashlib.sha256(facts.read_bytes()).hexdigest()
    hashes = {
        "board.json": candidate.board.get("facts"),
        "anchors.json": candidate.anchors.get("facts"),
        "map.svg": next(iter(re.findall(r'data-facts="([^"]*)"', candidate.picture)), None),
    }
    for name in (name for name, mark in hashes.items() if mark != now):
        yield f"{name} is out of date with facts.yaml. To redraw it: python -m variants draw {facts.parent.name}"


def _one_way_borders(candidate: Candidate) -> Iterator[str]:
    places = {*candidate.board["provinces"], *(c for p in candidate.board["provinces"].values() for c in p["coasts"])}
    for unit in ("army", "fleet"):
        borders = candidate.board[unit]
        for here, neighbours in borders.items():
            for there in neighbours:
                if there not in places:
                    yield f"{unit} {here}-{there}: {there} is not on the board."
                elif here not in borders.get(there, ()) and here[:3] in candidate.spaces:
                    yield f"{unit} {here}-{there}: listed only from {here}."


def _spaces_without_neighbours(candidate: Candidate) -> Iterator[str]:
    borders = (candidate.board["army"], candidate.board["fleet"])
    neighbour_ids = {there[:3] for table in borders for places in table.values() for there in places}
    for key, space in candidate.spaces.items():
        if key not in neighbour_ids:
            yield f"{space['name']} ({key}) has no neighbour."


def _wrong_counts(candidate: Candidate) -> Iterator[str]:
    try:
        board = Board.from_json(candidate.board)
    except BoardError as error:
        yield str(error)
        return
    declared_counts, board_counts = candidate.facts.get("counts", {}), counts_of(board, candidate.facts)
    for kind in COUNTED:
        if kind not in declared_counts:
            yield f"variant.toml does not give the number of {kind}; the board has {board_counts[kind]}."
        elif declared_counts[kind] != board_counts[kind]:
            yield f"variant.toml says {declared_counts[kind]} {kind}, but the board has {board_counts[kind]}."


def _spaces_not_drawn(candidate: Candidate) -> Iterator[str]:
    shapes = Counter(re.findall(r'data-province="([^"]+)"', candidate.picture))
    words = set(re.findall(r"<text[^>]*>([^<]+)</text>", candidate.picture))
    for key, space in candidate.spaces.items():
        if shapes[key] != 1:
            yield f"{space['name']} ({key}) is drawn {shapes[key]} times."
        if space["abbr"] not in words:
            yield f"{space['name']} is not labelled {space['abbr']}."


def _places_missing_on_map(candidate: Candidate) -> Iterator[str]:
    width, height = candidate.anchors["size"]
    for key, province in candidate.board["provinces"].items():
        spots = candidate.anchors["provinces"].get(key, {})
        places = {"its unit": spots.get("unit"), "its name": spots.get("label")}
        places |= {coast: spots.get("coasts", {}).get(coast) for coast in province["coasts"]}
        if province["centre"]:
            places["its centre mark"] = spots.get("centre")
        for subject, spot in places.items():
            if spot is None or not (0 < spot[0] < width and 0 < spot[1] < height):
                yield f"{province['name']} ({key}): no place on the map for {subject}."


def _powers_not_told_apart(candidate: Candidate) -> Iterator[str]:
    for trait in ("id", "name", "letter", "colour"):
        for value, times in Counter(power[trait] for power in candidate.powers).items():
            if times > 1:
                yield f"{times} powers share the {trait} {value!r}."
    slots = {str(power["colour"]) for power in candidate.powers}
    if not any(slots <= palette.keys() for palette in PALETTES):
        ranges = ", or all ".join(f"from {min(map(int, each))} to {max(map(int, each))}" for each in PALETTES)
        yield f"The powers’ colours must all be {ranges}: {', '.join(sorted(slots, key=int))}."
    for power in candidate.powers:
        for centre in (*power["homes"], *power["colonies"]):
            if not candidate.board["provinces"].get(centre, {}).get("centre"):
                yield f"{power['name']}: {centre} is not a supply centre on the board."


def _misplaced_units(candidate: Candidate) -> Iterator[str]:
    try:
        board = Board.from_json(candidate.board)
        units = [unit_from_text(power["id"], text) for power in candidate.powers for text in power["units"]]
    except ValueError as error:
        yield str(error)
        return
    minors = [unit_from_text("a minor power", f"{kind} {key}") for key, kind in minor_units(candidate.facts).items()]
    for unit in (*units, *minors):
        if unit.province not in board.provinces:
            yield f"{unit} of {unit.power}: {unit.province} is not on the board."
        elif not may_stand(unit.kind, unit.location, board):
            yield f"{unit} of {unit.power} cannot be placed there."
    yield from _crowded_provinces(units + minors)


def _crowded_provinces(units: Iterable[Unit]) -> Iterator[str]:
    for province, times in Counter(unit.province for unit in units).items():
        if times > 1:
            yield f"there are {times} units in {province}."


def _missing_words(candidate: Candidate) -> Iterator[str]:
    for entry, task in (("summary", "what is special, in a sentence"), ("credits", "whose idea and whose map it is")):
        if not candidate.facts.get(entry, "").strip():
            yield f"variant.toml: “{entry}” is empty; say {task}."
    rules = (candidate.variants / candidate.folder / "rules.md").read_text(encoding="utf-8")
    if not rules.strip():
        yield "rules.md is empty; write the rules as players read them."
    elif "TO WRITE" in rules:
        yield "rules.md still contains “TO WRITE”."


Question: TypeAlias = Callable[[Candidate], Iterable[str]]
OF_THE_MAP: Mapping[str, Question] = {
    "board, anchors and map match the current facts": _outdated_files,
    "every space is drawn and labelled": _spaces_not_drawn,
    "units, names and centre marks have a place on the map": _places_missing_on_map,
}
"""Faults of the map do not keep the rules from being tried."""
OF_THE_BOARD: Mapping[str, Question] = {
    "borders run both ways": _one_way_borders,
    "every space can be entered": _spaces_without_neighbours,
    "the board has the numbers declared": _wrong_counts,
    "powers are told apart by name, letter and colour, and their homes are centres": _powers_not_told_apart,
    "the starting units are where they may be": _misplaced_units,
}


# Checks by playing.


def _checks_by_playing(candidate: Candidate, rules: Rules | None) -> Iterator[Check]:
    board = board_home(candidate.folder, candidate.facts, candidate.variants) / "board.json"
    try:
        ruleset_tried = rules or rules_in(candidate.folder, candidate.variants)
        rulebook = rulebook_of(candidate.folder, candidate.facts, board.read_text(encoding="utf-8"), ruleset_tried)
    except Exception as error:  # noqa: BLE001 - any fault in an author's rules is the answer
        yield Check("its rules load", (_error_text(error),))
        return
    yield Check("its rules load")
    path = candidate.variants / candidate.folder / EXAMPLES
    examples = path.read_text(encoding="utf-8") if path.exists() else ""
    yield Check("powers build in centres that they start with", tuple(_homes_not_controlled(rulebook)))
    yield Check("positions survive a round trip through JSON", tuple(_change_by_json(rulebook.start)))
    yield Check("its worked examples give the results they claim", tuple(_wrong_examples(examples, rulebook)))
    yield Check(
        f"{PHASES} phases of random legal orders are adjudicated without an error", tuple(_faults_in_play(rulebook))
    )


def _faults_in_loading(candidate: Candidate, rules: Rules | None) -> Iterator[str]:
    try:
        load(candidate.folder, rules or rules_in(candidate.folder, candidate.variants), candidate.variants)
    except Exception as error:  # noqa: BLE001 - any fault of an author is the answer
        yield _error_text(error)


def _changed_versions(candidate: Candidate, rules: Rules | None) -> Iterator[str]:
    """Versions that are not as they were released. A folder that was never released has no digest to compare."""
    home = candidate.variants / candidate.folder
    newest = load(candidate.folder, rules or rules_in(candidate.folder, candidate.variants), candidate.variants)
    if (home / DIGEST).exists() and (home / DIGEST).read_text(encoding="utf-8").strip() != newest.digest:
        yield (
            f"version {newest.version} was released with another board or other rules. Undo the change, type "
            f"“python -m variants release {candidate.folder} NUMBER”, and change it then."
        )
    for version, digest in earlier_versions(home).items():
        folder = f"{candidate.folder}/{VERSIONS}/{version}"
        try:
            before = load(folder, rules_in(folder, candidate.variants), candidate.variants)
        except Exception as error:  # noqa: BLE001 - any fault of an author is the answer
            yield f"{version}: {_error_text(error)}"
            continue
        if before.digest != digest:
            yield f"{version}: its board or its rules are not those it was released with."
        if [it.id for it in before.powers] != [it.id for it in newest.powers]:
            yield f"{version} has other powers. That is another variant: give it a folder and a slug of its own."
        yield from (f"{version}: {fault}" for fault in _wrong_examples(before.examples_text, before.rulebook))


def _homes_not_controlled(rulebook: Rulebook) -> Iterator[str]:
    """Homes that their power doesn't control at the start. Later homes are up to the variant's policy of builds."""
    board, start = rulebook.ruleset.board, rulebook.start
    for power, homes in rulebook.ruleset.homes.items():
        for home in homes:
            if start.centres.get(home) != power:
                yield f"{power}: {board.name(home)} is a home, but at the start the power does not control it."


def _change_by_json(position: Position) -> Iterator[str]:
    if position_from_json(json.loads(json.dumps(position_to_json(position)))) != position:
        yield f"{position.turn.code} changes when it is written and read back."


def _missing_sentences(position: Position, public: Public, ruleset: Ruleset) -> Iterator[str]:
    """Results of this position, and refusals of moves and supports in it, that have no sentence."""
    try:
        facts: list[Told] = [*public.outcomes, *public.notices, *_refusal_of_each_kind(Situation(position, ruleset))]
        for each in facts:
            words_for(ruleset).say(each)
    except KeyError as error:
        yield f"there is no sentence for {error}: write one under [sentences] in variant.toml."


def _refusal_of_each_kind(situation: Situation) -> Iterator[OrderRefusal]:
    """One refusal for each reason and case."""
    keys = set[tuple[Reason, object]]()
    for unit in situation.position.units:
        pairs = ((Move(unit.location, there), Support(unit.location, there[:3])) for there in situation.board.locations)
        for refusal in (order_refusal(order, unit.power, situation) for orders in pairs for order in orders):
            if refusal and (key := (refusal.reason, refusal.facts.get(CASE))) not in keys:
                keys.add(key)
                yield refusal


def _wrong_examples(examples: str, rulebook: Rulebook) -> Iterator[str]:
    try:
        for example in read_examples(examples, rulebook):
            answers = answers_to_claims(example, play(example, rulebook.ruleset), rulebook.ruleset)
            for key, claim in example.claims.items():
                if answers[key] != claim:
                    yield f"{example.title}: “{key}” says {claim}, the adjudicator {answers[key]}."
    except (BadExample, ValueError) as error:
        yield _error_text(error)


def _faults_in_play(rulebook: Rulebook) -> Iterator[str]:
    turn = rulebook.start.turn
    try:
        for position, public in play_phases(rulebook.start, rulebook.ruleset, PHASES):
            turn = position.turn
            faults = [
                *_change_by_json(public.next),
                *_crowded_provinces(public.next.units),
                *(_missing_sentences(position, public, rulebook.ruleset) if position == rulebook.start else ()),
            ]
            if public_from_json(json.loads(json.dumps(public_to_json(public)))) != public:
                faults.append("the published result changes when it is written and read back.")
            if faults:
                yield from (f"{turn.code}: {fault}" for fault in faults)
                return
            turn = public.next.turn
    except Exception as error:  # noqa: BLE001 - any fault in an author's rules is the answer
        yield f"{turn.code}: {_error_text(error)}"
