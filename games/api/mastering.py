"""What a game master does: each act of the desk at an address of its own, around the same service as its button."""

from collections.abc import Callable
from dataclasses import is_dataclass
from typing import Any, get_type_hints

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.acts import endpoint_of, input_of
from games.api.answers import BidTable, Changed, Desk, Entered, OpenedBidsSerializer, SheetText
from games.api.creating import TermsInput, arguments_of_service, with_options
from games.api.endpoint import Endpoint, caller_id, changed_answer, game_access, operation
from games.api.from_views import ApiAnswer, answer_class, values_by_name
from games.api.inputs import refuse_unknown_powers
from games.kernel.access import GmAccess, access_gm, standpoint_of
from games.kernel.refusals import NotAllowed
from games.mastering.acts import ACTS
from games.mastering.missing import MissingView, may_see_saved, missing_view
from games.mastering.queries import gm_people
from games.seating.queries import join_request_views

SHAPES = {
    "AnnounceInput": ("write",),
    "AnswerInput": ("answer_asking",),
    "AssistantInput": ("name_assistant",),
    "BackInput": ("roll_back",),
    "BotInput": ("seat_bot",),
    "CorrectInput": ("correct_sheet",),
    "DeadlineInput": ("set_deadline", "ask_earlier"),
    "DisorderInput": ("declare",),
    "EnterInput": ("enter_orders",),
    "InviteInput": ("place", "invite"),
    "LetInInput": ("answer_request",),
    "NumberInput": ("withdraw_request", "withdraw_mailed", "withdraw_invitation"),
    "OnePowerInput": ("look_at_sheet",),
    "OrdinalInput": ("look_at_bids",),
    "PositionInput": ("change_position",),
    "PowerInput": ("give_back", "take_bot_out"),
    "ReasonInput": ("pause", "resume", "process"),
    "UserInput": ("give_place", "hand_over", "dismiss_assistant"),
}
"""What version 1 calls the inputs that aren't named after their act."""
NAMES = {act: shape for shape, acts in SHAPES.items() for act in acts}
ANSWERS: dict[str, tuple[type[ApiAnswer], Callable[[Any], dict[str, Any]]]] = {
    "enter_orders": (Entered, lambda it: {"done": "enter_orders", "code": it.code, "replaced": it.replaced}),
    "look_at_sheet": (SheetText, lambda text: {"text": text}),
    "look_at_bids": (OpenedBidsSerializer, lambda powers: {"powers": powers}),
    "look_at_all_bids": (BidTable, lambda phases: {"phases": phases}),
}
"""The answers that aren't made of what the service returns."""
INPUTS = {"change_terms": with_options(TermsInput, "ChangedTermsInput")}
"""The inputs that aren't made of arguments."""


def gm_access_of_caller(request: Request, slug: str) -> GmAccess:
    """Raises Http404 where the game is hidden from the caller, NotAllowed for callers who don't run it."""
    game_access(request, slug)
    caller_id(request)
    try:
        return access_gm(user=request.user, slug=slug)
    except Http404:
        raise NotAllowed(_("Only the game master can do that.")) from None


def endpoint_of_act(verb: str) -> type[Endpoint]:
    act = ACTS[verb]
    given = get_type_hints(act.service).get("return")
    answer, told = ANSWERS.get(verb) or (answer_class(given) if is_dataclass(given) else Changed, None)

    def does(access: GmAccess, sent: dict[str, Any]) -> Response:
        refuse_unknown_powers(access.game, sent)
        arguments = {"choices": arguments_of_service(sent)} if verb in INPUTS else sent
        result = act.service(game_id=access.game_id, by=access.user_id, **arguments)
        if answer is Changed:
            return changed_answer(verb, access.game_id, sent.get("power"))
        return Response(answer(told(result) if told else result).data)

    kind = INPUTS.get(verb) or input_of(act.arguments, NAMES.get(verb, f"{verb.title().replace('_', '')}Input"))
    return endpoint_of(act, operation_id=f"gm_{verb}", kind=kind, answer=answer, enter=gm_access_of_caller, does=does)


class DeskAnswer(Endpoint):
    @operation(operation_id="desk", responses=Desk)
    def get(self, request: Request, slug: str) -> Response:
        """The people who want something of you as the game master, and those you could ask. What you may do now is
        `gm` of the game."""
        access = gm_access_of_caller(request, slug)
        people = gm_people(access)
        requests = join_request_views(standpoint_of(access))
        return Response(Desk({**values_by_name(people), **values_by_name(people.market), "requests": requests}).data)


class MissingAnswer(Endpoint):
    @operation(operation_id="saved", responses=answer_class(MissingView))
    def get(self, request: Request, slug: str) -> Response:
        """Which players have saved orders for the open phase, yes or no, where the terms let the game master see it."""
        here = standpoint_of(gm_access_of_caller(request, slug))
        may_see_saved(here)
        return Response(answer_class(MissingView)(missing_view(here)).data)
