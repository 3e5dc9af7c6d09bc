"""What the game master may do, and which player may become one."""

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from games.consent.rules import ANSWERABLE
from games.deadlines.options import EarlyEnd
from games.kernel import codec
from games.kernel.languages import later
from games.kernel.members import is_assistant, is_member
from games.kernel.models import (
    MODERATORS,
    NOT_OVER,
    OVER,
    UNDER_WAY,
    Assistant,
    Game,
    Handover,
    Occupancy,
    Right,
    Sitting,
    Status,
)
from games.kernel.options import Master
from games.kernel.refusals import NotAllowed, WrongMoment
from games.kernel.rules import (
    only_before_deadline,
    only_gm,
    only_gm_while,
    only_in_a_phase,
    only_in_play,
    only_outside_practice,
    only_while,
    unless,
)
from games.kernel.standpoint import Standpoint, answered_once
from games.orders.rules import may_look_at_bids
from games.sealed.options import BidCorrections, Previews
from games.seating.rules import seats
from games.seating.rules.joining import roll_call_of, users_who_confirmed

IN_PLAY = (Status.RUNNING, Status.PAUSED)


def may_start(here: Standpoint) -> None:
    """Allow starting the game, or its roll call if it has one."""
    only_gm_while(here, (Status.OPEN,), _("The game has already started."), Right.CLOCK)
    unless(here.members, WrongMoment(_("No player has joined yet.")))
    under_way = _("The roll call is under way: the game starts when everyone has confirmed.")
    unless(roll_call_of(here) is None, WrongMoment(under_way))


def may_cancel_roll_call(here: Standpoint) -> None:
    only_gm_while(here, (Status.OPEN,), _("The game has already started."), Right.CLOCK)
    roll_call = roll_call_of(here)
    if roll_call is None:
        raise WrongMoment(_("There is no roll call at the moment."))
    unless(roll_call.deadline > here.now, WrongMoment(_("The time to confirm is over: the roll call is about to end.")))


def may_start_anyway(here: Standpoint) -> None:
    """Allow a start with those who have confirmed, before the roll call ends. A game master who plays has confirmed."""
    may_cancel_roll_call(here)
    confirmed = users_who_confirmed(here) | {here.user_id}
    unless(confirmed.intersection(here.members), WrongMoment(_("No player has confirmed yet.")))


def may_extend(here: Standpoint) -> None:
    only_gm_while(here, IN_PLAY, _("The deadline can be moved only in a running or paused game."), Right.CLOCK)
    only_before_deadline(here)


def may_set_deadline(here: Standpoint) -> None:
    stopped = _("The game isn’t running, so there is no deadline to set. Start or resume it first.")
    only_gm_while(here, (Status.RUNNING,), stopped, Right.CLOCK)
    only_before_deadline(here)


def may_add_holiday(here: Standpoint) -> None:
    told = _("The game is over or on hold, so it needs no days off.")
    only_gm_while(here, ANSWERABLE, told, Right.CLOCK)
    if here.game.status == Status.RUNNING:
        only_before_deadline(here)


def may_pause(here: Standpoint) -> None:
    only_gm_while(here, (Status.RUNNING,), _("Only a running game can be paused."), Right.CLOCK)
    only_before_deadline(here)


def may_resume(here: Standpoint) -> None:
    only_gm_while(here, (Status.PAUSED,), _("Only a paused game can be resumed."), Right.CLOCK)


def may_end_phase_early(here: Standpoint) -> None:
    only_gm(here, Right.CLOCK)
    may_end = here.options[EarlyEnd].gm_processes_early
    unless(may_end, NotAllowed(_("In this game, you can’t end phases early.")))
    only_while(here, (Status.RUNNING,), _("Only a running game has a phase to end."))
    only_before_deadline(here)


def may_preview(here: Standpoint) -> None:
    """Allow a preview of the result of the open phase."""
    only_gm(here, Right.RESULTS)
    no_previews = _("This game was created without previews.")
    unless(here.options[Previews].allowed, NotAllowed(no_previews))
    only_while(here, UNDER_WAY, _("The game has not started yet."))
    not_yet = _(
        "The orders for this phase were begun under terms without previews. You can preview from the next turn on."
    )
    unless(only_in_a_phase(here).shows(Previews), WrongMoment(not_yet))
    played = _("You have had a seat in this game, so you can’t preview its results.")
    unless(not here.has_had_a_seat, NotAllowed(played))


def may_change_position(here: Standpoint) -> None:
    _may_repair(here)
    only_before_deadline(here)


def may_close_game(here: Standpoint) -> None:
    only_gm_while(here, NOT_OVER, _("This game can’t be closed."))
    refuse_if_stopped(here)


def refuse_if_stopped(here: Standpoint) -> None:
    stopped = _("The site’s moderators have put this game on hold. Only they can resume it.")
    unless(here.game.incident != MODERATORS, NotAllowed(stopped))


def may_rename(here: Standpoint) -> None:
    only_gm_while(here, NOT_OVER, "")


def may_declare_disorder(here: Standpoint, power: str) -> None:
    """Allow putting a power in permanent civil disorder."""
    sentence = _("Permanent civil disorder can be declared only in a game that has started.")
    only_gm_while(here, UNDER_WAY, sentence, Right.SEATS)
    only_in_play(here, power)
    only_before_deadline(here)


def may_seat_player(here: Standpoint, power: str) -> None:
    only_gm_while(here, UNDER_WAY, _("Before the start, players take their seats themselves."), Right.SEATS)
    seats.only_if_gm_knows_players(here)
    only_in_play(here, power)
    only_in_a_phase(here)


def may_give_back(here: Standpoint, power: str) -> tuple[Occupancy, Occupancy]:
    """Allow giving a seat back to the player who lost it when it was assigned to another. Returns two occupancies: of
    the player who has it now, and of the former player."""
    only_gm_while(here, UNDER_WAY, _("Before the start, players leave their seats themselves."), Right.SEATS)
    seats.only_if_gm_knows_players(here)
    only_in_play(here, power)
    only_before_deadline(here)
    newcomer = here.holder(power)
    sentence = _(
        "You can’t give this seat back to a former player. That is possible only after you have assigned it, in the "
        "same phase, and until its new player opens the game."
    )
    if newcomer is None or newcomer.instead_of is None:
        raise WrongMoment(sentence)
    return newcomer, newcomer.instead_of


def may_empty_seat(here: Standpoint, power: str) -> None:
    only_gm_while(here, UNDER_WAY, _("Before the start, players leave their seats themselves."), Right.SEATS)
    only_in_play(here, power)
    only_before_deadline(here)
    holder = here.holder(power)
    unless(holder, WrongMoment(_("The seat is already vacant.")))
    unless(holder and not holder.user.is_bot, WrongMoment(_("A bot has this seat. Take the bot out.")))


def _may_repair(here: Standpoint) -> None:
    sentence = _("This is possible only in a running or paused game. A game on hold has to be resumed first.")
    only_gm_while(here, IN_PLAY, sentence, Right.RESULTS)
    only_in_a_phase(here)


def may_roll_back(here: Standpoint, ordinal: int) -> None:
    _may_repair(here)
    _only_judged(here, ordinal)


def _only_judged(here: Standpoint, ordinal: int) -> None:
    sentence = _("Only a phase that has a result can be undone. Choose one from the list.")
    unless(ordinal in here.judged, WrongMoment(sentence))


def may_correct_orders(here: Standpoint, ordinal: int) -> None:
    """Allow adjudicating this phase again, also after the end of a game that was played here."""
    if here.game.status in OVER:
        only_gm(here, Right.RESULTS)
        only_outside_practice(here)
        unless(here.game.elsewhere is None, WrongMoment(_("This game was played elsewhere, so it has no orders here.")))
    else:
        _may_repair(here)
    _only_judged(here, ordinal)
    try:
        codec.variant_to_judge(here.game)
    except codec.VariantChanged:
        changed = _("This variant’s rules have changed since the game began, so its phases can’t be adjudicated again.")
        raise WrongMoment(changed) from None


def may_correct_bids(here: Standpoint, ordinal: int) -> None:
    """Allow correcting the bids of this phase together with its orders."""
    may_correct_orders(here, ordinal)
    may_look_at_bids(here, ordinal)
    not_here = _("In this game bids can’t be corrected, only orders.")
    unless(here.options[BidCorrections].allowed, NotAllowed(not_here))


# Handing over a game.


def may_hand_over(here: Standpoint) -> None:
    only_gm_while(here, NOT_OVER)
    unless(not asked_successor(here), WrongMoment(_("You’ve already asked a player. Withdraw that request first.")))


def may_withdraw_handover(here: Standpoint) -> None:
    only_gm_while(here, NOT_OVER)
    unless(asked_successor(here), WrongMoment(_("There is no open request.")))


@answered_once
def asked_successor(here: Standpoint) -> str:
    """The name of the player asked to take over the game; "" if no one is."""
    row = here.game.handovers.filter(accepted__isnull=True).select_related("taker").first()
    return row.taker.get_username() if row else ""


@answered_once
def may_answer_handover(here: Standpoint) -> Handover:
    """Allow an answer to the open request to take over the game."""
    only_while(here, NOT_OVER)
    rows = here.game.handovers.filter(taker_id=here.user_id, accepted__isnull=True)
    handover = rows.select_related("taker").first() if here.user_id is not None else None
    if handover is None:
        raise WrongMoment(_("The request to take over this game is no longer open."))
    return handover


def may_take_over(here: Standpoint) -> Handover:
    """Allow accepting the request to take over the game."""
    handover = may_answer_handover(here)
    sentence = ""
    if handover.taker.pk == here.game.gm_id:
        sentence = _("{user} is already the game master of this game.")
    elif not here.game.options[Master].gm_plays and is_member(here.game, handover.taker.pk):
        sentence = PLAYS_HERE
    elif not here.game.options[Master].gm_plays and _is_sitter(here.game, handover.taker.pk, here.now):
        sentence = SITS_HERE
    why = sentence.format(user=handover.taker.get_username())
    unless(not why, NotAllowed(_("You can’t take over this game: {why}").format(why=why)))
    is_back = handover.by_moderators and here.game.gm.is_active
    unless(not is_back, WrongMoment(_("This game’s game master is back, so it doesn’t need another.")))
    return handover


PLAYS_HERE = later("{user} plays in this game, and its game master may not play.")
SITS_HERE = later("{user} is sitting for a player in this game.")


def _is_sitter(game: Game, user_id: int, now: datetime) -> bool:
    rows = Sitting.objects.filter(occupancy__game=game, occupancy__until__isnull=True, sitter_id=user_id, accepted=True)
    return rows.filter(ended__isnull=True, ends__gt=now).exists()


# Assistants.

MOST_ASSISTANTS = 5


def may_name_assistant(here: Standpoint) -> None:
    """Allow asking a user to be an assistant."""
    only_gm_while(here, NOT_OVER)
    message = _("A game can have at most {most} assistants, counting those who haven’t answered yet.").format(
        most=MOST_ASSISTANTS
    )
    unless(len(assistants_of(here)) < MOST_ASSISTANTS, NotAllowed(message))


@answered_once
def assistants_of(here: Standpoint) -> tuple[Assistant, ...]:
    """The assistants, including those who have been asked and have not answered."""
    rows = Assistant.objects.filter(game=here.game, ended__isnull=True).exclude(accepted=False)
    return tuple(rows.select_related("user").order_by("pk"))


def may_dismiss_assistant(here: Standpoint) -> None:
    """Allow removing an assistant, or withdrawing the request."""
    only_gm_while(here, NOT_OVER)
    unless(assistants_of(here), WrongMoment(_("This game has no assistants.")))


def may_stop_assisting(here: Standpoint) -> None:
    """Allow assistants to stop."""
    only_while(here, NOT_OVER)
    helps = here.user_id is not None and is_assistant(here.game, here.user_id)
    unless(helps, WrongMoment(_("You’re not an assistant in this game.")))


@answered_once
def may_decline_to_assist(here: Standpoint) -> Assistant:
    only_while(here, NOT_OVER)
    assistant = next((row for row in assistants_of(here) if row.user_id == here.user_id and not row.accepted), None)
    if assistant is None:
        raise WrongMoment(_("The request to help with this game is no longer open."))
    return assistant


def may_assist(here: Standpoint) -> Assistant:
    """Allow accepting the request to be an assistant."""
    assistant = may_decline_to_assist(here)
    why = why_not_assistant(here.game, assistant.user, here.now)
    unless(not why, NotAllowed(_("You can’t help with this game: {why}").format(why=why)))
    return assistant


def why_not_assistant(game: Game, user: Any, now: datetime) -> str:
    """Why this user cannot be an assistant; "" if they can."""
    sentence = ""
    if user.pk == game.gm_id:
        sentence = _("{user} is the game master of this game.")
    elif is_member(game, user.pk):
        sentence = _("{user} plays in this game, and assistants may not play.")
    elif _is_sitter(game, user.pk, now):
        sentence = SITS_HERE
    return sentence.format(user=user.get_username())
