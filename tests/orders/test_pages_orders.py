"""The order page: both ways to enter orders, a sentence for every mistake, and nothing typed is lost."""

from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse

from games.kernel.models import Game
from games.kernel.queries import phase_head
from games.kernel.refusals import OpenedAgain
from games.management.rehearsal import create_bot_game, play_phase
from games.mastering.services.repair import roll_back
from games.orders.services import save_sheet, set_ready
from games.orders.sheets import SentSheet
from tests.cast import CAROL, PLAYERS, person
from tests.factories import VARIANT, occupancy_of, open_phase, powers_of, running_game
from tests.story import Story

pytestmark = pytest.mark.django_db

UNPROCESSABLE, CONFLICT, SEE_OTHER = (HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.CONFLICT, HTTPStatus.SEE_OTHER)
CONTROLS = {
    "use": "controls",
    "order-MUN": "A MUN - CZE",
    "order-BER": "A BER H",
    "order-HAM": "F HAM - HEL",
    "bid-0-minor": "AUS",
    "bid-0-order": "A AUS S A MUN - CZE",
    "bid-0-points": "2",
}


def german(game: Game) -> Client:
    """The browser of Germany's player."""
    client = Client()
    client.force_login(occupancy_of(game, "GERMANY").user)
    return client


def orders_of(game: Game) -> str:
    return reverse("games:orders", kwargs={"slug": game.slug})


def saved_text(game: Game) -> str:
    order_sheet = Story(game).seen_by(occupancy_of(game, "GERMANY").user.username).order_sheet
    assert order_sheet is not None
    return order_sheet.text


def send(game: Game, **changed: str) -> tuple[int, str]:
    """Post the form with these fields changed; the status and the page."""
    form = {"ordinal": str(open_phase(game).ordinal), **CONTROLS, **changed}
    answer = german(game).post(orders_of(game), form)
    return answer.status_code, answer.content.decode()


def test_a_page_that_may_hold_a_sheet_repeats_nothing_of_the_question_it_was_asked() -> None:
    game = running_game()
    client = german(game)
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze")
    story.deadline()
    for page in (orders_of(game), reverse("games:game", args=[game.slug]), reverse("games:phase", args=[game.slug, 0])):
        answer = client.get(page, {"guess": "zzyzx"})
        assert answer.status_code == 200
        assert "zzyzx" not in answer.content.decode(), "otherwise the length of the compressed page would reveal orders"


def test_a_save_says_what_is_still_open_and_which_points_are_unused() -> None:
    game = running_game()
    form = {"ordinal": "0", **CONTROLS}
    unused = "1 of 3 points unused; unused points are lost."
    complete = german(game).post(orders_of(game), form, follow=True).content.decode()
    assert f"Orders saved. All your units have orders. {unused}" in complete
    sparing = german(game).post(orders_of(game), {**form, "order-BER": ""}, follow=True).content.decode()
    assert f"Orders saved. Still open: A Ber. Units without orders hold. {unused}" in sparing


def test_the_controls_are_saved() -> None:
    game = running_game()
    assert send(game)[0] == SEE_OTHER
    page = german(game).get(orders_of(game)).content.decode()
    assert '<option value="A MUN - CZE" selected>' in page
    assert '<option value="A AUS S A MUN - CZE" selected>' in page
    assert "These orders count at the deadline." in page


def test_the_map_shows_what_is_saved_and_what_a_refused_sheet_would_do() -> None:
    game = running_game()
    assert 'data-order="' not in german(game).get(orders_of(game)).content.decode()
    send(game)
    page = german(game).get(orders_of(game)).content.decode()
    assert "<title>A Mun–Cze</title>" in page
    assert "<title>Bid of 2 points: A Aus S A Mun–Cze</title>" in page
    assert "The map shows your saved orders." in page
    _status, page = send(game, use="text", text="A Mun-Bur\nA Ber-Atlantis")
    assert "<title>A Mun–Bur</title>" in page
    assert "The map shows the orders below, which are not saved." in page


def test_the_text_is_saved_and_sets_the_controls() -> None:
    game = running_game()
    status, _page = send(game, use="text", text="A Mun-Cze\nA Berlin holds\n2: A Aus S A Mun-Cze")
    assert status == SEE_OTHER
    page = german(game).get(orders_of(game)).content.decode()
    assert '<option value="A BER H" selected>' in page
    assert '<option value="F HAM - HEL" selected>' not in page
    assert "Still open: F Ham" in page


def test_a_sheet_that_was_not_typed_is_shown_as_people_write_and_can_be_saved_so() -> None:
    game = running_game()
    send(game)
    written = "A Mun–Cze\nA Ber holds\nF Ham–HEL\n2: A Aus S A Mun–Cze"
    page = german(game).get(orders_of(game)).content.decode()
    assert f"{written}</textarea>" in page
    before = Story(game).seen_by(occupancy_of(game, "GERMANY").user.username).order_sheet
    assert send(game, use="text", text=written)[0] == SEE_OTHER
    after = Story(game).seen_by(occupancy_of(game, "GERMANY").user.username).order_sheet
    assert before is not None
    assert after is not None
    assert (after.rows, after.bids) == (before.rows, before.bids)


def test_a_line_of_ones_own_is_shown_as_it_was_typed() -> None:
    game = running_game()
    send(game, use="text", text="# first the east\na munich to czechia")
    page = german(game).get(orders_of(game)).content.decode()
    assert "# first the east\na munich to czechia</textarea>" in page


def test_reading_the_text_shows_it_in_the_controls_and_stores_nothing() -> None:
    game = running_game()
    read = reverse("games:read", kwargs={"slug": game.slug})
    form = {"ordinal": "0", "use": "text", "text": "A Mun-Cze\nA Par-Bur"}
    page = german(game).post(read, form).content.decode()
    assert '<option value="A MUN - CZE" selected>' in page
    assert "Not saved yet" in page
    assert "Line 2" in page
    assert saved_text(game) == ""


def test_whether_choices_are_complete_is_told_without_the_rest_of_the_sheet() -> None:
    game = running_game()
    read = reverse("games:read", kwargs={"slug": game.slug})
    form = {"ordinal": "0", "use": "controls", "order-MUN": "A MUN - CZE"}
    told = german(game).post(read, form, headers={"HX-Target": "state-complete"}).content.decode()
    assert told.startswith('<div class="state state--complete" id="state-complete">')
    assert "Still open: " in told
    assert "A Mun" not in told
    assert "<form" not in told
    assert saved_text(game) == ""


def test_why_an_order_is_impossible_is_told_in_the_judges_words_alone() -> None:
    game = running_game()
    read = reverse("games:read", kwargs={"slug": game.slug})
    for order, why in {
        "A MUN - POM": "A Mun cannot reach Pomerania in one move.",
        "A MUN - NTH": "An army cannot enter North Sea, which is sea.",
        "A MUN - CZE": "",
    }.items():
        form = {"ordinal": "0", "use": "text", "text": order}
        assert german(game).post(read, form, headers={"HX-Target": "why"}).content.decode() == why
    assert saved_text(game) == ""


def test_a_page_that_stays_gets_what_a_save_has_changed_and_no_map() -> None:
    game = running_game()
    form = {"ordinal": "0", "use": "controls", "order-MUN": "A MUN - CZE"}
    saved = german(game).post(orders_of(game), form, headers={"HX-Target": "saved"})
    told = saved.content.decode()
    assert saved.status_code == HTTPStatus.OK
    assert '<p id="saved">Orders saved. Still open: A Ber, F Ham.' in told
    assert "These orders count at the deadline." in told
    assert 'id="receipt-code"' in told
    assert 'class="board"' not in told
    assert saved_text(game) == "A MUN - CZE"
    refused = german(game).post(orders_of(game), {**form, "order-MUN": "A MUN - XYZ"}, headers={"HX-Target": "saved"})
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"order-MUN": "A MUN - XYZ"}, "XYZ"),
        ({"order-MUN": "A PAR - BUR"}, "PAR"),
        ({"order-HAM": "F HAM - MUN"}, "Ham"),
        ({"bid-0-minor": "BER", "bid-0-order": "A BER H"}, "minor"),
        ({"bid-0-points": "4"}, "You have 3 points and bid 4"),
        ({"bid-0-points": "many"}, "many"),
        ({"bid-0-order": ""}, "Choose an order for"),
        ({"order-XYZ": "A MUN H", "order-MUN": ""}, "You have nothing to order in XYZ"),
        ({"order-MUN": "A BER H", "order-BER": ""}, "This isn’t on the list"),
        ({"order-MUN": "# nothing"}, "This isn’t on the list"),
    ],
    ids=[
        "unknown province",
        "another's unit",
        "a fleet inland",
        "a bid on no minor",
        "four points",
        "points in words",
        "a bid without an order",
        "no such unit",
        "one unit's order in another's row",
        "a remark instead of an order",
    ],
)
def test_a_mistake_in_the_controls_is_named_and_what_was_sent_stays(changed: dict[str, str], named: str) -> None:
    game = running_game()
    status, page = send(game, **changed)
    assert status == UNPROCESSABLE
    assert "Not saved: " in page
    assert named in page
    assert '<option value="F HAM - HEL" selected>' in page or "F HAM - MUN" in page
    for sent in changed.values():
        assert sent in page
    assert saved_text(game) == ""


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("A Mun-Atlantis", "Atlantis"),
        ("A Par-Bur", "Par"),
        ("F Ham-Mun", "Ham"),
        ("1: A Mun S A Ber", "Mun"),
        ("4: A Aus S A Mun-Cze", "You have 3 points and bid 4"),
    ],
    ids=["unknown province", "another's unit", "a fleet inland", "a bid on no minor", "four points"],
)
def test_a_mistake_in_the_text_is_named_by_its_line_and_the_text_stays(line: str, named: str) -> None:
    game = running_game()
    status, page = send(game, use="text", text=f"A Ber H\n{line}")
    assert status == UNPROCESSABLE
    assert "Line 2" in page
    assert named in page
    assert f"A Ber H\n{line}</textarea>" in page
    assert saved_text(game) == ""


def test_a_refused_sheet_leaves_the_one_saved_before() -> None:
    game = running_game()
    Story(game).order("GERMANY", "A Mun H")
    _status, page = send(game, **{"bid-0-points": "4"})
    assert "Your earlier orders count until you save." in page
    assert saved_text(game) == "A Mun H"


def test_an_order_after_the_deadline_is_not_counted_and_shows_what_was() -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Mun-Bur")
    story.deadline_comes()
    status, page = send(game)
    assert status == CONFLICT
    assert "Too late: the deadline has passed" in page
    assert "A Mun–Bur" in page
    assert "A MUN - CZE" in page


def test_an_order_for_a_phase_that_is_over_is_not_counted_for_the_next() -> None:
    game = running_game()
    Story(game).deadline()
    status, page = send(game, ordinal="0")
    assert status == CONFLICT
    assert "Too late: the deadline has passed" in page
    assert "You saved nothing, so your units held and you bid nothing." in page
    assert saved_text(game) == ""


@pytest.mark.parametrize("ordinal", ["", "x", "-1", "99999999999999"])
def test_a_form_without_a_phase_saves_nothing(ordinal: str) -> None:
    game = running_game()
    status, _page = send(game, ordinal=ordinal)
    assert status in {HTTPStatus.NOT_FOUND, CONFLICT}
    assert saved_text(game) == ""


def test_a_form_of_a_phase_that_was_opened_again_is_shown_once_more_before_it_is_saved() -> None:
    game = running_game(all_ready=True)
    story, carol = Story(game), person(CAROL).pk
    story.order("GERMANY", "A Ber-Sil")
    old = phase_head(open_phase(game)).mark
    assert f'name="mark" value="{old}"' in german(game).get(orders_of(game)).content.decode()
    story.deadline()
    now = phase_head(open_phase(game)).mark
    roll_back(game_id=game.pk, by=carol, ordinal=0, seen=now, reason="A holiday.")
    again = phase_head(open_phase(game)).mark
    status, page = send(game, mark=old)
    assert status == CONFLICT
    assert "Not saved: this phase has been reopened" in page
    assert '<option value="A MUN - CZE" selected>' in page
    assert f'name="mark" value="{again}"' in page
    assert saved_text(game) == "A Ber-Sil"
    ready = reverse("games:ready", kwargs={"slug": game.slug})
    form = {"ordinal": "0", "mark": old, "ready": "yes"}
    answer = german(game).post(ready, form, follow=True).content.decode()
    assert "has reopened Spring 1926, movement, since you opened this page" in answer
    assert not open_phase(game).readiness.exists()
    with pytest.raises(OpenedAgain):
        save_sheet(occupancy_id=occupancy_of(game, "GERMANY").pk, sheet=SentSheet("A Ber H", 0, mark=old))
    assert send(game, mark=again)[0] == SEE_OTHER
    assert "A MUN - CZE" in saved_text(game)


def test_asking_for_a_minors_orders_without_scripts_keeps_everything_and_saves_nothing() -> None:
    game = running_game()
    status, page = send(game, use="look", **{"bid-0-order": "", "bid-0-minor": "BEL"})
    assert status == HTTPStatus.OK
    assert '<option value="A BEL H"' in page
    assert '<option value="BEL" selected>' in page
    assert saved_text(game) == ""


def test_saying_ready_is_its_own_act_and_saves_nothing() -> None:
    game = running_game(all_ready=True)
    ready = reverse("games:ready", kwargs={"slug": game.slug})
    answer = german(game).post(ready, {"ordinal": "0", "ready": "yes", "sure": "yes"})
    assert answer["Location"] == orders_of(game)
    page = german(game).get(orders_of(game)).content.decode()
    assert "I’m not ready" in page
    assert "Nothing saved" in page


def test_a_player_who_leaves_something_open_is_asked_once_whether_they_are_ready() -> None:
    game = running_game(all_ready=True)
    ready = reverse("games:ready", kwargs={"slug": game.slug})
    form = {"ordinal": "0", "ready": "yes"}
    send(game, text="A Ber-Sil\n1: A Aus H", use="text")
    asked = german(game).post(ready, form, follow=True).content.decode()
    assert "Are you ready? Something is still open" in asked
    assert "A Mun, F Ham: units without orders hold." in asked
    assert "2 of 3 points unused; unused points are lost." in asked
    assert asked.count("button--main") == 1
    assert not open_phase(game).readiness.exists()
    german(game).post(ready, {**form, "sure": "yes"})
    assert open_phase(game).readiness.count() == 1
    assert "Something is still open" not in german(game).get(f"{orders_of(game)}?ready").content.decode()


def test_a_player_whose_orders_are_complete_is_not_asked() -> None:
    game = running_game(all_ready=True)
    send(game, text="A Ber-Sil\nA Mun H\nF Ham H\n3: A Aus H", use="text")
    german(game).post(reverse("games:ready", kwargs={"slug": game.slug}), {"ordinal": "0", "ready": "yes"})
    assert open_phase(game).readiness.count() == 1


def test_the_last_player_to_be_ready_waits_for_the_result_and_sees_no_old_position_or_deadline() -> None:
    game = running_game(all_ready=True)
    for power in set(powers_of(game)) - {"GERMANY"}:
        set_ready(occupancy_id=occupancy_of(game, power).pk, ordinal=0, ready=True)
    form = {"ordinal": "0", "ready": "yes", "sure": "yes"}
    answer = german(game).post(reverse("games:ready", kwargs={"slug": game.slug}), form, follow=True)
    shown = answer.content.decode()
    assert answer.redirect_chain == [(reverse("games:game", kwargs={"slug": game.slug}), SEE_OTHER)]
    assert "The result comes in a moment." in shown
    assert 'id="board"' not in shown
    assert "Deadline" not in shown


def test_a_game_without_readiness_has_no_button_for_it() -> None:
    game = running_game()
    assert "I’m ready" not in german(game).get(orders_of(game)).content.decode()


def test_every_kind_of_phase_has_its_order_page() -> None:
    players = [person(name).pk for name in PLAYERS]
    game = create_bot_game(name="Rehearsal", variant=VARIANT, gm=person(CAROL).pk, players=players, early=True)
    headings = {
        "M": {"Orders": "Choose one of your units, or a minor power’s to bid for its order."},
        "R": {"Retreats": "Choose a unit that has to retreat."},
        "A": {"Builds": "Choose a province to build in.", "Removals": "Choose a unit to remove it."},
    }
    shown: dict[str, set[str]] = {kind: set() for kind in headings}
    while not all(shown.values()):
        for name in PLAYERS:
            order_sheet = Story(game).seen_by(name).order_sheet
            assert order_sheet is not None
            client = Client()
            client.force_login(person(name))
            page = client.get(orders_of(game)).content.decode()
            assert all(f'name="order-{row.location}"' in page for row in order_sheet.rows)
            if order_sheet.rows:
                here = {heading for heading in headings[order_sheet.kind] if f"<h2>{heading}</h2>" in page}
                assert all(f'data-tap="{headings[order_sheet.kind][heading]}"' in page for heading in here)
                shown[order_sheet.kind] |= here
        play_phase(game)


def test_nobody_else_has_this_order_page() -> None:
    game = running_game()
    for name in ("dave", "carol"):
        client = Client()
        client.force_login(person(name))
        assert client.get(orders_of(game)).status_code == HTTPStatus.NOT_FOUND
        assert client.post(orders_of(game), CONTROLS).status_code == HTTPStatus.NOT_FOUND


def test_a_player_with_nothing_to_decide_is_not_asked_to_tap() -> None:
    game = running_game()
    phase = open_phase(game)
    phase.turn = "W1926A"
    phase.position = {**phase.position, "turn": phase.turn}
    phase.save()
    shown = german(game).get(orders_of(game)).content.decode()
    assert 'data-tap="You have nothing to decide."' in shown
