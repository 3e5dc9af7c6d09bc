"""The people in a conversation, its address, and what one reader may see of it.

The public thread has no powers and is for everybody. A private thread is for the powers in it: nobody else is told that
it exists, and a new player in a seat sees only messages from after they took it. The private thread of the game master
with one power has the powers `GM` and that power; with a user who waits for a seat, `GM` and that user. A new game
master, too, sees only later messages. Until the start, players with a place and the game master talk in `ROOM`, which
all players of the game can read later.
"""

import re
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet, TextField, Value
from django.db.models.functions import Cast, Concat

from games.kernel.models import Block, Game, Status
from games.kernel.options import Names
from games.kernel.queries import NOBODY
from games.press.models import Bookmark, Message, Thread
from games.press.options import GmWords, Press, Talk
from variants.variant import Variant

EVERYBODY = "everybody"
JOINT = "+"
GM, GM_ADDRESS = "", "gm"
"""The game master among the powers of a thread, and in its address."""

WAITING, NAMELESS = "@", "?"
"""Before the number of a user who waits for a seat, in place of a power. In an anonymous game the author of a message
in the waiting room is nameless, whatever the terms say later."""

WAITING_ID = re.compile(rf"{WAITING}[1-9][0-9]{{0,17}}")
Powers = tuple[str, ...]
ROOM: Powers = ("waiting-room",)


def voice_of_waiting_user(user_id: int) -> str:
    return f"{WAITING}{user_id}"


def voice_in_room(game: Game, user_id: int | None) -> str:
    return f"{NAMELESS if game.options[Names].hidden_names else WAITING}{user_id or NOBODY}"


def user_of_voice(voice: str) -> int | None:
    """The user behind this voice, if it is that of a person without a power; otherwise None."""
    return int(voice[1:]) if voice.startswith((WAITING, NAMELESS)) else None


def waiting_user_of(powers: Powers) -> int | None:
    """The user who waits, or waited, for a seat and has this thread with the game master; None for other threads."""
    return next((user_of_voice(power) for power in powers if power.startswith(WAITING)), None)


def address_of(powers: Powers) -> str:
    """The end of a thread's path: "everybody", or its powers in order, as in "FRANCE+ITALY" and "gm+ITALY"."""
    return JOINT.join(power or GM_ADDRESS for power in sorted(powers)) or EVERYBODY


def powers_of(address: str) -> Powers:
    if address == EVERYBODY:
        return ()
    return tuple(GM if power == GM_ADDRESS else power for power in address.split(JOINT))


def checked_powers_of(address: str, variant: Variant) -> Powers | None:
    """The powers of the thread at this address; None if no thread can have it."""
    powers = powers_of(address)
    possible = {GM, *ROOM, *(power.id for power in variant.powers), *filter(WAITING_ID.fullmatch, powers)}
    is_in_order = powers == tuple(sorted(set(powers))) and address == address_of(powers)
    return powers if is_in_order and possible.issuperset(powers) and is_possible(powers) else None


def is_possible(powers: Powers) -> bool:
    """Is this thread for everybody, the waiting room, several powers, or the game master and someone else?"""
    if not powers or ROOM[0] in powers:
        return powers in ((), ROOM)
    is_pair = GM in powers and len(powers) == 2  # noqa: PLR2004
    return is_pair or (len(powers) > 1 and GM not in powers and waiting_user_of(powers) is None)


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader of a game's messages; `power` and `since` are those of their seat, None without one. `is_gm`: the game
    master or an assistant; if they may write as the game master, `since` is when they began to run the game.
    `is_member`: they run the game, have a seat of their own, or wait for one."""

    user_id: int | None
    power: str | None
    since: datetime | None
    is_gm: bool
    is_member: bool

    @property
    def voice(self) -> str | None:
        """The member of a private thread's powers that stands for this reader."""
        return GM if self.power is None and self.since is not None else self.power

    @property
    def voice_without_seat(self) -> str:
        """The voice of this reader if they had no seat."""
        return voice_of_waiting_user(self.user_id or NOBODY)

    @property
    def voices(self) -> tuple[str, ...]:
        """The voices in which this reader may have written."""
        without_seat = (self.voice_without_seat, f"{NAMELESS}{self.user_id or NOBODY}")
        return (*([self.power] if self.power else []), *([GM] if self.is_gm else []), *without_seat)

    @property
    def bookmarks(self) -> QuerySet[Bookmark]:
        return Bookmark.objects.none() if self.user_id is None else Bookmark.objects.filter(user_id=self.user_id)


def may_begin(game: Game, reader: Reader, powers: Powers) -> bool:
    """May this reader see the thread of these powers even if nothing is written there yet?"""
    if powers == ROOM:
        return reader.is_member and game.status == Status.OPEN
    is_open = game.options[GmWords].allowed if GM in powers else game.options[Talk].press == Press.FULL
    return not powers or (is_open and (reader.voice in powers or reader.voice_without_seat in powers))


def threads_of(game: Game, reader: Reader) -> dict[Powers, Thread]:
    """The reader's threads in which something has been written, even if the terms no longer allow them."""
    private = [reader.voice, reader.voice_without_seat, *(ROOM if reader.is_member else ())]
    rows = Thread.objects.filter(Q(powers=[]) | Q(powers__overlap=private), game=game)
    return {tuple(thread.powers): thread for thread in rows}


def messages_in_thread(reader: Reader, thread: Thread) -> QuerySet[Message]:
    """The messages of a thread that this reader may see, oldest first, if they may read the thread at all."""
    rows = without_blocked(reader, Message.objects.filter(thread=thread).order_by("number"))
    return rows.filter(sent__gte=reader.since) if reader.voice in thread.powers else rows


def without_blocked(reader: Reader, rows: QuerySet[Message]) -> QuerySet[Message]:
    """The messages without those by people whom the reader had blocked when they were sent. In the waiting room, which
    shows what was said before the reader came, also without those by people whom they block now."""
    if reader.user_id is None:
        return rows
    blocked = Block.objects.filter(by=reader.user_id)
    voices = blocked.values_list(Concat(Value(WAITING), Cast("whom_id", TextField()), output_field=TextField()))
    rows = rows.exclude(withheld__user_id=reader.user_id)
    # Where names are hidden, whom a block silences would tell who wrote.
    names_shown = ~Q(thread__game__stored_options__contains={"hidden_names": True})
    return rows.exclude(names_shown, thread__powers=list(ROOM), power__in=voices)
