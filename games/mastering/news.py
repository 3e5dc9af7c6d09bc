"""News of a game master's actions."""

from functools import partial

from adjudication.reasons import Edit
from adjudication.serialisation import position_from_json
from games.deadlines.news import UNTIL, of_the_clock
from games.history.queries import sealed_record
from games.history.results import called, corrected, words_of_amendment
from games.kernel import codec
from games.kernel.models import Amendment, Event, Game, rights_words
from games.kernel.news import News, Text, Topic
from games.kernel.page import Page
from games.kernel.rules import allowed
from games.kernel.wording import deadline_words
from games.mastering import rules
from games.mastering.editing import edit_words
from games.news.log import newest_line
from games.seating.rules.seats import lost_seat
from variants.words.orders import phase_words

DEADLINE_SET = of_the_clock("deadline set", "{who} moved the deadline for {turn} to {until}.", words=UNTIL)
SECEDED = News("seceded", "{who} declared {power} to be in permanent civil disorder.")
SEAT_EMPTIED = News("seat emptied", "{who} removed {player} from {power}; the seat is now vacant.")
PREVIEWED = News("previewed", "{who} previewed the result of the orders saved so far for {turn}.")


KEPT = "Check your orders: those that are still possible have been kept."
DELETED = "If you had saved anything for this phase, it has been deleted: enter your orders again."


def _put_right(view: Page, time_zone: str, orders: str = KEPT) -> Text:
    """What was just corrected, in the words of the public log, and what it means for the reader."""
    assert view.head is not None, "an email about a phase shows that phase"
    lost = lost_seat(view.rows)
    back = (
        [f"You had lost your seat as {lost} because you missed too many phases. Open the game to take it back."]
        if lost
        else []
    )
    phase = phase_words(view.head)
    return f"the game master has made a correction: now {phase}", [
        newest_line(view, Topic.REPAIR),
        f"The game is now in {phase}. {deadline_words(view.head.deadline, time_zone)}",
        *([orders] if view.my_power else []),
        *back,
        sealed_record(view),
    ]


def _whose(event: Event, game: Game) -> str:
    return called(event.facts["of"], codec.variant_of(game))


def _what(event: Event, _game: Game) -> str:
    return corrected(bids=event.facts["bids"])


def _orders(event: Event, game: Game) -> str:
    """Each of the `orders` is a published one and what replaces it, as in `Amendment`."""
    variant, position = codec.variant_of(game), position_from_json(event.facts["position"])
    rows = (Amendment(power=event.facts["of"], was=was, instead=instead) for was, instead in event.facts["orders"])
    return " ".join(words_of_amendment(row, position, variant) for row in rows) or "No order changes."


def _edits(event: Event, game: Game) -> str:
    return " ".join(edit_words(Edit(*edit), codec.variant_of(game)) for edit in event.facts["edits"])


def _rights(event: Event, _game: Game) -> str:
    return rights_words(event.facts["may"])


_repair = partial(News, topic=Topic.REPAIR, text=_put_right, to_the_world=True)
_judged_again = partial(_repair, text=partial(_put_right, orders=DELETED))

ROLLED_BACK = _repair(
    "rolled back",
    "{who} took the game back to {turn}. Everything after it has been undone.",
    letter="rolled back",
    notice="The game master took the game back to an earlier phase.",
)
ORDER_CORRECTED = _judged_again(
    "order amended",
    "{who} corrected an order of {turn}: {sentence} The phase was adjudicated again.",
    words={"sentence": _orders},
    letter="judged again",
    notice="The game master corrected an order, and the phase was adjudicated again.",
)
SHEET_CORRECTED = _judged_again(
    "sheet corrected",
    "{who} corrected the {what} of {whose} for {turn}: {sentence} The phase was adjudicated again.",
    words={"what": _what, "whose": _whose, "sentence": _orders},
    letter="sheet judged again",
    notice="The game master corrected the orders of a power, and the phase was adjudicated again.",
)
POSITION_EDITED = _repair(
    "position edited",
    "{who} changed the position of {turn}: {sentence}",
    words={"sentence": _edits},
    letter="position changed",
    notice="The game master changed the position.",
)


_of_roles = partial(News, topic=Topic.SEAT)

HANDED_OVER = News("handed over", "{who} is now the game master: the previous one handed over the game.")
MASTER_NAMED = News("master named", "{who} is now the game master, at the request of the site’s moderators.")


def _master_asked(view: Page, _time_zone: str) -> Text:
    if not allowed(rules.may_answer, view.rows):
        return "you were asked to be the game master", [
            "You were asked to take over as game master. The request is no longer open."
        ]
    return "would you like to be the game master?", [
        f"This game (variant: {view.variant_title}) needs a new game master, and you have been asked.",
        "Open the game to answer.",
    ]


MASTER_ASKED = _of_roles(letter="master asked", notice="You have been asked to be the game master.", text=_master_asked)
MASTER_ACCEPTED = _of_roles(
    letter="master accepted",
    notice="The player you asked to take over the game has accepted.",
    subject="your game has a new game master",
    sentences=("The player you asked to take over the game has accepted and is now the game master.",),
)
MASTER_DECLINED = _of_roles(
    letter="master declined",
    notice="The player you asked to take over the game has declined.",
    subject="you’re still the game master",
    sentences=("The player you asked to take over the game has declined, so you’re still the game master.",),
)


def _assistant_asked(view: Page, _time_zone: str) -> Text:
    if not allowed(rules.may_decline_to_assist, view.rows):
        return "you were asked to help the game master", [
            "You were asked to be an assistant of the game master. The request is no longer open."
        ]
    return "would you like to help the game master?", [
        f"{view.gm_name}, who runs this game (variant: {view.variant_title}), asks you to be an assistant.",
        "Open the game to see what you could do, and to answer.",
    ]


ASSISTANT_ASKED = _of_roles(
    letter="assistant asked", notice="You have been asked to be an assistant of the game master.", text=_assistant_asked
)
ASSISTANT_NAMED = _of_roles(
    "assistant named",
    "{who} is now an assistant of the game master, with these rights: {rights}.",
    words={"rights": _rights},
    letter="assistant accepted",
    notice="The player you asked to be your assistant has accepted.",
    subject="you have an assistant",
    sentences=("The player you asked to be your assistant has accepted. Your desk shows who they are.",),
)
ASSISTANT_DECLINED = _of_roles(
    letter="assistant declined",
    notice="The player you asked to be your assistant has declined.",
    subject="your assistant declined",
    sentences=("The player you asked to be your assistant has declined.",),
)
ASSISTANT_DISMISSED = _of_roles(
    "assistant dismissed",
    "{who} removed {assistant} as an assistant.",
    letter="assistant dismissed",
    notice="You’re no longer an assistant of the game master.",
    subject="you’re no longer an assistant",
    sentences=("The game master has ended your work as an assistant, so you can’t open the GM desk any more.",),
    outside=True,
)
ASSISTANT_LEFT = _of_roles(
    "assistant left",
    "{who} is no longer an assistant of the game master.",
    letter="assistant left",
    notice="One of your assistants has stopped.",
    subject="one of your assistants has stopped",
    sentences=("One of your assistants has stopped. Their rights in this game have ended.",),
)
