"""Orders are read only once in a request: whatever saves, shows, tries out or adjudicates them uses that reading."""

from __future__ import annotations

import sys
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from adjudication import notation
from games.bots.services import play_bot_turn
from games.deadlines.phases import close_due_phase
from games.kernel import codec
from games.mastering.judging import preview_open_phase
from games.orders.services import BadSheet, save_sheet
from games.orders.sheets import SentSheet, read_once
from games.sealed import store
from games.seating.services.new_game import let_bot_play
from tests.browsers import address, visitor
from tests.cast import CAROL, person
from tests.factories import occupancy_of, open_phase, powers_of, running_game
from tests.orders.test_whatif import token_in
from tests.story import Story
from variants.registry import find

if TYPE_CHECKING:
    from django.test import Client

    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

Read = list[tuple[str, str]]

TYPED = "A Mun-Cze\nA Ber H\n2: A Aus S A Mun-Cze"
CANONICAL = "A MUN - CZE\nA BER H\n2: A AUS S A MUN - CZE"
CHOSEN = {
    "use": "controls",
    "order-MUN": "A MUN - CZE",
    "order-BER": "A BER H",
    "bid-0-minor": "AUS",
    "bid-0-order": "A AUS S A MUN - CZE",
    "bid-0-points": "2",
}


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Read:
    """Everything that the engine reads from now on: a power and its orders, or "" and a line read by itself."""
    found: Read = []
    import_module("diplomacy_site.urls")  # modules imported later would keep the counting reader
    for name in ("_reader_of_sheet", "parse_order"):  # the first reads a sheet, alone or with all others
        real = getattr(notation, name)

        @wraps(real)
        def counted(text: str, *about: Any, real: Any = real, **more: Any) -> Any:
            found.append((about[0] if isinstance(about[0], str) else "", text))
            return real(text, *about, **more)

        ours = [each for each in sys.modules if each.startswith(("adjudication", "variants", "games", "tests"))]
        for module in map(sys.modules.__getitem__, ours):
            if getattr(module, name, None) is real:
                monkeypatch.setattr(module, name, counted)
    return found


@pytest.fixture
def game() -> Game:
    return running_game(gm_previews=True)


@pytest.fixture
def german(game: Game) -> Client:
    return visitor(occupancy_of(game, "GERMANY").user.get_username())


def send(game: Game, client: Client, page: str = "orders", **fields: str) -> int:
    return client.post(address(page, game), {"ordinal": "0", **fields}).status_code


@pytest.mark.parametrize(
    ("fields", "text"), [({"use": "text", "text": TYPED}, TYPED), (CHOSEN, CANONICAL)], ids=["text", "controls"]
)
def test_a_save_reads_what_was_sent_and_the_page_after_it_what_was_stored(
    game: Game, german: Client, read: Read, fields: dict[str, str], text: str
) -> None:
    assert send(game, german, **fields) == 303
    assert read == [("GERMANY", text)]
    read.clear()
    assert german.get(address("orders", game)).status_code == 200
    assert read == [("GERMANY", CANONICAL)]
    assert store.read_own(occupancy_of(game, "GERMANY"), open_phase(game)).typed == text


@pytest.mark.parametrize(
    "sent",
    [{"text": TYPED}, {"orders": ["A Mun-Cze", "A Ber H"], "bids": [{"points": 2, "order": "A Aus S A Mun-Cze"}]}],
    ids=["text", "one by one"],
)
def test_a_save_by_the_api_reads_what_was_sent(game: Game, german: Client, read: Read, sent: dict[str, Any]) -> None:
    sheet = reverse("api:sheet", kwargs={"slug": game.slug})
    assert german.put(sheet, {"ordinal": 0, **sent}, content_type="application/json").status_code == 200
    assert read == [("GERMANY", TYPED)]


@pytest.mark.parametrize(
    ("page", "use", "status"),
    [("orders", "text", 422), ("orders", "look", 200), ("read", "text", 200)],
    ids=["a mistake", "a look", "reading along"],
)
def test_what_is_not_saved_and_shown_again_is_read_once_beside_an_earlier_sheet(
    game: Game, german: Client, read: Read, page: str, use: str, status: int
) -> None:
    Story(game).order("GERMANY", TYPED)
    read.clear()
    wrong = {"order-MUN": "A MUN - XYZ", "text": "A Mun-Xyz"}
    assert send(game, german, page, use=use, **wrong) == status
    assert read == [("GERMANY", wrong["order-MUN" if use == "look" else "text"])]


def test_what_comes_too_late_is_not_read_and_what_counted_is(game: Game, german: Client, read: Read) -> None:
    Story(game).order("GERMANY", "A Mun H")
    Story(game).deadline()
    read.clear()
    assert send(game, german, use="text", text=TYPED) == 409
    assert [it for it in read if it[1]] == [("GERMANY", "A MUN H")]


def test_a_receipt_is_fetched_without_reading_the_sheet(game: Game, german: Client, read: Read) -> None:
    Story(game).order("GERMANY", TYPED)
    read.clear()
    assert german.get(address("receipt", game, ordinal=0)).status_code == 200
    assert read == []


def test_a_try_reads_each_guess_once(game: Game, german: Client, read: Read) -> None:
    Story(game).order("GERMANY", TYPED)
    read.clear()
    page = german.get(address("whatif", game)).content.decode()
    assert [it for it in read if it[1]] == [("GERMANY", CANONICAL)]
    read.clear()
    assert send(game, german, "whatif", use="text", text=TYPED) == 200
    assert [it for it in read if it[1]] == [("GERMANY", TYPED)]
    read.clear()
    guesses = {"GERMANY:order-MUN": "A MUN - CZE", "GERMANY:bids": "1: A Aus H", "FRANCE:order-PAR": "A PAR - BUR"}
    answer = german.post(address("whatif", game), {"position": token_in(page), "act": "judge", **guesses})
    assert "What would happen" in answer.content.decode()
    assert sorted(it for it in read if it[1]) == [("FRANCE", "A PAR - BUR\n"), ("GERMANY", "A MUN - CZE\n1: A Aus H")]


def test_the_deadline_reads_each_sheet_once_as_does_a_look_beforehand(game: Game, read: Read) -> None:
    Story(game).order("GERMANY", TYPED)
    Story(game).order("FRANCE", "A Par-Bur")
    stored = {"GERMANY": CANONICAL, "FRANCE": "A PAR - BUR"}
    phase = Story(game).deadline_comes()
    each = [(power, stored.get(power, "")) for power in powers_of(game)]
    read.clear()
    preview_open_phase(game_id=game.pk, by=person(CAROL).pk)
    assert sorted(read) == each
    read.clear()
    assert close_due_phase(phase_id=phase.pk)
    assert sorted(read) == each


def test_what_a_bot_makes_was_never_text_and_is_not_read(game: Game, read: Read) -> None:
    occupancy = occupancy_of(game, "GERMANY")
    let_bot_play(occupancy_id=occupancy.pk)
    read.clear()
    assert play_bot_turn(occupancy_id=occupancy.pk, ordinal=0)
    assert read == []
    assert store.read_own(occupancy, open_phase(game)).lines


def test_what_was_read_on_another_position_is_read_again_before_it_is_saved(game: Game, read: Read) -> None:
    phase, variant = open_phase(game), find(game.variant_slug)
    early = read_once(SentSheet(TYPED, 0), "GERMANY", codec.position_of(phase), variant)
    units = phase.position["units"]
    phase.position = {**phase.position, "units": {**units, "GERMANY": ["A BER", "F HAM"]}}
    phase.save()
    read.clear()
    with pytest.raises(BadSheet) as refused:
        save_sheet(occupancy_id=occupancy_of(game, "GERMANY").pk, sheet=early)
    assert [problem.line for problem in refused.value.sheet.problems] == [1], "a bid may support what isn’t there"
    assert read == [("GERMANY", TYPED)]


def test_a_lesson_reads_the_learners_orders_once(read: Read) -> None:
    lesson = reverse("games:lesson", kwargs={"name": "move"})
    answer = visitor().get(lesson, {"use": "text", "text": "A Oak-Hil\nF Wes-WBY"})
    assert "Well done." in answer.content.decode()
    assert read == [("WESTLAND", "A Oak-Hil\nF Wes-WBY")]


def test_the_reader_that_counts_sees_every_reading(game: Game, read: Read) -> None:
    Story(game).order("GERMANY", "A Mun H")
    Story(game).order("GERMANY", "A Mun H")
    assert read == [("GERMANY", "A Mun H")] * 2
