"""Kinds of news: each is declared once, in the `news.py` of the subject that makes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from adjudication.words import phase_words
from games.kernel.models import Event, Game
from games.news.models import Topic

if TYPE_CHECKING:
    from games.pages.parts import PhaseView


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
        known = {"game": view.game, "power": power_name(view), "record": sealed_record(view)}
        return self.subject.format(**known), [sentence.format(**known) for sentence in self.sentences]


LINES: dict[str, News] = {}
LETTERS: dict[str, News] = {}
"""All kinds by what the database keeps of them: a line in the log, or a letter."""


def power_name(view: PhaseView) -> str:
    return next((power.name for power in view.powers if power.mine), "")


def deadline_words(deadline: datetime | None, time_zone: str) -> str:
    if deadline is None:
        return "The clock is stopped."
    local = deadline.astimezone(ZoneInfo(time_zone))
    return f"Deadline: {local:%A %d %B %Y, %H:%M} ({time_zone})."


def sealed_record(view: PhaseView) -> str:
    """Sent out of reach of the site, so that it cannot become another afterwards."""
    result = view.result
    if result is None or not result.sealed_record:
        return ""
    return f"Sealed record of {phase_words(result.head)}: {result.sealed_record}"


def newest_line(view: PhaseView, topic: Topic) -> str:
    """The last line of the public log on this topic."""
    return next((event.sentence for event in view.events if LINES[event.kind].topic == topic), "")
