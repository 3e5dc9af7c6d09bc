"""Tournaments and series: what everyone reads, what entrants do, and each act of a director at its own address."""

from collections.abc import Callable
from dataclasses import fields
from datetime import date
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.acts import endpoint_of, input_of
from games.api.answers import Done, ListedTournament, PlanSerializer, TournamentCreated
from games.api.creating import WeekInput, arguments_of_service, with_options
from games.api.endpoint import Endpoint, caller_id, done_answer, operation
from games.api.inputs import DayField, Input, MomentField, checked_input
from games.kernel.acts import Act
from games.kernel.limits import refusal_if_too_often
from games.people.models import Scope
from games.tournaments import rounds, services
from games.tournaments.acts import BY_ENTRANTS
from games.tournaments.files import as_json
from games.tournaments.models import LONGEST_TEXT, Tournament
from games.tournaments.queries import published_series
from games.tournaments.rules.combining import Credit, Tie
from games.tournaments.rules.scoring import SYSTEMS
from games.tournaments.terms import (
    MOMENTS,
    MOST_POINTS,
    MOST_TABLES,
    MOST_TIES,
    MOST_VARIANTS,
    OWN,
    SUM,
    WAYS_OF_TOURNAMENTS,
    Entry,
    Powers,
    Terms,
    TournamentTerms,
    limits,
)
from games.tournaments.tournament_page import PlanView, TournamentView
from games.tournaments.views import READS

_scoring = [*SYSTEMS, OWN]


class TournamentInput(Input):
    """A tournament, or a series if it has no end of entry: its name, its text and its terms."""

    name = serializers.CharField()
    text = serializers.CharField(max_length=LONGEST_TEXT, allow_blank=True, default="")
    notes = serializers.CharField(max_length=LONGEST_TEXT, allow_blank=True, default="")
    closes = MomentField(required=False)
    scoring = serializers.ChoiceField(_scoring)
    own = serializers.ListField(child=serializers.IntegerField(min_value=0, max_value=MOST_POINTS), default=list)
    combine = serializers.ChoiceField([*WAYS_OF_TOURNAMENTS], default=SUM)
    best = serializers.IntegerField(allow_null=True, default=None, **limits("best"))
    ties = serializers.ListField(child=serializers.ChoiceField([*Tie]), max_length=MOST_TIES, default=list)
    first = DayField(allow_null=True, default=None)
    last = DayField(allow_null=True, default=None)
    entry = serializers.ChoiceField([*Entry], default=Entry.OPEN.value)
    places = serializers.IntegerField(allow_null=True, default=None, **limits("places"))
    rounds = serializers.IntegerField(default=1, **limits("rounds"))
    team_best = serializers.IntegerField(
        min_value=0, max_value=20, allow_null=True, default=None
    )  # the schema is frozen
    directors_play = serializers.BooleanField(default=False)
    credit = serializers.ChoiceField([*Credit], default=Credit.BY_YEARS.value)
    sitting_out = serializers.IntegerField(default=0, **limits("sitting_out"))
    shows_running = serializers.BooleanField(default=False)
    hides_standings = serializers.BooleanField(default=False)
    shares = serializers.BooleanField(default=False)
    conceded_as_drawn = serializers.BooleanField(default=False)
    confirmed = serializers.CharField(
        max_length=32, default="", help_text="To change one: the `mark` of an `Unconfirmed`."
    )


class RoundInput(Input):
    """A round: the variants of its tables, and the options that every game of it has."""

    name = serializers.CharField()
    variants = serializers.ListField(child=serializers.CharField(), allow_empty=False, max_length=MOST_VARIANTS)
    by_invitation = serializers.BooleanField(default=False)
    scoring = serializers.ChoiceField(_scoring, required=False)
    times = serializers.IntegerField(min_value=0, max_value=3, default=1)
    powers = serializers.ChoiceField([*Powers], default=Powers.RANDOM.value)
    top_tables = serializers.IntegerField(min_value=0, max_value=MOST_TABLES, default=0)
    starts = MomentField(allow_null=True, default=None)
    ends = MomentField(allow_null=True, default=None)
    week = WeekInput(required=False)


class ChangedRoundInput(RoundInput):
    """The same for a round that there is."""

    number = serializers.IntegerField(min_value=1, max_value=12)


class OwnEntryInput(Input):
    team = serializers.CharField(max_length=40, allow_blank=True, default="")
    second_seat = serializers.BooleanField(default=False)
    powers = serializers.DictField(child=serializers.ListField(child=serializers.CharField()), default=dict)
    variants = serializers.ListField(child=serializers.CharField(), max_length=10, default=list)
    refused = serializers.ListField(child=serializers.CharField(max_length=150), max_length=10, default=list)


def _arguments(data: dict[str, Any], is_series: bool) -> dict[str, Any]:
    """The input as arguments of `services.create`."""
    kind = Terms if is_series else TournamentTerms
    chosen = {it.name: data[it.name] for it in fields(kind)}
    terms = kind.stored({name: str(value) if isinstance(value, date) else value for name, value in chosen.items()})
    written = {name: data[name] for name in ("name", "text", "notes")}
    return {**written, "terms": terms, "closes": data.get("closes")}


def _of_round(sent: dict[str, Any], _is_series: bool) -> dict[str, Any]:
    number = {"number": sent.pop("number")} if "number" in sent else {}
    names = ("name", "variants", "by_invitation", "times", "powers", "top_tables", *MOMENTS)
    round_fields = {name: sent.pop(name) for name in names}
    round_fields |= {"scoring": sent.pop("scoring", ""), "powers": Powers(round_fields["powers"])}
    return {**number, "terms": rounds.round_terms(**round_fields, choices=arguments_of_service(sent))}


INPUTS: dict[str, tuple[type[serializers.Serializer[Any]], Callable[..., dict[str, Any]]]] = {
    "change": (TournamentInput, lambda sent, of: {**_arguments(sent, of), "confirmed": sent["confirmed"]}),
    "add_round": (with_options(RoundInput, "NewRoundInput"), _of_round),
    "change_round": (with_options(ChangedRoundInput, "ChangeRoundInput"), _of_round),
    "wish": (OwnEntryInput, lambda sent, _is_series: sent),
}
"""The inputs that aren't made of arguments, and the arguments that are made of them."""
NAMES = {
    "add_director": "DirectorInput",
    "add_holiday": "DaysOffInput",
    "call_check_in": "CallInput",
    "delete_round": "NumberedRoundInput",
    "enter": "EnterTournamentInput",
    "invite": "RosterInput",
    "message": "EntrantsMessageInput",
    "put_game": "SeriesGameInput",
    "rule": "RulingInput",
    "seat": "NumberedRoundInput",
    "set_check_in": "CheckInOfEntrantInput",
    "set_place": "PlaceOfEntrantInput",
}
"""What version 1 calls the inputs that aren't named after their act."""


def endpoint_of_act(act: Act) -> type[Endpoint]:
    usual = input_of(act.arguments, NAMES.get(act.name, f"{act.name.title().replace('_', '')}Input"))
    kind, arguments = INPUTS.get(act.name, (usual, lambda sent, _is_series: sent))

    def enter(request: Request, slug: str) -> tuple[Tournament, int]:
        caller = caller_id(request)
        return TournamentView(slug, caller).row, caller

    def does(entry: tuple[Tournament, int], sent: dict[str, Any]) -> Response:
        row, caller = entry
        act.service(tournament_id=row.pk, by=caller, **arguments(sent, row.is_series))
        return done_answer(act.name)

    scope = Scope.SEAT if act.name in BY_ENTRANTS else Scope.MASTER
    facts: dict[str, Any] = {"operation_id": f"tournament_{act.name}", "kind": kind, "answer": Done, "scope": scope}
    return endpoint_of(act, enter=enter, does=does, **facts)


class TournamentsAnswer(Endpoint):
    scope = Scope.MASTER
    bots_may = True

    @operation(
        operation_id="tournaments",
        parameters=[OpenApiParameter("page", int, description="From 1; each has 30.")],
        responses=ListedTournament(many=True),
    )
    def get(self, request: Request) -> Response:
        """Published tournaments and series, the newest first."""
        page = published_series(request.query_params.get("page", ""))
        return Response(ListedTournament(list(page), many=True).data)

    @operation(operation_id="create_tournament", request=TournamentInput, responses={201: TournamentCreated})
    def post(self, request: Request) -> Response:
        """Make a draft that only you see, as its director."""
        sent = checked_input(TournamentInput, request.data)
        slug = services.create(by=caller_id(request), **_arguments(sent, "closes" not in sent))
        return Response(TournamentCreated({"slug": slug}).data, status=201)


class TournamentAnswer(Endpoint):
    @operation(operation_id="tournament", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, slug: str) -> Response:
        """The standings in the shape of dipvis, with our boards: what `standings.json` on its page has."""
        if refusal := refusal_if_too_often(request._request, "standings", READS):
            raise refusal
        return Response(as_json(TournamentView(slug, request.user.pk)))


class PlanAnswer(Endpoint):
    @operation(operation_id="plan", responses=PlanSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """The seating plan of a round that is not seated yet, for directors who have looked."""
        return Response(PlanSerializer(PlanView(TournamentView(slug, caller_id(request)), number)).data)
