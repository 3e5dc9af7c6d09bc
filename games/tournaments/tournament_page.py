"""A tournament as one viewer sees it: its public facts, the viewer's own entry and, for directors, what they may see.

Before a round is seated, only a director who has looked can see here who has checked in, and the wishes of others.
The people at a table with hidden names are shown only on the page of its game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Annotated, Any, NamedTuple

from django.contrib.auth import get_user_model
from django.http import Http404
from django.utils.translation import gettext as _

from games.kernel import codec
from games.kernel.game_options import GameOptions
from games.kernel.marks import InApi
from games.kernel.models import NOT_OVER, Event, Game, Occupancy
from games.kernel.options import Names
from games.kernel.queries import NOBODY
from games.kernel.rules import allowed
from games.seating.services.placing import path_to_refuse
from games.tournaments import news, rights
from games.tournaments.desk import known_players
from games.tournaments.letters import about
from games.tournaments.models import Change, Entrant, Place, Round, Table, Wishes
from games.tournaments.parts import SeriesGame
from games.tournaments.queries import Line, Offers, SeriesView
from games.tournaments.rules.plan import Fault, FaultKind, faults_of, total
from games.tournaments.seating import StoredPlan, entrants_of, present_at, sat_before
from games.tournaments.terms import FINAL, POWER_TEXTS, TIMES, Powers, RoundTerms, TournamentTerms
from games.tournaments.texts import texts
from variants.registry import find
from variants.variant import Variant

FAULTS = texts("faults")

ASK_FOR_POWERS = (Powers.WISHES, Powers.REPEATS)


class Seated(NamedTuple):
    """A person at a table; `power` is "" if the table deals its powers itself. `before`: the person whose seat they got
    from a director, "" for nobody."""

    name: str
    power: str
    before: str = ""


@dataclass(frozen=True, slots=True)
class TableView:
    """`people` is empty at a table with hidden names."""

    number: int
    game: SeriesGame
    people: tuple[Seated, ...]

    @property
    def in_words(self) -> str:
        people = [_("{name} ({power})").format(**it._asdict()) if it.power else it.name for it in self.people]
        told = _("{number}. {game}: {people}") if people else _("{number}. {game}")
        return told.format(number=self.number, game=self.game.name, people=", ".join(people))


@dataclass(frozen=True, slots=True)
class RoundView:
    """`missing`: for directors who see plans, the people who have not checked in."""

    row: Round
    terms: RoundTerms
    tables: tuple[TableView, ...]
    sits_out: tuple[str, ...]
    offers: Offers
    missing: str = ""

    @property
    def variants(self) -> str:
        return ", ".join(board.title for board in self.terms.boards())

    @property
    def sentences(self) -> tuple[str, ...]:
        times = str(TIMES[self.terms.times]) if self.terms.times != 1 else ""
        return tuple(filter(None, (self.terms.cut_in_words, times, str(POWER_TEXTS[self.terms.powers]))))

    @property
    def options(self) -> GameOptions:
        return self.terms.options_for(self.terms.boards()[0])


def _given(seated: Seated, change: Change, variant: Variant) -> Seated:
    """The person in this seat after a change at its table."""
    assert change.user is not None, "the line names a substitute"
    power = change.facts.get("power")
    is_theirs = seated.power == variant.power(power).name if power else seated.name == change.facts["before"]
    return Seated(change.user.get_username(), seated.power, seated.before or seated.name) if is_theirs else seated


class TournamentView(SeriesView):
    """A tournament for one viewer. Each fact is read only once."""

    terms: TournamentTerms

    @cached_property
    def entrants(self) -> list[Entrant]:
        """The entrants with their users: people with a place first, then by turn."""
        rows = [it for it in self.entrant_rows if it.place != Place.OUT]
        return sorted(rows, key=lambda it: [Place.IN, Place.WAITING, Place.SUBSTITUTE].index(Place(it.place)))

    @cached_property
    def mine(self) -> Entrant | None:
        """The viewer, read alone unless the others are read anyway: most of the page is kept for all."""
        if "entrants" in vars(self):
            return next((it for it in self.entrants if it.user_id == self.user_id), None)
        return super().mine

    @property
    def path_of_emails(self) -> str:
        """Of the page on which the viewer stops the emails about it, or starts them again; "" if they get none."""
        email = self.mine.user.email if self.mine else ""
        return path_to_refuse(about(self.row, email)) if email else ""

    @cached_property
    def taken(self) -> int:
        if "entrants" in vars(self):
            return sum(it.place == Place.IN for it in self.entrants)
        return self.row.entrants.filter(place=Place.IN).count()

    @cached_property
    def names(self) -> dict[int, str]:
        """The names of everyone who has ever entered, by user."""
        return {it.user_id: it.user.get_username() for it in self.entrant_rows}

    @cached_property
    def rounds(self) -> list[RoundView]:
        tables = dict[int, list[Table]]()
        for table in sorted(self.tables, key=lambda it: it.number):
            tables.setdefault(table.round_id, []).append(table)
        return [self._round(row, tables.get(row.pk, ())) for row in self.round_rows]

    def _round(self, row: Round, tables: Sequence[Table]) -> RoundView:
        terms = RoundTerms.stored(row.terms)
        plan = StoredPlan.stored(row.plan) if row.seated and row.plan else None
        left_out = [self.names.get(user, "") for user in plan.seating.people_out] if plan else []
        shown = tuple(self._table(row.number, table, plan) for table in tables)
        seated = {"", *(it.name for table in shown for it in table.people)}
        sits_out = tuple(name for name in left_out if name not in seated)
        asks = self.sees_plans and row.seated is None and row.check_in_until is not None
        in_place = [it for it in self.entrants if it.place == Place.IN] if asks else []
        missing = ", ".join(it.user.get_username() for it in in_place if it.user_id not in row.present)
        return RoundView(row, terms, shown, sits_out, Offers(self, row.number), missing)

    @property
    def has_final(self) -> bool:
        """Does a top table decide the first places?"""
        return any(row.seated and RoundTerms.stored(row.terms).times == FINAL for row in self.round_rows)

    @cached_property
    def own_tables(self) -> list[tuple[str, str, str]]:
        """The games in which the viewer has a seat and that are not over, with their addresses and the viewer's power;
        "" if it isn't dealt yet."""
        if self.mine is None or not any(row.seated for row in self.round_rows):
            return []
        here = Game.objects.filter(table__round__tournament=self.row, status__in=NOT_OVER)
        held = Occupancy.objects.filter(user=self.user_id, until__isnull=True, game__in=here)
        rows = held.order_by("game").values_list("game__name", "game__slug", "game__variant_slug", "seat__power")
        played = [(name, slug, find(variant).power(power).name) for name, slug, variant, power in rows]
        joined = here.filter(joiners__user=self.user_id).order_by("pk").values_list("name", "slug")
        deals_itself = any(RoundTerms.stored(row.terms).powers == Powers.TABLE for row in self.round_rows)
        return [*played, *((name, slug, "") for name, slug in joined if deals_itself)]

    @property
    def check_ins(self) -> list[tuple[Round, str, bool]]:
        """The rounds for which the viewer can check in now, with their names; and whether they have."""
        asked = [it for it in self.round_rows if allowed(rights.may_check_in, self, it.number)]
        return [(it, RoundTerms.stored(it.terms).name, self.user_id in it.present) for it in asked]

    def news(self, most: int) -> list[Line]:
        """The newest lines about it: changes, the tables of each round, and the standings after each public game."""
        told, lines = _("Tables of {round}: {tables}"), [*self.changes]
        for it in () if self.row.is_series else self.rounds:
            if it.row.seated:
                sentence = told.format(round=it.terms.name, tables="; ".join(table.in_words for table in it.tables))
                lines.append(Line(it.row.seated, sentence, f"round-{it.row.number}"))
        told = _("After {game}, the standings begin: {leaders}.")
        ended = Event.objects.filter(kind=news.STANDINGS.log, game__table__round__tournament=self.row)
        for event in ended.filter(game__by_invitation=False).select_related("game").order_by("-pk")[:most]:
            sentence = told.format(game=event.game.name, leaders=event.facts["leaders"])
            lines.append(Line(event.at, sentence, f"standings-{event.game.slug}"))
        return sorted(lines, key=lambda line: line.at, reverse=True)[:most]

    def _table(self, number: int, table: Table, plan: StoredPlan | None) -> TableView:
        game, people = self.games[table.game.pk], list[Seated]()
        if table.game.pk < 0:
            holders, variant = (table.outcome or {})["holders"], codec.variant_of(table.game)
            names = {it: self.names.get(who, "") if isinstance(who, int) else who for it, who in holders.items()}
            people = [Seated(names[it.id], it.name) for it in variant.powers if names.get(it.id)]
        elif plan and game.slug and not table.game.options[Names].hidden_names:
            index, variant = table.number - 1, find(plan.boards[table.number - 1])
            powers = {user: variant.power(power).name for power, user in plan.powers[index].items()}
            people = [Seated(self.names.get(user, ""), powers.get(user, "")) for user in plan.tables[index]]
            for change in self._given.get(f"{number}.{table.number}", ()):
                people = [_given(it, change, variant) for it in people]
        return TableView(table.number, game, tuple(people))

    @cached_property
    def without_account(self) -> list[str]:
        """The people who played elsewhere and have no account."""
        typed = Table.objects.filter(round__tournament=self.row, game=None).values_list("outcome__holders", flat=True)
        return sorted({who for holders in typed for who in holders.values() if isinstance(who, str)})

    @cached_property
    def claims(self) -> list[Any]:
        """Users’ claims to be one of these."""
        return list(self.row.claims.select_related("user").order_by("pk"))

    @cached_property
    def _given(self) -> Mapping[str, Sequence[Change]]:
        """The seats that directors have given to substitutes, the first one first, by table."""
        given = dict[str, list[Change]]()
        for row in reversed(self.change_rows):
            if row.kind in {"replaced", "seat"} and row.user:
                given.setdefault(row.facts["table"], []).append(row)
        return given

    @cached_property
    def boards_with_wishes(self) -> list[Variant]:
        """The variants of the rounds to come in which it matters which powers people would like."""
        rounds = [RoundTerms.stored(row.terms) for row in self.round_rows if not row.seated]
        boards = [it for terms in rounds if terms.powers in ASK_FOR_POWERS for it in terms.boards()]
        return list({board.slug: board for board in boards}.values())

    @cached_property
    def choice_of_variants(self) -> list[Variant]:
        """The variants of the rounds to come that have several."""
        rounds = [RoundTerms.stored(row.terms).boards() for row in self.round_rows if not row.seated]
        return list({it.slug: it for boards in rounds if len(boards) > 1 for it in boards}.values())

    @cached_property
    def teams(self) -> list[str]:
        return sorted({it.team for it in self.entrants if it.team})

    @cached_property
    def wishes(self) -> Wishes | None:
        """The viewer's own wishes."""
        return Wishes.objects.filter(entrant=self.mine).first() if self.mine else None

    def refused(self) -> list[str]:
        """The names of the people whom the viewer won't play with."""
        users = self.wishes.refused if self.wishes else []
        return list(get_user_model().objects.filter(pk__in=users).values_list("username", flat=True))

    @cached_property
    def invited(self) -> int:
        """How many invited addresses have not answered yet."""
        return self.row.letters.exclude(email="").count()


@dataclass(frozen=True, slots=True)
class PersonAtTable:
    """Somebody in a plan."""

    user: Annotated[int, InApi("The number of the account.")]
    name: Annotated[str, InApi("The name.")]
    before: Annotated[str, InApi("The powers that they had in earlier rounds, as far as you may know.")] = ""


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """A table of a plan, or those without another seat."""

    number: Annotated[int | None, InApi("From 1; null for those without another seat.")]
    variant: Annotated[str, InApi("The title of its variant.")]
    people: Annotated[tuple[PersonAtTable, ...], InApi("The people at it.")]
    is_locked: Annotated[bool, InApi("It stays as it is in the next plan.")]
    is_top: Annotated[bool, InApi("It seats leaders by rank.")]
    faults: Annotated[tuple[str, ...], InApi("What is wrong with it, in sentences.")]


class PlanView:
    """The plan of a round, for a director. Http404 if there is no such round, or if it is seated. A director who has
    not looked sees only whether there is a plan."""

    def __init__(self, view: TournamentView, number: int) -> None:
        row = next((it for it in view.round_rows if it.number == number and it.seated is None), None)
        if row is None or not view.is_director:
            raise Http404
        self.view, self.row, self.terms, self.sees = view, row, RoundTerms.stored(row.terms), view.sees_plans
        self.plan = StoredPlan.stored(row.plan) if row.plan and self.sees else None
        if self.plan:
            view.names = dict(view.row.entrants.values_list("user", "user__username"))  # all else of them isn't read

    @cached_property
    def mark(self) -> str:
        """What the page shows of the plan: the same whatever it is to those who don't see it."""
        return sha256(repr(self.plan).encode()).hexdigest()[:32]

    @cached_property
    def present(self) -> int | None:
        """How many people play; None if the viewer may not know."""
        return len(present_at(self.row)) if self.sees else None

    @cached_property
    def faults(self) -> tuple[Fault, ...] | None:
        """The faults of the plan; None if some people in it no longer play: they are the `gone`."""
        assert self.plan is not None, "it is seen"
        people = entrants_of(self.row, [find(slug) for slug in self.plan.boards])
        playing = {it.id for it in people}
        self.came = sorted(playing.difference(self.plan.bench, *self.plan.tables))
        self.gone = [user for table in self.plan.tables for user in table if user not in playing]
        return None if self.gone else faults_of(self.plan.seating, people)

    @property
    def boards_to_count(self) -> tuple[Variant, ...]:
        """The variants between which the director can choose; () if there is no choice."""
        boards = self.terms.boards()
        return boards if len(boards) > 1 and self.terms.times != FINAL else ()

    @cached_property
    def powers_had(self) -> Mapping[int, Sequence[str]]:
        """What each person has played in other rounds, at tables whose players the viewer knows."""
        had = dict[int, list[str]]()
        for it in sorted(sat_before(self.row, known_players(self.view.user_id or NOBODY)), key=lambda it: it.game):
            if it.power:
                had.setdefault(it.user, []).append(find(it.variant).power(it.power).name)
        return had

    @property
    def seed(self) -> int | None:
        return self.plan.seed if self.plan else None

    @property
    def equals(self) -> list[str]:
        """Each group of people among whom the lot decided who sits at a top table."""
        return [self._listed(it) for it in self.plan.lot] if self.plan else []

    @property
    def total(self) -> int | None:
        """What the faults weigh; None without a plan. People without a seat are named instead."""
        return total([it for it in self.faults or () if it.kind is not FaultKind.SITS_OUT]) if self.plan else None

    def _told(self, table: int | None) -> tuple[str, ...]:
        """The faults of a table, or for None those that belong to no table."""
        if self.faults is None:
            sentence = _("These people are in this plan, but no longer play: {people}. Plan again.")
            return () if table is not None else (sentence.format(people=self._listed(self.gone)),)
        here = [it for it in self.faults if it.table == table and it.kind is not FaultKind.SITS_OUT]
        told = [FAULTS[it.kind].format(people=self._listed(it.who)) for it in here]
        out = [*(user for it in self.faults if it.kind is FaultKind.SITS_OUT for user in it.who), *self.came]
        if out and table is None and self.terms.times != FINAL:
            told.insert(0, _("Without a seat: {people}.").format(people=self._listed(out)))
        return tuple(told)

    def _listed(self, users: Sequence[int]) -> str:
        return ", ".join(self.view.names.get(user, "") for user in users)

    @cached_property
    def tables(self) -> tuple[PlannedTable, ...]:
        """The tables, then the bench."""
        plan = self.plan
        if plan is None:
            return ()
        tables = [
            self._table(index + 1, find(plan.boards[index]).title, people, is_locked=index in plan.locked)
            for index, people in enumerate(plan.tables)
        ]
        return (*tables, self._table(None, "", plan.bench))

    def _table(
        self, number: int | None, variant: str, users: Sequence[int], *, is_locked: bool = False
    ) -> PlannedTable:
        names, had = self.view.names, self.powers_had
        people = tuple(PersonAtTable(it, names.get(it, ""), ", ".join(had.get(it, ()))) for it in users)
        told = self._told(None if number is None else number - 1)
        is_top = number is not None and number <= self.terms.cut
        return PlannedTable(number, variant, people, is_locked, is_top, told)


def entrants_with_wishes(view: TournamentView) -> list[tuple[Entrant, str]]:
    """Each entrant with their wishes in words: "" unless the viewer is a director who has looked."""
    if not view.sees_plans:
        return [(entrant, "") for entrant in view.entrants]
    rows = {it.entrant_id: it for it in Wishes.objects.filter(entrant__tournament=view.row)}
    users = {user for it in rows.values() for user in it.refused}
    names = dict(get_user_model().objects.filter(pk__in=users).values_list("pk", "username"))
    return [(it, _wishes_in_words(it, rows.get(it.pk), names)) for it in view.entrants]


def _wishes_in_words(entrant: Entrant, wishes: Wishes | None, names: Mapping[int, str]) -> str:
    sentences = [_("Offers a second seat.")] if entrant.second_seat else []
    if wishes is None:
        return " ".join(sentences)
    for slug, powers in wishes.powers.items():
        variant = find(slug)
        named = ", ".join(variant.power(power).name for power in powers)
        sentences.append(_("{variant}: {powers}.").format(variant=variant.title, powers=named))
    if wishes.variants:
        sentences.append(_("Favourite variant: {variant}.").format(variant=find(wishes.variants[0]).title))
    if refused := ", ".join(names.get(user, "") for user in wishes.refused):
        sentences.append(_("Won’t play with {people}.").format(people=refused))
    return " ".join(sentences)
