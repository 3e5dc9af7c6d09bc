"""The standings of a series: the points of a power go to the player who holds its seat at the end of the game."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from io import StringIO
from typing import Any

from django.utils.translation import gettext as _

from games.kernel import codec
from games.kernel.models import Occupancy
from games.seating.reliability import COUNTED_SEATS
from games.tournaments.results import table_result
from games.tournaments.rules.combining import Game, Holder, Round, Seat, seats, standings
from games.tournaments.rules.scoring import System
from games.tournaments.terms import Terms


@dataclass(frozen=True, slots=True)
class SeriesGame:
    """A game of a series, at the table of this number. `slug` is "" and `name` says nothing if the viewer may not see
    it."""

    table: int
    slug: str
    name: str
    variant_title: str
    state: str


@dataclass(frozen=True, slots=True)
class Played:
    """What one game brought one player."""

    game: SeriesGame
    power_name: str
    points: str
    counted: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A player in the standings; the same `rank` for several who share it. `played`: the newest game first."""

    rank: int
    name: str
    total: str
    played: tuple[Played, ...]


def standings_of(tables: Sequence[Any], games: Mapping[int, SeriesGame], terms: Terms) -> tuple[Row, ...]:
    """Of these tables, whose games are over and count; the best first."""
    holders, names = _holders_at_the_end(tables)
    system = terms.system()
    seated = tuple(tuple(_seats_of(table, system, holders[table.game_id])) for table in tables)
    found = standings([Round(seated)], terms.rule, terms.ties)
    rows = sorted(found, key=lambda row: (row.rank, names[row.entrant].casefold()))
    return tuple(
        Row(row.rank, names[row.entrant], _written(row.total), tuple(_played(it, tables, games) for it in row.games))
        for row in rows
    )


def _played(it: Game, tables: Sequence[Any], games: Mapping[int, SeriesGame]) -> Played:
    assert it.table is not None, "nobody sits out"
    assert it.seat is not None
    game = tables[it.table].game
    power = codec.variant_of(game).power(it.seat.power)
    return Played(games[game.pk], power.name, _written(it.points), it.is_counted)


def _holders_at_the_end(tables: Sequence[Any]) -> tuple[Mapping[int, Mapping[str, int]], Mapping[int, str]]:
    """Game -> power -> user, without bots; and the names of these users."""
    held = Occupancy.objects.filter(COUNTED_SEATS, game__in=[table.game_id for table in tables], until__isnull=True)
    holders, names = defaultdict[int, dict[str, int]](dict), dict[int, str]()
    for game, power, user, name in held.values_list("game_id", "seat__power", "user_id", "user__username"):
        holders[game][power], names[user] = user, name
    return holders, names


def _seats_of(table: Any, system: System, holders: Mapping[str, int]) -> Iterable[Seat]:
    result = table_result(table.game, table.outcome)
    held = {it.power: (Holder(holders.get(it.power)),) for it in result.powers}
    return seats(table.game.variant_slug, system, result, held)


def _written(points: Fraction) -> str:
    """With two decimals at most, as in "33.33"."""
    return f"{float(points):.2f}".rstrip("0").rstrip(".")


SIGNS_OF_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for a formula at the beginning of a cell."""


def as_csv(rows: Iterable[Row], games: Iterable[SeriesGame]) -> str:
    """A line for each player, with the points in each of these games."""
    shown = list(games)
    text = StringIO()
    lines = csv.writer(text)
    heads = [_("rank"), _("player"), _("games"), _("total"), *(it.name for it in shown)]
    lines.writerow(map(_safe, heads))
    for row in rows:
        points = {it.game: it.points for it in row.played}
        lines.writerow([row.rank, _safe(row.name), len(row.played), row.total, *(points.get(it, "") for it in shown)])
    return text.getvalue()


def _safe(cell: str) -> str:
    """Text, even if it looks like a formula."""
    return f"'{cell}" if cell.startswith(SIGNS_OF_FORMULAS) else cell
