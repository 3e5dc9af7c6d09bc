"""The hall: what everybody may know about the tables under way, on one page for a projector."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, OuterRef, Subquery
from django.utils.translation import gettext as _

from games.kernel.cards import cards_of_rows, games_with_card_facts
from games.kernel.live import version_as_read, with_public_facts
from games.kernel.models import OVER, UNDER_WAY, Game, Joiner, Occupancy, Seat, Status
from games.kernel.options import Names
from games.kernel.parts import GameCard
from games.seating.models import Confirmation, RollCall
from games.tournaments.models import Round
from games.tournaments.parts import SeriesGame
from games.tournaments.queries import SeriesView
from games.tournaments.terms import RoundTerms


@dataclass(frozen=True, slots=True)
class TableInHall:
    """A table, as everyone may see it. `card`: None for a private game, and for one played elsewhere; `version`: that
    of its public facts. `missing`: in words, the people or players it lacks."""

    number: int
    game: SeriesGame
    card: GameCard | None
    version: str
    missing: str


@dataclass(frozen=True, slots=True)
class RoundInHall:
    """A round, with its tables; none before it is seated."""

    row: Round
    terms: RoundTerms
    tables: tuple[TableInHall, ...]


def hall_of(view: SeriesView) -> list[RoundInHall]:
    """The next round to be seated, the newest that is, and older ones as far as their games are not over."""
    view.table_query = view.table_query.annotate(**of_roll_calls())
    seen = [table.game_id for table in view.tables if view.games[table.game_id].slug]
    rows = list(games_with_card_facts(with_public_facts(Game.objects.filter(pk__in=seen)), None))
    card_list = cards_of_rows(rows, user_id=None, lent={})
    cards = {row.pk: (it, version_as_read(row)) for row, it in zip(rows, card_list, strict=True)}
    vacant, tables = defaultdict[int, list[str]](list), defaultdict[int, list[TableInHall]](list)
    held = Occupancy.objects.filter(seat=OuterRef("pk"), until__isnull=True)
    empty = Seat.objects.filter(~Exists(held), game__in=seen, game__status__in=UNDER_WAY, disordered=False)
    for game, power in empty.order_by("pk").values_list("game", "power"):
        vacant[game].append(power)
    for table in sorted(view.tables, key=lambda it: (it.game.status in OVER, it.number)):
        card, version = cards.get(table.game_id, (None, ""))
        missing = _missing(table, vacant[table.game_id]) if card else ""
        shown = TableInHall(table.number, view.games[table.game_id], card, version, missing)
        tables[table.round_id].append(shown)
    going = {table.round_id for table in view.tables if table.game.status not in OVER}
    seated = [row.pk for row in view.round_rows if row.seated]
    next_one = [row.pk for row in view.round_rows if not row.seated][:1]
    chosen = {*next_one, *seated[-1:], *going}
    rounds = [row for row in reversed(view.round_rows) if row.pk in chosen]
    return [RoundInHall(row, RoundTerms.stored(row.terms), tuple(tables[row.pk])) for row in rounds]


def _missing(table: Any, vacant: list[str]) -> str:
    game = table.game
    if game.status != Status.OPEN:
        powers = ", ".join(game.options.variant.power(power).name for power in vacant)
        return _("Without a player: {powers}.").format(powers=powers) if powers else ""
    missing, count = not_confirmed(table)
    if not missing or table.roll_call_until is None:
        return ""
    if game.options[Names].hidden_names:
        return _("{count} of {people} have confirmed.").format(count=count - len(missing), people=count)
    return _("Not confirmed yet: {people}.").format(people=", ".join(missing))


def of_roll_calls() -> dict[str, Any]:
    """For a table during its roll call: when it ends, and the names of all people there and of those who have
    confirmed."""
    here = {"game": OuterRef("game"), "game__status": Status.OPEN}
    people = {
        "seated_names": Occupancy.objects.filter(**here, until__isnull=True, user__is_bot=False),
        "joined_names": Joiner.objects.filter(**here),
        "confirmed_names": Confirmation.objects.filter(roll_call__game=OuterRef("game")),
    }
    named = {name: ArraySubquery(rows.order_by("pk").values("user__username")) for name, rows in people.items()}
    return {"roll_call_until": Subquery(RollCall.objects.filter(game=OuterRef("game")).values("deadline")), **named}


def not_confirmed(table: Any) -> tuple[list[str], int]:
    """The people of whom a roll call waits for a confirmation; and how many there are in all."""
    people = [*table.seated_names, *table.joined_names]
    return [name for name in people if name not in table.confirmed_names], len(people)
