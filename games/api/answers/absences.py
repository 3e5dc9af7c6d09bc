"""The days away of a player."""

from __future__ import annotations

from games.api.answers.fields import Answer, Day, Flag, Number, Text, many


class BookedDays(Answer):
    """Days that you have booked."""

    number = Number("Names the booking in addresses.")
    first = Day("The first day away.")
    last = Day("The last day away.")
    zone = Text("The time zone of these days.")
    days = Number("How many they are.")
    moved = Flag("They have moved a deadline, and stay used up even if cancelled.")
    cancelled = Flag("They were cancelled.")
    can_cancel = Flag("They can still be cancelled.")


class Absences(Answer):
    """The days that you have booked and may still book."""

    days = Number("How many days away this game allows each player.")
    left = Number("How many of them you can still book.")
    why_not = Text("Why you can’t book any; empty if you can.")
    booked = many(BookedDays, "Your bookings, the first one first.")
    grace_times = Number("How many extensions each player can cause by missing orders.")
    grace_left = Number("How many of them you have left.")
