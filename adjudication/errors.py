"""The errors that the engine raises on purpose.

ValueError
 ├── NotationError    a line that is not an order; its sentence says what is wrong and what is allowed
 ├── BoardError       the facts of a board contradict each other (in `board`)
 └── FormatError      stored JSON of an unknown format
"""


class NotationError(ValueError):
    """`sentence` is for the player."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class FormatError(ValueError):
    """Stored JSON was written in a format that this engine does not know."""
