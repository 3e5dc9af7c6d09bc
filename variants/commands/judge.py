"""`python -m variants judge`: reads one phase per line as JSON and writes its result."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from variants.phase_json import BadPhase, read_phase, write_phase
from variants.rulebook import Rulebook


def judge_lines(lines: Iterable[str], rulebook: Rulebook) -> Iterator[str]:
    """One line of JSON for each line that is not blank; a bad one becomes {"error": "line 3: …"}."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield json.dumps(_judged(number, line, rulebook), ensure_ascii=False)


def _judged(number: int, line: str, rulebook: Rulebook) -> dict[str, Any]:
    try:
        phase = read_phase(json.loads(line), rulebook)
    except json.JSONDecodeError as error:
        return {"error": f"line {number}: This is not JSON: {error}."}
    except BadPhase as error:
        return {"error": f"line {number}: {error}"}
    public = phase.judged().public
    return write_phase(public, phase.position)
