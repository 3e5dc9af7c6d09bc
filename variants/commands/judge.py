"""`python -m variants judge`: reads one phase per line as JSON and writes its result."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from variants.phase_json import BadPhase, Json, read_phase
from variants.phase_written import write_phase
from variants.rulebook import Rulebook

LONGEST_ERROR = 300
Answer: TypeAlias = Callable[[Json], dict[str, Any]]
"""From a phase to what is written for it; raises BadPhase."""


def judge_lines(lines: Iterable[str], rulebook: Rulebook) -> Iterator[str]:
    """What came of the phase in each line."""

    def judged(document: Json) -> dict[str, Any]:
        phase = read_phase(document, rulebook)
        return write_phase(phase.judged().public, phase.position, rulebook.ruleset)

    return answers(lines, judged)


def answers(lines: Iterable[str], answer: Answer) -> Iterator[str]:
    """One line of JSON for each line that is not blank; a bad one becomes {"error": "line 3: …"}. A game that is over
    and an error are passed on as they are, so that commands can be joined by pipes."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _encodable(_answered(line, answer, number))


def _answered(line: str, answer: Answer, number: int) -> dict[str, Any]:
    try:
        document = _document(line)
        return document if document.get("winners") or "error" in document else answer(document)
    except BadPhase as error:
        sentence = str(error)
    shown = sentence if len(sentence) <= LONGEST_ERROR else f"{sentence[:LONGEST_ERROR]}…"
    return {"error": f"line {number}: {shown}"}


def _document(line: str) -> dict[str, Any]:
    try:
        document = json.loads(line)
    except json.JSONDecodeError as error:
        raise BadPhase(f"This is not JSON: {error}.") from error
    except ValueError as error:
        raise BadPhase("This has a number with too many digits.") from error
    except RecursionError as error:
        raise BadPhase("This is nested too deeply.") from error
    if not isinstance(document, dict):
        raise BadPhase("A phase is a JSON object.")
    return document


def _encodable(answer: dict[str, Any]) -> str:
    """JSON that any terminal or file can take: half characters are escaped, as they were in the line."""
    text = json.dumps(answer, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(answer)
    return text
