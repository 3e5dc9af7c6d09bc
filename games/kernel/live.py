"""Telling open pages that the public facts of a game have changed, never which or how."""

import hashlib
import logging
from functools import partial

from django.db import transaction

from games.kernel import live_tickets
from games.kernel.hooks import public_facts
from games.kernel.models import Event, Game, Phase, Readiness

log = logging.getLogger(__name__)
DIGEST_BYTES = 6


def version_of(game_id: int) -> str:
    """A digest of what every viewer of the game may see change: its phase, clock, log, messages and shown readiness.

    A page reads it before everything else, so that it never counts a change as seen that it does not show.
    """
    phases = Phase.objects.filter(game_id=game_id).order_by("ordinal")
    facts = (
        Game.objects.values_list("status", flat=True).get(pk=game_id),
        phases.values_list("ordinal", "closed", "deadline", "remaining").last(),
        Event.objects.filter(game_id=game_id).count(),
        _shown_readiness(game_id),
        *public_facts(game_id),
    )
    return hashlib.blake2s(repr(facts).encode(), digest_size=DIGEST_BYTES).hexdigest()


def _shown_readiness(game_id: int) -> list[str]:
    ready = Readiness.objects.filter(phase__game_id=game_id)
    hidden = ready.filter(phase__game__stored_options__show_ready=False)
    return sorted(ready.exclude(pk__in=hidden).values_list("seat__power", flat=True))


def announce(game_id: int) -> None:
    """Tell open pages of this game, once the current transaction is committed, that something public has changed."""
    transaction.on_commit(partial(_tell, game_id), robust=True)


def _tell(game_id: int) -> None:
    slug = Game.objects.values_list("slug", flat=True).get(pk=game_id)
    if not live_tickets.send(slug, version_of(game_id)):
        log.warning("Open pages of game %s were not told about a change; they will ask.", game_id)
