"""Posting the public news of games to other sites: as JSON for a program, or in the form that Discord reads.

Each is posted at least once and in order: a repeated post has the same content and id. Nothing is sent inside a
transaction, and since news is read from committed rows, nothing that was rolled back is ever posted. All that is due is
posted at once, so that a slow site keeps no other waiting. Each post is signed as Standard Webhooks says.
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

from games.delivery.discord import discord_message
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
TEST_SENTENCE = later("This is a test post.")


@dataclass(frozen=True, slots=True)
class Post:
    """A post to a webhook: the news of the moment `at`, a reminder for that moment of the phase `ending`, or a test
    that was asked for at that moment."""

    hook: Webhook
    at: datetime
    news: Sequence[PublicLine] = ()
    ending: Phase | None = None

    @property
    def event(self) -> str:
        return "news" if self.news else "reminder" if self.ending else "test"

    @property
    def id(self) -> str:
        """The same for every attempt, so that receivers recognise a post that they know."""
        return f"{self.hook.pk}-{self.event}-{self.at.isoformat()}"

    @property
    def sentences(self) -> str:
        if self.ending:
            return _("{phase} ends soon.").format(phase=phase_words(phase_head(self.ending)))
        return " ".join(line.sentence for line in self.news) or TEST_SENTENCE

    def request(self) -> tuple[str, bytes, dict[str, str]]:
        """The address, the body and the headers."""
        game, deadline = self.hook.game, self.ending and self.ending.deadline
        content: dict[str, Any] = {
            "id": self.id,
            "event": self.event,
            "at": self.at.isoformat(),
            "game": {"slug": game.slug, "name": game.name, "address": address_of_news(game, None)},
            "lines": [{"kind": line.kind, "sentence": line.sentence, "ordinal": line.ordinal} for line in self.news],
            "deadline": deadline.isoformat() if deadline else None,
        }
        if self.hook.form == PostForm.CHAT:
            content = discord_message(game, self.sentences, self.news)
        body = json.dumps(content).encode()
        return self.hook.address, body, {**HEADERS, **signature_headers(self.hook, self.id, body)}


def secret_key(hook: Webhook) -> bytes:
    """The key that signs posts to this webhook. It derives from the site's key, so no table holds it."""
    return salted_hmac(SALT, hook.seed, algorithm="sha256").digest()


def signature_headers(hook: Webhook, post_id: str, body: bytes) -> dict[str, str]:
    """The headers of Standard Webhooks: HMAC-SHA256 over "id.timestamp.body", in base64."""
    now = str(int(clock.now().timestamp()))
    signature = digest(secret_key(hook), f"{post_id}.{now}.".encode() + body, sha256)
    return {"Webhook-Id": post_id, "Webhook-Timestamp": now, "Webhook-Signature": f"v1,{b64encode(signature).decode()}"}


def post_news() -> int:
    """Post what is new (one moment at a time for each webhook), reminders, and the tests that users ask for; return how
    many posts arrived."""
    now = clock.now()
    # A webhook's user may know of its game: those by invitation are for the people in them.
    seat = Occupancy.objects.filter(game=OuterRef("game"), user=OuterRef("user"), until__isnull=True)
    place = Joiner.objects.filter(game=OuterRef("game"), user=OuterRef("user"))
    is_in = Q(game__gm=F("user")) | Exists(seat) | Exists(place)
    may_know = Q(user__is_active=True) & (Q(game__by_invitation=False) | is_in)
    hooks = Webhook.objects.filter(may_know).select_related("game")
    tests = hooks.filter(next_test__lte=now).order_by("next_test", "pk")[:MOST_AT_ONCE]
    due = hooks.filter(has_public_news_since("told_until"), next_try__lte=now).order_by("next_try", "pk")[:MOST_AT_ONCE]
    posts = [Post(hook, asked) for hook in tests if (asked := hook.next_test) and _claim(hook, "next_test")]
    claimed = [hook for hook in due if _claim(hook, "next_try")]
    for hook in claimed:
        if news := public_news_of(hook.game, since=hook.told_until):
            oldest = news[-1].at
            posts.append(Post(hook, oldest, [line for line in reversed(news) if line.at == oldest]))
    # Posts for when players are reminded of a deadline, even if all have saved orders. Each is tried only once.
    open_phases = Phase.objects.filter(closed__isnull=True, deadline__gt=now).defer("position")
    hooks_due = hooks.filter(
        next_try__isnull=False, game__phases__in=open_phases, game__phases__reminded__gt=F("reminded_until")
    ).order_by("game__phases__reminded", "pk")[:MOST_AT_ONCE]
    phases = {phase.game_id: phase for phase in open_phases.filter(game__in=[hook.game_id for hook in hooks_due])}
    hooks_and_phases = [(hook, phases[hook.game_id]) for hook in hooks_due if hook.game_id in phases]
    posts += [
        Post(hook, phase.reminded, ending=phase)
        for hook, phase in hooks_and_phases
        if phase.reminded and _claim(hook, "reminded_until", phase.reminded)
    ]
    answers = post_all([post.request() for post in posts])
    return sum(_note_answer(post, answer) for post, answer in zip(posts, answers, strict=True))


def _claim(hook: Webhook, column: str, until: datetime | None = None) -> bool:
    """Reserve this webhook for this process, until a moment or for the length of the lease; False if it is taken."""
    rows, until = _row_if_unchanged(hook, column), until or clock.now() + LEASE
    setattr(hook, column, until)
    return bool(rows.update(**{column: until}))


def _row_if_unchanged(hook: Webhook, column: str) -> QuerySet[Webhook]:
    return Webhook.objects.filter(pk=hook.pk, told_until=hook.told_until, **{column: getattr(hook, column)})


def _note_answer(post: Post, answer: Answer | Exception) -> bool:
    """Record the answer, and when to try again if the post hasn't arrived; return whether it has. Reminders and tests
    are tried only once; if a test arrives, a webhook that had stopped goes on."""
    hook, has_arrived = post.hook, isinstance(answer, Answer) and 200 <= answer.status < 300  # noqa: PLR2004 - as in HTTP
    _record_delivery(post, answer)
    if not has_arrived:
        log.warning("Webhook %s did not take the post: %s.", hook.pk, getattr(answer, "status", answer))
    if post.event == "reminder":
        return has_arrived
    if post.event == "test":
        _row_if_unchanged(hook, "next_test").update(next_test=None)
        if has_arrived:
            Webhook.objects.filter(pk=hook.pk, next_try__isnull=True).update(failures=0, next_try=clock.now())
    elif has_arrived:
        _row_if_unchanged(hook, "next_try").update(told_until=post.at, failures=0, next_try=clock.now())
    else:
        failures = hook.failures + 1
        next_try = None if failures >= MOST_FAILURES else clock.now() + FIRST_WAIT * 2**failures
        _row_if_unchanged(hook, "next_try").update(failures=failures, next_try=next_try)
    return has_arrived


def _record_delivery(post: Post, answer: Answer | Exception) -> None:
    """Record the attempt, unless the webhook has been removed. Its user sees the newest ones."""
    hook = Webhook.objects.filter(pk=post.hook.pk).first()
    if hook is None:
        return
    status, text = answer if isinstance(answer, Answer) else (None, str(answer))
    hook.deliveries.create(at=clock.now(), test=post.event == "test", status=status, answer=text)
    newest = hook.deliveries.order_by("-pk").values("pk")[:MOST_DELIVERIES]
    Delivery.objects.filter(webhook=hook).exclude(pk__in=list(newest.values_list("pk", flat=True))).delete()
