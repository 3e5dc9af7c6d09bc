"""What everyone may know about a user: member since when, how reliable, in which public games.

Nothing here, not even a single figure, depends on a game that still hides who plays.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth import get_user_model
from django.db.models import OuterRef, Q, Subquery
from django.http import Http404

from adjudication.english import amount
from games.kernel.cards import MOST_CARDS, cards
from games.kernel.models import OVER, Game, Joiner, Occupancy, Phase
from games.kernel.parts import GameCard
from games.seating.reliability import Reliability, reliability_of

HIDDEN = Q(stored_options__hidden_names=True) & ~Q(status__in=OVER)
"""Games that don't show yet who plays in them."""


@dataclass(frozen=True, slots=True)
class PersonView:
    """`record`: phases met and games finished, in a sentence; the games are public ones, newest first."""

    name: str
    since: datetime
    time_zone: str
    record: str
    playing: tuple[GameCard, ...]
    over: tuple[GameCard, ...]
    mastered: tuple[GameCard, ...]


@dataclass(frozen=True, slots=True)
class Stays:
    """Of the `ended` games that this user began to play, `finished` counts those they played to the end."""

    finished: int
    ended: int


def person_view(username: str, *, viewer_id: int | None) -> PersonView:
    """The profile of the account of that name, with cards as the viewer sees them; Http404 if there is none."""
    user = get_user_model().objects.filter(username=username).first()
    if user is None or " " in username:  # such a name is that of a deleted account
        raise Http404
    public = Game.objects.filter(by_invitation=False).order_by("-created", "-pk")
    sat = Occupancy.objects.filter(user=user).values("game_id")
    sits = Occupancy.objects.filter(user=user, until__isnull=True).values("game_id")
    waits = Joiner.objects.filter(user=user).values("game_id")
    playing = public.filter(Q(pk__in=sits) | Q(pk__in=waits)).exclude(HIDDEN).exclude(status__in=OVER)
    return PersonView(
        name=user.get_username(),
        since=user.date_joined,
        time_zone=user.time_zone,
        record=record_in_words(reliability_of(user.pk), stays_of(user.pk)),
        playing=cards(playing[:MOST_CARDS], user_id=viewer_id),
        over=cards(public.filter(pk__in=sat, status__in=OVER)[:MOST_CARDS], user_id=viewer_id),
        mastered=cards(public.filter(gm=user)[:MOST_CARDS], user_id=viewer_id),
    )


def stays_of(user_id: int) -> Stays:
    """Counts all games that have started, except those that still hide who plays and those a bot played."""
    hidden = Game.objects.filter(HIDDEN).values("pk")
    seats = Occupancy.objects.filter(user_id=user_id, bot=False).exclude(game__in=hidden)
    first = Phase.objects.filter(game=OuterRef("game"), ordinal=0).values("opened")
    rows = seats.annotate(start=Subquery(first)).values_list("game_id", "game__status", "until", "start")
    return _stays(rows)


def _stays(rows: Iterable[tuple[int, str, datetime | None, datetime | None]]) -> Stays:
    over, stayed, began = set[int](), set[int](), set[int]()
    for game, status, until, start in rows:
        if start is None or (until is not None and until <= start):
            continue
        began.add(game)
        if until is None:
            stayed.add(game)
        if status in OVER:
            over.add(game)
    return Stays(len(over & stayed), len(over | (began - stayed)))


def record_in_words(reliability: Reliability, stays: Stays) -> str:
    """Such as "Saved orders in 118 of 120 phases, finished 6 of 7 games." """
    saved = f"saved orders in {reliability.owed - reliability.missed} of {amount(reliability.owed, 'phase')}"
    ended = f", finished {stays.finished} of {amount(stays.ended, 'game')}" if stays.ended else ""
    if not reliability.owed:
        return f"New here: no orders due yet{ended}."
    if reliability.is_new:
        return f"New here: {saved} so far{ended}."
    return f"{saved.capitalize()}{ended}."
