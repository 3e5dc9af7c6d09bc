"""What every address of the API does: count its callers, name the scope for writing, and say how long answers hold."""

from collections.abc import Callable
from functools import cache, partial, wraps
from http import HTTPStatus
from typing import Any, ClassVar, TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from games.api.answers import Changed, Done
from games.api.inputs import refuse_unknown
from games.api.once import answered_once
from games.kernel.access import GameAccess, access_game
from games.kernel.limits import rate_limit_headers
from games.kernel.live import version_for_strangers
from games.kernel.models import Phase
from games.kernel.shared_pages import PERSONAL, Version, digest_of, shared_answer
from games.people.models import Scope

INVITATION = OpenApiParameter("invitation", str, description="The token of an invitation link.")
JSON = "application/json"
STATUSES_KEPT = (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED)
Read = Callable[..., Response]
Way = TypeVar("Way", bound=Callable[..., Any])


def operation(**facts: Any) -> Callable[[Way], Way]:
    """Describe a method in the schema. `Endpoint` refuses input that isn't described: see `refuse_unknown`."""

    def decorate(method: Way) -> Way:
        described: Way = extend_schema(**facts)(method)
        described.schema_facts = facts  # type: ignore[attr-defined]
        return described

    return decorate


@cache
def _query_names(method: Callable[..., Any]) -> tuple[str, ...]:
    """The names of the parameters that the query may have."""
    parts = method.schema_facts.get("parameters", ())  # type: ignore[attr-defined]
    return tuple(
        name for part in parts for name in ([part.name] if isinstance(part, OpenApiParameter) else part().fields)
    )


class Endpoint(APIView):
    """`scope` is what a token needs for writing here. `bots_may`: bots need no seat labelled as theirs for it.

    An answer that `may_be_kept` has a tag made of its content, which is all that the caller may see of it.
    """

    scope: ClassVar[Scope | None] = None
    bots_may: ClassVar[bool] = False
    may_be_kept: ClassVar[bool] = False

    def perform_authentication(self, request: Request) -> None:
        """Count callers before refusing any of them; those with a wrong token count by their network."""
        try:
            super().perform_authentication(request)
        finally:
            super().check_throttles(request)

    def check_throttles(self, request: Request) -> None:
        """Do nothing: `perform_authentication` has counted the caller."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        name = str(request.method).lower()
        method = getattr(self, name)
        facts = getattr(method, "schema_facts", None)
        if facts is None:
            return
        acts = request.method not in SAFE_METHODS
        key = request.headers.get("Idempotency-Key") if acts else None
        if key is not None:
            setattr(self, name, partial(answered_once, key, request.body, method))
        refuse_unknown(request.query_params, _query_names(method.__func__))
        if acts and facts.get("request") is None and request.content_type == JSON:
            refuse_unknown(request.data, ())

    def get_throttles(self) -> list[BaseThrottle]:
        self.counted = super().get_throttles()
        return self.counted

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        final = super().finalize_response(request, response, *args, **kwargs)
        for name, value in rate_limit_headers(getattr(self, "counted", ())).items():
            final[name] = value
        patch_vary_headers(final, ["Authorization", "Cookie"])
        is_kept = self.may_be_kept and request.method in SAFE_METHODS and final.status_code in STATUSES_KEPT
        if not is_kept:
            final["Cache-Control"] = "private, no-store"
            return final
        final["Cache-Control"] = _cache_control(request)
        if isinstance(final, Response):
            final.add_post_render_callback(lambda rendered: _with_tag(request, rendered))
        return final


def _cache_control(request: Request) -> str:
    """Strangers share an answer; an app may keep its own; a browser keeps nothing that others could find in it."""
    if settings.SESSION_COOKIE_NAME in request.COOKIES or "invitation" in request.query_params:
        return "private, no-store"
    return "private, no-cache" if request.auth else "public, no-cache"


def _with_tag(request: Request, answer: Any) -> Any:
    """The answer with its tag; 304 for callers who have it."""
    answer["ETag"] = f'W/"{digest_of(answer.content)}"'
    not_modified: Any = get_conditional_response(request._request, etag=answer["ETag"], response=answer)
    for name, value in answer.items():
        if name.startswith("RateLimit-"):
            not_modified[name] = value
    return not_modified


def shared_among_strangers(version: Version) -> Callable[[Read], Callable[..., HttpResponse]]:
    """For a method whose answer is the same for all strangers: answer it once for each version, as pages are."""

    def decorate(read: Read) -> Callable[..., HttpResponse]:
        @wraps(read)
        def answered(self: Endpoint, request: Request, **kwargs: object) -> HttpResponse:
            is_stranger = request.auth is None and not PERSONAL & set(request.COOKIES)
            version_shown = version(request._request, **kwargs) if is_stranger else None
            if version_shown is None:
                return read(self, request, **kwargs)
            return shared_answer(request._request, version_shown, lambda: _json_response(read(self, request, **kwargs)))

        return answered

    return decorate


def version_of_public_game(request: HttpRequest, slug: str, **_where: object) -> str | None:
    """The version of an answer about one game; None if it depends on a query, as with an invitation."""
    return None if request.META.get("QUERY_STRING") else version_for_strangers(slug)


def _json_response(answer: Response) -> HttpResponse:
    return HttpResponse(JSONRenderer().render(answer.data), content_type=JSON)


def game_access(request: Request, slug: str) -> GameAccess:
    """The game as the caller may see it, with their invitation if they send one; raises Http404 if they may not."""
    return access_game(user=request.user, slug=slug, token=request.query_params.get("invitation", ""))


def caller_id(request: Request) -> int:
    """The user who asks. Raises NotAuthenticated for a stranger."""
    if request.user.pk is None:
        raise NotAuthenticated
    return int(request.user.pk)


def changed_answer(act: str, game_id: int, power: str | None = None) -> Response:
    """The answer to an act that may have moved the deadline or given someone a power, with both as they are now."""
    phase = Phase.objects.filter(game=game_id, closed__isnull=True).first()
    deadline = phase.deadline if phase else None
    return Response(Changed({"done": act, "power": power or None, "deadline": deadline}).data)


def done_answer(act: str, *, status: int = HTTPStatus.OK) -> Response:
    """The answer to an act after which there is nothing more to tell."""
    return Response(Done({"done": act}).data, status=status)
