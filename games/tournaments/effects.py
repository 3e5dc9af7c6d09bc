"""What other terms do to results that stand: who gets another place, and which rulings were made in another scale."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256

from django.utils.translation import gettext as _

from games.kernel.refusals import Unconfirmed
from games.kernel.rules import unless
from games.tournaments.models import Tournament
from games.tournaments.rules.combining import Mover, Place, moved
from games.tournaments.sheet import Sheet, written
from games.tournaments.standings import sheet_of, tables_in, tables_of
from games.tournaments.terms import Terms
from games.tournaments.texts import texts

TEXTS = texts("effects")


@dataclass(frozen=True, slots=True)
class Effect:
    """What these terms do. `rulings`: those made in another scale, in sentences. `leaders`: the first players then. If
    it `is_hidden` from a director who doesn't see standings, it has nothing of that, so its mark tells nothing."""

    terms: Terms
    moves: tuple[Mover, ...] = ()
    rulings: tuple[str, ...] = ()
    leaders: str = ""
    is_hidden: bool = False

    def refuse_unless(self, confirmed: str) -> None:
        """Refuse to change terms before a director who has read this has confirmed it."""
        mark, told = sha256(repr(self).encode()).hexdigest()[:32], TEXTS["hidden" if self.is_hidden else "shown"]
        is_harmless = not (self.moves or self.rulings or self.is_hidden)
        unless(is_harmless or confirmed == mark, Unconfirmed(told, mark, self))


def effect_of(series: Tournament, before: Terms, after: Terms) -> Effect | None:
    """None if there are no results, or if points and places depend on nothing that changes."""
    if after.of_points == before.of_points:
        return None
    tables, rows = tables_in(tables_of(series)), list(series.rounds.order_by("number"))
    now, then = (sheet_of(series, tables, rows=rows, terms=it) for it in (before, after))
    if not (now.outcomes or then.outcomes):
        return None
    leaders = ", ".join(then.people[row.entrant].name for row in then.found if row.rank == 1)
    return Effect(after, moved(_places(now), _places(then)), tuple(_rulings(before, then)), leaders)


def _places(sheet: Sheet) -> dict[str, Place]:
    players = {sheet.people[row.entrant].name: (row.rank, written(row.total)) for row in sheet.found}
    return players | {_("Team {name}").format(name=it.name): (it.rank, it.total) for it in sheet.teams}


def _rulings(before: Terms, sheet: Sheet) -> Iterator[str]:
    """The rulings about tables whose scale changes, and those about totals if any scale does, or the way to add up."""
    scoring = {row.pk: row.terms.get("scoring", "") for row in sheet.rows}
    rescaled = {pk for pk, slug in scoring.items() if before.scale(slug) != sheet.terms.scale(slug)}
    seats = {
        table.pk: (f"{row.number}.{table.number}", [seat.points for seat in found])
        for row, of_one, tables in zip(sheet.rows, sheet.rounds, sheet.tables, strict=True)
        for found, table in zip(of_one.tables, tables, strict=True)
        if found and row.pk in rescaled
    }
    for it in sheet.ruled:
        facts = {"name": it.user.get_username(), "points": written(Fraction(it.points))}
        if it.table_id in seats:
            table, points = seats[it.table_id]
            kind = "fits" if min(points) <= it.points <= max(points) else "outside"
            yield TEXTS[kind].format(**facts, table=table, least=written(min(points)), most=written(max(points)))
        elif it.table_id is None and (rescaled or before.counting != sheet.terms.counting):
            yield TEXTS["adjusted"].format(**facts)
