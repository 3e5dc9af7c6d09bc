"""Editing a position: what the board allows, what everyone is told, and what happens to saved orders."""

from __future__ import annotations

import re
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from adjudication.judge import adjudicate
from adjudication.position import Dislodged
from adjudication.turns import Turn
from adjudication.units import unit_from_text
from games.deadlines.readiness import ready_seats_shown_or_not
from games.kernel import codec
from games.kernel.models import Letter
from games.kernel.queries import phase_head
from games.kernel.refusals import BadReason, BadRepair, NotAllowed, WrongMoment
from games.mastering.editing import EditError, apply_edits, differences, edit_words, lines_from, place_at
from games.mastering.judging import what_differs_on_replay
from games.mastering.news import POSITION_EDITED
from games.mastering.services.repair import change_position
from games.orders.services import set_ready
from tests.cast import CAROL, DAVE, person
from tests.factories import occupancy_of, open_phase, running_game
from tests.story import Story
from variants.registry import find, offered
from variants.travel.written_position import write_position

if TYPE_CHECKING:
    from games.kernel.models import Game
    from variants.variant import Variant

WHY = "The third-party map showed another start."
Y1926, DUAL_EMPIRE = find("1926"), find("collapse-of-the-dual-empire")


def change(game: Game, *lines: str, **changed: Any) -> None:
    facts = {"by": person(CAROL).pk, "seen": phase_head(open_phase(game)).mark, "reason": WHY, **changed}
    change_position(game_id=game.pk, changes=lines, **facts)


def test_units_and_centres_are_changed_and_the_differences_said_by_place() -> None:
    before = Y1926.start
    lines = ("MUN unit -", "MUN centre FRANCE", "BER unit FRANCE A BER")
    after = apply_edits(before, lines, Y1926)
    assert after.unit_at("MUN") is None
    assert after.centres["MUN"] == "FRANCE"
    assert [edit_words(each, Y1926) for each in differences(before, after, Y1926)] == [
        "Berlin: French army instead of German army.",
        "Munich: nothing instead of German army.",
        "Munich as a supply centre: France instead of Germany.",
    ]
    assert apply_edits(before, (), Y1926) == before


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("XXX unit -", "no province “XXX”"),
        ("MUN unit GERMANY F MUN", "Munich can’t be changed like that"),
        ("NTH unit GERMANY A NTH", "North Sea can’t be changed like that"),
        ("MUN unit ATLANTIS A MUN", "Munich can’t be changed like that"),
        ("MUN unit GERMANY A BER", "Munich can’t be changed like that"),
        ("NTH centre GERMANY", "it is not a supply centre"),
        ("MUN colour red", "to a unit or to the owner"),
    ],
)
def test_what_the_board_does_not_allow_is_refused_with_what_it_does(line: str, why: str) -> None:
    with pytest.raises(EditError, match=why):
        apply_edits(Y1926.start, [line], Y1926)


def test_where_there_are_factions_a_centre_is_given_to_a_power_and_a_faction() -> None:
    before = DUAL_EMPIRE.start
    after = apply_edits(before, ["PEC centre MAGYARS D", "VIE centre CZECHS C", "PRA centre -"], DUAL_EMPIRE)
    factions = DUAL_EMPIRE.ruleset.control.factions(after)
    assert (after.centres["PEC"], factions["PEC"]) == ("MAGYARS", "D")
    assert (after.centres["VIE"], factions["VIE"]) == ("CZECHS", "C")
    assert after.memory == {"factions": {"PEC": "D"}}, "Vienna builds communists anyway"
    assert [edit_words(each, DUAL_EMPIRE) for each in differences(before, after, DUAL_EMPIRE)] == [
        "Pecs as a supply centre: Magyars (democratic) instead of Germans (imperialist).",
        "Prague as a supply centre: no one instead of Czechs & Slovaks (democratic).",
        "Vienna as a supply centre: Czechs & Slovaks (communist) instead of Germans (communist).",
    ]
    changed = apply_edits(after, ["PEC centre MAGYARS C"], DUAL_EMPIRE)
    assert [edit_words(each, DUAL_EMPIRE) for each in differences(after, changed, DUAL_EMPIRE)] == [
        "Pecs as a supply centre: Magyars (communist) instead of Magyars (democratic)."
    ]
    assert (
        apply_edits(changed, ["PEC centre GERMANS I", "VIE centre GERMANS C", "PRA centre CZECHS D"], DUAL_EMPIRE)
        == before
    )


@pytest.mark.parametrize("power", DUAL_EMPIRE.ruleset.powers)
def test_imperialist_armies_and_centres_are_offered_to_the_germans_alone(power: str) -> None:
    place = place_at("PEC", DUAL_EMPIRE.start, DUAL_EMPIRE)
    assert place is not None
    units = {option.value for option in place.units if option.value.startswith(power)}
    owners = {option.value for option in place.owners if option.value.startswith(power)}
    letters = "CDI" if power == "GERMANS" else "CD"
    assert units == {f"{power} {letter}A PEC" for letter in letters}
    assert owners == ({"GERMANS I"} if power == "GERMANS" else {f"{power} {letter}" for letter in letters})
    if power != "GERMANS":
        with pytest.raises(EditError, match="Pecs can’t be changed like that"):
            apply_edits(DUAL_EMPIRE.start, [f"PEC unit {power} IA PEC"], DUAL_EMPIRE)


def test_at_most_sixty_changes_are_made_at_a_time() -> None:
    with pytest.raises(EditError, match="That’s 61 changes"):
        apply_edits(Y1926.start, ["MUN unit -"] * 61, Y1926)


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_every_unit_that_is_offered_stands_there_and_the_position_can_be_judged(variant: Any) -> None:
    after = variant.start
    for province in variant.ruleset.board.provinces:
        place = place_at(province, variant.start, variant)
        assert place is not None
        for option in (place.units[0], place.units[-1]):
            after = apply_edits(variant.start, [f"{province} unit {option.value}"], variant)
            standing = after.unit_at(province)
            assert (standing is None) is (option.value == "-")
    adjudicate(after, {}, variant.ruleset)


def test_a_beaten_unit_cannot_retreat_to_where_a_unit_has_been_put() -> None:
    standard = find("standard")
    beaten = Dislodged(unit_from_text("ITALY", "A VEN"), "TYR", ("APU", "PIE", "TUS"))
    before = replace(standard.start, turn=Turn.from_code("F1901R"), dislodged=(beaten,))
    (kept,) = apply_edits(before, ["PIE unit FRANCE A PIE"], standard).dislodged
    assert kept.retreats == ("APU", "TUS")


@pytest.mark.django_db
@pytest.mark.parametrize("shown", [True, False])
def test_a_changed_position_is_played_on_and_everybody_is_told(shown: bool) -> None:
    game = running_game(all_ready=True, show_ready=shown)
    story = Story(game)
    set_ready(occupancy_id=occupancy_of(game, "ITALY").pk, ordinal=0, ready=True)
    deadline = open_phase(game).deadline
    Letter.objects.all().delete()
    change(game, "MUN unit GERMANY A MUN", "BER unit -")
    phase = open_phase(game)
    assert (phase.ordinal, phase.deadline) == (0, deadline)
    assert codec.position_of(phase).unit_at("BER") is None
    assert ready_seats_shown_or_not(game, phase) == set()
    assert Letter.objects.filter(kind=POSITION_EDITED.letter).count() == 7
    view = story.seen_by(DAVE)
    changed = "Berlin: nothing instead of German army."
    assert view.events[0].sentence == f"carol changed the position of Spring 1926: {changed} Reason: {WHY}"
    assert view.notices[-1].sentence == f"The game master changed the position. {changed}"
    story.deadline()
    assert what_differs_on_replay(game_id=game.pk) == ()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["MUN unit NEUTRAL A MUN"], "A minor power’s unit is in Munich, which belongs to Germany."),
        (["AUS centre GERMANY"], "A minor power’s unit is in Austria, which belongs to Germany."),
        (["TYS unit ITALY F TYS"], "There are 48 units, but there can be at most 47"),
    ],
)
def test_a_position_to_which_the_rules_cannot_lead_is_refused(lines: list[str], why: str) -> None:
    game = running_game()
    with pytest.raises(BadRepair, match=why):
        change(game, *lines)
    assert codec.position_of(open_phase(game)) == Y1926.start


@pytest.mark.django_db
def test_saved_sheets_stay_their_writers_and_say_what_no_longer_fits() -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze", "A Ber H")
    change(game, "BER unit -")
    order_sheet = story.seen_by(occupancy_of(game, "GERMANY").user.username).order_sheet
    assert order_sheet is not None
    assert order_sheet.text == "A Mun-Cze\nA Ber H"
    assert [line.text for line in order_sheet.outdated] == ["A BER H"]
    story.deadline()
    result = story.seen_by(DAVE, 0).result
    assert result is not None
    assert [it.order for it in result.outcomes if it.order.startswith("A BER")] == []
    assert "GERMANY" not in result.missed


@pytest.mark.django_db
def test_nobody_changes_a_position_without_right_reason_or_difference() -> None:
    game = running_game()
    with pytest.raises(NotAllowed):
        change(game, "BER unit -", by=person("alice").pk)
    with pytest.raises(BadReason):
        change(game, "BER unit -", reason="")
    with pytest.raises(BadRepair, match="changes nothing"):
        change(game, "BER unit GERMANY A BER")
    with pytest.raises(BadRepair, match="no province"):
        change(game, "XXX unit -")
    with pytest.raises(WrongMoment, match="moved on"):
        change(game, "BER unit -", seen="then")
    Story(game).deadline_comes()
    with pytest.raises(WrongMoment, match="deadline has passed"):
        change(game, "BER unit -")
    assert codec.position_of(open_phase(game)).unit_at("BER") is not None


@pytest.mark.django_db
def test_the_page_keeps_the_draft_in_its_address_and_stores_nothing_before_it_is_confirmed() -> None:
    game = running_game()
    browser = Client()
    browser.force_login(person(CAROL))
    path = reverse("games:position", kwargs={"slug": game.slug})
    noted = browser.get(path, {"at": "BER", "unit": "-", "centre": "FRANCE"})
    assert noted.status_code == 302
    page = browser.get(noted.headers["Location"])
    assert "Berlin: nothing instead of German army." in page.content.decode()
    assert "Berlin as a supply centre: France instead of Germany." in page.content.decode()
    again = browser.get(noted.headers["Location"] + "&at=BER&unit=GERMANY+A+BER&centre=GERMANY", follow=True)
    assert "Nothing yet." in again.content.decode()
    wrong = browser.get(path, {"change": "BER unit GERMANY F BER X"})
    assert wrong.status_code == 422
    mark = phase_head(open_phase(game)).mark
    sent = {"change": ["BER unit -"], "seen": mark}
    refused = browser.post(path, {**sent, "reason": ""})
    assert refused.status_code == 422
    assert "Berlin: nothing instead of German army." in refused.content.decode()
    assert codec.position_of(open_phase(game)).unit_at("BER") is not None
    assert browser.post(path, {**sent, "reason": WHY}).status_code == 303
    assert codec.position_of(open_phase(game)).unit_at("BER") is None


# The whole position as text.


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_the_text_of_a_position_says_what_it_says_without_changes(variant: Variant) -> None:
    assert lines_from(write_position(variant.start, variant), variant.start, variant) == []


def test_a_changed_text_gives_the_changes_and_a_wrong_one_says_why() -> None:
    text = write_position(Y1926.start, Y1926)
    lines = lines_from(text.replace("A Berlin", "F Berlin"), Y1926.start, Y1926)
    assert lines == ["BER unit GERMANY F BER"]
    for wrong, why in (
        (text.replace("Spring 1926", "Fall 1926"), "The text is about Fall 1926, movement, but this is Spring 1926"),
        (text.replace("A Berlin", "A Nowhere"), "Nowhere"),
        (re.sub("Minor powers: .*", "", text), "Say where the minor powers’ units are"),
    ):
        with pytest.raises(EditError, match=why):
            lines_from(wrong, Y1926.start, Y1926)


@pytest.mark.django_db
def test_a_text_becomes_the_draft_and_is_kept_if_it_cannot_be_read(client: Client) -> None:
    game = running_game()
    client.force_login(person(CAROL))
    path, text = reverse("games:position", args=[game.slug]), write_position(Y1926.start, Y1926)
    assert "A Berlin" in client.get(path).content.decode()
    answer = client.post(path, {"text": text.replace("A Berlin", "F Berlin")}, follow=True)
    assert "Berlin: German fleet instead of German army." in answer.content.decode()
    page = client.post(path, {"text": text.replace("A Berlin", "A Nowhere")})
    assert page.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "A Nowhere" in page.content.decode()
    assert codec.position_of(open_phase(game)) == Y1926.start
