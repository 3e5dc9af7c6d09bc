"""One phase of a game: the position, what is drawn on the map, the results, and what the caller may do."""

from __future__ import annotations

from rest_framework import serializers

from games.api.answers.agreements import Agreement, Farewell
from games.api.answers.fields import Answer, ByName, Flag, ListOf, Moment, Number, Text, Texts, many, one
from games.api.answers.games import Event, GameCard
from games.api.answers.seating import Assistant, Joining, JoinRequest, Market
from games.api.answers.sheets import Arrow, Faction, PowerBids, Receipt, Sheet, Unit


class PhaseHead(Answer):
    """A phase without its contents."""

    ordinal = Number("Its place among the phases of the game, from 0.")
    code = Text("The turn in short, as in “S1926M”.")
    title = Text("The turn, as in “Spring 1927”.")
    year = Number("The year of the turn.")
    short = Text("Tells the phase from the others of its year.")
    kind = Text("M for movement, R for retreats, A for adjustments, P for deployment, D for declarations.")
    kind_title = Text("The same in words.")
    is_open = Flag("Orders can still be given.")
    opened = Moment("When it began.")
    closed = Moment("When it ended; null while it is open.", null=True)
    deadline = Moment("When it ends or was to end; null while its clock stands still.", null=True)
    remaining_seconds = Number("The seconds that are left while its clock stands still; else null.", null=True)


class Coming(Answer):
    """A coming deadline, if no phase ends early and none is moved."""

    code = Text("The turn in short, as in “F1926M”.")
    title = Text("The turn, as in “Autumn 1927”.")
    kind_title = Text("What will be done in the phase.")
    at = Moment("When it ends.")


class PowerState(Answer):
    """A power and its player."""

    id = Text("The id of the power.")
    name = Text("Its name for display.")
    adjective = Text("As in “French”.")
    letter = Text("The letter on its units.")
    colour = Text("Its colour on the map, from “1” to “18”.")
    player = Text("The user who plays it; empty if no person does, or if names are hidden from you.")
    seated = Flag("It has a player, a person or a bot.")
    person = Flag("A person has the seat.")
    bot = Text("The level of the bot that plays it, for a person or alone; empty without one.")
    own_bot = Flag("Its player lets a bot of their own play it.")
    disordered = Flag("Its units hold until the seat has a player again.")
    units = Number("How many units it has.")
    centres = Number("How many supply centres it has.")
    mine = Flag("You play it.")
    ready = Flag("It is ready for the end of the phase; null where that is not shown to you.", null=True)
    missed = Number("In how many phases its present player saved nothing, although there was something to order.")


class PowerPosition(Answer):
    """The units and centres of a power in words, for display."""

    power = Text("The id of the power; “NEUTRAL” for the minor powers.")
    name = Text("Its name for display.")
    letter = Text("The letter on its units; empty for minor powers.")
    colour = Text("Its colour on the map.")
    units = Texts("As in “A Mun”.")
    centres = Texts("As in “Munich”.")
    homes = Texts("Where it can build, as long as it owns them.")


class Stance(Answer):
    """A relation that two powers can have."""

    stance = Text("As in “war”.")
    symbol = Text("How it is shown.")


class RelationCell(Answer):
    """How a power stands to another."""

    other = Text("The id of the other power.")
    other_name = Text("Its name for display.")
    stance = Text("As in “war”; empty for a power to itself.")
    symbol = Text("How it is shown.")


class RelationRow(Answer):
    """How a power stands to all."""

    power = Text("The id of the power.")
    name = Text("Its name for display.")
    letter = Text("The letter on its units.")
    colour = Text("Its colour on the map.")
    cells = many(RelationCell, "Its relation to every power.")


class StanceLine(Answer):
    """The powers to which yours stands in one way."""

    stance = Text("As in “war”.")
    symbol = Text("How it is shown.")
    names = Texts("The names of the powers.")


class Relations(Answer):
    """The relations of all powers, in variants that have declarations."""

    stances = many(Stance, "Those there are; first the one that all begin with.")
    powers = Texts("The ids of the powers in the order of the rows.")
    rows = many(RelationRow, "One row for each power.")
    mine = many(StanceLine, "Those of your power, without the first stance; empty if you play none.")


class CentreMark(Answer):
    """A faction that holds a centre."""

    centre = Text("The id of the province.")
    letter = Text("The letter of the faction.")
    form = Number("Which of the factions it is, from 1.")
    title = Text("The same in words.")


class Drawing(Answer):
    """What is drawn on the map, by the ids of provinces and locations."""

    owners = ByName(serializers.CharField(), "The colour of the owner, by province.")
    units = many(Unit, "The units on the board.")
    dislodged = many(Unit, "Those that must retreat.")
    arrows = many(Arrow, "The orders, in a closed phase.")
    holders = many(CentreMark, "Centres that belong to a faction of their power.")
    title = Text("The map in a sentence, for those who can’t see it.")
    contested = Texts("Provinces where units bounced, so that none may retreat there.")
    homes = ListOf(Texts(""), "Home centres won during the game: province and power, in pairs.")


class Outcome(Answer):
    """An order and what came of it."""

    power = Text("The id of the power; “NEUTRAL” for minor powers.")
    power_name = Text("Its name for display.")
    text = Text("The order for people, as in “A Mun–Cze”.")
    order = Text("The order for programs, as in “A MUN - CZE”.")
    results = Texts(
        "What happened, in the words of the DATC: succeeds or fails (a move that bounces fails); given or cut, for a "
        "support; available or disrupted, for a convoy; stands or dislodged; destroyed; illegal or invalid, for an "
        "order that does not count. `sentence` says why."
    )
    succeeded = Flag("It did what it was meant to do.")
    sentence = Text("The reason in a sentence; empty if there is nothing to say.")


class Notice(Answer):
    """Something that happened without an order."""

    kind = Text("What kind of thing.")
    power = Text("The id of the power it concerns; null for none.", null=True)
    province = Text("The id of the province it concerns; null for none.", null=True)
    sentence = Text("What happened.")


class Result(Answer):
    """What happened in a closed phase."""

    head = one(PhaseHead, "The phase.")
    outcomes = many(Outcome, "Every order with its result.")
    notices = many(Notice, "What else happened.")
    missed = Texts("The names of the powers that had something to order and saved nothing.")
    relations = one(Relations, "The relations after declarations; else null.", null=True)
    verdict = Text("How the game ended with it, in a sentence; empty if it didn’t.")
    amendments = Texts("Which orders the game master has corrected, in sentences.")
    sealed_record = Text("The code that commits the site to all orders, bids included; empty in old phases.")


class GmPowers(Answer):
    """What you may do as the game master at this moment."""

    may = Texts("The names of acts, as in “pause”.")
    seats = ByName(serializers.ListField(child=serializers.CharField()), "By act: the powers it can be done to.")
    phases = ByName(PhaseHead(many=True), "By act: the closed phases it can be done to, newest first.")
    requests = many(JoinRequest, "Those who ask to join.")
    invitation = Text("The token of the invitation link; empty without one.")


class Phase(Answer):
    """A game in one of its phases, as you see it."""

    game = one(GameCard, "The game.")
    version = Text("Changes whenever something public changes in the game.")
    head = one(PhaseHead, "The phase that is shown; null before the start.", null=True)
    coming = many(Coming, "The next deadlines, if nothing is moved.")
    phases = many(PhaseHead, "All phases so far, oldest first.")
    drawing = one(Drawing, "What is drawn on the map.")
    powers = many(PowerState, "The powers and their players.")
    position_lines = many(PowerPosition, "Units and centres by power, for display.")
    relations = one(Relations, "The relations; null in variants without declarations.", null=True)
    factions = many(Faction, "The factions that units may belong to; mostly none.")
    notices = many(Notice, "What happened when this phase began.")
    result = one(
        Result, "The result of the phase or, while it is open, of the one before; null without one.", null=True
    )
    final = Flag("This is the final position.")
    events = many(Event, "The newest lines of the public log.")
    my_power = Text("The id of the power you play; null if you play none.", null=True)
    bot_plays_for_me = Flag("A bot has taken your place, and you can take it back.")
    can_write = Flag("You can save orders for this phase now.")
    can_say_ready = Flag("You can say that you are ready now.")
    order_sheet = one(Sheet, "Your order sheet in the open phase; null if you have none.", null=True)
    own_sheet = one(Receipt, "What counted for you in a closed phase; null if you had no orders.", null=True)
    opened_bids = many(PowerBids, "All bids, if they were opened after the end; null while they are sealed.", null=True)
    gm = one(GmPowers, "What you may do as the game master; null if you aren’t.", null=True)
    joining = one(Joining, "How to join; null after the start.", null=True)
    seats_to_take = Texts("The ids of the powers you can take before the start.")
    names_are_hidden = Flag("Names of players are hidden from you.")
    unread = Number("How many messages you have not read.")
    agreement = one(Agreement, "How the game may end by agreement; null unless it is under way.", null=True)
    farewell = one(Farewell, "Winners, scores and statements; null before the end.", null=True)
    assistants = many(Assistant, "Those who help the game master.")
    market = one(Market, "Vacant seats, and what concerns your own.")
