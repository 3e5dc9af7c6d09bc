"""Tournaments and series: what everyone reads, what entrants do, and each act of a director at its own address."""

import tomllib
from collections.abc import Callable
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.answers import Done, ListedTournament, PlanSerializer, TournamentCreated
from games.api.creating import WeekInput, arguments_of_service, with_options
from games.api.endpoint import Endpoint, caller_id, done_answer, operation
from games.api.inputs import Day, Input, Moment, ReasonInput, checked_input
from games.kernel.limits import refusal_if_too_often
from games.kernel.news import LONGEST_REASON
from games.people.models import Scope
from games.tournaments import desk, entry, rounds, seating, services
from games.tournaments.files import as_json
from games.tournaments.models import LONGEST_MESSAGE, LONGEST_TEXT, Place, Tournament
from games.tournaments.queries import published_series
from games.tournaments.roster import MOST_CHARACTERS
from games.tournaments.rules.combining import Credit, Tie
from games.tournaments.rules.scoring import SYSTEMS
from games.tournaments.terms import (
    MOST_POINTS,
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

NO_INPUT = None
_scoring = [*SYSTEMS, OWN]


class TournamentInput(Input):
    """A tournament, or a series if it has no end of entry: its name, its text and its terms."""

    name = serializers.CharField()
    text = serializers.CharField(max_length=LONGEST_TEXT, allow_blank=True, default="")
    notes = serializers.CharField(max_length=LONGEST_TEXT, allow_blank=True, default="")
    closes = Moment(required=False)
    scoring = serializers.ChoiceField(_scoring)
    own = serializers.ListField(child=serializers.IntegerField(min_value=0, max_value=MOST_POINTS), default=list)
    combine = serializers.ChoiceField([*WAYS_OF_TOURNAMENTS], default=SUM)
    best = serializers.IntegerField(allow_null=True, default=None, **limits("best"))
    ties = serializers.ListField(child=serializers.ChoiceField([*Tie]), max_length=MOST_TIES, default=list)
    first = Day(allow_null=True, default=None)
    last = Day(allow_null=True, default=None)
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
    shares = serializers.BooleanField(default=False)
    conceded_as_drawn = serializers.BooleanField(default=False)


class RoundInput(Input):
    """A round: the variants of its tables, and the options that every game of it has."""

    name = serializers.CharField()
    variants = serializers.ListField(child=serializers.CharField(), allow_empty=False, max_length=MOST_VARIANTS)
    by_invitation = serializers.BooleanField(default=False)
    scoring = serializers.ChoiceField(_scoring, required=False)
    times = serializers.IntegerField(min_value=0, max_value=3, default=1)
    powers = serializers.ChoiceField([*Powers], default=Powers.RANDOM.value)
    week = WeekInput(required=False)


class NumberedRoundInput(Input):
    number = serializers.IntegerField(min_value=1, max_value=12)


class ChangedRoundInput(RoundInput):
    """The same for a round that there is."""

    number = serializers.IntegerField(min_value=1, max_value=12)


class RosterInput(Input):
    text = serializers.CharField(max_length=MOST_CHARACTERS, trim_whitespace=False)


class CallInput(NumberedRoundInput):
    until = Moment()


class CheckInInput(NumberedRoundInput):
    is_here = serializers.BooleanField(default=True)


class CheckInOfEntrantInput(CheckInInput):
    username = serializers.CharField(max_length=150)


class PlaceOfEntrantInput(Input):
    username = serializers.CharField(max_length=150)
    place = serializers.ChoiceField(Place.values)
    team = serializers.CharField(max_length=40, allow_blank=True, required=False)


class PlanInput(NumberedRoundInput):
    seed = serializers.IntegerField(min_value=0, max_value=seating.SEEDS - 1, required=False)
    tables = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=seating.MOST_TABLES),
        max_length=MOST_VARIANTS,
        required=False,
    )


class EntrantsMessageInput(Input):
    message = serializers.CharField(max_length=LONGEST_MESSAGE)


class DaysOffInput(ReasonInput):
    first, last = Day(), Day()
    tables = serializers.ListField(
        child=serializers.IntegerField(min_value=1), max_length=seating.MOST_TABLES, required=False
    )


class SeriesGameInput(Input):
    game = serializers.CharField(source="slug")


class SubstituteInput(Input):
    table = serializers.IntegerField(source="table_id", min_value=1)
    power = serializers.CharField(source="seat")
    reason = serializers.CharField(max_length=LONGEST_REASON, allow_blank=True, default="")


class RulingInput(Input):
    user = serializers.IntegerField(source="user_id", min_value=1)
    points = serializers.DecimalField(max_digits=9, decimal_places=2)
    reason = serializers.CharField(max_length=LONGEST_REASON)
    table = serializers.IntegerField(source="table_id", min_value=1, required=False)


class DirectorInput(Input):
    username = serializers.CharField(max_length=150)


class EnterTournamentInput(Input):
    token = serializers.CharField(max_length=43, allow_blank=True, default="")
    as_substitute = serializers.BooleanField(default=False)


class OwnEntryInput(Input):
    team = serializers.CharField(max_length=40, allow_blank=True, default="")
    second_seat = serializers.BooleanField(default=False)
    powers = serializers.DictField(child=serializers.ListField(child=serializers.CharField()), default=dict)
    variants = serializers.ListField(child=serializers.CharField(), max_length=10, default=list)
    refused = serializers.ListField(child=serializers.CharField(max_length=150), max_length=10, default=list)


def _arguments(data: dict[str, Any], *, is_series: bool) -> dict[str, Any]:
    """The input as arguments of `services.create`."""
    kind = Terms if is_series else TournamentTerms
    chosen = {it.name: data[it.name] for it in fields(kind)}
    terms = kind.stored({name: str(value) if isinstance(value, date) else value for name, value in chosen.items()})
    written = {name: data[name] for name in ("name", "text", "notes")}
    return {**written, "terms": terms, "closes": data.get("closes")}


def _change(*, tournament_id: int, by: int, **sent: Any) -> None:
    is_series = Tournament.objects.filter(pk=tournament_id, is_series=True).exists()
    services.change(tournament_id=tournament_id, by=by, **_arguments(sent, is_series=is_series))


def _round_terms(data: dict[str, Any]) -> Any:
    round_fields = {name: data.pop(name) for name in ("name", "variants", "by_invitation", "times", "powers")}
    round_fields["scoring"] = data.pop("scoring", "")
    round_fields["powers"] = Powers(round_fields["powers"])
    return rounds.round_terms(**round_fields, choices=arguments_of_service(data))


def _add_round(*, tournament_id: int, by: int, **sent: Any) -> None:
    rounds.add_round(tournament_id=tournament_id, by=by, terms=_round_terms(sent))


def _change_round(*, tournament_id: int, by: int, number: int, **sent: Any) -> None:
    rounds.change_round(tournament_id=tournament_id, by=by, number=number, terms=_round_terms(sent))


class TournamentAct(NamedTuple):
    """One act: its service and its input. `tournaments.toml` says what it does. `as_entrant`: it is for people who take
    part, not for directors."""

    service: Callable[..., object]
    input: type[serializers.Serializer[Any]] | None = NO_INPUT
    as_entrant: bool = False


DESCRIPTIONS: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
ACTS: dict[str, TournamentAct] = {
    "change": TournamentAct(_change, TournamentInput),
    "publish": TournamentAct(services.publish),
    "delete": TournamentAct(services.delete_draft),
    "add_director": TournamentAct(services.add_director, DirectorInput),
    "stop_directing": TournamentAct(services.leave),
    "look": TournamentAct(entry.look),
    "put_game": TournamentAct(services.put_game, SeriesGameInput),
    "add_round": TournamentAct(_add_round, with_options(RoundInput, "NewRoundInput")),
    "change_round": TournamentAct(_change_round, with_options(ChangedRoundInput, "ChangeRoundInput")),
    "delete_round": TournamentAct(rounds.delete_round, NumberedRoundInput),
    "invite": TournamentAct(entry.invite_roster, RosterInput),
    "call_check_in": TournamentAct(entry.call_check_in, CallInput),
    "set_check_in": TournamentAct(entry.set_check_in, CheckInOfEntrantInput),
    "set_place": TournamentAct(entry.set_place, PlaceOfEntrantInput),
    "plan": TournamentAct(seating.ask_for_plan, PlanInput),
    "seat": TournamentAct(seating.seat_round, NumberedRoundInput),
    "message": TournamentAct(services.write_to_entrants, EntrantsMessageInput),
    "add_holiday": TournamentAct(desk.add_holiday, DaysOffInput),
    "substitute": TournamentAct(desk.substitute, SubstituteInput),
    "rule": TournamentAct(desk.rule, RulingInput),
    "enter": TournamentAct(entry.enter, EnterTournamentInput, as_entrant=True),
    "withdraw": TournamentAct(entry.withdraw, as_entrant=True),
    "wish": TournamentAct(entry.change_entry, OwnEntryInput, as_entrant=True),
    "check_in": TournamentAct(entry.check_in, CheckInInput, as_entrant=True),
}


def endpoint_of_tournament_act(verb: str) -> type[Endpoint]:
    """The endpoint for this act."""
    act = ACTS[verb]

    def post(_view: Endpoint, request: Request, slug: str) -> Response:
        view = TournamentView(slug, caller_id(request))
        who = {"user_id" if act.as_entrant else "by": caller_id(request)}
        sent = checked_input(act.input, request.data) if act.input else {}
        act.service(tournament_id=view.row.pk, **who, **sent)
        return done_answer(verb)

    describe = operation(
        operation_id=f"tournament_{verb}", description=DESCRIPTIONS[verb], request=act.input, responses=Done
    )
    scope = Scope.SEAT if act.as_entrant else Scope.MASTER
    name = "".join(map(str.capitalize, verb.split("_")))
    return type(f"Tournament{name}Answer", (Endpoint,), {"scope": scope, "bots_may": True, "post": describe(post)})


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
        slug = services.create(by=caller_id(request), **_arguments(sent, is_series="closes" not in sent))
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
