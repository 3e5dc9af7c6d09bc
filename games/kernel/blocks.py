"""Who wants to hear nothing of whom. Only the services may act on it, so that the blocked are told by no page."""

from collections.abc import Iterable

from games.kernel.models import Block, Game
from games.kernel.options import Names


def is_blocked(*, by: int, whom: int) -> bool:
    return Block.objects.filter(by_id=by, whom_id=whom).exists()


def blocked_by(user_id: int) -> tuple[str, ...]:
    """The names of those whom this person has blocked, by alphabet; for his eyes only."""
    rows = Block.objects.filter(by_id=user_id).order_by("whom__username")
    return tuple(rows.values_list("whom__username", flat=True))


def deaf_to(game: Game, writer: int, readers: Iterable[int]) -> set[int]:
    """Those of the readers who have blocked the writer; nobody where names are hidden, because whoever gets no word
    from a power would learn who plays it."""
    if game.options[Names].hidden_names:
        return set()
    rows = Block.objects.filter(whom_id=writer, by_id__in=list(readers))
    return set(rows.values_list("by_id", flat=True))
