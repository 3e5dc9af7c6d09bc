"""Inputs and addresses of the API for acts as their services declare them: see `games.kernel.acts`."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from inspect import Parameter
from typing import Any, TypeVar

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.answers import Done
from games.api.endpoint import Endpoint, done_answer, game_access, operation
from games.api.from_views import with_schema
from games.api.inputs import DayField, Input, MomentField, checked_input, refuse_unknown_powers
from games.kernel.access import GameAccess
from games.kernel.acts import Act, Argument
from games.pages.acts import ACTS
from games.people.models import Scope

Sent = dict[str, Any]
Entry = TypeVar("Entry")
_inputs: dict[str, type[serializers.Serializer[Any]]] = {}


class EnumField(serializers.ChoiceField):
    """A choice that the service gets as a value of its type."""

    def __init__(self, kind: Callable[[Any], Any], choices: list[Any], **facts: Any) -> None:
        super().__init__(choices, **facts)
        self.kind = kind

    def to_internal_value(self, data: Any) -> Any:
        return self.kind(super().to_internal_value(data))


def input_of(arguments: Mapping[str, Argument], name: str) -> type[serializers.Serializer[Any]] | None:
    """What is sent, of that name in the schema; None for nothing. Acts that ask for the same can share a name."""
    if not arguments:
        return None
    if name not in _inputs:
        _inputs[name] = type(name, (Input,), {it.name: field_of(it) for it in arguments.values()})
    return _inputs[name]


def field_of(argument: Argument) -> Any:
    """The field of the API, with the limits of the field of a form."""
    asked, usual = argument.asked, argument.default
    facts: Sent = {"help_text": asked.says, "required": argument.needed}
    # nothing chosen is no value in the schema: it is left out
    if usual not in (Parameter.empty, None, ()) and not (usual == "" and asked.choices):
        facts["default"] = usual
    if argument.is_list:
        facts |= {"default": list} if usual == () else {}
        child = _field_of_one(argument, most=asked.each, help_text=asked.each_says)
        return serializers.ListField(
            child=child, allow_empty=asked.blank or not argument.needed, max_length=asked.most, **facts
        )
    return _field_of_one(argument, most=asked.most, **facts)


def _field_of_one(argument: Argument, *, most: int | None, **facts: Any) -> Any:
    asked, kind = argument.asked, argument.kind
    if asked.choices:
        values = [value for value, _label in asked.choices]  # labels are for people who see the form
        return EnumField(kind, values, **facts) if issubclass(kind, Enum) else serializers.ChoiceField(values, **facts)
    if kind is str:
        if not argument.is_list and (asked.blank or not argument.needed):
            facts["allow_blank"] = True
        if asked.tells_limit:
            described = with_schema(serializers.CharField, type="string", maxLength=most)
            return described(trim_whitespace=asked.trimmed, **facts)
        of_text = serializers.EmailField if asked.is_email else serializers.CharField
        return of_text(max_length=most, trim_whitespace=asked.trimmed, **facts)
    if kind is int:
        return serializers.IntegerField(min_value=asked.least, max_value=most, **facts)
    if kind is Decimal:
        return serializers.DecimalField(max_digits=most, decimal_places=2, **facts)
    return {bool: serializers.BooleanField, datetime: MomentField, date: DayField}[kind](**facts)


def method_of(
    act: Act,
    *,
    operation_id: str,
    kind: type[serializers.Serializer[Any]] | None,
    answer: Any,
    enter: Callable[[Request, str], Entry],
    does: Callable[[Entry, Sent], Response],
    parameters: Sequence[OpenApiParameter] = (),
) -> Callable[..., Response]:
    """The method of an address that does this act with an input of this kind and what the address names. `enter`
    refuses those who may not come here before anything that they sent is read."""

    def method(_view: Endpoint, request: Request, slug: str, **where: Any) -> Response:
        entry = enter(request, slug)
        return does(entry, {**(checked_input(kind, request.data) if kind else {}), **where})

    facts: Sent = {"description": act.says, "parameters": [*parameters], "request": kind, "responses": answer}
    return operation(operation_id=operation_id, **facts)(method)


def endpoint_of(act: Act, *, operation_id: str, scope: Scope = Scope.MASTER, **facts: Any) -> type[Endpoint]:
    """The address that does nothing but this act: see `method_of`."""
    post = method_of(act, operation_id=operation_id, **facts)
    return type(f"{operation_id}Answer", (Endpoint,), {"scope": scope, "bots_may": True, "post": post})


def player_method(
    name: str,
    told: str | Callable[[GameAccess, Sent, Any], Response],
    *,
    kind: str = "",
    answer: Any = Done,
    parameters: Sequence[OpenApiParameter] = (),
) -> Callable[..., Response]:
    """The method that does this act of a player. `told`: what the answer says is done, or a function that makes the
    answer for what was sent and what the service returned. `kind`: what version 1 calls the input."""
    act = ACTS[name]

    def enter(request: Request, slug: str) -> tuple[GameAccess, Sent]:
        access = game_access(request, slug)
        return access, act.who(access, getattr(request.user, "time_zone", "UTC"))

    def does(entry: tuple[GameAccess, Sent], sent: Sent) -> Response:
        access, who = entry
        refuse_unknown_powers(access.game, sent)
        result = act.service(**who, **sent)
        return done_answer(told) if isinstance(told, str) else told(access, sent, result)

    shape, facts = input_of(act.arguments, kind), {"enter": enter, "does": does, "parameters": parameters}
    return method_of(act, operation_id=name, kind=shape, answer=answer, **facts)  # type: ignore[arg-type]
