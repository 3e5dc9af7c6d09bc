"""The state of a board in both of the forms that the common engines write.

Units are listed by power, dislodged ones with a star ("*F LYO"); retreats, builds and homes likewise. What these forms
cannot express is in the entry EXTENSION, which other programs skip.
"""

from collections.abc import Mapping
from typing import Any

from adjudication.adjustments import adjustment_counts, build_sites
from adjudication.corrections import outcomes_to_replay
from adjudication.notation import write_order
from adjudication.orders import Build, Disband, Order, Retreat
from adjudication.position import Position
from adjudication.reasons import AS_WRITTEN
from adjudication.resolution import Verdict
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import mark_of
from variants.phase_json import Json
from variants.travel.games import GameHeading, PlayedGame, PlayedPhase, ToldGame, ToldPhase
from variants.travel.reading import LONGEST_NAME, LONGEST_TEXT, Fields, one_line, players_in, shorten, variant_called
from variants.words import told_verdict

EXTENSION = "extension"
COMPLETED = "COMPLETED"
LONGEST_PHASE = 12
NOT_STANDARD = ("contested", "relations")


def order_text(order: Order, position: Position) -> str:
    """The order, as in "A PAR B", "F BLA R SEV", "A PAR D"."""
    if isinstance(order, Build) and position.turn.kind is not PhaseKind.DEPLOYMENT:
        return f"{mark_of(order.kind, order.faction)} {order.location} B"
    text = write_order(order, position)
    if isinstance(order, Retreat):
        return text.replace(" - ", " R ", 1)
    if isinstance(order, Disband):
        return f"{text.removeprefix('DISBAND ').removesuffix(' D')} D"
    return text


def orders_of(phase: PlayedPhase, ruleset: Ruleset) -> dict[str, list[str]]:
    """All published orders by power, those of the minor powers under NEUTRAL."""
    orders: dict[str, list[str]] = {power: [] for power in ruleset.powers}
    for outcome in outcomes_to_replay(phase.public.outcomes, phase.position, ruleset):
        orders.setdefault(outcome.power, []).append(order_text(outcome.order, phase.position))
    return orders


def state_of(position: Position, ruleset: Ruleset, name: str = "") -> dict[str, Any]:
    """The state of a position. `name`: that of the phase, if it isn't the code of its turn."""
    situation = Situation(position, ruleset)
    units: dict[str, list[str]] = {power: [] for power in ruleset.powers}
    retreats: dict[str, dict[str, list[str]]] = {power: {} for power in ruleset.powers}
    for unit in position.units:
        units.setdefault(unit.power, []).append(str(unit))
    for each in position.dislodged:
        units.setdefault(each.unit.power, []).append(f"*{each.unit}")
        retreats.setdefault(each.unit.power, {})[str(each.unit)] = list(each.retreats)
    state = {
        "name": name or position.turn.code,
        "units": units,
        "centers": {power: list(position.centres_of(power)) for power in ruleset.powers},
        "homes": {power: list(ruleset.homes.get(power, ())) for power in ruleset.powers},
        "retreats": retreats,
        "builds": {power: _builds(power, situation) for power in ruleset.powers},
    }
    attackers = {f"{it.unit.power} {it.unit}": it.attacker_from for it in position.dislodged}
    facts = {"contested": sorted(position.contested), "relations": dict(position.relations), "attackers": attackers}
    extension = {key: value for key, value in facts.items() if value}
    return {**state, EXTENSION: extension} if extension else state


def _builds(power: str, situation: Situation) -> dict[str, Any]:
    if situation.position.turn.kind is not PhaseKind.ADJUSTMENT:
        return {"count": 0, "homes": []}
    counts = adjustment_counts(power, situation)
    sites = sorted(
        {site for side, count in counts.items() if count > 0 for site in build_sites(power, situation, side)}
    )
    return {"count": sum(counts.values()), "homes": sites}


def with_bids(state: dict[str, Any], phase: PlayedPhase) -> dict[str, Any]:
    """The state with the bids of the phase, if they have been published."""
    if phase.bids is None:
        return state
    bids = {power: [list(bid) for bid in own_bids] for power, own_bids in phase.bids.items()}
    return {**state, EXTENSION: {**state.get(EXTENSION, {}), "bids": bids}}


def heading_to_json(game: PlayedGame) -> dict[str, Any]:
    """The facts about the whole game, for the entry EXTENSION."""
    heading = game.heading
    return {
        "name": heading.name,
        "variant": heading.variant.slug,
        "status": heading.status,
        "verdict": told_verdict(heading.verdict, heading.variant.ruleset),
        "players": dict(heading.players),
    }


# Back.


def _phase_in(name: str, state: Fields, orders: Mapping[str, Any], ordinal: int) -> ToldPhase:
    """A phase from the state and orders of one phase of a file."""
    extension = state.object(EXTENSION, {})
    bids = extension.object("bids").value if extension.value.get("bids") is not None else None
    document = {**_position(name, state), "orders": {power: lines or [] for power, lines in orders.items()}}
    return ToldPhase(state.place, ordinal, document, bids)


def _position(name: str, state: Fields) -> dict[str, Any]:
    """The position as a phase of `variants.phase_json`. The retreats follow from the rules, because files list occupied
    places, or none."""
    extension = state.object(EXTENSION, {})
    attackers = extension.object("attackers", {})
    units: dict[str, list[str]] = {}
    dislodged: dict[str, list[Json]] = {}
    fields = state.object("units")
    for power in fields.value:
        texts = fields.texts(power)
        units[power] = [text for text in texts if not text.startswith("*")]
        beaten = [text.removeprefix("*") for text in texts if text.startswith("*")]
        if beaten:
            dislodged[power] = [{"unit": unit, **_attacker_if_told(f"{power} {unit}", attackers)} for unit in beaten]
    document = {"phase": name, "units": units, "centers": state.object("centers").value, "dislodged": dislodged}
    return document | extension.only(*NOT_STANDARD)


def _attacker_if_told(unit: str, attackers: Fields) -> Json:
    if unit not in attackers.value:
        return {}
    return {"by": None if attackers.value[unit] is None else attackers.text(unit)}


def read_game(game: Fields, *, ends_open: bool = False) -> ToldGame:
    """The game in a whole file. `ends_open`: the orders of its last phase have not been adjudicated."""
    heading = _heading(game)
    phases: list[ToldPhase] = []
    last: dict[str, Any] | None = None
    states = game.phases()
    for number, each in enumerate(states):
        phase = Fields(each, f"{game.place}, phase {number + 1}")
        name = phase.text("name", most=LONGEST_PHASE)
        phase.place = f"{phase.place} ({name})"
        orders, is_last = phase.object("orders", {}).value, number + 1 == len(states)
        if is_last and name == COMPLETED and phase.value.get("state") is None:
            continue  # only for messages written after the game
        if is_last and (name == COMPLETED or ends_open or not any(orders.values())):
            last = _position("" if name == COMPLETED else name, phase.object("state"))
        else:
            phases.append(_phase_in(name, phase.object("state"), orders, number))
    return ToldGame(heading, tuple(phases), last)


def _heading(game: Fields) -> GameHeading:
    extension = game.object(EXTENSION, {})
    variant = variant_called(game.text("map"), game.place)
    identity = game.value.get("id", "")
    players = extension.object("players", {})
    name = one_line(identity if isinstance(identity, str) else str(identity), LONGEST_NAME)
    return GameHeading(
        id=name,
        name=one_line(extension.text("name", name), LONGEST_NAME),
        variant=variant,
        version=variant.version,
        digest=variant.digest,
        status=extension.text("status", "closed", 10),
        verdict=read_verdict(extension, [power.id for power in variant.powers]),
        players=players_in(players.value, variant, players.place),
    )


def read_verdict(place: Fields, powers: list[str]) -> Verdict | None:
    if place.value.get("verdict") is None:
        return None
    verdict = place.object("verdict")
    winners = verdict.texts("winners")
    for power in winners:
        if power not in powers:
            verdict.refuse(f"there is no power {shorten(power)}; there are {', '.join(powers)}.")
    return Verdict(tuple(winners), AS_WRITTEN, {AS_WRITTEN: one_line(verdict.text("sentence"), LONGEST_TEXT)})
