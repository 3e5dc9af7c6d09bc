"""What a person finds on the site: a line for everything that was written to be told, the newest first."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db.models import Value
from django.http import Http404
from django.urls import reverse

from adjudication.turns import Turn
from adjudication.words import phase_words
from games.deadlines.models import Reminder
from games.kernel import clock
from games.kernel.access import access_game
from games.kernel.models import Phase
from games.kernel.queries import NOBODY
from games.news.models import OUTSIDE, Letter, LetterKind
from games.news.words import author_of
from games.press.models import PressLetter
from games.press.queries import unread_message
from games.press.talk import address_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from django.db.models import Model

    from games.kernel.access import GameAccess, Viewer
    from games.kernel.models import Game
    from games.press.models import Thread


MOST_SHOWN = 50

BOXES: dict[str, type[Model]] = {"letter": Letter, "message": PressLetter, "reminder": Reminder}

SENTENCES = {
    LetterKind.GAME_STARTED: "The game has started.",
    LetterKind.MUSTER_CALLED: "The roll is called: please confirm that you play.",
    LetterKind.PLACE_LOST: "You did not confirm in time, and have lost your place.",
    LetterKind.REQUEST_MADE: "Somebody asks to join.",
    LetterKind.REQUEST_ACCEPTED: "You may join.",
    LetterKind.REQUEST_DECLINED: "The game master has declined your request.",
    LetterKind.NEW_PHASE: "You have something to decide.",
    LetterKind.SEATED: "The game master has given you a seat.",
    LetterKind.GAME_HELD: "The game is stopped.",
    LetterKind.GAME_OVER: "The game is over.",
    LetterKind.ROLLED_BACK: "The game master went back to an earlier phase.",
    LetterKind.JUDGED_AGAIN: "The game master corrected an order, and the phase was judged again.",
    LetterKind.POSITION_CHANGED: "The game master changed the position.",
    LetterKind.PROPOSED: "There is a proposal to end the game.",
    LetterKind.CLOCK_MOVED: "The deadline has moved, or the clock is stopped.",
    LetterKind.SEAT_VACANT: "A seat is vacant.",
    LetterKind.SEAT_LAPSED: "You saved nothing for so long that you have lost your seat.",
    LetterKind.SEAT_LOST: "The game master has ended your part in this game.",
    LetterKind.SEAT_TAKEN: "Somebody else plays now in the seat that you might have had.",
    LetterKind.SEAT_ASKED_FOR: "Somebody asks for a seat. Answer on your desk.",
    LetterKind.SEAT_OFFERED: "You are asked to play here.",
    LetterKind.SEAT_REFUSED: "The game master has not given you the seat that you asked for.",
    LetterKind.SEAT_DECLINED: "Somebody you asked into a seat has said no.",
    LetterKind.SITTER_ASKED: "A player asks you to sit.",
    LetterKind.SITTER_ANSWERED: "Whoever you asked to sit for you has answered.",
    LetterKind.MASTER_ASKED: "You are asked to be its game master.",
    LetterKind.MASTER_ANSWERED: "Whoever you asked to take the game over has answered.",
}


@dataclass(frozen=True, slots=True)
class InboxLine:
    """One line. `key` names it among the reader's own, `address` is the path of the page that it is about.

    The key holds no row's number, because rows are counted over everybody's: a number would tell how much others write.
    """

    key: str
    at: datetime
    game: str
    sentence: str
    address: str
    seen: bool
    row: Letter | PressLetter | Reminder = field(repr=False, compare=False)


def count_unseen(user_id: int) -> int:
    """How many lines are new."""
    rows = [
        box._default_manager.filter(user_id=user_id, seen__isnull=True).values_list("pk", Value(name))
        for name, box in BOXES.items()
    ]
    return rows[0].union(*rows[1:], all=True).count()


def notices(user: Viewer) -> tuple[InboxLine, ...]:
    """What this person may still know of, the newest first."""
    reach = _reach(user)
    user_id = user.pk or NOBODY
    lines = [*_letters(user_id, reach), *_messages(user_id, reach), *_reminders(user_id, reach)]
    return tuple(sorted(lines, key=lambda line: (line.at, line.key), reverse=True)[:MOST_SHOWN])


def mark_seen(user_id: int) -> None:
    """Nothing that this person was told is new any longer."""
    for box in BOXES.values():
        box._default_manager.filter(user_id=user_id, seen__isnull=True).update(seen=clock.now())


def mark_one_seen(line: InboxLine) -> None:
    """This line is new no longer."""
    type(line.row)._default_manager.filter(pk=line.row.pk, seen__isnull=True).update(seen=clock.now())


def _reach(user: Viewer) -> Callable[[Game], GameAccess | None]:
    """How this person reaches a game now; None where not at all. Asked once for each game."""
    known: dict[int, GameAccess | None] = {}

    def reach(game: Game) -> GameAccess | None:
        if game.pk not in known:
            try:
                known[game.pk] = access_game(user=user, slug=game.slug)
            except Http404:
                known[game.pk] = None
        return known[game.pk]

    return reach


def _letters(user_id: int, reach: Callable[[Game], GameAccess | None]) -> Iterator[InboxLine]:
    rows = Letter.objects.filter(user_id=user_id).select_related("game").order_by("-written", "-pk")
    letters = [letter for letter in rows[:MOST_SHOWN] if reach(letter.game) or letter.kind in OUTSIDE]
    phases = Phase.objects.filter(game__in={letter.game_id for letter in letters})
    turns = {(game, ordinal): turn for game, ordinal, turn in phases.values_list("game", "ordinal", "turn")}
    for letter in letters:
        known = SENTENCES[LetterKind(letter.kind)]
        turn = turns.get((letter.game_id, letter.ordinal if letter.ordinal is not None else -1))
        sentence = f"{_title(turn)}: {known[0].lower()}{known[1:]}" if turn else known
        here = reach(letter.game) is not None
        page = reverse("games:game", args=[letter.game.slug]) if here else reverse("games:lobby")
        yield _notice(letter, letter.game, sentence, page)


def _messages(user_id: int, reach: Callable[[Game], GameAccess | None]) -> Iterator[InboxLine]:
    rows = (
        PressLetter.objects.filter(user_id=user_id).select_related("thread__game").order_by("-written", "-pk")
    )
    for letter in rows[:MOST_SHOWN]:
        game = letter.thread.game
        access = reach(game)
        message = unread_message(access, letter.thread) if access else None
        if message is None:
            continue
        page = _page_of(letter.thread)
        yield _notice(letter, game, f"A message from {author_of(message)}.", page)


def _reminders(user_id: int, reach: Callable[[Game], GameAccess | None]) -> Iterator[InboxLine]:
    rows = Reminder.objects.filter(user_id=user_id).select_related("phase__game").order_by("-written", "-pk")
    for letter in rows[:MOST_SHOWN]:
        game = letter.phase.game
        access = reach(game)
        if access is None:
            continue
        page = "games:orders" if access.seat else "games:game"
        sentence = f"{_title(letter.phase.turn)}: the deadline was near, and you had saved nothing."
        yield _notice(letter, game, sentence, reverse(page, kwargs={"slug": game.slug}))


def key_of(row: Letter | PressLetter | Reminder) -> str:
    """What names this row among its reader's own."""
    if isinstance(row, Letter):
        return f"{row.game.slug}:{row.kind}:{row.written.isoformat()}"
    if isinstance(row, Reminder):
        return f"{row.phase.game.slug}:{row.due.isoformat()}"
    return _page_of(row.thread)


def _page_of(thread: Thread) -> str:
    where = {"slug": thread.game.slug, "address": address_of(tuple(thread.powers))}
    return reverse("games:thread", kwargs=where)


def _notice(row: Letter | PressLetter | Reminder, game: Game, sentence: str, address: str) -> InboxLine:
    return InboxLine(key_of(row), row.written, game.name, sentence, address, row.seen is not None, row)


def _title(code: str) -> str:
    return phase_words(Turn.from_code(code))
