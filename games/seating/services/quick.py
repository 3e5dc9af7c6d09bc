"""A live game now: one that waits for players or, only if there is none, a new one."""

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
from games.seating.options import Dealing, Seats
from games.seating.queries import kept_places
from games.seating.services.joining import join
from games.seating.services.new_game import create_game, take_seat
from variants.registry import ALL
from variants.variant import Variant

LIVE = "evening"
NEW: Final[dict[str, Any]] = {
    **dict(zip(LENGTH_NAMES, PACES[LIVE].seconds, strict=True)),
    "all_ready": True,
    "grace_seconds": GRACE_SECONDS_BY_PACE[LIVE],
    "grace_times": GRACE_TIMES_BY_PACE[LIVE],
    "seats": Seats.RANDOM.value,
    "roll_call_seconds": 5 * MINUTE,
    "gm_plays": True,
}
"""The terms of a new one. The roll call leaves out people who have gone away meanwhile."""

MAY_DIFFER = ["seats", "least_reliability", "newcomers_welcome", "wait_days", "gm_plays"]
"""The terms that an equal game need not share with it: how one gets in, and who runs it."""

TERMS = "((%s::jsonb || kernel_game.options) - %s::text[]) #- '{week,zone}'"
"""What a game does not store takes its default."""

MOST_TRIED = 20
ONE_AT_A_TIME = 19_141_918
"""The number of the lock under which people look for a game, so that two of them never open one each."""


def _equal(variant: Variant) -> Q:
    terms = GameOptions.chosen(variant, **NEW).to_json()
    terms["week"] = {name: it for name, it in terms["week"].items() if name != "zone"}
    return Q(variant_slug=variant.slug, terms={name: terms[name] for name in terms.keys() - MAY_DIFFER})


def _equal_games(wanted: Q, user_id: int) -> QuerySet[Any]:
    """The public ones that have not started, those with most players first: the one in which this person waits
    (`is_mine`), then those with room and without people whom they have blocked."""
    usual = json.dumps({name: it.write(it.default) for name, (_, it) in declared_options().items()})
    blocked = Block.objects.filter(by=user_id).values("whom")
    waiting = (
        Game.objects.of_people()
        .filter(status=Status.OPEN, by_invitation=False)
        .annotate(
            terms=RawSQL(TERMS, (usual, MAY_DIFFER), output_field=JSONField()),
            places=RawSQL(PLACES, ()),
            taken=RawSQL(TAKEN, ()),
            taken_or_kept=RawSQL(f"{TAKEN} + {kept_places()}", ()),
            is_mine=_has_one_of([user_id]),
            starts_as_it_is=Exists(RollCall.objects.filter(game=OuterRef("pk"), incomplete=True)),
        )
    )
    is_open = Q(taken_or_kept__lt=F("places"), starts_as_it_is=False) & ~Q(gm__in=blocked) & ~Q(_has_one_of(blocked))
    return waiting.filter(wanted).filter(Q(is_mine=True) | is_open).order_by("-is_mine", "-taken", "created", "pk")


def _has_one_of(users: Any) -> Any:
    """Does one of these users have a place in the game?"""
    seated = Occupancy.objects.filter(game=OuterRef("pk"), until=None, user__in=users)
    return Exists(seated) | Exists(Joiner.objects.filter(game=OuterRef("pk"), user__in=users))


class QuickBoard(NamedTuple):
    """A board, how many players wait in the equal game that this person would get, and whether they wait there."""

    board: VariantCard
    waiting: int
    is_mine: bool


def quick_boards(user_id: int) -> list[QuickBoard]:
    """Every board for this person; those where most wait come first."""
    wanted = reduce(or_, map(_equal, ALL))
    found: dict[str, tuple[int, bool]] = {}
    for slug, *told in _equal_games(wanted, user_id).values_list("variant_slug", "taken", "is_mine"):
        found.setdefault(slug, tuple(told))
    boards = [QuickBoard(variant_card(it.slug), *found.get(it.slug, (0, False))) for it in ALL]
    return sorted(boards, key=lambda board: -board.waiting)


@transaction.atomic
def quick_game(*, user_id: int, variant: str) -> str:
    """Join an equal game that this person may join or, without one, a new one of theirs; its slug. Where they wait in
    one already, that one.

    NotAllowed for a variant that is not played here; TooOften after too many new games.
    """
    board = next((it for it in ALL if it.slug == variant), None)
    if board is None:
        raise NotAllowed(_("There is no such variant. Choose one from the list."))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ONE_AT_A_TIME])
    for game in _equal_games(_equal(board), user_id)[:MOST_TRIED]:
        if game.is_mine or _let_in(game, user_id):
            return str(game.slug)
    count_new_game(user_id)
    slug = create_game(
        by=user_id, name=_("Quick game of {variant}").format(variant=board.title), variant=variant, **NEW
    )
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
