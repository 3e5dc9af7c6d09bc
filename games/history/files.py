"""Pictures as files: made once for everyone, and the newest cards before anyone asks for them."""

import gzip
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from django.core.cache import cache

from games.history.pictures import Tally, painted, preview
from games.history.queries import drawing
from games.kernel.models import Phase
from games.kernel.page import Page, page_for_strangers
from variants.lone_map import lone_map
from variants.maps import Drawing, draw

PNG, SVG = "image/png", "image/svg+xml"
KEPT_SECONDS = 7 * 86_400
AHEAD_SECONDS = 86_400
"""Most cards that are painted before anyone asks are never asked for, and each takes 300 kB in Redis."""
AT_ONCE = 10
"""How many cards are painted in one go, each in about a second of a core; the older of more than these wait until they
are asked for."""
LAST_PAINTED = "last-phase-with-a-card"


@dataclass(frozen=True)
class File:
    """`shown` is all that the file shows, so that the same name means the same file; `paint` makes it."""

    kind: str
    shown: str
    paint: Callable[[], bytes]

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(f"{self.kind} {self.shown}".encode()).hexdigest()

    @property
    def kept(self) -> bytes | None:
        content: bytes | None = cache.get(f"file:{self.digest}")
        return content

    def make(self, seconds: int = KEPT_SECONDS) -> bytes:
        """Make it and keep it for so long for the next who asks; an SVG is compressed."""
        content = gzip.compress(self.paint(), mtime=0) if self.kind == SVG else self.paint()
        cache.set(f"file:{self.digest}", content, seconds)
        return content


def map_of(variant: str, drawing: Drawing, kind: str) -> File:
    """A drawing of the map of this variant, as SVG or PNG."""
    makers = {SVG: lambda: lone_map(variant, drawing).encode(), PNG: lambda: painted(lone_map(variant, drawing))}
    return File(kind, draw(variant, drawing), makers[kind])


def card_of(view: Page) -> File:
    """The picture for link previews of a phase: its map, the game's name and the centres."""
    assert view.head is not None, "a phase that was opened has a title"
    game, title = view.game, f"{view.head.title} · {view.head.kind_title}"
    centres_of = view.rows.position.centres_of
    powers = view.rows.variant.powers
    tally = [Tally(power.name, power.letter, str(power.colour), len(centres_of(power.id))) for power in powers]
    shown = drawing(view)
    return File(
        PNG,
        f"card {game.name} {title} {draw(game.variant, shown)}",
        lambda: preview(game.variant, shown, game.name, title, tally),
    )


def paint_new_cards(interrupted: Callable[[], bool]) -> int:
    """Paint the cards of public games whose phases were opened since the last call; how many were painted. While this
    would be `interrupted`, none is, and the next call begins with the newest."""
    if interrupted():
        return 0
    opened = Phase.objects.filter(closed=None, game__by_invitation=False).order_by("-pk")
    newest = list(opened.filter(pk__gt=cache.get(LAST_PAINTED, 0)).values_list("pk", "game__slug")[:AT_ONCE])
    if newest:
        cache.set(LAST_PAINTED, newest[0][0], KEPT_SECONDS)
    done = 0
    for _, slug in newest:
        if interrupted():
            break
        card = card_of(page_for_strangers(slug))
        if card.kept is None:
            card.make(AHEAD_SECONDS)
            done += 1
    return done
