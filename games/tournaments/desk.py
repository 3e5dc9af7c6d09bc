"""The directors' desk: acts at several tables, each through the game's own service and in its own transaction;
substitutes; and rulings about points.

A director who plays at a table acts there as its player only. Substitutes who get a seat at a table with hidden names
stay substitutes on the public list, and no line tells of them: the log of the game does, once it is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from games.kernel import clock
from games.kernel.forms import parse_whole_number
from games.kernel.languages import later
from games.kernel.limits import count_series_change
from games.kernel.locking import lock_game
from games.kernel.members import is_member
from games.kernel.models import NOT_OVER, OVER, Game, Joiner, Occupancy, Status
from games.kernel.news import checked_reason
from games.kernel.options import Names
from games.kernel.queries import NOBODY
from games.kernel.refusals import NotAllowed, Refusal, WrongMoment
from games.kernel.rules import unless
from games.mastering.services import desk as one_game
from games.seating.models import RollCall
from games.seating.services.bots import seat_bot
from games.seating.services.joining import call_roll_or_start
from games.seating.services.placing import place_player, remove_player
from games.tournaments.letters import ask_to_check_in
from games.tournaments.models import Director, Place, Round, Ruling, Table, Tournament
from games.tournaments.seating import StoredPlan
from games.tournaments.services import ONLY_DIRECTORS, locked_for_director, log_change
from variants.bots import Level

YOU_PLAY = later("You play at this table, so another director has to do that.")
NO_SUCH_TABLE = later("The tournament has no such table.")
WAITS = "@"
"""How a place without a power is named: this, and the user who has it."""


class Outcome(NamedTuple):
    """The labels of the tables where an act was done and, for each reason why not, those where it was refused."""

    done: list[str]
    refused: dict[str, list[str]]

    def refusals(self) -> list[str]:
        told = _("Not done at these tables: {tables}. {sentence}")
        return [told.format(tables=", ".join(labels), sentence=it) for it, labels in self.refused.items()]


def label_of(table: Table) -> str:
    """The name of a table, such as "2.4": the fourth table of the second round."""
    return f"{table.round.number}.{table.number}"


def act_at_tables(tables: Iterable[Table], by: int, act: Callable[[int], object]) -> Outcome:
    """Call `act` with the game's id for each of these tables, and tell where it was done and where not."""
    count_series_change(by)
    outcome = Outcome([], {})
    for table in tables:
        try:
            with transaction.atomic():
                unless(not is_member(lock_game(table.game_id), by), NotAllowed(str(YOU_PLAY)))
                act(table.game_id)
            outcome.done.append(label_of(table))
        except Refusal as refusal:
            outcome.refused.setdefault(refusal.sentence, []).append(label_of(table))
    return outcome


@transaction.atomic
def add_holiday(
    *, tournament_id: int, by: int, first: date, last: date, tables: Sequence[int] | None = None, reason: str = ""
) -> None:
    """Add days off at these tables, or at all whose games are not over: at all of them or none."""
    unless(Director.objects.filter(tournament=tournament_id, user=by).exists(), NotAllowed(str(ONLY_DIRECTORS)))
    here = Table.objects.filter(round__tournament=tournament_id, number__gt=0).select_related("round").order_by("game")
    chosen = list(here.filter(game__status__in=NOT_OVER) if tables is None else here.filter(pk__in=tables))
    unless(tables is None or len(chosen) == len(set(tables)), NotAllowed(str(NO_SUCH_TABLE)))
    given: dict[str, Any] = {"by": by, "first": first, "last": last, "reason": reason}
    outcome = act_at_tables(chosen, by, lambda game_id: one_game.add_holiday(game_id=game_id, **given))
    unless(not outcome.refused, WrongMoment(" ".join(outcome.refusals())))


def start_game(*, game_id: int, by: int) -> None:
    """Start the game with the players who have joined or, during a roll call, with those who have confirmed."""
    is_called = RollCall.objects.filter(game=game_id).exists()
    (one_game.start_anyway if is_called else one_game.start_game)(game_id=game_id, by=by)


def _table(tournament_id: int, table_id: int) -> Table:
    rows = Table.objects.filter(pk=table_id, round__tournament=tournament_id, number__gt=0)
    table_row = rows.select_related("round").first()
    if table_row is None:
        raise NotAllowed(str(NO_SUCH_TABLE))
    return table_row


def _locked_table(tournament_id: int, table_id: int, by: int) -> tuple[Table, Game, Tournament]:
    """A table whose game and tournament are locked, for a director who doesn't play there."""
    table = _table(tournament_id, table_id)
    game, tournament = lock_game(table.game_id), locked_for_director(tournament_id, by)
    unless(not is_member(game, by), NotAllowed(str(YOU_PLAY)))
    return table, game, tournament


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
    return list(rows.select_related("user").order_by("turn", "pk"))


def free_substitutes(rounds: Iterable[Round], entrants: Iterable[Any]) -> list[Any]:
    """Those who have no place at a table now: the substitutes, the next one first, then people whom the plan of the
    newest round left without a seat."""
    newest = max((it for it in rounds if it.seated and it.plan), key=lambda it: it.number, default=None)
    left_out = StoredPlan.stored(newest.plan).seating.people_out if newest and newest.plan else ()
    free = [it for it in entrants if not it.is_busy]
    waiting = [it for it in free if it.place == Place.IN and it.user_id in left_out]
    return [*(it for it in free if it.place == Place.SUBSTITUTE), *waiting]


@transaction.atomic
def substitute(
    *, tournament_id: int, by: int, table_id: int, seat: str, user_id: int | None = None, reason: str = ""
) -> str:
    """Give a seat to this substitute, or to the next one, and return their name. The player who holds it loses it. In a
    roll call, the substitute has confirmed: they have said that they wait for a seat.

    `seat`: a power; or, for a place without one, WAITS and its user's id, or "" if it is free. Raises WrongMoment
    without a substitute.
    """
    table, game, tournament = _locked_table(tournament_id, table_id, by)
    free = free_substitutes(tournament.rounds.all(), entrants_known_to(tournament, by))
    entrant = next((it for it in free if user_id in (None, it.user_id)), None)
    if entrant is None:
        raise WrongMoment(_("There is no substitute who is free. Make somebody one first."))
    before, name = _holder(game, seat), str(entrant.user.get_username())
    if game.status == Status.OPEN:
        if before:
            remove_player(game_id=game.pk, by=by, username=before, reason=reason)
        place_player(game_id=game.pk, by=by, username=name, power="" if seat.startswith(WAITS) else seat)
        call_roll_or_start(game, clock.now(), here=entrant.user_id)
    else:
        one_game.seat_player(game_id=game.pk, by=by, power=seat, username=name, reason=reason)
    if game.options[Names].hidden_names:
        return name
    entrant.place = Place.IN
    entrant.save(update_fields=["place"])
    ask_to_check_in(tournament, [entrant.user_id], by=by)
    if not game.by_invitation:
        kind = "replaced" if before else "seat"
        power = "" if seat.startswith(WAITS) else seat
        log_change(tournament, kind, by, user=entrant.user, before=before, table=label_of(table), power=power)
    return name


def _holder(game: Game, seat: str) -> str:
    """The name of the person who has this seat or place; "" for nobody, and for a bot."""
    if seat.startswith(WAITS):
        user = parse_whole_number(seat.removeprefix(WAITS))
        waiting = Joiner.objects.filter(game=game, user=user or NOBODY)
        return str(waiting.values_list("user__username", flat=True).first() or "")
    held = Occupancy.objects.filter(game=game, seat__power=seat, until__isnull=True, user__is_bot=False)
    return str(held.values_list("user__username", flat=True).first() or "")


@transaction.atomic
def let_bot_play(*, tournament_id: int, by: int, table_id: int, seat: str, level: Level) -> None:
    """Let a bot play a vacant seat until a person takes it."""
    _table_row, game, _tournament = _locked_table(tournament_id, table_id, by)
    seat_bot(game_id=game.pk, by=by, power=seat, level=level)


@transaction.atomic
def rule(
    *, tournament_id: int, by: int, user_id: int, points: Decimal, reason: str, table_id: int | None = None
) -> None:
    """Give an entrant these points instead of what the system gives at this table, whose game is over. Without a table,
    add them to the entrant's total. Raises BadReason."""
    tournament, reason_text = locked_for_director(tournament_id, by), checked_reason(reason, needed=True)
    entrant = tournament.entrants.filter(user=user_id).select_related("user").first()
    if entrant is None:
        raise NotAllowed(_("Rulings are about people who have entered the tournament."))
    ruling_fields = {"points": points, "reason": reason_text, "at": clock.now(), "by_id": by}
    facts: dict[str, Any] = {"user": entrant.user, "points": f"{points.normalize():f}", "reason": reason_text}
    if table_id is None:
        Ruling.objects.create(tournament=tournament, user=entrant.user, **ruling_fields)
        log_change(tournament, "adjusted", by, **facts)
        return
    table = _table(tournament_id, table_id)
    ended = Game.objects.filter(pk=table.game_id, status__in=OVER)
    unless(ended.exists(), WrongMoment(_("The game at this table isn’t over. Rule about its points after its end.")))
    played = Occupancy.objects.filter(game=table.game_id, user=user_id)
    unless(played.exists(), WrongMoment(_("{user} hasn’t played at this table.").format(user=entrant.user.username)))
    Ruling.objects.update_or_create(tournament=tournament, user=entrant.user, table=table, defaults=ruling_fields)
    log_change(tournament, "ruling", by, table=label_of(table), **facts)


@transaction.atomic
def undo_ruling(*, tournament_id: int, by: int, number: int) -> None:
    """Undo a ruling, so that the system's points count again."""
    tournament = locked_for_director(tournament_id, by)
    row = Ruling.objects.filter(tournament=tournament, pk=number).select_related("user").first()
    if row is None:
        raise WrongMoment(_("That ruling has been taken back already."))
    row.delete()
    log_change(tournament, "no-ruling", by, user=row.user, reason=row.reason)
