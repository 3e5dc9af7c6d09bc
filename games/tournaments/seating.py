"""From the people who check in to their games: the seating plan of a round, and all its tables created at once.

Each service locks the row of the tournament first.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Self

from django.db import transaction
from django.db.models import Count
from django.utils.translation import gettext as _

from games.kernel import clock
from games.kernel.after_commit import start_task_after_commit
from games.kernel.locking import lock_account
from games.kernel.models import OVER, Assistant, Game, Joiner, Occupancy, Right
from games.kernel.news import tell
from games.kernel.options import Bots
from games.kernel.refusals import NotAllowed, WrongMoment
from games.kernel.retrying import atomic_again
from games.kernel.rules import unless
from games.mastering.news import ASSISTANT_NAMED
from games.seating.rules.dealing import costs_by_repeats, costs_by_wishes, deal
from games.seating.services.joining import call_roll_or_start
from games.seating.services.new_game import store_game
from games.tournaments import news
from games.tournaments.entry import is_all_seated, open_round
from games.tournaments.models import LONGEST_NAME, Place, Round, Table, Tournament, Wishes
from games.tournaments.rules import plan as rules
from games.tournaments.rules.plan import Entrant, Plan
from games.tournaments.services import locked_for_director, log_change
from games.tournaments.standings import leaders_of
from games.tournaments.terms import FINAL, Powers, RoundTerms
from variants.registry import find
from variants.variant import Variant

MOST_TABLES = 40
SEEDS = 1 << 31


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """`boards`: the variant of each table. `tables`: the people at each one; `bench`: the people who could take another
    seat. `locked`: the tables that stay as they are in the next plan. `powers`: for each table, power -> user; set once
    the round is seated, and empty if the game deals the powers itself."""

    seed: int
    boards: tuple[str, ...]
    tables: tuple[tuple[int, ...], ...]
    bench: tuple[int, ...] = ()
    locked: tuple[int, ...] = ()
    powers: tuple[Mapping[str, int], ...] = ()

    @classmethod
    def stored(cls, row: Mapping[str, Any]) -> Self:
        tables = tuple(map(tuple, row["tables"]))
        lists = {name: tuple(row[name]) for name in ("boards", "bench", "locked", "powers")}
        return cls(row["seed"], tables=tables, **lists)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def seating(self) -> Plan:
        return Plan(self.tables, self.bench)


def may_see_plans(tournament: Tournament, user_id: int | None) -> bool:
    """Allow only directors who don't play to see plans."""
    return any(it.user_id == user_id and not it.plays for it in tournament.directors.all())


def _locked_to_plan(tournament_id: int, by: int, number: int) -> tuple[Tournament, Round]:
    """The round, locked, for a director who sees plans or, if all play, for any of them. Raises NotAllowed."""
    tournament = locked_for_director(tournament_id, by)
    blind = all(it.plays for it in tournament.directors.all())
    told = _("Directors who play leave the seating to those who don’t.")
    unless(blind or may_see_plans(tournament, by), NotAllowed(told))
    return tournament, open_round(tournament, number)


@transaction.atomic
def ask_for_plan(*, tournament_id: int, by: int, number: int, seed: int | None = None) -> None:
    """Have a plan made for the people who have checked in, with this seed or a random one. Locked tables stay. Raises
    WrongMoment while people can still check in."""
    _tournament, this_round = _locked_to_plan(tournament_id, by, number)
    until = this_round.check_in_until
    unless(until is None or until <= clock.now(), WrongMoment(_("People can still check in. Plan after that.")))
    this_round.plan_wanted = secrets.randbelow(SEEDS) if seed is None else seed % SEEDS
    this_round.save(update_fields=["plan_wanted"])
    start_task_after_commit("games.tasks.plan_rounds")


def make_plans() -> None:
    """Make the plans that directors have asked for, each in its own transaction."""
    for tournament_id in Round.objects.filter(plan_wanted__isnull=False).values_list("tournament", flat=True):
        _make_plan(tournament_id)


@transaction.atomic
def _make_plan(tournament_id: int) -> None:
    tournament = Tournament.objects.select_for_update(of=("self",)).get(pk=tournament_id)
    for this_round in tournament.rounds.filter(plan_wanted__isnull=False, seated__isnull=True):
        assert this_round.plan_wanted is not None, "it is wanted"
        this_round.plan, this_round.plan_wanted = _planned(this_round, this_round.plan_wanted), None
        this_round.save(update_fields=["plan", "plan_wanted"])


def _planned(this_round: Round, seed: int) -> dict[str, Any] | None:
    """The plan of a round, for this seed; None if there are too few people for a table."""
    terms, before = RoundTerms.stored(this_round.terms), this_round.plan and StoredPlan.stored(this_round.plan)
    people = present_at(this_round)
    boards = _boards_for(terms, people)
    if not boards:
        return None
    sizes = [size_of(terms, board) for board in boards]
    tables: dict[int, Sequence[int]] = {}
    if terms.times == FINAL:
        leaders = [user for user in leaders_of(this_round.tournament) if user in set(people)]
        tables = {0: [*leaders, *(user for user in people if user not in set(leaders))][: sizes[0]]}
    elif before and before.boards == tuple(it.slug for it in boards):
        present = set(people)
        tables = {index: before.tables[index] for index in before.locked if present.issuperset(before.tables[index])}
    plan = rules.planned(entrants_of(this_round, boards), sizes, seed, tables)
    slugs = tuple(board.slug for board in boards)
    return StoredPlan(seed, slugs, plan.tables, plan.bench, tuple(tables)).to_json()


def size_of(terms: RoundTerms, board: Variant) -> int:
    """How many people a table of this variant seats."""
    return terms.options_for(board)[Bots].places(board.players)


def present_at(this_round: Round) -> list[int]:
    """The users who play in this round: those who have checked in or, without a check-in, all who have a place."""
    users = this_round.tournament.entrants.filter(place=Place.IN).order_by("user_id").values_list("user_id", flat=True)
    here = set(this_round.present)
    return [user for user in users if user in here or this_round.check_in_until is None]


def _boards_for(terms: RoundTerms, people: Sequence[int]) -> list[Variant]:
    """As many tables as these people fill, with the variants in turn; one more if enough offer a second seat."""
    kinds, left, boards = terms.boards(), len(people), list[Variant]()
    if terms.times == FINAL:
        return [kinds[0]] if size_of(terms, kinds[0]) <= left else []
    while len(boards) < MOST_TABLES:
        boards_that_fit = [(boards.count(it), index) for index, it in enumerate(kinds) if size_of(terms, it) <= left]
        if not boards_that_fit:
            return boards
        boards.append(kinds[min(boards_that_fit)[1]])
        left -= size_of(terms, boards[-1])
    return boards


def entrants_of(this_round: Round, boards: Sequence[Variant]) -> list[Entrant]:
    """The people who play in this round, with everything that a plan depends on."""
    people = set(present_at(this_round))
    rows = this_round.tournament.entrants.filter(user__in=people)
    wishes_by_entrant = {it.entrant_id: it for it in Wishes.objects.filter(entrant__in=rows)}
    played = Occupancy.objects.filter(user__in=people, game__status__in=OVER).values("user")
    experience = dict(played.annotate(games=Count("game", distinct=True)).values_list("user", "games"))
    times_met, sat_out = _history(this_round)
    entrants = []
    for row in rows:
        wish = wishes_by_entrant.get(row.pk)
        places = [wish.variants.index(it.slug) if wish and it.slug in wish.variants else 0 for it in boards]
        entrants.append(
            Entrant(
                row.user_id,
                team=row.team,
                experience=experience.get(row.user_id, 0),
                refuses=frozenset(wish.refused if wish else ()),
                met=times_met.get(row.user_id, {}),
                sat_out=sat_out[row.user_id],
                offers_second_seat=row.second_seat,
                places=tuple(places),
            )
        )
    return entrants


def _plans_before(this_round: Round) -> list[StoredPlan]:
    rows = this_round.tournament.rounds.filter(seated__isnull=False, plan__isnull=False).exclude(pk=this_round.pk)
    return [StoredPlan.stored(plan) for plan in rows.values_list("plan", flat=True) if plan]


def _history(this_round: Round) -> tuple[Mapping[int, Counter[int]], Counter[int]]:
    """User -> user -> how many tables they have shared; and how often each user has sat out."""
    times_met, sat_out = dict[int, Counter[int]](), Counter[int]()
    for plan in _plans_before(this_round):
        sat_out.update(plan.seating.people_out)
        for table in plan.tables:
            for user in table:
                times_met.setdefault(user, Counter()).update(other for other in table if other != user)
    return times_met, sat_out


@transaction.atomic
def swap(
    *, tournament_id: int, by: int, number: int, one: tuple[int | None, int], other: tuple[int | None, int]
) -> None:
    """Swap two people of the plan, each given by the index of a table (None for the bench) and the user."""
    this_round, plan = _planned_round(tournament_id, by, number)
    try:
        seating = rules.swapped(plan.seating, rules.Place(*one), rules.Place(*other))
    except ValueError as error:
        raise WrongMoment(_("These two can’t change places. The plan may have changed: look at it again.")) from error
    this_round.plan = replace(plan, tables=seating.tables, bench=seating.bench).to_json()
    this_round.save(update_fields=["plan"])


@transaction.atomic
def lock_table(*, tournament_id: int, by: int, number: int, index: int, is_locked: bool) -> None:
    """Keep a table as it is in the next plan, or stop keeping it."""
    this_round, plan = _planned_round(tournament_id, by, number)
    unless(0 <= index < len(plan.tables), WrongMoment(_("There is no such table in this plan.")))
    locked = {*plan.locked, index} if is_locked else {*plan.locked} - {index}
    this_round.plan = replace(plan, locked=tuple(sorted(locked))).to_json()
    this_round.save(update_fields=["plan"])


def _planned_round(tournament_id: int, by: int, number: int) -> tuple[Round, StoredPlan]:
    """The round and its plan, for a director who sees plans."""
    tournament, this_round = _locked_to_plan(tournament_id, by, number)
    unless(may_see_plans(tournament, by), NotAllowed(_("All directors play, so none of them sees the plan.")))
    if this_round.plan is None:
        raise WrongMoment(_("There is no plan yet."))
    return this_round, StoredPlan.stored(this_round.plan)


@atomic_again
def seat_round(*, tournament_id: int, by: int, number: int) -> None:
    """Create all tables as planned and tell everyone: either all or none. Raises WrongMoment without a plan, or if
    somebody in it has withdrawn since. Once the last round is seated, entry closes and entrants' wishes are deleted."""
    tournament, this_round = _locked_to_plan(tournament_id, by, number)
    unless(this_round.plan is not None and this_round.plan_wanted is None, WrongMoment(_("There is no plan yet.")))
    plan, terms = StoredPlan.stored(this_round.plan or {}), RoundTerms.stored(this_round.terms)
    players = {user for table in plan.tables for user in table}
    withdrawn_users = players - set(tournament.entrants.filter(place=Place.IN).values_list("user_id", flat=True))
    unless(not withdrawn_users, WrongMoment(_("Somebody in this plan has withdrawn since. Plan again.")))
    directors = [it.user_id for it in tournament.directors.order_by("pk")]
    for user in sorted({*players, *directors}):
        lock_account(user)
    now, powers = clock.now(), _dealt(this_round, plan, terms)
    for index, (slug, people) in enumerate(zip(plan.boards, plan.tables, strict=True)):
        directors_not_playing = [user for user in [by, *directors] if user not in people] or [by]
        staff = list(dict.fromkeys(directors_not_playing))
        table = _Table(this_round, index + 1, find(slug), people, powers[index], staff, now)
        _create_table(tournament, table, terms)
    this_round.plan, this_round.seated = replace(plan, powers=tuple(powers)).to_json(), now
    this_round.save(update_fields=["plan", "seated"])
    log_change(tournament, "seated", by, number=number, count=len(plan.tables))
    if is_all_seated(tournament):
        this_minute = now.replace(second=0, microsecond=0)  # as people write it in the form
        tournament.closes = min(tournament.closes or this_minute, this_minute)
        tournament.save(update_fields=["closes"])
        Wishes.objects.filter(entrant__tournament=tournament).delete()


def _dealt(this_round: Round, plan: StoredPlan, terms: RoundTerms) -> list[dict[str, int]]:
    """Power -> user for each table; empty for tables that deal the powers themselves."""
    random = secrets.SystemRandom()
    wishes = {
        it.entrant.user_id: it
        for it in Wishes.objects.filter(entrant__tournament=this_round.tournament_id).select_related("entrant")
    }
    powers_had: dict[tuple[str, int], Counter[str]] = {}
    for earlier in _plans_before(this_round):
        for slug, given in zip(earlier.boards, earlier.powers, strict=True):
            for power, user in given.items():
                powers_had.setdefault((slug, user), Counter())[power] += 1
    users_by_power = list[dict[str, int]]()
    for slug, people in zip(plan.boards, plan.tables, strict=True):
        powers = [power.id for power in find(slug).powers]
        liked_powers = {user: wishes[user].powers.get(slug, ()) if user in wishes else () for user in people}
        if terms.powers == Powers.TABLE:
            users_by_power.append({})
            continue
        if terms.powers == Powers.WISHES:
            costs = costs_by_wishes(liked_powers, powers)
        elif terms.powers == Powers.REPEATS:
            costs = costs_by_repeats(liked_powers, powers, {user: powers_had.get((slug, user), {}) for user in people})
        else:
            costs = {user: dict.fromkeys(powers, 0) for user in people}
        users_by_power.append({power: user for user, power in deal(costs, random).items()})
    return users_by_power


@dataclass(frozen=True, slots=True)
class _Table:
    """A table to be created. `staff`: the game master, then the assistants."""

    round: Round
    number: int
    board: Variant
    people: Iterable[int]
    powers: Mapping[str, int]
    staff: Sequence[int]
    now: datetime


def _create_table(tournament: Tournament, table: _Table, terms: RoundTerms) -> None:
    place = f" {table.round.number}.{table.number}"
    name, options, now = tournament.name[: LONGEST_NAME - len(place)] + place, terms.options_for(table.board), table.now
    master, *assistants = table.staff
    game = store_game(master, name, table.board, options, now)
    Table.objects.create(round=table.round, number=table.number, game=game, added=now, added_by_id=master)
    number = table.round.number
    tell(news.SEATED, game, at=now, by=master, tournament=tournament.name, number=number, table=table.number)
    for user in assistants:
        rights = [right.value for right in Right]
        Assistant.objects.create(game=game, user_id=user, rights=rights, made=now, accepted=True, answered=now)
        tell(ASSISTANT_NAMED, game, at=now, by=user, rights="", may=rights)
    _seat(game, table)
    game.refresh_from_db()
    call_roll_or_start(game, now)


def _seat(game: Game, table: _Table) -> None:
    if not table.powers:
        Joiner.objects.bulk_create(Joiner(game=game, user_id=user, joined=table.now) for user in table.people)
        return
    seats = {seat.power: seat for seat in game.seats.all()}
    Occupancy.objects.bulk_create(
        Occupancy(game=game, seat=seats[power], user_id=user, since=table.now) for power, user in table.powers.items()
    )
