"""What a power has written ahead, in words."""

from collections.abc import Iterator

from adjudication.board import Board, province_of
from adjudication.conditional import BUILDS, REMOVALS
from adjudication.orders import Ahead, Build, Waive
from adjudication.position import Position
from adjudication.reasons import Facts
from adjudication.ruleset import Ruleset
from adjudication.units import Unit, mark_of, unit_as_ordered
from variants.words import words_for
from variants.words.orders import place_words


def ahead_words(ahead: Ahead, position: Position, ruleset: Ruleset) -> Iterator[str]:
    """A sentence about each order written ahead, which says what will happen."""
    fill = words_for(ruleset).fill
    for location, goals in ahead.retreats:
        places = tuple([goal for goal in goals if goal])
        key = "disband" if not places else "retreat or disband" if None in goals else "retreat"
        unit = position.unit_at(location)
        where: Facts = {"unit": unit_as_ordered(unit, location)} if unit else {"place": location}
        yield fill(f"ahead {key}", {"places": places, **where})
    builds = tuple([Unit("", it.kind, it.location, it.faction) for it in ahead.builds if isinstance(it, Build)])
    if ahead.builds:
        key = "waive" if not builds else "builds or waive" if Waive() in ahead.builds else "builds"
        yield fill(f"ahead {key}", {"units": builds})
    if ahead.removals:
        yield fill("ahead removals", {"places": ahead.removals})


def wishes_by_subject(ahead: Ahead, board: Board) -> dict[str, str]:
    """The wishes as players write them, as in "Bur, Sil", by subject: the province of a unit, BUILDS or REMOVALS."""
    wishes = {
        province_of(location): ", ".join(place_words(goal, board) if goal else "disband" for goal in goals)
        for location, goals in ahead.retreats
    }
    if ahead.builds:
        wishes[BUILDS] = ", ".join(build_words(it, board) for it in ahead.builds)
    if ahead.removals:
        wishes[REMOVALS] = ", ".join(place_words(it, board) for it in ahead.removals)
    return wishes


def build_words(build: Build | Waive, board: Board) -> str:
    if isinstance(build, Waive):
        return "waive"
    return f"{mark_of(build.kind, build.faction)} {place_words(build.location, board)}"
