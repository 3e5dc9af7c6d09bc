"""Orders and bids: the order sheet of a seat, and the receipt of what is saved."""

from __future__ import annotations

from rest_framework import serializers

from games.api.answers.fields import Answer, ByName, Flag, Moment, Number, Text, Texts, many, one


class Faction(Answer):
    """A faction of a power."""

    letter = Text("As in “C”.")
    adjective = Text("As in “communist”.")
    form = Number("Which of the outlines on the map it has, from 1.")


class Unit(Answer):
    """A unit on the map."""

    kind = Text("A for an army, F for a fleet.")
    location = Text("Where it is, as in “MUN” or “SPA/NC”.")
    colour = Text("The colour of its power.")
    letter = Text("The letter of its power; empty for a minor power.")
    title = Text("The same in words.")
    faction = Text("The letter of its faction; empty without one.")
    form = Number("Which of the factions that is, from 1; 0 without one.")
    idle = Flag("It takes no orders.")
    placed = Flag("An order of this phase puts it there.")


class Arrow(Answer):
    """An order on the map. All three places are locations, empty where the kind needs none."""

    kind = Text("hold, move, retreat, support-hold, support-move, convoy, disband or build.")
    unit = Text("The unit that is ordered.")
    target = Text("Where it moves, the unit it supports, or where the supported or convoyed unit goes.")
    aux = Text("The unit that is supported to move, or convoyed.")
    ok = Flag("It succeeds.")
    title = Text("The order in words.")
    points = Number("What was bid for it; 0 for an order of one’s own.")


class Mistake(Answer):
    """A mistake in orders."""

    line = Number("The line, from 1.")
    text = Text("The line as typed.")
    sentence = Text("What is wrong, and what is allowed.")


class OrderChoice(Answer):
    """An order that may be given."""

    value = Text("The order for programs, as in “A MUN - CZE”: send this.")
    label = Text("The order for people.")  # type: ignore[assignment]
    chosen = Flag("It is the one that is saved.")


class OrderRow(Answer):
    """A unit or a building site, with every order that it may be given."""

    location = Text("Where it is, as in “MUN”.")
    label = Text("The unit for people, as in “A Mun”.")  # type: ignore[assignment]
    choices = many(OrderChoice, "Every lawful order.")
    chosen = Text("The one that is saved; empty for none.")


class MinorChoice(Answer):
    """A unit of a minor power, with every order that can be bid for."""

    location = Text("Where it is.")
    label = Text("The unit for people.")  # type: ignore[assignment]
    choices = many(OrderChoice, "Every order you can bid for.")


class Bid(Answer):
    """Points bid for the order of a minor power’s unit."""

    minor = Text("Where the unit is.")
    points = Number("How many points, from 1.")
    order = Text("The order for people.")
    canonical = Text("The order for programs, as in “A AUS S A MUN - CZE”.")


class PowerBids(Answer):
    """The bids of a power, opened after the end of the game."""

    power = Text("The id of the power.")
    power_name = Text("Its name for display.")
    bids = many(Bid, "What it bid in this phase.")


class ToldBid(Answer):
    """A bid, and what became of its order."""

    power = Text("The id of the power that bid.")
    power_name = Text("Its name for display.")
    points = Number("How many points.")
    order = Text("The order for people.")
    canonical = Text("The order for programs, as in “A AUS S A MUN - CZE”.")
    fate = Text("won, tied or lost; empty for a bid that did not count.")


class MinorBids(Answer):
    """All bids for one unit of a minor power."""

    location = Text("Where the unit is.")
    label = Text("The unit for people.")  # type: ignore[assignment]
    followed = Text("The order that the unit was given, for people.")
    bids = many(ToldBid, "The bids, the highest first.")


class PhaseBids(Answer):
    """All bids of a phase."""

    ordinal = Number("The place of the phase among all phases.")
    turn_title = Text("The turn, as in “Spring 1927”.")
    minors = many(MinorBids, "The units that were bid for.")


class ReceiptMark(Answer):
    """The code of saved orders."""

    code = Text("Proves later which orders were saved.")
    at = Moment("When they were saved; null for old orders.", null=True)


class Sheet(Answer):
    """Your orders for the open phase, with everything that you may order. Nobody else can see it."""

    ordinal = Number("The place of the phase among all phases: send it back with the orders.")
    mark = Text("Tells the phase from one that was opened again in its place: send it back with the orders.")
    power = Text("The id of the power.")
    kind = Text("M for movement, R for retreats, A for adjustments, P for deployment, D for declarations.")
    text = Text("What is saved, as a text; empty for nothing.")
    problems = many(Mistake, "Mistakes in what is saved.")
    rows = many(OrderRow, "Your units, or building sites, with every lawful order.")
    bids = many(Bid, "The bids that are saved.")
    minors = many(MinorChoice, "Units of minor powers with every order that you can bid for; empty without bids.")
    budget = Number("How many points you can bid in this phase; 0 in variants without bids.")
    spent = Number("How many of them the saved bids take.")
    adjustment = Number("How many units to build or place (above 0) or to remove (below 0).")
    adjustments = ByName(serializers.IntegerField(), "The same by faction; the name is empty for units without one.")
    factions = many(Faction, "The factions that units may belong to.")
    saved = Flag("Something is saved, and it counts.")
    complete = Flag("No unit is without an order.")
    missing = Texts("The units without an order, in words.")
    ready = Flag("You have said that you are ready; null where the game doesn’t ask.", null=True)
    nothing_to_decide = Flag("You have nothing to order in this phase.")
    arrows = many(Arrow, "The saved orders, for the map.")
    placed = many(Unit, "The units that the saved orders build or place, for the map.")
    homes = Texts("The provinces where you can build now.")
    muster = Flag("The orders also say what each unit is.")
    idle = Texts("Your units that can’t be given orders now, in words.")
    idle_because = Text("Why idle units can’t be ordered, if there are any.")
    outdated = many(Mistake, "Saved lines that no longer count, because the position was corrected.")
    ahead = Texts("What you have written ahead for the next phases, in sentences.")
    receipt = one(ReceiptMark, "That of the last save; null before the first.", null=True)
    by_gm = Flag("The game master entered what is saved.")


class Receipt(Answer):
    """What is saved for your seat in a phase."""

    ordinal = Number("The place of the phase among all phases.")
    turn_title = Text("The turn, as in “Spring 1927”.")
    kind = Text("M, R, A, P or D, as in the sheet.")
    kind_title = Text("The same in words.")
    text = Text("The orders and bids as a text.")
    orders = Texts("The orders for people.")
    ahead = Texts("What is written ahead for the next phases, in sentences.")
    bids = many(Bid, "The bids.")
    budget = Number("How many points could be bid.")
    spent = Number("How many of them the bids take.")
    saved = Flag("Something is saved, and it counts.")
    complete = Flag("No unit is without an order.")
    missing = Texts("The units without an order, in words.")
    code = Text("Proves later which orders were saved; empty for old orders.")
    at = Moment("When they were saved; null for old orders.", null=True)
    file = Text("The receipt as a text to keep; empty for old orders.")
    by_gm = Flag("The game master entered or corrected them.")


class Replaced(Answer):
    """Orders that were saved until newer ones replaced them."""

    code = Text("The code of their receipt; empty for old orders.")
    at = Moment("When they were saved; null for old orders.", null=True)
    text = Text("The orders and bids as a text, which you can send again.")
    by_gm = Flag("The game master entered or corrected them.")


class SavedReceipt(Receipt):
    """What you have saved, and what it replaced."""

    replaced = one(
        Replaced, "What was saved before; null if nothing was, or if it is what you have sent again.", null=True
    )
    ready = Flag("You had said that you are ready, and still are; null where the game doesn’t ask.", null=True)
