"""Posting the public news of games to other sites: as JSON for a program, or in the form that Discord reads.

At least once and in order: a post repeated after a failure is the same message, with the same id. Nothing is sent
inside a transaction, and since news is read from committed rows, nothing that was rolled back is ever posted. All that
is due is posted at once, so that a slow site keeps no other waiting. Each post is signed as Standard Webhooks says.
"""

import json
import logging
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import digest
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from games.delivery.discord import message
from games.delivery.outbound import Answer, post_all
from games.kernel import clock
from games.kernel.languages import later
from games.kernel.models import Joiner, Occupancy, Phase
from games.kernel.queries import phase_head
from games.news.log import PublicLine, address_of_news, has_public_news_since, public_news_of
from games.news.models import Delivery, PostForm, Webhook
from variants.words.orders import phase_words

log = logging.getLogger(__name__)
LEASE = timedelta(minutes=2)
FIRST_WAIT = timedelta(seconds=30)
MOST_FAILURES = 8
MOST_AT_ONCE = 20
MOST_DELIVERIES = 20
HEADERS = {"Content-Type": "application/json", "User-Agent": "Diplomacy"}
SALT = "games.news.webhook"
TESTED = later("This is a test post.")


@dataclass(frozen=True, slots=True)
class Post:
    """What is to be posted to a webhook: the news of the moment `at`, a reminder that belongs to that moment of the
    phase `ending`, or a test asked for at that moment."""

    hook: Webhook
    at: datetime
    news: Sequence[PublicLine] = ()
    ending: Phase | None = None

    @property
    def event(self) -> str:
        return "news" if self.news else "reminder" if self.ending else "test"

    @property
    def id(self) -> str:
        """The same for every attempt, so that a receiver can tell that it knows this post."""
        return f"{self.hook.pk}-{self.event}-{self.at.isoformat()}"

    @property
    def sentences(self) -> str:
        if self.ending:
            return _("{phase} ends soon.").format(phase=phase_words(phase_head(self.ending)))
        return " ".join(one.sentence for one in self.news) or TESTED

    def sent(self) -> tuple[str, bytes, dict[str, str]]:
        """The address, the body and the headers."""
        is_chat = self.hook.form == PostForm.CHAT
        said = message(self.hook.game, self.sentences, self.news) if is_chat else _for_program(self)
        body = json.dumps(said).encode()
        return self.hook.address, body, {**HEADERS, **signed(self.hook, self.id, body)}


def secret_key(hook: Webhook) -> bytes:
    """What signs the posts to this webhook. It is made with the site's key, so no table holds it."""
    return salted_hmac(SALT, hook.seed, algorithm="sha256").digest()


def signed(hook: Webhook, post_id: str, body: bytes) -> dict[str, str]:
    """The headers of Standard Webhooks: HMAC-SHA256 over "id.timestamp.body", in base64."""
    now = str(int(clock.now().timestamp()))
    signature = digest(secret_key(hook), f"{post_id}.{now}.".encode() + body, sha256)
    return {"Webhook-Id": post_id, "Webhook-Timestamp": now, "Webhook-Signature": f"v1,{b64encode(signature).decode()}"}


def may_hear() -> Q:
    """Whether a webhook's user may still know of its game: those by invitation are for the people in them."""
    seat = Occupancy.objects.filter(game=OuterRef("game"), user=OuterRef("user"), until__isnull=True)
    place = Joiner.objects.filter(game=OuterRef("game"), user=OuterRef("user"))
    is_in = Q(game__gm=F("user")) | Exists(seat) | Exists(place)
    return Q(user__is_active=True) & (Q(game__by_invitation=False) | is_in)


def tell_outside() -> int:
    """Post what is new, one moment for each webhook at a time, reminders, and the tests that users ask for; returns how
    many posts arrived."""
    now = clock.now()
    hooks = Webhook.objects.filter(may_hear()).select_related("game")
    tests = hooks.filter(next_test__lte=now).order_by("next_test", "pk")[:MOST_AT_ONCE]
    due = hooks.filter(has_public_news_since("told_until"), next_try__lte=now).order_by("next_try", "pk")[:MOST_AT_ONCE]
    posts = [Post(hook, asked) for hook in tests if (asked := hook.next_test) and _is_claimed(hook, "next_test")]
    claimed = [hook for hook in due if _is_claimed(hook, "next_try")]
    for hook in claimed:
        if news := public_news_of(hook.game, since=hook.told_until):
            oldest = news[-1].at
            posts.append(Post(hook, oldest, [one for one in reversed(news) if one.at == oldest]))
    posts += _reminders(hooks, now)
    heard = post_all([each.sent() for each in posts])
    return sum(_is_noted(each, answer) for each, answer in zip(posts, heard, strict=True))


def _reminders(hooks: QuerySet[Webhook], now: datetime) -> list[Post]:
    """One when players are reminded of a deadline, even those who have saved orders. Each is tried only once."""
    ending = Phase.objects.filter(closed__isnull=True, deadline__gt=now).defer("position")
    due = hooks.filter(
        next_try__isnull=False, game__phases__in=ending, game__phases__reminded__gt=F("reminded_until")
    ).order_by("game__phases__reminded", "pk")[:MOST_AT_ONCE]
    phases = {phase.game_id: phase for phase in ending.filter(game__in=[hook.game_id for hook in due])}
    found = [(hook, phases[hook.game_id]) for hook in due if hook.game_id in phases]
    return [
        Post(hook, phase.reminded, ending=phase)
        for hook, phase in found
        if phase.reminded and _is_claimed(hook, "reminded_until", phase.reminded)
    ]


def _is_claimed(hook: Webhook, column: str, until: datetime | None = None) -> bool:
    """Whether it is now reserved for this process, for the length of the lease if not until a moment."""
    before, until = _as_read(hook, column), until or clock.now() + LEASE
    setattr(hook, column, until)
    return bool(before.update(**{column: until}))


def _as_read(hook: Webhook, column: str) -> QuerySet[Webhook]:
    return Webhook.objects.filter(pk=hook.pk, told_until=hook.told_until, **{column: getattr(hook, column)})


def _is_noted(sent: Post, heard: Answer | Exception) -> bool:
    """Whether the post has arrived; the rows say so, or when to try again. Reminders and tests are tried only once; if
    a test arrives, a webhook that had stopped goes on."""
    hook, has_arrived = sent.hook, isinstance(heard, Answer) and 200 <= heard.status < 300  # noqa: PLR2004 - as in HTTP
    _write_down(sent, heard)
    if not has_arrived:
        log.warning("Webhook %s did not take the post: %s.", hook.pk, getattr(heard, "status", heard))
    if sent.event == "reminder":
        return has_arrived
    if sent.event == "test":
        _as_read(hook, "next_test").update(next_test=None)
        if has_arrived:
            Webhook.objects.filter(pk=hook.pk, next_try__isnull=True).update(failures=0, next_try=clock.now())
    elif has_arrived:
        _as_read(hook, "next_try").update(told_until=sent.at, failures=0, next_try=clock.now())
    else:
        failures = hook.failures + 1
        waits = None if failures >= MOST_FAILURES else clock.now() + FIRST_WAIT * 2**failures
        _as_read(hook, "next_try").update(failures=failures, next_try=waits)
    return has_arrived


def _write_down(sent: Post, heard: Answer | Exception) -> None:
    """The attempt, for the webhook's user, who sees the newest ones; nothing if it has been removed meanwhile."""
    hook = Webhook.objects.filter(pk=sent.hook.pk).first()
    if hook is None:
        return
    status, answer = heard if isinstance(heard, Answer) else (None, str(heard))
    hook.deliveries.create(at=clock.now(), test=sent.event == "test", status=status, answer=answer)
    newest = hook.deliveries.order_by("-pk").values("pk")[:MOST_DELIVERIES]
    Delivery.objects.filter(webhook=hook).exclude(pk__in=list(newest.values_list("pk", flat=True))).delete()


def _for_program(sent: Post) -> dict[str, Any]:
    game = sent.hook.game
    return {
        "id": sent.id,
        "event": sent.event,
        "at": sent.at.isoformat(),
        "game": {"slug": game.slug, "name": game.name, "address": address_of_news(game, None)},
        "lines": [{"kind": one.kind, "sentence": one.sentence, "ordinal": one.ordinal} for one in sent.news],
        "deadline": sent.ending.deadline.isoformat() if sent.ending and sent.ending.deadline else None,
    }
