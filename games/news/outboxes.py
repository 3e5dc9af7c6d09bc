"""Outboxes: tables of what individual users are to be told by email, on the site and on devices."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Generic, TypeVar

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from adjudication.turns import Turn
from games.kernel.access import GameAccess
from games.kernel.marks import InApi
from games.kernel.models import Game, Letter, Outgoing, Phase, Status
from games.kernel.news import NEWS_BY_LETTER, Topic
from games.kernel.page import Page
from games.news.log import has_newer_line
from variants.words.orders import phase_words

Reach = Callable[[Game], GameAccess | None]
Look = Callable[[int | None], "Page"]
Post = TypeVar("Post", bound=Outgoing)


@dataclass(frozen=True, slots=True)
class EmailSection:
    """A heading in an email and the text below it; `folded` if mail programs should fold it where they can."""

    heading: str
    lines: tuple[str, ...]
    folded: bool = False

    @property
    def text(self) -> str:
        return "\n".join((str(self.heading), *(f"  {line}" for line in self.lines)))


@dataclass(frozen=True, slots=True)
class EmailWords:
    """What an email about a game says under a title; `act` is the label of the button that leads to `path`, and
    `quoted` a message in full. `slug`: the game with whose emails it is grouped, "" for a reader who may no longer know
    about the game. `sections` say what happened in the phase whose picture is at the path `picture`, and `paint` makes
    that picture."""

    game: str
    title: str
    sentences: tuple[str, ...]
    path: str
    act: str
    closing: str = ""
    slug: str = ""
    quoted: str = ""
    sections: tuple[EmailSection, ...] = ()
    picture: str = ""
    paint: Callable[[], bytes] | None = None

    @property
    def subject(self) -> str:
        return f"{self.game}: {self.title}"

    @property
    def address(self) -> str:
        return settings.SITE_ADDRESS + self.path

    @property
    def paragraphs(self) -> tuple[str, ...]:
        happened = [section.text for section in self.sections]
        seen = _("Map: {address}").format(address=self.picture_address) if self.picture else ""
        paragraphs = (*self.sentences, self.quoted, self.address, *happened, seen, self.closing)
        return tuple(map(str, filter(None, paragraphs)))

    @property
    def picture_address(self) -> str:
        return settings.SITE_ADDRESS + self.picture


@dataclass(frozen=True, slots=True)
class InboxLine:
    """Something that you were told.

    The key contains no row number: rows are numbered across all users, so a number would show how much others write.
    `address` is the path it leads to.
    """

    key: Annotated[str, InApi("Identifies it among your own.")]
    at: Annotated[datetime, InApi("When it was written.")]
    game: Annotated[str, InApi("The name of the game or the tournament.")]
    sentence: Annotated[str, InApi("What you were told.")]
    address: str
    seen: Annotated[bool, InApi("It has been read.")]
    row: Any = field(repr=False, compare=False)


class Outbox(Generic[Post]):
    """One table and how to read its rows. A subject that has its own table declares its outbox in its `news.py`."""

    rows: QuerySet[Post]
    topic: Topic
    is_about_games = True
    """If not, its rows are only read here, as lines on the site: they are sent by their own subject."""
    is_secret = False
    """Whether it is a secret which of its rows have words. Then no row may show that: all are marked alike, and none is
    among the lines on the site."""

    def __init_subclass__(cls) -> None:
        (OUTBOXES if cls.is_about_games else APART).append(cls())

    def topic_of(self, _row: Post) -> Topic:
        return self.topic

    def game_of(self, row: Post) -> Game:
        raise NotImplementedError

    def link_of(self, _row: Post) -> str:
        """The secret of the invitation link, if the recipient may use it to see the game."""
        return ""

    def key_of(self, row: Post) -> str:
        """The key of this row, unique for its recipient."""
        raise NotImplementedError

    def words(self, row: Post, access: GameAccess, look: Look) -> EmailWords | None:
        """The email's words; None if it is outdated or not for this reader any more. `look` shows a phase."""
        raise NotImplementedError

    def notices(self, rows: Iterable[Post], reach: Reach) -> Iterator[InboxLine]:
        """The notices from the rows that a reader with this `reach` may still know about."""
        raise NotImplementedError

    def notice(self, row: Post, sentence: str, path: str) -> InboxLine:
        return InboxLine(
            self.key_of(row), row.written, self.game_of(row).name, sentence, path, row.seen is not None, row
        )


OUTBOXES: list[Outbox[Any]] = []
APART: list[Outbox[Any]] = []
"""Those that are not about games."""


class Letters(Outbox[Letter]):
    """The ordinary emails, whose words are declared with their kinds."""

    rows = Letter.objects.select_related("user", "game")

    def topic_of(self, row: Letter) -> Topic:
        news = NEWS_BY_LETTER[row.kind]
        assert news.topic is not None, "every email has a topic"
        return news.topic

    def game_of(self, row: Letter) -> Game:
        return row.game

    def link_of(self, row: Letter) -> str:
        """The link for invited users. Users who have just lost a place are told so without it."""
        news = NEWS_BY_LETTER[row.kind]
        return row.game.invitation if row.game.by_invitation and (news.invites or news.outside) else ""

    def key_of(self, row: Letter) -> str:
        return f"{row.game.slug}:{row.kind}:{row.written.isoformat()}"

    def words(self, row: Letter, _access: GameAccess, look: Look) -> EmailWords | None:
        view, news = look(row.ordinal), NEWS_BY_LETTER[row.kind]
        # Has the phase closed, or has later news replaced this letter, before the email was sent?
        is_stale = (
            (row.ordinal is not None and (view.head is None or not view.head.is_open))
            or (news.before_start and row.game.status != Status.OPEN)
            or (news.newest_only and has_newer_line(view, self.topic_of(row), row.written))
        )
        text = None if is_stale else news.text_for(view, row.user.time_zone)
        if text is None:
            return None
        title, sentences = text[0], tuple(filter(None, text[1]))
        link = self.link_of(row)
        if link and news.outside:
            return EmailWords(view.name, title, sentences, reverse("games:lobby"), _("See open games"))
        path = reverse("games:invited", args=[link]) if link else reverse(news.leads_to, args=[row.game.slug])
        act = _("Open the GM desk") if news.leads_to == "games:gm" else _("Open the game")
        words = EmailWords(view.name, title, sentences, path, act, slug=row.game.slug)
        result = view.part("result") if news.with_result else None
        if result is None:
            return words
        picture = reverse("games:picture", args=[row.game.slug, result.head.ordinal])
        closing, sections = view.part("sealed_record"), view.part("happened")
        return replace(words, closing=closing, sections=sections, picture=picture, paint=partial(view.part, "painted"))

    def notices(self, rows: Iterable[Letter], reach: Reach) -> Iterator[InboxLine]:
        letters = [letter for letter in rows if reach(letter.game) or NEWS_BY_LETTER[letter.kind].outside]
        phases = Phase.objects.filter(game__in={letter.game_id for letter in letters})
        turns = {(game, ordinal): turn for game, ordinal, turn in phases.values_list("game", "ordinal", "turn")}
        for letter in letters:
            sentence = NEWS_BY_LETTER[letter.kind].notice
            turn = turns.get((letter.game_id, letter.ordinal if letter.ordinal is not None else -1))
            if turn:
                sentence = f"{phase_words(Turn.from_code(turn))}: {sentence}"
            here = reach(letter.game) is not None
            path = (
                reverse(NEWS_BY_LETTER[letter.kind].leads_to, args=[letter.game.slug])
                if here
                else reverse("games:lobby")
            )
            yield self.notice(letter, sentence, path)
