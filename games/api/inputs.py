"""What apps send, in bodies and in queries, checked field by field."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.http import QueryDict
from django.utils.text import Truncator
from rest_framework import serializers

from adjudication.units import NEUTRAL
from games.api.from_views import shaped
from games.endings.models import EndKind
from games.kernel import codec
from games.kernel.cards import PACES
from games.kernel.models import Game
from games.kernel.news import LONGEST_REASON
from games.kernel.queries import variant_choices
from games.pages.forms import SHORTEST_SEARCH
from games.press.models import KEY_LENGTH, LONGEST_MESSAGE
from games.press.options import PRESS_TEXTS

POWER_FIELDS = frozenset({"power", "powers", "wishes"})
LAST_PLACE = 2**31 - 1


def sent_as(kind: type[serializers.Serializer[Any]], data: Any) -> dict[str, Any]:
    """What was sent, checked to be of this kind; otherwise ValidationError. In an address, too, an empty value is no
    number and no choice."""
    read = kind(data=data.dict() if isinstance(data, QueryDict) else data)
    if not isinstance(data, QueryDict):
        _refuse_unknown_in(read, data)
    read.is_valid(raise_exception=True)
    return dict(read.validated_data)


def _refuse_unknown_in(read: Any, data: Any, path: str = "") -> None:
    """Also within what is sent."""
    inner: Any = getattr(read, "child", read)
    if not isinstance(inner, serializers.Serializer):
        return
    if isinstance(data, list):
        for place, each in enumerate(data):
            _refuse_unknown_in(inner, each, f"{path}{place}.")
    elif isinstance(data, Mapping):
        refuse_unknown(data, tuple(inner.fields), path)
        for name, each in data.items():
            _refuse_unknown_in(inner.fields[name], each, f"{path}{name}.")


def refuse_unknown(sent: Any, known: Collection[str], path: str = "") -> None:
    """ValidationError for names that mean nothing here: one that is misspelt would be taken for one left out."""
    unknown = sorted(set(sent) - {*known}) if isinstance(sent, Mapping) else []
    can = f"What can be sent: {', '.join(known)}." if known else "Nothing can be sent."
    if unknown:
        problems = {f"{path}{name}": f"There is no “{Truncator(name).chars(60)}” here. {can}" for name in unknown}
        raise serializers.ValidationError(problems)


def refuse_unknown_powers(game: Game, sent: Mapping[str, Any]) -> None:
    """ValidationError for what is no power of this game."""
    powers = [power.id for power in codec.variant_of(game).powers]
    for field in POWER_FIELDS & sent.keys():
        values = sent[field] if isinstance(sent[field], list) else [sent[field]]
        if unknown := [value for value in values if value and value not in {*powers, NEUTRAL}]:
            told = (
                f"There is no power “{Truncator(unknown[0]).chars(60)}” in this game. Its powers: {', '.join(powers)}."
            )
            raise serializers.ValidationError({field: told})


class GamesInput(serializers.Serializer[Any]):
    """Which games a list has."""

    SHOWN = ("public", "open", "running", "finished", "mine")

    show = serializers.ChoiceField(
        SHOWN,
        default="public",
        help_text="public (all), open (waiting for players), running, finished, or mine: those you play, run, sit in "
        "or have asked to join.",
    )
    variant = serializers.ChoiceField([], required=False, help_text="The slug of a variant.")
    press = serializers.ChoiceField(
        [key.value for key in PRESS_TEXTS], required=False, help_text="Which messages players can send."
    )
    pace = serializers.ChoiceField(
        list(PACES), required=False, help_text="live (in one evening) or slow (over days and weeks)."
    )
    name = serializers.CharField(
        required=False, help_text=f"A part of the name, at least {SHORTEST_SEARCH} characters."
    )
    player = serializers.CharField(
        required=False, help_text="The name of a user who played in the game: for finished games only."
    )
    year = serializers.IntegerField(required=False, help_text="The year in which the game was created.")
    cursor = serializers.CharField(required=False, help_text="As in the addresses of the next and previous pages.")

    def get_fields(self) -> dict[str, Any]:
        """With the variants that are played here."""
        fields: dict[str, Any] = super().get_fields()
        fields["variant"].choices = [slug for slug, _title in variant_choices()]
        return fields

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "player" in attrs and attrs["show"] != "finished":
            raise serializers.ValidationError({"player": "Only finished games can be searched by player."})
        return attrs


class PlaceInput(serializers.Serializer[Any]):
    """Where a page of a list begins that only grows at its end. Places count from 1 and never change."""

    before = serializers.IntegerField(
        min_value=0, max_value=LAST_PLACE, required=False, help_text="Show only what comes before this place."
    )
    after = serializers.IntegerField(
        min_value=0, max_value=LAST_PLACE, required=False, help_text="Show what comes next after this place."
    )


class BidInput(serializers.Serializer[Any]):
    """Points for the order of a minor power’s unit."""

    points = serializers.CharField(help_text="How many points, from 1.")
    order = serializers.CharField(help_text="The order of the minor power’s unit, as in “A AUS S A MUN - CZE”.")


class AfterInput(serializers.Serializer[Any]):
    """Orders that replace only what their writer saw."""

    after = serializers.CharField(
        required=False,
        allow_blank=True,
        help_text="The receipt code of the orders that you saw saved, empty if nothing was: with it nothing is saved "
        "if others have been saved since. Without it your orders replace whatever is saved.",
    )


class SheetInput(AfterInput):
    """Either all orders as one text, or orders and bids one by one.

    An order is a line as in "A MUN - CZE"; units are built or placed by "BUILD A MUN" (with a faction "BUILD CA VIE"),
    and relations declared by "DECLARE WAR FRANCE".
    """

    ordinal = serializers.IntegerField(
        min_value=0, max_value=LAST_PLACE, help_text="The one of the sheet that you read."
    )
    mark = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        help_text="The one of the sheet that you read: with it nothing is saved if the game master has reopened the "
        "phase since. Once that has happened it is required.",
    )
    text = serializers.CharField(
        required=False,
        allow_blank=True,
        trim_whitespace=False,
        help_text="All orders, one a line, and bids as in “2: A Aus S A Mun-Cze”.",
    )
    orders = serializers.ListField(
        child=serializers.CharField(allow_blank=True), required=False, help_text="The orders, in place of the text."
    )
    bids = BidInput(many=True, required=False, help_text="The bids, in place of the text.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("text" in attrs) == ("orders" in attrs or "bids" in attrs):
            raise serializers.ValidationError("Send either a text, or orders and bids.")
        return attrs


class ProposalInput(serializers.Serializer[Any]):
    """A draw between these powers, or a concession to them."""

    kind = serializers.ChoiceField(choices=EndKind.choices, help_text="draw or concession.")
    powers = serializers.ListField(
        child=serializers.CharField(), allow_empty=False, help_text="The ids of the powers that share or win."
    )


class VoteInput(serializers.Serializer[Any]):
    """A vote on a proposal."""

    agrees = serializers.BooleanField(help_text="Yes or no.")


class MessageInput(serializers.Serializer[Any]):
    """A message to write."""

    text = shaped(serializers.CharField, type="string", maxLength=LONGEST_MESSAGE)(
        trim_whitespace=False, help_text="The message."
    )
    as_gm = serializers.BooleanField(default=False, help_text="As the game master.")
    key = serializers.RegexField(
        rf"^[A-Za-z0-9]{{{KEY_LENGTH}}}\Z",
        required=False,
        help_text=f"{KEY_LENGTH} letters and digits of your choice; a message sent again with the same key is written "
        "only once.",
    )


class ReasonInput(serializers.Serializer[Any]):
    """Why the game master does it."""

    reason = serializers.CharField(
        max_length=LONGEST_REASON,
        required=False,
        allow_blank=True,
        default="",
        help_text="The reason; everyone can read it in the log.",
    )


class SitterInput(serializers.Serializer[Any]):
    """A user you ask to sit for you, and the days."""

    username = serializers.CharField(max_length=150, help_text="The user you ask to sit for you.")
    first = serializers.DateField(help_text="The first day, in your time zone.")
    last = serializers.DateField(help_text="The last day, which belongs to it.")
    talks = serializers.BooleanField(default=False, help_text="The sitter may read and write new messages of the seat.")


class SittingInput(serializers.Serializer[Any]):
    """What you say to a sitting."""

    answer = serializers.ChoiceField(
        choices=("yes", "no", "end"), help_text="yes or no to a player who asks, or end to end a sitting."
    )
