"""Before the start: who is in a game, who may join it, and what stands in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.kernel.members import members_of, was_master
from games.kernel.models import Block, Joiner
from games.kernel.options import Master
from games.seating.models import Confirmation, JoinRequest, Muster
from games.seating.options import Entrance, Reliable
from games.seating.parts import JoiningView, MusterView, RequestView
from games.seating.reliability import reliability_of

if TYPE_CHECKING:
    from games.kernel.models import Game


def is_mustering(game: Game) -> bool:
    return Muster.objects.filter(game=game).exists()


def obstacle(game: Game, user_id: int) -> str:
    """Why this user, who is invited where that is needed, may never join the game as things are; "" if he may."""
    if game.gm_id == user_id:
        return (
            ""
            if game.options[Master].gm_plays
            else "You are its game master, and in this game the game master does not play."
        )
    if was_master(game, user_id):
        return "You were its game master, and may have seen what players may not, so you cannot join."
    reliability, wanted = reliability_of(user_id), game.options[Reliable]
    if not reliability.reaches(wanted.least_reliability, newcomers_welcome=wanted.newcomers_welcome):
        return _not_reliable_enough(wanted.least_reliability, reliability.percent, is_new=reliability.is_new)
    request = JoinRequest.objects.filter(game=game, user_id=user_id).first()
    if game.options[Entrance].approval and request is not None and request.accepted is False:
        return "The game master has declined your request to join."
    return ""


def _not_reliable_enough(least: int, percent: int, *, is_new: bool) -> str:
    wanted = f"This game wants players who have met at least {least} % of their phases"
    if is_new:
        return f"{wanted}, and you are new here. Play elsewhere first, and come back."
    return f"{wanted}; you have met {percent} %."


def needs_leave(game: Game, user_id: int) -> bool:
    """Must the game master say yes before this user joins, and has not done so?"""
    if not game.options[Entrance].approval or game.gm_id == user_id:
        return False
    return not JoinRequest.objects.filter(game=game, user_id=user_id, accepted=True).exists()


def requests_of(game: Game) -> tuple[RequestView, ...]:
    """Who waits for the game master's answer, the longest first."""
    unheard = Block.objects.filter(by=game.gm_id).values("whom")
    rows = JoinRequest.objects.filter(game=game, accepted__isnull=True).exclude(user__in=unheard)
    rows = rows.select_related("user")
    return tuple(
        RequestView(row.user.get_username(), reliability_of(row.user_id).words, row.asked)
        for row in rows.order_by("asked", "pk")
    )


def joining_view(game: Game, user_id: int | None, *, seated: bool, hidden: bool) -> JoiningView:
    """A game that has not started, before this user. `seated`: he has a power; `hidden`: names are, from him."""
    members = members_of(game)
    waiting = list(Joiner.objects.filter(game=game).select_related("user").order_by("pk"))
    mine = next((row for row in waiting if row.user_id == user_id), None)
    why_not, must_ask, asked = "", False, False
    outside = user_id is not None and not seated and mine is None
    if outside and user_id is not None:
        full = len(members) == game.seats.count()
        why_not = obstacle(game, user_id) or ("All seats are taken." if full else "")
        must_ask = not why_not and needs_leave(game, user_id)
        asked = must_ask and JoinRequest.objects.filter(game=game, user_id=user_id).exists()
    return JoiningView(
        may_join=outside and not why_not and not must_ask,
        why_not=why_not,
        may_ask=must_ask and not asked,
        asked=asked,
        joined=mine is not None,
        wishes=tuple(mine.wishes) if mine else (),
        others=() if hidden else tuple(row.user.get_username() for row in waiting if row is not mine),
        muster=_muster(game, members, user_id),
    )


def _muster(game: Game, members: list[int], user_id: int | None) -> MusterView | None:
    muster = Muster.objects.filter(game=game).first()
    if muster is None:
        return None
    confirmed = set(Confirmation.objects.filter(muster=muster).values_list("user_id", flat=True))
    return MusterView(
        deadline=muster.deadline,
        confirmed=len(confirmed.intersection(members)),
        wanted=len(members),
        must_confirm=user_id in members and user_id not in confirmed,
    )
