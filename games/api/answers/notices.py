"""What the site has told a user."""

from __future__ import annotations

from games.api.answers.fields import Address, Answer, Flag, Moment, Number, Page, Text, many


class Notification(Answer):
    """One thing that you were told."""

    key = Text("Identifies it among your own.")
    at = Moment("When it was written.")
    game = Text("The name of the game.")
    sentence = Text("What you were told.")
    address = Address("The page that it leads to.")
    seen = Flag("It has been read.")


class NotificationPage(Page):
    """What you were told, newest first."""

    unread = Number("How many are unread, on all pages together.")
    results = many(Notification, "The notifications.")
