"""The errors that the engine raises on purpose.

ValueError
 ├── NotationError    a line that is not an order; its reason and facts say what is wrong and what is allowed
 ├── BoardError       the facts of a board contradict each other (in `board`)
 └── FormatError      stored JSON of an unknown format
"""

from collections.abc import Callable

from adjudication.reasons import CASE, Coded, Fact, Facts


class NotationError(ValueError):
    """`reason` is a `Misreading`, or the `Reason` why the order can never be lawful. The suggestions of a `hint` are
    found only if someone reads the facts, because that takes long."""

    def __init__(self, reason: Coded, hint: Callable[[], tuple[str, ...]] = tuple, /, **facts: Fact) -> None:
        super().__init__(reason, facts)
        self.reason = reason
        self._facts = facts
        self._hint = hint

    def __str__(self) -> str:
        """The error for programmers, as in "too long: item (typed: Mun, count: 121)"."""
        facts = dict(self.facts)
        key = ": ".join(str(part) for part in (self.reason, facts.pop(CASE, "")) if part)
        lines = [f"{name}: {', '.join(map(str, it)) if isinstance(it, tuple) else it}" for name, it in facts.items()]
        return f"{key} ({', '.join(lines)})" if lines else key

    @property
    def facts(self) -> Facts:
        suggestions = self._hint()
        return {**self._facts, "suggestions": suggestions} if suggestions else self._facts


class FormatError(ValueError):
    """Stored JSON was written in a format that this engine does not know."""
