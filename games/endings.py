"""How games end without a winner of the rules: who is left, who has a vote, what a year limit does, and the points
that two usual systems give. Pure: nothing here reads a row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from adjudication.disorder import players
from adjudication.resolution import Verdict
from adjudication.words import listed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from adjudication.position import Position
    from variants.variant import Variant

ALL_POINTS = 100.0


class Silence(StrEnum):
    """Why a power has no vote, as the end of a sentence about it."""

    VACANT = "nobody plays it"
    BOT = "a bot plays it"
    DISORDER = "it is in permanent civil disorder"
    GONE = "it has neither a unit nor a supply centre left"


@dataclass(frozen=True, slots=True)
class Holder:
    """Who sits in the seat of a power; `occupancy` is None where nobody does."""

    power: str
    occupancy: int | None
    bot: bool


@dataclass(frozen=True, slots=True)
class Electorate:
    """`voters`: power -> occupancy, `silent`: power -> why it has no vote; together they are the powers left."""

    voters: Mapping[str, int]
    silent: Mapping[str, Silence]

    def agrees(self, votes: Mapping[int, bool]) -> bool:
        """Do all who have a vote agree? `votes`: occupancy -> what it says. Nobody at all agrees to nothing."""
        return bool(self.voters) and all(votes.get(occupancy, False) for occupancy in self.voters.values())


def survivors(position: Position, variant: Variant) -> tuple[str, ...]:
    """The powers with a unit, also a dislodged one, or a centre, that somebody may still play (D13)."""
    playing = players(position, variant.ruleset)
    there = {unit.power for unit in position.units} | {beaten.unit.power for beaten in position.dislodged}
    there |= set(position.centres.values())
    return tuple(power.id for power in variant.powers if power.id in there and power.id in playing)


def gone(position: Position, variant: Variant) -> dict[str, Silence]:
    """Why the powers that are not left have no vote."""
    playing, left = players(position, variant.ruleset), survivors(position, variant)
    return {
        power.id: Silence.GONE if power.id in playing else Silence.DISORDER
        for power in variant.powers
        if power.id not in left
    }


def electorate(left: Sequence[str], holders: Iterable[Holder]) -> Electorate:
    """Who of the powers that are left has a vote: those that a person plays."""
    seats = {holder.power: holder for holder in holders}
    voters, silent = dict[str, int](), dict[str, Silence]()
    for power in left:
        holder = seats.get(power)
        if holder is None or holder.occupancy is None:
            silent[power] = Silence.VACANT
        elif holder.bot:
            silent[power] = Silence.BOT
        else:
            voters[power] = holder.occupancy
    return Electorate(voters, silent)


def named(powers: Collection[str], variant: Variant) -> str:
    """The names of these powers in the variant's sequence, as in "Britain, France and Italy"."""
    return listed([power.name for power in variant.powers if power.id in powers])


def draw_words(powers: Collection[str], variant: Variant) -> str:
    return f"a draw among {named(powers, variant)}"


def concession_words(powers: Collection[str], variant: Variant) -> str:
    return f"a concession to {named(powers, variant)}"


def agreed_draw(powers: Collection[str], variant: Variant) -> Verdict:
    return Verdict(_in_sequence(powers, variant), f"A draw among {named(powers, variant)}, agreed by all.")


def agreed_concession(powers: Collection[str], variant: Variant) -> Verdict:
    together = ", who win together" if len(powers) > 1 else ""
    return Verdict(
        _in_sequence(powers, variant), f"All conceded the game to {named(powers, variant)}{together}."
    )


def end_of_years(position: Position, variant: Variant, last_year: int | None) -> Verdict | None:
    """The draw of all who are left, when the next thing to be played lies beyond the last year of the game."""
    if last_year is None or position.turn.year <= last_year:
        return None
    left = survivors(position, variant)
    if not left:
        return Verdict((), f"{last_year} was the last year, and nobody is left.")
    if len(left) == 1:
        return Verdict(
            left, f"{named(left, variant)} alone is left at the end of {last_year}, the last year."
        )
    return Verdict(left, f"{last_year} was the last year: a draw among {named(left, variant)}.")


def _in_sequence(powers: Collection[str], variant: Variant) -> tuple[str, ...]:
    return tuple(power.id for power in variant.powers if power.id in powers)


def draw_size(powers: Iterable[str], winners: Collection[str]) -> dict[str, float]:
    """100 points, shared equally by those who won or drew."""
    share = ALL_POINTS / len(winners) if winners else 0.0
    return {power: share if power in winners else 0.0 for power in powers}


def sum_of_squares(centres: Mapping[str, int], winners: Collection[str]) -> dict[str, float]:
    """100 points, shared by the squares of the centres at the end (power -> centres); a sole winner takes them all."""
    if len(winners) == 1:
        return draw_size(centres, winners)
    squares = {power: count * count for power, count in centres.items()}
    total = sum(squares.values())
    return {power: ALL_POINTS * square / total if total else 0.0 for power, square in squares.items()}
