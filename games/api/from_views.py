"""Answers made of views: the fields that are marked `InApi`, and no others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from functools import cache
from inspect import getdoc, getmembers
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, get_args, get_origin, get_type_hints

from django.conf import settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.kernel.marks import InApi

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


Field = serializers.Field[Any, Any, Any, Any]
FIELDS_OF_TYPES: dict[Any, type[Field]] = {
    str: serializers.CharField,
    bool: serializers.BooleanField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
    date: serializers.DateField,
    datetime: serializers.DateTimeField,
}


class ApiAnswer(serializers.Serializer[Any]):
    """Everything the API tells about one thing: the marked fields of the view that it is `of`, and its own fields."""

    of: ClassVar[type | None] = None

    def get_fields(self) -> dict[str, Field]:
        return {**deepcopy(_marked_fields(self.of)), **super().get_fields()}


NAMES_IN_SCHEMA = {
    "AbsenceView": "Absences",
    "ApproachView": "Asking",
    "AskingView": "Asked",
    "PowerCard": "Power",
    "PowerView": "PowerState",
    "ProblemView": "Mistake",
    "RequestView": "JoinRequest",
    "Week": "Timetable",
}
"""What the schema calls a view, where that is not its own name without "View"."""

Kind = TypeVar("Kind", bound=type[ApiAnswer])
_answers: dict[type, type[ApiAnswer]] = {}


def answer_class(view: Any) -> type[ApiAnswer]:
    """The answer class for this view, a dataclass; its description is the first paragraph of the view's docstring."""
    if view not in _answers:
        first, *_ = (getdoc(view) or "").split("\n\n")
        name = NAMES_IN_SCHEMA.get(view.__name__, view.__name__.removesuffix("View"))
        _answers[view] = type(name, (ApiAnswer,), {"__doc__": " ".join(first.split()), "of": view})
    return _answers[view]


def values_by_name(view: DataclassInstance) -> dict[str, Any]:
    """The view's values by name, for an answer with further values; an answer ignores those that it has no field
    for."""
    return {field.name: getattr(view, field.name) for field in fields(view)}


def describe_value(view: type, name: str, description: str, /, **parts: str) -> None:
    """Declare the answer for a value of the rules, which don't know the API: its description and its fields'."""
    hints = get_type_hints(view)
    facts = {part: field_of(hints[part], help_text=what) for part, what in parts.items()}
    _answers[view] = type(name, (ApiAnswer,), {"__doc__": description, **facts})


def tells_of(view: type) -> Callable[[Kind], Kind]:
    """Let an answer class that is written out stand for this view, where marks can't say everything."""

    def decorate(answer: Kind) -> Kind:
        _answers[view], answer.of = answer, view
        return answer

    return decorate


@cache
def _marked_fields(view: type | None) -> dict[str, Field]:
    fields_marked = fields_marked_in(_types_of_fields(view) if view else {})
    assert fields_marked or not view, f"no field of {view} is marked, nor is it described"
    return fields_marked


def _types_of_fields(view: type) -> dict[str, Any]:
    """The types of a view's fields and properties."""
    worked_out = {name: member.fget for name, member in getmembers(view) if isinstance(member, property)}
    types_worked_out = {
        name: get_type_hints(get, include_extras=True).get("return") for name, get in worked_out.items()
    }
    return {**get_type_hints(view, include_extras=True), **types_worked_out}


def fields_marked_in(hints: Mapping[str, Any]) -> dict[str, Field]:
    """The fields for those of these types that are marked `InApi`."""
    marks = {name: getattr(hint, "__metadata__", ()) for name, hint in hints.items()}
    return {
        name: field_of(hints[name].__origin__, help_text=mark.says)
        for name, metadata in marks.items()
        for mark in metadata
        if isinstance(mark, InApi)
    }


def field_of(hint: Any, **facts: Any) -> Any:
    """The field for values of this type; raises KeyError for a type that no answer has used yet."""
    inner = [part for part in get_args(hint) if part not in {NoneType, Ellipsis}]
    origin, kind = get_origin(hint), (inner or [hint])[0]
    if hint is Any:
        return serializers.JSONField(**facts)
    if origin is UnionType:
        return field_of(kind, allow_null=True, **facts)
    if origin is Mapping:
        return serializers.DictField(child=field_of(inner[1]), **facts)
    if is_dataclass(kind):
        return answer_class(kind)(many=origin is tuple, **facts)
    if origin is tuple:
        length = None if Ellipsis in get_args(hint) else len(inner)
        return serializers.ListField(child=field_of(kind), min_length=length, max_length=length, **facts)
    choices = {"enum": [member.value for member in kind]} if issubclass(kind, Enum) else {}
    return (with_schema(FIELDS_OF_TYPES[str], type="string", **choices) if choices else FIELDS_OF_TYPES[kind])(**facts)


def with_schema(kind: type[Field], **shape: Any) -> type[Any]:
    """The same field class with this shape in the schema."""
    return extend_schema_field(shape)(type(kind.__name__, (kind,), {}))


class SiteAddressField(serializers.URLField):
    """The whole address of one of our pages, made from its path."""

    def to_representation(self, value: str) -> str:
        return settings.SITE_ADDRESS + value


class ListOfTexts(serializers.ListField):
    child = serializers.CharField()


def _field_maker(kind: type[Field]) -> Callable[..., Any]:
    def field(says: str, *, null: bool = False) -> Any:
        return kind(help_text=says, allow_null=null)

    return field


Text, Number, Flag = (
    _field_maker(FIELDS_OF_TYPES[str]),
    _field_maker(FIELDS_OF_TYPES[int]),
    _field_maker(FIELDS_OF_TYPES[bool]),
)
Texts, Address, SitePath = _field_maker(ListOfTexts), _field_maker(serializers.URLField), _field_maker(SiteAddressField)


def object_field(kind: type, says: str, *, null: bool = False) -> Any:
    """A field that holds a view, as the API tells it, or an answer."""
    return _as_answer_class(kind)(help_text=says, allow_null=null)


def list_field(kind: type, says: str) -> Any:
    return _as_answer_class(kind)(many=True, help_text=says)


def _as_answer_class(kind: type) -> type[ApiAnswer]:
    return kind if issubclass(kind, ApiAnswer) else answer_class(kind)
