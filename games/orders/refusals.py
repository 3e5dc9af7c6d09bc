"""Why a sheet is not saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.kernel.refusals import Refusal

if TYPE_CHECKING:
    from games.orders.parts import ProblemView, Receipt


class BadSheet(Refusal):
    """The sentence counts the mistakes and quotes none, so that it can stand in a log."""

    def __init__(self, problems: tuple[ProblemView, ...], text: str) -> None:
        lines = "1 line has" if len(problems) == 1 else f"{len(problems)} lines have"
        super().__init__(f"Nothing was saved, because {lines} a mistake.")
        self.problems = problems
        self.text = text


class TooLate(Refusal):
    def __init__(self, receipt: Receipt | None) -> None:
        super().__init__("Too late, not counted: the deadline of this phase has passed.")
        self.receipt = receipt
