"""Seats of games under way: who may give one up, take a vacant one, come back or be asked into one."""

from datetime import datetime

from django.db.models import QuerySet

from games.kernel.members import was_master
from games.kernel.models import NOT_OVER, UNDER_WAY, Departure, Game, Occupancy, Phase, Seat, Sitting
from games.kernel.options import Master, Names
from games.kernel.queries import NOBODY
from games.kernel.refusals import NotAllowed, SeatTaken, WrongMoment
from games.kernel.rules import (
    allowed,
    only_gm,
    only_gm_while,
    only_in_play,
    only_in_time,
    only_seated,
    only_while,
    unless,
)
from games.kernel.standpoint import Standpoint, once
from games.seating.models import Approach
from games.seating.rules.joining import must_ask, only_invited, only_welcome

NOT_UNDER_WAY = "The game has not started. Before the start, players take and leave their seats in the lobby."


def began(game: Game) -> datetime | None:
    """The moment the first phase opened."""
    return Phase.objects.filter(game=game).order_by("ordinal").values_list("opened", flat=True).first()


@once
def way_back(here: Standpoint) -> Occupancy | None:
    """The seat that this person has lost by silence and may come back to: in the phase after, once, if nobody else has
    sat there since, whose messages he would find.

    Where later phases were undone it is the open one again that comes after the silence.
    """
    if here.user_id is None or here.game.status not in UNDER_WAY:
        return None
    rows = lost_of_late(here.game).filter(user_id=here.user_id)
    occupancy = rows.select_related("seat").order_by("until").last()
    if occupancy is None or occupancy.seat.disordered:
        return None
    others = Occupancy.objects.filter(seat=occupancy.seat, since__gte=occupancy.until)
    return None if others.exclude(pk=occupancy.pk).exists() else occupancy


def lost_of_late(game: Game) -> QuerySet[Occupancy]:
    """Who has lost a seat by silence since the last phase that counts was closed, or later."""
    lost = Occupancy.objects.filter(game=game, departure=Departure.LAPSED, returned=False)
    before = game.phases.filter(closed__isnull=False).order_by("ordinal").last()
    return lost.filter(until__gte=before.closed) if before else lost


@once
def approach_of(here: Standpoint) -> Approach | None:
    """The open one between this person and the game master: one asks the other for a seat, or into it."""
    rows = Approach.objects.filter(game=here.game, user_id=here.user_id or NOBODY, accepted__isnull=True)
    return rows.select_related("seat", "user").first()


def invitation_of(here: Standpoint) -> Approach | None:
    """By which the game master asks this person into a seat."""
    approach = approach_of(here)
    return approach if approach is not None and approach.invited else None


def asks_for(here: Standpoint, power: str) -> bool:
    approach = approach_of(here)
    return approach is not None and not approach.invited and approach.seat.power == power


def _only_under_way(here: Standpoint) -> None:
    only_while(here, UNDER_WAY, NOT_UNDER_WAY)
    only_in_time(here)


def may_resign(here: Standpoint) -> None:
    _only_under_way(here)
    only_seated(here)


def may_take_over(here: Standpoint, power: str) -> None:
    _only_a_newcomer(here, power)
    unless(not must_ask(here), NotAllowed("Ask the game master first: in this game he says who may play."))


def may_ask_for_seat(here: Standpoint, power: str) -> None:
    _only_a_newcomer(here, power)
    unless(must_ask(here), WrongMoment("You need not ask: you may take the seat."))
    invited = "The game master has asked you into a seat of this game. Answer that first."
    unless(invitation_of(here) is None, WrongMoment(invited))
    asked = "You have asked for this seat. The game master's answer comes by letter."
    unless(not asks_for(here, power), WrongMoment(asked))


def _only_a_newcomer(here: Standpoint, power: str) -> None:
    _only_under_way(here)
    only_vacant(here, power)
    only_invited(here)
    only_without_a_past(here)


def only_vacant(here: Standpoint, power: str) -> None:
    only_in_play(here, power)
    unless(here.holder(power) is None, SeatTaken("Somebody else has just taken this seat."))


@once
def only_without_a_past(here: Standpoint) -> None:
    """Why somebody who is invited may not take a vacant seat of this game, whoever asks."""
    mine = Occupancy.objects.filter(game=here.game, user_id=here.user_id or NOBODY)
    if mine.filter(until__isnull=True).exists():
        raise NotAllowed("You already have a seat in this game.")
    start = began(here.game)
    if start is None:
        raise NotAllowed("The game has not started. Join it instead.")
    if mine.filter(until__gte=start).exclude(departure="").exists():
        raise NotAllowed("You have abandoned a seat in this game, so you cannot take another one.")
    if mine.filter(until__gt=start).exists():
        raise NotAllowed("You have played in this game already, so you cannot take another seat.")
    if Sitting.objects.filter(occupancy__game=here.game, sitter=here.user_id, accepted=True).exists():
        sentence = "You have sat for a player of this game and know what was planned, so you cannot take a seat."
        raise NotAllowed(sentence)
    only_welcome(here)


def may_come_back(here: Standpoint) -> Occupancy:
    """To the seat that one has lost by silence."""
    _only_under_way(here)
    lost = way_back(here)
    if lost is None:
        raise WrongMoment("You cannot come back: the phase has ended, or somebody else has taken the seat.")
    return lost


def may_answer_invitation(here: Standpoint) -> Approach:
    _only_under_way(here)
    approach = invitation_of(here)
    if approach is None:
        raise WrongMoment("Nobody asks you into a seat of this game any more.")
    return approach


def may_accept_invitation(here: Standpoint) -> Approach:
    approach = may_answer_invitation(here)
    only_in_play(here, approach.seat.power)
    sentence = why_not_invited(here.game, approach.user_id, approach.seat)
    unless(not sentence, NotAllowed(f"You cannot take this seat: {approach.user.get_username()} {sentence}"))
    return approach


def why_not_invited(game: Game, user_id: int, seat: Seat) -> str:
    """Why the game master may not put this user into this seat, after his name; "" if he may.

    He may let somebody back who has left it, but nobody who knows what another power had planned.
    """
    seats = Occupancy.objects.filter(game=game, user_id=user_id)
    if seats.filter(until__isnull=True).exists():
        return "already has a seat in this game."
    if user_id == game.gm_id and not game.options[Master].gm_plays:
        return "is the game master, who does not play in this game."
    if was_master(game, user_id):
        return "was the game master of this game, and may have seen what players may not."
    start = began(game)
    if seats.filter(until__gte=start).exclude(seat=seat).exists():
        return "has played another power of this game."
    sat = Sitting.objects.filter(occupancy__game=game, sitter=user_id, accepted=True)
    return "has sat for another power of this game." if sat.exclude(occupancy__seat=seat).exists() else ""


# The game master looks for people.


def only_with_known_names(here: Standpoint) -> None:
    """Where the game master may not know who plays what, he gives out no seats."""
    sentence = "Names are hidden in this game, so a game master who plays may not give out its seats."
    unless(here.options[Names].seen_by_gm, NotAllowed(sentence))


def may_invite(here: Standpoint, power: str) -> None:
    only_gm(here)
    _only_under_way(here)
    only_with_known_names(here)
    only_in_play(here, power)


def may_withdraw_invitation(here: Standpoint) -> None:
    only_gm_while(here, NOT_OVER, "The game is over.")


def may_answer_asking(here: Standpoint) -> None:
    only_gm(here)
    _only_under_way(here)


def may_give(here: Standpoint, approach: Approach) -> None:
    """Say yes to this one."""
    may_answer_asking(here)
    only_vacant(here, approach.seat.power)
    asker = Standpoint(here.game, approach.user_id)
    unless(allowed(only_without_a_past, asker), NotAllowed("Whoever asked may not take this seat any more."))
