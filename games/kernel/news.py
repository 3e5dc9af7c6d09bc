"""Kinds of news, each declared once in its subject's `news.py`, with its words in the `news.toml` beside it. A mere
line in the log that one act alone tells can stand above the act's service.

News is told in the transaction in which it happens.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from games.kernel.after_commit import call_merged, start_task_after_commit
from games.kernel.languages import later
from games.kernel.limits import note_letters
from games.kernel.live import announce_change
from games.kernel.models import Event, Game, Letter
from games.kernel.refusals import BadReason
from games.kernel.rules import unless
from games.kernel.wording import one_line

if TYPE_CHECKING:
    from games.kernel.page import Page

LONGEST_REASON = 300
"""In characters: the reasons that users give for their actions, which everyone can read in the public log."""


class Topic(models.TextChoices):
    """The kinds of news that users can turn on and off."""

    DUE = "due", later("Deadline reminders when I haven’t saved orders")
    PHASE = "phase", later("New phases in which I have orders to enter, with the last result")
    RESULT = "result", later("Results when I have no orders to enter, also in games I follow")
    TIMETABLE = "timetable", later("Moved deadlines and paused games")
    MESSAGE = "message", later("New messages")
    ANNOUNCEMENT = "announcement", later("Announcements by the game master, in full")
    GAME = "game", later("Games starting and ending, and roll calls")
    PROPOSAL = "proposal", later("Proposals to end a game, or to change its terms or deadline")
    SEAT = "seat", later("Seats and sitters: requests, answers and changes")
    REPAIR = "repair", later("Corrections by the game master")
    MASTER = "master", later("Anything I need to do as game master")


Stored: TypeAlias = str | int | list[Any] | dict[str, Any]
"""A fact of a line in the log, as JSON: ids, numbers, ISO moments, units and orders as the rules write them, and
what people wrote. No words of ours."""

Text = tuple[str, list[str]]
"""The subject of an email, which devices show too, and its sentences; empty ones are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """Something that happens in a game: its line in the public log, and the email to those who are told.

    `log` and `letter` are the keys that the database keeps: without a `log` there is no line, and without a `letter` no
    one is told. Creating an instance declares it.
    """

    log: str = ""
    line: str = ""
    """{who} is the user behind it; the service supplies anything else in braces."""
    line_of: Callable[[Event, Game], str] | None = None
    """Builds the line, if it is not always the same."""
    words: Mapping[str, Callable[[Event, Game], str]] = field(default_factory=dict)
    """What in braces is made of the facts. Among them it is empty, so that a process of version 0.2.0 can read the
    line, unless that version wrote it."""
    by_player: bool = False
    """Done by a power's player, not by the game master as such: nameless in anonymous games."""
    to_the_world: bool = False
    """Is the line also included in feeds and posted to other sites?"""

    topic: Topic | None = None
    """The topic under which users switch the email; for a line without one, that of the email that repeats it."""
    letter: str = ""
    notice: str = ""
    """The text among the notifications on the site."""
    subject: str = ""
    sentences: Sequence[str] = ()
    """The text of the email, with {game}, as on its page, and the reader's {power}."""
    text: Callable[[Page, str], Text | None] | None = None
    """Builds subject and sentences, if they are not always the same, from the reader's own view and time zone. None if
    the news is no longer true for the reader."""
    outside: bool = False
    """Is this also told to users who can no longer see a game by invitation, because it is over for them?"""
    leads_to: str = "games:game"
    """The name of the page that the email links to."""
    invites: bool = False
    """Does the email contain the link to a game by invitation?"""
    before_start: bool = False
    """Is the email no longer sent once the game has started, of which another email tells?"""
    newest_only: bool = False
    """Is the email no longer sent once the public log has a newer line on its topic, which another email repeats?"""
    with_result: bool = False
    """Does the email say what happened in the last phase that has a result?"""

    def __post_init__(self) -> None:
        for kinds, key in ((NEWS_BY_LINE, self.log), (NEWS_BY_LETTER, self.letter)):
            if key and kinds.setdefault(key, self) is not self:
                raise ValueError(f"Two kinds of news are kept as {key!r}.")

    def text_for(self, view: Page, time_zone: str) -> Text | None:
        if self.text is not None:
            return self.text(view, time_zone)
        known = {"game": view, "power": view.my_power_called}
        return self.subject.format(**known), [sentence.format(**known) for sentence in self.sentences]


NEWS_BY_LINE: dict[str, News] = {}
NEWS_BY_LETTER: dict[str, News] = {}
"""All kinds by the key that the database keeps: of a line in the log, or of an email."""


def declares_news_of(file: str) -> Callable[..., News]:
    """Return a function that declares kinds of news by their names in the `news.toml` beside this file."""
    return partial(_read_declaration, tomllib.loads(Path(file).with_name("news.toml").read_text(encoding="utf-8")))


def _read_declaration(declarations: Mapping[str, Mapping[str, Any]], name: str, **in_python: Any) -> News:
    facts: dict[str, Any] = {key: READ_AS[key](it) if key in READ_AS else it for key, it in declarations[name].items()}
    return News(**facts, **in_python)


READ_AS: dict[str, Callable[[Any], object]] = {
    "topic": Topic,
    "sentences": lambda written: [later(sentence) for sentence in written],
    **dict.fromkeys(("line", "notice", "subject"), later),
}
"""How the texts of a `news.toml` become what `News` holds."""


def tell(
    news: News,
    game: Game,
    *,
    at: datetime,
    by: int | None = None,
    to: Iterable[int] = (),
    about: str = "",
    ordinal: int | None = None,
    **facts: Stored,
) -> None:
    """Write a line in the public log, if this kind of news has one, and an email to each user in `to`.

    `by` and `facts` are public for ever. `about` and `ordinal` are as in `write_letters`.
    """
    if news.log:
        call_merged(_write_lines, [Event(game=game, kind=news.log, at=at, by_id=by, facts=facts)])
        announce_change(game.pk)
    write_letters(news, game, to, about=about, at=at, by=by, ordinal=ordinal)


def write_letters(
    news: News,
    game: Game,
    to: Iterable[int],
    *,
    about: str,
    at: datetime,
    by: int | None = None,
    ordinal: int | None = None,
) -> None:
    """Write one email about one thing to each user, no matter how often this is called; they are counted as emails of
    the user who caused them. With an `ordinal`, it is only sent while that phase is open. Practice games send none."""
    if game.practice:
        return
    letters = [
        Letter(
            key=f"{_key_of_letters(news, game, about)}{user}",
            kind=news.letter,
            game=game,
            user_id=user,
            ordinal=ordinal,
            written=at,
            next_try=at,
        )
        for user in sorted(set(to))
    ]
    if letters and by is not None:
        note_letters(by, len(letters))
    if letters:
        call_merged(_write_letters, letters)
        start_task_after_commit("games.tasks.deliver")


def mark_letters_as_seen(game_id: int, user_id: int) -> None:
    """Mark everything that this user was told about the game as seen, because they have seen it on the game's pages."""
    Letter.objects.filter(game=game_id, user=user_id, seen__isnull=True).update(seen=Now())


def _write_lines(events: list[Event]) -> None:
    Event.objects.bulk_create(events)


def _write_letters(letters: list[Letter]) -> None:
    Letter.objects.bulk_create(letters, ignore_conflicts=True)


def recall_letters(news: News, game: Game, *, about: str) -> None:
    """Delete emails about this that have not been sent."""
    written = Letter.objects.filter(game=game, key__startswith=_key_of_letters(news, game, about))
    written.filter(sent__isnull=True).delete()


def _key_of_letters(news: News, game: Game, about: str) -> str:
    return f"{news.letter}:{game.pk}:{about}:"


def checked_reason(text: str, *, needed: bool) -> str:
    """A reason as one line for the log; raises BadReason if it is too long, or empty though `needed`."""
    words = one_line(text)
    if needed and not words:
        raise BadReason(_("Nothing was changed. Give a reason: everyone can read it in the public log."))
    told = _("Nothing was changed: the reason has {count} characters, but at most {most} are allowed.")
    unless(len(words) <= LONGEST_REASON, BadReason(told.format(count=len(words), most=LONGEST_REASON)))
    return words
