"""Rate limits, and how they tell visitors apart. Servers import this before Django's models are loaded."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from functools import wraps
from http import HTTPStatus
from ipaddress import IPv6Address, IPv6Network, ip_address
from math import ceil
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, BaseThrottle, SimpleRateThrottle, UserRateThrottle

from games.kernel import clock
from games.kernel.days import DAY, ONE_DAY
from games.kernel.languages import later
from games.kernel.refusals import TooOften
from games.kernel.wording import duration_in_words

if TYPE_CHECKING:
    from games.kernel.models import Game

View = Callable[..., HttpResponse]


log = logging.getLogger(__name__)
HOUSEHOLD_BITS = 64
"""All IPv6 addresses that share this many first bits belong to one household."""


def network_of(request: HttpRequest | Request) -> str:
    """The visitor's network. The server behind the proxy has already replaced the proxy's address by the visitor's."""
    return network_of_address(str(request.META.get("REMOTE_ADDR", "")))


def network_of_address(text: str) -> str:
    """An IPv4 address itself; for IPv6, the network of its household."""
    try:
        address = ip_address(text)
    except ValueError:
        return text
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or IPv6Network((int(address), HOUSEHOLD_BITS), strict=False))
    return str(address)


class _NetworkThrottle(SimpleRateThrottle):
    def get_ident(self, request: Any) -> str:
        return network_of(request)

    def allow_request(self, request: Any, view: Any) -> bool:
        """Allow everything while the counts can't be reached, because deadlines wait for no one."""
        try:
            return bool(super().allow_request(request, view))
        except RedisError:
            log.warning("Redis is not answering, so requests are not being counted.")
            return True


class StrangersThrottle(_NetworkThrottle, AnonRateThrottle):
    """Limits callers of the API without an account."""


class AccountsThrottle(_NetworkThrottle, UserRateThrottle):
    """Limits callers of the API with an account, whichever app they use."""


class VisitorThrottle(_NetworkThrottle):
    """Counts each account, and each network of visitors without one."""

    duration: int

    def __init__(self, scope: str, rate: str) -> None:
        self.scope = scope
        self.rate = rate
        super().__init__()

    def get_cache_key(self, request: Any, view: Any) -> str:  # noqa: ARG002
        visitor = request.user.pk if request.user.is_authenticated else self.get_ident(request)
        return f"limit:{self.scope}:{visitor}"


def rate_limit_headers(counted: Iterable[BaseThrottle]) -> dict[str, str]:
    """Headers that tell callers how many requests they may make, how many are left, and in how many seconds another is
    possible. Empty if nothing was counted."""
    for throttle in counted:
        history: list[float] | None = getattr(throttle, "history", None)
        if history is None:
            continue
        limit, window, now = throttle.num_requests, throttle.duration, throttle.now  # type: ignore[attr-defined]
        return {
            "RateLimit-Limit": str(limit),
            "RateLimit-Remaining": str(max(0, limit - len(history))),
            "RateLimit-Reset": str(ceil(window - (now - history[-1]))) if history else "0",
        }
    return {}


FEEDS = "60/min"
SPARE_ASKS = 5
"""How many more people than there are seats one may ask about one game within an hour."""

ASKS_A_DAY = "150/day"
ASKED = later("You’ve asked {most} people about this game within an hour: as many as it has seats, and five more.")
ASKED_A_DAY = later("You’ve asked {most} people about games within a day.")
NEW_GAMES, TOO_MANY_GAMES = "30/h", later("You’ve created {most} games within an hour.")
VOTES, VOTED = "30/min", later("Nothing was changed: you’ve made proposals or voted {most} times within a minute.")
NEWS, TOLD = "30/h", later("You’ve made {most} changes to this game within an hour.")
PRACTICE_OF_ONE, PRACTICE_FROM_ONE = "6/h", "20/h"
PRACTISED = later("You’ve started {most} games within an hour. Play one that you have.")
PRACTISED_HERE = later(
    "People without an account have started {most} games from your network within an hour. Sign in or sign up, and you "
    "can start one now."
)
SERIES, CHANGED_SERIES = "200/h", later("You’ve changed tournaments or series {most} times within an hour.")
LETTERS = 5_000
SENT = later("Nothing was sent: with this, you would have sent others more than {most} emails within a day.")
INVITATIONS, INVITED = 1_000, later("With this, you would have invited more than {most} addresses within a day.")
OF_NEWCOMERS = 10
"""Of accounts in their first day."""
LETTERS_TO_ONE, INVITATIONS_TO_ONE = 20, 5
"""So many an address gets from all senders together. Nobody is told, because a sender learns only their own limits."""
KEPT_OFTEN = "30/h"
TESTS, TESTED = "20/h", later("You’ve sent {most} test posts within an hour.")
MOST = later("That’s the most there can be. The next one is possible in {wait}.")
A_MINUTE = 60
OFTEN = {
    A_MINUTE: later("This was asked for {most} times within a minute from your account or your network."),
    3_600: later("This was asked for {most} times within an hour from your account or your network."),
    86_400: later("This was asked for {most} times within a day from your account or your network."),
}


def refusal_if_too_often(request: HttpRequest, scope: str, rate: str, sentence: str = "") -> TooOften | None:
    """The refusal, if this visitor has asked for this more often than the `rate` allows, as in "60/min". It says how
    often that is, in place of {most} in the `sentence`, and when another request is possible."""
    asking: Any = request
    limit = VisitorThrottle(scope, rate)
    if limit.allow_request(asking, None):
        return None
    return _too_often(sentence or OFTEN[limit.duration], limit.num_requests, limit.wait() or A_MINUTE)  # type: ignore[attr-defined]


def _too_often(sentence: str, most: int, seconds: float) -> TooOften:
    wait = ceil(seconds)
    rounded = wait if wait <= A_MINUTE else A_MINUTE * ceil(wait / A_MINUTE)
    return TooOften(f"{sentence.format(most=most)} {MOST.format(wait=duration_in_words(rounded))}", wait=wait)


def count_request_to_user(user_id: int, game: Game) -> None:
    """Count a request that this user sends another by email in this game. Raises TooOften after 150 in a day in all
    games or, within an hour, five more than this game has seats."""
    count_letters(user_id, 0)
    _count(user_id, f"asking:{game.pk}", f"{game.seats.count() + SPARE_ASKS}/h", ASKED)
    _count(user_id, "asking", ASKS_A_DAY, ASKED_A_DAY)


def count_new_game(user_id: int) -> None:
    """Count a game that this user creates; raises TooOften after 30 in an hour."""
    _count(user_id, "creating", NEW_GAMES, TOO_MANY_GAMES)


def count_vote(user_id: int) -> None:
    """Count this user's proposal of how a game may end, or vote on one; raises TooOften after 30 in a minute."""
    _count(user_id, "voting", VOTES, VOTED)


def count_public_change(game_id: int, user_id: int) -> None:
    """Count a change by this user that is told to everyone in the game or to readers of its log; raises TooOften after
    30 in an hour, or if they can send no more emails."""
    count_letters(user_id, 0)
    _count(user_id, f"telling:{game_id}", NEWS, TOLD)


def count_series_change(user_id: int) -> None:
    """Count a tournament or series that this user makes or changes; raises TooOften after 200 in an hour."""
    _count(user_id, "series", SERIES, CHANGED_SERIES)


def count_letters(user_id: int, count: int) -> None:
    """Count emails that an act of this user sends others, anywhere; raises TooOften after 5,000 in a day (UTC)."""
    _count_today(user_id, "letters", LETTERS, SENT, count)


def note_letters(user_id: int, count: int) -> None:
    """The same for an act that is never refused: the next one is that can be."""
    takes_today("letters", user_id, LETTERS, count, refuses=False)


def count_invitations(user_id: int, count: int) -> None:
    """Count emails to addresses that this user has written down; raises TooOften after 1,000 in a day (UTC), or 10 in
    the account's first 24 hours."""
    is_new = get_user_model().objects.filter(pk=user_id, date_joined__gt=clock.now() - ONE_DAY).exists()
    _count_today(user_id, "inviting", OF_NEWCOMERS if is_new else INVITATIONS, INVITED, count)
    count_letters(user_id, count)


def count_test_post(user_id: int) -> None:
    """Count a test that this user has posted to another site; raises TooOften after 20 in an hour."""
    _count(user_id, "testing", TESTS, TESTED)


def count_practice_game(request: HttpRequest) -> None:
    """Count a practice game that this visitor starts; raises TooOften after 6 in an hour. Strangers and guests are also
    counted by their network, where 20 are allowed."""
    if request.user.pk is not None:
        _count(request.user.pk, "practising", PRACTICE_OF_ONE, PRACTISED)
    if getattr(request.user, "is_guest", True):
        _count(network_of(request), "practising-from", PRACTICE_FROM_ONE, PRACTISED_HERE)


def count_kept_form(user_id: int) -> None:
    """Count a form that is kept for this user, who needn't be signed in; raises TooOften after 30 in an hour."""
    _count(user_id, "keeping", KEPT_OFTEN)


def _count(visitor: int | str, scope: str, rate: str, sentence: str = "") -> None:
    asking: Any = SimpleNamespace(user=SimpleNamespace(pk=visitor, is_authenticated=True))
    if refusal := refusal_if_too_often(asking, scope, rate, sentence):
        raise refusal


def _count_today(user_id: int, scope: str, most: int, sentence: str, count: int) -> None:
    if not takes_today(scope, user_id, most, count):
        raise _too_often(sentence, most, DAY - clock.now().timestamp() % DAY)


def takes_today(scope: str, visitor: int | str, most: int, count: int, *, refuses: bool = True) -> bool:
    """Has this visitor room for so many of the `most` in a day (UTC)? If so, they are counted, in one number however
    many they are; 0 only asks for room for one. If it doesn't refuse, it counts beyond the limit, too."""
    key = f"limit:{scope}:{visitor}:{clock.now().timestamp() // DAY:.0f}"
    try:
        has_room = not refuses or cache.get(key, 0) + max(1, count) <= most
        if has_room and count:
            cache.add(key, 0, DAY)
            cache.incr(key, count)
    except RedisError:
        log.warning("Redis is not answering, so requests are not being counted.")
        return True
    return has_room


def rate_limited(scope: str, rate: str) -> Callable[[View], View]:
    """For pages without text fields: show a page with the refusal after too many requests."""

    def with_limit(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            refusal = refusal_if_too_often(request, scope, rate)
            if not refusal:
                return view(request, *args, **kwargs)
            context, status = {"said": refusal.sentence}, HTTPStatus.TOO_MANY_REQUESTS
            answer = render(request, "429.html", context, status=status)
            answer["Retry-After"] = str(refusal.wait)
            return answer

        return guarded

    return with_limit
