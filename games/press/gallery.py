"""Remarks that anyone may write about a game once it is over."""

from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from games.kernel.models import Game
from games.kernel.windows import window
from games.press.models import Remark
from games.press.parts import GalleryView, RemarkView
from games.press.unread import muted_by

MOST_REMARKS = 100


def gallery_of(game: Game, user_id: int | None, *, before: int | None) -> GalleryView:
    """The newest remarks on a game that is over, or those before a place."""
    rows = _remarks_of(game, user_id)
    shown = window(rows.count(), MOST_REMARKS, before=before)
    placed = enumerate(rows[shown.start : shown.end], shown.first)
    remarks = tuple(_remark(row, place, user_id) for place, row in placed)
    return GalleryView(remarks, shown.first if remarks else 0)


def remark_at(game: Game, user_id: int | None, place: int) -> tuple[Remark, RemarkView] | None:
    """The remark at a place in the gallery; None if there is none."""
    rows = _remarks_of(game, user_id)
    if not 1 <= place <= rows.count():
        return None
    row = rows[place - 1]
    return row, _remark(row, place, user_id)


def _remarks_of(game: Game, user_id: int | None) -> QuerySet[Remark]:
    """Every remark on a game with its author, in the order of their places; `muted` if the reader has muted a power
    that the author played. By then everyone may know who played which."""
    played = game.occupancies.filter(user=OuterRef("user"), seat__power__in=muted_by(user_id, game).values("power"))
    return Remark.objects.filter(game=game).select_related("user").annotate(muted=Exists(played)).order_by("pk")


def _remark(row: Any, place: int, user_id: int | None) -> RemarkView:
    return RemarkView(place, row.user.get_username(), row.user_id == user_id, row.sent, row.text, row.muted)
