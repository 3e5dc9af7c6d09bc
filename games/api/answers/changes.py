"""What has changed since a mark, and where to listen for more."""

from __future__ import annotations

from games.api.answers.fields import Address, Answer, Flag, Moment, Number, Text, Texts, many
from games.pages.changes import MOST_GAMES


class GameNews(Answer):
    """A game as it stands for you now."""

    slug = Text("Its name in addresses.")
    name = Text("Its name.")
    variant = Text("The slug of its variant.")
    version = Text("Changes whenever something public changes in the game; events carry it.")
    status = Text("open, running, paused, held, finished or closed.")
    status_sentence = Text("The same in a sentence.")
    ordinal = Number("The number of the open phase; null without one.", null=True)
    turn_title = Text("The turn of the open phase, as in “Spring 1927”; empty without one.")
    kind_title = Text("The kind of the open phase, as in “movement”; empty without one.")
    deadline = Moment("When the open phase ends; null while the clock is stopped.", null=True)
    remaining_seconds = Number("What is left while the clock is stopped, else null.", null=True)
    my_power = Text("The id of the power that you play; null without a seat.", null=True)
    i_am_gm = Flag("You are its game master, or an assistant.")
    wants = Text(
        "What it wants of you first: place to confirm, requests to answer, orders missing, new messages, saved, ready "
        "or nothing to do; null if you have no part in it.",
        null=True,
    )
    must_decide = Flag("It waits for orders of yours.")
    unread = Number("Your unread messages in it.")


class Changes(Answer):
    """What has changed, and the mark to send the next time."""

    mark = Text("Stands for all these games as they are now. Send it as `since`.")
    games = Texts(f"The slugs of all games looked at: at most {MOST_GAMES}, those with the nearest deadlines.")
    changed = many(GameNews, "Those that differ from what the mark stood for.")


class Stream(Answer):
    """Where to listen."""

    games = Texts("The slugs of the games listened to.")
    ticket = Text("Lets its bearer listen to these games for a quarter of an hour.")
    stream = Address("The address of the stream, with the ticket.")
