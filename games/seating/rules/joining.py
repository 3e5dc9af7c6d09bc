"""Before a game starts: who may join it, take a seat, confirm and leave."""

from games.kernel.members import was_master
from games.kernel.models import NOT_OVER, Joiner, Status
from games.kernel.options import Master
from games.kernel.queries import NOBODY
from games.kernel.refusals import NotAllowed, SeatTaken, WrongMoment
from games.kernel.rules import only_gm_while, only_in_play, only_seated, only_while, unless
from games.kernel.standpoint import Standpoint, once
from games.seating.models import Confirmation, JoinRequest, RollCall
from games.seating.options import Dealing, Entrance, Reliable, Seats
from games.seating.reliability import reliability_of

STARTED = "The game has already started. Only its game master can give out seats now."
ALL_TAKEN = "All seats are taken."


@once
def request_of(here: Standpoint) -> JoinRequest | None:
    """By which this person has asked to be let in."""
    return JoinRequest.objects.filter(game=here.game, user_id=here.user_id or NOBODY).first()


@once
def joiners_in(here: Standpoint) -> tuple[Joiner, ...]:
    """Who waits for a seat, the first first."""
    return tuple(Joiner.objects.filter(game=here.game).select_related("user").order_by("pk"))


def joiner_of(here: Standpoint) -> Joiner | None:
    """As which this person waits for one."""
    return next((row for row in joiners_in(here) if row.user_id == here.user_id), None)


@once
def roll_call_of(here: Standpoint) -> RollCall | None:
    """The roll call that goes on."""
    return RollCall.objects.filter(game=here.game).first()


@once
def confirmed_in(here: Standpoint) -> frozenset[int]:
    """Who has confirmed in it."""
    rows = Confirmation.objects.filter(roll_call=roll_call_of(here))
    return frozenset(rows.values_list("user_id", flat=True))


def may_take_seat(here: Standpoint, power: str | None = None) -> None:
    """Sit down as this power, or by lot as any that is free, where seats are chosen."""
    only_while(here, (Status.OPEN,), STARTED)
    dealt = "In this game nobody chooses a seat: join it, and the seats are dealt before the start."
    unless(here.options[Dealing].seats == Seats.CHOICE, WrongMoment(dealt))
    _only_let_in(here)
    unless(here.held is None, SeatTaken("You already have a seat in this game."))
    if power is None:
        unless(len(here.seated) < len(here.seats), SeatTaken("Somebody else has just taken the last seat."))
    else:
        only_in_play(here, power)
        unless(not here.holder(power), SeatTaken("Somebody else has just taken this seat. Choose another one."))


def may_join(here: Standpoint) -> None:
    only_while(here, (Status.OPEN,), STARTED)
    chosen = "In this game everybody chooses a power. Choose one that is free."
    unless(here.options[Dealing].seats != Seats.CHOICE, WrongMoment(chosen))
    _only_let_in(here)
    unless(here.user_id not in here.members, SeatTaken("You are in this game already."))
    unless(len(here.members) < len(here.seats), SeatTaken("Somebody else has just taken the last place."))


def _only_let_in(here: Standpoint) -> None:
    only_invited(here)
    only_welcome(here)
    unless(not must_ask(here), NotAllowed("Ask the game master first: in this game he says who may join."))


def only_invited(here: Standpoint) -> None:
    """The game master needs no link."""
    has_link = not here.game.by_invitation or here.is_gm or here.game.invites(here.token)
    unless(has_link, NotAllowed("This game is by invitation. Ask its game master for the link."))


@once
def only_welcome(here: Standpoint) -> None:
    """Why somebody who is invited may never join the game as things are."""
    wanted, user_id = here.options[Reliable], here.user_id or NOBODY
    if here.is_gm:
        sentence = "You are its game master, and in this game the game master does not play."
        return unless(here.options[Master].gm_plays, NotAllowed(sentence))
    mastered = "You were its game master, and may have seen what players may not, so you cannot join."
    unless(not was_master(here.game, user_id), NotAllowed(mastered))
    reliability, least = reliability_of(user_id), wanted.least_reliability
    if not reliability.reaches(least, newcomers_welcome=wanted.newcomers_welcome):
        raise NotAllowed(_not_reliable_enough(least, reliability.percent, is_new=reliability.is_new))
    request = request_of(here) if here.options[Entrance].approval else None
    is_declined = request is not None and request.accepted is False
    return unless(not is_declined, NotAllowed("The game master has declined your request to join."))


def _not_reliable_enough(least: int, percent: int, *, is_new: bool) -> str:
    wanted = f"This game wants players who have met at least {least} % of their phases"
    if is_new:
        return f"{wanted}, and you are new here. Play elsewhere first, and come back."
    return f"{wanted}; you have met {percent} %."


def must_ask(here: Standpoint) -> bool:
    """Must the game master say yes before this person plays, and has not done so?"""
    if not here.options[Entrance].approval or here.is_gm:
        return False
    request = request_of(here)
    return request is None or request.accepted is not True


def may_ask_to_join(here: Standpoint) -> None:
    only_while(here, (Status.OPEN,), STARTED)
    only_invited(here)
    only_welcome(here)
    unless(must_ask(here), WrongMoment("You need not ask: you may join."))
    unless(len(here.members) < len(here.seats), SeatTaken(ALL_TAKEN))
    unless(not is_waiting(here), WrongMoment("You have asked. The answer comes by letter."))


def is_waiting(here: Standpoint) -> bool:
    request = request_of(here)
    return request is not None and request.accepted is None


def may_take_request_back(here: Standpoint) -> None:
    only_while(here, (Status.OPEN,), STARTED)
    unless(is_waiting(here), WrongMoment("There is no request of yours that waits for an answer."))


def may_answer_requests(here: Standpoint) -> None:
    only_gm_while(here, (Status.OPEN,), "The game has started, so nobody can be let in this way any more.")


def may_change_wishes(here: Standpoint) -> None:
    is_wanted = here.game.status == Status.OPEN and here.options[Dealing].seats == Seats.PREFERENCES
    sentence = "The seats have been dealt, or you have not joined this game: no list is wanted now."
    unless(is_wanted and joiner_of(here), WrongMoment(sentence))


def may_confirm(here: Standpoint) -> None:
    only_while(here, (Status.OPEN,), "The game has already started.")
    roll_call = roll_call_of(here)
    if roll_call is None:
        raise WrongMoment("There is nothing to confirm: the roll is not being called.")
    unless(here.user_id in here.members, NotAllowed("You have no place in this game."))
    unless(roll_call.deadline > here.now, WrongMoment("Too late: the time to confirm is over."))
    unless(here.user_id not in confirmed_in(here), WrongMoment("You have confirmed already."))


def may_leave(here: Standpoint) -> None:
    only_while(here, (Status.OPEN,), "The game has started. Ask the game master to find somebody for your seat.")
    if not joiner_of(here):
        only_seated(here)


def may_take_over_from_bot(here: Standpoint) -> None:
    """Play oneself again."""
    held = only_seated(here)
    only_while(here, NOT_OVER, "The game is over.")
    unless(held.bot, WrongMoment("No bot plays for you."))
