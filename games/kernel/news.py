"""Kinds of news, each declared once in the `news.py` of the subject that makes it; and telling them, in the transaction
in which they happen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import models

from games.kernel.after_commit import ring
from games.kernel.live import announce
from games.kernel.models import Event, Game, Letter
from games.kernel.refusals import BadReason

if TYPE_CHECKING:
    from games.pages.parts import PhaseView

LONGEST_REASON = 300
"""Of the reasons that people give for what they do, as everybody reads them in the public log."""


class Topic(models.TextChoices):
    """The kinds of news among which people choose."""

    DUE = "due", "The deadline is near and I have saved nothing"
    PHASE = "phase", "A new phase in which I must decide"
    TIMETABLE = "timetable", "A deadline moves, or the clock is stopped"
    MESSAGE = "message", "Messages that I have not read"
    GAME = "game", "A game begins or ends, and its roll call"
    PROPOSAL = "proposal", "A proposal to end a game"
    SEAT = "seat", "Seats that I am given, offered or refused"
    REPAIR = "repair", "The game master puts something right"
    MASTER = "master", "What I must see to as a game master"


Text = tuple[str, list[str]]
"""The subject of a letter, which devices show, too, and its sentences; empty ones are left out."""


@dataclass(frozen=True, slots=True)
class News:
    """Something that happens in a game: the line that the public log has of it, the letter to those who are told.

    `log` and `letter` are what the database keeps of them: without a `log` there is no line, and without a `letter`
    nobody is told. Making one declares it.
    """

    log: str = ""
    line: str = ""
    """{who} has done it; whatever else is in braces comes from the service."""
    _: KW_ONLY
    line_of: Callable[[Event, Game], str] | None = None
    """The line, where it is not always the same."""
    by_player: bool = False
    """Done by whoever plays a power, and not by the game master as such: nameless where names are hidden."""
    to_the_world: bool = False
    """The line stands in feeds and is posted to other sites, too."""

    topic: Topic | None = None
    """What people choose about the letter; of a line without one, about the letter that repeats it."""
    topic_of_others: Topic | None = None
    """The same for everybody but the game master, where that differs."""
    letter: str = ""
    notice: str = ""
    """What stands among the notices on the site."""
    subject: str = ""
    sentences: tuple[str, ...] = ()
    """The words of the letter, with {game}, the reader's {power} and the sealed {record} of the last result."""
    text: Callable[[PhaseView, str], Text | None] | None = None
    """Them, where they are not always the same, from the reader's own view and time zone; None if it is not true for
    the reader any more."""
    outside: bool = False
    """Told also to people who may no longer see a game by invitation: that it is over for them."""
    invites: bool = False
    """In a game by invitation the letter has the link to it."""

    def __post_init__(self) -> None:
        for kinds, key in ((LINES, self.log), (LETTERS, self.letter)):
            if key and kinds.setdefault(key, self) is not self:
                raise ValueError(f"Two kinds of news are kept as {key!r}.")

    def text_for(self, view: PhaseView, time_zone: str) -> Text | None:
        if self.text is not None:
            return self.text(view, time_zone)
        known = {"game": view.game, "power": view.power_name, "record": view.sealed_record}
        return self.subject.format(**known), [sentence.format(**known) for sentence in self.sentences]


LINES: dict[str, News] = {}
LETTERS: dict[str, News] = {}
"""All kinds by what the database keeps of them: a line in the log, or a letter."""


def tell(
    news: News,
    game: Game,
    *,
    at: datetime,
    by: int | None = None,
    to: Iterable[int] = (),
    about: str = "",
    ordinal: int | None = None,
    **facts: str | int,
) -> None:
    """A line in the public log, where these news leave one, and a letter to each of `to`.

    `by` and `facts` are public for ever. `about` and `ordinal` are as in `write_letters`.
    """
    if news.log:
        Event.objects.create(game=game, kind=news.log, at=at, by_id=by, facts=facts)
        announce(game.pk)
    write_letters(news, game, to, about=about, at=at, ordinal=ordinal)


def write_letters(
    news: News, game: Game, to: Iterable[int], *, about: str, at: datetime, ordinal: int | None = None
) -> None:
    """One letter to each user about one thing, however often this is called for it; with an `ordinal` only as long as
    that phase is open."""
    letters = [
        Letter(
            key=f"{_key(news, game, about)}{user}",
            kind=news.letter,
            game=game,
            user_id=user,
            ordinal=ordinal,
            written=at,
            next_try=at,
        )
        for user in sorted(set(to))
    ]
    if letters:
        Letter.objects.bulk_create(letters, ignore_conflicts=True)
        ring("games.tasks.deliver")


def recall(news: News, game: Game, *, about: str) -> None:
    """Letters about this that have not left do not leave."""
    written = Letter.objects.filter(game=game, key__startswith=_key(news, game, about))
    written.filter(sent__isnull=True).delete()


def _key(news: News, game: Game, about: str) -> str:
    return f"{news.letter}:{game.pk}:{about}:"


def reason_of(text: str, *, needed: bool) -> str:
    """A reason as one line for the log; BadReason if it is too long, or missing where it is `needed`."""
    words = " ".join(text.replace("\0", "").split())
    if needed and not words:
        raise BadReason("Nothing was changed. Write why: everybody reads the reason in the public log.")
    if len(words) > LONGEST_REASON:
        raise BadReason(
            f"Nothing was changed: the reason has {len(words)} characters, and it may have {LONGEST_REASON}."
        )
    return words
