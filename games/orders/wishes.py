"""What a power may write ahead in this phase: retreats, builds and removals."""

from collections.abc import Iterator

from adjudication.board import Board
from adjudication.conditional import BUILDS, REMOVALS, coming, retreat_choices, wishes_by_subject
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import UnitKind, mark_of
from adjudication.words import place, unit_words
from games.orders.parts import WishRow
from games.orders.sheets import ReadSheet

EXAMPLES = 3


def wishes_of(sheet: ReadSheet) -> Iterator[WishRow]:
    """A row for each unit that might be dislodged, and for the builds and removals, if they follow."""
    power, position, rules = sheet.power, sheet.position, sheet.variant.ruleset
    situation, board = Situation(position, rules), rules.board
    written = wishes_by_subject(sheet.lawful.ahead, board)
    after = {turn.kind for turn in coming(position.turn, rules.calendar)}
    led = [unit for unit in position.units_of(power) if unit.province not in situation.leaderless]
    own = sorted(led, key=lambda unit: unit.location)
    for unit in own if PhaseKind.RETREAT in after else ():
        possible = ", ".join(place(each, board) for each in retreat_choices(unit, situation))
        about = unit.province
        yield WishRow(about, f"If {unit_words(unit, board)} is dislodged", written.get(about, ""), possible)
    if PhaseKind.ADJUSTMENT in after and (own or position.centres_of(power)):
        homes = rules.builds.homes(power, situation)[:EXAMPLES]
        mark = mark_of(UnitKind.ARMY, next(iter(rules.factions_of.get(power, ())), ""))
        yield WishRow(BUILDS, "If you may build", written.get(BUILDS, ""), _listed(homes, board, f"{mark} "))
        places = [unit.province for unit in own][:EXAMPLES]
        yield WishRow(REMOVALS, "If you must remove units", written.get(REMOVALS, ""), _listed(places, board))


def _listed(places: tuple[str, ...] | list[str], board: Board, mark: str = "") -> str:
    return ", ".join(f"{mark}{place(each, board)}" for each in places)
