"""The project's own record of a game, as a site publishes it (`games.orders.records`), with bids that were opened."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from adjudication import serialisation
from adjudication.corrections import outcomes_to_replay
from adjudication.notation import write_order
from adjudication.reasons import AS_WRITTEN
from adjudication.resolution import Notice
from adjudication.ruleset import Ruleset
from adjudication.units import NEUTRAL
from variants.commands.replay import BadRecord, replay
from variants.phase_json import BadPhase, read_phase
from variants.phase_written import write_position
from variants.receipts import RECORD_FORMAT
from variants.travel.games import Facts, GameHeading, PlayedGame, PlayedPhase, ToldGame, ToldPhase
from variants.travel.reading import (
    DEEPEST,
    LONGEST_NAME,
    LONGEST_TEXT,
    MOST_THINGS,
    UNPRINTABLE,
    Fields,
    WrongFile,
    one_line,
    players_in,
    shorten,
    variant_called,
)
from variants.travel.states import read_verdict
from variants.variant import Variant
from variants.words import told_notice, told_public, told_verdict

T = TypeVar("T")
CODE = re.compile("[0-9a-f]{64}")
LONGEST_SHEET = 6_000
LONGEST_ORDER = 80
FIRST_YEAR, LAST_YEAR = 1990, 2200
BID = re.compile(r"(-?\d{1,7}): (.*)")
CANNOT_BE_READ = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)


def is_game_of_form(document: dict[str, Any]) -> bool:
    return document.get("format") == RECORD_FORMAT


def read(document: dict[str, Any], line: int) -> ToldGame:
    """The game in this record. Raises WrongFile."""
    game = Fields(document, f"Line {line}")
    _check_depth_and_text(document, game.place, 0)
    heading = _heading(game)
    powers = [power.id for power in heading.variant.powers]
    phases = tuple(_phase_in(each, f"{game.place}, phase {n}", powers) for n, each in enumerate(game.phases(), 1))
    for phase in phases:
        phase.check(heading.variant)
    phases_told = tuple(phase.told(heading.variant) for phase in phases)
    try:
        differences = tuple(replay(document).differences)
    except (BadRecord, *CANNOT_BE_READ) as error:
        game.refuse(str(error) if isinstance(error, BadRecord) else f"it cannot be read ({type(error).__name__}).")
    return ToldGame(heading, phases_told, None, differences)


def _check_depth_and_text(value: object, place: str, depth: int) -> None:
    """Raises WrongFile if any entry (all are used) is nested too deeply or can't be stored and shown."""
    if depth > DEEPEST:
        raise WrongFile(place, f"it is nested more than {DEEPEST} deep.")
    if isinstance(value, float):
        raise WrongFile(place, f"{shorten(value)} is not a number that a game can have.")
    if isinstance(value, str) and UNPRINTABLE.search(value):
        raise WrongFile(place, "a text has a character that cannot be shown.")
    if isinstance(value, dict | list):
        for each in (*value, *value.values()) if isinstance(value, dict) else value:
            _check_depth_and_text(each, place, depth + 1)


def _heading(game: Fields) -> GameHeading:
    variant_facts, options = game.object("variant"), game.object("options")
    digest = variant_facts.text("digest", most=64)
    variant = variant_called(variant_facts.text("slug"), variant_facts.place, digest)
    players = game.object("players", {})
    last_year = options.get("last_year", int, 0)
    return GameHeading(
        id=one_line(game.text("game", most=LONGEST_NAME), LONGEST_NAME),
        name=one_line(game.text("name", "", LONGEST_NAME), LONGEST_NAME),
        variant=variant,
        version=variant_facts.text("version", most=20),
        digest=digest,
        status=game.text("status", most=10),
        verdict=read_verdict(game, [power.id for power in variant.powers]),
        players=players_in(players.value, variant, players.place),
        last_year=last_year or None,
        open_bids_at_end=options.get("open_bids_at_end", bool, False),
    )


class _Phase:
    """One phase of the file, whose parts are checked one by one."""

    def __init__(self, fields: Fields, powers: list[str]) -> None:
        self.fields = fields
        self.powers = powers
        self.position = self._read(
            "position", serialisation.position_from_json, "a turn, and lists of units and centres"
        )
        self.result = self._read("result", serialisation.public_from_json, "a turn, outcomes and the next position")
        for items in (self.position.units, self.position.dislodged, self.result.outcomes, self.result.next.units):
            if len(items) > MOST_THINGS:
                fields.refuse(f"it lists {len(items)} units or orders; at most {MOST_THINGS} are allowed.")

    def _read(self, key: str, reader: Callable[[dict[str, Any]], T], parts: str) -> T:
        try:
            return reader(self.fields.object(key).value)
        except CANNOT_BE_READ:
            self.fields.refuse(f"“{key}” is not written as in our records: {parts}.")

    def check(self, variant: Variant) -> None:
        """Raises WrongFile if the rules cannot lead to the position, or to the one after it."""
        book = variant.rulebook
        for key, position in (("position", self.position), ("result", self.result.next)):
            try:
                document = {**write_position(position, book.ruleset), "memory": position.memory}
                read_again = read_phase(document, book).position
            except (BadPhase, *CANNOT_BE_READ) as error:
                self.fields.refuse(f"“{key}”: {error if isinstance(error, BadPhase) else 'it cannot be read.'}")
            if read_again != position:
                self.fields.refuse(f"“{key}” is not written as in our records.")

    def told(self, variant: Variant) -> ToldPhase:
        try:
            outcomes = outcomes_to_replay(self.result.outcomes, self.position, variant.ruleset)
            orders = serialisation.lists_by_key((it.power, write_order(it.order, self.position)) for it in outcomes)
        except CANNOT_BE_READ:
            self.fields.refuse("an order in “result” is not written as in our records.")
        fields = self.fields
        facts = Facts(
            closed=self._moment("closed", fields),
            notices=tuple(self._notice(each) for each in self._some("notices")),
            amendments=tuple(self._amendment(each) for each in self._some("amendments")),
            missed=tuple(self._power(power, fields) for power in fields.texts("missed", [])),
            engine=fields.text("engine", "", 20),
            record=self._record(),
            sheets=self._sheets(),
            undone=self._undone(),
            stays_sealed=fields.get("stays_sealed", bool, False),
        )
        document = {**write_position(self.position, variant.ruleset), "orders": orders}
        bids_sent = fields.object("bids").value if fields.value.get("bids") is not None else None
        bids = bids_sent if facts.sheets is None else _bids_in(facts)
        return ToldPhase(fields.place, fields.get("ordinal", int), document, bids, facts)

    def _some(self, key: str) -> list[Any]:
        entries = self.fields.get(key, list, [])
        if len(entries) > MOST_THINGS:
            self.fields.refuse(f"“{key}” lists {len(entries)}; at most {MOST_THINGS} are allowed.")
        return entries

    def _power(self, power: str, place: Fields) -> str:
        if power not in self.powers:
            place.refuse(f"there is no power {shorten(power)}; there are {', '.join(self.powers)}.")
        return power

    def _moment(self, key: str, place: Fields) -> str:
        text = place.text(key, "", most=40)
        if not text:
            return ""
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            place.refuse(f"“{key}” is not a moment: {shorten(text)}.")
        if moment.utcoffset() is None or not FIRST_YEAR <= moment.year <= LAST_YEAR:
            place.refuse(f"“{key}” must be a moment from {FIRST_YEAR} on with its time zone, not {shorten(text)}.")
        return text

    def _notice(self, each: object) -> Notice:
        notice = Fields(each, f"{self.fields.place}, “notices”")
        power = notice.text("power", "", LONGEST_ORDER)
        if power:
            self._power(power, notice)
        return Notice(
            notice.text("kind", most=40),
            power or None,
            notice.text("province", "", 12) or None,
            {AS_WRITTEN: notice.text("sentence")},
        )

    def _amendment(self, each: object) -> dict[str, str]:
        amendment = Fields(each, f"{self.fields.place}, “amendments”")
        if amendment.text("power", most=40) != NEUTRAL:
            self._power(amendment.text("power"), amendment)
        return {
            "power": amendment.text("power"),
            "place": amendment.text("place", most=12),
            "was": amendment.text("was", "", LONGEST_ORDER),
            "instead": amendment.text("instead", "", LONGEST_ORDER),
            "reason": amendment.text("reason", "", 300),
        }

    def _record(self) -> dict[str, Any] | None:
        if self.fields.value.get("record") is None:
            return None
        record = self.fields.object("record")
        codes = record.object("sheets")
        return {
            "code": _code_in(record, "code"),
            "previous": _code_in(record, "previous") if record.text("previous", "") else "",
            "sheets": {self._power(power, codes): _code_in(codes, power) for power in codes.value},
        }

    def _sheets(self) -> dict[str, Any] | None:
        if self.fields.value.get("sheets") is None:
            return None
        sheets = self.fields.object("sheets")
        return {self._power(power, sheets): _sheet(sheets.object(power)) for power in sheets.value}

    def _undone(self) -> dict[str, str] | None:
        if self.fields.value.get("undone") is None:
            return None
        facts = self.fields.object("undone")
        return {"at": self._moment("at", facts), "reason": facts.text("reason", "", LONGEST_TEXT)}


def _phase_in(each: object, place: str, powers: list[str]) -> _Phase:
    fields = Fields(each, place)
    fields.place = f"{place} ({fields.text('turn', most=12)})"
    phase = _Phase(fields, powers)
    if phase.position.turn.code != fields.text("turn"):
        fields.refuse(f"its position is that of {phase.position.turn.code}.")
    return phase


def _code_in(fields: Fields, key: str) -> str:
    text = fields.text(key, most=64)
    if not CODE.fullmatch(text):
        fields.refuse(f"“{key}” must be a code of 64 hexadecimal digits.")
    return text


def _sheet(sheet: Fields) -> dict[str, Any]:
    return {
        "salt": _code_in(sheet, "salt"),
        "saved": sheet.get("saved", bool),
        "lines": sheet.text("lines", "", LONGEST_SHEET),
    }


def _bids_in(facts: Facts) -> dict[str, list[list[Any]]]:
    """The bids among the opened orders."""
    bids: dict[str, list[list[Any]]] = {}
    for power, sheet in (facts.sheets or {}).items():
        matches = [BID.fullmatch(line) for line in sheet["lines"].splitlines()]
        if pairs := [[int(bid[1]), bid[2]] for bid in matches if bid]:
            bids[power] = pairs
    return bids


# Out.


def write(game: PlayedGame) -> str:
    heading = game.heading
    document = {
        "format": RECORD_FORMAT,
        "language": "en",
        "game": heading.id,
        "name": heading.name,
        "variant": {"slug": heading.variant.slug, "version": heading.version, "digest": heading.digest},
        "options": {"last_year": heading.last_year, "open_bids_at_end": heading.open_bids_at_end},
        "status": heading.status,
        "verdict": told_verdict(heading.verdict, heading.variant.ruleset),
        **({"players": dict(heading.players)} if heading.players else {}),
        "phases": [_phase_document(phase, heading.variant.ruleset) for phase in game.phases],
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def _phase_document(phase: PlayedPhase, ruleset: Ruleset) -> dict[str, Any]:
    facts = phase.facts
    return {
        "ordinal": phase.ordinal,
        "turn": phase.position.turn.code,
        "closed": facts.closed,
        "position": serialisation.position_to_json(phase.position),
        "notices": [told_notice(notice, ruleset) for notice in facts.notices],
        "amendments": [dict(each) for each in facts.amendments],
        "result": told_public(phase.public, ruleset),
        "missed": list(facts.missed),
        "engine": facts.engine,
        "record": facts.record,
        "sheets": facts.sheets,
        "undone": facts.undone,
        **({"bids": phase.bids} if phase.bids is not None and facts.sheets is None else {}),
        **({"stays_sealed": True} if facts.stays_sealed else {}),
    }


def read_own_record(document: dict[str, Any], variant: Variant) -> PlayedGame:
    """A record that this program has made itself. Its results are used as they are."""
    game = Fields(document, "The record")
    powers = [power.id for power in variant.powers]
    phases = [_phase_in(each, f"Phase {n}", powers) for n, each in enumerate(game.phases(), 1)]
    verdict = serialisation.verdict_from_json(document["verdict"]) if document["verdict"] else None
    return PlayedGame(
        replace(_heading(game), verdict=verdict), tuple(_played_phase(phase, variant) for phase in phases)
    )


def _played_phase(phase: _Phase, variant: Variant) -> PlayedPhase:
    phase_told = phase.told(variant)
    bids = phase_told.bids
    if bids is not None:
        bids = {power: tuple((points, order) for points, order in entries) for power, entries in bids.items()}
    facts = replace(phase_told.facts, notices=tuple(map(serialisation.notice_from_json, phase.fields.value["notices"])))
    return PlayedPhase(phase_told.ordinal, phase.position, phase.result, bids, facts)
