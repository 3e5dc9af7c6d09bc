"""What a viewer is to a game: a player, a sitter, its game master, an assistant or an observer; others get Http404."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import FilteredRelation, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.http import Http404

from games.kernel import clock
from games.kernel.cards import with_counts
from games.kernel.hooks import hints_that_nothing_is_there, is_expected, seat_opened
from games.kernel.live import version_as_read, with_public_facts
from games.kernel.members import open_sittings_for, sitting_now
from games.kernel.models import OVER, Assistant, Game, Handover, Joiner, Occupancy, Sitting
from games.kernel.prepared import SLUG, USER, PreparedQuery
from games.kernel.queries import NOBODY
from games.kernel.standpoint import Standpoint

ASKED = """EXISTS (
    SELECT FROM kernel_handover WHERE game_id = kernel_game.id AND accepted IS NULL AND taker_id = %s
)"""
ASKED_TO_ASSIST = """EXISTS (
    SELECT FROM kernel_assistant WHERE game_id = kernel_game.id AND accepted IS NULL AND user_id = %s
)"""
Viewer = AbstractBaseUser | AnonymousUser


@dataclass(frozen=True, slots=True)
class SeatAccess:
    game_id: int
    slug: str
    seat_id: int
    occupancy_id: int
    user_id: int
    power: str
    since: datetime
    sitting: int | None = None
    """The number of the sitting, if the viewer is a sitter and not the player."""
    talks: bool = True
    gm: int | None = None
    """The game master or assistant, if it is one who enters orders for the player."""


@dataclass(frozen=True, slots=True)
class GmAccess:
    """The game master, or an assistant."""

    game: Game
    user_id: int

    @property
    def game_id(self) -> int:
        return self.game.pk

    @property
    def slug(self) -> str:
        return self.game.slug


@dataclass(frozen=True, slots=True)
class GameAccess:
    """A viewer who may see the game: a player with a seat, its game master or an assistant (`is_gm`), or an observer,
    possibly sitting for a player.

    `lent` is the seat that the viewer is sitting for, or for which they enter orders as the game master. It gives
    access only to the orders for the current phase and, if the player allowed it, to the messages. `game` is as it was
    when the viewer arrived, with its public facts; after a service has run, use `read_again`.
    """

    game: Game
    user_id: int | None
    seat: SeatAccess | None
    is_gm: bool
    token: str
    lent: SeatAccess | None = None

    @property
    def game_id(self) -> int:
        return self.game.pk

    @property
    def slug(self) -> str:
        return self.game.slug

    @property
    def version(self) -> str:
        return version_as_read(self.game)

    @property
    def is_asked_to_master(self) -> bool:
        """Has the viewer been asked to be the game's next game master?"""
        return getattr(self.game, "is_asked_to_master", False)

    @property
    def is_asked_to_assist(self) -> bool:
        """Has the viewer been asked to be an assistant?"""
        return getattr(self.game, "is_asked_to_assist", False)

    @property
    def is_repaired(self) -> bool:
        """Has the game master corrected anything in this game?"""
        repairs: int = self.game.repairs  # type: ignore[attr-defined]
        return repairs > 0

    def read_again(self) -> "GameAccess":
        """The same viewer, with the game as it is now."""
        return replace(self, game=_game(self.slug, self.user_id))

    @property
    def sheet(self) -> SeatAccess | None:
        """The seat for which the viewer may write orders."""
        return self.seat or self.lent

    @property
    def voice(self) -> SeatAccess | None:
        """The seat whose messages the viewer may read and write."""
        return self.sheet if self.sheet and self.sheet.talks else None


def standpoint_of(access: GameAccess | GmAccess) -> Standpoint:
    """This viewer's standpoint."""
    return Standpoint(access.game, access.user_id, token=getattr(access, "token", ""))


def access_game(*, user: Viewer, slug: str, token: str = "") -> GameAccess:
    """This viewer's access to a game; raises Http404 if there is no such game, or if it is by invitation and the viewer
    is not invited, or is someone else's practice game."""
    user_id = user.pk if user.is_authenticated else None
    game = _game(slug, user_id)
    if note_opening(getattr(game, "mine", None)):
        game = _game(slug, user_id)
    return access_of(game, user_id, getattr(game, "mine", None), token)


def note_opening(occupancy: Occupancy | None) -> bool:
    """Note that a seat's player opens the game. True if the seat could be given back until now; then the caller reads
    again who has it."""
    if occupancy is None or occupancy.instead_of_id is None:
        return False
    seat_opened(occupancy)
    return True


def access_of(
    game: Game,
    user_id: int | None,
    occupancy: Occupancy | None,
    token: str = "",
    find_sitting: Callable[[Game, int | None], Sitting | None] = sitting_now,
) -> GameAccess:
    """As `access_game`, for a game that was read with `for_access`. `occupancy`: this user's seat there. `find_sitting`
    finds the sitting by which a user without a seat may write orders."""
    seat = _seat_access(game, occupancy)
    is_gm = game.is_run_by(user_id)
    expected = seat is not None or is_gm or game.invites(token)
    if game.by_invitation and not expected and not _is_expected(game, user_id):
        raise Http404
    if game.practice and seat is None:
        raise Http404
    lent = None if seat else _lent_seat(game, user_id, find_sitting(game, user_id))
    return GameAccess(game, user_id, seat, is_gm, token, lent)


def for_access(games: QuerySet[Game]) -> QuerySet[Game]:
    """These games with everything that a `GameAccess` needs, and the time at which they were read."""
    return with_counts(with_public_facts(games.select_related("gm", "roll_call"))).annotate(read_at=clock.now_in_sql())


def _game(slug: str, user_id: int | None) -> Game:
    """The game with its public facts and hints, and this user's occupancy as `mine`; raises Http404 without one."""
    games = GAME_FOR_STRANGERS(slug) if user_id is None else GAME_FOR_USER(slug, user_id)
    if not games:
        raise Http404
    return games[0]


def _for_strangers(slug: str) -> QuerySet[Game]:
    return for_access(Game.objects.filter(slug=slug)).annotate(
        **{name: RawSQL(sql, ()) for name, sql in hints_that_nothing_is_there()}
    )


def _for_user(slug: str, user_id: int) -> QuerySet[Game]:
    has_seat = Q(occupancies__user_id=user_id, occupancies__until__isnull=True)
    rows = _for_strangers(slug).annotate(
        mine=FilteredRelation("occupancies", condition=has_seat),
        is_asked_to_master=RawSQL(ASKED, (user_id,)),
        is_asked_to_assist=RawSQL(ASKED_TO_ASSIST, (user_id,)),
    )
    return rows.select_related("mine__seat")  # type: ignore[misc]


GAME_FOR_STRANGERS = PreparedQuery(_for_strangers, SLUG)
GAME_FOR_USER = PreparedQuery(_for_user, SLUG, USER)


def _lent_seat(game: Game, user_id: int | None, sitting: Sitting | None) -> SeatAccess | None:
    """The seat of the player for whom this user is sitting now; None if there is no sitting."""
    if user_id is None or sitting is None:
        return None
    occupancy = sitting.occupancy
    return SeatAccess(
        game.pk,
        game.slug,
        occupancy.seat_id,
        occupancy.pk,
        user_id,
        occupancy.seat.power,
        since=sitting.begins,
        sitting=sitting.pk,
        talks=sitting.talks,
    )


def _is_expected(game: Game, user_id: int | None) -> bool:
    """Is this user asked to run the game, to help, to sit or to take a seat, or do they wait or sit for a player?"""
    if user_id is None:
        return False
    unanswered = Q(game=game, accepted__isnull=True) & ~Q(game__status__in=OVER)
    handovers = Handover.objects.filter(unanswered, taker_id=user_id)
    requests = Assistant.objects.filter(unanswered, user_id=user_id)
    joined = Joiner.objects.filter(game=game, user_id=user_id)
    sittings = open_sittings_for(game, user_id, clock.now())
    return handovers.exists() or requests.exists() or joined.exists() or is_expected(game, user_id) or sittings.exists()


def access_seat(*, user: Viewer, slug: str) -> SeatAccess:
    """The viewer's own seat; raises Http404 unless they have one in the game now."""
    occupancies = Occupancy.objects.filter(game__slug=slug, user_id=user.pk or NOBODY, until__isnull=True)
    seat = occupancies.select_related("game", "seat").first()
    if note_opening(seat):
        seat = occupancies.select_related("game", "seat").first()
    access = _seat_access(seat.game, seat) if seat else None
    if access is None:
        raise Http404
    return access


def access_sheet(*, user: Viewer, slug: str) -> SeatAccess:
    """The seat for which the viewer may write orders, as its player or as a sitter; raises Http404 if there is none."""
    seat = access_game(user=user, slug=slug).sheet
    if seat is None:
        raise Http404
    return seat


def access_gm(*, user: Viewer, slug: str, master_only: bool = False) -> GmAccess:
    """Raises Http404 unless the viewer is the game master or an assistant; with `master_only`, for assistants, too."""
    game, user_id = Game.objects.filter(slug=slug).first(), user.pk
    if game is None or user_id is None or not game.is_run_by(user_id) or (master_only and game.gm_id != user_id):
        raise Http404
    return GmAccess(game, user_id)


def _seat_access(game: Game, seat: Occupancy | None) -> SeatAccess | None:
    if seat is None:
        return None
    return SeatAccess(game.pk, game.slug, seat.seat_id, seat.pk, seat.user_id, seat.seat.power, seat.since)
