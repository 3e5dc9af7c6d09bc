"""Which pages users can open, and what they say."""

import re
from http import HTTPStatus

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from games.kernel.game_options import Heading
from games.kernel.parts import Term
from games.mastering.services.desk import pause_game
from games.pages.terms import by_heading
from tests.browsers import address, visitor
from tests.cast import CAROL, DAVE, PASSWORD, PLAYERS, person
from tests.factories import open_phase, powers_of, running_game, waiting_game
from tests.listening import current_version
from tests.story import Story

pytestmark = pytest.mark.django_db

EVERYBODY = "eve", DAVE, PLAYERS[0], CAROL
OK, FOUND, MISSING = HTTPStatus.OK, HTTPStatus.FOUND, HTTPStatus.NOT_FOUND


@pytest.mark.parametrize("who", EVERYBODY)
@pytest.mark.parametrize("name", ["home", "lobby", "variants"])
def test_everybody_may_look_around(name: str, who: str) -> None:
    running_game()
    assert visitor(who).get(reverse(f"games:{name}")).status_code == OK


@pytest.mark.parametrize(
    ("name", "statuses"),
    [
        ("game", (OK, OK, OK, OK)),
        ("pulse", (OK, OK, OK, OK)),
        ("orders", (FOUND, MISSING, OK, MISSING)),
        ("gm", (FOUND, MISSING, MISSING, OK)),
        ("close", (FOUND, MISSING, MISSING, OK)),
        ("seat", (FOUND, FOUND, FOUND, FOUND)),
    ],
)
def test_a_public_game_is_open_to_see_and_its_desks_are_not(name: str, statuses: tuple[int, ...]) -> None:
    game = running_game()
    assert tuple(visitor(who).get(address(name, game)).status_code for who in EVERYBODY) == statuses


def test_the_tabs_of_a_game_say_where_its_players_and_its_master_are() -> None:
    game = running_game(gm_plays=True, gm_sees_bids=False, players=(CAROL, *PLAYERS[1:]))
    carol, marked = (
        visitor(CAROL),
        re.compile(r'<a href="([^"]*)"[^>]* aria-current="page">\s*(?:<svg.*?</svg>\s*)?([\w ]+)'),
    )
    for page, tab in (("gm", "GM desk"), ("close", "GM desk"), ("orders", "My orders"), ("talk", "Messages")):
        found = marked.findall(carol.get(address(page, game), follow=True).content.decode())
        assert [it[1] for it in found] == [tab], page
    assert marked.findall(carol.get(address("terms", game)).content.decode()) == []


def test_who_signs_in_comes_back_to_the_page_they_were_on() -> None:
    page = address("game", running_game())
    sign_in = reverse("account_login")
    assert f'href="{sign_in}?next={page}">Sign in<' in Client().get(page).content.decode()
    person(DAVE)
    answer = Client().post(f"{sign_in}?next={page}", {"login": DAVE, "password": PASSWORD, "next": page})
    assert answer["Location"] == page
    assert f'href="{sign_in}">Sign in<' in Client().get(reverse("account_signup")).content.decode()


@pytest.mark.parametrize("name", ["game", "pulse", "seat"])
def test_a_game_by_invitation_does_not_exist_for_people_without_the_link(name: str) -> None:
    game = waiting_game(by_invitation=True)
    assert visitor(DAVE).get(address(name, game)).status_code == MISSING


def test_an_invitation_link_opens_the_game_and_leaves_the_token_out_of_the_address() -> None:
    game = waiting_game(by_invitation=True)
    dave = visitor(DAVE)
    answer = dave.get(reverse("games:invited", kwargs={"token": game.invitation}))
    assert (answer.status_code, answer["Location"]) == (FOUND, address("game", game))
    assert dave.get(address("game", game)).status_code == OK
    assert dave.post(address("seat", game), {"power": "ITALY"}).status_code == HTTPStatus.SEE_OTHER
    assert Story(game).seen_by(DAVE).my_power == "ITALY"


def test_an_unknown_invitation_is_not_found() -> None:
    assert visitor("eve").get(reverse("games:invited", kwargs={"token": "guessed"})).status_code == MISSING


def test_every_closed_phase_has_an_address_and_the_open_one_is_the_game_itself() -> None:
    game = running_game()
    Story(game).deadline()
    eve = visitor("eve")
    assert eve.get(address("phase", game, ordinal=0)).status_code == OK
    assert eve.get(address("phase", game, ordinal=open_phase(game).ordinal))["Location"] == address("game", game)
    assert eve.get(address("phase", game, ordinal=7)).status_code == MISSING


def test_a_phase_shows_orders_results_and_reasons() -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze", "A Ber-Sil")
    story.order("POLAND", "A Cra-Sil")
    story.deadline()
    page = visitor("eve").get(address("phase", game, ordinal=0)).content.decode()
    assert "A Ber–Sil" in page
    assert "Bounced with" in page
    assert 'data-order="move"' in page


@pytest.mark.parametrize("name", ["games:home", "games:game"])
def test_a_page_with_a_map_travels_compressed(name: str) -> None:
    game = running_game()
    address = reverse(name, kwargs={} if name == "games:home" else {"slug": game.slug})
    plain = Client().get(address).content
    packed = Client(headers={"Accept-Encoding": "gzip"}).get(address)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert len(packed.content) < len(plain) / 2


@pytest.mark.parametrize(("name", "where"), [("game", {}), ("phase", {"ordinal": 0}), ("history", {}), ("whatif", {})])
def test_every_page_around_the_board_says_that_one_is_there(name: str, where: dict[str, int]) -> None:
    game = running_game()
    Story(game).deadline()
    page = visitor("eve").get(address(name, game, **where)).content.decode()
    way = page.partition('<nav class="game-nav"')[2].partition("</nav>")[0]
    assert f'<a href="{address("game", game)}" aria-current="page">' in way
    assert way.count("aria-current") == 1


def test_the_board_is_drawn_into_the_page() -> None:
    page = visitor("eve").get(address("game", running_game())).content.decode()
    assert "<svg" in page
    assert 'data-province="MUN"' in page


def test_terms_stand_under_their_headings_in_the_order_of_the_first_of_each() -> None:
    groups = (Heading.TALK, Heading.WHEN, Heading.WHEN, Heading.TALK)
    talk, first, clock, last = (Term(group, group, str(n)) for n, group in enumerate(groups))
    assert [(it.title, it.terms) for it in by_heading([talk, first, clock, last])] == [
        ("Messages and names", (talk, last)),
        ("Timing", (first, clock)),
    ]


def test_a_paused_game_says_that_its_clock_is_stopped() -> None:
    game = running_game()
    pause_game(game_id=game.pk, by=person(CAROL).pk)
    assert "The game is paused." in visitor("eve").get(address("game", game)).content.decode()


def test_a_player_finds_a_way_to_their_orders_and_an_observer_does_not() -> None:
    game = running_game()
    assert address("orders", game) in visitor(PLAYERS[0]).get(address("game", game)).content.decode()
    assert address("orders", game) not in visitor(DAVE).get(address("game", game)).content.decode()


def test_the_pulse_stays_quiet_until_the_phase_changes() -> None:
    game = running_game()
    seen = {"ordinal": "0", "status": "running", "version": current_version(game.pk)}
    assert "HX-Trigger" not in visitor("eve").get(address("pulse", game), seen)
    Story(game).deadline()
    assert visitor("eve").get(address("pulse", game), seen)["HX-Trigger"] == "phase-changed"


def test_the_pulse_of_an_order_page_warns_and_replaces_nothing_typed() -> None:
    game = running_game()
    Story(game).deadline()
    answer = visitor(PLAYERS[0]).get(address("pulse", game), {"ordinal": "0", "status": "running", "on": "orders"})
    assert "The phase has just ended" in answer.content.decode()
    assert "your saved orders were counted" in answer.content.decode().lower()


def test_a_seat_is_taken_and_left_again() -> None:
    game = waiting_game()
    dave = visitor(DAVE)
    assert "Take a seat" in dave.get(address("terms", game)).content.decode()
    assert dave.post(address("seat", game), {"power": "TURKEY"}).status_code == HTTPStatus.SEE_OTHER
    assert Story(game).seen_by(DAVE).my_power == "TURKEY"
    assert dave.post(address("leave", game)).status_code == HTTPStatus.SEE_OTHER
    assert Story(game).seen_by(DAVE).my_power is None


def test_a_seat_that_is_taken_answers_with_the_reason() -> None:
    game = waiting_game()
    visitor(PLAYERS[0]).post(address("seat", game), {"power": "TURKEY"})
    answer = visitor(DAVE).post(address("seat", game), {"power": "TURKEY"}, follow=True)
    assert "Another player has just taken this seat." in answer.content.decode()


def test_an_unknown_power_cannot_be_taken() -> None:
    game = waiting_game()
    answer = visitor(DAVE).post(address("seat", game), {"power": "ATLANTIS"}, follow=True)
    assert answer.status_code in {OK, MISSING}
    assert Story(game).seen_by(DAVE).my_power is None


def test_a_variant_shows_its_map_its_powers_and_its_rules() -> None:
    game = waiting_game()
    page = visitor("eve").get(reverse("games:variant", kwargs={"slug": game.variant_slug})).content.decode()
    assert "<svg" in page
    assert "Diplomacy Points" in page
    assert '<h2 id="rules-diplomacy-points">' in page
    assert len(powers_of(game)) == 7
    assert visitor("eve").get(reverse("games:variant", kwargs={"slug": "atlantis"})).status_code == MISSING


@pytest.mark.parametrize("name", ["game", "phase", "orders"])
def test_pages_with_a_sheet_are_not_stored_on_the_way(name: str) -> None:
    game = running_game()
    Story(game).deadline()
    more = {"ordinal": 0} if name == "phase" else {}
    assert "no-store" in visitor(PLAYERS[0]).get(address(name, game, **more))["Cache-Control"]


def test_the_theme_is_kept_without_scripts_and_leads_nowhere_else() -> None:
    eve = visitor("eve")
    answer = eve.post(reverse("games:theme"), {"next": "/variants/"})
    assert (answer.status_code, answer["Location"]) == (HTTPStatus.SEE_OTHER, "/variants/")
    assert answer.cookies["theme"].value == "dark"
    assert 'data-theme="dark"' in eve.get("/variants/").content.decode()
    assert eve.post(reverse("games:theme"), {"next": "https://elsewhere.example/"})["Location"] == "/"


def test_a_time_zone_is_checked_and_then_used() -> None:
    dave = visitor(DAVE)
    refused = dave.post(reverse("games:profile"), {"time_zone": "Europe/Atlantis"})
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Europe/Atlantis is not a time zone." in refused.content.decode()
    assert dave.post(reverse("games:profile"), {"time_zone": "Asia/Tokyo"}).status_code == HTTPStatus.SEE_OTHER
    assert "JST" in dave.get(address("game", running_game())).content.decode()


@pytest.mark.parametrize(
    "name", ["account_login", "account_signup", "account_reset_password", "account_reset_password_done"]
)
def test_the_doors_to_an_account_are_open_to_strangers(name: str) -> None:
    assert visitor("eve").get(reverse(name)).status_code == OK


@pytest.mark.parametrize("name", ["account_email", "account_change_password", "games:profile", "account_logout"])
def test_an_account_has_its_pages(name: str) -> None:
    assert visitor(DAVE).get(reverse(name)).status_code == OK


def test_a_page_that_is_not_there_says_so_in_words() -> None:
    answer = visitor("eve").get("/nowhere/")
    assert answer.status_code == MISSING
    assert "There’s nothing here" in answer.content.decode()


def test_a_forgotten_password_is_replaced_through_the_mailbox(mailoutbox: list[EmailMessage]) -> None:
    dave = person(DAVE)
    eve = visitor("eve")
    sent = eve.post(reverse("account_reset_password"), {"email": dave.email}, follow=True)
    assert "Check your email" in sent.content.decode()
    link = re.search(r"http://testserver(/\S+)", str(mailoutbox[0].body))
    assert link is not None
    form = eve.get(link[1], follow=True)
    assert "New password" in form.content.decode()
    chosen = {"password1": "another long walk", "password2": "another long walk"}
    done = eve.post(form.redirect_chain[-1][0], chosen, follow=True)
    assert "Your password has been changed" in done.content.decode()
    assert eve.login(username=DAVE, password="another long walk")


def test_a_used_up_link_to_a_new_password_says_so() -> None:
    page = visitor("eve").get("/accounts/password/reset/key/1-used-up/").content.decode()
    assert "This link has expired" in page
