"""News of what a game master does."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from adjudication.words import phase_words
from games.deadlines.news import of_the_clock
from games.kernel.news import News, Topic
from games.kernel.wording import deadline_words

if TYPE_CHECKING:
    from games.kernel.news import Text
    from games.pages.parts import PhaseView


DEADLINE_SET = of_the_clock("deadline set", "{who} moved the deadline for {turn} to {until}.")
PAUSED = of_the_clock("paused", "{who} paused the game.")
RESUMED = of_the_clock("resumed", "{who} resumed the game.")
SECEDED = News("seceded", "{who} declared {power} to be in permanent civil disorder.")
SEAT_EMPTIED = News("seat emptied", "{who} took {player} out of the seat of {power}; it is vacant.")
PREVIEWED = News("previewed", "{who} looked at what the orders saved so far for {turn} would lead to.")


def _put_right(view: PhaseView, time_zone: str) -> Text:
    """What was just put right, in the words of the public log, and what follows for the reader."""
    assert view.head is not None, "a letter about a phase shows that phase"
    orders = ["Look at your orders: what still fits is kept for you."] if view.my_power else []
    lost = view.market.way_back
    back = [f"You had lost {lost} by silence, and may come back: open the game and say so."] if lost else []
    return "the game master has put something right", [
        view.newest_line(Topic.REPAIR),
        f"The game is now in {phase_words(view.head)}. {deadline_words(view.head.deadline, time_zone)}",
        *orders,
        *back,
        view.sealed_record,
    ]


_repair = partial(News, topic=Topic.REPAIR, text=_put_right, to_the_world=True)

ROLLED_BACK = _repair(
    "rolled back",
    "{who} went back to {turn}; what came after it is undone.",
    letter="rolled back",
    notice="The game master went back to an earlier phase.",
)
ORDER_AMENDED = _repair(
    "order amended",
    "{who} corrected an order of {turn}: {sentence} The phase was judged again.",
    letter="judged again",
    notice="The game master corrected an order, and the phase was judged again.",
)
POSITION_EDITED = _repair(
    "position edited",
    "{who} changed the position of {turn}: {sentence}",
    letter="position changed",
    notice="The game master changed the position.",
)


HANDED_OVER = News("handed over", "{who} is the game master now: the one before handed the game over.")
MASTER_NAMED = News("master named", "{who} is the game master now, asked by the moderators of the site.")


def _master_asked(view: PhaseView, _time_zone: str) -> Text:
    if not view.market.asked_to_master:
        return "you were asked to be its game master", ["You were asked to be the game master. That is over."]
    return "would you be its game master?", [
        f"{view.game.name}, a game of {view.game.variant_title}, needs a new game master, and you are asked.",
        "Open the game and answer. Nothing happens before you do.",
    ]


MASTER_ASKED = News(
    letter="master asked", topic=Topic.SEAT, notice="You are asked to be its game master.", text=_master_asked
)
MASTER_ANSWERED = News(
    letter="master answered",
    topic=Topic.SEAT,
    notice="Whoever you asked to take the game over has answered.",
    subject="an answer about your game",
    sentences=("Whoever you asked to take the game over has answered. The game page names its game master.",),
)
