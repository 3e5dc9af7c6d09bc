"""The words of every kind of letter, from the receiver's own view of the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from django.template.loader import render_to_string

from games.models import EventKind, LetterKind
from games.wording import words_of

if TYPE_CHECKING:
    from datetime import datetime

    from games.phase_view import PhaseView


@dataclass(frozen=True, slots=True)
class Words:
    """A letter as plain text and as HTML, which say the same."""

    subject: str
    body: str
    html: str


def words_for(kind: LetterKind, view: PhaseView, *, address: str, time_zone: str) -> Words:
    """A letter about this view; `address` is the game's page, `time_zone` an IANA name."""
    subject, sentences = TEXTS[kind](view, time_zone)
    return _words(f"{view.game.name}: {subject}", sentences, address, act="To the game")


def press_words(game: str, author: str, *, public: bool, address: str) -> Words:
    """A letter about a message in a thread, without its text; `address` is the thread's page."""
    to = "It went to everybody." if public else "It is private."
    return _words(
        f"{game}: a message from {author}",
        [f"You have a new message in {game} from {author}. {to}"],
        address,
        act="Read it",
        closing="Until you have read it, no more letters come about this talk.",
    )


def reminder_words(view: PhaseView, *, address: str, time_zone: str) -> Words:
    """A letter to somebody who has saved nothing for the open phase; `address` is the order page."""
    assert view.head is not None, "a reminder is about an open phase"
    title = f"{view.head.title}, {view.head.kind_title.lower()}"
    sentences = [
        f"{title}: you have saved nothing for {_power_name(view)} yet. {words_of(view.head.kind).unsaved}",
        _until(view.head.deadline, time_zone),
    ]
    return _words(f"{view.game.name}: {title}, nothing saved yet", sentences, address, act="Write orders")


def _words(subject: str, sentences: list[str], address: str, *, act: str, closing: str = "") -> Words:
    """`act` is what stands on the button that leads to the address."""
    facts = {"subject": subject, "sentences": sentences, "address": address, "act": act, "closing": closing}
    body = "\n\n".join(filter(None, (*sentences, address, closing))) + "\n"
    return Words(subject, body, render_to_string("mail/letter.html", facts))


Text = Callable[["PhaseView", str], tuple[str, list[str]]]
REPAIRS = frozenset({EventKind.ROLLED_BACK, EventKind.AMENDED, EventKind.POSITION_EDITED})


def _game_started(view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    playing = f"You play {_power_name(view)}." if view.my_power else "You are its game master."
    return "the game has started", [
        f"{view.game.name}, a game of {view.game.variant_title}, has started.",
        playing,
    ]


def _new_phase(view: PhaseView, time_zone: str) -> tuple[str, list[str]]:
    assert view.head is not None, "a letter about a phase shows that phase"
    title = f"{view.head.title}, {view.head.kind_title.lower()}"
    return title, [
        f"{title}: {_power_name(view)} has something to decide.",
        _until(view.head.deadline, time_zone),
    ]


def _seated(view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    name = _power_name(view)
    return f"you play {name}", [f"The game master, {view.game.gm_name}, has given you the seat of {name}."]


def _game_held(view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    return "the judge has stopped the game", [view.game.status_sentence]


def _game_over(view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    return "the game is over", [view.game.verdict]


def _proposed(view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    proposals = view.agreement.proposals if view.agreement else ()
    titles = [f"{proposal.title}, proposed by {proposal.proposer.name}." for proposal in proposals]
    ask = "The game ends when all who have a vote agree. Look at it and answer."
    return "a proposal to end the game", [*titles, ask] if titles else ["It is no longer open."]


def _put_right(view: PhaseView, time_zone: str) -> tuple[str, list[str]]:
    """What the game master has just put right, in the words of the public log, and what follows for the reader."""
    assert view.head is not None, "a letter about a phase shows that phase"
    done = next((event.sentence for event in view.events if event.kind in REPAIRS), "")
    title = f"{view.head.title}, {view.head.kind_title.lower()}"
    orders = ["Look at your orders: what still fits is kept for you."] if view.my_power else []
    return "the game master has put something right", [
        done,
        f"The game is now in {title}. {_until(view.head.deadline, time_zone)}",
        *orders,
    ]


def _power_name(view: PhaseView) -> str:
    return next((power.name for power in view.powers if power.mine), "")


def _until(deadline: datetime | None, time_zone: str) -> str:
    if deadline is None:
        return "The clock is stopped."
    local = deadline.astimezone(ZoneInfo(time_zone))
    return f"Deadline: {local:%A %d %B %Y, %H:%M} ({time_zone})."


TEXTS: dict[LetterKind, Text] = {
    LetterKind.GAME_STARTED: _game_started,
    LetterKind.NEW_PHASE: _new_phase,
    LetterKind.SEATED: _seated,
    LetterKind.GAME_HELD: _game_held,
    LetterKind.GAME_OVER: _game_over,
    LetterKind.ROLLED_BACK: _put_right,
    LetterKind.JUDGED_AGAIN: _put_right,
    LetterKind.POSITION_CHANGED: _put_right,
    LetterKind.PROPOSED: _proposed,
}
