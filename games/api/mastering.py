"""What a game master does: each act of the desk at an address of its own, around the same service as its button."""

import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.answers import BidTable, Changed, Desk, Entered, OpenedBidsSerializer, SheetText
from games.api.creating import TermsInput, arguments_of_service, with_options
from games.api.endpoint import Endpoint, caller_id, changed_answer, game_access, operation
from games.api.from_views import ApiAnswer, answer_class, values_by_name, with_schema
from games.api.inputs import LAST_PLACE, AfterInput, Input, Moment, ReasonInput, checked_input, refuse_unknown_powers
from games.consent.services import ask_for_earlier_deadline, change_terms, withdraw_request
from games.deadlines.options import LONGEST_SECONDS
from games.endings.options import Outcome
from games.kernel.access import GmAccess, access_gm, standpoint_of
from games.kernel.models import Right
from games.kernel.news import LONGEST_REASON
from games.kernel.refusals import NotAllowed
from games.mastering.judging import Preview, preview_open_phase
from games.mastering.missing import MissingView, may_see_saved, missing_view, remind_missing
from games.mastering.queries import gm_people
from games.mastering.services import assistants, correcting, desk, repair
from games.orders.bids import look_at_all_bids, look_at_bids
from games.orders.services import enter_orders
from games.people.models import Scope
from games.press.models import LONGEST_MESSAGE
from games.press.services import send_message
from games.seating.queries import join_request_views
from games.seating.services import bots, joining, placing, vacancies
from variants.bots import Level

NO_INPUT = None


_username = partial(serializers.CharField, max_length=150)
_seen = partial(serializers.CharField, max_length=60)
_ordinal = partial(serializers.IntegerField, min_value=0, max_value=LAST_PLACE)


class WhyInput(Input):
    reason = serializers.CharField(max_length=LONGEST_REASON)


class ExtendInput(ReasonInput):
    seconds = serializers.IntegerField(min_value=1, max_value=LONGEST_SECONDS)


class DeadlineInput(ReasonInput):
    until = Moment()


class SeatInput(ReasonInput):
    power, username = serializers.CharField(), _username()
    reason = serializers.CharField(max_length=LONGEST_REASON, required=False, allow_blank=True, default="")


class CloseInput(ReasonInput):
    outcome = serializers.ChoiceField([outcome.value for outcome in Outcome], required=False)
    powers = serializers.ListField(
        child=serializers.CharField(help_text="The id of a power, as in GERMANY."), required=False, default=list
    )


class EmptyInput(WhyInput):
    power = serializers.CharField()


class DisorderInput(ReasonInput):
    power = serializers.CharField()


class PowerInput(Input):
    power = serializers.CharField()


class BotInput(PowerInput):
    level = serializers.ChoiceField([level.value for level in Level])

    def validate_level(self, level: str) -> Level:
        return Level(level)


class InviteInput(PowerInput):
    username = _username()


class MailInput(Input):
    power = serializers.CharField(required=False, allow_blank=True, default="")
    email = serializers.EmailField(max_length=254)


class RemoveInput(WhyInput):
    username = _username()


class NumberInput(Input):
    number = serializers.IntegerField(min_value=0, max_value=LAST_PLACE)


class AnswerInput(NumberInput):
    accept = serializers.BooleanField()


class LetInInput(Input):
    username, accept = _username(), serializers.BooleanField()


class UserInput(Input):
    username = _username()


class AssistantInput(UserInput):
    rights = serializers.ListField(child=serializers.ChoiceField(Right.choices), allow_empty=False)


class OrdinalInput(Input):
    ordinal = _ordinal()


class BackInput(WhyInput):
    ordinal, seen = _ordinal(), _seen()


class OnePowerInput(Input):
    ordinal, power = _ordinal(), serializers.CharField()


class EnterInput(PowerInput, AfterInput):
    ordinal = serializers.IntegerField(min_value=0, max_value=LAST_PLACE)
    text = serializers.CharField(allow_blank=True)
    seen = _seen()


class PreviewCorrectionInput(OnePowerInput):
    text = serializers.CharField(allow_blank=True)
    bids = serializers.BooleanField(default=False)


class CorrectInput(PreviewCorrectionInput, WhyInput):
    seen = _seen()


class PositionInput(WhyInput):
    changes = serializers.ListField(child=serializers.CharField(max_length=200), allow_empty=False, max_length=200)
    seen = _seen()


class AnnounceInput(Input):
    text = with_schema(serializers.CharField, type="string", maxLength=LONGEST_MESSAGE)(trim_whitespace=False)


def write_as_master(*, game_id: int, by: int, text: str) -> None:
    send_message(game_id=game_id, user_id=by, text=text, as_gm=True)


def change_options(*, game_id: int, by: int, **sent: Any) -> None:
    change_terms(game_id=game_id, by=by, choices=arguments_of_service(sent))


def _enter_orders(**sent: Any) -> dict[str, object]:
    receipt = enter_orders(**sent)
    return {"done": "enter_orders", "code": receipt.code, "replaced": receipt.replaced}


class GmAct(NamedTuple):
    """One act of a game master: its service, its input, and its answer. `mastering.toml` says what it does."""

    service: Callable[..., object]
    input: type[serializers.Serializer[Any]] | None
    answer: type[ApiAnswer] = Changed
    field: str = ""
    """The only field of the answer, if that is what the service gives."""


DESCRIPTIONS_OF_ACTS: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
ACTS: dict[str, GmAct] = {
    "start": GmAct(desk.start_game, NO_INPUT),
    "start_anyway": GmAct(desk.start_anyway, NO_INPUT),
    "cancel_roll_call": GmAct(desk.cancel_roll_call, NO_INPUT),
    "pause": GmAct(desk.pause_game, ReasonInput),
    "resume": GmAct(desk.resume_game, ReasonInput),
    "process": GmAct(desk.end_phase_early, ReasonInput),
    "extend": GmAct(desk.extend_deadline, ExtendInput),
    "set_deadline": GmAct(desk.set_deadline, DeadlineInput),
    "ask_earlier": GmAct(ask_for_earlier_deadline, DeadlineInput),
    "change_terms": GmAct(change_options, with_options(TermsInput, "ChangedTermsInput")),
    "withdraw_request": GmAct(withdraw_request, NumberInput),
    "close": GmAct(desk.close_game, CloseInput),
    "write": GmAct(write_as_master, AnnounceInput),
    "mail": GmAct(placing.send_email_invitation, MailInput),
    "withdraw_mailed": GmAct(placing.withdraw_email_invitation, NumberInput),
    "place": GmAct(placing.place_player, InviteInput),
    "give_place": GmAct(placing.place_player, UserInput),
    "remove": GmAct(placing.remove_player, RemoveInput),
    "remind": GmAct(remind_missing, NO_INPUT),
    "seat": GmAct(desk.seat_player, SeatInput),
    "give_back": GmAct(desk.give_back_seat, PowerInput),
    "empty": GmAct(desk.empty_seat, EmptyInput),
    "declare": GmAct(desk.declare_civil_disorder, DisorderInput),
    "seat_bot": GmAct(bots.seat_bot, BotInput),
    "take_bot_out": GmAct(bots.unseat_bot, PowerInput),
    "invite": GmAct(vacancies.invite_to_seat, InviteInput),
    "withdraw_invitation": GmAct(vacancies.withdraw_invitation, NumberInput),
    "answer_request": GmAct(joining.answer_join_request, LetInInput),
    "answer_asking": GmAct(vacancies.answer_seat_request, AnswerInput),
    "enter_orders": GmAct(_enter_orders, EnterInput, Entered),
    "hand_over": GmAct(assistants.offer_handover, UserInput),
    "take_back": GmAct(assistants.withdraw_handover, NO_INPUT),
    "name_assistant": GmAct(assistants.name_assistant, AssistantInput),
    "dismiss_assistant": GmAct(assistants.dismiss_assistant, UserInput),
    "roll_back": GmAct(repair.roll_back, BackInput),
    "correct_sheet": GmAct(correcting.correct_sheet, CorrectInput),
    "look_at_sheet": GmAct(correcting.look_at_sheet, OnePowerInput, SheetText, "text"),
    "preview_correction": GmAct(
        correcting.preview_correction, PreviewCorrectionInput, answer_class(correcting.CorrectionPreview)
    ),
    "change_position": GmAct(repair.change_position, PositionInput),
    "preview": GmAct(preview_open_phase, NO_INPUT, answer_class(Preview)),
    "look_at_bids": GmAct(look_at_bids, OrdinalInput, OpenedBidsSerializer, "powers"),
    "look_at_all_bids": GmAct(look_at_all_bids, NO_INPUT, BidTable, "phases"),
}


def gm_access_of_caller(request: Request, slug: str) -> GmAccess:
    """Raises Http404 where the game is hidden from the caller, NotAllowed for callers who don't run it."""
    game_access(request, slug)
    caller_id(request)
    try:
        return access_gm(user=request.user, slug=slug)
    except Http404:
        raise NotAllowed(_("Only the game master can do that.")) from None


def endpoint_of_act(verb: str) -> type[Endpoint]:
    """The endpoint for this act."""
    act = ACTS[verb]

    def post(_view: Endpoint, request: Request, slug: str) -> Response:
        access = gm_access_of_caller(request, slug)
        data = checked_input(act.input, request.data) if act.input else {}
        refuse_unknown_powers(access.game, data)
        result = act.service(game_id=access.game_id, by=access.user_id, **data)
        if act.answer is Changed:
            return changed_answer(verb, access.game_id, data.get("power"))
        return Response(act.answer({act.field: result} if act.field else result).data)

    describe = operation(
        operation_id=f"gm_{verb}", description=DESCRIPTIONS_OF_ACTS[verb], request=act.input, responses=act.answer
    )
    return type(f"{verb}Answer", (Endpoint,), {"scope": Scope.MASTER, "bots_may": True, "post": describe(post)})


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
