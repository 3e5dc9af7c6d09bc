"""Telling another site of a game: where to, set by the game master."""

from __future__ import annotations

from django.db import transaction

from games import clock
from games.models import Webhook
from games.outbound import BadAddress, target_of
from games.services.refusals import Refusal
from games.services.rows import lock_game_as_gm


class BadWebhook(Refusal):
    """An address that nothing is posted to."""


@transaction.atomic
def set_webhook(*, game_id: int, by: int, address: str) -> None:
    """From now on post the news of this game there; nothing with an empty address.

    BadWebhook for an address that nothing may be sent to; NotAllowed for anybody but the game master.
    """
    game = lock_game_as_gm(game_id, by)
    if not address:
        Webhook.objects.filter(game=game).delete()
        return
    try:
        target_of(address)
    except BadAddress as bad:
        raise BadWebhook(bad.sentence) from bad
    now = clock.now()
    facts = {"address": address, "told_until": now, "next_try": now, "failures": 0}
    Webhook.objects.update_or_create(game=game, defaults=facts)


def has_stopped(game_id: int) -> bool:
    """Whether too many tries in a row have failed."""
    return Webhook.objects.filter(game_id=game_id, next_try__isnull=True).exists()
