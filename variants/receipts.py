"""Receipts and sealed records: one code that proves what a seat's orders were, and one for all orders of a phase.

The code of orders is the SHA-256 of their text with a secret salt; without the salt it reveals nothing. The code of
a phase covers the codes of all its orders and that of the previous record.
`static/check_receipt.py` does the same without any of this project's code.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

RECORD_FORMAT = "diplomacy game record 1"
NONE_BEFORE = "none"
"""Replaces the previous record's code in the first record of a game."""
BEGIN, END = "-----BEGIN SHEET-----", "-----END SHEET-----"


@dataclass(frozen=True, slots=True, repr=False)
class SealedSheet:
    """The orders of one seat in one phase. `turn` is a code such as S1901M, `lines` are canonical, `salt` is 64 hex
    digits drawn for every save."""

    game: str
    ordinal: int
    turn: str
    power: str
    salt: str
    saved: bool
    lines: str

    def __repr__(self) -> str:
        return "SealedSheet(sealed)"

    @property
    def text(self) -> str:
        """The text the code covers."""
        facts = (
            f"game: {self.game}",
            f"phase: {self.ordinal}",
            f"turn: {self.turn}",
            f"power: {self.power}",
            f"salt: {self.salt}",
            f"saved: {'yes' if self.saved else 'no'}",
        )
        return "\n".join((*facts, *self.lines.splitlines()))

    @property
    def code(self) -> str:
        return sha256_of(self.text)


def record_code(game: str, ordinal: int, turn: str, codes: Mapping[str, str], previous: str) -> str:
    """The code of a phase; `codes`: power -> code of its sheet, `previous`: the code of the record before, or ""."""
    facts = (f"game: {game}", f"phase: {ordinal}", f"turn: {turn}", f"previous: {previous or NONE_BEFORE}")
    return sha256_of("\n".join((*facts, *(f"{power}: {code}" for power, code in sorted(codes.items())))))


def sha256_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def receipt_file(sheet: SealedSheet, *, at: str, game: str, by_gm: bool = False) -> str:
    """The receipt as a text to keep; `at` says when it was saved, "" if nothing was saved, `game` is its address.
    `by_gm`: the game master wrote it."""
    before = (
        "Receipt for a sheet of orders. Keep it to yourself: it shows what you wrote.",
        "",
        f"Game: {game}",
        f"Saved: {at or 'nothing was saved'}{', by the game master' if by_gm else ''}",
        f"Code: {sheet.code}",
        "",
        "After the deadline, check that this sheet counted as it stands here:",
        "download the game's record and the script from the page “How to check the results”, then run",
        "    python check_receipt.py receipt.txt record.json",
        "",
    )
    return "\n".join((*before, BEGIN, sheet.text, END)) + "\n"
