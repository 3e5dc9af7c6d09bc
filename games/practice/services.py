"""Starting and deleting a game against bots, keeping a guest's games for an account, and deleting old ones."""

import secrets
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password
from django.db import router, transaction
from django.db.models import ManyToOneRel, Model
from django.utils.translation import gettext as _

from adjudication.position import Position
from adjudication.resolution import Verdict
from games.deadlines.phases import begin_game
from games.kernel import clock, codec
from games.kernel.game_options import GameOptions
from games.kernel.languages import later
from games.kernel.locking import lock_account, lock_game, lock_game_for
from games.kernel.models import OVER, Game, Occupancy
from games.kernel.news import tell
from games.kernel.refusals import NotAllowed, TooOften, WrongMoment
from games.kernel.rules import unless
from games.people.sessions import end_sessions
from games.practice import news
from games.practice.queries import default_board, practice_games_of, practice_games_that_count, practice_title
from games.seating.services.bots import seat_bots_at_start
from games.seating.services.new_game import store_game
from variants.bots import Level
from variants.kinds import Ending
from variants.registry import playable
from variants.survivors import survivors

PRACTICE_KEPT = timedelta(days=7)
MOST_OF_GUEST, MOST_OF_MEMBER = 3, 10
"""How many practice games someone may have at a time."""
NO_SUCH_BOARD = later("There is no such board. Choose one from the list.")

PRACTICE_OPTIONS: Final[dict[str, Any]] = {
    "clock": False,
    "bots_leave": False,
    "all_ready": True,
    "press": "none",
    "draws": "none",
    "gm_plays": True,
    "gm_sees_bids": False,
    "open_bids_at_end": True,
}


@transaction.atomic
def start_as_guest(**chosen: str) -> tuple[Any, str]:
    """A new guest and the slug of their first game, as in `start_practice`; raises TooOften if there are too many."""
    random_text = secrets.token_hex(6)
    guest = get_user_model().objects.create(
        username=f"guest {random_text}",  # no person's name has a space
        email=f"{random_text}@guest.invalid",
        password=make_password(None),  # nobody can sign in
        date_joined=clock.now(),
        is_guest=True,
    )
    return guest, start_practice(user_id=guest.pk, **chosen)


def may_start_practice(user: Any) -> None:
    most = MOST_OF_GUEST if user.is_guest else MOST_OF_MEMBER
    too_many = _("You can have {most} games against bots at a time. Delete one of them first.").format(most=most)
    unless(practice_games_that_count(user).count() < most, WrongMoment(too_many))


@transaction.atomic
def start_practice(*, user_id: int, variant: str = "", power: str = "", level: str = Level.EASY) -> str:
    """Start a game and return its slug. This person plays `power` (a random one by default), and bots of this level
    play all other powers. The default variant is `default_board`.

    Raises NotAllowed for what does not exist; WrongMoment if they have too many practice games already; TooOften if
    they are a guest and too many are playing.
    """
    board = playable(variant) if variant else default_board()
    if board is None:
        raise NotAllowed(NO_SUCH_BOARD)
    told = _("{variant} has no such side.")
    unless(power in {"", *(each.id for each in board.powers)}, NotAllowed(told.format(variant=board.title)))
    sentence = _("Bots play at one of these levels: {levels}.")
    unless(level in set(Level), NotAllowed(sentence.format(levels=", ".join(Level))))
    lock_account(user_id)
    user = get_user_model().objects.get(pk=user_id)
    may_start_practice(user)
    of_guests = Occupancy.objects.filter(user__is_guest=True, until__isnull=True, game__practice=True)
    if user.is_guest and of_guests.exclude(game__status__in=OVER).count() >= settings.MOST_GUEST_GAMES:
        raise TooOften(_("Too many guests are playing at the moment. Try again later, or sign up and play at once."))
    now, seats = clock.now(), board.players
    options = GameOptions.create(board, by_invitation=True, bots=seats - 1, bot_level=str(level), **PRACTICE_OPTIONS)
    game = store_game(user_id, practice_title(board), board, options, now, practice=True)
    seat = game.seats.get(power=power) if power else secrets.choice(game.seats.all())
    Occupancy.objects.create(game=game, seat=seat, user=user, since=now)
    seat_bots_at_start(game, now)
    game.gm_id = Occupancy.objects.filter(game=game, user__is_bot=True).values_list("user_id", flat=True)[0]
    game.save(update_fields=["gm"])
    tell(news.PRACTICE_BEGUN, game, at=now, power=seat.power)
    begin_game(game, by=None, now=now)
    return game.slug


def verdicts_where_player_is_out(judged: Sequence[tuple[Game, Position]], _now: datetime) -> Mapping[int, Verdict]:
    """Verdicts for the practice games whose player has nothing left, because bots don't continue alone."""
    positions = {game.pk: position for game, position in judged if game.practice}
    if not positions:
        return {}
    players = Occupancy.objects.filter(game__in=positions, until__isnull=True, user__is_bot=False)
    verdicts = dict[int, Verdict]()
    for player in players.select_related("game", "seat"):
        variant, power = codec.variant_of(player.game), player.seat.power
        if power not in survivors(positions[player.game_id], variant):
            verdicts[player.game_id] = Verdict((), Ending.NOTHING_LEFT, {"power": power})
    return verdicts


@transaction.atomic
def delete_practice(*, game_id: int, user_id: int) -> None:
    """Delete a person's own practice game for good, and nothing else of theirs."""
    here = lock_game_for(game_id, user_id)
    unless(here.game.practice and here.held, NotAllowed(_("Only your own games against bots can be deleted.")))
    erase_practice_game(here.game)


def delete_all_practice(*, user_id: int) -> None:
    """Delete all practice games of someone who deletes their account."""
    for game_id in practice_games_of(user_id).values_list("pk", flat=True):
        with suppress(NotAllowed):
            delete_practice(game_id=game_id, user_id=user_id)


@transaction.atomic
def give_guest_games_to(*, guest_id: int, user_id: int) -> None:
    """Give a guest's games, with orders and logs, to the account of the same person, except for games that are being
    deleted at this moment."""
    for game_id in practice_games_of(guest_id).order_by("pk").values_list("pk", flat=True):
        with suppress(NotAllowed):
            Occupancy.objects.filter(game=lock_game(game_id), user_id=guest_id).update(user_id=user_id)
    _delete_guest_without_games(guest_id)


def delete_old_guests() -> int:
    """Delete guests' games older than PRACTICE_KEPT, then guests without any. Returns the number of games."""
    limit = clock.now() - PRACTICE_KEPT
    games = Game.objects.filter(practice=True, created__lt=limit, occupancies__user__is_guest=True)
    deletions = [_delete_guest_game(game_id) for game_id in games.order_by("pk").values_list("pk", flat=True)]
    guests = get_user_model().objects.filter(is_guest=True, date_joined__lt=limit, occupancies__isnull=True)
    for guest_id in guests.values_list("pk", flat=True):
        _delete_guest_without_games(guest_id)
    return sum(deletions)


@transaction.atomic
def _delete_guest_game(game_id: int) -> bool:
    """Delete a guest's game, unless the guest has signed up or deleted it in the meantime."""
    with suppress(NotAllowed):
        game = lock_game(game_id)
        if game.occupancies.filter(user__is_guest=True).exists():
            erase_practice_game(game)
            return True
    return False


@transaction.atomic
def _delete_guest_without_games(guest_id: int) -> None:
    """Delete the account of a guest without games, unless they have just started another one."""
    guest = get_user_model().objects.select_for_update(of=("self",)).filter(pk=guest_id, is_guest=True).first()
    if guest is not None and not guest.occupancies.exists():
        end_sessions(guest_id)
        guest.delete()


def erase_practice_game(game: Game) -> None:
    """Delete a practice game and every row that belongs to it. No other game can be deleted: the database protects its
    log. The caller holds the lock on the game."""
    _delete_with_referring_rows(Game, [game.pk])


def _delete_with_referring_rows(model: type[Model], ids: Collection[Any]) -> None:
    """Delete these rows after all rows that refer to them. The log can be deleted only while its game still exists."""
    for relation in model._meta.get_fields(include_hidden=True):
        if not isinstance(relation, ManyToOneRel):
            continue
        child: Any = relation.related_model
        referring = child._base_manager.filter(**{f"{relation.field.name}__in": ids})
        if children := list(referring.values_list("pk", flat=True)):
            _delete_with_referring_rows(child, children)
    rows = model._base_manager.filter(pk__in=ids)
    rows._raw_delete(router.db_for_write(model))  # `delete` would refuse what is protected
