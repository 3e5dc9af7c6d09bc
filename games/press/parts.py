"""Messages, threads, the gallery and a player's notes."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from games.kernel.marks import InApi
from games.kernel.parts import GameCard, PowerCard


@dataclass(frozen=True, slots=True)
class MessageView:
    """A message.

    `by_gm`: the game master wrote it.
    """

    author: Annotated[
        PowerCard | None,
        InApi("The power that wrote it; null for the game master, without a seat, and before the start."),
    ]
    author_name: Annotated[
        str, InApi("Its name for display; “A player” if it was written before the start of an anonymous game.")
    ]
    by_gm: bool
    mine: Annotated[bool, InApi("You wrote it.")]
    phase: Annotated[str, InApi("In which phase of the game, in words.")]
    opens_phase: Annotated[bool, InApi("The message before it was written in another phase.")]
    sent: Annotated[datetime, InApi("When it was sent.")]
    text: Annotated[str, InApi("What it says.")]
    place: Annotated[int, InApi("Its place in the conversation as you see it, from 1; 0 in the list of conversations.")]
    muted: Annotated[bool, InApi("You have muted the author.")]


@dataclass(frozen=True, slots=True)
class ThreadHead:
    """A conversation in the list."""

    address: Annotated[
        str,
        InApi(
            "Names it in addresses: “everybody”, “waiting-room”, or its powers in order, as in “FRANCE+ITALY” or "
            "“gm+ITALY”."
        ),
    ]
    title: Annotated[str, InApi("Its name for display.")]
    public: Annotated[bool, InApi("Everyone can read it.")]
    with_gm: Annotated[bool, InApi("It is private between the game master and one power.")]
    before_start: Annotated[
        bool,
        InApi("It is that of the waiting room: between all who have a place and the game master, until the start."),
    ]
    powers: Annotated[
        tuple[PowerCard, ...],
        InApi("The other powers in it; empty in the public one, and in a player’s with the game master."),
    ]
    unread: Annotated[int, InApi("How many messages you have not read.")]
    last: Annotated[MessageView | None, InApi("The newest message; null without any.")]


@dataclass(frozen=True, slots=True)
class ThreadView:
    """A thread as one reader sees it. Places count the messages that this reader may see, from 1.

    `first` is the place of the first of `messages`, 0 without any; `last` is that of the last.
    """

    head: Annotated[ThreadHead, InApi("The conversation.")]
    messages: tuple[MessageView, ...]
    first: int
    last: int
    total: Annotated[int, InApi("How many messages it has that you may see.")]
    voices: Annotated[
        tuple[tuple[str, str], ...],
        InApi("As whom you may write: “power” or “gm”, with the words for it; empty if you may not."),
    ]
    silence: Annotated[str, InApi("Why you may not write; empty if you may.")]
    unheard: Annotated[str, InApi("Which of its powers bots play, who don’t read messages; empty if none.")]
    joined: Annotated[
        datetime | None, InApi("Since when you see private messages, if the seat had another player before; else null.")
    ]

    @property
    def first_new(self) -> int:
        """The place of the first of the newest messages that the reader has not seen before, 0 for none."""
        places = [message.place for message in self.messages if not message.mine and not message.muted]
        unread = self.head.unread if self.last == self.total else 0
        return places[-unread:][0] if unread and places else 0


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
    """The conversations that you may read.

    `shown`: the conversation that was asked for, whose messages don't count among the `unread`. `version` is read
    before anything else.
    """

    game: Annotated[GameCard, InApi("The game.")]
    version: Annotated[str, InApi("Changes whenever something public changes in the game.")]
    powers: Annotated[tuple[PowerCard, ...], InApi("All powers.")]
    my_power: Annotated[str | None, InApi("The id of the power you play; null if you play none.")]
    threads: Annotated[tuple[ThreadHead, ...], InApi("The public conversation, then private ones, newest first.")]
    shown: ThreadView | None
    others: Annotated[tuple[PowerCard, ...], InApi("The powers you may write to in private.")]
    unread: Annotated[int, InApi("How many messages you have not read, in all conversations.")]

    @property
    def my_power_name(self) -> str:
        """As on a `Page`."""
        return next((power.name for power in self.powers if power.id == self.my_power), "")
