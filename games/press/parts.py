"""Messages, threads, the gallery and a player's notes."""

from dataclasses import dataclass
from datetime import datetime

from games.kernel.parts import GameCard, PowerCard


@dataclass(frozen=True, slots=True)
class MessageView:
    """`author` is None for the game master. `phase` says in words when in the game it was sent; with
    `opens_phase` the message before it was sent in another phase, or none is shown before it. `place` counts from 1
    what the reader may see of the thread; `muted` by the reader."""

    author: PowerCard | None
    author_name: str
    mine: bool
    phase: str
    opens_phase: bool
    sent: datetime
    text: str
    place: int
    muted: bool


@dataclass(frozen=True, slots=True)
class ThreadHead:
    """A thread in the list. `address` ends its path; `powers` are the other members, none in the public one."""

    address: str
    title: str
    public: bool
    powers: tuple[PowerCard, ...]
    unread: int
    last: MessageView | None


@dataclass(frozen=True, slots=True)
class ThreadView:
    """A thread as one reader sees it. Places count from 1 the messages that this reader may see.

    `first` is the place of the first of `messages`, 0 without any; `last` that of the last; `total` is the
    last place there is. `voices`: as whom the reader may write, as (value, words); without one, `silence`
    says why. `joined`: since when the reader sees private words, where the seat had another holder before.
    """

    head: ThreadHead
    messages: tuple[MessageView, ...]
    first: int
    last: int
    total: int
    voices: tuple[tuple[str, str], ...]
    silence: str
    joined: datetime | None


@dataclass(frozen=True, slots=True)
class NewsView:
    """What a reader has not yet on his page of a thread; `last` and `total` as in a thread."""

    messages: tuple[MessageView, ...]
    last: int
    total: int


@dataclass(frozen=True, slots=True)
class PieceView:
    text: str
    marked: bool


@dataclass(frozen=True, slots=True)
class FoundView:
    """A message that holds the words searched for: in which thread it stands, and its text in pieces, those marked
    that were found. `before` is the place up to which the thread is shown to see it."""

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
    """A remark at a place of the gallery, which counts from 1."""

    place: int
    author: str
    mine: bool
    sent: datetime
    text: str


@dataclass(frozen=True, slots=True)
class GalleryView:
    """Remarks from the place `first` on, which counts from 1, oldest first; 0 without any."""

    remarks: tuple[RemarkView, ...]
    first: int


@dataclass(frozen=True, slots=True)
class NotesView:
    """What a player has noted for himself; `version` counts the saves."""

    text: str
    version: int


@dataclass(frozen=True, slots=True)
class TalkView:
    """All threads of one reader, and the `others` with whom he may talk in private.

    `version` is the game's public one before anything else was read. `unread` counts the messages in the threads that
    are not shown.
    """

    game: GameCard
    version: str
    powers: tuple[PowerCard, ...]
    my_power: str | None
    threads: tuple[ThreadHead, ...]
    shown: ThreadView | None
    others: tuple[PowerCard, ...]
    unread: int
