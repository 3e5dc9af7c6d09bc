"""The directors' desk: acts at several tables, each through the game's own service and in its own transaction;
substitutes; and rulings about points.

A director who plays at a table acts there as its player only. Substitutes who get a seat at a table with hidden names
stay substitutes on the public list, and no line tells of them: the log of the game does, once it is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from decimal import Decimal
from functools import partial
from itertools import zip_longest
from typing import Annotated, Any, NamedTuple

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from games.kernel import clock, hooks
from games.kernel.acts import CHANGED, Acts, Asked, Reason, asked_for_reason
from games.kernel.forms import TOO_LONG, parse_whole_number
from games.kernel.languages import later, later_as
from games.kernel.limits import count_series_change
from games.kernel.locking import lock_game, lock_game_for
from games.kernel.members import is_member, members_of
from games.kernel.models import NOT_OVER, OVER, Game, Joiner, Occupancy, Status
from games.kernel.news import checked_reason
from games.kernel.options import Names
from games.kernel.queries import NOBODY
from games.kernel.refusals import NotAllowed, Refusal, WrongMoment
from games.kernel.rules import unless
from games.mastering.acts import ACTS as MASTERS
from games.mastering.services import desk as one_game
from games.news.models import PostForm
from games.seating.models import Confirmation, RollCall
from games.seating.services.bots import BotLevel, seat_bot
from games.seating.services.joining import call_roll_or_start
from games.seating.services.placing import place_player, remove_player
from games.tournaments import rights
from games.tournaments.letters import ask_to_check_in
from games.tournaments.models import Director, Place, Round, Ruling, Table, Tournament
from games.tournaments.rights import Here, director_act
from games.tournaments.seating import StoredPlan
from games.tournaments.services import log_change
from games.tournaments.terms import MOST_TABLES
from games.tournaments.texts import texts
from variants.bots import Level

YOU_PLAY = later("You play at this table, so another director has to do that.")
NO_SUCH_TABLE = later("The tournament has no such table.")
FILL_IN = later("Fill this in first.")
table_act = Acts()
"""What is done at each of several tables, and has no button at a single one."""
FirstDay = Annotated[
    date, Asked(says="The first day off, by the clocks of each game.", label=later("First day off"), missing=FILL_IN)
]
LastOfDays = Annotated[date | None, Asked(says="The last day off, if there are several.", label=later("Last day off"))]
LastDay = Annotated[date, Asked(says="The last day off, included.", label=later("Last day off"))]
Address = Annotated[
    str, Asked(says="Where the news is posted.", label=later("Address"), most=2_000, missing=FILL_IN, too_long=TOO_LONG)
]
SubstitutesFirst = Annotated[
    bool, Asked(says="Substitutes get vacant seats before bots do.", label=later("Substitutes first, if there are any"))
]
FormOfPosts = Annotated[str, Asked(says="What is posted.", **texts("fields", "form"), choices=PostForm.choices)]
Tables = Annotated[
    Sequence[int] | None,
    Asked(
        says="The numbers of the tables, which their desk shows; left out for all whose games are not over.",
        least=1,
        most=MOST_TABLES,
    ),
]
TableNumber = Annotated[int, Asked(says="The number of the table, which its desk shows.", least=1)]
SeatOf = Annotated[str, Asked(says="The id of a power, as in GERMANY.")]
SeatReason = Annotated[str, asked_for_reason(says="Everyone can read it; needed if a player loses the seat.")]
Account = Annotated[int, Asked(says="The number of the account.", label=later("Player"), least=1)]
Points = Annotated[
    Decimal,
    Asked(says="As many as that; below 0 takes points away.", label=later_as("a number of points", "How many"), most=9),
]
RulingReason = Annotated[str, asked_for_reason(says="Everyone can read it.", **texts("fields", "ruling"))]
RuledTable = Annotated[int | None, Asked(says="The number of the table; left out for the total.", least=1)]
WAITS = "@"
"""How a place without a power is named: this, and the user who has it."""


class DoneAtTables(NamedTuple):
    """The labels of the tables where an act was done and, for each reason why not, those where it was refused."""

    done: list[str]
    refused: dict[str, list[str]]

    def refusals(self) -> list[str]:
        told = _("Not done at these tables: {tables}. {sentence}")
        return [told.format(tables=", ".join(labels), sentence=it) for it, labels in self.refused.items()]


def label_of(table: Table) -> str:
    """The name of a table, such as "2.4": the fourth table of the second round."""
    return f"{table.round.number}.{table.number}"


def act_at_tables(tables: Iterable[Table], by: int, act: Callable[..., object]) -> DoneAtTables:
    """Call `act` with the game's id for each of these tables, and tell where it was done and where not."""
    count_series_change(by)
    outcome = DoneAtTables([], {})
    for table in tables:
        try:
            with transaction.atomic():
                unless(not is_member(lock_game(table.game_id or NOBODY), by), NotAllowed(str(YOU_PLAY)))
                act(game_id=table.game_id)
            outcome.done.append(label_of(table))
        except Refusal as refusal:
            outcome.refused.setdefault(refusal.sentence, []).append(label_of(table))
    return outcome


@director_act("add_holiday")
@transaction.atomic
def add_holiday(
    *, tournament_id: int, by: int, first: FirstDay, last: LastDay, tables: Tables = None, reason: Reason = ""
) -> None:
    """Let no deadline fall on these days at some or all tables; at all of them or none."""
    unless(Director.objects.filter(tournament=tournament_id, user=by).exists(), NotAllowed(rights.ONLY_DIRECTORS))
    here = Table.objects.filter(round__tournament=tournament_id, number__gt=0).select_related("round").order_by("game")
    chosen = list(here.filter(game__status__in=NOT_OVER) if tables is None else here.filter(pk__in=tables))
    unless(tables is None or len(chosen) == len(set(tables)), NotAllowed(str(NO_SUCH_TABLE)))
    act = partial(one_game.add_holiday, by=by, first=first, last=last, reason=reason)
    outcome = act_at_tables(chosen, by, act)
    unless(not outcome.refused, WrongMoment(" ".join(outcome.refusals())))


@table_act("start")
def start_game(*, game_id: int, by: int) -> None:
    """Start the game with the players who have joined or, during a roll call, with those who have confirmed."""
    is_called = RollCall.objects.filter(game=game_id).exists()
    (one_game.start_anyway if is_called else one_game.start_game)(game_id=game_id, by=by)


@table_act("fill")
def fill_seats(*, game_id: int, by: int, level: BotLevel, substitutes_first: SubstitutesFirst = False) -> None:
    """Let bots play the vacant seats until people take them; or substitutes, as far as there are any, and then bots.

    During a roll call, this starts the game without those who have not confirmed.
    """
    table, game = Table.objects.select_related("round__tournament").get(game=game_id), lock_game(game_id)
    if game.status == Status.OPEN:
        called, told = RollCall.objects.filter(game=game), _("The game waits for players, so start it first.")
        unless(called.exists(), WrongMoment(told))
        start_game(game_id=game_id, by=by)
    here, tournament = lock_game_for(game_id, by), table.round.tournament
    vacant = [power for power in here.seats if power in here.left and here.holder(power) is None]
    unless(vacant, WrongMoment(_("No seat is vacant at this table.")))
    known = entrants_known_to(tournament, by) if substitutes_first else ()
    free = [it.user_id for it in free_substitutes(tournament.rounds.all(), known)]
    for power, user in zip_longest(vacant, free[: len(vacant)]):
        if user:
            substitute(tournament_id=tournament.pk, by=by, table=table.pk, power=power, user_id=user)
        else:
            seat_bot(game_id=game_id, by=by, power=power, level=level)


@table_act("end")
def end_game(*, game_id: int, by: int, reason: Reason = "") -> None:
    """End the game, as it stands, in a draw between all powers that have a unit."""
    directs = Director.objects.filter(tournament__rounds__tables__game=game_id, user=by)
    unless(directs.exists(), NotAllowed(rights.ONLY_DIRECTORS))
    rights.refuse_if_shut(Tournament.objects.get(rounds__tables__game=game_id))
    one_game.end_in_a_draw(lock_game_for(game_id, by), by, reason=reason)


@table_act("days")
def add_days(*, game_id: int, by: int, first: FirstDay, last: LastOfDays = None, reason: Reason = "") -> None:
    """Let no deadline fall on these days."""
    one_game.add_holiday(game_id=game_id, by=by, first=first, last=last or first, reason=reason)


@table_act("webhook")
def post_news(*, game_id: int, by: int, address: Address, form: FormOfPosts = "") -> None:
    """Post the news of the game to this address."""
    hooks.post_news(game_id=game_id, user_id=by, address=address, form=form or PostForm.CHAT)


OF_MASTERS = ("extend", "name_assistant", "pause", "resume", "write")
AT_TABLES = table_act.by_name | {name: MASTERS[name] for name in OF_MASTERS}
"""What directors do at several tables at once."""


def _table(tournament_id: int, table_id: int) -> Table:
    rows = Table.objects.filter(pk=table_id, round__tournament=tournament_id, number__gt=0)
    table_row = rows.select_related("round").first()
    if table_row is None:
        raise NotAllowed(str(NO_SUCH_TABLE))
    return table_row


def _locked_table(
    tournament_id: int, table_id: int, by: int, seat: str, instead_of: str
) -> tuple[Table, Game, Tournament, str]:
    """A table whose game and tournament are locked, for a director who doesn't play there, with the name of the person
    in this seat or place; "" for none. Raises WrongMoment if the director's page named another, `instead_of`."""
    table = _table(tournament_id, table_id)
    game, tournament = lock_game(table.game_id or NOBODY), rights.lock(tournament_id, by, rights.may_direct).row
    unless(not is_member(game, by), NotAllowed(str(YOU_PLAY)))
    waiting = Joiner.objects.filter(game=game, user=parse_whole_number(seat.removeprefix(WAITS)) or NOBODY)
    held = Occupancy.objects.filter(game=game, seat__power=seat, until__isnull=True, user__is_bot=False)
    rows: QuerySet[Any] = waiting if seat.startswith(WAITS) else held
    before = str(rows.values_list("user__username", flat=True).first() or "")
    unless(instead_of in ("", before or "None"), WrongMoment(CHANGED))
    return table, game, tournament, before


def known_players(user_id: int) -> Q:
    """The occupancies whose players this director may know: those at tables without hidden names, and at tables that
    they run and don't play at."""
    own_games = Occupancy.objects.filter(user=user_id).values("game")
    hidden = Q(game__stored_options__hidden_names=True) | Q(game__by_invitation=True)
    runs = Q(game__gm=user_id) | Q(game__assistants__has_key=str(user_id))
    return ~hidden | (runs & ~Q(game__in=own_games))


def entrants_known_to(tournament: Tournament, by: int) -> list[Any]:
    """Everyone who has ever entered, by turn. `is_busy`: this director knows that they have a place at a table."""
    here = {"user": OuterRef("user"), "game__status__in": NOT_OVER, "game__table__round__tournament": tournament}
    held = Exists(Occupancy.objects.filter(known_players(by), until__isnull=True, **here))
    rows = tournament.entrants.annotate(is_busy=held | Exists(Joiner.objects.filter(known_players(by), **here)))
    return list(rows.select_related("user").only("tournament", "place", "user__username").order_by("turn", "pk"))


def free_substitutes(rounds: Iterable[Round], entrants: Iterable[Any]) -> list[Any]:
    """Those who have no place at a table now: the substitutes, the next one first, then people whom the plan of the
    newest round left without a seat."""
    newest = max((it for it in rounds if it.seated and it.plan), key=lambda it: it.number, default=None)
    left_out = StoredPlan.stored(newest.plan).seating.people_out if newest and newest.plan else ()
    free = [it for it in entrants if not it.is_busy]
    waiting = [it for it in free if it.place == Place.IN and it.user_id in left_out]
    return [*(it for it in free if it.place == Place.SUBSTITUTE), *waiting]


@director_act("substitute")
@transaction.atomic
def substitute(
    *,
    tournament_id: int,
    by: int,
    table: TableNumber,
    power: SeatOf,
    user_id: int | None = None,
    reason: SeatReason = "",
    instead_of: str = "",
) -> str:
    """Give the seat of a power at a table to the next substitute, in place of its player if it has one.

    Returns their name; `user_id` chooses another one. In a roll call, the substitute has confirmed: they have said that
    they wait for a seat. `power`: a power; or, for a place without one, WAITS and its user's id, or "" if it is free.
    Raises WrongMoment without a substitute.
    """
    row, game, tournament, before = _locked_table(tournament_id, table, by, power, instead_of)
    free = free_substitutes(tournament.rounds.all(), entrants_known_to(tournament, by))
    entrant = next((it for it in free if user_id in (None, it.user_id)), None)
    if entrant is None:
        raise WrongMoment(_("There is no substitute who is free. Make somebody one first."))
    name = str(entrant.user.get_username())
    seat = "" if power.startswith(WAITS) else power
    if game.status == Status.OPEN:
        if before:
            remove_player(game_id=game.pk, by=by, username=before, reason=reason)
        place_player(game_id=game.pk, by=by, username=name, power=seat)
        call_roll_or_start(game, clock.now(), here=entrant.user_id)
    else:
        one_game.seat_player(game_id=game.pk, by=by, power=power, username=name, reason=reason)
    if game.options[Names].hidden_names:
        return name
    entrant.place = Place.IN
    entrant.save(update_fields=["place"])
    ask_to_check_in(tournament, [entrant.user_id], by=by)
    if not game.by_invitation:
        kind = "replaced" if before else "seat"
        log_change(tournament, kind, by, user=entrant.user, before=before, table=label_of(row), power=seat)
    return name


@transaction.atomic
def let_bot_play(
    *, tournament_id: int, by: int, table: int, power: str, level: Level, reason: str = "", instead_of: str = ""
) -> None:
    """Let a bot play a seat until a person takes it, in place of its player if it has one. In a roll call that waits
    for this player only, the game starts."""
    _row, game, _tournament, before = _locked_table(tournament_id, table, by, power, instead_of)
    if game.status != Status.OPEN:
        seat_bot(game_id=game.pk, by=by, power=power, level=level, reason=reason)
        return
    confirmed = Confirmation.objects.filter(roll_call__game=game).values("user")
    people = get_user_model().objects.filter(pk__in=members_of(game)).exclude(pk__in=confirmed)
    told = _("Before the start, a bot gets a place only if all others have confirmed. Fill the empty seats instead.")
    unless([*people.values_list("username", flat=True)] == [before], WrongMoment(told))
    fill_seats(game_id=game.pk, by=by, level=level)


@director_act.locked(
    "rule", rights.may_direct, replaces=lambda here: here.row.rulings.aggregate(last=Max("pk"))["last"]
)
def rule(here: Here, by: int, *, user: Account, points: Points, reason: RulingReason, table: RuledTable = None) -> None:
    """Decide an entrant’s points at a table whose game is over or, without a table, add points to their total."""
    tournament, reason_text = here.row, checked_reason(reason, needed=True)
    entrant = tournament.entrants.filter(user=user).select_related("user").first()
    if entrant is None:
        raise NotAllowed(_("Rulings are about people who have entered the tournament."))
    ruling_fields = {"points": points, "reason": reason_text, "at": clock.now(), "by_id": by}
    facts: dict[str, Any] = {"user": entrant.user, "points": f"{points.normalize():f}", "reason": reason_text}
    if table is None:
        Ruling.objects.create(tournament=tournament, user=entrant.user, **ruling_fields)
        log_change(tournament, "adjusted", by, **facts)
        return
    row = _table(tournament.pk, table)
    typed = (row.outcome or {}).get("holders")
    ended = typed or Game.objects.filter(pk=row.game_id or NOBODY, status__in=OVER).exists()
    unless(ended, WrongMoment(_("The game at this table isn’t over. Rule about its points after its end.")))
    played = user in typed.values() if typed else Occupancy.objects.filter(game=row.game_id, user=user).exists()
    unless(played, WrongMoment(_("{user} hasn’t played at this table.").format(user=entrant.user.username)))
    about = {"tournament": tournament, "user": entrant.user, "table": row}
    Ruling.objects.filter(**about).delete()  # a new one has another number: nobody takes it back for the old one
    Ruling.objects.create(**about, **ruling_fields)
    log_change(tournament, "ruling", by, table=label_of(row), **facts)


@transaction.atomic
def undo_ruling(*, tournament_id: int, by: int, number: int) -> str:
    """Undo a ruling, so that the system's points count again. Returns the name of the person it was about."""
    tournament = rights.lock(tournament_id, by, rights.may_direct).row
    told = _("You don’t see the rulings while you play and points are hidden. Another director can take this one back.")
    unless(rights.sees_standings(tournament, by), NotAllowed(told))
    row = Ruling.objects.filter(tournament=tournament, pk=number).select_related("user", "table__round").first()
    if row is None:
        raise WrongMoment(_("That ruling has been taken back already."))
    row.delete()
    facts: dict[str, Any] = {"points": f"{row.points.normalize():f}", "reason": row.reason}
    if row.table is not None:
        facts["table"] = label_of(row.table)
    log_change(tournament, "no-points" if row.table else "no-adjustment", by, user=row.user, **facts)
    return str(row.user.get_username())
