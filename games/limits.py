"""By what one visitor is told from another, where something may be asked only so often."""

from __future__ import annotations

import logging
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING, Any

from redis.exceptions import RedisError
from rest_framework.throttling import AnonRateThrottle, SimpleRateThrottle, UserRateThrottle

if TYPE_CHECKING:
    from django.http import HttpRequest
    from rest_framework.request import Request

log = logging.getLogger(__name__)

HOUSEHOLD_BITS = 64
"""Whoever has one address of version 6 has all that share so many of its bits."""


def network_of(request: HttpRequest | Request) -> str:
    """The visitor's address, or the network of one household; the proxy's server has put it where its own was."""
    text = str(request.META.get("REMOTE_ADDR", ""))
    try:
        address = ip_address(text)
    except ValueError:
        return text
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or IPv6Network((int(address), HOUSEHOLD_BITS), strict=False))
    return str(address)


class _ByNetwork(SimpleRateThrottle):
    def get_ident(self, request: Any) -> str:
        return network_of(request)

    def allow_request(self, request: Any, view: Any) -> bool:
        """While the counts cannot be reached everything is allowed, because no deadline waits for them."""
        try:
            return bool(super().allow_request(request, view))
        except RedisError:
            log.warning("Redis does not answer; requests are not counted.")
            return True


class Strangers(_ByNetwork, AnonRateThrottle):
    """Callers of the API without an account."""


class People(_ByNetwork, UserRateThrottle):
    """Callers of the API with one, whichever program they use."""


class Limit(_ByNetwork):
    """Counts by account, and by network for those without one."""

    def __init__(self, scope: str, rate: str) -> None:
        self.scope = scope
        self.rate = rate
        super().__init__()

    def get_cache_key(self, request: Any, view: Any) -> str:  # noqa: ARG002
        who = request.user.pk if request.user.is_authenticated else self.get_ident(request)
        return f"limit:{self.scope}:{who}"
