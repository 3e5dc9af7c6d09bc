"""The kinds of fields in an answer. Each takes a sentence that says what it is, and `null=True` if it may be null."""

from __future__ import annotations

from typing import Any, TypeVar

from rest_framework import serializers

Field = serializers.Field[Any, Any, Any, Any]


class Answer(serializers.Serializer[Any]):
    """What is told of one thing: the fields of a subclass and no others."""


Kind = TypeVar("Kind", bound=Answer)


class Text(serializers.CharField):
    def __init__(self, says: str, *, null: bool = False) -> None:
        super().__init__(help_text=says, allow_null=null)


class Number(serializers.IntegerField):
    def __init__(self, says: str, *, null: bool = False) -> None:
        super().__init__(help_text=says, allow_null=null)


class Flag(serializers.BooleanField):
    def __init__(self, says: str, *, null: bool = False) -> None:
        super().__init__(help_text=says, allow_null=null)


class Moment(serializers.DateTimeField):
    def __init__(self, says: str, *, null: bool = False) -> None:
        super().__init__(help_text=says, allow_null=null)


class Day(serializers.DateField):
    def __init__(self, says: str) -> None:
        super().__init__(help_text=says)


class Address(serializers.URLField):
    def __init__(self, says: str, *, null: bool = False) -> None:
        super().__init__(help_text=says, allow_null=null)


class ListOf(serializers.ListField):
    """A list of plain values."""

    def __init__(self, child: Field, says: str) -> None:
        super().__init__(child=child, help_text=says)


class Texts(ListOf):
    def __init__(self, says: str) -> None:
        super().__init__(serializers.CharField(), says)


class ByName(serializers.DictField):
    """An object whose names are not known before."""

    def __init__(self, child: Field, says: str) -> None:
        super().__init__(child=child, help_text=says)


def one(kind: type[Kind], says: str, *, null: bool = False) -> Kind:
    return kind(help_text=says, allow_null=null)


def many(kind: type[Answer], says: str, *, null: bool = False) -> Any:
    return kind(many=True, help_text=says, allow_null=null)


class Page(Answer):
    """A page of a list; a subclass says of what, as `results`."""

    next = Address("The address of the next page; null on the last one.", null=True)
    previous = Address("The address of the page before; null on the first one.", null=True)
