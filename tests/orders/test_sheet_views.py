"""What viewers are shown: their own units with the lawful orders, their own orders, and nothing of the others'."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import Http404

from games.deadlines.phases import hold_game
from games.kernel.access import access_game, access_gm, access_seat
from games.kernel.models import Game
from games.kernel.page import page_of
from games.kernel.phase_rows import PhaseRows
from games.orders.choices import order_rows
from games.orders.queries import own_order_sheet
from games.orders.services import set_ready
from games.orders.sheets import Controls, SentSheet, read_once
from games.pages.queries import GameLists
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, open_phase, running_game, waiting_game
from tests.story import Story
from variants.drawing import Arrow
from variants.registry import find

if TYPE_CHECKING:
    from adjudication.position import Position
    from games.orders.parts import SheetView
    from games.orders.sheets import ReadSheet
    from variants.variant import Variant

pytestmark = pytest.mark.django_db


def order_sheet_of(game: Game, power: str) -> SheetView:
    order_sheet = Story(game).seen_by(occupancy_of(game, power).user.username).order_sheet
    assert order_sheet is not None
    return order_sheet


def put_germany(game: Game, *, turn: str, units: list[str], centres: list[str], dislodged: bool = False) -> None:
    """Leave Germany alone on the board."""
    phase = open_phase(game)
    beaten = {"power": "GERMANY", "unit": "A MUN", "attacker_from": "BOH", "retreats": ["BER", "TRE"]}
    phase.turn = turn
    phase.position = {
        **phase.position,
        "turn": turn,
        "units": {"GERMANY": units},
        "centres": dict.fromkeys(centres, "GERMANY"),
        "dislodged": [beaten] if dislodged else [],
    }
    phase.save()


def test_in_a_movement_phase_every_own_unit_has_its_lawful_orders() -> None:
    game = running_game()
    order_sheet = order_sheet_of(game, "GERMANY")
    assert [row.location for row in order_sheet.rows] == ["BER", "HAM", "MUN"]
    munich = order_sheet.rows[2]
    assert munich.label == "German army in Munich"
    assert {"A MUN H", "A MUN - CZE", "A MUN S A AUS"} <= {choice.value for choice in munich.choices}
    assert munich.chosen == ""
    assert order_sheet.missing == ("A Ber", "A Mun", "F Ham")
    assert (order_sheet.kind, order_sheet.budget, order_sheet.left, order_sheet.nothing_to_decide) == ("M", 3, 3, False)
    assert {minor.location for minor in order_sheet.minors} >= {"AUS", "DEN", "SWI"}
    assert all(not choice.value.startswith("A AUS - ") for minor in order_sheet.minors for choice in minor.choices)


def test_a_saved_sheet_fills_the_form() -> None:
    game = running_game()
    Story(game).order("GERMANY", "A Mun-Cze", "2: A Aus S A Mun-Cze")
    order_sheet = order_sheet_of(game, "GERMANY")
    assert {row.location: row.chosen for row in order_sheet.rows} == {"BER": "", "HAM": "", "MUN": "A MUN - CZE"}
    assert [choice.label for row in order_sheet.rows for choice in row.choices if choice.chosen] == ["A Mun–Cze"]
    assert [(bid.minor, bid.canonical, bid.points) for bid in order_sheet.bids] == [("AUS", "A AUS S A MUN - CZE", 2)]
    assert (order_sheet.spent, order_sheet.left) == (2, 1)


def test_a_saved_sheet_is_drawn_with_its_bids_for_its_holder_alone() -> None:
    game = running_game()
    assert order_sheet_of(game, "GERMANY").arrows == ()
    Story(game).order("GERMANY", "A Mun-Cze", "2: A Aus S A Mun-Cze")
    assert order_sheet_of(game, "GERMANY").arrows == (
        Arrow("move", "MUN", "CZE", "", ok=True, title="A Mun–Cze"),
        Arrow("support-move", "AUS", "CZE", "MUN", ok=True, title="Bid of 2 points: A Aus S A Mun–Cze", points=2),
    )
    assert order_sheet_of(game, "ITALY").arrows == ()
    assert Story(game).seen_by(CAROL).drawing.arrows == ()


def test_a_desk_names_the_home_of_its_power() -> None:
    assert order_sheet_of(running_game(), "GERMANY").homes == ("BER", "HAM", "MUN")


def test_the_desk_of_a_power_without_a_home_names_where_it_stands() -> None:
    game = running_game(variant="three-way-balkan-battle", players=PLAYERS[:3])
    assert order_sheet_of(game, "RUSSIA").homes == ("BUL",)


def test_saved_complete_and_ready_do_not_follow_from_one_another() -> None:
    game = running_game(all_ready=True)

    def flags() -> tuple[bool, bool, bool | None]:
        order_sheet = order_sheet_of(game, "GERMANY")
        return order_sheet.saved, order_sheet.complete, order_sheet.ready

    assert flags() == (False, False, False)
    set_ready(occupancy_id=occupancy_of(game, "GERMANY").pk, ordinal=0, ready=True)
    assert flags() == (False, False, True)
    Story(game).order("GERMANY", "A Mun-Cze")
    assert flags() == (True, False, True)
    set_ready(occupancy_id=occupancy_of(game, "GERMANY").pk, ordinal=0, ready=False)
    Story(game).order("GERMANY", "A Mun H", "A Ber H", "F Ham H")
    assert flags() == (True, True, False)
    assert order_sheet_of(running_game(), "GERMANY").ready is None


def test_readiness_is_shown_to_all_only_where_the_game_has_it() -> None:
    with_lights, without = running_game(all_ready=True), running_game()
    set_ready(occupancy_id=occupancy_of(with_lights, "ITALY").pk, ordinal=0, ready=True)
    lights = {power.id: power.ready for power in Story(with_lights).seen_by(DAVE).powers}
    assert lights.pop("ITALY") is True
    assert set(lights.values()) == {False}
    assert {power.ready for power in Story(without).seen_by(DAVE).powers} == {None}


def test_what_is_typed_is_shown_with_its_mistakes_and_not_stored() -> None:
    game = running_game()
    access = access_game(user=occupancy_of(game, "GERMANY").user, slug=game.slug)
    typed = own_order_sheet(PhaseRows(access, None), SentSheet("A Mun-Cze\nA Par-Bur"))
    assert typed is not None
    assert typed.text == "A Mun-Cze\nA Par-Bur"
    assert [problem.line for problem in typed.problems] == [2]
    assert {row.location: row.chosen for row in typed.rows}["MUN"] == "A MUN - CZE"
    assert not typed.saved
    assert order_sheet_of(game, "GERMANY").text == ""


def test_in_a_retreat_phase_the_dislodged_unit_retreats_or_disbands() -> None:
    game = running_game()
    put_germany(game, turn="S1926R", units=["A BER"], centres=["BER"], dislodged=True)
    (row,) = order_sheet_of(game, "GERMANY").rows
    assert [choice.value for choice in row.choices] == ["A MUN - BER", "A MUN - TRE", "A MUN D"]
    assert order_sheet_of(game, "GERMANY").missing == ("A Mun",)
    assert order_sheet_of(game, "GERMANY").budget == 0
    assert order_sheet_of(game, "ITALY").nothing_to_decide
    Story(game).order("GERMANY", "A Mun-Tre")
    assert order_sheet_of(game, "GERMANY").complete


def test_in_winter_builds_are_counted_and_waived_ones_fill_the_free_rows() -> None:
    game = running_game()
    put_germany(game, turn="W1926A", units=[], centres=["BER", "HAM", "MUN"])
    order_sheet = order_sheet_of(game, "GERMANY")
    assert (order_sheet.adjustment, order_sheet.missing) == (3, ("3 builds",))
    assert [row.label for row in order_sheet.rows] == ["Build in Berlin", "Build in Hamburg", "Build in Munich"]
    Story(game).order("GERMANY", "Build A Ham", "Waive")
    order_sheet = order_sheet_of(game, "GERMANY")
    assert [row.chosen for row in order_sheet.rows] == ["WAIVE", "BUILD A HAM", ""]
    assert order_sheet.missing == ("1 build",)
    Story(game).order("GERMANY", "Build A Ham", "Waive", "Waive")
    order_sheet = order_sheet_of(game, "GERMANY")
    assert [row.chosen for row in order_sheet.rows] == ["WAIVE", "BUILD A HAM", "WAIVE"]
    assert order_sheet.complete


def test_in_winter_removals_are_counted() -> None:
    game = running_game()
    put_germany(game, turn="W1926A", units=["A BER", "A MUN", "A CZE"], centres=["BER"])
    order_sheet = order_sheet_of(game, "GERMANY")
    assert (order_sheet.adjustment, order_sheet.missing, len(order_sheet.rows)) == (-2, ("2 removals",), 3)
    Story(game).order("GERMANY", "A Cze D", "A Mun D")
    assert order_sheet_of(game, "GERMANY").complete


def test_only_the_holder_of_a_seat_has_a_desk_and_only_the_game_master_has_theirs() -> None:
    game = running_game()
    for name in (DAVE, CAROL):
        assert Story(game).seen_by(name).order_sheet is None
        with pytest.raises(Http404):
            access_seat(user=person(name), slug=game.slug)
    for name in (DAVE, PLAYERS[0]):
        assert Story(game).seen_by(name).gm is None
        with pytest.raises(Http404):
            access_gm(user=person(name), slug=game.slug)
    assert access_seat(user=person(PLAYERS[0]), slug=game.slug).power == "BRITAIN"
    assert access_gm(user=person(CAROL), slug=game.slug).user_id == person(CAROL).pk


def test_a_game_that_is_not_there_or_not_for_this_viewer_is_not_found() -> None:
    private = waiting_game(by_invitation=True)
    for user in (AnonymousUser(), person(DAVE)):
        for slug, token in (("nowhere", ""), (private.slug, ""), (private.slug, "guess")):
            with pytest.raises(Http404):
                access_game(user=user, slug=slug, token=token)
        assert access_game(user=user, slug=private.slug, token=private.invitation).game_id == private.pk
    assert access_game(user=person(CAROL), slug=private.slug).is_gm


def test_the_lobby_shows_private_games_to_their_own_people_only() -> None:
    private, public = running_game(by_invitation=True), running_game()
    assert [game.slug for game in GameLists(AnonymousUser()).page("running").games] == [public.slug]
    assert GameLists(AnonymousUser()).page("mine").games == ()
    mine = GameLists(person(PLAYERS[0])).page("mine").games
    assert {(game.slug, game.my_power) for game in mine} == {(private.slug, "BRITAIN"), (public.slug, "BRITAIN")}
    assert {game.i_am_gm for game in GameLists(person(CAROL)).page("mine").games} == {True}


def test_a_card_counts_seats_and_names_the_turn_and_the_deadline() -> None:
    running_game()
    (card,) = GameLists(AnonymousUser()).page("running").games
    assert (card.players, card.taken, card.turn_title, card.kind_title) == (7, 7, "Spring 1926", "Movement")
    assert card.deadline is not None
    waiting_game()
    (waiting,) = GameLists(AnonymousUser()).page("open").games
    assert (waiting.taken, waiting.status_sentence) == (0, "Waiting for players: 0 of 7 seats taken.")


def test_a_game_of_a_variant_that_is_gone_does_not_close_the_lobby() -> None:
    Game.objects.filter(pk=running_game().pk).update(variant_slug="atlantis")
    (card,) = GameLists(AnonymousUser()).page("running").games
    assert card.variant_title == "atlantis"


def test_a_held_game_says_so_plainly_to_everybody() -> None:
    game = running_game()
    incident = hold_game(game_id=game.pk)
    view = Story(game).seen_by(DAVE)
    assert view.game.status == "held"
    assert f"incident {incident}" in view.game.status_sentence
    assert "Nothing is lost" in view.game.status_sentence
    assert view.game.deadline is None
    assert view.game.remaining_seconds is not None


def test_the_options_are_said_in_sentences_before_anybody_joins() -> None:
    sentences = [
        term.sentence
        for term in Story(waiting_game(all_ready=True, gm_sees_bids=False)).seen_by(DAVE).game.options.terms
    ]
    assert sentences[0] == "Orders: 24 hours; retreats and builds: 12 hours."
    assert "A phase ends as soon as everyone is ready. Everyone sees who is ready." in sentences
    assert (
        "The game master can’t look at bids. Only those who enter orders for a player ever see that player’s bids."
        in sentences
    )
    assert "Bids are never published, not even after the game." in sentences


def test_an_open_game_offers_its_free_seats_to_those_who_may_sit_down() -> None:
    game = waiting_game()

    def seats(name: str) -> tuple[str, ...]:
        return Story(game).seen_by(name).seats_to_take

    assert len(seats(DAVE)) == 7
    assert seats(CAROL) == ()
    view: Any = page_of(access_game(user=AnonymousUser(), slug=game.slug))
    assert view.seats_to_take == ()
    assert (view.head, view.phases, len(view.drawing.units)) == (None, (), 47)


def test_a_lawful_order_that_is_not_offered_is_shown_once_it_is_written_and_taken_from_its_own_row_alone() -> None:
    variant, dead = find("1926"), "A MUN S A AUS - CZE"
    read = read_once(SentSheet(dead, controls=Controls({"MUN": dead}, (), {})), "GERMANY", variant.start, variant)
    assert (read.problems, read.wrong) == ((), {})
    rows = {row.location: row for row in order_rows(read)}
    assert [choice.value for choice in rows["MUN"].choices if choice.chosen] == [rows["MUN"].chosen] == [dead]
    usual = order_rows(read_once(SentSheet(""), *read_for(read)))
    assert dead not in {choice.value for row in usual for choice in row.choices}
    astray = read_once(SentSheet(dead, controls=Controls({"BER": dead}, (), {})), *read_for(read))
    assert set(astray.wrong) == {"order-BER"}
    far = Controls({"BER": "A BER - SIL", "MUN": "A MUN - LON"}, (), {})
    assert set(read_once(SentSheet("A BER - SIL\nA MUN - LON", controls=far), *read_for(read)).wrong) == {"order-MUN"}


def read_for(read: ReadSheet) -> tuple[str, Position, Variant]:
    return read.power, read.position, read.variant
