"""The page of the directors' desk: the tables of all rounds that are seated, and actions on several tables at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property, partial
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import FilteredRelation, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from games.deadlines.options import PhaseLengths
from games.deadlines.timing import extension_left
from games.kernel import clock
from games.kernel import view_helpers as web
from games.kernel.acts import Act
from games.kernel.days import DAY, SECOND
from games.kernel.fields import LENGTHS
from games.kernel.forms import parse_whole_number
from games.kernel.languages import later
from games.kernel.meanwhile import Meanwhile, one_at_a_time
from games.kernel.models import NOT_OVER, OVER, UNDER_WAY, Joiner, Phase, Right, Seat, Status
from games.kernel.options import LEVELS, Names
from games.kernel.parts import PhaseHead
from games.kernel.queries import NOBODY, phase_head
from games.kernel.typed import keep_sent_form
from games.kernel.wording import moment_words
from games.mastering.acts import ACTS as MASTERS
from games.mastering.overview import games_with_matters
from games.sealed.options import SeeingWhoSaved
from games.tournaments import desk as acts
from games.tournaments.acts import BY_DIRECTORS
from games.tournaments.desk import AT_TABLES
from games.tournaments.elsewhere import type_table
from games.tournaments.hall import not_confirmed, of_roll_calls
from games.tournaments.models import Table
from games.tournaments.parts import SeriesGame
from games.tournaments.terms import RoundTerms
from games.tournaments.texts import texts
from games.tournaments.tournament_page import TournamentView
from games.tournaments.views import directed, lock_for_its_people
from variants.bots import Level

BOT = "bot-"
FORMER_NAMES = {"announce": "write", "assistant": "name_assistant"}
"""What pages that were open before this version call acts: until the next release."""
ALL_RIGHTS = {"rights": [right.value for right in Right]}
"""What assistants who are named for all tables may do; the page doesn't ask."""
Choices = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class DeskRow:
    """A table as one director may see it. `runs`: they have rights there and don't play. `phase`: the open one, which
    can be extended by `more` (None: without a limit). `roll_call`: how many have confirmed and, where the director may
    know who plays, who has not."""

    table: Table
    label: str
    game: SeriesGame
    phase: PhaseHead | None
    matters: tuple[tuple[str, str], ...]
    runs: bool
    shows_missing: bool
    more: timedelta | None
    roll_call: str = ""

    @property
    def is_typed(self) -> bool:
        return self.table.game.pk < 0


class DeskView:
    """The desk for one director. Each fact is read once for all tables."""

    def __init__(self, view: TournamentView) -> None:
        self.view, self.by = view, view.user_id or NOBODY
        view.table_query = view.table_query.annotate(**of_roll_calls())

    @cached_property
    def tables(self) -> list[Any]:
        rounds = {row.pk: (row, RoundTerms.stored(row.terms).cut) for row in self.view.round_rows}
        for table in self.view.tables:
            table.round, cut = rounds[table.round_id]
            table.is_top = table.number <= cut
        return sorted(self.view.tables, key=lambda it: (it.game.status in OVER, it.round.number, it.number))

    @cached_property
    def rows(self) -> list[DeskRow]:
        played, which = {it.game_id for it in self.tables if it.is_mine}, Q(table__round__tournament=self.view.row)
        told = {game.pk: (game, it) for game, it in games_with_matters(which, self.by, clock.now(), played=played)}
        timed = [pk for pk, (game, _it) in told.items() if game.options[PhaseLengths].week.zone_if_it_matters]
        closed = Phase.objects.filter(game__in=timed, closed__isnull=False).order_by("game", "-ordinal")
        newest = {it.game_id: it for it in (closed.distinct("game").only("game", "deadline") if timed else ())}
        return [self._row(table, told, newest) for table in self.tables]

    def _row(
        self, table: Any, matters_by_game: dict[int, tuple[Any, dict[str, str]]], newest: Mapping[int, Phase]
    ) -> DeskRow:
        view, (game, matters) = self.view.games[table.game_id], matters_by_game.get(table.game_id, (table.game, {}))
        phase = getattr(game, "open_now", None) if view.slug else None
        runs = bool(not table.is_mine and table.game.rights_of(self.by))
        shows = runs and phase is not None and bool(game.options[SeeingWhoSaved].seen_by_gm)
        head = phase_head(phase) if phase else None
        listed = tuple(matters.items()) if view.slug else ()
        called = self._roll_call_in_words(table, runs=runs) if view.slug else ""
        more = extension_left(phase, newest.get(game.pk)) if phase else None
        return DeskRow(table, acts.label_of(table), view, head, listed, runs, shows, more, called)

    def _roll_call_in_words(self, table: Any, *, runs: bool) -> str:
        if table.roll_call_until is None:
            return ""
        missing, people = not_confirmed(table)
        told = _("Roll call until {moment}: {count} of {people} have confirmed.")
        until, count = moment_words(table.roll_call_until), people - len(missing)
        counted = told.format(moment=until, count=count, people=people)
        if not missing or not runs or not table.game.options[Names].seen_by_gm:
            return counted
        return f"{counted} {_('Not yet: {people}.').format(people=', '.join(missing))}"

    @cached_property
    def entrants(self) -> list[Any]:
        return acts.entrants_known_to(self.view.row, self.by)

    @cached_property
    def substitutes(self) -> Choices:
        free = acts.free_substitutes(self.view.round_rows, self.entrants)
        bots = [(f"{BOT}{level.value}", _("a bot: {level}").format(level=texts[0])) for level, texts in LEVELS.items()]
        return [*((str(it.user_id), it.user.get_username()) for it in free), *bots]

    @cached_property
    def seats(self) -> list[tuple[str, Choices]]:
        """The seats that this director can give out: vacant ones first, then those of each table."""
        known = [it for it in self.tables if it.game.status in NOT_OVER and it.game.options[Names].seen_by_gm]
        tables = [it for it in known if not it.is_mine and Right.SEATS in it.game.rights_of(self.by)]
        games, vacant, groups = {it.game_id: it for it in tables}, list[tuple[str, str]](), dict[int, Choices]()
        now = FilteredRelation("occupancies", condition=Q(occupancies__until__isnull=True))
        rows = Seat.objects.filter(game__in=games, disordered=False).annotate(now=now).order_by("game", "power")
        for game, power, name, is_bot in rows.values_list("game", "power", "now__user__username", "now__user__is_bot"):
            table = games[game]
            if name is None and self._deals_itself(table):
                continue
            power_name = table.game.options.variant.power(power).name
            holder = _("a bot") if is_bot else name or _("vacant")
            label = _("{table}: {power}, {holder}").format(table=acts.label_of(table), power=power_name, holder=holder)
            value = f"{table.pk}:{power}={None if is_bot else name}"
            (vacant if name is None else groups.setdefault(game, [])).append((value, label))
        for joiner in Joiner.objects.filter(game__in=games).select_related("user").order_by("pk"):
            table, name = games[joiner.game_id], joiner.user.get_username()
            label = _("{table}: the place of {name}").format(table=acts.label_of(table), name=name)
            groups.setdefault(table.game_id, []).append((f"{table.pk}:{acts.WAITS}{joiner.user_id}", label))
        for table in tables:
            if self._deals_itself(table):
                vacant.append((f"{table.pk}:", _("{table}: a free place").format(table=acts.label_of(table))))
        in_tables = [(_("Table {table}").format(table=acts.label_of(it)), groups.get(it.game_id, [])) for it in tables]
        return [(title, seats) for title, seats in [(_("Vacant"), vacant), *in_tables] if seats]

    def _deals_itself(self, table: Any) -> bool:
        return bool(table.game.status == Status.OPEN and table.round.terms["powers"] == "table")

    @cached_property
    def rulings(self) -> list[Any]:
        rows = self.view.row.rulings.select_related("user", "table__round").order_by("-pk")
        return list(rows) if self.view.sees_standings else []


class TablesForm(forms.Form):
    """The tables to act on and the fields of each act there; `do` says which one it is, and so what is needed."""

    tables = forms.MultipleChoiceField(
        required=False, error_messages={"invalid_choice": later("There is no such table. Choose from the list.")}
    )
    every = forms.BooleanField(required=False, label=later("At all tables"))

    def __init__(self, data: Any, *, do: str, rows: Sequence[DeskRow]) -> None:
        super().__init__(data, auto_id="desk-%s")
        self.act, self.rows = AT_TABLES.get(do), rows
        for act in sorted(AT_TABLES.values(), key=lambda it: it is self.act):
            fields = {name: it.form_field() for name, it in act.arguments.items() if name not in ALL_RIGHTS}
            for field in fields.values():
                field.required = field.required and act is self.act
            self.fields.update(fields)
        self.fields["tables"].choices = [(str(it.table.pk), it.label) for it in rows]  # type: ignore[attr-defined]
        self._offer_lengths()

    def _offer_lengths(self) -> None:
        """Offer what some table allows, and say which tables allow less."""
        allowed = {
            it.label: [length for length in LENGTHS if it.more is None or length[0] * SECOND <= it.more]
            for it in self.rows
            if it.runs and it.phase
        }
        offered = max(allowed.values(), key=len, default=[it for it in LENGTHS if it[0] <= DAY]) or LENGTHS[:1]
        tables = dict[str, list[str]]()
        for label, lengths in allowed.items():
            if len(lengths) < len(offered):
                tables.setdefault(str(lengths[-1][1]) if lengths else "", []).append(label)
        less, none = _("Tables that allow at most {length}: {tables}."), _("Tables that allow no more time: {tables}.")
        told = ((less if it else none).format(length=it, tables=", ".join(at)) for it, at in tables.items())
        field = self.fields["seconds"]
        field.help_text, field.initial = " ".join(told), min(DAY, offered[-1][0])
        field.widget.choices = offered

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if not data.get("every") and not data.get("tables") and "tables" not in self.errors:
            self.add_error("tables", _("Tick the tables, or “At all tables”."))
        return data

    def chosen(self) -> list[Table]:
        ticked = set(self.cleaned_data["tables"])
        return [it.table for it in self.rows if self.cleaned_data["every"] or str(it.table.pk) in ticked]


DONE = texts("done")
APART = ("substitute", "rule", "undo")
"""What concerns one seat or one person."""


class SubstituteForm(forms.Form):
    seat = forms.CharField(max_length=250, error_messages={"required": later("Choose a seat from the list.")})
    to = forms.CharField(max_length=40, required=False)
    reason = MASTERS["seat"].arguments["reason"].form_field()


class RulingForm(forms.Form):
    user = forms.TypedChoiceField(label=later("Player"), coerce=int)
    table = forms.TypedChoiceField(label=later("Points"), required=False, coerce=int, empty_value=None)
    points = BY_DIRECTORS["rule"].arguments["points"].form_field()
    reason = BY_DIRECTORS["rule"].arguments["reason"].form_field()
    instead_of = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, view: DeskView) -> None:
        super().__init__(data, auto_id="ruling-%s")
        if not view.view.sees_standings:
            del self.fields["instead_of"]  # the answer would tell whether there is such a ruling
        people = sorted(((it.user_id, it.user.get_username()) for it in view.entrants), key=lambda it: it[1].casefold())
        over = [it for it in view.rows if it.table.game.status not in NOT_OVER]
        told = _("those of table {table}, instead of the system’s")
        tables = [("", _("added to the total")), *((str(it.table.pk), told.format(table=it.label)) for it in over)]
        self.fields["user"].choices = people  # type: ignore[attr-defined]
        self.fields["table"].choices = tables  # type: ignore[attr-defined]


@web.form_page
@web.refusals_to("games:tournament-desk")
def desk(request: HttpRequest, slug: str) -> HttpResponse | str:
    view = DeskView(directed(request, slug))
    act_name, form_data = request.POST.get("do", ""), request.POST if request.method == "POST" else None
    act_name = FORMER_NAMES.get(act_name, act_name)
    if form_data is not None and act_name not in (*AT_TABLES, *APART):
        raise Http404
    common: dict[str, Any] = {"tournament_id": view.view.row.pk, "by": view.by}
    if act_name == "undo":
        name = acts.undo_ruling(**common, number=parse_whole_number(request.POST.get("number", "")) or NOBODY)
        return _("The ruling about {name} is taken back.").format(name=name)
    seat = SubstituteForm(form_data if act_name == "substitute" else None, auto_id="seat-%s")
    ruling = RulingForm(form_data if act_name == "rule" else None, view=view)
    played_here = [it for it in view.rows if not it.is_typed]
    tables = TablesForm(form_data if act_name in AT_TABLES else None, do=act_name, rows=played_here)
    if web.form_succeeds(seat, partial(_fill, common)):
        return _("The seat is given. We’ve told them.")
    if web.form_succeeds(ruling, partial(acts.rule, **common)):
        return _("Everyone can read the ruling now.")
    if act_name == "end" and tables.is_valid() and "sure" not in request.POST:
        chosen = [it for it in view.rows if it.table in tables.chosen() and it.table.game.status in UNDER_WAY]
        return render(request, "tournaments/end.html", {"series": view.view, "rows": chosen, "form": tables})
    if tables.act is not None and tables.is_valid() and (answer := _done_at_tables(request, view, tables, tables.act)):
        return answer
    bound = next((form for form in (seat, ruling, tables) if form.is_bound), None)
    context = {"series": view.view, "desk": view, "seat": seat, "ruling": ruling, "form": tables, "refused": bound}
    return render(request, "tournaments/desk.html", context, status=web.status_of(bound or tables))


def _done_at_tables(request: HttpRequest, view: DeskView, form: TablesForm, act: Act) -> HttpResponse | None:
    """The answer that says at which tables it was done; None if at none of them, and then the form says why."""
    given = {name: it for name, it in (form.cleaned_data | ALL_RIGHTS).items() if name in act.arguments}
    outcome = acts.act_at_tables(form.chosen(), view.by, partial(act.service, by=view.by, **given))
    if not outcome.done:
        for sentence in outcome.refusals():
            form.add_error(None, sentence)
        return None
    told = DONE[act.name].format(tables=", ".join(outcome.done))
    answer = web.redirect_with_success(request, told, "games:tournament-desk", slug=view.view.row.slug)
    for sentence in outcome.refusals():
        messages.error(request, sentence)
    going = (it for it in form.chosen() if it.game.status in NOT_OVER)
    if tables := [str(it.pk) for it in going if acts.label_of(it) not in outcome.done]:
        rest = request.POST.copy()
        rest.pop("every", None)
        rest.setlist("tables", tables)
        keep_sent_form(request, answer, answer.url, refused=True, sent=rest)
    return answer


def _fill(arguments: Mapping[str, Any], *, seat: str, to: str, reason: str) -> None:
    table, _colon, chosen = seat.partition(":")
    power, _sign, seen = chosen.partition("=")
    place = {**arguments, "table": parse_whole_number(table) or NOBODY, "power": power, "instead_of": seen}
    level = next((it for it in Level if to == f"{BOT}{it.value}"), None)
    if level:
        acts.let_bot_play(**place, level=level, reason=reason)
    else:
        acts.substitute(**place, user_id=parse_whole_number(to) if to else None, reason=reason)


@web.form_page
@one_at_a_time(lock_for_its_people)
def type_in(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Type in a table of a round that was played elsewhere, or (`?table`) correct one."""
    view = directed(request, slug)
    row = view.row.rounds.filter(number=number).first()
    if row is None:
        raise Http404
    variants = RoundTerms.stored(row.terms).boards()
    typed = [it for it in view.tables if it.round_id == row.pk and it.game_id < 0]
    before = next((it for it in typed if str(it.pk) == request.GET.get("table")), None)
    form = BY_DIRECTORS["type_table"].form_class("number", "table")(request.POST if request.method == "POST" else None)
    form.fields["variant"] = forms.ChoiceField(
        label=_("Variant"), choices=[(it.slug, it.title) for it in variants], required=len(variants) > 1
    )
    blank = "\n".join(f"{power.name}, , " for power in variants[0].powers)
    told = before.outcome if before else {"text": blank, "variant": variants[0].slug}
    form.initial = {name: told.get(name) for name in ("text", "variant", "name")}
    caller: dict[str, Any] = {"tournament_id": view.row.pk, "by": view.user_id, "number": number}
    act = partial(type_table, **caller, table=before and before.pk)
    labels, meanwhile = list[str](), Meanwhile(request, form if before else ())
    if not meanwhile.differences and web.form_succeeds(form, lambda **sent: labels.append(act(**sent)), "text"):
        said = _("The result of table {table} counts now.").format(table=labels[0])
        return web.redirect_with_success(request, said, "games:type-table", slug=slug, number=number)
    context = {"series": view, "form": form, "row": row, "typed": typed, "before": before, "meanwhile": meanwhile}
    return render(request, "tournaments/type.html", context, status=meanwhile.status(form))
