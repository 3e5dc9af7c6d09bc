"""What needs attention in all games that a user runs, based on public facts and the requests made to them."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import FilteredRelation, OuterRef, Q
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.kernel.cards import with_counts
from games.kernel.members import assistant_rows_of
from games.kernel.models import NOT_OVER, Game, Occupancy, Right, Seat, Status
from games.kernel.options import Bots
from games.seating.queries import games_with_requests
from variants.survivors import listed_powers
from variants.words.english import listed

LATE = timedelta(minutes=5)
"""A result so long after its deadline is no longer on its way."""


@dataclass(frozen=True, slots=True)
class GameToSee:
    """A game that needs its game master's attention, with the address of the right part of its desk."""

    slug: str
    name: str
    sentences: tuple[str, ...]
    place: str


def games_to_see(user_id: int, now: datetime) -> tuple[GameToSee, ...]:
    """The games that this user runs or helps to run and that need their attention, the oldest first."""
    run_by_user = Q(gm_id=user_id) | Q(pk__in=assistant_rows_of(user_id).values("game_id"))
    return tuple(
        GameToSee(game.slug, game.name, tuple(told.values()), next(iter(told)))
        for game, told in games_with_matters(run_by_user, user_id, now)
        if told
    )


def games_with_matters(
    which: Q, user_id: int, now: datetime, *, played: Collection[int] = ()
) -> list[tuple[Any, dict[str, str]]]:
    """These games if they are not over, the oldest first, each with its open phase as `open_now` and with what needs
    this user's attention: part of the desk -> sentence. For games that the user has `played`, only public facts are
    used."""
    taken = Occupancy.objects.filter(seat=OuterRef("pk"), until__isnull=True)
    seats = Seat.objects.filter(game=OuterRef("pk"), held=False, disordered=False).exclude(pk__in=taken.values("seat"))
    rows = with_counts(Game.objects.of_people().filter(which, status__in=NOT_OVER)).annotate(
        open_now=FilteredRelation("phases", condition=Q(phases__closed__isnull=True, phases__undoing__isnull=True)),
        free=ArraySubquery(seats.order_by("power").values("power")),
    )
    with_phase = rows.select_related("open_now", "roll_call").order_by("pk")  # type: ignore[misc]
    games: list[Any] = list(with_phase.defer("open_now__position"))  # type: ignore[misc]  # named above
    asked = games_with_requests([game.pk for game in games]) if games else set()
    rights = {game.pk: game.rights_of(user_id) if game.pk not in played else () for game in games}
    return [(game, dict(_matters(game, rights[game.pk], now, is_asked=game.pk in asked))) for game in games]


def _matters(game: Any, rights: Collection[str], now: datetime, *, is_asked: bool) -> Iterator[tuple[str, str]]:
    """What needs attention in a game: parts of the desk, each with a sentence."""
    phase = getattr(game, "open_now", None)
    if game.status == Status.HELD:
        yield "gm-matters", _("The game is on hold.")
    elif game.status == Status.PAUSED:
        yield "gm-clock", _("The game is paused.")
    elif phase is not None and phase.deadline and now - phase.deadline > LATE:
        yield "gm-matters", _("The deadline has passed, but there is no result yet.")
    if is_asked and Right.SEATS in rights:
        yield "gm-requests" if game.status == Status.OPEN else "gm-market", _("A player waits for your answer.")
    if game.status != Status.OPEN and game.free and Right.SEATS in rights:
        variant = game.options.variant
        names = listed_powers(game.free, variant) if variant else listed(game.free)
        vacant = ngettext("{powers} is vacant.", "{powers} are vacant.", len(game.free))
        yield "gm-seats", capfirst(vacant.format(powers=names))
    places = game.places - game.options[Bots].bots
    if game.status == Status.OPEN and game.taken + game.kept >= places and not hasattr(game, "roll_call"):
        yield "gm-clock", _("All seats are taken, but the game has not started.")
