"""News of messages: it says who has written but, except for the game master's announcements, not what."""

from collections.abc import Iterable, Iterator, Mapping

from django.urls import reverse
from django.utils.text import Truncator, capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.kernel import clock, codec
from games.kernel.access import GameAccess
from games.kernel.models import Game
from games.kernel.news import Topic
from games.news.outboxes import EmailWords, InboxLine, Look, Outbox, Reach
from games.press.markup import message_plain
from games.press.models import AnnouncementLetter, Message, PressLetter
from games.press.threads import EVERYBODY, ROOM, address_of, user_of_voice
from games.press.unread import first_authors

LONGEST_BEGINNING = 80


class Messages(Outbox[PressLetter]):
    rows = PressLetter.objects.select_related("user", "thread__game")
    topic = Topic.MESSAGE

    def game_of(self, row: PressLetter) -> Game:
        return row.thread.game

    def key_of(self, row: PressLetter) -> str:
        return reverse("games:thread", args=[row.thread.game.slug, address_of(tuple(row.thread.powers))])

    def words(self, row: PressLetter, access: GameAccess, _look: Look) -> EmailWords | None:
        """An email about new messages; None if the recipient may not see the thread any more, or has read it."""
        authors, game = first_authors(row.user_id, [access.game_id], clock.now()), row.thread.game.name
        author = _author_of_unread(row, authors)
        if author is None:
            return None
        powers = tuple(row.thread.powers)
        if powers == ROOM:
            sentence = _("{author} has sent a message in the waiting room.")
        else:
            sentence = (
                _("{author} has sent you a private message.")
                if powers
                else _("{author} has sent a message to everyone.")
            )
        return EmailWords(
            game,
            _("a message from {author}").format(author=author),
            (capfirst(sentence.format(author=author)),),
            self.key_of(row),
            _("Read the message"),
            _("We won’t email you about this conversation again until you’ve read it."),
            slug=row.thread.game.slug,
        )

    def notices(self, rows: Iterable[PressLetter], reach: Reach) -> Iterator[InboxLine]:
        rows_to_show = [row for row in rows if reach(row.thread.game)]
        readers = {row.user_id for row in rows_to_show}
        games = {row.thread.game_id for row in rows_to_show}
        authors = {reader: first_authors(reader, games, clock.now()) for reader in readers}
        for row in rows_to_show:
            author = _author_of_unread(row, authors[row.user_id])
            if author is not None:
                yield self.notice(row, _("A message from {author}.").format(author=author), self.key_of(row))


class Announcements(Outbox[AnnouncementLetter]):
    rows = AnnouncementLetter.objects.select_related("user", "message__thread__game")
    topic = Topic.ANNOUNCEMENT

    def game_of(self, row: AnnouncementLetter) -> Game:
        return row.message.thread.game

    def key_of(self, row: AnnouncementLetter) -> str:
        return f"{_address_of_everybody(self.game_of(row))}#{row.message.number}"

    def words(self, row: AnnouncementLetter, _access: GameAccess, _look: Look) -> EmailWords:
        game = self.game_of(row)
        return EmailWords(
            game.name,
            _("the game master writes: {beginning}").format(beginning=_beginning(row.message)),
            (_("The game master has written to everyone:"),),
            _address_of_everybody(game),
            _("Open the conversation"),
            slug=game.slug,
            quoted=row.message.text,
        )

    def notices(self, rows: Iterable[AnnouncementLetter], reach: Reach) -> Iterator[InboxLine]:
        for row in rows:
            if reach(self.game_of(row)):
                sentence = _("The game master writes: {beginning}").format(beginning=_beginning(row.message))
                yield self.notice(row, sentence, _address_of_everybody(self.game_of(row)))


def _address_of_everybody(game: Game) -> str:
    return reverse("games:thread", args=[game.slug, EVERYBODY])


def _beginning(message: Message) -> str:
    return Truncator(message_plain(message.text)).chars(LONGEST_BEGINNING)


def _author_of_unread(letter: PressLetter, authors: Mapping[int, str]) -> str | None:
    """The author of the first unread message there, worded for the middle of a sentence; None if all are read."""
    power = authors.get(letter.thread_id)
    if not power:
        return None if power is None else pgettext("the author of a message", "the game master")
    if user_of_voice(power) is not None:
        if tuple(letter.thread.powers) == ROOM:
            return pgettext("the author of a message", "a player")
        return pgettext("the author of a message", "a player without a seat")
    return codec.variant_of(letter.thread.game).power(power).called
