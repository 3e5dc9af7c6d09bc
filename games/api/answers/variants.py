"""Variants: their powers and rules, and the board with its borders and places on the map."""

from __future__ import annotations

from rest_framework import serializers

from games.api.answers.fields import Address, Answer, ByName, Flag, Number, Page, Text, Texts, many, one
from games.api.answers.games import Power


class Point(serializers.ListField):
    """A place on the map: to the right and down, in the units of its width and height."""

    def __init__(self, says: str, *, null: bool = False) -> None:
        child = serializers.FloatField()
        super().__init__(child=child, min_length=2, max_length=2, help_text=says, allow_null=null)


class VariantCard(Answer):
    """A variant in a list."""

    slug = Text("Names the variant in addresses.")
    title = Text("Its name for display.")
    players = Number("How many people play it.")
    summary = Text("What it is, in a sentence or two.")
    rules_text = Text("The rules, in Markdown.")
    credits = Text("The people who made it, and its sources.")
    powers = many(Power, "Its powers.")
    bids = Flag("Players bid points for the orders of minor powers.")
    press_title = Text("Which messages players can send, if a game’s creator says nothing else.")


class VariantPage(Page):
    """A page of a list of variants."""

    results = many(VariantCard, "The variants.")


class Province(Answer):
    """A province, and its places on the map."""

    id = Text("Its id, as in “MUN”: three letters or digits, in orders and everywhere else.")
    name = Text("Its name for display.")
    abbr = Text("Its short name for display.")
    kind = Text("land (no fleets), coast (armies and fleets), sea (fleets) or island (a sea that armies can enter).")
    centre = Flag("It is a supply centre.")
    coasts = Texts("The locations of fleets if it has several coasts, as in “SPA/NC”; else empty.")
    within = Text("The province that it is a camp in; empty for all others.")
    aliases = Texts("Other names that players may write.")
    note = Text("A fact about it; empty if there is none.")
    label = Point("Where its name is.")  # type: ignore[assignment]
    mark = Point("Where the mark of its supply centre is; null without one.", null=True)
    units = ByName(Point(""), "Where a unit is drawn, by location: the province itself, and its coasts.")


class StartUnit(Answer):
    """A unit at the start."""

    power = Text("The id of its power; “NEUTRAL” for a minor power’s.")
    kind = Text("A for an army, F for a fleet.")
    location = Text("Where it is, as in “MUN” or “SPA/NC”.")
    faction = Text("The letter of its faction; empty without one.")


class Start(Answer):
    """The position at the start."""

    turn = Text("The first turn in short, as in “S1926M”.")
    title = Text("The first turn, as in “Spring 1927”.")
    units = many(StartUnit, "The units.")
    centres = ByName(serializers.CharField(), "Province to the id of the power that controls it.")


class Board(Answer):
    """The board of a variant."""

    width = Number("How wide the map is, in its own units.")
    height = Number("How high it is.")
    provinces = many(Province, "The provinces.")
    army = ByName(Texts(""), "Province to the provinces next to it, for armies.")
    fleet = ByName(Texts(""), "Location to the locations next to it, for fleets: provinces, or coasts as in “SPA/NC”.")
    homes = ByName(Texts(""), "Power to the provinces in which it can build.")
    start = one(Start, "The position at the start.")


class Variant(VariantCard):
    """A variant with its board."""

    version = Text("Its version. A game goes on under the rules with which it began.")
    digest = Text("A SHA-256 of all that decides results: the board and the rules’ facts.")
    map = Address("The address of the empty map as SVG. Its shapes carry `data-province` with the ids of provinces.")
    board = one(Board, "The board.")
