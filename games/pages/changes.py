"""What has changed for a user since they last looked: one line for each game, and a mark for the next request."""

import json
from base64 import urlsafe_b64encode
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timedelta
from hashlib import blake2s
from typing import Annotated, Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.kernel import clock
from games.kernel.access import GameAccess, Viewer
from games.kernel.cards import sorted_by_deadline
from games.kernel.live import version_as_read, with_public_facts
from games.kernel.marks import InApi
from games.kernel.models import NOT_OVER, Event, Game
from games.kernel.parts import GameCard, Wanted
from games.pages.queries import GameLists

MOST_GAMES = 100
LISTED_AFTER_ITS_END = timedelta(days=7)
"""How long a game that is over is still among those that may have changed."""

DIGEST_BYTES = 6
DIGEST_LENGTH = 8
LONGEST_MARK = DIGEST_LENGTH * MOST_GAMES


@dataclass(frozen=True, slots=True)
class GameNews:
    """A game as it stands for you now."""

    slug: Annotated[str, InApi("Its name in addresses.")]
    name: Annotated[str, InApi("Its name.")]
    variant: Annotated[str, InApi("The slug of its variant.")]
    version: Annotated[str, InApi("Changes whenever something public changes in the game; events carry it.")]
    status: Annotated[str, InApi("open, running, paused, held, finished or closed.")]
    status_sentence: Annotated[str, InApi("The same in a sentence.")]
    ordinal: Annotated[int | None, InApi("The number of the open phase; null without one.")]
    turn_title: Annotated[str, InApi("The turn of the open phase, as in “Spring 1927”; empty without one.")]
    kind_title: Annotated[str, InApi("The kind of the open phase, as in “movement”; empty without one.")]
    deadline: Annotated[datetime | None, InApi("When the open phase ends; null while the clock is stopped.")]
    remaining_seconds: Annotated[int | None, InApi("What is left while the clock is stopped, else null.")]
    my_power: Annotated[str | None, InApi("The id of the power that you play; null without a seat.")]
    i_am_gm: Annotated[bool, InApi("You are its game master, or an assistant.")]
    wants: Annotated[
        str | None,
        InApi(
            "What it wants of you first: place to confirm, requests to answer, orders missing, new messages, "
            "saved, ready or nothing to do; null if you have no part in it."
        ),
    ]
    must_decide: Annotated[bool, InApi("It waits for orders of yours.")]
    unread: Annotated[int, InApi("Your unread messages in it.")]

    @property
    def digest(self) -> str:
        """Eight characters that change whenever anything does."""
        facts = json.dumps(asdict(self), default=str)
        return urlsafe_b64encode(blake2s(facts.encode(), digest_size=DIGEST_BYTES).digest()).decode()


@dataclass(frozen=True, slots=True)
class Changes:
    """What has changed, and the mark to send the next time."""

    mark: Annotated[str, InApi("Stands for all these games as they are now. Send it as `since`.")]
    games: Annotated[
        tuple[str, ...],
        InApi(f"The slugs of all games looked at: at most {MOST_GAMES}, those with the nearest deadlines."),
    ]
    changed: Annotated[tuple[GameNews, ...], InApi("Those that differ from what the mark stood for.")]


def changes_since(mark: str, user: Viewer, only_in: GameAccess | None = None) -> Changes:
    """What has changed in the user's own games (at most `MOST_GAMES`), or in one game that they may see."""
    known_digests = {mark[start : start + DIGEST_LENGTH] for start in range(0, len(mark), DIGEST_LENGTH)}
    lists = GameLists(user)
    games = Game.objects.filter(pk=only_in.game_id) if only_in else current_games(lists)
    # The versions first: what happens meanwhile is reported twice rather than never.
    rows = with_public_facts(games).only("slug")[:MOST_GAMES]
    versions = {game.pk: (game.slug, version_as_read(game)) for game in rows}
    version_of = dict(versions.values())
    cards = lists.cards(sorted_by_deadline(Game.objects.filter(pk__in=versions)))
    news = [_news_of_game(card, version_of[card.slug]) for card in cards]
    return Changes(
        mark="".join(game_news.digest for game_news in news),
        games=tuple(game_news.slug for game_news in news),
        changed=tuple(game_news for game_news in news if game_news.digest not in known_digests),
    )


def current_games(lists: GameLists) -> QuerySet[Game]:
    """A user's own games that are not over or ended recently, the nearest deadlines first."""
    recent_events = Event.objects.filter(game=OuterRef("pk"), at__gt=clock.now() - LISTED_AFTER_ITS_END)
    mine = lists.lists["mine"].filter(Q(status__in=NOT_OVER) | Exists(recent_events))
    return sorted_by_deadline(mine)


def _news_of_game(card: GameCard, version: str) -> GameNews:
    own: dict[str, Any] = {"version": version, "must_decide": card.wants is Wanted.ORDERS}
    of_card = (field.name for field in fields(GameNews) if field.name not in own)
    return GameNews(**own, **{name: getattr(card, name) for name in of_card})
