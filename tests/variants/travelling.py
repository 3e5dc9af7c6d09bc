"""Games for the tests of files: recorded ones, random ones of any variant, and files that are damaged at random."""

from __future__ import annotations

import gzip
import json
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

from adjudication.judge import adjudicate
from adjudication.notation import write_order, write_sheet
from adjudication.options import must_decide
from adjudication.reasons import AS_WRITTEN
from adjudication.resolution import Verdict
from tests.adjudication.material import GAMES
from tests.variants.chance import any_sheet
from variants.receipts import SealedSheet, record_code
from variants.registry import find
from variants.travel import PlayedGame, ToldGame
from variants.travel.games import Facts, GameHeading, PlayedPhase, ToldPhase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from variants.variant import Variant

SEASONS = {"Spring": "S", "Fall": "F", "Winter": "W"}


def recorded_games(count: int) -> Iterator[ToldGame]:
    """The first games of the file outside the project, as a file of another program would tell them."""
    with gzip.open(GAMES, "rt", encoding="utf-8") as lines:
        for line in islice(lines, count):
            yield _told(json.loads(line))


def _told(game: dict[str, Any]) -> ToldGame:
    phases = [_phase(number, phase) for number, phase in enumerate(game["phases"])]
    played = [phase for phase, of in zip(phases, game["phases"], strict=True) if of["next"]]
    last = next((phase.document for phase in phases[len(played) :]), None)
    heading = heading_of(find("standard"), f"Game {game['id']}", game["id"])
    return ToldGame(heading, tuple(played), {**last, "orders": {}} if last else None)


def _phase(number: int, phase: dict[str, Any]) -> ToldPhase:
    kind = phase["type"][0]
    beaten = {power: [{"unit": unit} for unit in units] for power, units in phase["dislodged"].items()}
    document = {
        "phase": f"{'W' if kind == 'A' else SEASONS[phase['season']]}{phase['year']}{kind}",
        "units": phase["units"],
        "centers": phase["centers"],
        "dislodged": beaten,
        "orders": phase["orders"],
    }
    return ToldPhase(f"phase {number + 1}", number, document)


def heading_of(variant: Variant, name: str, identity: str, **more: Any) -> GameHeading:
    return GameHeading(identity, name, variant, variant.version, variant.digest, **more)


def random_game(variant: Variant, seed: int, *, phases: int = 12, opened: bool = True) -> PlayedGame:
    """A game of random orders with sealed records; `opened`: its orders and bids have been published."""
    chance, position, previous, played = Random(seed), variant.start, "", list[PlayedPhase]()
    for ordinal in range(phases):
        deciding = must_decide(position, variant.ruleset)
        sheets = {power: any_sheet(power, position, variant.ruleset, chance) for power in deciding}
        public = adjudicate(position, sheets, variant.ruleset).public
        written: dict[str, dict[str, Any]] = {
            power.id: {
                "salt": f"{chance.getrandbits(256):064x}",
                "saved": power.id in sheets,
                "lines": write_sheet(sheets[power.id], position) if power.id in sheets else "",
            }
            for power in variant.powers
        }
        turn = position.turn.code
        codes = {power: SealedSheet("one", ordinal, turn, power, **it).code for power, it in written.items()}
        code = record_code("one", ordinal, turn, codes, previous)
        facts = Facts(
            closed=f"20{10 + ordinal // 28:02}-03-{1 + ordinal % 28:02}T18:00:00+00:00",
            engine="2",
            record={"code": code, "previous": previous, "sheets": codes},
            sheets=written if opened else None,
        )
        bids = {
            power: tuple((bid.points, write_order(bid.order, position)) for bid in sheet.bids)
            for power, sheet in sheets.items()
            if sheet.bids
        }
        played.append(PlayedPhase(ordinal, position, public, bids if opened else None, facts))
        if public.verdict:
            break
        position, previous = public.next, code
    verdict = played[-1].public.verdict or Verdict((), AS_WRITTEN, {AS_WRITTEN: "The players agreed to end the game."})
    players = {power.id: f"Player {number}" for number, power in enumerate(variant.powers)}
    heading = heading_of(variant, "A game", "one", status="finished", verdict=verdict, players=players)
    if opened:
        heading = heading_of(
            variant, "A game", "one", status="finished", verdict=verdict, players=players, open_bids_at_end=True
        )
    return PlayedGame(heading, tuple(played))


# Damage.


def damaged(text: str, chance: Random) -> str:
    """The file with one thing wrong that no reader can mend."""
    return chance.choice(DAMAGES)(text, chance)


def _truncated(text: str, chance: Random) -> str:
    return text[: chance.randrange(len(text.rstrip()) - 1)]


def _changed(change: Callable[[dict[str, Any], dict[str, Any], Random], None]) -> Callable[[str, Random], str]:
    """Damage to one phase of the file: `change` takes the game, the phase's position and chance."""

    def damage(text: str, chance: Random) -> str:
        game = json.loads(text)
        played = [it for it in game["phases"] if "result" in it or it.get("orders")]
        change(game, _place(chance.choice(played)), chance)
        return json.dumps(game)

    return damage


def _place(phase: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = phase["position" if "position" in phase else "state"]
    return found


def _key_lost(game: dict[str, Any], position: dict[str, Any], chance: Random) -> None:
    where = chance.choice(({"phases": 0}, {"units": 1}, {"centers": 1, "centres": 1}))
    for key, inside in where.items():
        owner = position if inside else game
        if key in owner:
            owner[f"{key}s"] = owner.pop(key)
    if "centers" not in position and "centres" not in position:
        position["units"] = None


def _wrong_type(_game: dict[str, Any], position: dict[str, Any], chance: Random) -> None:
    position["units"] = chance.choice(("A PAR", 7, ["A PAR"], {"FRANCE": "A PAR"}, {"FRANCE": [None]}, [[]], True))


def _huge_number(text: str, chance: Random) -> str:
    number = chance.choice(("1" * 20, "9" * 10_000, "-Infinity", "NaN"))
    game = json.loads(text)
    _give_name(chance.choice(game["phases"]), "A NUMBER")
    return json.dumps(game).replace('"A NUMBER"', number)


def _nested(text: str, chance: Random) -> str:
    game, depth = json.loads(text), chance.choice((30, 500, 50_000))
    _give_name(chance.choice(game["phases"]), "DEEP")
    return json.dumps(game).replace('"DEEP"', "[" * depth + "]" * depth)


def _give_name(phase: dict[str, Any], name: str) -> None:
    phase["turn" if "turn" in phase else "name"] = name


def _wrong_unit(_game: dict[str, Any], position: dict[str, Any], chance: Random) -> None:
    units = next(iter(position["units"].values()))
    units.append(chance.choice(("A XYZ", "F 12", "X", "", "Q PAR", "A " + "P" * 900, *units[:1])) or "A")
    if not units[:-1]:
        units[:] = ["A XYZ"]


def _crowd(_game: dict[str, Any], position: dict[str, Any], chance: Random) -> None:
    """So many that working with them one by one would take minutes."""
    units = chance.choice([it for it in position["units"].values() if it])
    units += [f"{mark}{units[0]}" for mark in chance.choice((("",), ("*",), ("", "*")))] * 15_000


def _wrong_power(_game: dict[str, Any], position: dict[str, Any], _chance: Random) -> None:
    position["units"]["ATLANTIS"] = ["A PAR"]


def _wrong_turn(game: dict[str, Any], _position: dict[str, Any], chance: Random) -> None:
    phase = chance.choice([it for it in game["phases"] if "result" in it or it.get("orders")])
    code = chance.choice(("S1902X", "", "1902", "Q1901M", "S99999999M", "W1850A"))
    for owner, key in ((phase, "name"), (phase, "turn"), (phase.get("position", {}), "turn")):
        if key in owner:
            owner[key] = code


def _unprintable(_game: dict[str, Any], position: dict[str, Any], chance: Random) -> None:
    units = next(iter(position["units"].values()))
    units[:] = [f"A P{chance.choice((chr(0), chr(0xD800), chr(27)))}AR"]


def _too_many(game: dict[str, Any], _position: dict[str, Any], _chance: Random) -> None:
    game["phases"] = game["phases"] * (301 // len(game["phases"]) + 1)


def _wrong_variant(game: dict[str, Any], _position: dict[str, Any], _chance: Random) -> None:
    if "map" in game:
        game["map"] = "atlantis"
    else:
        game["variant"]["slug"] = "atlantis"


DAMAGES: tuple[Callable[[str, Random], str], ...] = (
    _truncated,
    _huge_number,
    _nested,
    *map(
        _changed,
        (
            _key_lost,
            _wrong_type,
            _wrong_unit,
            _crowd,
            _wrong_power,
            _wrong_turn,
            _unprintable,
            _too_many,
            _wrong_variant,
        ),
    ),
)
