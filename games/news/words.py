"""The words of every kind of letter, from the receiver's own view of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from django.template.loader import render_to_string

from adjudication.words import listed, phase_words
from games.kernel.models import REPAIRS
from games.kernel.wording import words_of
from games.news.log import CLOCK
from games.news.models import LetterKind

if TYPE_CHECKING:
    from datetime import datetime

    from games.pages.parts import PhaseView
    from games.press.parts import MessageView


@dataclass(frozen=True, slots=True)
class Words:
    """What a letter says; `act` stands on the button that leads to the address."""

    subject: str
    sentences: tuple[str, ...]
    address: str
    act: str
    closing: str = ""

    @property
    def paragraphs(self) -> tuple[str, ...]:
        return tuple(filter(None, (*self.sentences, self.address, self.closing)))


@dataclass(frozen=True, slots=True)
class Written:
    """A letter as plain text and as HTML, which say the same."""

    subject: str
    body: str
    html: str


def letter_of(words: Words, *, leave: str, settings: str) -> Written:
    """`leave` is the address at which letters like this one are turned off, `settings` that of all choices."""
    foot = f"No more letters like this one: {leave}\nChoose your letters: {settings}"
    html = render_to_string("news/mail/letter.html", {"words": words, "leave": leave, "settings": settings})
    return Written(words.subject, "\n\n".join((*words.paragraphs, foot)) + "\n", html)


def day_of(news: Sequence[Words], *, leave: str, settings: str) -> Written:
    """The letter of the day, with everything that waited."""
    subject = f"Your games today: {news[0].subject}" + (f", and {len(news) - 1} more" if news[1:] else "")
    foot = f"No more letters of the day: {leave}\nChoose your letters: {settings}"
    parts = ["\n\n".join((words.subject, *words.paragraphs)) for words in news]
    facts = {"subject": subject, "news": news, "leave": leave, "settings": settings}
    return Written(
        subject, "\n\n\n".join((*parts, foot)) + "\n", render_to_string("news/mail/day.html", facts)
    )


def words_for(
    kind: LetterKind, view: PhaseView, *, address: str, time_zone: str, act: str = "To the game"
) -> Words:
    """A letter about this view; `address` is the page to which it leads, `time_zone` an IANA name."""
    subject, sentences = TEXTS[kind](view, time_zone)
    return _words(f"{view.game.name}: {subject}", sentences, address, act=act)


def author_of(message: MessageView) -> str:
    """Who wrote it, within a sentence."""
    return message.author.name if message.author else "the game master"


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
    title = phase_words(view.head)
    sentences = [
        f"{title}: you have saved nothing for {_power_name(view)} yet. {words_of(view.head.kind).unsaved}",
        _until(view.head.deadline, time_zone),
    ]
    return _words(f"{view.game.name}: {title}, nothing saved yet", sentences, address, act="Write orders")


def _words(subject: str, sentences: list[str], address: str, *, act: str, closing: str = "") -> Words:
    return Words(subject, tuple(filter(None, sentences)), address, act, closing)


Text = Callable[["PhaseView", str], tuple[str, list[str]]]


def _game_started(view: PhaseView, time_zone: str) -> tuple[str, list[str]]:
    """To a player, as long as the first phase lasts, also what the letter about a new phase says."""
    begun = [f"{view.game.name}, a game of {view.game.variant_title}, has started."]
    if view.my_power:
        begun.append(f"You play {_power_name(view)}.")
    elif view.gm:
        begun.append("You are its game master.")
    is_first = view.head is not None and view.head.is_open and view.head.ordinal == 0
    if not is_first or view.desk is None or view.desk.nothing_to_decide:
        return "the game has started", begun
    title, first = _new_phase(view, time_zone)
    return f"the game has started with {title}", [*begun, *first]


def _muster_called(view: PhaseView, time_zone: str) -> tuple[str, list[str]]:
    muster = view.joining.muster if view.joining else None
    if muster is None:
        return "the roll was called", [
            "You were asked to confirm that you play. That is over: see how it ended."
        ]
    return "please confirm that you play", [
        f"{view.game.name} is about to start, as soon as everybody has said that they are there.",
        f"Open the game and confirm. {_until(muster.deadline, time_zone)}",
        "If you do not, you lose your place, and somebody else may take it.",
    ]


def _place_lost(_view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    return "you have lost your place", [
        "You did not confirm in time that you play, so your place is open again.",
        "If you want it back and it is still there, join once more.",
    ]


def _request_made(_view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    return "somebody asks to join", ["Somebody asks to join your game. Say yes or no on your desk."]


def _request_accepted(view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    return "you may join", [
        f"The game master, {view.game.gm_name}, lets you join. Take your place in the game."
    ]


def _request_declined(view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    return "you cannot join", [f"The game master, {view.game.gm_name}, has declined. There are other games."]


def _new_phase(view: PhaseView, time_zone: str) -> tuple[str, list[str]]:
    assert view.head is not None, "a letter about a phase shows that phase"
    title = phase_words(view.head)
    return title, [
        f"{title}: there is something to decide for {_power_name(view)}.",
        _until(view.head.deadline, time_zone),
        _sealed_record(view),
    ]


def _seated(view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    name = _power_name(view)
    return f"you play {name}", [f"The game master, {view.game.gm_name}, has given you the seat of {name}."]


def _game_held(view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    return "the game is stopped", [view.game.status_sentence]


def _game_over(view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    return "the game is over", [view.game.verdict, _sealed_record(view)]


def _sealed_record(view: PhaseView) -> str:
    """Sent out of reach of the site, so that it cannot become another afterwards."""
    result = view.result
    if result is None or not result.sealed_record:
        return ""
    return f"Sealed record of {phase_words(result.head)}: {result.sealed_record}"


def _proposed(view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    proposals = view.agreement.proposals if view.agreement else ()
    titles = [f"{proposal.title}, proposed by {proposal.proposer.name}." for proposal in proposals]
    ask = "The game ends when all who have a vote agree. Look at it and answer."
    return "a proposal to end the game", [*titles, ask] if titles else ["It is no longer open."]


def _clock_moved(view: PhaseView, time_zone: str) -> tuple[str, list[str]]:
    """What has moved the deadline or stopped the clock, in the words of the public log."""
    assert view.head is not None, "a letter about a phase shows that phase"
    done = next((event.sentence for event in view.events if event.kind in CLOCK), "")
    subject = "the deadline has moved" if view.head.deadline else "the clock is stopped"
    return subject, [done, f"{phase_words(view.head)}. {_until(view.head.deadline, time_zone)}"]


def _put_right(view: PhaseView, time_zone: str) -> tuple[str, list[str]]:
    """What the game master has just put right, in the words of the public log, and what follows for the reader."""
    assert view.head is not None, "a letter about a phase shows that phase"
    done = next((event.sentence for event in view.events if event.kind in REPAIRS), "")
    title = phase_words(view.head)
    orders = ["Look at your orders: what still fits is kept for you."] if view.my_power else []
    back = [f"You had lost {view.market.way_back} by silence, and may come back: open the game and say so."]
    return "the game master has put something right", [
        done,
        f"The game is now in {title}. {_until(view.head.deadline, time_zone)}",
        *orders,
        *(back if view.market.way_back else []),
        _sealed_record(view),
    ]


def _seat_vacant(view: PhaseView, time_zone: str) -> tuple[str, list[str]]:
    free = [power.name for power in view.powers if not power.seated and not power.disordered]
    if not free or view.head is None:
        return "a seat was vacant", ["A seat of this game was vacant. It has been taken since."]
    return "a vacant seat", [
        f"In {view.game.name}, a game of {view.game.variant_title}, {listed(free)} {_are(free)} vacant.",
        _until(view.head.deadline, time_zone),
        "Whoever takes a seat first has it, and gets at least a full phase.",
    ]


def _seat_lapsed(view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    lost = "You saved nothing for so long that your seat is vacant now. This counts as a game abandoned."
    back = "As long as this phase lasts and nobody has taken it, you may come back: open the game and say so."
    return "you have lost your seat", [lost, *([back] if view.market.way_back else [])]


def _seat_lost(view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    return "you play no more", [
        f"The game master, {view.game.gm_name}, has ended your part in this game: you have no seat in it now.",
        "It does not count as a game abandoned. The public log of the game says why, if a reason was given.",
    ]


def _seat_taken(_view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    return "the seat is taken", [
        "Somebody else plays now in the seat that you might have had. There are others."
    ]


def _seat_asked_for(_view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    return "somebody asks for a seat", ["Somebody asks for a vacant seat of your game. Answer on your desk."]


def _seat_offered(view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    power = view.market.offered
    if not power:
        return "a seat was offered to you", ["A seat was offered to you. That is over."]
    return f"would you play {power}?", [
        f"The game master, {view.game.gm_name}, asks you to play {power} in a game of {view.game.variant_title}.",
        "Open the game and say yes or no. Nothing happens before you do.",
    ]


def _seat_refused(view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    return "you did not get the seat", [
        f"The game master, {view.game.gm_name}, has not given you the seat that you asked for. There are others."
    ]


def _seat_declined(_view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    return "an invitation was declined", ["Somebody you asked into a seat has said no. You may ask others."]


def _sitter_asked(_view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    return "a player asks you to sit", [
        "A player of this game is away for a while and asks you to write the orders until then.",
        "Open the game and answer. Nothing happens before you do.",
    ]


def _sitter_answered(_view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    return "your sitter has answered", ["Whoever you asked to sit for you has answered. See “My sitter”."]


def _master_asked(view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    if not view.market.asked_to_master:
        return "you were asked to be its game master", ["You were asked to be the game master. That is over."]
    return "would you be its game master?", [
        f"{view.game.name}, a game of {view.game.variant_title}, needs a new game master, and you are asked.",
        "Open the game and answer. Nothing happens before you do.",
    ]


def _master_answered(_view: PhaseView, _time_zone: str) -> tuple[str, list[str]]:
    return "an answer about your game", [
        "Whoever you asked to take the game over has answered. The game page names its game master."
    ]


def _are(names: list[str]) -> str:
    return "are" if len(names) > 1 else "is"


def _power_name(view: PhaseView) -> str:
    return next((power.name for power in view.powers if power.mine), "")


def _until(deadline: datetime | None, time_zone: str) -> str:
    if deadline is None:
        return "The clock is stopped."
    local = deadline.astimezone(ZoneInfo(time_zone))
    return f"Deadline: {local:%A %d %B %Y, %H:%M} ({time_zone})."


TEXTS: dict[LetterKind, Text] = {
    LetterKind.GAME_STARTED: _game_started,
    LetterKind.MUSTER_CALLED: _muster_called,
    LetterKind.PLACE_LOST: _place_lost,
    LetterKind.REQUEST_MADE: _request_made,
    LetterKind.REQUEST_ACCEPTED: _request_accepted,
    LetterKind.REQUEST_DECLINED: _request_declined,
    LetterKind.NEW_PHASE: _new_phase,
    LetterKind.SEATED: _seated,
    LetterKind.GAME_HELD: _game_held,
    LetterKind.GAME_OVER: _game_over,
    LetterKind.ROLLED_BACK: _put_right,
    LetterKind.JUDGED_AGAIN: _put_right,
    LetterKind.POSITION_CHANGED: _put_right,
    LetterKind.CLOCK_MOVED: _clock_moved,
    LetterKind.PROPOSED: _proposed,
    LetterKind.SEAT_VACANT: _seat_vacant,
    LetterKind.SEAT_LAPSED: _seat_lapsed,
    LetterKind.SEAT_LOST: _seat_lost,
    LetterKind.SEAT_TAKEN: _seat_taken,
    LetterKind.SEAT_ASKED_FOR: _seat_asked_for,
    LetterKind.SEAT_OFFERED: _seat_offered,
    LetterKind.SEAT_REFUSED: _seat_refused,
    LetterKind.SEAT_DECLINED: _seat_declined,
    LetterKind.SITTER_ASKED: _sitter_asked,
    LetterKind.SITTER_ANSWERED: _sitter_answered,
    LetterKind.MASTER_ASKED: _master_asked,
    LetterKind.MASTER_ANSWERED: _master_answered,
}
