"""News of games that are looking for players, and of seats that change hands."""

from functools import partial

from django.utils.text import capfirst

from games.kernel import codec
from games.kernel.models import Event, Game, Status
from games.kernel.news import News, Text, Topic
from games.kernel.page import Page
from games.kernel.wording import deadline_words, length_in_words, moment_words
from games.orders.queries import is_asked
from games.seating.options import misses_in_words
from games.seating.queries import joining_now, powers, requests_of
from games.seating.rules.seats import lost_seat, offered_seat
from variants.survivors import named
from variants.words.english import amount, listed, possessive
from variants.words.orders import phase_words

_of_a_seat = partial(News, topic=Topic.SEAT)
"""Emails as their readers have chosen for news of seats."""

GAME_CREATED = News("created", "{who} created the game.")


def _request_made(view: Page, _time_zone: str) -> Text:
    names = [asking.name for asking in requests_of(view.rows)]
    if not names:
        return "a player has asked to join", ["A player asked to join your game. The request is no longer open."]
    have = "have" if len(names) > 1 else "has"
    return f"{listed(names)} {have} asked to join", [
        f"{listed(names)} {have} asked to join your game. Accept or decline the request on the GM desk."
    ]


REQUEST_MADE = News(
    letter="request made",
    topic=Topic.MASTER,
    notice="A player has asked to join.",
    text=_request_made,
    leads_to="games:gm",
)
REQUEST_ACCEPTED = _of_a_seat(
    "admitted",
    "{who} accepted {player}’s request to join.",
    letter="request accepted",
    notice="The game master has accepted your request to join.",
    subject="you can now join",
    sentences=(
        "The game master, {game.gm_name}, has accepted your request to join.",
        "You don’t have a place yet: open the game, read its terms and join.",
    ),
    invites=True,
)
REQUEST_DECLINED = _of_a_seat(
    letter="request declined",
    notice="The game master has declined your request to join.",
    subject="your request was declined",
    sentences=("The game master, {game.gm_name}, has declined your request to join.",),
    outside=True,
)
JOINED = News("joined", "{who} joined the game.", by_player=True)
UNJOINED = News("unjoined", "{who} left the game before it started.", by_player=True)
SEAT_TAKEN = News("seat taken", "{who} joined as {power}.", by_player=True)
SEAT_LEFT = News("seat left", "{who} gave up {power} before the start.", by_player=True)


def _roll_called(view: Page, time_zone: str) -> Text:
    before = joining_now(view)
    roll_call = before.roll_call if before else None
    if roll_call is None:
        return "the roll call is over", ["You were asked to confirm your place. The roll call is now over."]
    return "please confirm your place", [
        "The game will start as soon as everyone has confirmed their place.",
        f"Open the game and confirm by {moment_words(roll_call.deadline, time_zone)}, or you’ll lose your place.",
    ]


def _time(event: Event, _game: Game) -> str:
    return length_in_words(event.facts["length"])


ROLL_CALLED = News(
    "roll called",
    "{who} started the roll call: everyone has {time} to confirm their place.",
    words={"time": _time},
    letter="roll called",
    topic=Topic.GAME,
    notice="The game is about to start: please confirm your place.",
    text=_roll_called,
)
ROLL_CALL_CANCELLED = News(
    "roll call cancelled",
    "{who} cancelled the roll call.",
    letter="roll call cancelled",
    topic=Topic.GAME,
    notice="The roll call was cancelled. You still have your place.",
    subject="the roll call was cancelled",
    sentences=("The game master cancelled the roll call. You still have your place, and needn’t confirm it now.",),
)
CONFIRMED = News("confirmed", "{who} confirmed their place.", by_player=True)


def _place_lost(view: Page, _time_zone: str) -> Text:
    if view.rows.game.status != Status.OPEN:
        return "you have lost your place", [
            "The game has started without you because you hadn’t confirmed your place.",
            "If there is a vacant seat, you can take it over.",
        ]
    return "you have lost your place", [
        "You didn’t confirm your place in time, so another player can now take it.",
        "If there is still room, you can join again.",
    ]


PLACE_LOST = News(
    "place lost",
    "{who} did not confirm in time and lost their place.",
    by_player=True,
    letter="place lost",
    topic=Topic.GAME,
    notice="You didn’t confirm in time and have lost your place.",
    text=_place_lost,
    invites=True,
)
SEATS_DEALT = News("seats dealt", "{who} assigned the powers.")
BOT_STOPPED = News("bot stopped", "{who} stopped the bot and is now playing {power}.", by_player=True)


def _bots(event: Event, _game: Game) -> str:
    return amount(len(event.facts["of"]), f"{event.facts['level']} bot")


def _powers(event: Event, game: Game) -> str:
    return named(event.facts["of"], codec.variant_of(game))


BOTS_SEATED = News("bots seated", "{who} seated {bots}: {powers}.", words={"bots": _bots, "powers": _powers})
BOT_UNSEATED = News("bot unseated", "{who} took the bot out of the seat of {power}, which is now vacant.")
OWN_BOT_PLAYS = News("own bot plays", "{who} lets a bot of their own play {power}.", by_player=True)
OWN_BOT_JOINED = News("own bot joined", "{who} will let a bot of their own play.", by_player=True)
RESIGNED = News("resigned", "{who} gave up {power}; the seat is now vacant.", by_player=True)


def _seat_lapsed(view: Page, _time_zone: str) -> Text:
    lost = "Your seat is now vacant because you missed too many phases."
    gone = "This counts as abandoning the game."
    if lost_seat(view.rows):
        gone = (
            "You can come back: open the game and take your seat again before this phase ends or another player takes "
            "it. Otherwise, this counts as abandoning the game."
        )
    return "you have lost your seat", [lost, gone]


def _times(event: Event, _game: Game) -> str:
    return misses_in_words(event.facts["phases"])


SEAT_LAPSED = _of_a_seat(
    "seat lapsed",
    "{power} is now vacant: no orders received {times}.",
    words={"times": _times},
    letter="seat lapsed",
    notice="You have lost your seat because you missed too many phases.",
    text=_seat_lapsed,
)
CAME_BACK = News("came back", "{who} came back as {power}.", by_player=True)


def _seat_vacant(view: Page, _time_zone: str) -> Text:
    free = [power.called for power in powers(view) if not (power.seated or power.kept or power.disordered)]
    if not free or view.head is None:
        return "a vacant seat has been taken", ["A seat in this game was vacant, but has since been taken."]
    vacant = f"The seats of {listed(free)} are" if len(free) > 1 else f"{capfirst(possessive(free[0]))} seat is"
    return "a vacant seat", [
        f"{vacant} vacant in this game (variant: {view.variant_title}).",
        "Seats are first come, first served, and you get at least a full phase to enter your orders.",
    ]


SEAT_VACANT = News(
    letter="seat vacant", topic=Topic.MASTER, topic_of_others=Topic.SEAT, notice="A seat is vacant.", text=_seat_vacant
)
TAKEN_OVER = News("taken over", "{who} took over as {power}.", by_player=True)
FRESH_TIME = News(
    "fresh time", "The deadline for {turn} moved {how} to give the new player a full phase.", topic=Topic.TIMETABLE
)


def _player_seated(view: Page, time_zone: str) -> Text | None:
    """None if the reader has lost the seat."""
    if not view.my_power:
        return None
    subject = f"you’re playing {view.my_power_called}"
    seated = f"You’re now playing {view.my_power_called}: the game master, {view.gm_name}, has given you the seat."
    if view.head is None or not is_asked(view):
        return subject, [seated]
    return f"{subject}: enter your orders for {phase_words(view.head)}", [
        seated,
        deadline_words(view.head.deadline, time_zone),
    ]


PLAYER_SEATED = _of_a_seat(
    "player seated",
    "{who} gave {power} to {player}.",
    letter="seated",
    notice="The game master has given you a seat.",
    text=_player_seated,
)
SEAT_LOST = _of_a_seat(
    letter="seat lost",
    notice="The game master has removed you from this game.",
    subject="you have been removed",
    sentences=(
        "The game master, {game.gm_name}, has removed you from your seat in this game.",
        "This doesn’t count as abandoning the game. If the game master gave a reason, it’s in the public log.",
    ),
    outside=True,
)
SEAT_GIVEN_BACK = _of_a_seat(
    "seat given back",
    "{who} gave {power} back to {player}, who plays on as before.",
    letter="seat given back",
    notice="The game master has given your seat back to you.",
    subject="you have your seat back",
    sentences=(
        "The game master, {game.gm_name}, had given your seat to another player and has now given it back to you.",
        "You play {power} on as before, with whatever you had saved for this phase.",
    ),
)
PLACED = _of_a_seat(
    "placed",
    "{who} gave {power} to {player} before the start.",
    letter="placed",
    notice="The game master has given you a seat.",
    subject="you have a seat in a new game",
    sentences=(
        "The game master, {game.gm_name}, has given you a seat: you’ll play {power} once the game starts.",
        "Open the game and read its terms. If you don’t want to play, you can leave until the start.",
    ),
    invites=True,
)
PLACE_GIVEN = _of_a_seat(
    "place given",
    "{who} gave {player} a place before the start.",
    letter="place given",
    notice="The game master has given you a place in a game.",
    subject="you have a place in a new game",
    sentences=(
        "The game master, {game.gm_name}, has given you a place: you’ll get a power before the first turn.",
        "Open the game, read its terms and, if it asks for them, enter your preferences. If you don’t want to play, "
        "you can leave until the start.",
    ),
    invites=True,
)
REMOVED = _of_a_seat(
    "removed",
    "{who} removed {player} before the start.",
    letter="removed",
    notice="The game master has removed you from this game.",
    subject="you have been removed",
    sentences=(
        "The game master, {game.gm_name}, has removed you from this game before its start.",
        "This doesn’t count as abandoning the game. The reason is in the public log.",
    ),
    outside=True,
)
SEAT_GONE = _of_a_seat(
    letter="seat taken",
    notice="The seat has gone to another player.",
    subject="the seat has gone to another player",
    sentences=("Another player has taken the seat, so your request or invitation is no longer open.",),
    outside=True,
)

SEAT_ASKED_FOR = News(
    letter="seat asked for",
    topic=Topic.MASTER,
    notice="A player has asked for a vacant seat.",
    subject="a player has asked for a seat",
    sentences=("A player has asked for a vacant seat in your game. Accept or decline the request on the GM desk.",),
    leads_to="games:gm",
)
SEAT_REFUSED = _of_a_seat(
    letter="seat refused",
    notice="The game master has declined your request for a seat.",
    subject="your request for a seat was declined",
    sentences=("The game master, {game.gm_name}, has declined your request for a seat.",),
    outside=True,
)


def _seat_offered(view: Page, _time_zone: str) -> Text:
    power = offered_seat(view.rows)
    if not power:
        return "you were offered a seat", ["You were offered a seat in this game. The offer is no longer open."]
    return f"would you like to play {power}?", [
        f"The game master, {view.gm_name}, has asked you to play {power} in this game (variant: {view.variant_title}).",
        "Open the game to answer.",
    ]


SEAT_OFFERED = _of_a_seat(letter="seat offered", notice="You have been asked to play.", text=_seat_offered)
SEAT_DECLINED = News(
    letter="seat declined",
    topic=Topic.GAME,
    notice="A player you invited to take a seat has declined.",
    subject="an invitation was declined",
    sentences=("A player you invited to take a seat has declined. You can ask someone else.",),
)

SITTER_ASKED = _of_a_seat(
    letter="sitter asked",
    notice="A player has asked you to sit for them.",
    subject="a player has asked you to sit for them",
    sentences=(
        "A player in this game is going away for a while and has asked you to enter their orders.",
        "Open the game to answer.",
    ),
)
SITTER_ACCEPTED = _of_a_seat(
    letter="sitter accepted",
    notice="The player you asked to sit for you has accepted.",
    subject="you have a sitter",
    sentences=("The player you asked to sit for you has accepted.",),
)
SITTER_DECLINED = _of_a_seat(
    letter="sitter declined",
    notice="The player you asked to sit for you has declined.",
    subject="you still need a sitter",
    sentences=("The player you asked to sit for you has declined. You can ask someone else.",),
)
SITTER_NAMED = News("sitter named", "A player has a sitter for some days.")
