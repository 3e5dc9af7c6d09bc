"""What apps send, in bodies and in queries, checked field by field."""

import tomllib
from collections.abc import Collection, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from django.http import QueryDict
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from rest_framework import serializers

from adjudication.units import NEUTRAL
from games.api.from_views import with_schema
from games.kernel import codec
from games.kernel.acts import LARGEST
from games.kernel.cards import PACE_FILTERS
from games.kernel.days import refuse_unlikely_day
from games.kernel.models import Game
from games.kernel.queries import variant_choices
from games.pages.forms import SHORTEST_SEARCH
from games.press.models import KEY_LENGTH, LONGEST_MESSAGE
from games.press.options import PRESS_TEXTS

POWER_FIELDS = frozenset({"power", "powers", "wishes"})


def checked_input(kind: type[serializers.Serializer[Any]], data: Any) -> dict[str, Any]:
    """The values sent, checked against this kind of input; raises ValidationError. In an address, too, an empty value
    is neither a number nor a choice."""
    reader = kind(data=data.dict() if isinstance(data, QueryDict) else data)
    if not isinstance(data, QueryDict):
        _refuse_unknown_in(reader, data)
    reader.is_valid(raise_exception=True)
    return dict(reader.validated_data)


def _refuse_unknown_in(reader: Any, data: Any, path: str = "") -> None:
    """Refuse unknown names at every level of what was sent."""
    inner: Any = getattr(reader, "child", reader)
    if not isinstance(inner, serializers.Serializer):
        return
    if isinstance(data, list):
        for index, item in enumerate(data):
            _refuse_unknown_in(inner, item, f"{path}{index}.")
    elif isinstance(data, Mapping):
        refuse_unknown(data, tuple(inner.fields), path)
        for name, item in data.items():
            _refuse_unknown_in(inner.fields[name], item, f"{path}{name}.")


def refuse_unknown(data: Any, names: Collection[str], path: str = "") -> None:
    """Raises ValidationError for names that mean nothing here: a misspelt one would otherwise seem to be left out."""
    unknown_names = sorted(set(data) - {*names}) if isinstance(data, Mapping) else []
    hint = _("What can be sent: {known}.").format(known=", ".join(names)) if names else _("Nothing can be sent.")
    if unknown_names:
        told = _("There is no “{name}” here. {can}")
        problems = {f"{path}{name}": told.format(name=Truncator(name).chars(60), can=hint) for name in unknown_names}
        raise serializers.ValidationError(problems)


def refuse_unknown_powers(game: Game, data: Mapping[str, Any]) -> None:
    """Raises ValidationError for powers that this game doesn't have."""
    powers = [power.id for power in codec.variant_of(game).powers]
    for field in POWER_FIELDS & data.keys():
        values = data[field] if isinstance(data[field], list) else [data[field]]
        if unknown := [value for value in values if value and value not in {*powers, NEUTRAL}]:
            sentence = _("There is no power “{unknown}” in this game. Its powers: {powers}.").format(
                unknown=Truncator(unknown[0]).chars(60), powers=", ".join(powers)
            )
            raise serializers.ValidationError({field: sentence})


HELP_TEXTS: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


class Input(serializers.Serializer[Any]):
    # Not a docstring, which the schema would take for that of every input: `inputs.toml` says what each field is, by
    # the class that has it.

    def get_fields(self) -> dict[str, Any]:
        fields: dict[str, Any] = super().get_fields()
        for name, field in fields.items():
            texts = (
                HELP_TEXTS[kind.__name__][name]
                for kind in type(self).__mro__
                if name in HELP_TEXTS.get(kind.__name__, ())
            )
            field.help_text = field.help_text or next(texts, None)
        return fields


class DayField(serializers.DateField):
    default_validators = (refuse_unlikely_day,)


class MomentField(serializers.DateTimeField):
    def enforce_timezone(self, value: datetime) -> datetime:
        """Refuse what the library can't bring into a zone, too."""
        refuse_unlikely_day(value)
        return super().enforce_timezone(value)


class GamesInput(Input):
    """Which games a list has."""

    SHOWN = ("public", "open", "running", "finished", "mine")

    show = serializers.ChoiceField(SHOWN, default="public")
    variant = serializers.ChoiceField([], required=False)
    press = serializers.ChoiceField([key.value for key in PRESS_TEXTS], required=False)
    pace = serializers.ChoiceField(list(PACE_FILTERS), required=False)
    name = serializers.CharField(
        required=False, help_text=f"A part of the name, at least {SHORTEST_SEARCH} characters."
    )
    player = serializers.CharField(required=False)
    year = serializers.IntegerField(required=False)
    cursor = serializers.CharField(required=False)

    def get_fields(self) -> dict[str, Any]:
        """Add the variants that are played here as choices."""
        fields = super().get_fields()
        fields["variant"].choices = [slug for slug, _title in variant_choices()]
        return fields

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "player" in attrs and attrs["show"] != "finished":
            raise serializers.ValidationError({"player": _("Only finished games can be searched by player.")})
        return attrs


class PlaceInput(Input):
    """Where a page of a list begins that only grows at its end. Places count from 1 and never change."""

    before = serializers.IntegerField(min_value=0, max_value=LARGEST, required=False)
    after = serializers.IntegerField(min_value=0, max_value=LARGEST, required=False)


class BidInput(Input):
    """Points for the order of a minor power’s unit."""

    points = serializers.CharField()
    order = serializers.CharField()


class AfterInput(Input):
    """Orders that replace only what their writer saw."""

    after = serializers.CharField(required=False, allow_blank=True)


class SheetInput(AfterInput):
    """Either all orders as one text, or orders and bids one by one.

    An order is a line as in "A MUN - CZE"; units are built or placed by "BUILD A MUN" (with a faction "BUILD CA VIE"),
    and relations declared by "DECLARE WAR FRANCE".
    """

    ordinal = serializers.IntegerField(min_value=0, max_value=LARGEST)
    mark = serializers.CharField(required=False, allow_blank=True, default="")
    text = serializers.CharField(required=False, allow_blank=True, trim_whitespace=False)
    orders = serializers.ListField(child=serializers.CharField(allow_blank=True), required=False)
    bids = BidInput(many=True, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("text" in attrs) == ("orders" in attrs or "bids" in attrs):
            raise serializers.ValidationError(_("Send either a text, or orders and bids."))
        return attrs


class MessageInput(Input):
    """A message to write."""

    text = with_schema(serializers.CharField, type="string", maxLength=LONGEST_MESSAGE)(trim_whitespace=False)
    as_gm = serializers.BooleanField(default=False)
    key = serializers.RegexField(
        rf"^[A-Za-z0-9]{{{KEY_LENGTH}}}\Z",
        required=False,
        help_text=f"{KEY_LENGTH} letters and digits of your choice; a message sent again with the same key is written "
        "only once.",
    )


class SittingInput(Input):
    """What you say to a sitting."""

    answer = serializers.ChoiceField(choices=("yes", "no", "end"))
