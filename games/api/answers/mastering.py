"""What a game master sees of the people for a game, and after looking at what is secret."""

from __future__ import annotations

from games.api.answers.fields import Answer, Flag, Moment, Number, Text, Texts, many, one
from games.api.answers.games import Done, Power
from games.api.answers.phases import Notice, Outcome, PowerPosition
from games.api.answers.seating import Assistant, JoinRequest
from games.api.answers.sheets import Bid, PhaseBids, PowerBids, Replaced


class Entered(Done):
    """Orders that you have entered for a player."""

    code = Text("The code of their receipt: send it as `after` with orders that should replace these and no others.")
    replaced = one(
        Replaced, "What was saved before; null if nothing was, or if it is what you have sent again.", null=True
    )


class Asking(Answer):
    """A player who asks for a seat, or is invited to one."""

    number = Number("Identifies it.")
    power = Text("The name of the power.")
    player = Text("The name of the user.")
    words = Text("How reliable they are.")
    may_give = Flag("You can give them the seat now.")


class Mailed(Answer):
    """An invitation by email that is still open."""

    number = Number("Identifies it.")
    power = Text("The name of the power.")
    address = Text("The address, shortened.")
    until = Moment("When it is over.")


class Waiting(Answer):
    """Somebody on the standby list."""

    player = Text("The name of the user.")
    words = Text("How reliable they are.")


class Desk(Answer):
    """Those who want something of you as the game master, and those whom you could ask."""

    requests = many(JoinRequest, "Requests to join that wait for your answer.")
    asking = many(Asking, "Players who ask for a vacant seat.")
    invited = many(Asking, "Players whom you have invited to a seat.")
    mailed = many(Mailed, "People whom you have invited by email.")
    waiting = many(Waiting, "Players on the standby list whom a seat here would suit.")
    successor = Text("The user you have asked to take over the game; empty if no one.")
    assistants = many(Assistant, "The game master’s assistants, and those asked to be one.")


class Preview(Answer):
    """The open phase as it would be published if it ended now."""

    outcomes = many(Outcome, "The orders with their results.")
    notices = many(Notice, "What else would happen.")
    verdict = Text("How the game would end; empty if it would go on.")
    following_title = Text("The phase that would follow.")
    following_lines = many(PowerPosition, "The position then, by power.")
    without_minors = Flag(
        "It was worked out as if no one had bid, and the orders of minor powers are left out, because you may not see "
        "the bids of this phase."
    )


class SheetText(Answer):
    """The orders and bids of a power."""

    text = Text("One order or bid in each line.")


class CorrectionPreview(Preview):
    """A closed phase as it would be published after a correction."""

    orders = Texts("The orders that change, in sentences.")
    changes = Texts("What changes in the position that follows, in sentences.")
    bids = many(Bid, "The bids of that power then, if they are corrected.")
    bids_before = many(Bid, "Those that count now.")


class OpenedBids(Answer):
    """The bids of a closed phase."""

    powers = many(PowerBids, "The bids of each power that bid.")


class BidTable(Answer):
    """The bids of all closed phases."""

    phases = many(PhaseBids, "The phases in which bids were made.")


class SeatSaved(Answer):
    """A seat, and whether its player has saved orders."""

    power = one(Power, "The power.")
    player = Text("The name of its player; empty for none.")
    saved = Flag("Orders are saved; null if none have to be, or no person plays it.", null=True)
    read = Flag("The player has read the last announcement; null without one.", null=True)


class Missing(Answer):
    """Which players have saved orders for the open phase. Never what, or how much."""

    seats = many(SeatSaved, "All seats.")
    owing = Number("How many players have orders to save.")
    missing = Number("How many of them have saved none.")
    announced = Flag("There is an announcement to read.")
    why_not = Text("Why you can’t have them reminded now; empty if you can.")
