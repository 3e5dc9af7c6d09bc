"""Phases that only some variants have: declarations and deployment, written, opened and shown like any others."""

from __future__ import annotations

from http import HTTPStatus
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from games.kernel.codec import position_to_row
from games.kernel.wording import words_for_adjustments, words_for_power
from games.orders.services import BadSheet
from tests.cast import DAVE, PLAYERS
from tests.factories import HOUR, occupancy_of, open_phase, powers_of, running_game, waiting_game
from tests.story import Story
from variants.drawing import Arrow
from variants.examples import examples_of
from variants.registry import find
from variants.signs import UnitMark

if TYPE_CHECKING:
    from games.history.parts import RelationsView
    from games.kernel.models import Game
    from games.orders.parts import SheetView

pytestmark = pytest.mark.django_db

FORMAL, EMPIRE = "formal-diplomacy", "collapse-of-the-dual-empire"
CZECH_ARMIES = ("PLACE DA PRA", "PLACE DA BOH", "PLACE CA MOR", "PLACE CA BRN")


def declaring() -> Game:
    return running_game(variant=FORMAL)


def deploying() -> Game:
    return running_game(variant=EMPIRE, players=PLAYERS[:6])


def order_sheet_of(game: Game, power: str) -> SheetView:
    order_sheet = Story(game).seen_by(occupancy_of(game, power).user.username).order_sheet
    assert order_sheet is not None
    return order_sheet


def relations_of(game: Game, name: str = DAVE) -> RelationsView:
    relations = Story(game).seen_by(name).relations
    assert relations is not None
    return relations


def stance(game: Game, one: str, other: str) -> str:
    rows = {row.power: {cell.other: cell.stance for cell in row.cells} for row in relations_of(game).rows}
    assert rows[one][other] == rows[other][one]
    return rows[one][other]


def order_page(game: Game, power: str, **sent: str) -> tuple[int, str]:
    """The order page of a power; with fields, the result of sending them."""
    client, path = Client(), reverse("games:orders", kwargs={"slug": game.slug})
    client.force_login(occupancy_of(game, power).user)
    if not sent:
        answer = client.get(path)
    else:
        answer = client.post(path, {"ordinal": str(open_phase(game).ordinal), "use": "controls", **sent})
    return answer.status_code, answer.content.decode()


# Declarations.


def test_a_declaration_is_chosen_for_each_other_power_from_all_stances() -> None:
    order_sheet = order_sheet_of(declaring(), "FRANCE")
    assert order_sheet.kind == "D"
    assert [row.location for row in order_sheet.rows] == ["AUSTRIA", "ENGLAND", "GERMANY", "ITALY", "RUSSIA", "TURKEY"]
    assert "Allies may enter" in order_page(declaring(), "FRANCE")[1]
    assert order_sheet.rows[2].label == "Germany, now neutral towards you"
    assert [(choice.value, choice.label) for choice in order_sheet.rows[2].choices] == [
        ("DECLARE NEUTRALITY GERMANY", "Declare neutrality towards Germany"),
        ("DECLARE ALLIANCE GERMANY", "Declare alliance with Germany"),
        ("DECLARE WAR GERMANY", "Declare war on Germany"),
    ]
    assert (order_sheet.missing, order_sheet.complete, order_sheet.nothing_to_decide, order_sheet.arrows) == (
        (),
        True,
        False,
        (),
    )


def test_declarations_are_saved_from_the_controls_as_well_as_from_the_text() -> None:
    game = declaring()
    status, _ = order_page(game, "FRANCE", **{"order-GERMANY": "DECLARE WAR GERMANY", "order-ITALY": ""})
    assert status == HTTPStatus.SEE_OTHER
    assert [row.chosen for row in order_sheet_of(game, "FRANCE").rows if row.chosen] == ["DECLARE WAR GERMANY"]
    receipt = Story(game).order("FRANCE", "declare war on Germany", "Declare alliance with Italy")
    assert receipt.orders == ("Declare war on Germany", "Declare alliance with Italy")
    assert receipt.text == "DECLARE WAR GERMANY\nDECLARE ALLIANCE ITALY"


def test_a_declaration_that_cannot_be_is_refused_with_what_can() -> None:
    game = declaring()
    for lines, sentence in [
        (("DECLARE PEACE ITALY",), "“peace” cannot be declared: choose war, neutrality or alliance."),
        (("DECLARE WAR FRANCE",), "A power cannot declare anything to itself: name another one."),
        (("DECLARE WAR ITALY", "DECLARE ALLIANCE ITALY"), "There is already a declaration to Italy."),
    ]:
        with pytest.raises(BadSheet) as refused:
            Story(game).order("FRANCE", *lines)
        assert [problem.sentence for problem in refused.value.sheet.problems] == [sentence]


def test_the_order_page_of_declarations_speaks_of_declarations() -> None:
    game = declaring()
    status, page = order_page(game, "FRANCE")
    assert status == HTTPStatus.OK
    assert "no declaration" in page
    assert "If you save nothing, you will declare nothing. Others can still change your relations." in page
    assert "<code>Declare neutrality towards Austria</code>" in page
    assert "units hold" not in page
    assert "data-one-list" in page


def test_opened_declarations_say_who_said_what_and_what_came_of_it() -> None:
    game = declaring()
    Story(game).order("FRANCE", "DECLARE WAR GERMANY")
    Story(game).order("ITALY", "DECLARE ALLIANCE AUSTRIA", "DECLARE ALLIANCE TURKEY")
    Story(game).order("AUSTRIA", "DECLARE ALLIANCE ITALY")
    assert stance(game, "FRANCE", "GERMANY") == "neutrality"
    Story(game).deadline()
    assert stance(game, "FRANCE", "GERMANY") == "war"
    assert stance(game, "AUSTRIA", "ITALY") == "alliance"
    assert stance(game, "ITALY", "TURKEY") == "neutrality"
    opened = Story(game).seen_by(DAVE, 0)
    assert opened.result is not None
    said = {(it.power, it.text): it.succeeded for it in opened.result.outcomes}
    assert said == {
        ("AUSTRIA", "Declare alliance with Italy"): True,
        ("FRANCE", "Declare war on Germany"): True,
        ("ITALY", "Declare alliance with Austria"): True,
        ("ITALY", "Declare alliance with Turkey"): False,
    }
    assert "France and Germany are at war now." in {notice.sentence for notice in opened.result.notices}
    assert opened.result.relations == relations_of(game)
    assert opened.relations != opened.result.relations


def test_only_players_read_whom_they_are_at_war_with() -> None:
    game = declaring()
    Story(game).order("FRANCE", "DECLARE WAR GERMANY", "DECLARE WAR ITALY")
    Story(game).deadline()
    assert relations_of(game).mine == ()
    mine = relations_of(game, occupancy_of(game, "FRANCE").user.username).mine
    assert [(line.stance, line.names) for line in mine] == [("alliance", ()), ("war", ("Germany", "Italy"))]


def test_relations_stand_in_a_table_on_the_pages_of_such_a_game_and_of_no_other() -> None:
    formal, standard = declaring(), running_game()
    pages = [Client().get(reverse("games:game", kwargs={"slug": game.slug})) for game in (formal, standard)]
    shown = ["Relations between the powers" in page.content.decode() for page in pages]
    assert shown == [True, False]
    assert Story(standard).seen_by(DAVE).relations is None


def test_land_is_tinted_by_its_owner_where_the_rules_tell() -> None:
    game = declaring()
    owners = Story(game).seen_by(DAVE).drawing.owners
    germany = str(find(FORMAL).power("GERMANY").colour)
    assert (owners["MUN"], owners["RUH"], owners["ALB"]) == (germany, germany, "none")
    assert not {"BEL", "NTH"} & owners.keys()


# Deployment.


def test_a_deployment_offers_every_place_with_the_armies_that_may_be_placed_there() -> None:
    order_sheet = order_sheet_of(deploying(), "CZECHS")
    rows = {row.label: [choice.label for choice in row.choices] for row in order_sheet.rows}
    assert (order_sheet.kind, len(rows)) == ("P", 11)
    assert rows["Prague"] == ["Place DA Pra"]
    assert rows["Moravia"] == ["Place CA Mor"]
    assert rows["Brno"] == ["Place CA Brn", "Place DA Brn"]
    assert order_sheet.adjustments == {"C": 2, "D": 2}
    assert (order_sheet.adjustment, order_sheet.complete) == (4, False)
    assert order_sheet.missing == ("2 communist armies", "2 democratic armies")


def test_placed_armies_are_counted_and_drawn_for_their_owner_alone() -> None:
    game = deploying()
    Story(game).order("CZECHS", *CZECH_ARMIES[:3])
    order_sheet = order_sheet_of(game, "CZECHS")
    assert order_sheet.missing == ("1 communist army",)
    assert order_sheet.arrows[0] == Arrow("build", "PRA", "PRA", "", ok=True, title="Place DA Pra")
    assert order_sheet.placed[0] == UnitMark(
        "A", "PRA", "2", "C", "Czech and Slovak democratic army in Prague", faction="D", form=2, placed=True
    )
    page = " ".join(order_page(game, "CZECHS")[1].split())
    assert "3 of 4 placed." in page
    assert "CA: communist army. DA: democratic army. IA: imperialist army. Each centre supplies" in page
    assert '<optgroup label="Democratic army"> <option value="BUILD DA BOH" selected>Place DA Boh</option>' in page


def test_where_armies_are_placed_on_trial_it_is_said_what_their_factions_change() -> None:
    game, client = deploying(), Client()
    client.force_login(occupancy_of(game, "CZECHS").user)
    answer = client.get(reverse("games:whatif", kwargs={"slug": game.slug}))
    page = " ".join(answer.content.decode().split())
    assert "CA: communist army. DA: democratic army. IA: imperialist army. Each centre supplies" in page
    assert '<optgroup label="Communist army"> <option value="BUILD CA BRN">Place CA Brn</option>' in page
    others = order_sheet_of(game, "MAGYARS")
    assert (others.arrows, others.placed) == ((), ())
    assert [mark.title for mark in Story(game).seen_by(DAVE).drawing.units if mark.letter == "C"] == []


def test_one_army_too_many_is_named_at_its_place_and_the_others_stay() -> None:
    game = deploying()
    fields = {f"order-{line[-3:]}": line.replace("PLACE", "BUILD") for line in CZECH_ARMIES}
    status, page = order_page(game, "CZECHS", **fields, **{"order-OLO": "BUILD CA OLO"})
    assert status == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "You have only 2 communist armies to place." in page
    assert "5 of 4 placed: 1 too many." in page
    assert '<option value="BUILD CA MOR" selected>' in page
    assert '<option value="BUILD CA OLO" selected>' in page


def test_an_army_placed_on_a_neutral_centre_is_refused_with_the_reason() -> None:
    game = deploying()
    assert "DEB" not in {row.location for row in order_sheet_of(game, "MAGYARS").rows}
    status, page = order_page(game, "MAGYARS", use="text", text="PLACE CA Deb")
    assert status == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Debrecen is a neutral supply centre, where armies cannot be placed." in page


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Two powers have 17 centres in the same turn", "with 17 supply centres each: the game is drawn between them."),
        ("The one with more centres wins", "The Magyars win with 18 supply centres."),
    ],
)
def test_two_who_have_all_they_need_in_the_same_turn_draw_unless_one_has_more(title: str, said: str) -> None:
    game = deploying()
    Story(game).deadline()
    (example,) = (it for it in examples_of(find(EMPIRE)) if it.title == title)
    phase = open_phase(game)
    phase.turn, phase.position = "DEC1918M", position_to_row(example.phase.position)
    phase.save()
    Story(game).order("MAGYARS", "CA Gra - Sty")
    Story(game).order("RUMANIANS", "CA Ost - Sil")
    Story(game).deadline()
    page = Client().get(reverse("games:game", kwargs={"slug": game.slug})).content.decode()
    assert said in " ".join(page.split())


def test_placements_are_opened_at_once_and_what_was_left_out_is_placed() -> None:
    game = deploying()
    Story(game).order("CZECHS", *CZECH_ARMIES)
    Story(game).deadline()
    view = Story(game).seen_by(DAVE)
    assert view.head is not None
    assert (view.head.code, view.head.title, view.head.short, view.head.year) == (
        "NOV1918M",
        "November 1918",
        "Nov",
        1918,
    )
    assert {mark.location for mark in view.drawing.units if mark.letter == "C"} == {"PRA", "BOH", "MOR", "BRN"}
    assert len(view.drawing.units) == 29
    opened = Story(game).seen_by(DAVE, 0)
    assert opened.result is not None
    assert {notice.kind for notice in opened.result.notices} == {"placed"}
    assert {mark.location for mark in opened.drawing.units if mark.letter == "C"} == {"PRA", "BOH", "MOR", "BRN"}


def test_the_faction_that_holds_a_centre_is_on_the_map() -> None:
    holders = {mark.centre: mark for mark in Story(deploying()).seen_by(DAVE).drawing.holders}
    assert len(holders) == 29
    assert (holders["VIE"].letter, holders["VIE"].form, holders["VIE"].title) == ("C", 1, "Vienna: communist")
    assert Story(declaring()).seen_by(DAVE).drawing.holders == ()


def test_units_that_take_no_orders_are_named_with_the_reason_and_not_missed() -> None:
    game = deploying()
    Story(game).deadline()
    phase = open_phase(game)
    units = {"CZECHS": ["CA BOH", "CA MOR", "CA SLO", "CA BRN", "DA PRA"]}
    phase.position = {**phase.position, "units": {**phase.position["units"], **units}}
    phase.save()
    order_sheet = order_sheet_of(game, "CZECHS")
    assert [row.location for row in order_sheet.rows] == ["BOH", "BRN", "MOR", "SLO"]
    assert order_sheet.missing == ("CA Boh", "CA Brn", "CA Mor", "CA Slo")
    assert order_sheet.idle == ("DA Pra",)
    page = order_page(game, "CZECHS")[1]
    why = "its power’s rival faction has at least 3 armies more."
    assert f"DA Pra can’t be given orders in this phase and will hold: {why}" in page
    view = Story(game).seen_by(DAVE)
    (mark,) = [mark for mark in view.drawing.units if mark.idle]
    assert mark.title == "Czech and Slovak democratic army in Prague, which takes no orders"
    (line,) = [line for line in view.position_lines if line.power == "CZECHS"]
    assert "DA Pra (takes no orders)" in line.units
    assert "Prague (democratic)" in line.centres
    assert line.homes == ("Bohemia", "Moravia", "Prague", "Slovakia")


def test_builds_and_removals_of_factions_are_counted_apart() -> None:
    game = deploying()
    phase = open_phase(game)
    units = {"CZECHS": ["CA BRN", "CA OLO", "CA OST", "DA BRT"]}
    phase.turn = "DEC1918A"
    phase.position = {**phase.position, "turn": "DEC1918A", "units": {**phase.position["units"], **units}}
    phase.save()
    order_sheet = order_sheet_of(game, "CZECHS")
    assert (order_sheet.adjustments, order_sheet.missing) == (
        {"C": -1, "D": 1},
        ("1 communist removal", "1 democratic build"),
    )
    page = order_page(game, "CZECHS")[1]
    assert "<h2>Builds and removals</h2>" in page
    assert "build 1 democratic unit, remove 1 communist unit" in page
    assert Story(game).order("CZECHS", "BUILD DA PRA").missing == ("1 communist removal",)
    assert Story(game).order("CZECHS", "WAIVE", "DISBAND CA OST").missing == ()


# Both.


def test_declarations_are_as_short_as_builds_and_a_deployment_as_long_as_orders() -> None:
    formal = open_phase(running_game(variant=FORMAL, adjustment_seconds=2 * HOUR))
    empire = open_phase(deploying())
    assert formal.deadline is not None
    assert empire.deadline is not None
    assert (formal.deadline - formal.opened).total_seconds() == 2 * HOUR
    assert (empire.deadline - empire.opened).total_seconds() == 24 * HOUR


def test_the_terms_say_how_long_the_phases_last_that_a_variant_has() -> None:
    first = {
        slug: Story(waiting_game(variant=slug)).seen_by(DAVE).game.options.terms[0].sentence
        for slug in (FORMAL, EMPIRE)
    }
    assert first == {
        FORMAL: "Orders: 24 hours; retreats, builds and declarations: 12 hours.",
        EMPIRE: "Placing units and orders: 24 hours; retreats and builds: 12 hours.",
    }


def test_a_player_who_saved_nothing_is_told_what_became_of_it() -> None:
    for game, words in [(declaring(), "you declared nothing"), (deploying(), "the rules placed your units")]:
        Story(game).deadline()
        client = Client()
        client.force_login(occupancy_of(game, powers_of(game)[0]).user)
        page = client.get(reverse("games:phase", kwargs={"slug": game.slug, "ordinal": 0})).content.decode()
        assert f"You saved nothing, so {words}." in page


def test_the_api_answers_with_the_new_orders_relations_and_factions() -> None:
    game = declaring()
    client = Client()
    client.force_login(occupancy_of(game, "FRANCE").user)
    sent = {"ordinal": 0, "orders": ["DECLARE WAR GERMANY"]}
    sheet = reverse("api:sheet", kwargs={"slug": game.slug})
    receipt = client.put(sheet, sent, content_type="application/json").json()
    assert (receipt["kind"], receipt["text"]) == ("D", "DECLARE WAR GERMANY")
    Story(game).deadline()
    answer = client.get(reverse("api:game", kwargs={"slug": game.slug})).json()
    assert answer["relations"]["mine"][1] == {"stance": "war", "symbol": "×", "names": ["Germany"]}
    (row,) = [row for row in answer["relations"]["rows"] if row["power"] == "FRANCE"]
    assert {cell["other"] for cell in row["cells"] if cell["stance"] == "war"} == {"GERMANY"}
    (outcome,) = answer["result"]["outcomes"]
    assert (outcome["order"], outcome["results"]) == ("DECLARE WAR GERMANY", ["succeeds"])
    empire = client.get(reverse("api:game", kwargs={"slug": deploying().slug})).json()
    assert empire["factions"][0] == {"letter": "C", "adjective": "communist", "form": 1}
    assert empire["relations"] is None


def test_units_of_factions_are_counted_in_words() -> None:
    adjectives = {"C": "communist", "D": "democratic"}
    assert words_for_adjustments({"D": 1}, adjectives).note.startswith("you may build 1 democratic unit;")
    assert words_for_adjustments({"D": 2, "C": -1}, adjectives).note == (
        "build 2 democratic units, remove 1 communist unit"
    )
    assert words_for_adjustments({"": -2}, {}).note.startswith("remove 2 units,")


@pytest.mark.parametrize(
    ("due", "unsaved"),
    [
        ({"kind": "M"}, "your units will hold."),
        ({"kind": "M", "budget": 3}, "your units will hold and your Diplomacy Points for this phase will be lost."),
        ({"kind": "M", "muster": True}, "your unit will be an army and hold."),
        ({"kind": "R"}, "every unit that has to retreat will be disbanded."),
        ({"kind": "A", "adjustments": {"": 1}}, "you will build nothing."),
        ({"kind": "A", "adjustments": {"": -1}}, "the rules will choose the units to remove."),
        ({"kind": "P"}, "the rules will place your units."),
    ],
)
def test_a_warning_says_what_the_rules_make_of_no_orders(due: dict[str, Any], unsaved: str) -> None:
    nothing = {"muster": False, "budget": 0, "adjustments": {}, "adjectives": {}}
    assert words_for_power(SimpleNamespace(**{**nothing, **due})).unsaved == f"If you save nothing, {unsaved}"
