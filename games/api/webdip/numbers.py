"""The numbers that this form gives countries, territories and turns."""

from functools import cache

from adjudication.board import province_of
from adjudication.turns import PhaseKind, Season, Turn
from variants.registry import ALL
from variants.variant import Variant

VARIANT, FIRST_YEAR = 1, 1901
COUNTRIES = ("ENGLAND", "FRANCE", "ITALY", "GERMANY", "AUSTRIA", "TURKEY", "RUSSIA")
IN_ORDER = (
    "CLY EDI LVP YOR WAL LON POR SPA NAF TUN NAP ROM TUS PIE VEN APU GRE ALB SER BUL RUM CON SMY ANK ARM SYR SEV UKR "
    "WAR LVN MOS STP FIN SWE NWY DEN KIE BER PRU SIL MUN RUH HOL BEL PIC BRE PAR BUR MAR GAS BAR NWG NTH SKA HEL BAL "
    "BOT NAO IRI ENG MAO WES LYO TYS ION ADR AEG EAS BLA TYR BOH VIE TRI BUD GAL SPA/NC SPA/SC STP/NC STP/SC BUL/EC "
    "BUL/SC"
)
TERRITORIES = tuple(IN_ORDER.split())
"""Countries and territories in the order of their numbers, from 1; 0 is none, or the game master."""

COUNTRY = {power: number for number, power in enumerate(COUNTRIES, 1)}
TERRITORY = {location: number for number, location in enumerate(TERRITORIES, 1)}
KINDS = {PhaseKind.MOVEMENT: "Diplomacy", PhaseKind.RETREAT: "Retreats", PhaseKind.ADJUSTMENT: "Builds"}


def number_of(location: str, *, whole: bool = False) -> int:
    """The number of a location or, `whole`, of its province."""
    return TERRITORY[province_of(location) if whole else location]


def turn_of(turn: Turn) -> dict[str, int | str]:
    """As in {"turn": 1, "phase": "Builds"} for the first winter."""
    return {"turn": 2 * (turn.year - FIRST_YEAR) + (turn.season is not Season.SPRING), "phase": KINDS[turn.kind]}


@cache
def spoken() -> frozenset[str]:
    """The slugs of the variants that these numbers can tell: their powers, places and phases, and no points."""
    return frozenset(variant.slug for variant in ALL if _can_be_told(variant))


def _can_be_told(variant: Variant) -> bool:
    rules = variant.ruleset
    told = {step.kind for step in rules.calendar.steps}
    return (
        {power.id for power in variant.powers} == set(COUNTRIES)
        and set(rules.board.locations) == set(TERRITORIES)
        and variant.start.turn == Turn(FIRST_YEAR, Season.SPRING, PhaseKind.MOVEMENT)
        and told == set(KINDS)
    )
