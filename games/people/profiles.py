"""What everyone may know about a user: member since when, how reliable, in which public games.

Nothing here, not even a single number, depends on a game that still hides who plays.
"""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.db import connection
from django.db.models import OuterRef, Q, Subquery
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.kernel.cards import game_page, paged_by_deadline
from games.kernel.models import OVER, Game, Joiner, Occupancy, Phase
from games.kernel.parts import GamePage
from games.kernel.plain import find_user_by_name
from games.seating.reliability import COUNTED_SEATS, Reliability, reliability_of

HIDES_PLAYERS = Q(stored_options__hidden_names=True) & ~Q(status__in=OVER)
"""Games that don't show yet who plays in them."""


@dataclass(frozen=True, slots=True)
class PersonView:
    """A user's profile. `record`: phases met and games finished, in a sentence. `lists`: the public games that this
    user plays, has played and runs."""

    name: str
    since: datetime
    time_zone: str
    record: str
    lists: dict[str, GamePage]


@dataclass(frozen=True, slots=True)
class FinishedGames:
    """Of the `ended` games that this user began to play, they played `finished` to the end."""

    finished: int
    ended: int


def person_view(username: str, *, viewer_id: int | None, show: str = "", after: str = "") -> PersonView:
    """The profile of the account with this name, with game cards as the viewer sees them; raises Http404 without one.

    With `show`, it has only that list, after the game with the slug `after`.
    """
    user = get_user_model().objects.filter(username=username).first()
    if user is None or " " in username:  # the name of a deleted account, which no one can choose
        raise Http404
    public_games = Game.objects.filter(by_invitation=False)
    ever_played = Occupancy.objects.filter(user=user).values("game_id")
    plays_now = Occupancy.objects.filter(user=user, until__isnull=True).values("game_id")
    joined = Joiner.objects.filter(user=user).values("game_id")
    lists = {
        "playing": public_games.filter(pk__in=plays_now.union(joined)).exclude(HIDES_PLAYERS).exclude(status__in=OVER),
        "over": public_games.filter(pk__in=ever_played, status__in=OVER),
        "mastered": public_games.filter(gm=user),
    }
    wanted = {show: lists[show]} if show in lists else lists
    begin = after if show in lists else ""
    pages = {name: paged_by_deadline(games, among=public_games, after=begin) for name, games in wanted.items()}
    return PersonView(
        name=user.get_username(),
        since=user.date_joined,
        time_zone=user.time_zone,
        record=record_in_words(reliability_of(user.pk), finished_games_of(user.pk)),
        lists={name: game_page(games, user_id=viewer_id) for name, games in pages.items()},
    )


def account_called(name: str) -> AbstractUser | None:
    """The account with this name, ignoring case and accents; None if there is none, or if it was deleted."""
    account: AbstractUser | None = find_user_by_name(name, get_user_model().objects.exclude(username__contains=" "))
    return account


def finished_games_of(user_id: int) -> FinishedGames:
    """This user's games that have started, except practice, games that a bot played, and those that hide who plays."""
    seats = Occupancy.objects.filter(COUNTED_SEATS, user_id=user_id)
    first = Phase.objects.filter(game=OuterRef("game"), ordinal=0).values("opened")
    rows = seats.annotate(start=Subquery(first)).values_list("game_id", "game__status", "until", "start")
    finished, kept_seat, started = set[int](), set[int](), set[int]()
    for game, status, until, start in rows:
        if start is None or (until is not None and until <= start):
            continue
        started.add(game)
        if until is None:
            kept_seat.add(game)
        if status in OVER:
            finished.add(game)
    return FinishedGames(len(finished & kept_seat), len(finished | (started - kept_seat)))


def record_in_words(reliability: Reliability, games: FinishedGames) -> str:
    """The record in a sentence, such as "Saved orders in 118 of 120 phases. Finished 6 of 7 games."."""
    count, record = reliability.owed, _("New here: no orders due yet.")
    if count and reliability.is_new:
        record = ngettext(
            "New here: saved orders in {saved} of {count} phase so far.",
            "New here: saved orders in {saved} of {count} phases so far.",
            count,
        )
    elif count:
        record = ngettext(
            "Saved orders in {saved} of {count} phase.", "Saved orders in {saved} of {count} phases.", count
        )
    record = record.format(saved=count - reliability.missed, count=count)
    if not games.ended:
        return record
    ended = ngettext("Finished {finished} of {count} game.", "Finished {finished} of {count} games.", games.ended)
    return f"{record} {ended.format(finished=games.finished, count=games.ended)}"


COUNT_PLAYED_YESTERDAY = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")
"""The players of public games who had saved orders for a movement phase that closed yesterday. An anonymous player
counts once in each game, so that the figure does not tell who plays in two of them."""


def count_players_yesterday() -> int:
    """How many people played yesterday in UTC. Open phases don't affect the number."""
    with connection.cursor() as cursor:
        cursor.execute(COUNT_PLAYED_YESTERDAY, [])
        (people,) = cursor.fetchone()
    return int(people)
