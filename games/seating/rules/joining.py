"""Rules before a game starts: joining it, taking a seat, confirming and leaving."""

from django.utils.translation import gettext as _

from games.kernel.languages import later
from games.kernel.members import is_assistant, may_know_secrets
from games.kernel.models import NOT_OVER, OVER, Joiner, Right, Status
from games.kernel.options import Bots, Master
from games.kernel.queries import NOBODY
from games.kernel.refusals import NotAllowed, SeatTaken, WrongMoment
from games.kernel.rules import only_gm_while, only_in_play, only_outside_practice, only_while, only_with_seat, unless
from games.kernel.standpoint import Standpoint, answered_once
from games.seating.models import Confirmation, JoinRequest, MailedInvitation, RollCall
from games.seating.options import Dealing, Entrance, RequiredReliability, SeatAssignment
from games.seating.reliability import reliability_of

GAME_HAS_STARTED = later("The game has already started. You can still take over a vacant seat if there is one.")
SEAT_IS_KEPT = later("This seat is kept for a guest of the game master.")
ALL_SEATS_TAKEN = later("All seats are taken.")
JOIN_REQUEST_SENT = later("You’ve asked to join. We’ll let you know the game master’s answer.")
APPROVAL_NEEDED = later("You need the game master’s approval first. Ask to join.")


@answered_once
def join_request_of(here: Standpoint) -> JoinRequest | None:
    return JoinRequest.objects.filter(game=here.game, user_id=here.user_id or NOBODY).first()


def has_room(here: Standpoint) -> bool:
    """Is there a seat that no person has, that isn't kept for anyone, and that no bot will take?"""
    places_kept = sum(is_kept_for_guest(here, power) for power in here.seats) + count_guests_without_power(here)
    return len(here.members) + places_kept < places_for_people(here)


@answered_once
def count_guests_without_power(here: Standpoint) -> int:
    """How many people are invited by email to a game that has not assigned its powers yet."""
    if here.game.status != Status.OPEN or here.options[Dealing].seats == SeatAssignment.CHOICE:
        return 0
    return MailedInvitation.objects.filter(game=here.game, seat=None).count()


def places_for_people(here: Standpoint) -> int:
    """The number of seats for people."""
    playable = [seat for seat in here.seats.values() if not seat.disordered]
    return here.options[Bots].places(len(playable))


def is_kept_for_guest(here: Standpoint, power: str) -> bool:
    """Is this seat kept for a guest who is invited by email? A bot that gives way may play it until then."""
    held = here.holder(power)
    return here.seats[power].held and (held is None or held.gives_way)


def joiner_of(here: Standpoint) -> Joiner | None:
    """This person's own place in a game that has not assigned powers."""
    return next((row for row in here.joiners if row.user_id == here.user_id), None)


@answered_once
def roll_call_of(here: Standpoint) -> RollCall | None:
    """The roll call under way."""
    return RollCall.objects.filter(game=here.game).first()


@answered_once
def users_who_confirmed(here: Standpoint) -> frozenset[int]:
    """The people who have confirmed in the roll call."""
    rows = Confirmation.objects.filter(roll_call=roll_call_of(here))
    return frozenset(rows.values_list("user_id", flat=True))


def may_take_seat(here: Standpoint, power: str | None = None) -> None:
    """Allow taking the seat of this power or, without one, of any free one, where seats are chosen."""
    only_while(here, (Status.OPEN,), GAME_HAS_STARTED)
    message = _("You can’t choose a power in this game. Join it, and powers are assigned before the start.")
    unless(here.options[Dealing].seats == SeatAssignment.CHOICE, WrongMoment(message))
    _only_admitted(here)
    unless(here.held is None, SeatTaken(_("You already have a seat in this game.")))
    unless(has_room(here), SeatTaken(_("Another player has just taken the last seat.")))
    if power is not None:
        only_in_play(here, power)
        unless(not here.holder(power), SeatTaken(_("Another player has just taken this seat. Choose another one.")))
        unless(not is_kept_for_guest(here, power), SeatTaken(_("{kept} Choose another one.").format(kept=SEAT_IS_KEPT)))


def may_join(here: Standpoint) -> None:
    only_while(here, (Status.OPEN,), GAME_HAS_STARTED)
    message = _("In this game players choose their powers. Choose one that is free.")
    unless(here.options[Dealing].seats != SeatAssignment.CHOICE, WrongMoment(message))
    _only_admitted(here)
    unless(here.user_id not in here.members, SeatTaken(_("You have already joined this game.")))
    unless(has_room(here), SeatTaken(_("Another player has just taken the last place.")))


def _only_admitted(here: Standpoint) -> None:
    only_invited(here)
    only_eligible(here)
    unless(not needs_approval(here), NotAllowed(APPROVAL_NEEDED))


def only_invited(here: Standpoint) -> None:
    """In a game by invitation, allow only people with its link, and the game master."""
    has_link = not here.game.by_invitation or here.is_master or here.game.invites(here.token)
    unless(has_link, NotAllowed(_("This game is by invitation only. Ask its game master for the link.")))


@answered_once
def only_eligible(here: Standpoint) -> None:
    """Raises NotAllowed for people who can't play in the game at present, even with an invitation."""
    option, user_id = here.options[RequiredReliability], here.user_id or NOBODY
    sentence = _("You are the game master, who doesn’t play in this game.")
    unless(here.options[Master].gm_plays or not here.is_master, NotAllowed(sentence))
    helps = _("You’re an assistant of this game’s game master, so you can’t play in it.")
    unless(not is_assistant(here.game, user_id), NotAllowed(helps))
    seen = _("You have run this game, or helped to, or looked at the plans of its tournament, so you can’t join.")
    unless(not may_know_secrets(here.game, user_id), NotAllowed(seen))
    if here.is_master:
        return
    reliability, least = reliability_of(user_id), option.least_reliability
    if not reliability.reaches(least, newcomers_welcome=option.newcomers_welcome):
        message = (
            _(
                "To join this game, you need to have saved orders in at least {least}% of your phases. You are still "
                "new here: play some other games first."
            )
            if reliability.is_new
            else _(
                "To join this game, you need to have saved orders in at least {least}% of your phases. Your figure is "
                "{percent}%."
            )
        )
        raise NotAllowed(message.format(least=least, percent=reliability.percent))
    request = join_request_of(here) if here.options[Entrance].approval else None
    is_declined = request is not None and request.accepted is False
    unless(not is_declined, NotAllowed(_("The game master has declined your request to join.")))


def needs_approval(here: Standpoint) -> bool:
    """Does this person still need the game master's approval to play?"""
    if not here.options[Entrance].approval or here.is_master:
        return False
    request = join_request_of(here)
    return request is None or request.accepted is not True


def may_ask_to_join(here: Standpoint) -> None:
    only_while(here, (Status.OPEN,), GAME_HAS_STARTED)
    only_invited(here)
    only_eligible(here)
    unless(needs_approval(here), WrongMoment(_("You don’t need to ask: you can join.")))
    unless(has_room(here), SeatTaken(ALL_SEATS_TAKEN))
    unless(not has_open_join_request(here), WrongMoment(JOIN_REQUEST_SENT))


def has_open_join_request(here: Standpoint) -> bool:
    request = join_request_of(here)
    return request is not None and request.accepted is None


def may_withdraw_join_request(here: Standpoint) -> None:
    only_while(here, (Status.OPEN,), GAME_HAS_STARTED)
    unless(has_open_join_request(here), WrongMoment(_("You have no open request to withdraw.")))


def may_answer_join_requests(here: Standpoint) -> None:
    started = _("The game has started, so requests to join can’t be answered any more.")
    only_gm_while(here, (Status.OPEN,), started, Right.SEATS)


def may_change_wishes(here: Standpoint) -> None:
    is_wanted = here.game.status == Status.OPEN and here.options[Dealing].seats == SeatAssignment.PREFERENCES
    sentence = _("You can’t change your preferences: powers have been assigned, or you haven’t joined this game.")
    unless(is_wanted and joiner_of(here), WrongMoment(sentence))


def may_confirm(here: Standpoint) -> None:
    only_while(here, (Status.OPEN,), _("The game has already started."))
    roll_call = roll_call_of(here)
    if roll_call is None:
        raise WrongMoment(_("There is nothing to confirm: there is no roll call at the moment."))
    unless(here.user_id in here.members, NotAllowed(_("You have no place in this game.")))
    unless(roll_call.deadline > here.now, WrongMoment(_("It’s too late: the time to confirm is over.")))
    unless(here.user_id not in users_who_confirmed(here), WrongMoment(_("You have already confirmed.")))


def may_leave(here: Standpoint) -> None:
    only_while(here, (Status.OPEN,), _("The game has started. To leave it, give up your seat."))
    if not joiner_of(here):
        only_with_seat(here)


def may_rematch(here: Standpoint) -> None:
    """Allow calling a new game with the same people."""
    unless(here.game.status in OVER and here.has_begun, WrongMoment(_("A rematch needs a game that is over.")))
    only_outside_practice(here)
    unless(here.game.elsewhere is None, NotAllowed(_("This game was played elsewhere, so it has no rematch here.")))
    unless(here.held or here.is_master, NotAllowed(_("Only those who played to the end can call for a rematch.")))
    unless(here.game.gm.is_active, NotAllowed(_("The game master has left the site. Create a new game like this one.")))


def may_take_over_from_bot(here: Standpoint) -> None:
    """Allow taking the seat back from the bot that plays for this player."""
    held = only_with_seat(here)
    only_while(here, NOT_OVER)
    unless(held.bot, WrongMoment(_("No bot is playing for you.")))
