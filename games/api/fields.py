"""The kinds of fields in an answer that is written out. Each takes a sentence that says what it is, and `null=True` if
it may be null."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from rest_framework import serializers

from games.api.from_views import ApiAnswer, answer_of


class Text(serializers.CharField):
    def __init__(self, says: str, *, null: bool = False) -> None:
        super().__init__(help_text=says, allow_null=null)


class Number(serializers.IntegerField):
    def __init__(self, says: str) -> None:
        super().__init__(help_text=says)


class Flag(serializers.BooleanField):
    def __init__(self, says: str, *, null: bool = False) -> None:
        super().__init__(help_text=says, allow_null=null)


class Address(serializers.URLField):
    def __init__(self, says: str, *, null: bool = False) -> None:
        super().__init__(help_text=says, allow_null=null)


class SitePath(Address):
    """The whole address of a page here, of which the path is known."""

    def to_representation(self, value: str) -> str:
        return settings.SITE_ADDRESS + value


class Texts(serializers.ListField):
    def __init__(self, says: str) -> None:
        super().__init__(child=serializers.CharField(), help_text=says)


def one(kind: type, says: str, *, null: bool = False) -> Any:
    """A view as the API tells it, or an answer."""
    return _answer(kind)(help_text=says, allow_null=null)


def many(kind: type, says: str) -> Any:
    return _answer(kind)(many=True, help_text=says)


def _answer(kind: type) -> type[ApiAnswer]:
    return kind if issubclass(kind, ApiAnswer) else answer_of(kind)
