"""News of games that are looking for players, and of seats that change hands."""

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
    notice="A player has asked to join.",
    subject="a player has asked to join",
    sentences=("A player has asked to join your game. Accept or decline on the GM desk.",),
)
REQUEST_ACCEPTED = News(
    "admitted",
    "{who} accepted {player}’s request to join.",
    letter="request accepted",
    topic=Topic.SEAT,
    notice="Your request to join has been accepted.",
    subject="you can join",
    sentences=("The game master, {game.gm_name}, has accepted your request. You can now join the game.",),
    invites=True,
)
REQUEST_DECLINED = News(
    letter="request declined",
    topic=Topic.SEAT,
    notice="The game master has declined your request to join.",
    subject="your request was declined",
    sentences=(
        "The game master, {game.gm_name}, has declined your request to join. There are other games to choose from.",
    ),
    outside=True,
)
JOINED = News("joined", "{who} joined the game.", by_player=True)
UNJOINED = News("unjoined", "{who} left the game before it started.", by_player=True)
SEAT_TAKEN = News("seat taken", "{who} joined as {power}.", by_player=True)
SEAT_LEFT = News("seat left", "{who} left the seat of {power}.", by_player=True)


def _roll_called(view: PhaseView, time_zone: str) -> Text:
    roll_call = view.joining.roll_call if view.joining else None
    if roll_call is None:
        return "the roll call is over", ["You were asked to confirm your place. The roll call is now over."]
    return "please confirm your place", [
        f"{view.game.name} will start as soon as everyone has confirmed their place.",
        f"Open the game to confirm. {deadline_words(roll_call.deadline, time_zone)}",
        "If you don’t confirm in time, you’ll lose your place and another player can take it.",
    ]


ROLL_CALLED = News(
    "roll called",
    "{who} called the roll: everyone has {time} to confirm.",
    letter="roll called",
    topic=Topic.GAME,
    notice="The game is about to start: please confirm your place.",
    text=_roll_called,
)
CONFIRMED = News("confirmed", "{who} confirmed.", by_player=True)
PLACE_LOST = News(
    "place lost",
    "{who} did not confirm in time and lost their place.",
    by_player=True,
    letter="place lost",
    topic=Topic.GAME,
    notice="You didn’t confirm in time and have lost your place.",
    subject="you have lost your place",
    sentences=(
        "You didn’t confirm your place in time, so it has opened up again.",
        "If you still want to play and there is room, you can join again.",
    ),
    invites=True,
)
SEATS_DEALT = News("seats dealt", "{who} assigned the powers.")
BOT_STOPPED = News("bot stopped", "{who} took {power} back from the bot.", by_player=True)
RESIGNED = News("resigned", "{who} gave up the seat of {power}, which is now vacant.", by_player=True)


def _seat_lapsed(view: PhaseView, _time_zone: str) -> Text:
    lost = "You missed so many phases that your seat is now vacant. This counts as an abandoned game."
    back = "Until this phase ends or another player takes the seat, you can come back: open the game to take it back."
    return "you have lost your seat", [lost, *([back] if view.market.way_back else [])]


SEAT_LAPSED = News(
    "seat lapsed",
    "The seat of {power} is now vacant: no orders received {times}.",
    letter="seat lapsed",
    topic=Topic.SEAT,
    notice="You missed so many phases that you have lost your seat.",
    text=_seat_lapsed,
)
CAME_BACK = News("came back", "{who} came back as {power}.", by_player=True)


def _seat_vacant(view: PhaseView, time_zone: str) -> Text:
    free = [power.name for power in view.powers if not power.seated and not power.disordered]
    if not free or view.head is None:
        return "a seat was vacant", ["A seat in this game was vacant, but has since been taken."]
    are = "are" if len(free) > 1 else "is"
    return "a vacant seat", [
        f"{listed(free)} {are} vacant in {view.game.name}, a game of {view.game.variant_title}.",
        deadline_words(view.head.deadline, time_zone),
        "The first player to take a seat gets it, with at least a full phase to write orders.",
    ]


SEAT_VACANT = News(
    letter="seat vacant", topic=Topic.MASTER, topic_of_others=Topic.SEAT, notice="A seat is vacant.", text=_seat_vacant
)
TAKEN_OVER = News("taken over", "{who} took over as {power}.", by_player=True)
FRESH_TIME = News(
    "fresh time", "The deadline of {turn} moved {how} to give the new player a full phase.", topic=Topic.TIMETABLE
)
PLAYER_SEATED = News(
    "player seated",
    "{who} gave the seat of {power} to {player}.",
    letter="seated",
    topic=Topic.SEAT,
    notice="The game master has given you a seat.",
    subject="you’re playing {power}",
    sentences=("The game master, {game.gm_name}, has given you the seat of {power}.",),
)
SEAT_LOST = News(
    letter="seat lost",
    topic=Topic.SEAT,
    notice="The game master has removed you from this game.",
    subject="you have been removed",
    sentences=(
        "The game master, {game.gm_name}, has removed you from your seat in this game.",
        "This doesn’t count as an abandoned game. If a reason was given, you can read it in the game’s public log.",
    ),
    outside=True,
)
SEAT_GONE = News(
    letter="seat taken",
    topic=Topic.SEAT,
    notice="Another player has taken the seat you asked for or were offered.",
    subject="the seat is taken",
    sentences=("Another player has taken the seat you asked for or were offered. There are other vacant seats.",),
    outside=True,
)

SEAT_ASKED_FOR = News(
    letter="seat asked for",
    topic=Topic.MASTER,
    notice="A player has asked for a vacant seat.",
    subject="a player has asked for a seat",
    sentences=("A player has asked for a vacant seat in your game. Accept or decline on the GM desk.",),
)
SEAT_REFUSED = News(
    letter="seat refused",
    topic=Topic.SEAT,
    notice="The game master has declined your request for a seat.",
    subject="your request for a seat was declined",
    sentences=("The game master, {game.gm_name}, has declined your request for a seat. There are other vacant seats.",),
    outside=True,
)


def _seat_offered(view: PhaseView, _time_zone: str) -> Text:
    power, game = view.market.offered, view.game
    if not power:
        return "you were offered a seat", ["You were offered a seat in this game. The offer is no longer open."]
    return f"would you like to play {power}?", [
        f"The game master, {game.gm_name}, has asked you to play {power} in a game of {game.variant_title}.",
        "Open the game to answer. Nothing happens until you do.",
    ]


SEAT_OFFERED = News(letter="seat offered", topic=Topic.SEAT, notice="You have been asked to play.", text=_seat_offered)
SEAT_DECLINED = News(
    letter="seat declined",
    topic=Topic.GAME,
    notice="A player you invited to take a seat has declined.",
    subject="an invitation was declined",
    sentences=("A player you invited to take a seat has declined. You can ask someone else.",),
)

SITTER_ASKED = News(
    letter="sitter asked",
    topic=Topic.SEAT,
    notice="A player has asked you to sit for them.",
    subject="a player has asked you to sit for them",
    sentences=(
        "A player in this game is going away for a while and has asked you to write their orders.",
        "Open the game to answer. Nothing happens until you do.",
    ),
)
SITTER_ANSWERED = News(
    letter="sitter answered",
    topic=Topic.SEAT,
    notice="The player you asked to sit for you has answered.",
    subject="your sitter has answered",
    sentences=("The player you asked to sit for you has answered. See “My sitter”.",),
)
SITTER_NAMED = News("sitter named", "A player has a sitter for some days.")
