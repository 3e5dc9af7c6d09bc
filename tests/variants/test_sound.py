"""The Sound: a board for two, on which neither side is better off."""

from collections import Counter

from adjudication.judge import adjudicate
from adjudication.notation import parse_order
from adjudication.options import must_decide
from tests.long_round import how_many
from variants.bots import play
from variants.registry import find

SOUND = find("the-sound")
RULES, START = SOUND.ruleset, SOUND.start
GAMES = how_many("sound")
MANY = 400
LONGEST = 30
"""Years; a game that takes longer counts for neither."""


def winner(seed: int) -> str | None:
    position = START
    while position.turn.year < START.turn.year + LONGEST:
        sheets = {power: play(power, position, RULES, seed) for power in must_decide(position, RULES)}
        public = adjudicate(position, sheets, RULES).public
        if public.verdict:
            (won,) = public.verdict.winners
            return won
        position = public.next
    return None


def test_neither_side_wins_most_games_between_bots() -> None:
    won = Counter(winner(seed) for seed in range(GAMES))
    assert set(RULES.powers) <= set(won)
    if GAMES >= MANY:
        assert max(won[power] for power in RULES.powers) <= 0.55 * GAMES, won


def test_fleets_pass_the_sound_only_through_copenhagen() -> None:
    board = RULES.board
    assert "ARK" not in board.fleet["KAT"]
    assert {"ARK", "KAT"} <= set(board.fleet["COP"])


def test_each_side_begins_with_three_homes_and_the_seven_between_belong_to_no_one() -> None:
    assert Counter(START.centres.values()) == {"DENMARK": 3, "SWEDEN": 3}
    assert len(START.memory["minors"]) == 7
    assert len(RULES.board.centres) == 13


def test_each_land_has_the_name_that_its_abbreviation_begins() -> None:
    lands = [it for it in RULES.board.provinces.values() if it.kind.takes_armies]
    assert [it.name for it in lands if it.name[0] != it.abbr[0]] == []
    assert parse_order("A Finland H", START, RULES) == parse_order("A Abo H", START, RULES)
