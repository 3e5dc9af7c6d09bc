"""Serializers: for the frozen views, the fields that the contract names, with their types; and for what is sent."""

import types
from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import cache
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from rest_framework import serializers

from games.api.contract import GIVEN
from games.endings.models import EndKind
from games.kernel.game_options import shown
from games.kernel.parts import GameOptionsView
from games.press.models import KEY_LENGTH

LAST_PLACE = 2**31 - 1

PLAIN: dict[type, Callable[..., serializers.Field]] = {  # type: ignore[type-arg]
    str: serializers.CharField,
    bool: serializers.BooleanField,
    int: serializers.IntegerField,
    date: serializers.DateField,
    datetime: serializers.DateTimeField,
}


@cache
def serializer_of(view: type) -> type[serializers.Serializer[Any]]:
    """The serializer for a frozen dataclass of plain values, tuples, mappings and other such dataclasses."""
    hints = get_type_hints(view)
    attributes: dict[str, Any] = {name: field_of(hints[name]) for name in GIVEN[view].split()}
    if view is GameOptionsView:
        attributes |= {name: field_of(it.hint, help_text=it.help_text) for name, it in shown().items()}
    attributes["__doc__"] = view.__doc__
    return cast("type[serializers.Serializer[Any]]", type(view.__name__, (serializers.Serializer,), attributes))


def field_of(hint: Any, **arguments: Any) -> serializers.Field:  # type: ignore[type-arg]
    """The field for one type; TypeError for a type that the contract does not name."""
    origin = get_origin(hint)
    if origin in {types.UnionType, Union}:
        (inner,) = [part for part in get_args(hint) if part is not type(None)]
        return field_of(inner, allow_null=True, **arguments)
    if origin is tuple:
        return serializers.ListField(child=field_of(get_args(hint)[0]), **arguments)
    if origin is Mapping:
        return serializers.DictField(child=field_of(get_args(hint)[1]), **arguments)
    if hint in PLAIN:
        return PLAIN[hint](**arguments)
    if hint in GIVEN:
        return serializer_of(hint)(**arguments)
    raise TypeError(f"{hint} cannot be part of an answer.")


def sent_as(kind: type[serializers.Serializer[Any]], data: Any) -> dict[str, Any]:
    """What was sent, checked to be of this kind; otherwise ValidationError."""
    read = kind(data=data)
    read.is_valid(raise_exception=True)
    return dict(read.validated_data)


class BidInput(serializers.Serializer[Any]):
    points = serializers.CharField()
    order = serializers.CharField()


class ProposalInput(serializers.Serializer[Any]):
    """A draw between these powers, or a concession to them."""

    kind = serializers.ChoiceField(choices=EndKind.choices)
    powers = serializers.ListField(child=serializers.CharField(), allow_empty=False)


class MessageInput(serializers.Serializer[Any]):
    """A message. `key`: 64 letters and digits of your choice; a message sent again with the same key is written only
    once."""

    text = serializers.CharField(trim_whitespace=False)
    as_gm = serializers.BooleanField(default=False)
    key = serializers.RegexField(rf"^[A-Za-z0-9]{{{KEY_LENGTH}}}\Z", required=False)


class VoteInput(serializers.Serializer[Any]):
    agrees = serializers.BooleanField()


class BeforeInput(serializers.Serializer[Any]):
    before = serializers.IntegerField(min_value=0, max_value=LAST_PLACE, required=False)


class ReasonInput(serializers.Serializer[Any]):
    """The game master's reason; everyone can read it in the log."""

    reason = serializers.CharField(required=False, allow_blank=True, default="")


class SitterInput(serializers.Serializer[Any]):
    """The user you ask to sit for you, from the first to the last day inclusive. `talks`: the sitter may read and
    write new messages of the seat."""

    username = serializers.CharField(max_length=150)
    first = serializers.DateField()
    last = serializers.DateField()
    talks = serializers.BooleanField(default=False)


class SittingInput(serializers.Serializer[Any]):
    answer = serializers.ChoiceField(choices=("yes", "no", "end"))


class Done(serializers.Serializer[Any]):
    done = serializers.CharField()


class SheetInput(serializers.Serializer[Any]):
    """Either all orders as one text, or orders and bids one by one.

    An order is a line as in "A MUN - CZE"; units are built or placed by "BUILD A MUN" (with a faction "BUILD CA VIE"),
    and relations declared by "DECLARE WAR FRANCE". `mark` is the one you read with the orders: with it nothing is
    saved if the game master has reopened the phase since, and once that has happened it is required.
    """

    ordinal = serializers.IntegerField(min_value=0)
    mark = serializers.CharField(required=False, allow_blank=True, default="")
    text = serializers.CharField(required=False, allow_blank=True, trim_whitespace=False)
    orders = serializers.ListField(child=serializers.CharField(allow_blank=True), required=False)
    bids = BidInput(many=True, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("text" in attrs) == ("orders" in attrs or "bids" in attrs):
            raise serializers.ValidationError("Send either a text, or orders and bids.")
        return attrs
