"""Posting the public news of games to other sites, in the form that Discord reads.

At least once and in order: a post repeated after a failure is the same message. Nothing is sent inside a transaction,
and since news is read from committed rows, nothing that was rolled back is ever posted. All that is due is posted at
once, so that a slow site keeps no other waiting.
"""

import json
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse

from games.kernel import clock
from games.kernel.locking import lock
from games.kernel.models import Game
from games.kernel.refusals import Refusal
from games.kernel.rules import only_gm
from games.news.log import PublicLine, told_of, was_told
from games.news.models import Webhook
from games.news.outbound import BadAddress, Unreachable, post, target_of

log = logging.getLogger(__name__)
LEASE = timedelta(minutes=2)
FIRST_WAIT = timedelta(seconds=30)
MOST_FAILURES = 8
MOST_AT_ONCE = 20
LONGEST_CONTENT = 1900
HEADERS = {"Content-Type": "application/json", "User-Agent": "Diplomacy"}


def tell_outside() -> int:
    """Post what is new, one moment of each game at a time; returns how many posts arrived."""
    due = Webhook.objects.filter(was_told("told_until"), next_try__lte=clock.now()).select_related("game")
    claimed = [hook for hook in due.order_by("next_try", "pk")[:MOST_AT_ONCE] if _is_claimed(hook)]
    posts = [(hook, news) for hook in claimed if (news := told_of(hook.game, since=hook.told_until))]
    with ThreadPoolExecutor(MOST_AT_ONCE) as pool:
        heard = pool.map(_heard, [hook.address for hook, _ in posts], [_oldest(*post) for post in posts])
        return sum(_is_noted(hook, news[-1].at, answer) for (hook, news), answer in zip(posts, heard, strict=True))


def _is_claimed(hook: Webhook) -> bool:
    """Whether it is now reserved for this process, for the length of the lease."""
    before, hook.next_try = _as_read(hook), clock.now() + LEASE
    return bool(before.update(next_try=hook.next_try))


def _as_read(hook: Webhook) -> QuerySet[Webhook]:
    return Webhook.objects.filter(pk=hook.pk, told_until=hook.told_until, next_try=hook.next_try)


def _oldest(hook: Webhook, news: Sequence[PublicLine]) -> bytes:
    return message(hook.game, [one for one in news if one.at == news[-1].at])


def _heard(address: str, body: bytes) -> int | Exception:
    """The status of the answer, or why there is none. No table is touched."""
    try:
        return post(address, body, HEADERS)
    except (BadAddress, Unreachable) as problem:
        return problem


def _is_noted(hook: Webhook, at: datetime, heard: int | Exception) -> bool:
    """Whether the news of this moment has arrived; the row says so, or when to try again."""
    if isinstance(heard, int) and 200 <= heard < 300:  # noqa: PLR2004 - what HTTP calls success
        _as_read(hook).update(told_until=at, failures=0, next_try=clock.now())
        return True
    log.warning("Webhook %s did not take the news: %s.", hook.pk, heard)
    failures = hook.failures + 1
    wait = FIRST_WAIT * 2**failures
    stopped = failures >= MOST_FAILURES
    _as_read(hook).update(failures=failures, next_try=None if stopped else clock.now() + wait)
    return False


def message(game: Game, news: Sequence[PublicLine]) -> bytes:
    """What happened at one moment, as JSON that mentions no one on Discord."""
    ordinal = next((one.ordinal for one in news if one.ordinal is not None), None)
    where: dict[str, object] = {"slug": game.slug}
    page = reverse("games:game", kwargs=where)
    if ordinal is not None:
        page = reverse("games:phase", kwargs={**where, "ordinal": ordinal})
    sentences = " ".join(one.sentence for one in reversed(news))
    address = settings.SITE_ADDRESS + page
    told = {
        "content": f"{game.name}: {sentences}"[:LONGEST_CONTENT],
        "embeds": [{"title": game.name, "url": address, "description": sentences[:LONGEST_CONTENT]}],
        "allowed_mentions": {"parse": []},
    }
    return json.dumps(told).encode()


class BadWebhook(Refusal):
    """An address we don't post to."""


@transaction.atomic
def set_webhook(*, game_id: int, by: int, address: str) -> None:
    """Post the news of this game there from now on; with an empty address, stop posting.

    BadWebhook for an address that nothing may be sent to; NotAllowed for anyone but the game master.
    """
    here = lock(game_id, by)
    only_gm(here)
    game, now = here.game, here.now
    if not address:
        Webhook.objects.filter(game=game).delete()
        return
    try:
        target_of(address)
    except BadAddress as bad:
        raise BadWebhook(bad.sentence) from bad
    facts = {"address": address, "told_until": now, "next_try": now, "failures": 0}
    Webhook.objects.update_or_create(game=game, defaults=facts)


def has_stopped(game_id: int) -> bool:
    """Whether too many attempts in a row have failed."""
    return Webhook.objects.filter(game_id=game_id, next_try__isnull=True).exists()
