"""Counts the test cases that the adjudicator passes: `python -m tests.operation.datc_record` writes them for
/status/."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from diplomacy_site.embedded import places
from tests.adjudication import test_datc

RECORD = places.CHECKOUT / "diplomacy_site" / "datc.json"
TITLES = {
    "6.A": "Basic checks",
    "6.B": "Coasts",
    "6.C": "Circular movement",
    "6.D": "Supports and dislodgements",
    "6.E": "Head-to-head battles and beleaguered garrisons",
    "6.F": "Convoys",
    "6.G": "Convoys to neighbouring places",
    "6.H": "Retreats",
    "6.I": "Builds",
    "6.J": "Civil disorder and removals",
}
JUDGES = {"movement": test_datc.test_movement, "adjustment": test_datc.test_adjustment}


def is_passed(case: dict[str, Any]) -> bool:
    """Does the adjudicator agree with everything that the case states?"""
    try:
        JUDGES[case["phase"]](case)
    except AssertionError:
        return False
    return True


def section_of(case: dict[str, Any]) -> str:
    return str(case["id"]).rpartition(".")[0]


def counted() -> dict[str, Any]:
    """What the file should contain, adjudicated now."""
    cases = Counter(map(section_of, test_datc.CASES))
    passed = Counter(section_of(case) for case in test_datc.CASES if is_passed(case))
    head = json.loads((test_datc.DATC / "cases.json").read_text(encoding="utf-8"))
    return {
        "document": f"{head['document']}, by {head['author']}, version {head['version']}",
        "sections": [
            {"code": code, "title": title, "cases": cases[code], "passed": passed[code]}
            for code, title in TITLES.items()
        ],
    }


if __name__ == "__main__":
    RECORD.write_text(json.dumps(counted(), indent=1) + "\n", encoding="utf-8")
