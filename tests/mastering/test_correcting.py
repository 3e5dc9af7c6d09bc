"""Correcting a whole sheet: what it changes, what it shows first, and what nobody learns."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from games.delivery.letters import deliver_letters
from games.kernel import codec
from games.kernel.game_options import BadOptions, GameOptions
from games.kernel.models import Letter, Phase
from games.kernel.queries import phase_head
from games.kernel.refusals import BadRepair, NotAllowed, WrongMoment
from games.mastering.judging import what_differs_on_replay
from games.mastering.news import SHEET_CORRECTED
from games.mastering.services.correcting import (
    correct_sheet,
    look_at_sheet,
    preview_correction,
    published_orders,
    text_to_correct,
)
from games.mastering.services.desk import close_game
from games.mastering.services.repair import roll_back
from games.orders.bids import look_at_bids
from games.orders.models import Commitment
from games.orders.services import BadSheet
from games.sealed import store
from games.sealed.store import NoAccessToSheet
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, open_phase, running_game
from tests.story import Story
from variants.registry import find

if TYPE_CHECKING:
    from django.core.mail import EmailMessage

    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

WHY = "I misread two orders."


def carol() -> int:
    return person(CAROL).pk


def played(**options: Any) -> Game:
    game = running_game(**options)
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze", "A Ber-Sil", "2: A Aus S A Mun-Cze")
    story.order("ITALY", "A Mil-Swi", "1: A Aus H")
    story.deadline()
    return game


def correct(game: Game, power: str, *lines: str, ordinal: int = 0, **more: Any) -> None:
    seen = phase_head(open_phase(game)).mark
    facts = {"by": carol(), "seen": seen, "reason": WHY, **more}
    correct_sheet(game_id=game.pk, ordinal=ordinal, power=power, text="\n".join(lines), **facts)


def published(game: Game, power: str, ordinal: int = 0) -> tuple[str, ...]:
    return published_orders(game.phases.select_related("result").get(ordinal=ordinal), power)


def newest(game: Game) -> str:
    return Story(game).seen_by(DAVE).events[0].sentence


def test_several_orders_are_corrected_in_one_act_and_everyone_is_told_once() -> None:
    game = played()
    Story(game).deadline()
    Letter.objects.all().delete()
    correct(game, "GERMANY", "A Mun-Bur", "A Ber-Mun")
    assert {"A MUN - BUR", "A BER - MUN"} <= set(published(game, "GERMANY"))
    assert published(game, "ITALY") == ("A MIL - SWI", *published(game, "ITALY")[1:]), "nobody else's"
    assert [phase.turn for phase in game.phases.order_by("ordinal")] == ["S1926M", "F1926M"]
    assert what_differs_on_replay(game_id=game.pk) == ()
    sentence = "A Ber–Sil of Germany counts as A Ber–Mun. A Mun–Cze of Germany counts as A Mun–Bur."
    assert newest(game) == (
        f"carol corrected the orders of Germany for Spring 1926: {sentence} "
        "The phase was adjudicated again. On the board: Burgundy: German army instead of nothing. Czechia: minor "
        "power’s army instead of German army. Munich: German army instead of nothing. Silesia: nothing instead of "
        f"German army. Reason: {WHY}"
    )
    assert Letter.objects.filter(kind=SHEET_CORRECTED.letter).count() == 7
    result = Story(game).seen_by(DAVE, 0).result
    assert result is not None
    assert result.amendments == (f"{sentence} {WHY}",)
    assert Story(game).seen_by(DAVE).has_undone


def test_the_email_says_whether_saved_orders_are_gone(mailoutbox: list[EmailMessage]) -> None:
    game = played()
    Story(game).deadline()
    correct(game, "GERMANY", "A Mun-Bur", "A Ber-Sil")
    deliver_letters()
    roll_back(game_id=game.pk, by=carol(), ordinal=0, seen=phase_head(open_phase(game)).mark, reason=WHY)
    deliver_letters()
    told = [it.body for it in mailoutbox if "a correction" in it.subject and it.to == [person(PLAYERS[0]).email]]
    corrected, back = told
    assert "it has been deleted: enter your orders again" in corrected
    assert "those that are still possible have been kept" in back


def test_a_unit_left_out_holds_and_the_reason_is_told_once_for_all_orders() -> None:
    game = played()
    correct(game, "GERMANY", "A Ber-Mun")
    assert {"A MUN H", "A BER - MUN"} <= set(published(game, "GERMANY"))
    result = Story(game).seen_by(DAVE, 0).result
    assert result is not None
    (told,) = result.amendments
    assert told == f"A Ber–Sil of Germany counts as A Ber–Mun. A Mun–Cze of Germany does not count. {WHY}"


def test_a_correction_of_a_correction_counts_from_what_was_published_last() -> None:
    game = played()
    correct(game, "GERMANY", "A Mun-Bur", "A Ber-Sil")
    correct(game, "GERMANY", "A Mun-Bur", "A Ber-Mun")
    assert {"A MUN - BUR", "A BER - MUN"} <= set(published(game, "GERMANY"))
    assert what_differs_on_replay(game_id=game.pk) == ()


def test_the_minor_powers_are_corrected_like_a_power() -> None:
    game = played()
    was = published(game, "NEUTRAL")
    assert "A AUS S A MUN - CZE" in was
    correct(game, "NEUTRAL", *("A Aus H" if order.startswith("A AUS") else order for order in was))
    assert "A AUS H" in published(game, "NEUTRAL")
    assert "corrected an order of Spring 1926: A Aus S A Mun–Cze of a minor power counts as A Aus holds." in newest(
        game
    )
    assert what_differs_on_replay(game_id=game.pk) == ()


def test_builds_are_added_changed_and_removed() -> None:
    game = running_game(variant="standard")
    story = Story(game)
    story.order("GERMANY", "F Kie-Den", "A Mun-Ruh", "A Ber-Kie")
    story.deadline()
    story.order("GERMANY", "A Kie-Hol", "A Ruh-Bel")
    story.deadline()
    assert open_phase(game).turn == "W1901A"
    story.order("GERMANY", "Build A Mun", "Build F Ber")
    story.deadline()
    ordinal = open_phase(game).ordinal - 1
    assert published(game, "GERMANY", ordinal) == ("BUILD F BER", "BUILD A MUN")
    correct(game, "GERMANY", "Build A Mun", "Build A Ber", "Build F Kie", ordinal=ordinal)
    position = codec.position_of(open_phase(game))
    units = {str(unit) for unit in position.units_of("GERMANY")}
    assert {"A BER", "F KIE", "A MUN"} <= units
    assert "Build F Kie of Germany counts as well." in newest(game) or "counts as Build" in newest(game)
    correct(game, "GERMANY", "Build A Mun", ordinal=ordinal)
    assert published(game, "GERMANY", ordinal) == ("BUILD A MUN",)
    assert what_differs_on_replay(game_id=game.pk) == ()


def test_a_power_that_ordered_nothing_in_winter_gets_its_builds() -> None:
    game = running_game(variant="standard")
    story = Story(game)
    story.order("GERMANY", "F Kie-Den")
    story.deadline()
    story.deadline()
    story.deadline()
    ordinal = open_phase(game).ordinal - 1
    assert published(game, "GERMANY", ordinal) == ()
    correct(game, "GERMANY", "Build F Kie", ordinal=ordinal)
    assert codec.position_of(open_phase(game)).unit_at("KIE") is not None
    assert "counts as well." in newest(game)
    assert what_differs_on_replay(game_id=game.pk) == ()


def test_a_correction_is_refused_with_what_is_wrong_and_changes_nothing() -> None:
    game = played()
    for power, lines, error, why in (
        ("GERMANY", ("A Mun-Mos",), BadSheet, "1 line has a mistake"),
        ("GERMANY", ("perhaps not",), BadSheet, "1 line has a mistake"),
        ("GERMANY", ("A Mil-Swi",), BadSheet, "1 line has a mistake"),
        ("NEUTRAL", ("A Aus-Cze",), BadSheet, "1 line has a mistake"),
        ("GERMANY", ("A Mun-Cze", "A Ber-Sil"), BadRepair, "changes nothing"),
        ("GERMANY", ("A Mun-Cze", "1: A Aus H"), BadRepair, "Bids can’t be corrected here"),
        ("ATLANTIS", ("A Mun-Cze",), BadRepair, "no orders to correct"),
    ):
        with pytest.raises(error, match=why):
            correct(game, power, *lines)
    with pytest.raises(WrongMoment, match="has moved on"):
        correct(game, "GERMANY", "A Mun H", seen="0 then")
    with pytest.raises(NotAllowed):
        correct(game, "GERMANY", "A Mun H", by=person("alice").pk)
    with pytest.raises(NotAllowed, match="bids can’t be corrected"):
        correct(game, "GERMANY", "A Mun H", bids=True)
    assert not game.undoings.exists()


def test_the_preview_says_what_changes_and_changes_nothing() -> None:
    game = played()
    lines = "A Mun-Bur\nA Ber-Sil"
    seen = preview_correction(game_id=game.pk, by=carol(), ordinal=0, power="GERMANY", text=lines)
    assert seen.orders == ("A Mun–Cze of Germany counts as A Mun–Bur.",)
    assert "Burgundy: German army instead of nothing." in seen.changes
    assert "A Mun–Bur" in [outcome.text for outcome in seen.outcomes]
    assert (seen.bids, seen.bids_before) == ((), ())
    assert not game.undoings.exists()
    assert not game.events.filter(kind="bids looked at").exists()
    correct(game, "GERMANY", *lines.splitlines())
    position = codec.position_of(open_phase(game))
    assert seen.following.units == phase_view_units(game)
    assert position.unit_at("BUR") is not None


def phase_view_units(game: Game) -> Any:
    return Story(game).seen_by(DAVE).drawing.units


def test_the_pages_lead_from_the_published_orders_by_a_preview_to_the_correction() -> None:
    game = played()
    browser = visitor(CAROL)
    desk = browser.get(reverse("games:choose-orders", args=[game.slug, 0])).content.decode()
    page = reverse("games:correct", args=[game.slug, 0, "GERMANY"])
    assert page in desk
    form = browser.get(page).content.decode()
    assert "A MUN - CZE\nA BER - SIL" in form or "A BER - SIL" in form
    assert "A AUS" not in form.partition("<textarea")[2].partition("</textarea>")[0]
    sent = {"text": "A Mun-Bur\nA Ber-Sil", "reason": WHY, "seen": phase_head(open_phase(game)).mark}
    assert browser.post(page).status_code == 422
    wrong = browser.post(page, {**sent, "text": "A Mun-Mos\nA Ber-Sil"})
    assert wrong.status_code == 422
    assert "Line 1, “A Mun-Mos”" in wrong.content.decode()
    assert "A Mun-Mos\nA Ber-Sil" in wrong.content.decode().replace("\r\n", "\n"), "nothing typed is lost"
    preview = browser.post(page, sent).content.decode()
    assert "Nothing has changed yet." in preview
    assert 'name="text" value="A Mun-Bur' in preview
    assert not game.undoings.exists()
    again = browser.post(page, {**sent, "do": "edit"}).content.decode()
    assert "A Mun-Bur" in again
    assert browser.post(page, {**sent, "do": "apply"}).status_code == 303
    assert "A MUN - BUR" in published(game, "GERMANY")


# Bids.


def test_bids_are_corrected_with_the_orders_where_the_terms_say_so() -> None:
    game = played(gm_corrects_bids=True)
    first = Commitment.objects.get(phase__game=game)
    text = look_at_sheet(game_id=game.pk, by=carol(), ordinal=0, power="GERMANY")
    assert text.endswith("2: A AUS S A MUN - CZE")
    assert newest(game) == "carol looked at the bids of Spring 1926."
    lines = (*text.splitlines()[:-1], "1: A Hun H")
    seen = preview_correction(game_id=game.pk, by=carol(), ordinal=0, power="GERMANY", text="\n".join(lines), bids=True)
    assert [(bid.points, bid.canonical) for bid in seen.bids] == [(1, "A HUN H")]
    assert [(bid.points, bid.canonical) for bid in seen.bids_before] == [(2, "A AUS S A MUN - CZE")]
    assert game.events.filter(kind="bids looked at").count() == 1, "one line for a look and a preview"
    correct(game, "GERMANY", *lines, bids=True)
    assert "A AUS H" in published(game, "NEUTRAL"), "the other bid is now the highest"
    assert newest(game) == (
        "carol corrected the orders and bids of Germany for Spring 1926: No order changes. The phase was adjudicated "
        "again. On the board: Czechia: minor power’s army instead of German army. Munich: German army instead of "
        f"nothing. Reason: {WHY}"
    )
    assert what_differs_on_replay(game_id=game.pk) == ()
    new = Commitment.objects.get(phase=game.phases.get(ordinal=0))
    assert new.previous == first.code, "the old record stays"
    assert {power for power in new.codes if new.codes[power] != first.codes[power]} == {"GERMANY"}
    bids = {it.power: [bid.canonical for bid in it.bids] for it in look_at_bids(game_id=game.pk, by=carol(), ordinal=0)}
    assert bids == {"GERMANY": ["A HUN H"], "ITALY": ["A AUS H"]}
    own = Story(game).seen_by(occupancy_of(game, "GERMANY").user.username, 0).own_sheet
    assert own is not None
    assert (own.text.splitlines()[-1], own.by_gm) == ("1: A HUN H", True)
    other = Story(game).seen_by(occupancy_of(game, "ITALY").user.username, 0).own_sheet
    assert other is not None
    assert not other.by_gm


def test_corrected_bids_are_those_that_are_published_at_the_end() -> None:
    game = played(gm_corrects_bids=True, open_bids_at_end=True)
    correct(game, "GERMANY", "A Mun-Cze", "A Ber-Sil", "1: A Hun H", bids=True)
    close_game(game_id=game.pk, by=carol())
    opened = Story(game).seen_by(DAVE, 0).opened_bids
    assert opened is not None
    assert {it.power: [bid.canonical for bid in it.bids] for it in opened}["GERMANY"] == ["A HUN H"]
    assert what_differs_on_replay(game_id=game.pk) == ()


def test_too_many_points_are_refused_as_in_any_sheet() -> None:
    game = played(gm_corrects_bids=True)
    with pytest.raises(BadSheet):
        correct(game, "GERMANY", "A Mun-Cze", "4: A Hun H", bids=True)
    assert not game.undoings.exists()


def test_without_the_term_no_door_opens_to_bids() -> None:
    game = played()
    with pytest.raises(NotAllowed, match="bids can’t be corrected"):
        look_at_sheet(game_id=game.pk, by=carol(), ordinal=0, power="GERMANY")
    old = game.phases.get(ordinal=0)
    old.closed, new = old.closed, Phase.objects.get(pk=old.pk)
    with pytest.raises(NoAccessToSheet):
        store.copy_to_corrected_phase(old, new, {"GERMANY": store.BLANK})
    assert not game.events.filter(kind="bids looked at").exists()
    browser = visitor(CAROL)
    assert (
        "correct them too" not in browser.get(reverse("games:correct", args=[game.slug, 0, "GERMANY"])).content.decode()
    )


def test_the_term_needs_a_game_master_who_does_not_play_and_may_look_at_bids() -> None:
    for wrong in ({"gm_plays": True}, {"gm_sees_bids": False}):
        with pytest.raises(BadOptions, match="isn’t playing and may look at bids"):
            GameOptions.create(find("1926"), gm_corrects_bids=True, **wrong)
    terms = GameOptions.create(find("1926"), gm_corrects_bids=True).terms()
    assert any("can correct the bids of a past phase" in term.sentence for term in terms)
    without_bids = GameOptions.create(find("standard"), gm_corrects_bids=True).terms()
    assert not any("bids" in term.sentence for term in without_bids)


# Several powers in one act.


def both(game: Game) -> str:
    return text_to_correct(game.phases.select_related("result", "game").get(ordinal=0), "GERMANY+ITALY")


def test_the_orders_of_several_powers_are_corrected_in_one_act() -> None:
    game = played()
    Letter.objects.all().delete()
    text = both(game)
    assert text.startswith("Germany:\nA BER - SIL\n")
    assert "\n\nItaly:\nA MIL - SWI\n" in text
    lines = text.replace("A MUN - CZE", "A Mun-Bur").replace("A MIL - SWI", "A Mil-Pie")
    undone = game.events.count()
    correct(game, "GERMANY+ITALY", *lines.splitlines())
    assert {"A MUN - BUR", "A MIL - PIE"} <= {*published(game, "GERMANY"), *published(game, "ITALY")}
    assert newest(game).startswith(
        "carol corrected the orders of Germany and Italy for Spring 1926: A Mun–Cze of Germany counts as A Mun–Bur. "
        "A Mil–Swi of Italy counts as A Mil–Pie."
    )
    assert game.events.count() == undone + 1
    assert Letter.objects.filter(kind=SHEET_CORRECTED.letter).count() == 7
    assert what_differs_on_replay(game_id=game.pk) == ()
    path, asked = reverse("games:choose-orders", args=[game.slug, 0]), {"power": ["GERMANY", "ITALY"]}
    chosen = visitor(CAROL).get(path, asked, follow=True)
    assert "Germany and Italy: correct the orders" in chosen.content.decode()
    for odd in ("", "a/b", "ATLANTIS"):
        assert visitor(CAROL).get(path, {"power": odd}).status_code == HTTPStatus.OK
        assert visitor(DAVE).get(path, {"power": odd}).status_code == visitor(DAVE).get(path).status_code


def test_the_orders_of_several_powers_stand_below_their_names() -> None:
    game = played()
    with pytest.raises(BadRepair, match="Missing: Italy"):
        correct(game, "GERMANY+ITALY", "Germany:", "A Mun-Bur")
    with pytest.raises(BadSheet) as refused:
        correct(game, "GERMANY+ITALY", "Germany:", "A Mun-Bur", "Italy:", "A Nowhere H")
    assert [it.line for it in refused.value.sheet.problems] == [4]
    with pytest.raises(BadRepair, match="one power at a time"):
        correct(game, "GERMANY+ITALY", *both(game).splitlines(), bids=True)
