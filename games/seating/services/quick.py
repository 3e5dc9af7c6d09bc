"""A live game now: one that waits for players or, only if there is none, a new one."""

from typing import Any, Final

from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL

from games.deadlines.forms import LENGTH_NAMES, PACES
from games.deadlines.options import GRACE, GRACE_TIMES
from games.kernel.cards import TAKEN
from games.kernel.days import MINUTE
from games.kernel.game_options import GameOptions
from games.kernel.limits import count_new_game
from games.kernel.members import is_in
from games.kernel.models import Game, Status
from games.kernel.parts import VariantCard
from games.kernel.queries import variant_card
from games.kernel.refusals import NotAllowed, SeatTaken, WrongMoment
from games.seating.options import Dealing, Seats
from games.seating.services.joining import join
from games.seating.services.new_game import create_game, take_seat
from variants.registry import ALL
from variants.variant import Variant

LIVE = "evening"
NEW: Final[dict[str, Any]] = {
    **dict(zip(LENGTH_NAMES, PACES[LIVE].seconds, strict=True)),
    "all_ready": True,
    "grace_seconds": GRACE[LIVE],
    "grace_times": GRACE_TIMES[LIVE],
    "seats": Seats.RANDOM.value,
    "roll_call_seconds": 5 * MINUTE,
    "gm_plays": True,
}
"""The terms of a new one. The roll call leaves out people who have gone away meanwhile."""

ALIKE = (*LENGTH_NAMES, "week", "clock", "all_ready", "press", "press_closed", "hidden_names", "approval", "bots")
"""The terms that an equal game shares with it."""

MOST_TRIED = 20
ONE_AT_A_TIME = 19_141_918
"""The number of the lock under which people look for a game, so that two of them never open one each."""


def _equal(variant: Variant) -> Q:
    terms = GameOptions.chosen(variant, **NEW).to_json()
    return Q(variant_slug=variant.slug, stored_options__contains={name: terms[name] for name in ALIKE})


def equal_games(wanted: Q) -> QuerySet[Any]:
    """The public ones that have not started, with the number of `taken` places, those with most players first."""
    waiting = Game.objects.of_people().filter(wanted, status=Status.OPEN, by_invitation=False)
    return waiting.annotate(taken=RawSQL(TAKEN, ())).order_by("-taken", "created", "pk")


def quick_boards() -> list[tuple[VariantCard, int]]:
    """Every board, with how many players wait in the equal game that has most and has room; those where most wait come
    first."""
    wanted, players = Q(), {variant.slug: variant.players for variant in ALL}
    for variant in ALL:
        wanted |= _equal(variant)
    waiting: dict[str, int] = {}
    for slug, taken in equal_games(wanted).values_list("variant_slug", "taken"):
        if taken < players[slug]:
            waiting.setdefault(slug, taken)
    boards = [(variant_card(variant.slug), waiting.get(variant.slug, 0)) for variant in ALL]
    return sorted(boards, key=lambda board: -board[1])


@transaction.atomic
def quick_game(*, user_id: int, variant: str) -> str:
    """Join an equal game that this person may join or, without one, a new one of theirs; its slug. Where they wait in
    one already, that one.

    NotAllowed for a variant that is not played here; TooOften after too many new games.
    """
    board = next((it for it in ALL if it.slug == variant), None)
    if board is None:
        raise NotAllowed("There is no such variant. Choose one from the list.")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ONE_AT_A_TIME])
    waiting: list[Game] = list(equal_games(_equal(board))[:MOST_TRIED])
    for game in waiting:
        if is_in(game, user_id):
            return game.slug
    for game in waiting:
        if _let_in(game, user_id):
            return game.slug
    count_new_game(user_id)
    slug = create_game(by=user_id, name=f"Quick game of {board.title}", variant=variant, **NEW)
    join(game_id=Game.objects.get(slug=slug).pk, user_id=user_id)
    return slug


def _let_in(game: Game, user_id: int) -> bool:
    """Does this person get a place there, with any power?"""
    enter = take_seat if game.options[Dealing].seats == Seats.CHOICE else join
    try:
        with transaction.atomic():
            enter(game_id=game.pk, user_id=user_id)
    except (NotAllowed, SeatTaken, WrongMoment):
        return False
    return True
