"""What is told of a game to all the world: results, moved deadlines, repairs, beginning and end. Public facts only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from adjudication.words import phase_words
from games.kernel import codec
from games.kernel.models import Event, EventKind, Result
from games.kernel.queries import head_of, names_are_hidden
from games.news.log import events_of

if TYPE_CHECKING:
    from datetime import datetime

    from games.kernel.models import Game


TOLD = {
    EventKind.STARTED,
    EventKind.DEADLINE_MOVED,
    EventKind.DEADLINE_SET,
    EventKind.GRACE_GIVEN,
    EventKind.PLAYER_AWAY,
    EventKind.PAUSED,
    EventKind.RESUMED,
    EventKind.HELD,
    EventKind.RELEASED,
    EventKind.ROLLED_BACK,
    EventKind.AMENDED,
    EventKind.POSITION_EDITED,
    EventKind.FINISHED,
    EventKind.CLOSED,
}


@dataclass(frozen=True, slots=True)
class News:
    """One sentence. `ordinal` of the phase that has a result, None for anything else."""

    at: datetime
    sentence: str
    ordinal: int | None = None


def news_of(game: Game) -> tuple[News, ...]:
    """Everything so far, the newest first, as anybody may know it who may see the game; names only where shown."""
    hidden = names_are_hidden(game, None)
    events = events_of(game, codec.variant_of(game), hidden=hidden)
    told = [News(event.at, event.sentence) for event in events if event.kind in TOLD]
    for result in Result.objects.filter(phase__game=game).select_related("phase").order_by("-phase__ordinal"):
        head = head_of(result.phase)
        if head.closed is not None:
            sentence = f"{phase_words(head)}: the result is there."
            told.append(News(head.closed, sentence, head.ordinal))
    return tuple(sorted(told, key=lambda news: news.at, reverse=True))


def has_news(game: Game, since: datetime) -> bool:
    """Whether anything was told after that moment."""
    events = Event.objects.filter(game=game, kind__in=TOLD, at__gt=since)
    return events.exists() or Result.objects.filter(phase__game=game, phase__closed__gt=since).exists()
