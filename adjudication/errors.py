"""The errors that the engine raises on purpose.

ValueError
 ├── NotationError    a line that is not an order; its sentence says what is wrong and what is allowed
 ├── BoardError       the facts of a board contradict each other (in `board`)
 └── FormatError      stored JSON of an unknown format
"""

from collections.abc import Callable


class NotationError(ValueError):
    """`sentence` is for the player. The `hint` at its end is found only if someone reads it, as that takes long."""

    def __init__(self, sentence: str, hint: Callable[[], str] = str) -> None:
        super().__init__(sentence)
        self._hint = hint

    @property
    def sentence(self) -> str:
        return f"{self.args[0]}{self._hint()}"

    def __str__(self) -> str:
        return self.sentence


class FormatError(ValueError):
    """Stored JSON was written in a format that this engine does not know."""
