"""`python -m variants replay`: recomputes a published game, its results, its open auctions and its sealed records."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from adjudication.corrections import Correction, adjudicate_corrected, adjudicate_published
from adjudication.notation import read_sheets
from adjudication.position import Position
from adjudication.resolution import Public, Verdict
from adjudication.ruleset import Ruleset
from adjudication.serialisation import position_from_json, position_to_json, public_from_json
from adjudication.turns import Turn
from variants.by_slug import UnknownVariant, find
from variants.phase_json import Json
from variants.receipts import RECORD_FORMAT, SealedSheet, record_code
from variants.survivors import verdict_after_last_year
from variants.switches import UnknownRule, variant_with
from variants.variant import Variant
from variants.words import as_said, say
from variants.words.orders import phase_words

ENDED_STATUSES = ("finished", "closed")
ANNOUNCED = frozenset({"position changed", "civil disorder"})
"""The kinds of notice that explain a position the previous phase did not lead to."""


class BadRecord(ValueError):
    """This is not the record of a game; the message says why."""


@dataclass(slots=True)
class ReplayReport:
    """The findings: `differences` are errors, `remarks` are a game master's public actions."""

    differences: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    last_code: str = ""

    def lines(self) -> Iterator[str]:
        yield from (f"Note: {remark}" for remark in self.remarks)
        yield from (f"DIFFERENCE: {difference}" for difference in self.differences)
        counts = self.counts
        yield (
            f"{counts['phases']} phases: {counts['from sheets']} results recomputed from the opened orders and "
            f"bids, {counts['from orders']} from the published orders."
        )
        if counts["records"]:
            yield (
                f"{counts['records']} sealed records in one chain, with {counts['sheets']} opened sets of orders. "
                f"The code of the last record: {self.last_code}"
            )
        yield f"{len(self.differences) or 'No'} difference{'' if len(self.differences) == 1 else 's'}."


@dataclass(frozen=True, slots=True)
class RecordedPhase:
    """One adjudicated phase of the record."""

    facts: Json
    title: str
    position: Position
    published: Public


def replay(document: object, settings: Collection[str] = ()) -> ReplayReport:
    """Recompute this record's game, by the rules in `settings` ("via_fallback=true"). Raises BadRecord, UnknownRule."""
    if not isinstance(document, dict) or document.get("format") != RECORD_FORMAT:
        raise BadRecord(f"This is not the record of a game: its “format” is not {RECORD_FORMAT!r}.")
    try:
        return _replayed(document, settings)
    except (BadRecord, UnknownRule):
        raise
    except KeyError as error:
        raise BadRecord(f"The record cannot be read: {error} is missing.") from error
    except (ArithmeticError, AssertionError, TypeError, AttributeError, ValueError, IndexError) as error:
        raise BadRecord(f"The record cannot be read: {error}.") from error


def _replayed(document: Json, settings: Collection[str]) -> ReplayReport:
    report = ReplayReport()
    variant = variant_with(_variant_of(document["variant"], report), settings)
    phases = [_recorded_phase(facts) for facts in document["phases"]]
    for phase in phases:
        _compare_result(phase, variant, report)
    _check_records(document["game"], phases, report)
    standing_phases = [phase for phase in phases if phase.facts["undone"] is None]
    _check_course(sorted(standing_phases, key=lambda phase: phase.facts["ordinal"]), document, variant, report)
    bids_are_open = document["options"]["open_bids_at_end"] and document["status"] in ENDED_STATUSES
    for phase in standing_phases:
        if bool(phase.facts["sheets"]) and not bids_are_open:
            report.differences.append(f"{phase.title}: orders are open that should be sealed.")
        must_be_open = bids_are_open and not phase.facts.get("stays_sealed")
        if must_be_open and phase.facts["record"] and not phase.facts["sheets"]:
            report.differences.append(f"{phase.title}: the orders should be open, but are not.")
    return report


def _variant_of(facts: Json, report: ReplayReport) -> Variant:
    try:
        variant = find(facts["slug"], facts.get("digest", ""))
    except UnknownVariant as unknown:
        raise BadRecord(str(unknown)) from unknown
    if variant.digest != facts["digest"]:
        report.differences.append(
            f"The game was played with version {facts['version']} of {variant.title}; this is {variant.version}, "
            "whose rules are different. Use the version of this program that the game was played with."
        )
    return variant


def _recorded_phase(facts: Json) -> RecordedPhase:
    title = phase_words(Turn.from_code(facts["turn"])) + (" (undone)" if facts["undone"] else "")
    return RecordedPhase(facts, title, position_from_json(facts["position"]), public_from_json(facts["result"]))


# Results.


def _compare_result(phase: RecordedPhase, variant: Variant, report: ReplayReport) -> None:
    result = _adjudicated_again(phase, variant)
    report.counts["phases"] += 1
    report.counts["from sheets" if phase.facts["sheets"] else "from orders"] += 1
    report.differences += [f"{phase.title}: {text}" for text in _differences(phase.published, result, variant.ruleset)]
    for each in phase.facts["amendments"]:
        instead = f"counts as {each['instead']}" if each["instead"] else "does not count"
        report.remarks.append(
            f"{phase.title}: corrected by the game master, {each['was'] or 'no order'} of {each['power']} {instead}."
        )
    if phase.facts["undone"]:
        report.remarks.append(f"{phase.title}: {phase.facts['undone']['reason']}")


def _adjudicated_again(phase: RecordedPhase, variant: Variant) -> Public:
    rules, sheets = variant.ruleset, phase.facts["sheets"]
    if not sheets:
        return adjudicate_published(phase.position, phase.published.outcomes, rules)
    opened_sheets = read_sheets({power: sheet["lines"] for power, sheet in sheets.items()}, phase.position, rules)
    corrections = [
        Correction(each["power"], each["place"], each["was"], each["instead"]) for each in phase.facts["amendments"]
    ]
    return adjudicate_corrected(phase.position, opened_sheets, corrections, rules)


def _differences(published: Public, computed: Public, ruleset: Ruleset) -> Iterator[str]:
    """How two results differ."""
    published_words, computed_words = as_said(published, ruleset), as_said(computed, ruleset)
    for outcome in _surplus_in(published_words["outcomes"], computed_words["outcomes"]):
        yield f"published, but does not follow from the orders: {_outcome_words(outcome)}."
    for outcome in _surplus_in(computed_words["outcomes"], published_words["outcomes"]):
        yield f"follows from the orders, but was not published: {_outcome_words(outcome)}."
    names = {"notices": "the notices", "next": "the next position", "verdict": "the end of the game"}
    for name, words in names.items():
        if published_words[name] != computed_words[name]:
            yield f"{words} should be different: {_difference(published_words[name], computed_words[name])}"
    if published_words["contests"] != computed_words["contests"]:
        yield "the strengths of attack and defence should be different."


def _surplus_in(items: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    """The items that are not in `others`, each as often as it is missing there."""
    remainder, surplus = list(others), []
    for each in items:
        if each in remainder:
            remainder.remove(each)
        else:
            surplus.append(each)
    return surplus


def _outcome_words(outcome: Json) -> str:
    order = " ".join(str(value) for value in outcome["order"].values() if value not in (None, "", False))
    return f"{outcome['power'] or 'a minor power'}, {order}: {', '.join(outcome['results'])}"


def _difference(published: object, computed: object) -> str:
    """The differences only, as in "centres: MUN: published FRANCE, follows GERMANY"."""
    if isinstance(published, dict) and isinstance(computed, dict):
        names = sorted(name for name in {*published, *computed} if published.get(name) != computed.get(name))
        return "; ".join(f"{name}: {_difference(published.get(name), computed.get(name))}" for name in names)
    if isinstance(published, list) and isinstance(computed, list):
        only_published, only_computed = _surplus_in(published, computed), _surplus_in(computed, published)
        return f"published {only_published or 'nothing more'}, follows {only_computed or 'nothing more'}"
    return f"published {published}, follows {computed}"


# Sealed records.


def _check_records(game: str, phases: Iterable[RecordedPhase], report: ReplayReport) -> None:
    """Check that each record covers its orders and the previous record, and that opened orders are the sealed ones.

    A phase closed before records existed never has one, even if it is adjudicated again later.
    """
    older: set[tuple[int, str]] = set()
    for phase in phases:
        record = phase.facts["record"]
        if record is None:
            key = (phase.facts["ordinal"], phase.facts["closed"])
            if not report.last_code:
                older.add(key)
            elif key in older:
                report.remarks.append(f"{phase.title}: closed before there were sealed records, so it has none.")
            else:
                report.differences.append(f"{phase.title}: has no sealed record, though the previous phase has one.")
            continue
        report.counts["records"] += 1
        ordinal, turn = phase.facts["ordinal"], phase.facts["turn"]
        if record["previous"] != report.last_code:
            report.differences.append(f"{phase.title}: its sealed record does not follow the previous one.")
        if record_code(game, ordinal, turn, record["sheets"], record["previous"]) != record["code"]:
            report.differences.append(f"{phase.title}: the sealed record does not match the codes of these orders.")
        report.last_code = record["code"]
        report.differences += [
            f"{phase.title}: {text}" for text in _altered_sheets(game, phase, record["sheets"], report)
        ]


def _altered_sheets(game: str, phase: RecordedPhase, codes: Mapping[str, str], report: ReplayReport) -> Iterator[str]:
    sheets = phase.facts["sheets"]
    if not sheets:
        return
    for power in sorted({*sheets, *codes}):
        if power not in sheets or power not in codes:
            yield f"{power} should have both orders and a code, but one is missing."
            continue
        sheet = sheets[power]
        sealed_sheet = SealedSheet(game, phase.facts["ordinal"], phase.facts["turn"], power, **sheet)
        report.counts["sheets"] += 1
        if sealed_sheet.code != codes[power]:
            yield f"the orders of {power} are not those that were sealed at the deadline."
        if sheet["saved"] and power in phase.facts["missed"]:
            yield f"{power} is listed as having sent no orders, but has orders."


# The course of the game.


def _check_course(phases: Sequence[RecordedPhase], document: Json, variant: Variant, report: ReplayReport) -> None:
    """Check that each phase starts where the previous one led to, and that the game ends by the rules."""
    expected_position, last_year = variant.start, document["options"]["last_year"]
    verdict: Verdict | None = None
    for number, phase in enumerate(phases):
        if phase.facts["ordinal"] != number:
            report.differences.append(f"{phase.title}: phase {number} is missing before it.")
        if position_to_json(phase.position) != position_to_json(expected_position):
            _report_position(phase, expected_position, report)
        expected_position = phase.published.next
        verdict = phase.published.verdict or verdict_after_last_year(expected_position, variant, last_year)
        if verdict and phase is not phases[-1]:
            report.differences.append(
                f"{phase.title}: the game was already over by the rules. {say(verdict, variant.ruleset)}"
            )
    if phases:
        _check_end(phases[-1], verdict, document, variant, report)


def _report_position(phase: RecordedPhase, expected_position: Position, report: ReplayReport) -> None:
    sentences = [notice["sentence"] for notice in phase.facts["notices"] if notice["kind"] in ANNOUNCED]
    if sentences:
        report.remarks.append(f"{phase.title}: {' '.join(sentences)}")
        return
    difference = _difference(position_to_json(phase.position), position_to_json(expected_position))
    report.differences.append(f"{phase.title}: did not start from the position the previous phase led to. {difference}")


def _check_end(
    last: RecordedPhase, verdict: Verdict | None, document: Json, variant: Variant, report: ReplayReport
) -> None:
    published = document["verdict"]
    sentence = say(verdict, variant.ruleset) if verdict else ""
    if verdict is None:
        if published:
            report.remarks.append(f"Not ended by the rules of the variant: {published['sentence']}")
    elif not published:
        report.differences.append(f"{last.title}: the game is over by the rules. {sentence}")
    elif (tuple(published["winners"]), published["sentence"]) != (verdict.winners, sentence):
        report.differences.append(f"The outcome: published “{published['sentence']}”, but by the rules “{sentence}”.")
