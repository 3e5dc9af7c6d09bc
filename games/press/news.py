"""News of messages: that somebody has written, never what."""

from collections.abc import Iterable, Iterator

from django.urls import reverse
from django.utils.text import capfirst

from games.kernel import codec
from games.kernel.access import GameAccess
from games.kernel.models import Game
from games.kernel.news import Topic
from games.news.outboxes import InboxLine, Look, Outbox, Reach, Words
from games.press.models import PressLetter
from games.press.queries import unread_message
from games.press.talk import address_of


class Messages(Outbox[PressLetter]):
    rows = PressLetter.objects.select_related("user", "thread__game")
    topic = Topic.MESSAGE

    def game_of(self, row: PressLetter) -> Game:
        return row.thread.game

    def key_of(self, row: PressLetter) -> str:
        return reverse("games:thread", args=[row.thread.game.slug, address_of(tuple(row.thread.powers))])

    def words(self, row: PressLetter, access: GameAccess, _look: Look) -> Words | None:
        """None if the recipient may no longer see the thread, or has read it."""
        author, game = _unread_from(access, row), row.thread.game.name
        if author is None:
            return None
        what = "you a private message" if row.thread.powers else "a message to everyone"
        return Words(
            f"{game}: a message from {author}",
            (f"{capfirst(author)} has sent {what}.",),
            self.key_of(row),
            "Read the message",
            "We won’t email you about this conversation again until you’ve read it.",
        )

    def notices(self, rows: Iterable[PressLetter], reach: Reach) -> Iterator[InboxLine]:
        for row in rows:
            access = reach(row.thread.game)
            author = _unread_from(access, row) if access else None
            if author is not None:
                yield self.notice(row, f"A message from {author}.", self.key_of(row))


def _unread_from(access: GameAccess, letter: PressLetter) -> str | None:
    """The author of the first unread message there, as in the middle of a sentence; None if all is read."""
    message = unread_message(access, letter.thread)
    if message is None:
        return None
    if not message.author:
        return "the game master"
    return codec.variant_of(letter.thread.game).power(message.author.id).called
