"""From the people who check in to their games: the seating plan of a round, and all its tables created at once.

Each service locks the row of the tournament first.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Annotated, Any, NamedTuple, Self

from django.db import transaction
from django.db.models import CharField, Count, F, Q, Value
from django.utils.translation import gettext as _

from games.kernel import clock
from games.kernel.acts import Asked
from games.kernel.after_commit import start_task_after_commit
from games.kernel.languages import later
from games.kernel.locking import lock_account
from games.kernel.models import NOT_OVER, OVER, Assistant, Joiner, Occupancy, Right
from games.kernel.news import tell
from games.kernel.options import Bots, Master, Names
from games.kernel.refusals import NotAllowed, Refusal, WrongMoment
from games.kernel.retrying import atomic_again
from games.kernel.rules import unless
from games.mastering.news import ASSISTANT_NAMED
from games.seating.rules.dealing import costs_by_repeats, costs_by_wishes, deal
from games.seating.services.joining import call_roll_or_start
from games.seating.services.new_game import store_game
from games.tournaments import news, rights
from games.tournaments.letters import NO_SEAT, NOT_BEGUN, write_to
from games.tournaments.models import LONGEST_NAME, Place, Round, Table, Tournament, Wishes
from games.tournaments.rights import Here, director_act
from games.tournaments.rules import plan as rules
from games.tournaments.rules.combining import team_key
from games.tournaments.rules.plan import Entrant, SeatingPlan
from games.tournaments.services import RoundNumber, log_change
from games.tournaments.standings import ranks_in
from games.tournaments.terms import FINAL, MOST_TABLES, MOST_VARIANTS, Powers, RoundTerms
from games.tournaments.texts import texts
from variants.registry import find
from variants.variant import Variant

SEEDS = 1 << 31
Seed = Annotated[
    int | None,
    Asked(
        says="The same seed gives the same plan; left out for another one.",
        **texts("fields", "seed"),
        least=0,
        most=SEEDS - 1,
    ),
]
TablesOfEach = Annotated[
    Sequence[int] | None,
    Asked(
        says="How many tables of each variant, in the order of the round's; left out for those that leave out the "
        "fewest people.",
        least=0,
        each=MOST_TABLES,
        most=MOST_VARIANTS,
    ),
]
NO_MASTER = later(
    "All directors sit at table {number}, and its game master does not play. Plan again, add a director who does not "
    "sit there, or let the game master play in the options of this round."
)


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """`boards`: the variant of each table. `tables`: the people at each one; `bench`: the people who could take another
    seat. `locked`: the tables that stay as they are in the next plan. `powers`: for each table, power -> user; set once
    the round is seated, and empty if the game deals the powers itself. `lot`: each group of equals of whom only some
    sit at a top table, by lot, unless a director has decided since."""

    seed: int
    boards: tuple[str, ...]
    tables: tuple[tuple[int, ...], ...]
    bench: tuple[int, ...] = ()
    locked: tuple[int, ...] = ()
    powers: tuple[Mapping[str, int], ...] = ()
    lot: tuple[tuple[int, ...], ...] = ()

    @classmethod
    def stored(cls, row: Mapping[str, Any]) -> Self:
        tables = tuple(map(tuple, row["tables"]))
        lists = {name: tuple(row.get(name, ())) for name in ("boards", "bench", "locked", "powers")}
        lot = row.get("lot", ())  # before rounds could have several top tables, a plan had one group
        groups = (lot,) if lot and isinstance(lot[0], int) else lot
        return cls(row["seed"], tables=tables, lot=tuple(map(tuple, groups)), **lists)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def seating(self) -> SeatingPlan:
        return SeatingPlan(self.tables, self.bench)


def _locked_to_plan(tournament_id: int, by: int, number: int) -> tuple[Here, Round]:
    here = rights.lock(tournament_id, by, rights.may_plan, number)
    return here, next(it for it in here.round_rows if it.number == number)


@director_act("plan")
@transaction.atomic
def ask_for_plan(
    *, tournament_id: int, by: int, number: RoundNumber, seed: Seed = None, tables: TablesOfEach = None
) -> None:
    """Have a seating plan made for a round. It is there within seconds.

    It is for the people who have checked in. Locked tables stay. Raises WrongMoment while people can still check in and
    if they can't fill these tables; NotAllowed for tables chosen by a director who sees no plans, and a seed of one who
    plays.
    """
    here, this_round = _locked_to_plan(tournament_id, by, number)
    told = _("A director who plays can’t choose the seed: it decides who sits where.")
    unless(seed is None or not here.plays, NotAllowed(told))
    until = this_round.check_in_until
    unless(until is None or until <= clock.now(), WrongMoment(_("People can still check in. Plan after that.")))
    told = _("You don’t see the plan, so the site says how many tables of each variant there are.")
    unless(not tables or here.sees_plans, NotAllowed(told))
    this_round.tables_of_each = list(tables or ())
    terms, people = RoundTerms.stored(this_round.terms), present_at(this_round)
    boards = [it.slug for it in _boards_for(this_round, terms, people)] if tables else []
    told = _("{count} people can’t fill these tables. Choose others, or none for those that leave out the fewest.")
    can_be = [boards.count(slug) for slug in terms.variants] == this_round.tables_of_each and len(boards) <= MOST_TABLES
    unless(not tables or can_be, WrongMoment(told.format(count=len(people))))
    this_round.plan_wanted = secrets.randbelow(SEEDS) if seed is None else seed % SEEDS
    this_round.save(update_fields=["plan_wanted", "tables_of_each"])
    start_task_after_commit("games.tasks.plan_rounds")


def make_plans() -> None:
    """Make the plans that directors have asked for, each in its own transaction."""
    for tournament_id in Round.objects.filter(plan_wanted__isnull=False).values_list("tournament", flat=True):
        with transaction.atomic():
            tournament = Tournament.objects.select_for_update(of=("self",)).get(pk=tournament_id)
            for this_round in tournament.rounds.filter(plan_wanted__isnull=False, seated__isnull=True):
                assert this_round.plan_wanted is not None, "it is wanted"
                this_round.plan, this_round.plan_wanted = _planned(this_round, this_round.plan_wanted), None
                this_round.save(update_fields=["plan", "plan_wanted"])


def _planned(this_round: Round, seed: int, *, keeps_tops: bool = False) -> dict[str, Any] | None:
    """The plan of a round, for this seed; None if there are too few people for a table. `keeps_tops`: top tables that
    are all locked stay, by whatever lot or swap; otherwise they follow the standings."""
    terms, before = RoundTerms.stored(this_round.terms), this_round.plan and StoredPlan.stored(this_round.plan)
    people = present_at(this_round)
    boards = _boards_for(this_round, terms, people)
    if not boards:
        return None
    sizes = [size_of(terms, board) for board in boards]
    slugs = tuple(board.slug for board in boards)
    leaders, lot = (before.tables[: terms.cut], before.lot) if before else ((), ())
    as_before = before and before.boards[: terms.cut] == slugs[: terms.cut]
    if not (keeps_tops and before and as_before and {*range(len(leaders))}.issubset(before.locked)):
        ranks = ranks_in(this_round.tournament) if terms.cut else {}
        leaders, lot = rules.leading(people, ranks, sizes[: terms.cut], seed)
    tables, free = dict[int, Sequence[int]](enumerate(leaders)), {*people}.difference(*leaders)
    locked = {it: (before.boards[it], before.tables[it]) for it in before.locked if it >= terms.cut} if before else {}
    for index, (board, seated) in locked.items():
        alike = (it for it in (index, *range(len(slugs))) if it not in tables and slugs[it : it + 1] == (board,))
        if free.issuperset(seated) and (place := next(alike, None)) is not None:
            tables[place] = seated
    entrants = entrants_of(this_round, boards)
    try:
        plan = rules.planned(entrants, sizes, seed, tables)
    except ValueError:  # somebody at the locked tables takes back the offer of a second seat
        tables = dict(enumerate(leaders))
        plan = rules.planned(entrants, sizes, seed, tables)
    return StoredPlan(seed, slugs, plan.tables, plan.bench, tuple(sorted(tables)), lot=lot).to_json()


def size_of(terms: RoundTerms, board: Variant) -> int:
    """How many people a table of this variant seats."""
    return terms.options_for(board)[Bots].places(board.players)


def present_at(this_round: Round) -> list[int]:
    """The users who play in this round: those who have checked in or, without a check-in, all who have a place."""
    users = this_round.tournament.entrants.filter(place=Place.IN).order_by("user_id").values_list("user_id", flat=True)
    here = set(this_round.present)
    return [user for user in users if user in here or this_round.check_in_until is None]


def _boards_for(this_round: Round, terms: RoundTerms, people: Sequence[int]) -> list[Variant]:
    """The variant of each table: as many of each as the directors have said or, if these can't be filled, as many as
    leave out the fewest people, some of whom may have offered a second seat. Where only top tables are played, they are
    of the first."""
    kinds, offers = terms.boards(), this_round.tournament.entrants.filter(user__in=people, second_seat=True).count()
    sizes = [size_of(terms, it) for it in kinds]
    if terms.times == FINAL:
        return [kinds[0]] * min(terms.cut, len(people) // sizes[0])
    counts = this_round.tables_of_each
    if not counts or not rules.can_fill(sizes, counts, len(people), offers):
        counts = rules.tables_of_each(sizes, len(people), offers, MOST_TABLES)
    return [kind for kind, count in zip(kinds, counts, strict=False) for _table in range(count)]


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
                team=team_key(row.team),
                experience=experience.get(row.user_id, 0),
                refuses=frozenset(wish.refused if wish else ()),
                met=times_met.get(row.user_id, {}),
                sat_out=sat_out[row.user_id],
                offers_second_seat=row.second_seat,
                places=tuple(places),
            )
        )
    return entrants


class Sat(NamedTuple):
    """Somebody who has sat at a table. `power`: "" while it is not dealt yet."""

    round: int
    game: int
    variant: str
    user: int
    power: str


def sat_before(this_round: Round, known: Q = Q()) -> list[Sat]:  # noqa: B008 - it never changes
    """Everyone who has entered orders, or still has their place, at a table of another round; so neither those who lost
    it before, nor those whose game never began. Of tables played elsewhere, everyone with an account. `known`: which of
    the other places may be told."""
    tables = Table.objects.filter(round__tournament=this_round.tournament_id).exclude(round=this_round.pk)
    here = {"game__table__in": tables.filter(Q(outcome__isnull=False) | Q(game__status__in=NOT_OVER))}
    about = ("game__table__round", "game", "game__variant_slug", "user")
    held = Occupancy.objects.filter(known, Q(until__isnull=True) | Q(owed__gt=F("missed")), **here)
    wait = Joiner.objects.filter(known, **here).values_list(*about, Value("", CharField()))
    typed = tables.filter(game=None).values_list("round", "pk", "outcome__variant", "outcome__holders")
    elsewhere = [(row, -pk, slug, who, power) for row, pk, slug, people in typed for power, who in people.items()]
    here_and_there = [*held.values_list(*about, "seat__power").union(wait), *elsewhere]
    return [Sat(*it) for it in here_and_there if isinstance(it[3], int)]


def _history(this_round: Round) -> tuple[Mapping[int, Counter[int]], Counter[int]]:
    """User -> user -> how many tables they have shared; and how often each user has sat out."""
    times_met, sat_out, tables = dict[int, Counter[int]](), Counter[int](), dict[int, set[int]]()
    sat = sat_before(this_round)
    for it in sat:
        tables.setdefault(it.game, set()).add(it.user)
    for people in tables.values():
        for user in people:
            times_met.setdefault(user, Counter()).update(people - {user})
    rounds = this_round.tournament.rounds.filter(seated__isnull=False, plan__isnull=False).exclude(pk=this_round.pk)
    played = {(it.round, it.user) for it in sat}
    for number, plan in rounds.values_list("pk", "plan"):
        left_out = StoredPlan.stored(plan).seating.people_out if plan else ()
        sat_out.update(user for user in left_out if (number, user) not in played)
    return times_met, sat_out


@transaction.atomic
def swap(
    *, tournament_id: int, by: int, number: int, one: tuple[int | None, int], other: tuple[int | None, int]
) -> None:
    """Swap two people of the plan, each given by the index of a table (None for the bench) and the user."""
    this_round, plan = _planned_round(tournament_id, by, number)
    unless(one[1] != other[1], WrongMoment(_("Choose two different people.")))
    try:
        seating = rules.swapped(plan.seating, rules.Sitter(*one), rules.Sitter(*other))
    except ValueError as error:
        raise WrongMoment(_("These two can’t change places. The plan may have changed: look at it again.")) from error
    cut = RoundTerms.stored(this_round.terms).cut
    tables, users = [index for index, _user in (one, other) if index is not None], {one[1], other[1]}
    locked = next((it for it in tables if it in plan.locked and it >= cut), None)  # the site locks top tables
    told = _("Table {number} is locked, so nobody there changes places. Unlock it first.")
    unless(locked is None, WrongMoment(told.format(number=(locked or 0) + 1)))
    lot = tuple(it for it in plan.lot if min(tables, default=cut) >= cut or users.isdisjoint(it))
    this_round.plan = replace(plan, tables=seating.tables, bench=seating.bench, lot=lot).to_json()
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
    here, this_round = _locked_to_plan(tournament_id, by, number)
    unless(here.sees_plans, NotAllowed(_("You don’t see the plan.")))
    if this_round.plan is None:
        raise WrongMoment(_("There is no plan yet."))
    return this_round, StoredPlan.stored(this_round.plan)


@director_act("seat")
@atomic_again
def seat_round(*, tournament_id: int, by: int, number: RoundNumber) -> None:
    """Create all tables as planned, and tell everyone; all of them or none.

    Raises WrongMoment without a plan, if somebody in it has withdrawn since, or if no director is left to run a table.
    Once the last round is seated, entry closes and entrants' wishes are deleted.
    """
    here, this_round = _locked_to_plan(tournament_id, by, number)
    unless(this_round.plan is not None and this_round.plan_wanted is None, WrongMoment(_("There is no plan yet.")))
    plan = StoredPlan.stored(this_round.plan or {})
    told = _("Somebody in this plan has withdrawn or checked out since. Plan again.")
    unless(all(_whole_tables(plan, this_round)), WrongMoment(told))
    _seat(here, this_round, by)


def _seat(here: Here, this_round: Round, by: int, kind: str = "seated") -> None:
    """Create the tables of the round as planned."""
    tournament, terms = here.row, RoundTerms.stored(this_round.terms)
    unless(not terms.is_over(here.now), WrongMoment(_("By its terms, this round is over. Give it a later end first.")))
    plan, directors = StoredPlan.stored(this_round.plan or {}), [it.user_id for it in here.director_rows]
    for user in sorted({*directors, *(user for table in plan.tables for user in table)}):
        lock_account(user)
    now, number, present = clock.now(), this_round.number, set(present_at(this_round))
    came = sorted(present.difference(plan.bench, *plan.tables))
    bench = (*(user for user in plan.bench if user in present), *came)
    plan = replace(plan, bench=bench, powers=tuple(_dealt(this_round, plan, terms)))
    for index, people in enumerate(plan.tables):
        staff = list(dict.fromkeys(user for user in [by, *directors] if user not in people))
        plays = terms.options_for(find(plan.boards[index]))[Master].gm_plays
        unless(staff or plays, WrongMoment(NO_MASTER.format(number=index + 1)))
        _create_table(this_round, plan, index, staff or [by], now)
    this_round.plan, this_round.seated = plan.to_json(), now
    this_round.due, this_round.hindrance = terms.next_hour(now), ""
    this_round.save(update_fields=["plan", "plan_wanted", "seated", "due", "hindrance"])
    log_change(tournament, kind, by, number=number, count=len(plan.tables))
    write_to(tournament, plan.seating.people_out, NO_SEAT, number=number)
    options = terms.options_for(terms.boards()[0])
    for people in () if terms.by_invitation or options[Names].hidden_names else plan.lot:
        log_change(tournament, "lot", by, number=number, people=people)
    close_entry_if_all_seated(here)


def _whole_tables(plan: StoredPlan, this_round: Round) -> list[bool]:
    """For each table of the plan, whether everyone at it plays in the round."""
    present = set(present_at(this_round))
    return [present.issuperset(people) for people in plan.tables]


@atomic_again
def begin_round(*, round_id: int) -> None:
    """Seat a round at its hour: by the directors' plan, in which only the tables where somebody is missing are filled
    anew; or by one of our own. If that can't be, nothing changes, and the directors are told why."""
    tournament = Tournament.objects.select_for_update(of=("self",)).get(rounds=round_id)
    here = Here(tournament, None)
    this_round = next(it for it in here.round_rows if it.pk == round_id)
    if this_round.seated or this_round.due is None or this_round.due > here.now:
        return
    plan, this_round.plan_wanted = this_round.plan and StoredPlan.stored(this_round.plan), None
    whole = _whole_tables(plan, this_round) if plan else [False]
    if plan and not all(whole):
        kept = tuple(index for index, is_whole in enumerate(whole) if is_whole)
        this_round.plan = replace(plan, locked=kept).to_json()
    if not all(whole):
        this_round.plan = _planned(this_round, secrets.randbelow(SEEDS), keeps_tops=True)
    directors = [it.user_id for it in here.director_rows]
    is_open = directors and tournament.published and not (tournament.shut or tournament.hidden)
    is_over = RoundTerms.stored(this_round.terms).is_over(here.now)
    hindrance = "closed" if not is_open else "over" if is_over else "" if this_round.plan else "few"
    try:
        with transaction.atomic():
            if not hindrance:
                _seat(here, this_round, directors[0], "begun")
    except Refusal:
        hindrance = "master"
    if hindrance:
        Round.objects.filter(pk=round_id).update(due=None, hindrance=hindrance)
        write_to(tournament, directors, NOT_BEGUN, number=this_round.number, hindrance=hindrance)


def close_entry_if_all_seated(here: Here) -> None:
    tournament = here.row
    if here.is_all_seated:
        this_minute = here.now.replace(second=0, microsecond=0)  # as people write it in the form
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
    for it in sat_before(this_round):
        powers_had.setdefault((it.variant, it.user), Counter())[it.power] += 1
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


def _create_table(this_round: Round, plan: StoredPlan, index: int, staff: Sequence[int], now: datetime) -> None:
    """Create the table of this index, whose `staff` is the game master, then the assistants."""
    tournament, number, board = this_round.tournament, this_round.number, find(plan.boards[index])
    place, options = f" {number}.{index + 1}", RoundTerms.stored(this_round.terms).options_for(board)
    master, *assistants = staff
    game = store_game(master, tournament.name[: LONGEST_NAME - len(place)] + place, board, options, now)
    Table.objects.create(round=this_round, number=index + 1, game=game, added=now, added_by_id=master)
    tell(news.SEATED, game, at=now, by=master, tournament=tournament.name, number=number, table=index + 1)
    for user in assistants:
        rights = [right.value for right in Right]
        Assistant.objects.create(game=game, user_id=user, rights=rights, made=now, accepted=True, answered=now)
        tell(ASSISTANT_NAMED, game, at=now, by=user, rights="", may=rights)
    if powers := plan.powers[index]:
        seats = {seat.power: seat for seat in game.seats.all()}
        dealt = [Occupancy(game=game, seat=seats[it], user_id=user, since=now) for it, user in powers.items()]
        Occupancy.objects.bulk_create(dealt)
    else:
        Joiner.objects.bulk_create(Joiner(game=game, user_id=user, joined=now) for user in plan.tables[index])
    game.refresh_from_db()
    call_roll_or_start(game, now)
