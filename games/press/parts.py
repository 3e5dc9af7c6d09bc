"""Messages, threads, the gallery and a player's notes."""

from dataclasses import dataclass
from datetime import datetime

from games.kernel.parts import GameCard, PowerCard


@dataclass(frozen=True, slots=True)
class MessageView:
    """`author` is the power that wrote it, None for the game master (`by_gm`) and for a player without a seat. `phase`
    says in words when in the game it was sent; with `opens_phase`, the message shown before it was sent in another
    phase, or there is none. `place` counts the messages of the thread that the reader may see, from 1; `muted` by the
    reader."""

    author: PowerCard | None
    author_name: str
    by_gm: bool
    mine: bool
    phase: str
    opens_phase: bool
    sent: datetime
    text: str
    place: int
    muted: bool


@dataclass(frozen=True, slots=True)
class ThreadHead:
    """A thread in the list. `address` ends its path; `powers` are the other powers in it. `with_gm`: a private word of
    the game master with one power."""

    address: str
    title: str
    public: bool
    with_gm: bool
    powers: tuple[PowerCard, ...]
    unread: int
    last: MessageView | None


@dataclass(frozen=True, slots=True)
class ThreadView:
    """A thread as one reader sees it. Places count the messages that this reader may see, from 1.

    `first` is the place of the first of `messages`, 0 without any; `last` is that of the last; `total` is the last
    place there is. `voices`: whom the reader may write as, as (value, words); without any, `silence` says why.
    `unheard` names the members that bots play, in a sentence. `joined`: the moment from which the reader sees private
    messages, if the seat had another player before.
    """

    head: ThreadHead
    messages: tuple[MessageView, ...]
    first: int
    last: int
    total: int
    voices: tuple[tuple[str, str], ...]
    silence: str
    unheard: str
    joined: datetime | None

    @property
    def first_new(self) -> int:
        """The place of the first of the newest messages that the reader has not seen before, 0 for none."""
        told = [message.place for message in self.messages if not message.mine and not message.muted]
        unread = self.head.unread if self.last == self.total else 0
        return told[-unread:][0] if unread and told else 0


@dataclass(frozen=True, slots=True)
class NewsView:
    """Messages that are not yet on a reader's page of a thread; `last` and `total` as in a thread."""

    messages: tuple[MessageView, ...]
    last: int
    total: int


@dataclass(frozen=True, slots=True)
class PieceView:
    text: str
    marked: bool


@dataclass(frozen=True, slots=True)
class FoundView:
    """A message with the words searched for: its thread, and its text in pieces, of which those found are marked.
    `before` is the place before which the thread is shown in order to see it."""

    message: MessageView
    address: str
    title: str
    before: int
    pieces: tuple[PieceView, ...]


@dataclass(frozen=True, slots=True)
class SearchView:
    """Newest first. `page` counts from 1; `has_more` pages after it."""

    found: tuple[FoundView, ...]
    total: int
    page: int
    has_more: bool


@dataclass(frozen=True, slots=True)
class RemarkView:
    """A remark at a place in the gallery, which counts from 1. `muted`: the reader has muted a power that the author
    played."""

    place: int
    author: str
    mine: bool
    sent: datetime
    text: str
    muted: bool


@dataclass(frozen=True, slots=True)
class GalleryView:
    """Remarks from the place `first` on, oldest first; places count from 1, and `first` is 0 without any remarks."""

    remarks: tuple[RemarkView, ...]
    first: int


@dataclass(frozen=True, slots=True)
class NotesView:
    """A player's notes for their own use; `version` counts the saves."""

    text: str
    version: int


@dataclass(frozen=True, slots=True)
class TalkView:
    """All threads of one reader, and the `others` to whom they may write in private.

    `version` is the game's public version, read before anything else. `unread` counts the messages in threads that are
    not shown.
    """

    game: GameCard
    version: str
    powers: tuple[PowerCard, ...]
    my_power: str | None
    threads: tuple[ThreadHead, ...]
    shown: ThreadView | None
    others: tuple[PowerCard, ...]
    unread: int
