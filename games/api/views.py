"""Each endpoint checks access, calls one service or one view, and answers in JSON."""

from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.answers import EventPage, Phase, Record, SavedReceipt, ThreadPage, VariantPage, VariantSerializer
from games.api.endpoint import (
    INVITATION,
    Endpoint,
    game_access,
    operation,
    shared_among_strangers,
    version_of_public_game,
)
from games.api.from_views import answer_class, values_by_name
from games.api.inputs import MessageInput, PlaceInput, SheetInput, checked_input
from games.api.lists import neighbouring_pages, on_one_page
from games.history.boards import board_view
from games.kernel import queries
from games.kernel.access import GameAccess, access_game, access_sheet
from games.kernel.page import page_of
from games.kernel.refusals import WrongMoment
from games.kernel.shared_pages import shared_answer, version_of_release_page
from games.news.log import log_view
from games.orders.parts import SheetView
from games.orders.queries import order_sheet
from games.orders.records import record_view
from games.orders.services import save_sheet
from games.orders.sheets import SentSheet, sheet_text
from games.people.models import Scope
from games.press.parts import TalkView
from games.press.queries import talk_view
from games.press.services import send_message
from games.press.threads import powers_of
from variants.lone_map import empty_map
from variants.registry import find


class GameAnswer(Endpoint):
    may_be_kept = True

    @operation(operation_id="game", parameters=[INVITATION], responses=Phase)
    @shared_among_strangers(version_of_public_game)
    def get(self, request: Request, slug: str) -> Response:
        """The game now: the open phase, or the final position."""
        return Response(_phase_data(request, slug, None))


class PhaseAnswer(Endpoint):
    may_be_kept = True

    @operation(operation_id="phase", parameters=[INVITATION], responses=Phase)
    @shared_among_strangers(version_of_public_game)
    def get(self, request: Request, slug: str, ordinal: int) -> Response:
        """One phase: its position and, once it has closed, its result."""
        return Response(_phase_data(request, slug, ordinal))


class LogAnswer(Endpoint):
    may_be_kept = True

    @operation(operation_id="log", parameters=[INVITATION, PlaceInput], responses=EventPage)
    @shared_among_strangers(version_of_public_game)
    def get(self, request: Request, slug: str) -> Response:
        """The newest lines of the public log, or those next to a place."""
        view = log_view(game_access(request, slug), **checked_input(PlaceInput, request.query_params))
        pages = neighbouring_pages(request, view.first, view.last, view.total)
        return Response(EventPage({**pages, "results": view.events}).data)


class SheetAnswer(Endpoint):
    """Your orders for the open phase, with everything that may be ordered."""

    scope = Scope.ORDERS

    @operation(operation_id="sheet", responses=answer_class(SheetView))
    def get(self, request: Request, slug: str) -> Response:
        """Your saved orders, every lawful order of every unit, and the points you can bid."""
        access_sheet(user=request.user, slug=slug)
        sheet = order_sheet(page_of(access_game(user=request.user, slug=slug)))
        if sheet is None:
            raise WrongMoment(_("The game has no current phase."))
        return Response(answer_class(SheetView)(sheet).data)

    @operation(operation_id="save_sheet", request=SheetInput, responses=SavedReceipt)
    def put(self, request: Request, slug: str) -> Response:
        """Save your orders, in place of any saved before; the answer says what they replaced. If any line has a
        mistake, nothing is saved, nor if you send `after` and others have been saved since."""
        seat = access_sheet(user=request.user, slug=slug)
        sent = checked_input(SheetInput, request.data)
        sheet = SentSheet(_text_of_sheet(sent), sent["ordinal"], sent["mark"], sent.get("after"))
        receipt = save_sheet(occupancy_id=seat.occupancy_id, sheet=sheet, sitting=seat.sitting)
        return Response(SavedReceipt(receipt).data)


class TalkAnswer(Endpoint):
    may_be_kept = True

    @operation(operation_id="talk", parameters=[INVITATION], responses=answer_class(TalkView))
    @shared_among_strangers(version_of_public_game)
    def get(self, request: Request, slug: str) -> Response:
        """The conversations that you may read, with the number of unread messages in each."""
        return Response(answer_class(TalkView)(talk_view(game_access(request, slug))).data)


class ThreadAnswer(Endpoint):
    """The address of a conversation is "everybody", or its powers in alphabetical order, as in FRANCE+ITALY, or as
    in gm+ITALY for that of the game master and one power."""

    scope = Scope.PRESS
    may_be_kept = True

    @operation(operation_id="thread", parameters=[INVITATION, PlaceInput], responses=ThreadPage)
    @shared_among_strangers(version_of_public_game)
    def get(self, request: Request, slug: str, address: str) -> Response:
        """The newest messages of a conversation, or those next to a place. They are not marked as read."""
        return _page_of_thread(
            request, game_access(request, slug), address, **checked_input(PlaceInput, request.query_params)
        )

    @operation(operation_id="write", request=MessageInput, responses={201: ThreadPage})
    def post(self, request: Request, slug: str, address: str) -> Response:
        """Write a message. The answer is the conversation with it."""
        access = game_access(request, slug)
        assert access.user_id is not None, "callers who are not signed in may only read"
        talk_view(access, address)
        sent = checked_input(MessageInput, request.data)
        send_message(game_id=access.game_id, user_id=access.user_id, to=powers_of(address), **sent)
        answer = _page_of_thread(request, access, address)
        answer.status_code = HTTPStatus.CREATED
        return answer


def _phase_data(request: Request, slug: str, ordinal: int | None) -> Any:
    return Phase(page_of(game_access(request, slug), ordinal)).data


def _page_of_thread(request: Request, access: GameAccess, address: str, **places: int) -> Response:
    view = talk_view(access, address, **places).shown
    assert view is not None, "an address was given"
    pages = neighbouring_pages(request, view.first, view.last, view.total)
    return Response(ThreadPage({**values_by_name(view), **pages, "results": view.messages}).data)


def _text_of_sheet(data: dict[str, Any]) -> str:
    if "text" in data:
        return str(data["text"])
    bids = [(bid["points"], bid["order"]) for bid in data.get("bids", [])]
    return sheet_text(data.get("orders", []), bids)


class RecordAnswer(Endpoint):
    may_be_kept = True

    @operation(operation_id="record", parameters=[INVITATION], responses=Record)
    @shared_among_strangers(version_of_public_game)
    def get(self, request: Request, slug: str) -> Response:
        """All adjudicated phases with orders, results and sealed records, as `python -m variants replay` reads them."""
        return Response(record_view(game_access(request, slug)))


SVG = "image/svg+xml"


class VariantsAnswer(Endpoint):
    may_be_kept = True

    @operation(operation_id="variants", responses=VariantPage)
    @shared_among_strangers(version_of_release_page)
    def get(self, request: Request) -> Response:  # the same for everyone
        """The variants that can be played here, with their rules."""
        return Response(VariantPage(on_one_page(queries.variants_offered())).data)


class VariantAnswer(Endpoint):
    may_be_kept = True

    @operation(operation_id="variant", responses=VariantSerializer)
    @shared_among_strangers(version_of_release_page)
    def get(self, request: Request, slug: str) -> Response:  # the same for everyone
        """A variant with its board: provinces, borders, home centres, the start, and all places on the map."""
        card, variant = queries.variant_card(slug), find(slug)
        facts = {
            **values_by_name(card),
            "version": variant.version,
            "digest": variant.digest,
            "map": settings.SITE_ADDRESS + reverse("api:board", args=[slug]),
            "board": board_view(variant),
        }
        return Response(VariantSerializer(facts).data)


class BoardAnswer(Endpoint):
    may_be_kept = True

    @operation(operation_id="board", responses={(200, SVG): OpenApiTypes.STR})
    def get(self, request: Request, slug: str) -> HttpResponse:
        """The empty map as SVG. Its shapes carry `data-province` with the ids of provinces."""
        title = _("Map of {variant}").format(variant=queries.variant_card(slug).title)
        return shared_answer(
            request._request, settings.SITE_VERSION, lambda: HttpResponse(empty_map(slug, title), content_type=SVG)
        )
