"""A live game at once: one that waits for players or, only if there is none, a new one."""

import json
from functools import reduce
from operator import or_
from typing import Any, Final, NamedTuple

from django.db import connection, transaction
from django.db.models import Exists, F, JSONField, OuterRef, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.utils.translation import gettext as _

from games.deadlines.forms import LENGTH_NAMES, PACES
from games.deadlines.options import GRACE_SECONDS_BY_PACE, GRACE_TIMES_BY_PACE
from games.kernel.cards import PLACES, TAKEN
from games.kernel.days import MINUTE
from games.kernel.game_options import GameOptions, declared_options
from games.kernel.limits import count_new_game
from games.kernel.models import Block, Game, Joiner, Occupancy, Status
from games.kernel.parts import VariantCard
from games.kernel.queries import variant_card
from games.kernel.refusals import NotAllowed, SeatTaken, WrongMoment
from games.seating.models import RollCall
from games.seating.options import Dealing, SeatAssignment
from games.seating.queries import sql_for_kept_places
from games.seating.services.joining import join_game
from games.seating.services.new_game import create_game, take_seat
from variants.registry import offered, playable
from variants.variant import Variant

PACE = "evening"
NEW_GAME_TERMS: Final[dict[str, Any]] = {
    **dict(zip(LENGTH_NAMES, PACES[PACE].seconds, strict=True)),
    "all_ready": True,
    "grace_seconds": GRACE_SECONDS_BY_PACE[PACE],
    "grace_times": GRACE_TIMES_BY_PACE[PACE],
    "seats": SeatAssignment.RANDOM.value,
    "roll_call_seconds": 5 * MINUTE,
    "gm_plays": True,
}
"""The terms of a new one. The roll call leaves out people who have gone away meanwhile."""

TERMS_THAT_MAY_DIFFER = ["seats", "least_reliability", "newcomers_welcome", "wait_days", "gm_plays"]
"""The terms that an equal game need not share with it: how one gets in, and who runs it."""

TERMS_SQL = "((%s::jsonb || kernel_game.options) - %s::text[]) #- '{week,zone}'"
"""What a game does not store takes its default."""

MOST_TRIED = 20
LOCK_NUMBER = 19_141_918
"""The number of the lock under which people look for a game, so that two of them never open one each."""


def _has_quick_game_terms(variant: Variant) -> Q:
    terms = GameOptions.create(variant, **NEW_GAME_TERMS).to_json()
    terms["week"] = {name: it for name, it in terms["week"].items() if name != "zone"}
    return Q(variant_slug=variant.slug, terms={name: terms[name] for name in terms.keys() - TERMS_THAT_MAY_DIFFER})


def _open_quick_games(condition: Q, user_id: int) -> QuerySet[Any]:
    """The public games that have not started, most players first: the one in which this person waits (`is_mine`), then
    those with room and without people whom they have blocked."""
    defaults = json.dumps({name: it.write(it.default) for name, (_, it) in declared_options().items()})
    blocked = Block.objects.filter(by=user_id).values("whom")
    games = (
        Game.objects.of_people()
        .filter(status=Status.OPEN, by_invitation=False)
        .annotate(
            terms=RawSQL(TERMS_SQL, (defaults, TERMS_THAT_MAY_DIFFER), output_field=JSONField()),
            places=RawSQL(PLACES, ()),
            taken=RawSQL(TAKEN, ()),
            taken_or_kept=RawSQL(f"{TAKEN} + {sql_for_kept_places()}", ()),
            is_mine=_includes([user_id]),
            starts_as_it_is=Exists(RollCall.objects.filter(game=OuterRef("pk"), incomplete=True)),
        )
    )
    is_open = Q(taken_or_kept__lt=F("places"), starts_as_it_is=False) & ~Q(gm__in=blocked) & ~Q(_includes(blocked))
    return games.filter(condition).filter(Q(is_mine=True) | is_open).order_by("-is_mine", "-taken", "created", "pk")


def _includes(users: Any) -> Any:
    """Does one of these users have a place in the game?"""
    seated = Occupancy.objects.filter(game=OuterRef("pk"), until=None, user__in=users)
    return Exists(seated) | Exists(Joiner.objects.filter(game=OuterRef("pk"), user__in=users))


class QuickBoard(NamedTuple):
    """A board, the number of players waiting in the game that this person would join, and whether they wait there."""

    board: VariantCard
    waiting: int
    is_mine: bool


def quick_boards(user_id: int) -> list[QuickBoard]:
    """Every board for this person, those with most waiting players first."""
    wanted = reduce(or_, map(_has_quick_game_terms, offered()))
    by_slug: dict[str, tuple[int, bool]] = {}
    for slug, *facts in _open_quick_games(wanted, user_id).values_list("variant_slug", "taken", "is_mine"):
        by_slug.setdefault(slug, tuple(facts))
    boards = [QuickBoard(variant_card(it.slug), *by_slug.get(it.slug, (0, False))) for it in offered()]
    return sorted(boards, key=lambda board: -board.waiting)


@transaction.atomic
def join_quick_game(*, user_id: int, variant: str) -> str:
    """Join a game on equal terms that this person may join or, if there is none, create one, and return its slug. If
    they already wait in one, return that one.

    Raises NotAllowed for a variant that is not played here; TooOften after too many new games.
    """
    board = playable(variant)
    if board is None:
        raise NotAllowed(_("There is no such variant. Choose one from the list."))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK_NUMBER])
    for game in _open_quick_games(_has_quick_game_terms(board), user_id)[:MOST_TRIED]:
        if game.is_mine or _could_join(game, user_id):
            return str(game.slug)
    count_new_game(user_id)
    slug = create_game(
        by=user_id, name=_("Quick game of {variant}").format(variant=board.title), variant=variant, **NEW_GAME_TERMS
    )
    join_game(game_id=Game.objects.get(slug=slug).pk, user_id=user_id)
    return slug


def _could_join(game: Game, user_id: int) -> bool:
    """Can this person get a place in the game, with any power?"""
    enter = take_seat if game.options[Dealing].seats == SeatAssignment.CHOICE else join_game
    try:
        with transaction.atomic():
            enter(game_id=game.pk, user_id=user_id)
    except (NotAllowed, SeatTaken, WrongMoment):
        return False
    return True
