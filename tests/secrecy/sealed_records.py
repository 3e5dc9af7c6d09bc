"""The one public value that depends on secrets: the codes of receipts and sealed records, which differ from world to
world by chance alone.

A code is the SHA-256 of a sheet with 256 random bits that are drawn anew for every save, even of blank orders, and that
only their player gets (`tests/orders/test_receipts.py` proves both). Without them no one can tell whether a code
belongs to given orders, so comparisons leave out codes and salts, and nothing else.
"""

from __future__ import annotations

import re
from typing import Any

CODE = re.compile(r"\b[0-9a-f]{64}\b")


def without_codes(text: str) -> str:
    """The text with "CODE" for every code and every salt."""
    return CODE.sub("CODE", text)


def row_without_codes(row: dict[str, Any]) -> dict[str, Any]:
    """The row of a commitment with "CODE" for its codes: that, and for which powers, there are any is compared."""
    if not {"codes", "previous", "code"} <= row.keys():
        return row
    codes = {power: without_codes(code) for power, code in row["codes"].items()}
    return {**row, "codes": codes, "previous": without_codes(row["previous"]), "code": without_codes(row["code"])}
