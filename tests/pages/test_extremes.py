"""What people send at its extremes: no error of ours, nothing that a page can't show, and the same at every door."""

from __future__ import annotations

import dataclasses
from datetime import UTC, date, datetime
from decimal import Decimal
from http import HTTPStatus
from importlib import import_module
from itertools import cycle
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from django import forms
from django.apps import apps
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.urls import get_resolver, reverse
from django.utils import timezone
from rest_framework import serializers

from games.api.inputs import Input
from games.api.tournaments import TournamentInput
from games.kernel import clock
from games.kernel.days import MOST_YEARS
from games.kernel.game_options import BadOptions, GameOptions, OptionDeclaration, ZeroOr, declared_options
from games.kernel.refusals import WrongMoment
from games.people.models import Scope
from games.tournaments import services as acts
from games.tournaments.forms import SeriesForm, TournamentForm
from games.tournaments.models import Change, Round, Tournament
from games.tournaments.terms import MOST_OWN, MOST_POINTS, RoundTerms, Terms, terms_of
from tests.api.test_acts import App
from tests.browsers import visitor
from tests.cast import CAROL, person
from tests.tournaments.made import terms_of_round, tournament
from variants.registry import find

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

pytestmark = pytest.mark.django_db
ZONES = ("Etc/GMT+12", "UTC", "Pacific/Kiritimati")
"""UTC−12, UTC and UTC+14."""
OFFSETS = ("-12:00", "Z", "+14:00")
HUGE = 10**30
FIRST, LAST = "0001-01-01", "9999-12-31"
NEVER = (FIRST, "1900-01-01", "2200-01-01", LAST)
MOMENTS = tuple(f"{day}T{clock}{offset}" for day in NEVER for clock in ("00:00", "23:59") for offset in OFFSETS)


def everything_below(kind: type[Any]) -> set[type[Any]]:
    return {deeper for one in kind.__subclasses__() for deeper in {one, *everything_below(one)}}


def every_form() -> list[type[forms.Form]]:
    assert get_resolver().url_patterns, "all pages, and so all forms, are imported"
    return [it for it in everything_below(forms.Form) if it.__module__.startswith(("games.", "diplomacy_site."))]


def every_field() -> Iterator[tuple[str, forms.Field | serializers.Field[Any, Any, Any, Any]]]:
    """Each field of a form or of the API, by its name; those of lists and of fields within fields, too."""
    for form in every_form():
        yield from ((f"{form.__qualname__}.{name}", field) for name, field in form.base_fields.items())
    asked = ((name, it.asked) for name, (_, it) in declared_options().items() if it.asked)
    yield from ((f"option {name}", field) for name, field in asked)
    for kind in everything_below(Input):
        yield from _with_inner(kind.__name__, kind())


def _with_inner(name: str, field: Any) -> Iterator[tuple[str, Any]]:
    yield name, field
    if (child := getattr(field, "child", None)) is not None:
        yield from _with_inner(f"{name}[]", child)
    for inner_name, inner in getattr(field, "fields", {}).items():
        yield from _with_inner(f"{name}.{inner_name}", inner)


def extremes(field: Any) -> tuple[list[Any], list[Any]]:
    """The values to send, and those of them that must be refused: empty, the least and the greatest, and one more."""
    empty: list[Any] = ["", None, [], {}, "\0", "x" * 100_000]
    if not isinstance(field, serializers.CharField):
        empty += [HUGE, -HUGE, "NaN", True]
    if isinstance(field, forms.DateTimeField | serializers.DateTimeField):
        return [*empty, *MOMENTS, *(it[:16] for it in MOMENTS)], []
    if isinstance(field, forms.DateField | serializers.DateField):
        return [*empty, *NEVER], [*NEVER]
    least, most = (getattr(field, name, None) for name in ("min_value", "max_value"))
    beyond = [*([] if least is None else [least - 1]), *([] if most is None else [most + 1])]
    longest, choices = getattr(field, "max_length", None), getattr(field, "choices", None)
    if isinstance(longest, int) and isinstance(field, forms.CharField | serializers.CharField):
        beyond.append("x" * (longest + 1))
    if isinstance(longest, int) and isinstance(field, serializers.ListField):
        beyond.append([None] * (longest + 1))
    chosen = [*dict(choices)] if isinstance(choices, dict | list) else []
    if isinstance(longest, int) and isinstance(field, serializers.CharField):
        chosen.append("x" * longest)
    return [*empty, least, most, *chosen[:1], *chosen[-1:], *beyond], beyond


def taken(field: Any, value: Any) -> bool:
    """Does the field take this value? Anything but a refusal is raised."""
    try:
        if isinstance(field, forms.Field):
            field.clean(_as_form_sends(field, value))
        else:
            field.run_validation(value)
    except (ValidationError, serializers.ValidationError, serializers.SkipField):
        return False
    return True


def _as_form_sends(field: forms.Field, value: Any) -> Any:
    if isinstance(field, forms.MultipleChoiceField | forms.TypedMultipleChoiceField):
        return [str(value)] if value else []
    return value if value is None or isinstance(field, forms.FileField) else str(value)


def test_every_field_takes_or_refuses_any_value_and_refuses_what_is_out_of_bounds() -> None:
    wrong, seen = set[str](), set[type]()
    for name, field in every_field():
        seen.add(type(field))
        sent, refused = extremes(field)
        for zone in ZONES:
            with timezone.override(ZoneInfo(zone)):
                moments = [it for it in sent if it in MOMENTS or f"{it}Z" in MOMENTS]
                wrong |= {f"{name} took {it!r:.60}" for it in (*refused, *moments) if taken(field, it)}
                for value in sent:
                    taken(field, value)
            if not isinstance(field, forms.DateField | forms.DateTimeField | serializers.DateTimeField):
                break
    assert wrong == set()
    assert {forms.IntegerField, serializers.ListField, serializers.DecimalField} <= seen


DAY_AHEAD, DAY_BACK = (
    date(datetime.now(UTC).year + years, month, day)
    for years, month, day in ((MOST_YEARS, 12, 31), (-MOST_YEARS, 1, 1))
)
ONLY_COMPARED = {
    *("GamesInput.year", "SubstituteInput.table", "DaysOffInput.tables[]", "RulingInput.table", "RulingInput.user"),
    *("NotesForm.version", "RemoveTableInput.table", "TypeTableInput.table"),
}
"""Numbers that are compared with those of rows, and never stored."""


def test_every_number_has_a_least_and_a_greatest_value() -> None:
    kinds = (forms.IntegerField, forms.DecimalField, serializers.IntegerField, serializers.DecimalField)
    numbers = {name: field for name, field in every_field() if isinstance(field, kinds)}
    unbounded = {
        name
        for name, it in numbers.items()
        if (it.min_value is None or it.max_value is None) and getattr(it, "max_digits", None) is None
    }
    assert (len(numbers) > 50, unbounded) == (True, {*ONLY_COMPARED, "option last_year"}), "the variant bounds that"
    it, app = tournament(), App(CAROL, Scope.MASTER)
    assert app("get", f"/api/v1/games/?show=finished&year={HUGE}").json()["code"] == "BadInput"
    acts_with_numbers: dict[str, dict[str, Any]] = {
        "substitute": {"table": HUGE, "power": "FRANCE"},
        "add_holiday": {"first": str(DAY_AHEAD), "last": str(DAY_AHEAD), "tables": [HUGE]},
        "remove_table": {"table": HUGE},
        "type_table": {"number": 1, "text": "France, Ann Lee, 5", "table": HUGE},
        "rule": {"user": HUGE, "table": HUGE, "points": "1", "reason": "So"},
    }
    for verb, sent in acts_with_numbers.items():
        assert app("post", f"do-{verb}", it.slug, **sent).status_code == HTTPStatus.FORBIDDEN, verb


def sent_for(kind: type[Input], without: Iterable[str] = ()) -> Iterator[dict[str, Any]]:
    """Each field at each extreme that the API's field takes: what a service gets to see."""
    for name, field in kind().fields.items():
        if name not in without:
            yield from ({name: value} for value in extremes(field)[0] if _is_json(value) and taken(field, value))


def _is_json(value: Any) -> bool:
    return not isinstance(value, Decimal)


CUP = {"name": "Cup", "scoring": "draw-size", "rounds": 2}
CLOSES = {"closes": f"{datetime.now(UTC).year + 1}-06-01T12:00:00Z"}
COMBINED: tuple[dict[str, Any], ...] = (
    {"scoring": "own"},
    *(
        {"scoring": "own", "own": own}
        for own in ([], [5], [1, 5], [5, 1, 3], [5, 5], [5, 3, 1], [9] * 99, [100_000, 0])
    ),
    *({"combine": way, "best": best} for way in ("best", "rounds", "average") for best in (None, 1, 2, 50)),
    *({"combine": way, "sitting_out": 1} for way in ("sum", "powers", "variants")),
    {"ties": ["won", "won"]},
    {"first": str(DAY_AHEAD), "last": str(DAY_BACK)},
    {"first": str(DAY_BACK), "last": str(DAY_AHEAD)},
    *(
        {"closes": f"{day}T{clock}{at}"}
        for day in (DAY_BACK, DAY_AHEAD)
        for clock in ("00:00", "23:59")
        for at in (OFFSETS[0], OFFSETS[-1])
    ),
)


def test_what_a_program_sends_for_a_tournament_is_refused_at_its_field_or_its_pages_and_forms_take_it() -> None:
    app, carol, made = App(CAROL, Scope.MASTER), person(CAROL), dict[str, Tournament]()
    of_series = {it.name for it in dataclasses.fields(Terms)}
    for base, without in ((CUP | CLOSES, {"first", "last"}), (CUP, TournamentInput().fields.keys() - of_series)):
        for changed in (*sent_for(TournamentInput, without), *COMBINED):
            cache.clear()
            answer = app("post", "tournaments", **base | changed)
            assert answer.status_code in {HTTPStatus.CREATED, HTTPStatus.BAD_REQUEST}, (changed, answer.json())
            if answer.status_code == HTTPStatus.BAD_REQUEST:
                fields = {it["field"] for it in answer.json()["problems"]}
                assert fields & {*changed, "own", "best", "closes", "sitting_out"}, (changed, answer.json())
                continue
            row = Tournament.objects.get(slug=answer.json()["slug"])
            if made.setdefault(f"{row.terms} {row.closes} {row.text:.1}", row) == row:
                if row.is_series or (row.closes and row.closes > clock.now()):
                    acts.publish(tournament_id=row.pk, by=carol.pk)
                else:
                    with pytest.raises(WrongMoment, match="Entry would have ended"):
                        acts.publish(tournament_id=row.pk, by=carol.pk)
                    Tournament.objects.filter(pk=row.pk).update(published=clock.now())
                form_takes_what_it_shows(row, carol.pk)
    assert len(made) > 40
    shown(made.values())


RIGHT_POINTS: list[list[int]] = [[5, 3, 1], [MOST_POINTS, 0], [*range(MOST_OWN, 0, -1)]]
WRONG_POINTS: list[list[int]] = [
    *([], [5], [5, 5], [1, 5], [5, 1, 3], [5, -1], [MOST_POINTS + 1, 0]),
    [*range(MOST_OWN, -1, -1)],
]


@pytest.mark.parametrize("own", [*RIGHT_POINTS, *WRONG_POINTS], ids=lambda own: f"{own[:3]} of {len(own)}")
def test_a_form_and_a_program_are_told_alike_which_points_by_place_are_wrong(own: list[int]) -> None:
    app, it, is_wrong = App(CAROL, Scope.MASTER), tournament(), own in WRONG_POINTS
    answer = app("post", "tournaments", **CUP | CLOSES | {"scoring": "own", "own": own})
    blamed = {problem["field"].partition(".")[0] for problem in answer.json().get("problems", ())}
    assert blamed == ({"own"} if is_wrong else set())
    written = {"scoring": "own", "own": ", ".join(map(str, own))}
    sent = shown_in_form(TournamentForm, it) | written
    shown_again = visitor(CAROL).post(reverse("games:edit-tournament", args=[it.slug]), sent)
    assert ("Write whole numbers from 0 up that never rise" in shown_again.content.decode()) is is_wrong
    it.refresh_from_db()
    assert terms_of(it).own == (() if is_wrong else tuple(own))


def test_options_at_their_extremes_make_a_game_and_a_round_whose_pages_show_them_or_are_refused() -> None:
    app, it, variant = App(CAROL, Scope.MASTER), tournament(published=False), find("1926")
    for way in (1, -1):
        options: dict[str, Any] = {}
        for name, (_kind, declared) in declared_options().items():
            for value in values_of(declared)[::way] if declared.asked else ():
                if possible(variant, **options | {name: value}):
                    options[name] = value
        options["week"] = {"holidays": [{"first": str(day), "last": str(day)} for day in (DAY_BACK, DAY_AHEAD)]}
        answer = app("post", "games", name="Genoa", variant="1926", **options)
        assert answer.status_code == HTTPStatus.CREATED, answer.json()["problems"]
        added = app("post", "do-add_round", it.slug, name="One", variants=["1926"], **options)
        assert added.status_code == HTTPStatus.OK, added.json()
        for name in ("games:game", "games:gm"):
            assert visitor(CAROL).get(reverse(name, args=[answer.json()["slug"]])).status_code == HTTPStatus.OK
    for number in (1, 2):
        assert visitor(CAROL).get(reverse("games:edit-round", args=[it.slug, number])).status_code == HTTPStatus.OK
    acts.publish(tournament_id=it.pk, by=person(CAROL).pk)
    shown([it])


def values_of(option: OptionDeclaration) -> list[Any]:
    bounds = option.allowed.within if isinstance(option.allowed, ZeroOr) else option.allowed
    if isinstance(bounds, range):
        return [bounds[0] - 1, bounds[0], bounds[-1], bounds[-1] + 1]
    values = [*bounds] if isinstance(bounds, dict | tuple) else [False, True]
    return [(it,) for it in values] if isinstance(option.default, tuple) else values


def possible(variant: Any, **options: Any) -> bool:
    try:
        return bool(GameOptions.create(variant, **options).terms())
    except BadOptions:
        return False


OLD_FAULTS: tuple[dict[str, Any], ...] = (
    {"scoring": "own", "own": []},
    {"scoring": "own", "own": [1, 5]},
    {"own": [5, 1, 3]},
    {"combine": "best", "best": None},
    {"combine": "rounds", "best": 9},
    {"team_best": 10},
)


def test_what_was_stored_before_is_mended_and_shown_in_every_zone() -> None:
    made = [tournament(published=True) for _fault in (*OLD_FAULTS, 1, 2)]
    for row, fault in zip(made, OLD_FAULTS, strict=False):
        row.terms |= fault
    for row, moment in zip(made[-2:], (FIRST, LAST), strict=True):
        row.closes = datetime.fromisoformat(f"{moment}T12:00Z")
        facts = {"moment": row.closes.isoformat()}
        Change.objects.create(tournament=row, at=timezone.now(), by=person(CAROL), kind="closes", facts=facts)
    for row in made:
        row.save()
        Round.objects.create(tournament=row, terms={**terms_of_round().to_json(), "scoring": "own"})
    with pytest.raises((OverflowError, IndexError, ValueError)):
        shown(made)
    import_module("games.tournaments.migrations.0004_within_bounds").mend(apps, None)
    for row in made:
        row.refresh_from_db()
        assert terms_of(row).problems() == {}
        assert RoundTerms.stored(row.rounds.get().terms).problems(terms_of(row)) == {}
        form_takes_what_it_shows(row, person(CAROL).pk)
    shown(made)


def shown_in_form(kind: Any, row: Tournament) -> dict[str, str]:
    """What a browser sends that changes nothing in the form."""
    fields = {it.name: it.value() for it in kind(initial=kind.like(row))}
    return {
        name: value.strftime("%Y-%m-%dT%H:%M") if isinstance(value, datetime) else "on" if value is True else str(value)
        for name, value in fields.items()
        if value is not None and value is not False
    }


def form_takes_what_it_shows(row: Tournament, by: int) -> None:
    """The form, sent as it is shown, changes nothing."""
    kind: Any = SeriesForm if row.is_series else TournamentForm
    again = kind(shown_in_form(kind, row))
    assert again.is_valid(), (row.terms, again.errors)
    acts.change(tournament_id=row.pk, by=by, **again.cleaned_data)
    before = terms_of(row)
    row.refresh_from_db()
    assert terms_of(row) == before


def shown(made: Iterable[Tournament]) -> None:
    """The page of each, once, and the list in each zone."""
    readers = []
    for zone in ZONES:
        reader = person(zone.rpartition("/")[2].replace("+", ""))
        reader.time_zone = zone
        reader.save()
        readers.append(visitor(reader.username))
    for row, client in zip(made, cycle(readers), strict=False):
        cache.clear()
        assert client.get(reverse("games:tournament", args=[row.slug])).status_code == HTTPStatus.OK, row.terms
    for client in readers:
        for page in range(1, Tournament.objects.count() // 30 + 2):
            assert client.get(reverse("games:tournaments"), {"page": page}).status_code == HTTPStatus.OK
