"""A game in webDiplomacy's formats, which use numbers: the answer of `game/status` until September 2026, and the file
history.json."""

from collections.abc import Iterator
from typing import Any

from adjudication.board import province_of
from adjudication.serialisation import lists_by_key
from adjudication.turns import PhaseKind, Season, Turn
from variants.travel.games import GameHeading, ToldGame, ToldPhase
from variants.travel.reading import LONGEST_NAME, MOST_THINGS, Fields, one_line, shorten, variant_called

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
FINISHED = "Finished"
UNITS = {"Army": "A", "Fleet": "F"}
ORDERS = {
    "Hold": "{terrID} H",
    "Move": "{terrID} - {toTerrID}",
    "Support hold": "{terrID} S {toTerrID}",
    "Support move": "{terrID} S {fromTerrID} - {toTerrID}",
    "Convoy": "{terrID} C {fromTerrID} - {toTerrID}",
    "Retreat": "{terrID} R {toTerrID}",
    "Disband": "{terrID} D",
    "Destroy": "DISBAND {toTerrID}",
    "Build Army": "BUILD A {toTerrID}",
    "Build Fleet": "BUILD F {toTerrID}",
    "Wait": "WAIVE",
}
PLACES = ("terrID", "fromTerrID", "toTerrID")
MOST_YEARS = 500


def number_of(location: str, *, whole: bool = False) -> int:
    """The number of a location or, `whole`, of its province."""
    return TERRITORY[province_of(location) if whole else location]


def turn_to_json(turn: Turn) -> dict[str, int | str]:
    """The turn, as in {"turn": 1, "phase": "Builds"} for the first winter."""
    return {"turn": 2 * (turn.year - FIRST_YEAR) + (turn.season is not Season.SPRING), "phase": KINDS[turn.kind]}


def is_game_of_form(document: dict[str, Any]) -> bool:
    return "gameID" in document and "phases" in document


def read(document: dict[str, Any], line: int) -> ToldGame:
    """The game in this document. Its last phase is the one that the game was in, or the end. Raises WrongFile."""
    game = Fields(document, f"Line {line}")
    if document.get("variantID", VARIANT) not in (VARIANT, str(VARIANT)):
        game.refuse(f"only webDiplomacy’s variant {VARIANT}, Classic, can be read.")
    phases = [Fields(each, f"{game.place}, phase {number}") for number, each in enumerate(game.phases(), 1)]
    positions = [_position(phase) for phase in phases]
    variant, number = variant_called("standard", game.place), _number(game, "gameID", 2**63)
    name = one_line(game.text("name", f"webDiplomacy {number}"), LONGEST_NAME)
    told = list[ToldPhase]()
    for phase, position in zip(phases[:-1], positions[:-1], strict=True):
        orders = lists_by_key((_power(order), _order(order)) for order in _rows(phase, "orders"))
        told.append(ToldPhase(phase.place, len(told), {**position, "orders": orders}))
    return ToldGame(
        GameHeading(str(number), name, variant, variant.version, variant.digest),
        tuple(told),
        positions[-1] if positions else None,
    )


def _position(phase: Fields) -> dict[str, Any]:
    """The position, as a phase of `variants.phase_json`."""
    # The code of a phase, as in "F1901M"; "" at the end of the game.
    word = phase.text("phase")
    kind = next((kind for kind, name in KINDS.items() if name == word), None)
    if kind is None and word != FINISHED:
        phase.refuse(f"“phase” must be {', '.join(KINDS.values())} or {FINISHED}, not {shorten(word)}.")
    turn = _number(phase, "turn", 2 * MOST_YEARS)
    season = Season.WINTER if kind is PhaseKind.ADJUSTMENT else Season.FALL if turn % 2 else Season.SPRING
    code = Turn(FIRST_YEAR + turn // 2, season, kind).code if kind else ""
    units: dict[str, list[str]] = {}
    dislodged: dict[str, list[dict[str, str]]] = {}
    for unit in _rows(phase, "units"):
        power, text = _power(unit), f"{_kind(unit)} {_place(unit)}"
        if _says_yes(unit, "retreating"):
            dislodged.setdefault(power, []).append({"unit": text})
        else:
            units.setdefault(power, []).append(text)
    owned_centres = (it for it in _rows(phase, "centers") if _number(it, "countryID", len(COUNTRIES)))
    centres = lists_by_key((_power(centre), _place(centre)) for centre in owned_centres)
    return {"phase": code, "units": units, "centers": centres, "dislodged": dislodged}


def _order(order: Fields) -> str:
    """The order as players write it, without the kinds of units."""
    word = order.text("type")
    if word not in ORDERS:
        order.refuse(f"{shorten(word)} is no order; there are {', '.join(ORDERS)}.")
    places = {key: _place(order, key) for key in PLACES if key in ORDERS[word]}
    via = word == "Move" and _says_yes(order, "viaConvoy")
    return ORDERS[word].format_map(places) + (" VIA" if via else "")


def _rows(phase: Fields, key: str) -> Iterator[Fields]:
    rows = phase.get(key, list)
    if len(rows) > MOST_THINGS:
        phase.refuse(f"“{key}” lists {len(rows):,}; at most {MOST_THINGS} are allowed.")
    return (Fields(row, f"{phase.place}, “{key}” {number}") for number, row in enumerate(rows, 1))


def _number(row: Fields, key: str, most: int) -> int:
    """The number in this entry; 0 if there is none. The site wrote some numbers as text."""
    value = row.value.get(key) or 0
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < LONGEST_NAME:
        value = int(value)
    if not isinstance(value, int) or not 0 <= value <= most:
        row.refuse(f"“{key}” must be a number up to {most}, not {shorten(value)}.")
    return value


def _power(row: Fields) -> str:
    number = _number(row, "countryID", len(COUNTRIES))
    if not number:
        row.refuse("“countryID” is missing.")
    return COUNTRIES[number - 1]


def _place(row: Fields, key: str = "terrID") -> str:
    number = _number(row, key, len(TERRITORIES))
    if not number:
        row.refuse(f"“{key}” is missing.")
    return TERRITORIES[number - 1]


def _kind(unit: Fields) -> str:
    """The kind of unit: `type` in the file, formerly `unitType`."""
    word = unit.text("type" if "type" in unit.value else "unitType")
    if word not in UNITS:
        unit.refuse(f"a unit is an Army or a Fleet, not {shorten(word)}.")
    return UNITS[word]


def _says_yes(row: Fields, key: str) -> bool:
    return row.value.get(key) in (True, "Yes")
