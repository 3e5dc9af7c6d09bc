"""A program's guesses where orders are tried out: marked as such, never over what was written, and no better than
chance at what bots write."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from html.parser import HTMLParser
from http import HTTPStatus
from itertools import count
from math import sqrt
from random import Random
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from adjudication.notation import read_sheet
from adjudication.options import order_options
from adjudication.possible import most_units, objection_to
from adjudication.units import Unit, UnitKind, may_stand
from games.bots.services import open_bot_turns, play_bot_turn
from games.kernel import codec
from games.orders.choices import _blank_rows
from games.orders.views import whatif
from games.orders.whatif import _program_guesses
from games.sealed import store
from games.seating.services.new_game import let_bot_play
from tests.cast import PLAYERS
from tests.factories import occupancy_of, open_phase, powers_of, running_game
from tests.long_round import how_many
from tests.orders.test_whatif import BID, MOVE, contents, german, observer, page_of, token_in, tried
from tests.story import Story
from variants.bots import guesses, play
from variants.registry import find

if TYPE_CHECKING:
    from adjudication.orders import OrderSheet
    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

OK = HTTPStatus.OK
MARK = "guessed by a program"
PHASES = how_many("guesses")
PAIRS = 8
"""How many pairs of unrelated seeds say how often two sheets of a power agree by chance."""


class Fields(HTMLParser):
    """What a browser sends from the form of all powers, and the powers that are marked."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.sent: dict[str, str] = {}
        self.marked: list[str] = []
        self._select = self._area = self._side = ""
        form = page[page.index('id="guesses"') :]
        self.feed(form[: form.index("</form>")])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        name = given.get("name", "")
        self._side = given.get("data-side", self._side)
        self._area = name if tag == "textarea" else ""
        if tag == "select":
            self._select = name
        if tag == "option" and ("selected" in given or self._select not in self.sent):
            self.sent[self._select] = given["value"]
        if name and tag in ("input", "textarea"):
            self.sent[name] = given.get("value", "")

    def handle_data(self, data: str) -> None:
        if self._area:
            self.sent[self._area] += data
        if data == MARK:
            self.marked.append(self._side)

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 - the parser's name
        self._area = ""

    def text_of(self, power: str) -> str:
        """All that the fields of one power say."""
        fields = [name for name in self.sent if name.startswith((f"{power}:order-", f"{power}:bids"))]
        return "\n".join(self.sent[name] for name in fields)


def guessed(client: Client, game: Game, token: str = "", **sent: str) -> tuple[Fields, str]:
    """The page after "Guess the others’ orders"."""
    position = token or token_in(client.get(page_of(game)).content.decode())
    answer = client.post(page_of(game), {"position": position, **sent, "act": "guess"})
    page = answer.content.decode()
    assert answer.status_code == OK
    return Fields(page), page


def test_all_others_are_guessed_and_marked_and_can_be_tried_as_they_are() -> None:
    game = running_game()
    client = german(game)
    before = contents()
    found, _ = guessed(client, game, **MOVE, **BID)
    others = sorted(set(powers_of(game)) - {"GERMANY"})
    assert len(found.marked) == len(others) == 6
    assert "Germany" not in found.marked
    assert all(found.text_of(power).strip() for power in others)
    assert {name: found.sent[name] for name in [*MOVE, *BID]} == {**MOVE, **BID}
    status, page = tried(client, game, **found.sent)
    assert status == OK
    assert "What would happen" in page
    assert Fields(page).marked == found.marked
    assert contents() == before


@pytest.mark.parametrize("seed", range(3))
def test_pressing_again_guesses_anew_but_leaves_what_was_changed(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setattr(whatif, "randbelow", partial(next, count(seed)))
    game = running_game()
    first, _ = guessed(german(game), game, **{"ITALY:bids": "1: A Aus H"})
    assert first.sent["ITALY:bids"] == "1: A Aus H"
    paris = "A PAR - BUR" if first.sent["FRANCE:order-PAR"] == "A PAR H" else "A PAR H"
    bids = "" if first.sent["TURKEY:bids"] else "1: A Aus H"
    changed = {**first.sent, "FRANCE:order-PAR": paris, "TURKEY:bids": bids}
    changed |= {name: "" for name in first.sent if name.startswith("POLAND:") and "program" not in name}
    second, _ = guessed(german(game), game, **changed)
    kept = [name for name in changed if name.startswith(("FRANCE:", "ITALY:", "TURKEY:")) and "program" not in name]
    assert {name: second.sent[name] for name in kept} == {name: changed[name] for name in kept}
    assert sorted(second.marked) == ["Britain", "Poland", "Soviet Union"]
    again = [second.text_of(power) != first.text_of(power) for power in ("BRITAIN", "POLAND", "SOVIET_UNION")]
    assert any(again)


def test_guesses_and_choices_are_made_once_for_all_who_ask_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whatif, "randbelow", lambda _: 3)
    game = running_game()
    made = [_program_guesses.cache_info().misses, _blank_rows.cache_info().misses]
    pages = [guessed(client, game)[0].sent for client in (observer(), observer(), german(game))]
    now = [_program_guesses.cache_info().misses, _blank_rows.cache_info().misses]
    assert now[0] - made[0] <= 1
    assert now[1] - made[1] <= len(powers_of(game))
    for name in pages[0]:
        if name.startswith("FRANCE:"):
            assert pages[0][name] == pages[1][name] == pages[2][name]


def test_the_most_crowded_position_that_can_be_brought_along_has_a_bounded_number_of_choices() -> None:
    """Fleets in every sea and armies along the coasts have the most."""
    variant = find("1926")
    board = variant.ruleset.board
    seas = [place for place in board.provinces if not may_stand(UnitKind.ARMY, place, board)]
    shores = [place for place in board.provinces if place not in seas and board.fleet_locations(place)]
    powers = [power.id for power in variant.powers]
    units = [
        Unit(powers[number % 7], UnitKind.FLEET if place in seas else UnitKind.ARMY, place)
        for number, place in enumerate((*seas, *shores))
    ]
    crowded = replace(variant.start, units=tuple(units), centres={})
    most = most_units(crowded, variant.ruleset)
    assert objection_to(crowded, variant.ruleset)
    crowded = replace(crowded, units=tuple(units[:most]))
    assert not objection_to(crowded, variant.ruleset)
    options = [order_options(power, crowded, variant.ruleset) for power in powers]
    assert sum(len(unit.orders) for units in options for unit in units) < 4_000
    assert all(guesses(crowded, variant.ruleset, 1)[power].orders for power in powers)


def test_an_observer_gets_a_guess_of_every_power_and_those_who_write_lines_as_browsers_do_keep_theirs() -> None:
    game = running_game()
    first, page = guessed(observer(), game)
    assert len(first.marked) == 7
    assert "Guess everyone’s orders" in page
    as_sent = {name: value.replace("\n", "\r\n") for name, value in first.sent.items()}
    assert Fields(tried(observer(), game, **as_sent)[1]).marked == first.marked


def test_no_guess_is_made_of_a_position_that_is_not_the_games_or_after_too_many_tries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = running_game()
    answer = observer().post(page_of(game), {"position": "nonsense", "act": "guess"})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert MARK not in answer.content.decode()
    monkeypatch.setattr(whatif, "TRIES", "1/min")
    answer = observer().post(page_of(game), {"position": token_in(answer.content.decode()), "act": "guess"})
    assert answer.status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert MARK not in answer.content.decode()


@pytest.mark.parametrize(
    ("variant", "players"),
    [("collapse-of-the-dual-empire", 6), ("formal-diplomacy", 7), ("three-way-balkan-battle", 3)],
)
def test_every_kind_of_phase_is_guessed_without_a_mistake_and_goes_on(
    variant: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whatif, "randbelow", lambda _: 3)
    game = running_game(variant=variant, players=PLAYERS[:players])
    token, kinds = "", set[str]()
    for _ in range(8):
        found, page = guessed(observer(), game, token)
        kinds |= set(re.findall(r"<h2>Try out orders: [^,]+, (\w+)", page))
        status, page = tried(observer(), game, **found.sent)
        assert status == OK
        assert "What would happen" in page
        token = token_in(page, following=True)
    assert {"movement", "adjustments"} <= kinds


def test_what_bots_have_written_changes_nothing_of_a_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    game = running_game()
    for power in powers_of(game):
        let_bot_play(occupancy_id=occupancy_of(game, power).pk)

    def pressed() -> tuple[dict[str, str], str]:
        monkeypatch.setattr(whatif, "randbelow", Random(7).randrange)
        found, page = guessed(observer(), game)
        unsigned = re.sub(r'(value|data-ticket)="[^"]*"', "", page)
        return {**found.sent, "position": "", "csrfmiddlewaretoken": ""}, unsigned

    before = pressed()
    assert all(play_bot_turn(occupancy_id=one, ordinal=ordinal) for one, ordinal, _phase in open_bot_turns())
    assert pressed() == before


def test_a_guess_is_no_more_often_what_a_bot_wrote_than_chance_makes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """How often sheets from unrelated seeds agree says how often a guess and a bot may: chance never adds 5 standard
    deviations, and guesses that knew the bots' seeds would."""
    chance = Random(1926)
    monkeypatch.setattr(whatif, "randbelow", chance.randrange)
    agreed, by_chance = 0, list[bool]()
    for _ in range(PHASES):
        game = running_game(variant="standard")
        Story(game).deadline()
        for power in powers_of(game):
            let_bot_play(occupancy_id=occupancy_of(game, power).pk)
        assert all(
            play_bot_turn(occupancy_id=one, ordinal=ordinal) for one, ordinal, _phase in open_bot_turns([game.pk])
        )
        phase = open_phase(game)
        position, rules = codec.position_of(phase), codec.variant_of(game).ruleset
        found, _page = guessed(observer(), game)
        Story(game).deadline()
        phase.refresh_from_db()
        for power, body in store.read_closed(phase).items():
            texts = found.text_of(power), body.lines
            agreed += same(*(read_sheet(text, power, position, rules).sheet for text in texts))
            for _ in range(PAIRS):
                one, other = chance.getrandbits(64), chance.getrandbits(64)
                by_chance.append(same(guesses(position, rules, one)[power], play(power, position, rules, other)))
    share, asked = sum(by_chance) / len(by_chance), len(by_chance) // PAIRS
    assert agreed <= asked * share + 5 * sqrt(asked * share * (1 - share)) < asked


def same(one: OrderSheet, other: OrderSheet) -> bool:
    """Do both say the same, in whatever order?"""
    return (set(one.orders), set(one.bids)) == (set(other.orders), set(other.bids))
