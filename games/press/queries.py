"""The messages in a game, as far as a viewer may read them."""

from typing import Annotated, Any

from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404

from games.kernel.access import GameAccess, SeatAccess, standpoint_of
from games.kernel.marks import InApi
from games.kernel.members import when_became_master
from games.kernel.models import Game, Joiner, Right, Status
from games.kernel.page import Page, part
from games.kernel.rules import allowed
from games.kernel.windows import window
from games.press.models import Bookmark, Message, Notebook, Remark
from games.press.parts import GalleryView, MessageView, NewsView, NotesView, RemarkView, SearchView, TalkView
from games.press.rules import may_write_remark
from games.press.talk import ReadersTalk, unread_of
from games.press.threads import Powers, Reader, checked_powers_of
from games.press.unread import mutes_of

MOST_REMARKS = 100


def notes_view(seat: SeatAccess) -> NotesView:
    """This player's notes since they took the seat. Notes of former players are never shown to others."""
    notes = Notebook.objects.filter(occupancy_id=seat.occupancy_id).first()
    return NotesView(notes.text, notes.version) if notes else NotesView("", 0)


def reader_of(access: GameAccess) -> Reader:
    seat, game = access.voice, access.game
    is_member = access.seat is not None or access.is_gm or _has_joined(game, access.user_id)
    if seat is not None:
        return Reader(access.user_id, seat.power, seat.since, access.is_gm, is_member)
    user_id, writes = access.user_id, Right.TALK in game.rights_of(access.user_id)
    since = when_became_master(game, user_id) if writes and user_id is not None else None
    return Reader(user_id, None, since, access.is_gm, is_member)


def _has_joined(game: Game, user_id: int | None) -> bool:
    """Is this user waiting for a power, or were they when the game was closed? Nobody is after the start."""
    if user_id is None or game.status not in {Status.OPEN, Status.CLOSED}:
        return False
    return Joiner.objects.filter(game=game, user_id=user_id).exists()


def _talk_of(access: GameAccess) -> ReadersTalk:
    return ReadersTalk(access.game, reader_of(access))


def talk_view(
    access: GameAccess, address: str | None = None, *, before: int | None = None, after: int | None = None
) -> TalkView:
    """The threads that this viewer may read and, with an address, one thread in full (Http404 unless they may read it).

    That thread has its newest messages, or those before or after a place.
    """
    talk = _talk_of(access)
    return talk.talk_view(None if address is None else _readable_powers(talk, address), before=before, after=after)


def messages_readable_by(access: GameAccess) -> QuerySet[Message]:
    """All messages that this viewer may read, oldest first, each with whether its power is `muted` by them."""
    muted = mutes_of(access.user_id, access.game).filter(power=OuterRef("power"))
    rows = _talk_of(access).all_visible().annotate(muted=Exists(muted))
    return rows.select_related("thread").order_by("sent", "pk")


def news_view(access: GameAccess, address: str, *, after: int) -> NewsView:
    """The messages of a thread after a place; raises Http404 unless this viewer may read it."""
    talk = _talk_of(access)
    return talk.news_view(_readable_powers(talk, address), after=after)


def _readable_powers(talk: ReadersTalk, address: str) -> Powers:
    powers = checked_powers_of(address, talk.variant)
    if powers is None or not (powers in talk.thread_rows or talk.may_begin(powers)):
        raise Http404
    return powers


def gallery_view(access: GameAccess, *, before: int | None = None) -> GalleryView:
    """The newest remarks on a game that is over, or those before a place; raises Http404 before its end."""
    rows = _remarks_with_mutes(access)
    part = window(rows.count(), MOST_REMARKS, before=before)
    with_places = enumerate(rows[part.start : part.end], part.first)
    remarks = tuple(_remark_view(row, place, access.user_id) for place, row in with_places)
    return GalleryView(remarks, part.first if remarks else 0)


def remark_view(access: GameAccess, place: int) -> tuple[Remark, RemarkView]:
    """One remark from the gallery; raises Http404 if there is none, or no gallery yet."""
    rows = _remarks_with_mutes(access)
    if not 1 <= place <= rows.count():
        raise Http404
    row = rows[place - 1]
    return row, _remark_view(row, place, access.user_id)


def _remarks_with_mutes(access: GameAccess) -> QuerySet[Remark]:
    """Every remark on a finished game with its author, in order; `muted` if the reader has muted a power that the
    author played, as everyone may know by then who played which."""
    if not allowed(may_write_remark, standpoint_of(access)):
        raise Http404
    game, muted = access.game, mutes_of(access.user_id, access.game)
    muted_seats = game.occupancies.filter(user=OuterRef("user"), seat__power__in=muted.values("power"))
    return Remark.objects.filter(game=game).select_related("user").annotate(muted=Exists(muted_seats)).order_by("pk")


def _remark_view(row: Any, place: int, user_id: int | None) -> RemarkView:
    return RemarkView(place, row.user.get_username(), row.user_id == user_id, row.sent, row.text, row.muted)


def search_view(access: GameAccess, words: str, page: int) -> SearchView:
    """The messages that contain these words and that this viewer may read."""
    return _talk_of(access).search(words, page)


def message_view(access: GameAccess, address: str, place: int) -> tuple[Message, MessageView]:
    """One message with its view; raises Http404 unless this viewer may read it."""
    talk = _talk_of(access)
    message = talk.message_at(_readable_powers(talk, address), place)
    if message is None:
        raise Http404
    return message


def readers_of_announcement(game: Game) -> frozenset[int] | None:
    """The users who have read the game master's last announcement; None if there is none."""
    rows = Message.objects.filter(thread__game=game, thread__powers=[], power="").order_by("-number")
    position = rows.values_list("thread_id", "number").first()
    if position is None:
        return None
    thread, number = position
    readers = Bookmark.objects.filter(thread_id=thread, number__gte=number)
    return frozenset(readers.values_list("user_id", flat=True))


def unread_count(access: GameAccess) -> int:
    """How many unread messages this player, sitter, game master or user waiting for a power has; raises Http404 for
    anyone else."""
    if access.sheet is None and not access.is_gm and not _has_joined(access.game, access.user_id):
        raise Http404
    return unread_of(standpoint_of(access))


@part("unread")
def unread(page: Page) -> Annotated[int, InApi("How many messages you have not read.")]:
    """How many messages the viewer may read and has not read."""
    return unread_of(page.rows)
