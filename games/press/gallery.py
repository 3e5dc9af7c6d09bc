"""Remarks that anyone may write about a game once it is over."""

from django.db.models import QuerySet

from games.kernel.models import Game
from games.kernel.windows import window
from games.press.models import Remark
from games.press.parts import GalleryView, RemarkView

MOST_REMARKS = 100


def gallery_of(game: Game, user_id: int | None, *, before: int | None) -> GalleryView:
    """The newest remarks on a game that is over, or those before a place."""
    rows = _remarks_of(game)
    shown = window(rows.count(), MOST_REMARKS, before=before)
    placed = enumerate(rows[shown.start : shown.end], shown.first)
    remarks = tuple(_remark(row, place, user_id) for place, row in placed)
    return GalleryView(remarks, shown.first if remarks else 0)


def remark_at(game: Game, user_id: int | None, place: int) -> tuple[Remark, RemarkView] | None:
    """The remark at a place in the gallery; None if there is none."""
    rows = _remarks_of(game)
    if not 1 <= place <= rows.count():
        return None
    row = rows[place - 1]
    return row, _remark(row, place, user_id)


def _remarks_of(game: Game) -> QuerySet[Remark]:
    """Every remark on a game with its author, in the order of their places."""
    return Remark.objects.filter(game=game).select_related("user").order_by("pk")


def _remark(row: Remark, place: int, user_id: int | None) -> RemarkView:
    return RemarkView(place, row.user.get_username(), row.user_id == user_id, row.sent, row.text)
