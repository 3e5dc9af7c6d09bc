"""What rules decide about: one user, one game, one moment."""

from collections.abc import Callable
from datetime import datetime
from functools import cached_property, wraps
from typing import TypeVar

from django.db.models import FilteredRelation, Q, QuerySet
from django.utils.translation import gettext as _

from adjudication.position import Position
from games.kernel import clock, codec
from games.kernel.game_options import GameOptions
from games.kernel.models import Game, Joiner, Occupancy, Phase, Right, Seat, Status
from games.kernel.prepared import GAME, PreparedQuery
from games.kernel.queries import NOBODY
from games.kernel.refusals import NotAllowed, Refusal, WrongMoment
from variants.survivors import survivors
from variants.variant import Variant

T = TypeVar("T")


def _seats(game_id: int) -> QuerySet[Seat]:
    now = FilteredRelation("occupancies", condition=Q(occupancies__until__isnull=True))
    seats = Seat.objects.filter(game=game_id).annotate(now=now).select_related("now__user")  # type: ignore[misc]
    return seats.order_by("pk")


SEATS = PreparedQuery(_seats, GAME)


class Standpoint:
    """A user's standpoint in a game; `user_id` is None for a visitor without an account. Each fact is read only once.

    `token` is that of the invitation with which the user came.
    """

    def __init__(self, game: Game, user_id: int | None, *, token: str = "") -> None:
        self.game = game
        self.user_id = user_id
        self.token = token
        self.known: dict[Callable[[Standpoint], object], object] = {}

    @property
    def is_master(self) -> bool:
        """Is the user the game master, and not only an assistant?"""
        return self.user_id is not None and self.game.gm_id == self.user_id

    @cached_property
    def rights(self) -> frozenset[Right]:
        """The user's rights as the game master or an assistant."""
        return self.game.rights_of(self.user_id)

    @cached_property
    def now(self) -> datetime:
        """The moment at which the game was read for a page, or else at which this was first used."""
        return clock.when_read(self.game)

    @cached_property
    def options(self) -> GameOptions:
        return self.game.options

    @cached_property
    def variant(self) -> Variant:
        return codec.variant_of(self.game)

    @cached_property
    def open_phase(self) -> Phase | None:
        return self.game.phases.filter(closed__isnull=True).first()

    @property
    def phase(self) -> Phase:
        """The open phase; raises WrongMoment if there is none."""
        if self.open_phase is None:
            raise WrongMoment(_("The game has no current phase."))
        return self.open_phase

    @cached_property
    def open_position(self) -> Position:
        return codec.position_of(self.phase)

    @cached_property
    def left(self) -> tuple[str, ...]:
        """The powers that have a unit or a centre in the open phase's position."""
        return survivors(self.open_position, self.variant)

    @cached_property
    def has_begun(self) -> bool:
        """Has there ever been a phase that counts?"""
        return self.game.phases.exists()

    @cached_property
    def seats(self) -> dict[str, Seat]:
        """The seats by power, each with its occupancy `now`, if it has one."""
        seats = {seat.power: seat for seat in SEATS(self.game.pk)}
        for seat in seats.values():
            seat.game = self.game
        return seats

    @cached_property
    def seated(self) -> dict[int, Occupancy]:
        """The current occupancies, by seat."""
        occupancies = {}
        for seat in self.seats.values():
            occupancy: Occupancy | None = getattr(seat, "now", None)
            if occupancy is not None:
                occupancy.game, occupancy.seat = self.game, seat
                occupancies[seat.pk] = occupancy
        return occupancies

    @cached_property
    def held(self) -> Occupancy | None:
        """The seat that this user holds now."""
        if self.user_id is None:
            return None
        return next((one for one in self.seated.values() if one.user_id == self.user_id), None)

    @property
    def occupancy(self) -> Occupancy:
        """The occupancy of the seat that this user holds; raises NotAllowed without one."""
        if self.held is None:
            raise NotAllowed(_("You have no seat in this game."))
        return self.held

    @cached_property
    def joiners(self) -> tuple[Joiner, ...]:
        """The players who have joined but have no seat yet, in the order in which they joined, before the start."""
        if self.game.status != Status.OPEN:
            return ()
        return tuple(Joiner.objects.filter(game=self.game).select_related("user").order_by("pk"))

    @property
    def members(self) -> list[int]:
        """The users who have a seat now or are waiting for one."""
        return sorted({row.user_id for row in self.seated.values()} | {row.user_id for row in self.joiners})

    @cached_property
    def has_had_a_seat(self) -> bool:
        """Does this user have a seat now, or did they ever have one?"""
        return Occupancy.objects.filter(game=self.game, user_id=self.user_id or NOBODY).exists()

    @cached_property
    def judged(self) -> dict[int, str]:
        """The turns of phases that have a result, by ordinal."""
        return {phase.ordinal: phase.turn for phase in self.judged_phases.values()}

    @cached_property
    def judged_phases(self) -> dict[int, Phase]:
        """The phases that have a result, without their positions, by ordinal."""
        rows = self.game.phases.filter(result__isnull=False).defer("position", "notices")
        return {phase.ordinal: phase for phase in rows}

    def holder(self, power: str) -> Occupancy | None:
        return self.seated.get(self.seats[power].pk)

    def player(self, power: str) -> str | None:
        """The name of the person who has this seat."""
        holder = self.holder(power)
        return holder.user.get_username() if holder and not holder.user.is_bot else None


def answered_once(question: Callable[[Standpoint], T]) -> Callable[[Standpoint], T]:
    """Answer a subject's question only once for each standpoint; a refusal is repeated."""

    @wraps(question)
    def asked(here: Standpoint) -> T:
        if question not in here.known:
            try:
                here.known[question] = question(here)
            except Refusal as refusal:
                here.known[question] = refusal
        answer = here.known[question]
        if isinstance(answer, Refusal):
            raise answer
        return answer  # type: ignore[return-value]  # the answer to this very question

    return asked
