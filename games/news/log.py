"""The public log in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudication.turns import Turn
from games.kernel.models import Event, EventKind, Game
from games.kernel.parts import EventView
from games.kernel.wording import in_words

if TYPE_CHECKING:
    from variants.variant import Variant


def events_of(game: Game, variant: Variant, *, hidden: bool = False) -> tuple[EventView, ...]:
    """The public log, newest first; with `hidden` it names nobody who plays."""
    rows = Event.objects.filter(game=game).select_related("by").order_by("-pk")
    return tuple(
        EventView(event.at, event.kind, _event_sentence(event, game, variant, hidden=hidden))
        for event in rows
    )


def _event_sentence(event: Event, game: Game, variant: Variant, *, hidden: bool) -> str:
    facts = dict(event.facts)
    names = {power.id: power.name for power in variant.powers}
    facts["power"] = names.get(facts.get("power", ""), "")
    facts["who"] = event.by.get_username() if event.by else "The site"
    if hidden and event.kind in BY_PLAYERS:
        facts["who"] = "A player"
    if hidden and "player" in facts:
        facts["player"] = "a player"
    if "turn" in facts:
        facts["turn"] = Turn.from_code(facts["turn"]).title
    if "seconds" in facts:
        facts["how"] = f"by {in_words(facts['seconds'])}"
    sentence = _event_words(event, game).format(**facts)
    return f"{sentence} Reason: {facts['reason']}" if facts.get("reason") else sentence


def _event_words(event: Event, game: Game) -> str:
    if event.kind == EventKind.STARTED and not event.by_id:
        return STARTED_WHEN_CONFIRMED if game.options.muster_seconds else STARTED_WHEN_FULL
    return ENDED_EARLY if event.facts.get("seconds") == 0 else EVENT_SENTENCES[EventKind(event.kind)]


CLOCK = (
    EventKind.DEADLINE_MOVED,
    EventKind.DEADLINE_SET,
    EventKind.GRACE_GIVEN,
    EventKind.PLAYER_AWAY,
    EventKind.FRESH_TIME,
    EventKind.PAUSED,
    EventKind.RESUMED,
    EventKind.HELD,
    EventKind.STOPPED,
    EventKind.RELEASED,
)
"""What makes the clock of the open phase go otherwise."""

BY_PLAYERS = {
    EventKind.SEAT_TAKEN,
    EventKind.SEAT_LEFT,
    EventKind.JOINED,
    EventKind.UNJOINED,
    EventKind.CONFIRMED,
    EventKind.PLACE_LOST,
    EventKind.BOT_STOPPED,
    EventKind.RESIGNED,
    EventKind.CAME_BACK,
    EventKind.TAKEN_OVER,
}
"""What is done by whoever plays the power, and not by the game master as such."""

ENDED_EARLY = "{who} ended {turn} before its time."
"""Of a deadline that was moved by nothing, which is to say to that moment."""

STARTED_WHEN_FULL = "The game started, because all seats were taken."

STARTED_WHEN_CONFIRMED = "The game started, because everybody had confirmed."
"""Of a game that nobody started: it went by itself, with a roll call or without."""

EVENT_SENTENCES = {
    EventKind.CREATED: "{who} created the game.",
    EventKind.SEAT_TAKEN: "{who} took the seat of {power}.",
    EventKind.SEAT_LEFT: "{who} left the seat of {power}.",
    EventKind.JOINED: "{who} joined the game.",
    EventKind.UNJOINED: "{who} left the game before it started.",
    EventKind.ADMITTED: "{who} let {player} join.",
    EventKind.MUSTER_CALLED: "{who} called the roll: everybody has {time} to confirm.",
    EventKind.CONFIRMED: "{who} confirmed.",
    EventKind.PLACE_LOST: "{who} did not confirm in time and lost the place in the game.",
    EventKind.SEATS_DEALT: "{who} dealt the seats.",
    EventKind.BOT_STOPPED: "{who} plays {power} in person; the bot has stopped.",
    EventKind.STARTED: "{who} started the game.",
    EventKind.DEADLINE_MOVED: "{who} moved the deadline of {turn} {how}.",
    EventKind.PAUSED: "{who} paused the game.",
    EventKind.GRACE_GIVEN: "The deadline of {turn} moved {how}: somebody had not saved orders.",
    EventKind.PLAYER_AWAY: "The deadline of {turn} moved: a player is away.",
    EventKind.RESUMED: "{who} resumed the game.",
    EventKind.HELD: "The judge stopped the game, incident {incident}.",
    EventKind.STOPPED: "The moderators of the site stopped the game.",
    EventKind.RELEASED: "The game goes on after the incident.",
    EventKind.SECEDED: "{who} declared {power} to be in permanent civil disorder.",
    EventKind.PLAYER_SEATED: "{who} gave the seat of {power} to {player}.",
    EventKind.BIDS_LOOKED_AT: "{who} looked at the bids of {turn}.",
    EventKind.PROPOSED: "{power} proposed {what}.",
    EventKind.AGREED: "{power} agreed to {what}.",
    EventKind.REFUSED: "{power} refused {what}.",
    EventKind.WITHDRAWN: "{power} withdrew its proposal of {what}.",
    EventKind.PROPOSAL_FELL: "The proposal of {what} fell away, because it names a power that is no longer there.",
    EventKind.FINISHED: "The game ended. {sentence}",
    EventKind.CLOSED: "{sentence}",
    EventKind.ROLLED_BACK: "{who} went back to {turn}; what came after it is undone.",
    EventKind.AMENDED: "{who} corrected an order of {turn}: {sentence} The phase was judged again.",
    EventKind.POSITION_EDITED: "{who} changed the position of {turn}: {sentence}",
    EventKind.PREVIEWED: "{who} looked at what the orders saved so far for {turn} would lead to.",
    EventKind.SEAT_EMPTIED: "{who} took {player} out of the seat of {power}; it is vacant.",
    EventKind.DEADLINE_SET: "{who} moved the deadline of {turn} to {until}.",
    EventKind.RESIGNED: "{who} gave up the seat of {power}; it is vacant.",
    EventKind.SEAT_LAPSED: "The seat of {power} is vacant: nothing was saved {times}.",
    EventKind.CAME_BACK: "{who} came back to the seat of {power}.",
    EventKind.TAKEN_OVER: "{who} took over the seat of {power}.",
    EventKind.FRESH_TIME: "The deadline of {turn} moved {how}: the newcomer has a full phase.",
    EventKind.SITTER_NAMED: "A player has a sitter for some days.",
    EventKind.HANDED_OVER: "{who} is the game master now: the one before handed the game over.",
    EventKind.MASTER_NAMED: "{who} is the game master now, asked by the moderators of the site.",
    EventKind.RESTORED: "After a fault the site was put back as it was on {until}. {sentence}",
}
