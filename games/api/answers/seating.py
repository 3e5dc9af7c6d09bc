"""Joining, vacant seats and sitters."""

from __future__ import annotations

from games.api.answers.fields import Answer, Flag, Moment, Number, Page, Text, Texts, many, one


class JoinRequest(Answer):
    """Somebody asks to join; told to the game master."""

    name = Text("The user.")
    reliability = Text("How reliable they are, in words.")
    asked = Moment("When they asked.")


class RollCall(Answer):
    """The roll call before the first turn."""

    deadline = Moment("When it ends.")
    confirmed = Number("How many players have confirmed their place.")
    wanted = Number("How many there are.")
    must_confirm = Flag("You have yet to confirm yours.")


class Joining(Answer):
    """How to join a game that has not begun."""

    may_join = Flag("You may join now.")
    why_not = Text("Why you may not; empty if there is nothing to say.")
    may_ask = Flag("You must ask the game master first.")
    asked = Flag("You have asked.")
    joined = Flag("You have joined, and powers are given out later.")
    may_leave = Flag("You are in the game and may leave.")
    wishes = Texts("The ids of the powers you wish for, the best first.")
    others = Texts("The names of the others who have joined.")
    roll_call = one(RollCall, "The roll call; null if there is none.", null=True)


class Assistant(Answer):
    """An assistant of the game master."""

    name = Text("The name of the user.")
    rights = Text("What they may do, in words.")
    accepted = Flag("False until they answer.")


class Market(Answer):
    """The seats of a game under way, and what concerns yours."""

    vacant = Texts("The ids of powers that nobody plays.")
    bots = Texts("The ids of powers whose bots give way to people.")
    offered = Text("The name of the power you are invited to play; empty for none.")
    way_back = Text("The name of the power you have lost and may come back to; empty for none.")
    may_resign = Flag("You may resign your seat.")
    asked_to_sit = Flag("A player asks you to sit for them.")
    sits_for = Text("The name of the power you sit for; empty for none.")
    asked_to_master = Flag("You are asked to become the game master.")
    asked_to_assist = Flag("You are asked to be an assistant of the game master.")


class Sitting(Answer):
    """A sitter plays for a player for some days."""

    number = Number("Names it in addresses.")
    slug = Text("The slug of the game.")
    game = Text("The name of the game.")
    player = Text("The player who goes away.")
    sitter = Text("The user who plays for them.")
    begins = Moment("When it begins.")
    ends = Moment("When it ends.")
    talks = Flag("The sitter may read and write new messages of the seat.")
    accepted = Flag("What the sitter said; null before they answer.", null=True)
    has_begun = Flag("It has begun.")
    may_say_yes = Flag("You are asked and may say yes.")
    may_end = Flag("You may end it.")


class SittingPage(Page):
    """Sittings that you are asked for or have agreed to."""

    results = many(Sitting, "The sittings.")
