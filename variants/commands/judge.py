"""`python -m variants judge`: reads one phase per line as JSON and writes its result."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from variants.phase_json import BadPhase, read_phase, write_phase
from variants.rulebook import Rulebook

LONGEST_ERROR = 300


def judge_lines(lines: Iterable[str], rulebook: Rulebook) -> Iterator[str]:
    """One line of JSON for each line that is not blank; a bad one becomes {"error": "line 3: …"}."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _encodable(_judged(line, rulebook, number))


def _judged(line: str, rulebook: Rulebook, number: int) -> dict[str, Any]:
    try:
        phase = read_phase(_document(line), rulebook)
        return write_phase(phase.judged().public, phase.position)
    except BadPhase as error:
        sentence = str(error)
    except (AttributeError, KeyError, TypeError, ValueError):
        if '"memory"' not in line:
            raise
        sentence = "“memory” does not hold what these rules remember."
    shown = sentence if len(sentence) <= LONGEST_ERROR else f"{sentence[:LONGEST_ERROR]}…"
    return {"error": f"line {number}: {shown}"}


def _document(line: str) -> object:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise BadPhase(f"This is not JSON: {error}.") from error
    except ValueError as error:
        raise BadPhase("This has a number with too many digits.") from error
    except RecursionError as error:
        raise BadPhase("This is nested too deeply.") from error


def _encodable(answer: dict[str, Any]) -> str:
    """JSON that any terminal or file can take: half characters are escaped, as they were in the line."""
    text = json.dumps(answer, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(answer)
    return text
