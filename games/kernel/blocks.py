"""Which users have blocked which others. Only services may act on this, so that no page reveals a block."""

from collections.abc import Iterable

from games.kernel.models import Block, Game
from games.kernel.options import Names


def is_blocked(*, by: int, whom: int) -> bool:
    return Block.objects.filter(by_id=by, whom_id=whom).exists()


def blocked_by(user_id: int) -> tuple[str, ...]:
    """The names of the users whom this user has blocked, in alphabetical order; only this user may see them."""
    rows = Block.objects.filter(by_id=user_id).order_by("whom__username")
    return tuple(rows.values_list("whom__username", flat=True))


def readers_blocking(game: Game, writer: int, readers: Iterable[int]) -> set[int]:
    """The readers who have blocked the writer; none are returned in anonymous games, because a reader who never gets a
    power's messages would learn who plays it."""
    if game.options[Names].hidden_names:
        return set()
    rows = Block.objects.filter(whom_id=writer, by_id__in=list(readers))
    return set(rows.values_list("by_id", flat=True))
