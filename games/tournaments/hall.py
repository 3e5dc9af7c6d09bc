"""The hall: what everybody may know about the tables under way, on one page for a projector."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

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


class TableInHall(NamedTuple):
    """A table, as everyone may see it. `card`: None for a private game, and for one played elsewhere; `version`: that
    of its public facts. `missing`: in words, the people or players it lacks."""

    number: int
    game: SeriesGame
    card: GameCard | None
    version: str
    missing: str


def hall_of(view: SeriesView) -> list[tuple[Round, RoundTerms, list[TableInHall]]]:
    """The next round to be seated, the newest that is, and older ones as far as their games are not over."""
    held = Occupancy.objects.filter(seat=OuterRef("pk"), until__isnull=True)
    empty = Seat.objects.filter(~Exists(held), game=OuterRef("game"), game__status__in=UNDER_WAY, disordered=False)
    vacant = ArraySubquery(empty.order_by("pk").values("power"))
    view.table_query = view.table_query.annotate(vacant=vacant, **of_roll_calls())
    seen = Game.objects.filter(pk__in=[it.game_id for it in view.tables if view.games[it.game_id].slug])
    rows = list(games_with_card_facts(with_public_facts(seen), None))
    cards = dict(zip((it.pk for it in rows), cards_of_rows(rows, user_id=None, lent={}), strict=True))
    versions, tables = {it.pk: version_as_read(it) for it in rows}, defaultdict[int, list[TableInHall]](list)
    for it in sorted(view.tables, key=lambda it: (it.game.status in OVER, it.number)):
        facts = cards.get(it.game_id), versions.get(it.game_id, "")
        tables[it.round_id].append(TableInHall(it.number, view.games[it.game_id], *facts, _missing(it)))
    newest = max((it.number for it in view.round_rows if it.seated), default=0)
    going = {it.round_id for it in view.tables if it.game.status not in OVER}
    shown = [it for it in reversed(view.round_rows) if it.number in (newest, newest + 1) or it.pk in going]
    return [(it, RoundTerms.stored(it.terms), tables[it.pk]) for it in shown]


def _missing(table: Any) -> str:
    if table.game.status != Status.OPEN:
        powers = ", ".join(table.game.options.variant.power(power).name for power in table.vacant)
        return _("Without a player: {powers}.").format(powers=powers) if powers else ""
    missing, count = not_confirmed(table)
    if not missing or table.roll_call_until is None:
        return ""
    if table.game.options[Names].hidden_names:
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
