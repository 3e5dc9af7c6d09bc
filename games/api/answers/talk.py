"""Messages: the conversations of a game as one reader sees them."""

from __future__ import annotations

from games.api.answers.fields import Answer, Flag, ListOf, Moment, Number, Page, Text, Texts, many, one
from games.api.answers.games import GameCard, Power


class Message(Answer):
    """A message."""

    author = one(Power, "The power that wrote it; null for the game master and for players without a seat.", null=True)
    author_name = Text("Its name for display.")
    mine = Flag("You wrote it.")
    phase = Text("In which phase of the game, in words.")
    opens_phase = Flag("The message before it was written in another phase.")
    sent = Moment("When it was sent.")
    text = Text("What it says.")
    place = Number("Its place in the conversation as you see it, from 1; 0 in the list of conversations.")
    muted = Flag("You have muted the author.")


class ThreadHead(Answer):
    """A conversation in the list."""

    address = Text("Names it in addresses: “everybody”, or its powers in order, as in “FRANCE+ITALY” or “gm+ITALY”.")
    title = Text("Its name for display.")
    public = Flag("Everyone can read it.")
    with_gm = Flag("It is private between the game master and one power.")
    powers = many(Power, "The other powers in it; empty in the public one, and in a player’s with the game master.")
    unread = Number("How many messages you have not read.")
    last = one(Message, "The newest message; null without any.", null=True)


class Talk(Answer):
    """The conversations that you may read."""

    game = one(GameCard, "The game.")
    version = Text("Changes whenever something public changes in the game.")
    powers = many(Power, "All powers.")
    my_power = Text("The id of the power you play; null if you play none.", null=True)
    threads = many(ThreadHead, "The public conversation, then private ones, newest first.")
    others = many(Power, "The powers you may write to in private.")
    unread = Number("How many messages you have not read, in all conversations.")


class ThreadPage(Page):
    """A page of a conversation. The next page has the messages before these."""

    head = one(ThreadHead, "The conversation.")
    results = many(Message, "The messages, oldest first.")
    total = Number("How many messages it has that you may see.")
    voices = ListOf(Texts(""), "As whom you may write: “power” or “gm”, with the words for it; empty if you may not.")
    silence = Text("Why you may not write; empty if you may.")
    unheard = Text("Which of its powers bots play, who don’t read messages; empty if none.")
    joined = Moment("Since when you see private messages, if the seat had another player before; else null.", null=True)
