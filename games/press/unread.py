"""How many unread messages a person has, counted in one query for any number of games."""

from collections.abc import Collection

from django.db.models import (
    Case,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    FilteredRelation,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Value,
    When,
)

from games.kernel import clock
from games.kernel.models import Sitting
from games.press.models import Message, Mute, Thread, Withheld


def unread_by_game(user_id: int | None, games: Collection[int]) -> dict[int, int]:
    """Game id -> number of unread messages there for this player, sitter or game master; games without any are left
    out."""
    return _counted(user_id, games, "thread__game")


def unread_by_thread(user_id: int | None, game: int) -> dict[int, int]:
    """The same for one game, by thread."""
    return _counted(user_id, [game], "thread")


def _counted(user_id: int | None, games: Collection[int], by: str) -> dict[int, int]:
    if user_id is None or not games:
        return {}
    rows = _waiting(user_id).filter(thread__game__in=games)
    return dict(rows.values_list(by).annotate(waiting=Count("pk")).order_by())


def _waiting(user_id: int) -> QuerySet[Message]:
    """Messages by others since this person took the seat, which they may read and have neither seen nor muted."""
    held = "thread__game__occupancies"
    muted = Mute.objects.filter(game=OuterRef("thread__game"), user=user_id, power=OuterRef("power"))
    rows = Message.objects.annotate(
        held=FilteredRelation(held, condition=Q(**{f"{held}__user": user_id, f"{held}__until__isnull": True})),
        seen=FilteredRelation("thread__bookmarks", condition=Q(thread__bookmarks__user=user_id)),
        masters=Case(When(thread__game__gm=user_id, then=Value(True)), default=Value(False)),
    )
    mine = Q(held__isnull=False, sent__gte=F("held__since")) & ~Q(power=F("held__seat__power"))
    private = Q(thread__powers__contains=[F("held__seat__power")])
    sat = Q(held__isnull=True, masters=False) & Q(_for_a_sitter(user_id))
    return rows.filter(
        mine & (Q(thread__powers=[]) | private) | Q(held__isnull=True, masters=True, thread__powers=[]) | sat,
        Q(seen__isnull=True) | Q(number__gt=F("seen__number")),
        ~Exists(Withheld.objects.filter(message=OuterRef("pk"), user=user_id)),
        ~Exists(muted),
    ).exclude(masters=True, power="")


def _for_a_sitter(user_id: int) -> Exists:
    """Was the message written since this person began to sit, with messages, for a player who may read it?"""
    now = clock.now()
    sittings = Sitting.objects.filter(sitter=user_id, accepted=True, talks=True, ended__isnull=True, ends__gt=now)
    here = sittings.filter(occupancy__game=OuterRef("thread__game"), occupancy__until__isnull=True)
    begun = here.filter(begins__lte=now).filter(begins__lte=OuterRef("sent"))
    powers = ExpressionWrapper(OuterRef("thread__powers"), output_field=Thread._meta.get_field("powers"))
    readable = Q(powers=[]) | Q(powers__contains=[F("occupancy__seat__power")])
    return Exists(begun.exclude(occupancy__seat__power=OuterRef("power")).annotate(powers=powers).filter(readable))


def newest_public_message(game_id: int) -> int | None:
    """The number of the last public message in this game."""
    said = Message.objects.filter(thread__game_id=game_id, thread__powers=[])
    newest: int | None = said.aggregate(newest=Max("number"))["newest"]
    return newest
