"""The one address of this form. Every refusal is a sentence in plain text, with the status that webDiplomacy used."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, NamedTuple

from django.http import HttpResponse, JsonResponse
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import APIException, NotAuthenticated, ParseError, PermissionDenied, Throttled
from rest_framework.request import Request
from rest_framework.views import APIView

from adjudication.turns import Turn
from games.api.access import TokenAuthentication, insist_on_scope, is_bot
from games.api.errors import seconds_to_wait
from games.api.parsing import ShallowJSON
from games.api.webdip import states
from games.api.webdip.orders import take_orders
from games.endings.models import EndKind
from games.endings.services import propose_end, vote_on_proposal
from games.kernel.access import access_game, note_opening
from games.kernel.models import Occupancy
from games.kernel.queries import phase_head
from games.kernel.refusals import NotAllowed, Refusal, TooOften
from games.kernel.rules import allowed
from games.orders.queries import sheet_to_write
from games.orders.rules import may_say_ready
from games.orders.services import save_sheet, set_ready
from games.orders.sheets import SentSheet
from games.people.models import ApiToken, Scope
from games.press.queries import messages_readable_by
from games.press.services import send_message
from variants.travel.webdip import COUNTRIES, turn_to_json

Sent = dict[str, Any]
TEXT = "text/plain; charset=utf-8"
NOT_YOURS = "A user can only act for the country it controls: this token doesn’t play that country in that game."
LONGEST_NUMBER = 15


class AnyJSON(ShallowJSON):
    """Reads JSON whatever its type claims, because old programs call it a form."""

    media_type = "*/*"


@extend_schema(exclude=True)
class WebdipApi(APIView):
    """`api.php?route=…` with a token as the key. Requests name a game by its number; only its players get in."""

    authentication_classes = (TokenAuthentication,)
    permission_classes = ()
    parser_classes = (AnyJSON,)

    def get(self, request: Request) -> HttpResponse:
        return self._answer(request, request.query_params.dict())

    def post(self, request: Request) -> HttpResponse:
        if not isinstance(request.data, dict):
            raise ParseError("Invalid JSON request data.")
        return self._answer(request, {**request.query_params.dict(), **request.data})

    def _answer(self, request: Request, fields: Sent) -> HttpResponse:
        route = ROUTES.get(str(fields.get("route", "")).strip(" /").lower())
        if route is None:
            return HttpResponse(f"Unknown route. There are: {', '.join(ROUTES)}.", TEXT, HTTPStatus.NOT_FOUND)
        if not isinstance(request.auth, ApiToken):
            raise NotAuthenticated("No API key provided.")
        if route.scope is not None:
            insist_on_scope(request.auth, route.scope)
        return route.answer(request, fields)

    def handle_exception(self, exc: Exception) -> Any:
        match exc:
            case NotAllowed():
                return HttpResponse(exc.sentence, TEXT, HTTPStatus.FORBIDDEN)
            case TooOften():
                return HttpResponse(exc.sentence, TEXT, HTTPStatus.TOO_MANY_REQUESTS)
            case Refusal():
                return HttpResponse(exc.sentence, TEXT, HTTPStatus.BAD_REQUEST)
            case APIException():
                answer = HttpResponse(str(exc.detail), TEXT, exc.status_code)
                if isinstance(exc, Throttled):
                    answer["Retry-After"] = str(seconds_to_wait(exc))
                return answer
            case _:
                raise exc

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        final = super().finalize_response(request, response, *args, **kwargs)
        final["Cache-Control"] = "no-store"
        return final


def _own_seat(request: Request, fields: Sent) -> Occupancy:
    """The seat that the request names, if the token plays it. Any other seat or game gets the same refusal."""
    game, country = _number_in(fields, "gameID"), _number_in(fields, "countryID")
    power = COUNTRIES[country - 1] if 1 <= country <= len(COUNTRIES) else ""
    seats = states.seats_of(request.user.pk or 0, of_bot=is_bot(request)).select_related("user")
    seat: Occupancy | None = seats.filter(game_id=game, seat__power=power).first()
    if note_opening(seat):
        seat = seats.filter(game_id=game, seat__power=power).first()
    if seat is None:
        raise PermissionDenied(NOT_YOURS)
    return seat


def _number_in(fields: Sent, name: str) -> int:
    value = str(fields.get(name, ""))
    if not (value.isascii() and value.isdigit() and len(value) <= LONGEST_NUMBER):
        raise ParseError(f"`{name}` must be a number.")
    return int(value)


def _save_orders(request: Request, fields: Sent) -> HttpResponse:
    """Save those of the orders that are lawful, and say "ready" or take it back if that is sent."""
    seat = _own_seat(request, fields)
    rows = states.game_rows_for(seat)
    before = sheet_to_write(rows, None) if rows.open_phase else None
    if rows.open_phase is None or before is None:
        raise ParseError("Cannot submit orders in phase `Pre-Game` or `Finished`.")
    now = turn_to_json(Turn.from_code(rows.open_phase.turn))
    for name in ("turn", "phase"):
        if str(fields.get(name)) != str(now[name]):
            raise ParseError(f"Invalid {name}, expected `{now[name]}`, got `{fields.get(name)}`.")
    ready_word = fields.get("ready")
    if ready_word not in (None, "Yes", "No"):
        raise ParseError("Body field `ready` is not either `Yes` or `No`.")
    orders_taken = take_orders(fields.get("orders"), before)
    ordinal, mark = rows.open_phase.ordinal, phase_head(rows.open_phase).mark
    if orders_taken.sheet is not before:
        save_sheet(occupancy_id=seat.pk, sheet=SentSheet(orders_taken.sheet.text, ordinal, mark, before.after))
    if ready_word is not None and allowed(may_say_ready, rows, rows.held, rows.open_phase):
        set_ready(occupancy_id=seat.pk, ordinal=ordinal, ready=ready_word == "Yes", seen=mark)
    return JsonResponse(orders_taken.orders_now(), safe=False)


def _vote_for_draw(request: Request, fields: Sent) -> HttpResponse:
    """Agree to the draw between all remaining powers, proposing it if no one has, or withdraw the vote."""
    seat = _own_seat(request, fields)
    if fields.get("vote") != "Draw":
        raise ParseError("Invalid vote type; only Draw is allowed. Here the game master pauses and cancels games.")
    rows = states.game_rows_for(seat)
    draw, everyone = states.full_draw(rows), sorted(rows.left) if rows.open_phase else []
    if draw is None:
        propose_end(occupancy_id=seat.pk, kind=EndKind.DRAW.value, powers=everyone)
        return HttpResponse("Draw", TEXT)
    vote_on_proposal(occupancy_id=seat.pk, number=draw.number, agrees=not draw.my_vote)
    return HttpResponse("" if draw.my_vote else "Draw", TEXT)


def _send_message(request: Request, fields: Sent) -> HttpResponse:
    """Write to one power, or to everyone as country 0."""
    seat, to = _own_seat(request, fields), _number_in(fields, "toCountryID")
    text = fields.get("message")
    if not isinstance(text, str):
        raise ParseError("message is required.")
    if not 0 <= to <= len(COUNTRIES):
        raise ParseError(f"`toCountryID` must be 0 to {len(COUNTRIES)}.")
    powers = (seat.seat.power, COUNTRIES[to - 1]) if to else ()
    thread = send_message(game_id=seat.game_id, user_id=seat.user_id, text=text, to=powers)
    mine = messages_readable_by(access_game(user=request.user, slug=seat.game.slug)).filter(power=seat.seat.power)
    written = mine.filter(thread__powers=list(thread)).last()
    return JsonResponse({"messages": states.message_in_numbers(written, seat.seat.power) if written else []})


class Route(NamedTuple):
    """The function that answers, and the scope that a token needs for it."""

    answer: Callable[[Request, Sent], HttpResponse]
    scope: Scope | None = None


# A token gives orders only for its own seats, and none of these is in civil disorder ("players/cd").
ROUTES = {
    "players/cd": Route(lambda _request, _sent: JsonResponse([], safe=False)),
    "players/missing_orders": Route(
        lambda request, _sent: JsonResponse(
            states.missing_orders(request.user.pk or 0, of_bot=is_bot(request)), safe=False
        )
    ),
    "players/active_games": Route(
        lambda request, _sent: JsonResponse(states.active_games(request.user.pk or 0, of_bot=is_bot(request)))
    ),
    "game/status": Route(lambda request, sent: JsonResponse(states.state_of(_own_seat(request, sent)))),
    "game/orders": Route(_save_orders, Scope.ORDERS),
    "game/togglevote": Route(_vote_for_draw, Scope.ORDERS),
    "game/sendmessage": Route(_send_message, Scope.PRESS),
}
