"""A listener on the wire beside the site."""

from itertools import takewhile
from typing import Self

from redis import Redis

from games.kernel import live_tickets
from games.kernel.live import version_as_read, with_public_facts
from games.kernel.models import Game

PATIENCE_SECONDS = 60


def current_version(game_id: int) -> str:
    return version_as_read(with_public_facts(Game.objects.filter(pk=game_id)).only("pk").get())


class Listener:
    """Hears what is told on channels of this `pattern`: all of the site's."""

    def __init__(self, pattern: str = "") -> None:
        self.wire = Redis.from_url(live_tickets.redis_address()).pubsub()  # type: ignore[no-untyped-call]  # the library's
        self.wire.psubscribe(pattern or f"{live_tickets.channel_prefix()}*")
        self.heard()

    def heard(self) -> list[tuple[str, str]]:
        """The channel and the words of everything told since. An echo comes last: the server keeps the sequence."""
        self.wire.ping()
        come = iter(lambda: self.wire.get_message(timeout=PATIENCE_SECONDS), None)
        told = (it for it in takewhile(lambda it: it["type"] != "pong", come) if it["type"] == "pmessage")
        prefix = live_tickets.channel_prefix()
        return [(it["channel"].decode().removeprefix(prefix), it["data"].decode()) for it in told]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_problem: object) -> None:
        self.wire.close()
