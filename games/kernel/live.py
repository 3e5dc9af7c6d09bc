"""Telling open pages that the public facts of a game have changed, but not which or how."""

import hashlib
import logging
from functools import partial
from pathlib import Path

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.expressions import RawSQL

from games.kernel import live_tickets
from games.kernel.after_commit import call_merged
from games.kernel.hooks import public_facts
from games.kernel.models import Game

log = logging.getLogger(__name__)
DIGEST_BYTES = 6


FACTS = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")
"""What all viewers of a game may see change: its phase, clock, log, shown readiness, and what subjects add."""


PEOPLE = """ARRAY(
    SELECT user_id FROM kernel_occupancy WHERE game_id = kernel_game.id AND until IS NULL AND bot = ''
    UNION SELECT user_id FROM kernel_joiner WHERE game_id = kernel_game.id
    UNION SELECT kernel_game.gm_id
    UNION SELECT assistant::bigint FROM jsonb_object_keys(kernel_game.assistants) AS assistant
)"""


def with_public_facts(games: QuerySet[Game]) -> QuerySet[Game]:
    """The games with the facts for `version_as_read`, read together with the games: otherwise a page could have the
    version of a change that it doesn't show."""
    return games.annotate(public_facts=RawSQL(FACTS % ", ".join(public_facts()), ()))


def version_as_read(game: Game) -> str:
    """A digest of the public facts with which the game was read."""
    return _digest(game.public_facts)  # type: ignore[attr-defined]


def _digest(facts: str) -> str:
    return hashlib.blake2s(facts.encode(), digest_size=DIGEST_BYTES).hexdigest()


def version_for_strangers(slug: str) -> str | None:
    """A digest of the current public facts of a game; None if there is no such game, or it is by invitation."""
    rows = with_public_facts(Game.objects.filter(slug=slug, by_invitation=False))
    facts = rows.values_list("public_facts", flat=True).order_by("pk").first()  # type: ignore[misc]
    return _digest(facts) if facts else None


def announce_change(game_id: int) -> None:
    """Tell open pages of this game, once the current transaction is committed, that something public has changed."""
    call_merged(_announce, [game_id])


def _announce(games: list[int]) -> None:
    transaction.on_commit(partial(_tell, list(dict.fromkeys(games))), robust=True)


def _tell(games: list[int]) -> None:
    rows = with_public_facts(Game.objects.filter(pk__in=games)).annotate(people=RawSQL(PEOPLE, ())).only("slug")
    listeners = list(rows.order_by("pk"))
    people = {game.slug: map(live_tickets.channel_of_user, sorted(game.people)) for game in listeners}
    if not live_tickets.publish_versions({game.slug: version_as_read(game) for game in listeners}, people):
        log.warning("Open pages of games %s were not told about a change; they will ask.", games)


def announce_game_start(game: Game) -> None:
    """Tell listeners for new public games, once the current transaction is committed, that this one has begun."""
    if not (game.by_invitation or game.practice):
        transaction.on_commit(partial(_tell_start, game.pk), robust=True)


def _tell_start(game_id: int) -> None:
    game = with_public_facts(Game.objects.filter(pk=game_id)).only("slug").get()
    live_tickets.publish_versions({game.slug: version_as_read(game)}, {game.slug: [live_tickets.PUBLIC]})
