"""Games in lists, and the options that a game was created with."""

from __future__ import annotations

import types
from datetime import date
from typing import Any, Union, get_args, get_origin

from rest_framework import serializers

from games.api.answers.fields import Answer, Day, Field, Flag, ListOf, Moment, Number, Page, Text, Texts, many, one
from games.deadlines.timetable import Week
from games.kernel.game_options import shown


class Holiday(Answer):
    """Days without a deadline."""

    first = Day("The first day.")
    last = Day("The last day, which belongs to it.")
    name = Text("What it is called; may be empty.")


class Slot(Answer):
    """A time of the week."""

    weekday = Number("From 0, Monday, to 6, Sunday.")
    hour = Number("From 0 to 23, in the zone of the timetable.")
    minute = Number("From 0 to 59.")


class Timetable(Answer):
    """The days and times on which deadlines may fall. Phases of a kind without fixed times end after their length."""

    zone = Text("The time zone of all these times, as in “Europe/Berlin”.")
    movement = many(Slot, "The fixed times at which movement phases end; empty if their length alone counts.")
    retreat = many(Slot, "The same for retreats.")
    adjustment = many(Slot, "The same for builds, removals and declarations.")
    days_off = ListOf(serializers.IntegerField(), "Weekdays without a deadline, from 0, Monday.")
    holidays = many(Holiday, "Days without a deadline.")


class Term(Answer):
    """One of the terms that everyone reads before they join."""

    group = Text("The heading it stands under.")
    title = Text("What it is about.")
    sentence = Text("What applies.")


class Options(Answer):
    """All options of a game. Lengths are in seconds; 0 stands for "none"."""

    terms = many(Term, "The same in words.")

    def get_fields(self) -> dict[str, Field]:
        """With every option, which its subject declares together with its description."""
        return {**super().get_fields(), **{name: _declared(it.hint, it.help_text) for name, it in shown().items()}}


PLAIN: dict[Any, type[Field]] = {
    str: serializers.CharField,
    bool: serializers.BooleanField,
    int: serializers.IntegerField,
    date: serializers.DateField,
}


def _declared(hint: Any, says: str) -> Field:
    """The field of an option of this type; KeyError for a type that no option has had so far."""
    if get_origin(hint) in {types.UnionType, Union}:
        (inner,) = [part for part in get_args(hint) if part is not type(None)]
        return PLAIN[inner](help_text=says, allow_null=True)
    if get_origin(hint) is tuple:
        return serializers.ListField(child=PLAIN[get_args(hint)[0]](), help_text=says)
    return Timetable(help_text=says) if hint is Week else PLAIN[hint](help_text=says)


class Power(Answer):
    """A power, as in any list of powers."""

    id = Text("Its id, as in “FRANCE”.")
    name = Text("Its name for display.")
    colour = Text("Its colour on the map, from “1” to “18”.")
    letter = Text("The letter on its units.")


class GameCard(Answer):
    """A game in a list."""

    slug = Text("Names the game in addresses.")
    name = Text("Its name for display.")
    variant = Text("The slug of its variant.")
    variant_title = Text("The variant’s name for display.")
    status = Text("open (waiting for players), running, paused, held (by the site), finished or closed.")
    status_sentence = Text("The same in a sentence.")
    verdict = Text("How it ended, in a sentence; empty before.")
    winners = Texts("The ids of the winners; empty before the end.")
    gm_name = Text("The name of the game master.")
    players = Number("How many seats there are for people.")
    taken = Number("How many players have joined, with the seats kept for guests who are invited by email.")
    bots = Number("How many seats bots play or, before the start, are kept for them.")
    ordinal = Number("The place of the open phase among all phases, from 0; null without one.", null=True)
    turn_title = Text("The turn, as in “Spring 1927”; empty without an open phase.")
    kind_title = Text("What is done in the open phase, as in “Movement”; empty without one.")
    deadline = Moment("When the open phase ends; null if there is none, or its clock stands still.", null=True)
    remaining_seconds = Number("The seconds that are left while the clock stands still; else null.", null=True)
    everybody_is_ready = Flag("All are ready: the phase ends early unless a player takes that back.")
    by_invitation = Flag("The game can only be seen by those who take part or have its link.")
    elsewhere = Flag("It was played elsewhere and added to the archive.")
    my_power = Text("The id of the power you play; null if you play none.", null=True)
    i_joined = Flag("You have joined, and powers have yet to be given out.")
    i_sit = Flag("You sit for a player; told in lists only.")
    i_am_gm = Flag("You are its game master, or an assistant.")
    roll_call_until = Moment("When the roll call before the start ends; null if there is none.", null=True)
    options = one(Options, "What was chosen when it was created.")
    created = Moment("When it was created.")
    repairs = Number("How often the game master has corrected something.")
    unread = Number("How many messages you have not read.")
    wants = Text(
        "What it wants of you: “place to confirm”, “requests to answer”, “orders missing”, “new messages”, “saved”, "
        "“ready” or “nothing to do”; null if you have no part in it. Told in lists only.",
        null=True,
    )


class GamePage(Page):
    """A page of a list of games, newest first."""

    results = many(GameCard, "The games.")


class Event(Answer):
    """A line of the public log."""

    at = Moment("When it happened.")
    kind = Text("The kind of news.")
    sentence = Text("What happened. Players of games with hidden names are not named.")


class EventPage(Page):
    """A page of the public log, newest first."""

    results = many(Event, "The lines.")


class Done(Answer):
    """The act was done."""

    done = Text("What was done.")


class Created(Answer):
    """A game that was just created."""

    slug = Text("Its name in addresses.")
    invitation = Text("The token of its invitation link; empty for a public game.")
