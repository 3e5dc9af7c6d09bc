"""How often one visitor may ask for what costs work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.throttling import SimpleRateThrottle

if TYPE_CHECKING:
    from django.http import HttpRequest
    from rest_framework.request import Request
    from rest_framework.views import APIView


class _Limit(SimpleRateThrottle):
    """Counts by account, and by address for those without one."""

    def __init__(self, scope: str, rate: str) -> None:
        self.scope = scope
        self.rate = rate
        super().__init__()

    def get_cache_key(self, request: Request | HttpRequest, view: APIView | None) -> str:
        who = request.user.pk if request.user.is_authenticated else self.get_ident(request)  # type: ignore[arg-type]
        return f"limit:{self.scope}:{who}"


def too_often(request: HttpRequest, scope: str, rate: str) -> bool:
    """Has this visitor asked for this more often than the `rate`, as in "60/min", allows?"""
    return not _Limit(scope, rate).allow_request(request, None)  # type: ignore[arg-type]
