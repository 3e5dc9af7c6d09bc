"""Orders that a power may write ahead in this phase: retreats, builds and removals."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from adjudication.conditional import BUILDS, REMOVALS, build_choices, phases_ahead, retreat_choices
from adjudication.orders import Waive
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from games.orders.parts import WishRow
from games.orders.sheets import ReadSheet
from variants.words.ahead import build_words, wishes_by_subject
from variants.words.orders import place_words, unit_words

DISBAND = "disband"


def wishes_of(sheet: ReadSheet) -> Iterator[WishRow]:
    """A row for each unit that might be dislodged, and rows for builds and removals if such a phase follows."""
    power, position, rules = sheet.power, sheet.position, sheet.variant.ruleset
    situation, board = Situation(position, rules), rules.board
    lines = wishes_by_subject(sheet.lawful.ahead, board)
    turns_ahead = {turn.kind: turn for turn in phases_ahead(position.turn, rules.calendar)}
    orderable = [unit for unit in position.units_of(power) if unit.province not in situation.leaderless]
    units = sorted(orderable, key=lambda unit: unit.location)
    for unit in units if PhaseKind.RETREAT in turns_ahead else ():
        subject, places = unit.province, [place_words(unit_now, board) for unit_now in retreat_choices(unit, situation)]
        label = _("If {unit} is dislodged").format(unit=unit_words(unit, board))
        yield WishRow(subject, label, lines.get(subject, ""), (*places, DISBAND))
    adjustments = turns_ahead.get(PhaseKind.ADJUSTMENT)
    if adjustments and (units or position.centres_of(power)):
        builds = [build_words(unit_now, board) for unit_now in build_choices(power, situation, adjustments)]
        possible = (*builds, build_words(Waive(), board))
        yield WishRow(BUILDS, _("If you may build"), lines.get(BUILDS, ""), possible)
        if units:
            label = _("If you must remove units (where they are by then)")
            places = [place_words(unit.province, board) for unit in units]
            yield WishRow(REMOVALS, label, lines.get(REMOVALS, ""), tuple(places))
