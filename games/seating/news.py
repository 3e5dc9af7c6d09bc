"""News of games that wait for players, and of seats that change hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudication.english import listed
from games.kernel.news import News, Topic
from games.kernel.wording import deadline_words

if TYPE_CHECKING:
    from games.kernel.news import Text
    from games.pages.parts import PhaseView


GAME_CREATED = News("created", "{who} created the game.")
REQUEST_MADE = News(
    letter="request made",
    topic=Topic.MASTER,
    notice="Somebody asks to join.",
    subject="somebody asks to join",
    sentences=("Somebody asks to join your game. Say yes or no on your desk.",),
)
REQUEST_ACCEPTED = News(
    "admitted",
    "{who} let {player} join.",
    letter="request accepted",
    topic=Topic.SEAT,
    notice="You may join.",
    subject="you may join",
    sentences=("The game master, {game.gm_name}, lets you join. Take your place in the game.",),
    invites=True,
)
REQUEST_DECLINED = News(
    letter="request declined",
    topic=Topic.SEAT,
    notice="The game master has declined your request.",
    subject="you cannot join",
    sentences=("The game master, {game.gm_name}, has declined. There are other games.",),
    outside=True,
)
JOINED = News("joined", "{who} joined the game.", by_player=True)
UNJOINED = News("unjoined", "{who} left the game before it started.", by_player=True)
SEAT_TAKEN = News("seat taken", "{who} took the seat of {power}.", by_player=True)
SEAT_LEFT = News("seat left", "{who} left the seat of {power}.", by_player=True)


def _roll_called(view: PhaseView, time_zone: str) -> Text:
    roll_call = view.joining.roll_call if view.joining else None
    if roll_call is None:
        return "the roll was called", ["You were asked to confirm that you play. That is over: see how it ended."]
    return "please confirm that you play", [
        f"{view.game.name} is about to start, as soon as everybody has said that they are there.",
        f"Open the game and confirm. {deadline_words(roll_call.deadline, time_zone)}",
        "If you do not, you lose your place, and somebody else may take it.",
    ]


ROLL_CALLED = News(
    "roll called",
    "{who} called the roll: everybody has {time} to confirm.",
    letter="roll called",
    topic=Topic.GAME,
    notice="The roll is called: please confirm that you play.",
    text=_roll_called,
)
CONFIRMED = News("confirmed", "{who} confirmed.", by_player=True)
PLACE_LOST = News(
    "place lost",
    "{who} did not confirm in time and lost the place in the game.",
    by_player=True,
    letter="place lost",
    topic=Topic.GAME,
    notice="You did not confirm in time, and have lost your place.",
    subject="you have lost your place",
    sentences=(
        "You did not confirm in time that you play, so your place is open again.",
        "If you want it back and it is still there, join once more.",
    ),
    invites=True,
)
SEATS_DEALT = News("seats dealt", "{who} dealt the seats.")
BOT_STOPPED = News("bot stopped", "{who} plays {power} in person; the bot has stopped.", by_player=True)
RESIGNED = News("resigned", "{who} gave up the seat of {power}; it is vacant.", by_player=True)


def _seat_lapsed(view: PhaseView, _time_zone: str) -> Text:
    lost = "You saved nothing for so long that your seat is vacant now. This counts as a game abandoned."
    back = "As long as this phase lasts and nobody has taken it, you may come back: open the game and say so."
    return "you have lost your seat", [lost, *([back] if view.market.way_back else [])]


SEAT_LAPSED = News(
    "seat lapsed",
    "The seat of {power} is vacant: nothing was saved {times}.",
    letter="seat lapsed",
    topic=Topic.SEAT,
    notice="You saved nothing for so long that you have lost your seat.",
    text=_seat_lapsed,
)
CAME_BACK = News("came back", "{who} came back to the seat of {power}.", by_player=True)


def _seat_vacant(view: PhaseView, time_zone: str) -> Text:
    free = [power.name for power in view.powers if not power.seated and not power.disordered]
    if not free or view.head is None:
        return "a seat was vacant", ["A seat of this game was vacant. It has been taken since."]
    are = "are" if len(free) > 1 else "is"
    return "a vacant seat", [
        f"In {view.game.name}, a game of {view.game.variant_title}, {listed(free)} {are} vacant.",
        deadline_words(view.head.deadline, time_zone),
        "Whoever takes a seat first has it, and gets at least a full phase.",
    ]


SEAT_VACANT = News(
    letter="seat vacant", topic=Topic.MASTER, topic_of_others=Topic.SEAT, notice="A seat is vacant.", text=_seat_vacant
)
TAKEN_OVER = News("taken over", "{who} took over the seat of {power}.", by_player=True)
FRESH_TIME = News(
    "fresh time", "The deadline of {turn} moved {how}: the newcomer has a full phase.", topic=Topic.TIMETABLE
)
PLAYER_SEATED = News(
    "player seated",
    "{who} gave the seat of {power} to {player}.",
    letter="seated",
    topic=Topic.SEAT,
    notice="The game master has given you a seat.",
    subject="you play {power}",
    sentences=("The game master, {game.gm_name}, has given you the seat of {power}.",),
)
SEAT_LOST = News(
    letter="seat lost",
    topic=Topic.SEAT,
    notice="The game master has ended your part in this game.",
    subject="you play no more",
    sentences=(
        "The game master, {game.gm_name}, has ended your part in this game: you have no seat in it now.",
        "It does not count as a game abandoned. The public log of the game says why, if a reason was given.",
    ),
    outside=True,
)
SEAT_GONE = News(
    letter="seat taken",
    topic=Topic.SEAT,
    notice="Somebody else plays now in the seat that you might have had.",
    subject="the seat is taken",
    sentences=("Somebody else plays now in the seat that you might have had. There are others.",),
    outside=True,
)

SEAT_ASKED_FOR = News(
    letter="seat asked for",
    topic=Topic.MASTER,
    notice="Somebody asks for a seat. Answer on your desk.",
    subject="somebody asks for a seat",
    sentences=("Somebody asks for a vacant seat of your game. Answer on your desk.",),
)
SEAT_REFUSED = News(
    letter="seat refused",
    topic=Topic.SEAT,
    notice="The game master has not given you the seat that you asked for.",
    subject="you did not get the seat",
    sentences=("The game master, {game.gm_name}, has not given you the seat that you asked for. There are others.",),
    outside=True,
)


def _seat_offered(view: PhaseView, _time_zone: str) -> Text:
    power, game = view.market.offered, view.game
    if not power:
        return "a seat was offered to you", ["A seat was offered to you. That is over."]
    return f"would you play {power}?", [
        f"The game master, {game.gm_name}, asks you to play {power} in a game of {game.variant_title}.",
        "Open the game and say yes or no. Nothing happens before you do.",
    ]


SEAT_OFFERED = News(letter="seat offered", topic=Topic.SEAT, notice="You are asked to play here.", text=_seat_offered)
SEAT_DECLINED = News(
    letter="seat declined",
    topic=Topic.GAME,
    notice="Somebody you asked into a seat has said no.",
    subject="an invitation was declined",
    sentences=("Somebody you asked into a seat has said no. You may ask others.",),
)

SITTER_ASKED = News(
    letter="sitter asked",
    topic=Topic.SEAT,
    notice="A player asks you to sit.",
    subject="a player asks you to sit",
    sentences=(
        "A player of this game is away for a while and asks you to write the orders until then.",
        "Open the game and answer. Nothing happens before you do.",
    ),
)
SITTER_ANSWERED = News(
    letter="sitter answered",
    topic=Topic.SEAT,
    notice="Whoever you asked to sit for you has answered.",
    subject="your sitter has answered",
    sentences=("Whoever you asked to sit for you has answered. See “My sitter”.",),
)
SITTER_NAMED = News("sitter named", "A player has a sitter for some days.")
