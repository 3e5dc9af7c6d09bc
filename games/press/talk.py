"""The messages in a game that one reader may see, and where that reader may write."""

import re
from datetime import datetime
from functools import cached_property
from itertools import pairwise
from operator import itemgetter
from typing import Any

from django.contrib.auth import get_user_model
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from adjudication.turns import Turn
from games.kernel import codec
from games.kernel.cards import card_of_game
from games.kernel.languages import later
from games.kernel.live import version_as_read
from games.kernel.models import Block, Game, Phase
from games.kernel.options import Names
from games.kernel.parts import PowerCard
from games.kernel.queries import card_of_power
from games.kernel.rules import allowed, why_not
from games.kernel.standpoint import Standpoint
from games.kernel.windows import window
from games.press import threads
from games.press.models import Message
from games.press.options import GmWords, Press, Talk
from games.press.parts import FoundView, MessageView, NewsView, PieceView, SearchView, TalkView, ThreadHead, ThreadView
from games.press.rules import may_write, may_write_as_gm, users_waiting_for_seat
from games.press.unread import mutes_of, unread_by_game, unread_by_thread
from variants.words.english import listed
from variants.words.orders import phase_words

GAME_MASTER = later("Game master")
AS_POWER, AS_GM = "power", "gm"
MOST_MESSAGES = 100
FOUND_ON_A_PAGE, AROUND, SHOWN_AFTER = 20, 120, 10


def unread_of(here: Standpoint) -> int:
    """How many unread messages a player, a sitter or the game master has; 0 for anyone else."""
    if here.user_id is None:
        return 0
    return unread_by_game(here.user_id, [here.game.pk], here.now).get(here.game.pk, 0)


def _pieces_around_match(text: str, words: str) -> tuple[PieceView, ...]:
    """The text in pieces, with matches marked. Of a long text, only the part around the first match."""
    start = max(0, text.casefold().find(words.casefold()) - AROUND)
    part = text[start : start + 3 * AROUND]
    split = re.split(f"({re.escape(words)})", part, flags=re.IGNORECASE)
    before, after = "… " if start else "", " …" if start + len(part) < len(text) else ""
    pieces = [(before, False), *((piece, bool(number % 2)) for number, piece in enumerate(split)), (after, False)]
    return tuple(PieceView(piece, is_match) for piece, is_match in pieces if piece)


class ReadersTalk:
    """Turns rows into words for one reader."""

    def __init__(self, game: Game, reader: threads.Reader) -> None:
        self.game = game
        self.variant = codec.variant_of(game)
        self.reader = reader
        self.here = Standpoint(game, reader.user_id)

    def talk_view(self, powers: threads.Powers | None, *, before: int | None, after: int | None) -> TalkView:
        """The list of the reader's threads and, if `powers` are given, the thread of these with its messages."""
        thread = None if powers is None else self.thread_view(powers, before=before, after=after)
        # The public thread, then private ones with messages, newest first, then each power without any.
        pairs = {tuple(sorted((power.id, str(self.reader.power)))) for power in self.other_powers()}
        all_powers = pairs | self._threads_with_gm()
        if not self.game.options[Talk].why_no_room and self.may_begin(threads.ROOM):
            all_powers.add(threads.ROOM)
        private = {powers: self.thread_head(powers) for powers in sorted(all_powers | (set(self.thread_rows) - {()}))}
        with_messages = [(head.last.sent, head) for head in private.values() if head.last is not None]
        newest_first = [head for _sent, head in sorted(with_messages, key=itemgetter(0), reverse=True)]
        empty = [head for powers, head in private.items() if head.last is None and powers in all_powers]
        heads = (self.thread_head(()), *newest_first, *empty)
        return TalkView(
            game=card_of_game(self.here, unread=sum(head.unread for head in heads)),
            version=version_as_read(self.game),
            powers=tuple(map(card_of_power, self.variant.powers)),
            my_power=self.reader.power,
            threads=heads,
            shown=thread,
            others=self.other_powers(),
            unread=sum(head.unread for head in heads if thread is None or head.address != thread.head.address),
        )

    def message_at(self, powers: threads.Powers, place: int) -> tuple[Message, MessageView] | None:
        """The message at a place of a thread; None if there is none."""
        rows = self.visible(powers)
        if not 1 <= place <= rows.count():
            return None
        row = rows[place - 1]
        return row, self.message_view(row, place=place)

    def search(self, words: str, page: int) -> SearchView:
        """A page of the messages with these words in all threads that the reader may read."""
        rows = self.all_visible().filter(text__icontains=words).order_by("-sent", "-pk")
        page_shown = Paginator(rows.select_related("thread"), FOUND_ON_A_PAGE).get_page(max(1, page))
        return SearchView(
            found=tuple(self.found_view(row, words) for row in page_shown),
            total=page_shown.paginator.count,
            page=page_shown.number,
            has_more=page_shown.has_next(),
        )

    @cached_property
    def thread_rows(self) -> dict[threads.Powers, Any]:
        return threads.threads_of(self.game, self.reader)

    @cached_property
    def unread_counts(self) -> dict[int, int]:
        return unread_by_thread(self.reader.user_id, self.game.pk, self.here.now)

    @cached_property
    def game_began(self) -> datetime | None:
        return Phase.objects.filter(game=self.game).order_by("ordinal").values_list("opened", flat=True).first()

    @cached_property
    def newest_by_thread(self) -> dict[int, Message]:
        """The newest message of each thread that this reader may see."""
        rows = self.all_visible()
        return {message.thread_id: message for message in rows.order_by("thread", "-number").distinct("thread")}

    def all_visible(self) -> QuerySet[Message]:
        """Every message of every thread that the reader may see."""
        condition = Q(thread__powers=[]) | Q(thread__powers=list(threads.ROOM))
        condition |= Q(thread__powers__contains=[self.reader.voice_without_seat])
        if self.reader.since is not None:
            condition |= Q(sent__gte=self.reader.since)
        rows = Message.objects.filter(thread__in=list(self.thread_rows.values()))
        return threads.without_blocked(self.reader, rows.filter(condition))

    def found_view(self, row: Message, words: str) -> FoundView:
        powers = tuple(row.thread.powers)
        place = self.visible(powers).filter(number__lte=row.number).count()
        return FoundView(
            message=self.message_view(row, place=place),
            address=threads.address_of(powers),
            title=self._title(powers),
            before=place + SHOWN_AFTER,
            pieces=_pieces_around_match(row.text, words),
        )

    def other_powers(self) -> tuple[PowerCard, ...]:
        """The powers the reader may write to in private."""
        if self.reader.power is None or self.game.options[Talk].press != Press.FULL:
            return ()
        return tuple(card_of_power(power) for power in self.variant.powers if power.id != self.reader.power)

    def _threads_with_gm(self) -> set[threads.Powers]:
        """The private threads with the game master that the reader may have."""
        if self.reader.user_id is None or not self.game.options[GmWords].allowed:
            return set()
        if self.reader.power is not None:
            return {(threads.GM, self.reader.power)}
        of_waiting_users: set[threads.Powers] = {
            (threads.GM, threads.voice_of_waiting_user(user_id)) for user_id in self.names_waiting
        }
        if self.reader.voice == threads.GM:
            return of_waiting_users | {(threads.GM, power.id) for power in self.variant.powers}
        return of_waiting_users & {(threads.GM, self.reader.voice_without_seat)}

    @cached_property
    def names_waiting(self) -> dict[int, str]:
        """The names of users who wait for a seat, as far as this reader may know them: only their own or, for people
        who write as the game master, those of everyone whom they have not blocked."""
        waiting, reader_id = users_waiting_for_seat(self.game), self.reader.user_id
        known = waiting if self.reader.voice == threads.GM else waiting & {reader_id}
        rows = get_user_model().objects.filter(pk__in=known)
        rows = rows.exclude(pk__in=Block.objects.filter(by=reader_id).values("whom"))
        return dict(rows.values_list("pk", "username"))

    @cached_property
    def names_by_user(self) -> dict[int, str]:
        """The reader's name, and the names of users who wait or waited for a seat, if the reader may know them."""
        room = self.thread_rows.get(threads.ROOM)
        voices = room.messages.values_list("power").distinct() if room else ()
        user_ids = {self.reader.user_id, *map(threads.waiting_user_of, (*self.thread_rows, *voices))}
        rows = get_user_model().objects.filter(pk__in=[user_id for user_id in user_ids if user_id is not None])
        return {**dict(rows.values_list("pk", "username")), **self.names_waiting}

    def may_begin(self, powers: threads.Powers) -> bool:
        """May the reader see the thread of these powers even if nothing is written there yet?"""
        user_id = threads.waiting_user_of(powers)
        return threads.may_begin(self.game, self.reader, powers) and (user_id is None or user_id in self.names_waiting)

    def thread_head(self, powers: threads.Powers) -> ThreadHead:
        thread = self.thread_rows.get(powers)
        last_message = self.newest_by_thread.get(thread.pk) if thread else None
        return ThreadHead(
            address=threads.address_of(powers),
            title=self._title(powers),
            public=not powers,
            with_gm=threads.GM in powers,
            before_start=powers == threads.ROOM,
            powers=self._others_in(powers),
            unread=self.unread_counts.get(thread.pk, 0) if thread else 0,
            last=self.message_view(last_message) if last_message else None,
        )

    def _others_in(self, powers: threads.Powers) -> tuple[PowerCard, ...]:
        others = self.power_ids - {self.reader.power}
        return tuple(card_of_power(self.variant.power(power)) for power in powers if power in others)

    def _title(self, powers: threads.Powers) -> str:
        if not powers:
            return _("Everyone")
        if powers == threads.ROOM:
            return _("Talk before the start")
        user_id = threads.waiting_user_of(powers)
        if user_id is not None and user_id != self.reader.user_id:
            return self.names_by_user[user_id]
        return listed([power.name for power in self._others_in(powers)]) or GAME_MASTER

    @cached_property
    def power_ids(self) -> set[str]:
        return {power.id for power in self.variant.powers}

    @cached_property
    def muted_powers(self) -> set[str]:
        if self.reader.user_id is None:
            return set()
        return set(mutes_of(self.reader.user_id, self.game).values_list("power", flat=True))

    def message_view(self, message: Message, before: Message | None = None, *, place: int = 0) -> MessageView:
        author = card_of_power(self.variant.power(message.power)) if message.power in self.power_ids else None
        room = self.thread_rows.get(threads.ROOM)
        in_room = room is not None and message.thread_id == room.pk
        return MessageView(
            author=author,
            author_name=author.name if author else self._name_of(message.power, in_room=in_room),
            by_gm=message.power == threads.GM,
            mine=message.power in self.reader.voices,
            phase=self._phase_when_sent(message),
            opens_phase=before is None or self._phase_when_sent(before) != self._phase_when_sent(message),
            sent=message.sent,
            text=message.text,
            place=place,
            muted=message.power in self.muted_powers,
        )

    def _name_of(self, voice: str, *, in_room: bool) -> str:
        """The name of an author who is not a power. In the waiting room there are no names while the terms hide them,
        nor for messages written while they did."""
        user_id = threads.waiting_user_of((voice,))
        if user_id is None or (in_room and self.game.options[Names].hidden_names):
            return _("A player") if voice else GAME_MASTER
        return self.names_by_user[user_id]

    def _phase_when_sent(self, message: Message) -> str:
        if message.turn:
            return phase_words(Turn.from_code(message.turn))
        started = self.game_began is not None and message.sent >= self.game_began
        return _("after the end") if started else _("before the start")

    def thread_view(self, powers: threads.Powers, *, before: int | None, after: int | None) -> ThreadView:
        rows = self.visible(powers)
        part = window(rows.count(), MOST_MESSAGES, before=before, after=after)
        messages = self._messages(rows, part.start, part.end, continued=False)
        voices = self._voices(powers)
        return ThreadView(
            head=self.thread_head(powers),
            messages=messages,
            first=part.first if messages else 0,
            last=part.end,
            total=part.total,
            voices=voices,
            silence="" if voices else self._why_silent(powers),
            unheard=self._bot_notice(powers),
            joined=self._joined_after_start(powers),
        )

    def news_view(self, powers: threads.Powers, *, after: int) -> NewsView:
        rows = self.visible(powers)
        total = rows.count()
        return NewsView(self._messages(rows, min(after, total), total, continued=True), last=total, total=total)

    def visible(self, powers: threads.Powers) -> QuerySet[Message]:
        thread = self.thread_rows.get(powers)
        return threads.messages_in_thread(self.reader, thread) if thread else Message.objects.none()

    def _messages(self, rows: QuerySet[Message], start: int, end: int, *, continued: bool) -> tuple[MessageView, ...]:
        """These rows as messages. `continued`: the reader already sees the message before them."""
        with_previous = list(rows[start - 1 : end]) if continued and start else [None, *rows[start:end]]
        return tuple(
            self.message_view(row, previous, place=place)
            for place, (previous, row) in enumerate(pairwise(with_previous), start + 1)
            if row
        )

    def _voices(self, powers: threads.Powers) -> tuple[tuple[str, str], ...]:
        voices, is_room = [], powers == threads.ROOM
        own = threads.voice_in_room(self.game, self.reader.user_id) if is_room else self.reader.voice_without_seat
        if (is_room or own in powers) and allowed(may_write, self.here, powers):
            voices.append((AS_POWER, self._name_of(own, in_room=is_room)))
        elif not is_room and self.reader.power is not None and allowed(may_write, self.here, powers):
            voices.append((AS_POWER, self.variant.power(self.reader.power).name))
        if self.reader.voice_without_seat not in powers and allowed(may_write_as_gm, self.here, powers):
            voices.append((AS_GM, GAME_MASTER))
        return tuple(voices)

    def _why_silent(self, powers: threads.Powers) -> str:
        in_room = powers == threads.ROOM and not self.reader.is_gm
        if in_room or self.reader.power is not None or self.reader.voice_without_seat in powers:
            return why_not(may_write, self.here, powers)
        if self.reader.is_gm:
            return why_not(may_write_as_gm, self.here, powers)
        return _("You’re watching. Only players and the game master can write here.")

    def _bot_notice(self, powers: threads.Powers) -> str:
        """A warning, as in "France is played by a bot, which doesn’t read or answer messages."."""
        bots = [
            power
            for power in powers
            if power in self.power_ids and (holder := self.here.holder(power)) and holder.user.is_bot
        ]
        if not bots:
            return ""
        sentence = ngettext(
            "{powers} is played by a bot, which doesn’t read or answer messages.",
            "{powers} are played by bots, which don’t read or answer messages.",
            len(bots),
        )
        return sentence.format(powers=listed([self.variant.power(power).name for power in bots]))

    def _joined_after_start(self, powers: threads.Powers) -> datetime | None:
        """When the reader took the seat, if that was after the start."""
        since = self.reader.since
        return since if self.reader.voice in powers and since and self.game_began and since > self.game_began else None
