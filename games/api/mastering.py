"""What a game master does: each act of the desk at an address of its own, around the same service as its button."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.answers import BidTable, Changed, Desk, Entered, OpenedBidsSerializer, SheetText
from games.api.creating import TermsInput, choices_in, with_options
from games.api.endpoint import Endpoint, caller, changed, entered, operation
from games.api.from_views import ApiAnswer, answer_of, facts_in, shaped
from games.api.inputs import LAST_PLACE, AfterInput, ReasonInput, refuse_unknown_powers, sent_as
from games.consent.services import ask_earlier, change_terms, withdraw
from games.deadlines.options import LONGEST_SECONDS
from games.endings.options import Outcome
from games.kernel.access import GmAccess, access_gm, standpoint_of
from games.kernel.models import Right
from games.kernel.news import LONGEST_REASON
from games.kernel.refusals import NotAllowed
from games.mastering.judging import Preview, look_beforehand
from games.mastering.missing import MissingView, may_see_saved, missing_view, remind_missing
from games.mastering.queries import gm_people
from games.mastering.services import assistants, correcting, desk, repair
from games.orders.bids import look_at_all_bids, look_at_bids
from games.orders.services import enter_orders
from games.people.models import Scope
from games.press.models import LONGEST_MESSAGE
from games.press.services import send_message
from games.seating.queries import requests_of
from games.seating.services import bots, joining, placing, vacancies
from variants.bots import Level

NO_INPUT = None


_power = partial(serializers.CharField, help_text="The id of a power, as in GERMANY.")
_username = partial(serializers.CharField, max_length=150, help_text="The name of a user, as the site shows it.")
_seen = partial(
    serializers.CharField,
    max_length=60,
    help_text="The `mark` of the open phase that you saw; refused if the game has moved on since.",
)
_ordinal = partial(
    serializers.IntegerField, min_value=0, max_value=LAST_PLACE, help_text="The number of a phase that has a result."
)
_accept = partial(serializers.BooleanField, help_text="True for yes, false for no.")


class WhyInput(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=LONGEST_REASON, help_text="Everyone can read it in the log.")


class ExtendInput(ReasonInput):
    seconds = serializers.IntegerField(
        min_value=1, max_value=LONGEST_SECONDS, help_text="How much later the deadline will be."
    )


class DeadlineInput(ReasonInput):
    until = serializers.DateTimeField(help_text="The new deadline, later than the present one.")


class SeatInput(ReasonInput):
    power, username = _power(), _username()
    reason = serializers.CharField(
        max_length=LONGEST_REASON,
        required=False,
        allow_blank=True,
        default="",
        help_text="Needed if a person has the seat now. Everyone can read it in the log.",
    )


class CloseInput(ReasonInput):
    outcome = serializers.ChoiceField(
        [outcome.value for outcome in Outcome],
        required=False,
        help_text="How the game ends, in a game under way whose terms let the game master choose.",
    )
    powers = serializers.ListField(
        child=_power(), required=False, default=list, help_text="The powers that win or draw; none if it is void."
    )


class EmptyInput(WhyInput):
    power = _power()


class DisorderInput(ReasonInput):
    power = _power()


class PowerInput(serializers.Serializer[Any]):
    power = _power()


class BotInput(PowerInput):
    level = serializers.ChoiceField([level.value for level in Level], help_text="How well the bot plays.")

    def validate_level(self, level: str) -> Level:
        return Level(level)


class InviteInput(PowerInput):
    username = _username()


class MailInput(serializers.Serializer[Any]):
    power = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        help_text="The id of a power. Leave it out for a place without one, where powers are assigned later.",
    )
    email = serializers.EmailField(max_length=254, help_text="The address that gets the invitation.")


class RemoveInput(WhyInput):
    username = _username()


class NumberInput(serializers.Serializer[Any]):
    number = serializers.IntegerField(min_value=0, max_value=LAST_PLACE, help_text="As the desk numbers it.")


class AnswerInput(NumberInput):
    accept = _accept()


class LetInInput(serializers.Serializer[Any]):
    username, accept = _username(), _accept()


class UserInput(serializers.Serializer[Any]):
    username = _username()


class AssistantInput(UserInput):
    rights = serializers.ListField(
        child=serializers.ChoiceField(Right.choices),
        allow_empty=False,
        help_text="What the assistant may do: “talk”, “clock”, “seats” and “results”.",
    )


class OrdinalInput(serializers.Serializer[Any]):
    ordinal = _ordinal()


class BackInput(WhyInput):
    ordinal, seen = _ordinal(), _seen()


class OnePowerInput(serializers.Serializer[Any]):
    ordinal, power = _ordinal(), _power()


class EnterInput(PowerInput, AfterInput):
    ordinal = serializers.IntegerField(min_value=0, max_value=LAST_PLACE, help_text="The number of the open phase.")
    text = serializers.CharField(allow_blank=True, help_text="All orders and bids of that power, one in each line.")
    seen = _seen()


class PreviewCorrectionInput(OnePowerInput):
    text = serializers.CharField(
        allow_blank=True, help_text="All orders of that power, or of NEUTRAL for the minor powers, one in each line."
    )
    bids = serializers.BooleanField(
        default=False, help_text="The text has all bids of that power too, and they replace those it made."
    )


class CorrectInput(PreviewCorrectionInput, WhyInput):
    seen = _seen()


class PositionInput(WhyInput):
    changes = serializers.ListField(
        child=serializers.CharField(max_length=200),
        allow_empty=False,
        max_length=200,
        help_text="As in “MUN unit -” (no unit), “MUN unit A GERMANY” or “MUN centre FRANCE”.",
    )
    seen = _seen()


class AnnounceInput(serializers.Serializer[Any]):
    text = shaped(serializers.CharField, type="string", maxLength=LONGEST_MESSAGE)(
        trim_whitespace=False, help_text="What everyone in the game will read."
    )


def opened(*, game_id: int, by: int, ordinal: int) -> dict[str, Any]:
    return {"powers": look_at_bids(game_id=game_id, by=by, ordinal=ordinal)}


def opened_so_far(*, game_id: int, by: int) -> dict[str, Any]:
    return {"phases": look_at_all_bids(game_id=game_id, by=by)}


def whole_sheet(*, game_id: int, by: int, ordinal: int, power: str) -> dict[str, str]:
    return {"text": correcting.look_at_sheet(game_id=game_id, by=by, ordinal=ordinal, power=power)}


def announce(*, game_id: int, by: int, text: str) -> None:
    send_message(game_id=game_id, user_id=by, text=text, as_gm=True)


def change_options(*, game_id: int, by: int, **sent: Any) -> None:
    change_terms(game_id=game_id, by=by, choices=choices_in(sent))


def _entered(**sent: Any) -> dict[str, object]:
    receipt = enter_orders(**sent)
    return {"done": "enter_orders", "code": receipt.code, "replaced": receipt.replaced}


class Act(NamedTuple):
    """One act: its service, what is sent with it, what it does, and what it answers."""

    service: Callable[..., object]
    sent: type[serializers.Serializer[Any]] | None
    does: str
    answer: type[ApiAnswer] = Changed


ACTS: dict[str, Act] = {
    "start": Act(
        desk.start_game, NO_INPUT, "Start the game with the players there are, or its roll call if it has one."
    ),
    "start_anyway": Act(
        desk.start_anyway, NO_INPUT, "Start with the players who have confirmed; the others lose their place."
    ),
    "cancel_roll_call": Act(desk.cancel_roll_call, NO_INPUT, "Cancel the roll call. Everyone keeps their place."),
    "pause": Act(desk.pause_game, ReasonInput, "Stop the clock. Players can still save orders."),
    "resume": Act(desk.resume_game, ReasonInput, "Start the clock again with the time left, but no earlier deadline."),
    "process": Act(desk.process_now, ReasonInput, "End the phase now, if the game allows it."),
    "extend": Act(desk.extend_deadline, ExtendInput, "Give everyone more time for the open phase."),
    "set_deadline": Act(desk.set_deadline, DeadlineInput, "Move the deadline to a moment up to 14 days later."),
    "ask_earlier": Act(
        ask_earlier, DeadlineInput, "Ask everyone with orders to enter to agree to an earlier deadline."
    ),
    "change_terms": Act(
        change_options,
        with_options(TermsInput, "ChangedTermsInput"),
        "Change the terms; once players have joined, ask all of them to agree.",
    ),
    "withdraw_request": Act(withdraw, NumberInput, "Withdraw a request that players should agree to."),
    "close": Act(
        desk.close_game,
        CloseInput,
        "End the game for good: a draw between all powers that have units, or your outcome if the game allows it.",
    ),
    "write": Act(announce, AnnounceInput, "Write to everyone as the game master."),
    "mail": Act(
        placing.mail_invitation,
        MailInput,
        "Invite someone by email to a seat without a player, which is kept for them. The link in the email works once.",
    ),
    "withdraw_mailed": Act(placing.withdraw_mailed, NumberInput, "Withdraw such an invitation."),
    "place": Act(placing.place_player, InviteInput, "Give a seat to a user before the start. They can leave again."),
    "give_place": Act(
        placing.place_player,
        UserInput,
        "Give a user a place without a power, where powers are assigned before the start. They can leave again.",
    ),
    "remove": Act(placing.remove_player, RemoveInput, "Remove a user who has joined, before the start."),
    "remind": Act(remind_missing, NO_INPUT, "Remind the players who haven’t saved orders, where the terms allow it."),
    "seat": Act(desk.seat_player, SeatInput, "Give a seat to another player, in place of its player if it has one."),
    "give_back": Act(
        desk.give_back,
        PowerInput,
        "Give a seat back to the player who lost it when you assigned it, until the new player opens the game. What "
        "they had saved counts as before.",
    ),
    "empty": Act(desk.empty_seat, EmptyInput, "Remove a player. The units hold until the seat is filled."),
    "declare": Act(desk.declare_civil_disorder, DisorderInput, "Put a power into permanent civil disorder."),
    "seat_bot": Act(bots.seat_bot, BotInput, "Let a bot play a vacant seat until a player takes it."),
    "take_bot_out": Act(bots.take_bot_out, PowerInput, "Take a bot out of its seat."),
    "invite": Act(vacancies.invite, InviteInput, "Invite a user to a seat. It changes hands if they accept."),
    "withdraw_invitation": Act(vacancies.withdraw_invitation, NumberInput, "Withdraw an unanswered invitation."),
    "answer_request": Act(joining.answer_request, LetInInput, "Accept or decline a request to join before the start."),
    "answer_asking": Act(vacancies.answer_asking, AnswerInput, "Give a vacant seat to a player who asks, or decline."),
    "enter_orders": Act(
        _entered,
        EnterInput,
        "Save orders for a player who lets you do so, in place of any saved before; the answer says what they "
        "replaced. The player sees that you did.",
        Entered,
    ),
    "hand_over": Act(assistants.offer_game, UserInput, "Ask a user to take over as game master."),
    "take_back": Act(assistants.take_back_offer, NO_INPUT, "Withdraw that request."),
    "name_assistant": Act(
        assistants.name_assistant, AssistantInput, "Ask a user to be your assistant, with these rights."
    ),
    "dismiss_assistant": Act(assistants.dismiss_assistant, UserInput, "Remove an assistant, or withdraw the request."),
    "roll_back": Act(repair.roll_back, BackInput, "Go back to an earlier phase, which opens again."),
    "correct_sheet": Act(
        correcting.correct_sheet,
        CorrectInput,
        "Correct all published orders of a power in one act, and its bids where the terms allow that; its phase is "
        "adjudicated again.",
    ),
    "look_at_sheet": Act(
        whole_sheet,
        OnePowerInput,
        "The published orders of a power and its bids, to correct both, where the terms allow that. The log tells "
        "everyone that you looked at the bids.",
        SheetText,
    ),
    "preview_correction": Act(
        correcting.preview_correction,
        PreviewCorrectionInput,
        "What such a correction would change. If it corrects bids, the log tells everyone that you looked at them.",
        answer_of(correcting.CorrectionPreview),
    ),
    "change_position": Act(repair.change_position, PositionInput, "Change the position by hand."),
    "preview": Act(
        look_beforehand,
        NO_INPUT,
        "Look at the result that the orders saved so far would have. The log tells everyone first.",
        answer_of(Preview),
    ),
    "look_at_bids": Act(
        opened, OrdinalInput, "Look at the bids of a closed phase. The log tells everyone.", OpenedBidsSerializer
    ),
    "look_at_all_bids": Act(
        opened_so_far,
        NO_INPUT,
        "Look at the bids of all closed phases, by minor power. The log tells everyone.",
        BidTable,
    ),
}


def run_by_caller(request: Request, slug: str) -> GmAccess:
    """Http404 where the game is hidden from the caller, NotAllowed for those who don’t run it."""
    entered(request, slug)
    caller(request)
    try:
        return access_gm(user=request.user, slug=slug)
    except Http404:
        raise NotAllowed("Only the game master can do that.") from None


def answer_to(verb: str) -> type[Endpoint]:
    """The view of one act."""
    act = ACTS[verb]

    def post(_view: Endpoint, request: Request, slug: str) -> Response:
        access = run_by_caller(request, slug)
        sent = sent_as(act.sent, request.data) if act.sent else {}
        refuse_unknown_powers(access.game, sent)
        found = act.service(game_id=access.game_id, by=access.user_id, **sent)
        return (
            changed(verb, access.game_id, sent.get("power"))
            if act.answer is Changed
            else Response(act.answer(found).data)
        )

    described = operation(operation_id=f"gm_{verb}", description=act.does, request=act.sent, responses=act.answer)
    return type(f"{verb}Answer", (Endpoint,), {"scope": Scope.MASTER, "bots_may": True, "post": described(post)})


class DeskAnswer(Endpoint):
    @operation(operation_id="desk", responses=Desk)
    def get(self, request: Request, slug: str) -> Response:
        """The people who want something of you as the game master, and those you could ask. What you may do now is
        `gm` of the game."""
        access = run_by_caller(request, slug)
        people = gm_people(access)
        requests = requests_of(standpoint_of(access))
        return Response(Desk({**facts_in(people), **facts_in(people.market), "requests": requests}).data)


class MissingAnswer(Endpoint):
    @operation(operation_id="saved", responses=answer_of(MissingView))
    def get(self, request: Request, slug: str) -> Response:
        """Which players have saved orders for the open phase, yes or no, where the terms let the game master see it."""
        here = standpoint_of(run_by_caller(request, slug))
        may_see_saved(here)
        return Response(answer_of(MissingView)(missing_view(here)).data)
