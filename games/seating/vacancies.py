"""Vacant seats of games under way: who may take one, who waits for one, and what everybody may know of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth import get_user_model
from django.http import Http404

from games.deadlines.options import Rhythm
from games.kernel import codec
from games.kernel.cards import MOST_CARDS, cards, narrowed
from games.kernel.members import was_master
from games.kernel.models import UNDER_WAY, Block, Departure, Game, Occupancy, Phase, Seat, Sitting
from games.kernel.options import Master, Names
from games.kernel.queries import LIVE_SECONDS, card_of_power
from games.press.models import Message
from games.seating.entry import needs_leave, obstacle
from games.seating.models import Approach, Standby
from games.seating.parts import Asking, GmMarket, StandbyView, VacantSeat, Waiting
from games.seating.reliability import reliability_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.db.models import QuerySet

    from adjudication.position import Position
    from games.kernel.access import GameAccess, Viewer
    from games.kernel.models import Game
    from games.kernel.parts import GameCard
    from games.seating.parts import StandbyView


MOST_TOLD = 200
"""So many people at most are told of one vacant seat, those first who have waited longest."""


def began(game: Game) -> datetime | None:
    """The moment the first phase opened."""
    return Phase.objects.filter(game=game).order_by("ordinal").values_list("opened", flat=True).first()


def why_not_here(game: Game, user_id: int) -> str:
    """Why this user may not take a vacant seat of this game, whoever asks; "" if he may or may ask for it."""
    seats = Occupancy.objects.filter(game=game, user_id=user_id)
    if seats.filter(until__isnull=True).exists():
        return "You already have a seat in this game."
    start = began(game)
    if start is None:
        return "The game has not started. Join it instead."
    if seats.filter(until__gte=start).exclude(departure="").exists():
        return "You have abandoned a seat in this game, so you cannot take another one."
    if seats.filter(until__gt=start).exists():
        return "You have played in this game already, so you cannot take another seat."
    if Sitting.objects.filter(occupancy__game=game, sitter=user_id, accepted=True).exists():
        return "You have sat for a player of this game and know what was planned, so you cannot take a seat."
    return obstacle(game, user_id)


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


def must_ask(game: Game, user_id: int) -> bool:
    """Does the game master say who may take a vacant seat, and has not let this user in?"""
    return needs_leave(game, user_id)


def those_waiting(game: Game) -> list[int]:
    """The people on the standby list who want a seat like those of this game and may take one."""
    if game.by_invitation:
        return []
    pace = "live" if game.options[Rhythm].movement_seconds < LIVE_SECONDS else "slow"
    rows = Standby.objects.filter(pace__in=("", pace)).order_by("since", "pk")
    wanting = [row.user_id for row in rows if not row.variants or game.variant_slug in row.variants]
    return [user_id for user_id in wanting[:MOST_TOLD] if not why_not_here(game, user_id)]


def way_back(game: Game, user_id: int | None) -> Occupancy | None:
    """The seat that this user has lost by silence and may come back to: in the phase after, once, if nobody else has
    sat there since, whose messages he would find.

    Where later phases were undone it is the open one again that comes after the silence.
    """
    if user_id is None or game.status not in UNDER_WAY:
        return None
    occupancy = _lost_of_late(game).filter(user_id=user_id).select_related("seat").order_by("until").last()
    if occupancy is None or occupancy.seat.disordered:
        return None
    others = Occupancy.objects.filter(seat=occupancy.seat, since__gte=occupancy.until).exclude(
        pk=occupancy.pk
    )
    return None if others.exists() else occupancy


def those_with_a_way_back(game: Game) -> list[int]:
    """The people who may come back to the seats that they have lost by silence."""
    return [
        user_id
        for user_id in _lost_of_late(game).values_list("user_id", flat=True)
        if way_back(game, user_id)
    ]


def _lost_of_late(game: Game) -> QuerySet[Occupancy]:
    """Who has lost a seat by silence since the last phase that counts was closed, or later."""
    lost = Occupancy.objects.filter(game=game, departure=Departure.LAPSED, returned=False)
    before = game.phases.filter(closed__isnull=False).order_by("ordinal").last()
    return lost.filter(until__gte=before.closed) if before else lost


def invitation_of(game: Game, user_id: int | None) -> Approach | None:
    """The game master's open invitation of this user into a seat of the game."""
    open_ones = Approach.objects.filter(game=game, user_id=user_id or 0, invited=True, accepted__isnull=True)
    return open_ones.select_related("seat").first()


def seats_of(games: QuerySet[Game], user_id: int | None) -> tuple[VacantSeat, ...]:
    """The vacant seats of these games, at most fifty games, as this user sees them; the nearest deadline first."""
    held = Occupancy.objects.filter(until__isnull=True).values("seat_id")
    free = Seat.objects.filter(disordered=False).exclude(pk__in=held)
    some = games.filter(pk__in=free.values("game_id"))
    found = [
        seat
        for card, game in zip(cards(some, user_id=user_id), some[:MOST_CARDS], strict=True)
        for seat in _seats(game, card, user_id)
    ]
    return tuple(sorted(found, key=_by_deadline))


def _by_deadline(seat: VacantSeat) -> tuple[bool, float]:
    deadline = seat.game.deadline
    return deadline is None, deadline.timestamp() if deadline else 0.0


def _seats(game: Game, card: GameCard, user_id: int | None) -> Iterator[VacantSeat]:
    phase = game.phases.filter(closed__isnull=True).first()
    if phase is None:
        return
    position, variant = codec.position_of(phase), codec.variant_of(game)
    ranks = _ranks(position, [power.id for power in variant.powers])
    messages = Message.objects.filter(thread__game=game, thread__powers=[]).count()
    why_not = why_not_here(game, user_id) if user_id else ""
    asks = user_id is not None and not why_not and must_ask(game, user_id)
    for seat in _free_seats(game):
        asked = Approach.objects.filter(seat=seat, user_id=user_id or 0, invited=False, accepted__isnull=True)
        yield VacantSeat(
            game=card,
            power=card_of_power(variant.power(seat.power)),
            centres=len(position.centres_of(seat.power)),
            units=len(position.units_of(seat.power)),
            rank=ranks[seat.power],
            of=len(ranks),
            messages=messages,
            may_take=user_id is not None and not why_not and not asks,
            must_ask=asks,
            asked=asked.exists(),
            why_not=why_not,
        )


def _free_seats(game: Game) -> list[Seat]:
    held = Occupancy.objects.filter(game=game, until__isnull=True).values("seat_id")
    return list(game.seats.filter(disordered=False).exclude(pk__in=held).order_by("power"))


def _ranks(position: Position, powers: list[str]) -> dict[str, int]:
    """1 for the power with the most centres; as many as another: the same."""
    centres = {power: len(position.centres_of(power)) for power in powers}
    return {power: 1 + sum(other > own for other in centres.values()) for power, own in centres.items()}


def is_awaited(game: Game, user_id: int | None) -> bool:
    """Has this user, who has no seat in the game, been asked into one, or may he come back to his own?"""
    return invitation_of(game, user_id) is not None or way_back(game, user_id) is not None


def gm_market(game: Game) -> GmMarket:
    """Who asks for a seat, who is asked into one, and who waits for seats like those of this game."""
    names_known = game.options[Names].seen_by_gm
    unheard = Block.objects.filter(by=game.gm_id).values("whom")
    rows = Approach.objects.filter(game=game, accepted__isnull=True).select_related("seat", "user")
    rows = rows.exclude(user__in=unheard, invited=False)
    variant = codec.variant_of(game)
    views = [
        (
            row.invited,
            Asking(
                number=row.pk,
                power=variant.power(row.seat.power).name,
                player=row.user.get_username() if names_known else "A player",
                words=reliability_of(row.user_id).words,
            ),
        )
        for row in rows.order_by("made", "pk")
    ]
    return GmMarket(
        may_invite=names_known and game.status in UNDER_WAY,
        asking=tuple(view for invited, view in views if not invited),
        invited=tuple(view for invited, view in views if invited),
        waiting=_waiting(game) if names_known else (),
    )


def _waiting(game: Game) -> tuple[Waiting, ...]:
    users = get_user_model().objects.in_bulk(those_waiting(game))
    return tuple(
        Waiting(user.get_username(), reliability_of(user_id).words)
        for user_id, user in sorted(users.items(), key=lambda item: item[1].get_username())
    )


def standby_view(user_id: int) -> StandbyView | None:
    """What this user waits for."""
    row = Standby.objects.filter(user_id=user_id).first()
    return StandbyView(tuple(row.variants), row.pace) if row else None


def vacant_seats(user: Viewer, **wanted: str) -> tuple[VacantSeat, ...]:
    """The vacant seats of public games under way, those with the nearest deadline first, as `lobby` narrows games."""
    user_id = user.pk if user.is_authenticated else None
    public = Game.objects.filter(by_invitation=False, status__in=UNDER_WAY).order_by("-created", "-pk")
    return seats_of(narrowed(public, **wanted), user_id)


def vacant_seat(access: GameAccess, power: str) -> VacantSeat:
    """One vacant seat of this game; Http404 if there is none of that power."""
    found = seats_of(Game.objects.filter(pk=access.game_id, status__in=UNDER_WAY), access.user_id)
    seat = next((seat for seat in found if seat.power.id == power), None)
    if seat is None:
        raise Http404
    return seat


def standby_of(user: Viewer) -> StandbyView | None:
    """Which vacant seats this viewer has asked to be told of; None if none."""
    return standby_view(user.pk) if user.is_authenticated else None
