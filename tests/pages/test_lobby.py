"""Creating games, taking and leaving seats."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse

from diplomacy_site.accounts.leaving import delete_account
from games.deadlines.news import GAME_STARTED
from games.deadlines.options import PhaseLengths
from games.kernel.cards import MOST_CARDS, game_cards
from games.kernel.models import Event, Game, Letter, Occupancy, Phase, Status
from games.kernel.parts import GamePage
from games.kernel.refusals import BadGame, NotAllowed, SeatTaken, WrongMoment
from games.mastering.services.desk import close_game, start_game
from games.pages.queries import GameLists, showcase
from games.sealed.models import Sheets
from games.sealed.options import has_bids
from games.seating.news import BOT_STOPPED, GAME_CREATED, SEAT_TAKEN
from games.seating.services.new_game import create_game, leave_before_start, let_bot_play, take_over_from_bot, take_seat
from games.templatetags.site_words import up_to_99
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import HOUR, VARIANT, occupancy_of, open_phase, powers_of, running_game, waiting_game
from tests.sealed.slots import slots_of
from variants.registry import find, offered
from variants.variant import Variant

pytestmark = pytest.mark.django_db


def test_a_new_game_has_one_free_seat_for_every_power_and_pins_its_variant() -> None:
    game = waiting_game(name="  Locarno   1925 ")
    variant = find(VARIANT)
    assert game.name == "Locarno 1925"
    assert game.slug.startswith("locarno-1925-")
    assert (game.status, game.gm) == (Status.OPEN, person(CAROL))
    assert [seat.power for seat in game.seats.order_by("power")] == powers_of(game)
    assert (game.variant_slug, game.variant_version, game.variant_digest) == (
        variant.slug,
        variant.version,
        variant.digest,
    )
    assert [event.kind for event in game.events.all()] == [GAME_CREATED.log]
    assert not Sheets.rows.exists()


def test_retreats_and_adjustments_get_half_of_the_movement_time_unless_chosen() -> None:
    assert waiting_game(movement_seconds=24 * HOUR).options[PhaseLengths].retreat_seconds == 12 * HOUR
    assert waiting_game(movement_seconds=90).options[PhaseLengths].adjustment_seconds == 60
    assert waiting_game(movement_seconds=40).options[PhaseLengths].retreat_seconds == 40
    assert waiting_game(movement_seconds=HOUR, retreat_seconds=300).options[PhaseLengths].retreat_seconds == 300


def test_a_game_that_cannot_be_is_refused_field_by_field() -> None:
    with pytest.raises(BadGame) as refused:
        create_game(by=person(CAROL).pk, name="x", variant="atlantis", movement_seconds=5)
    assert refused.value.problems == {
        "name": "The name must have 3 to 80 characters.",
        "variant": "There is no such variant. Choose one from the list.",
        "movement_seconds": "Movement phases must last between 30 seconds and 14 days.",
        "retreat_seconds": "Retreat phases must last between 30 seconds and 14 days.",
        "adjustment_seconds": "Adjustment phases must last between 30 seconds and 14 days.",
    }
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    "name",
    ["Win at www.evil.example", "evil.example/x", "http://evil", "evil。рф now", "10.1.2.3 is open", "a\u200bb.co"],
)
def test_no_game_is_named_with_a_web_address(name: str) -> None:
    with pytest.raises(BadGame) as refused:
        create_game(by=person(CAROL).pk, name=name, variant="1926", movement_seconds=90)
    assert refused.value.problems["name"].startswith("The name can’t contain a web address.")
    assert not Game.objects.exists()


@pytest.mark.parametrize("name", ["Treaty of St. Petersburg", "No.2 of 3", "Round 1.5", "Wait… what?", "A.E.I.O.U."])
def test_a_game_may_have_dots_in_its_name(name: str) -> None:
    assert waiting_game(name=name).name == name


def test_a_seat_is_taken_by_choice_or_by_lot() -> None:
    game = waiting_game()
    assert take_seat(game_id=game.pk, user_id=person("alice").pk, power="TURKEY") == "TURKEY"
    drawn = take_seat(game_id=game.pk, user_id=person("bob").pk)
    assert drawn in set(powers_of(game)) - {"TURKEY"}
    assert occupancy_of(game, drawn).user == person("bob")
    assert game.events.filter(kind=SEAT_TAKEN.log).count() == 2


def test_nobody_gets_a_taken_seat_or_a_second_seat() -> None:
    game = waiting_game()
    take_seat(game_id=game.pk, user_id=person("alice").pk, power="TURKEY")
    with pytest.raises(SeatTaken, match="Another player has just taken this seat"):
        take_seat(game_id=game.pk, user_id=person("bob").pk, power="TURKEY")
    with pytest.raises(SeatTaken, match="You already have a seat"):
        take_seat(game_id=game.pk, user_id=person("alice").pk, power="ITALY")
    with pytest.raises(NotAllowed, match="no such power"):
        take_seat(game_id=game.pk, user_id=person("bob").pk, power="ATLANTIS")
    assert Occupancy.objects.count() == 1


def test_the_last_one_to_sit_down_starts_the_game() -> None:
    game = running_game()
    assert game.status == Status.RUNNING
    phase = open_phase(game)
    assert (phase.ordinal, phase.turn) == (0, find(VARIANT).start.turn.code)
    assert phase.deadline is not None
    assert (phase.deadline - phase.opened).total_seconds() == 24 * HOUR
    assert len(slots_of(phase)) == len(PLAYERS)
    with pytest.raises(WrongMoment, match="already started"):
        take_seat(game_id=game.pk, user_id=person(DAVE).pk)
    written = {(letter.kind, letter.user.username) for letter in Letter.objects.select_related("user")}
    assert {(GAME_STARTED.letter, name) for name in (*PLAYERS, CAROL)} == written


def test_a_game_master_sits_down_only_where_the_game_says_so() -> None:
    with pytest.raises(NotAllowed, match="game master, who doesn’t play"):
        take_seat(game_id=waiting_game().pk, user_id=person(CAROL).pk)
    game = waiting_game(gm_plays=True)
    assert take_seat(game_id=game.pk, user_id=person(CAROL).pk, power="ITALY") == "ITALY"


def test_a_game_by_invitation_wants_its_token() -> None:
    game = waiting_game(by_invitation=True)
    for token in ("", "guessed", waiting_game(by_invitation=True).invitation):
        with pytest.raises(NotAllowed, match="by invitation"):
            take_seat(game_id=game.pk, user_id=person("alice").pk, token=token)
    assert take_seat(game_id=game.pk, user_id=person("alice").pk, power="ITALY", token=game.invitation) == "ITALY"


def test_before_the_start_a_seat_can_be_left_and_taken_again() -> None:
    game = waiting_game()
    take_seat(game_id=game.pk, user_id=person("alice").pk, power="ITALY")
    leave_before_start(game_id=game.pk, user_id=person("alice").pk)
    assert take_seat(game_id=game.pk, user_id=person("bob").pk, power="ITALY") == "ITALY"
    with pytest.raises(NotAllowed, match="no seat"):
        leave_before_start(game_id=game.pk, user_id=person("alice").pk)


def test_after_the_start_nobody_leaves_by_himself() -> None:
    game = running_game()
    with pytest.raises(WrongMoment, match="give up your seat"):
        leave_before_start(game_id=game.pk, user_id=person("alice").pk)


def test_the_game_master_can_start_with_free_seats_but_not_with_none_taken() -> None:
    game = waiting_game()
    with pytest.raises(WrongMoment, match="No player has joined"):
        start_game(game_id=game.pk, by=person(CAROL).pk)
    take_seat(game_id=game.pk, user_id=person("alice").pk, power="ITALY")
    with pytest.raises(NotAllowed):
        start_game(game_id=game.pk, by=person("alice").pk)
    start_game(game_id=game.pk, by=person(CAROL).pk)
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    assert len(slots_of(open_phase(game))) == len(powers_of(game))


def test_a_bot_stops_when_the_person_takes_over() -> None:
    game = running_game()
    occupancy = occupancy_of(game, "ITALY")
    with pytest.raises(WrongMoment, match="No bot is playing"):
        take_over_from_bot(occupancy_id=occupancy.pk)
    let_bot_play(occupancy_id=occupancy.pk)
    assert occupancy_of(game, "ITALY").bot
    take_over_from_bot(occupancy_id=occupancy.pk)
    assert not occupancy_of(game, "ITALY").bot
    assert Event.objects.get(game=game, kind=BOT_STOPPED.log).facts == {"power": "ITALY"}


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_the_terms_speak_of_bids_only_where_points_are_bid(variant: Variant) -> None:
    waiting_game(variant=variant.slug)
    (card,) = game_cards(Game.objects.all(), user_id=None)
    assert card.options.bids is has_bids(variant)
    assert any("bids" in term.sentence.lower() for term in card.options.terms) is card.options.bids


def test_points_are_bid_in_some_variants_and_not_in_others() -> None:
    assert {has_bids(variant) for variant in offered()} == {True, False}


# Lists, a page at a time.


def test_every_game_of_a_long_list_is_on_exactly_one_of_its_pages() -> None:
    made = [waiting_game(name=f"Game {number}").slug for number in range(5)]
    shelves, shown, after = GameLists(AnonymousUser()), [], ""
    for length in (2, 2, 1):
        page = shelves.page("open", after=after, most=2)
        assert len(page.games) == length
        shown += [game.slug for game in page.games]
        after = page.last
    assert (shown, after) == (made[::-1], "")


def test_the_next_page_goes_on_where_the_last_one_ended_although_that_game_has_started() -> None:
    oldest, middle = waiting_game(name="Oldest"), waiting_game(name="Middle")
    waiting_game(name="Newest")
    take_seat(game_id=middle.pk, user_id=person("alice").pk)
    start_game(game_id=middle.pk, by=person(CAROL).pk)
    (game,) = GameLists(AnonymousUser()).page("open", after=middle.slug).games
    assert game.slug == oldest.slug


def test_a_game_by_invitation_is_no_place_in_a_stranger_s_list() -> None:
    waiting_game(name="Oldest")
    hidden = waiting_game(name="Hidden", by_invitation=True)
    for slug in (hidden.slug, "no-such-game"):
        assert GameLists(AnonymousUser()).page("open", after=slug) == GamePage((), "")
    assert len(GameLists(person(CAROL)).page("open", after=hidden.slug).games) == 1


def test_of_games_with_one_deadline_the_oldest_is_on_the_home_page_wherever_its_row_lies() -> None:
    older, newer = running_game(name="Older"), running_game(name="Newer")
    deadline = open_phase(older).deadline
    for game in (newer, older):
        Phase.objects.filter(pk=open_phase(game).pk).update(deadline=deadline)
    shown = showcase()
    assert shown is not None
    assert shown.game.slug == older.slug


def test_the_lobby_links_to_the_older_games_and_counts_up_to_99(client: Client) -> None:
    newest = [waiting_game(name=f"Game {number}") for number in range(MOST_CARDS + 1)][::-1]
    first = client.get(reverse("games:lobby"), {"variant": VARIANT}).content.decode()
    assert f">Open <span>{MOST_CARDS + 1}</span>" in first.replace("\n", "")
    link = re.search(r'href="(\?[^"]*)" rel="next">Older games<', first)
    assert link is not None
    second = client.get(reverse("games:lobby") + unescape(link[1])).content.decode()
    shown = [re.findall(r'<h3><a href="/games/([^/]+)/">', page) for page in (first, second)]
    assert shown == [[game.slug for game in newest[:MOST_CARDS]], [newest[-1].slug]]
    assert 'rel="next"' not in second
    assert [up_to_99(number) for number in (0, 99, 100)] == ["0", "99", "99+"]


def test_a_full_game_that_waits_for_its_roll_call_can_be_looked_at_and_not_joined(client: Client) -> None:
    game = waiting_game(roll_call_seconds=24 * HOUR)
    assert ">Join<" in client.get(reverse("games:lobby")).content.decode()
    for player, power in zip(PLAYERS, powers_of(game), strict=True):
        take_seat(game_id=game.pk, user_id=person(player).pk, power=power)
    assert f"/{game.slug}/" not in client.get(reverse("games:lobby"), {"show": "open"}).content.decode()
    page = client.get(reverse("games:lobby"), {"show": "running"}).content.decode()
    assert (">Join<" in page, ">View<" in page, ">Roll call<" in page) == (False, True, False)
    leave_before_start(game_id=game.pk, user_id=person(PLAYERS[-1]).pk)
    assert ">Join<" in client.get(reverse("games:lobby"), {"show": "open"}).content.decode()
    page = visitor(PLAYERS[0]).get(reverse("games:lobby"), {"show": "mine"}).content.decode()
    assert (">Join<" in page, ">View<" in page, ">Roll call<" in page) == (False, False, True)


# The archive: finished games can be searched.


def finished(**options: Any) -> Game:
    game = running_game(**options)
    close_game(game_id=game.pk, by=person(CAROL).pk)
    return game


def search(client: Client, **typed: str | int) -> tuple[int, list[str], str]:
    """The status, the slugs found, and the page."""
    answer = client.get(reverse("games:lobby"), {"show": "finished", **typed})
    page = answer.content.decode()
    return answer.status_code, re.findall(r'<h3><a href="/games/([^/]+)/">', page), page


def test_finished_games_are_found_by_name_variant_player_and_year(client: Client) -> None:
    old = finished(name="The Genéva Protocol")
    Game.objects.filter(pk=old.pk).update(created=datetime(2019, 12, 31, 23, 59, tzinfo=UTC))
    new = finished(name="Geneva again", variant="balkan-battle", players=("alice", "Dávid"))
    both = [new.slug, old.slug]
    for typed, found in (
        ({"name": "gENEva"}, both),
        ({"name": "  the   genevà "}, [old.slug]),
        ({"name": "%%%"}, []),
        ({"variant": "balkan-battle"}, [new.slug]),
        ({"player": "alice"}, both),
        ({"player": "ALICE"}, both),
        ({"player": "david"}, [new.slug]),
        ({"player": "bob", "name": "geneva", "year": 2019, "variant": VARIANT}, [old.slug]),
        ({"year": 2019}, [old.slug]),
        ({"year": 2020}, []),
    ):
        assert search(client, **typed)[:2] == (200, found), typed


def test_every_list_is_searched_by_name_and_keeps_it_from_list_to_list(client: Client) -> None:
    for make in (waiting_game, running_game, finished):
        make(name=f"The {make.__name__} of  Geneva")
        make(name="Rapallo")
    for show in ("open", "running", "finished"):
        answer = client.get(reverse("games:lobby"), {"show": show, "name": " of geneva"})
        page = answer.content.decode()
        assert len(re.findall(r'<h3><a href="/games/the-[a-z_-]*geneva', page)) == 1
        assert "rapallo" not in page
        assert 'href="?show=running&amp;name=of+geneva"' in page
    mine = visitor("alice").get(reverse("games:lobby"), {"show": "mine", "name": "rapallo"}).content.decode()
    assert [name in mine for name in (">Rapallo<", "Geneva<")] == [True, False]
    seats = client.get(reverse("games:seats"), {"name": "nothing like it"}).content.decode()
    assert 'value="nothing like it"' in seats
    assert "No vacant seats match your filters." in seats


def test_a_search_keeps_what_was_typed_and_says_what_to_try_when_nothing_is_found(client: Client) -> None:
    finished(name="Geneva")
    _, found, page = search(client, name="Rapallo", player="alice", year=2026, press="full")
    assert found == []
    assert "No finished games match. Try a shorter part of the name, or leave a field empty." in page
    for kept in ('value="Rapallo"', 'value="alice"', 'value="2026"', '<option value="full" selected>'):
        assert kept in page
    assert 'href="?show=finished">Clear the search</a>' in page


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"name": "ab"}, "Enter at least 3 characters of the name."),
        ({"player": "nobody"}, "There is no player with this name. Enter the whole name."),
        ({"player": "nobody\0"}, "Null characters are not allowed."),
        ({"year": "last year"}, "Enter a year, such as 2026."),
        ({"year": "10000"}, "Enter a year, such as 2026."),
        ({"year": "0"}, "Enter a year, such as 2026."),
    ],
)
def test_a_search_with_a_mistake_finds_nothing_and_says_why(
    client: Client, typed: dict[str, str], sentence: str
) -> None:
    finished(name="Geneva")
    status, found, page = search(client, **typed)
    assert (status, found) == (422, [])
    assert sentence in page


def test_a_search_finds_only_what_the_pages_of_the_games_show(client: Client) -> None:
    """Not who plays anonymously in a game that is not over, and no game by invitation."""
    running_game(name="Hidden", hidden_names=True)
    finished(name="Secret", by_invitation=True)
    shown = finished(name="Over", hidden_names=True)
    for asking in (client, visitor("bob")):
        assert search(asking, player="alice")[1] == [shown.slug]
        assert search(asking, name="Secret")[1] == search(asking, name="Hidden")[1] == []
        running = asking.get(reverse("games:lobby"), {"show": "running", "player": "nobody"})
        assert "Hidden" in running.content.decode(), "other lists are not searched by player"
    assert search(client, player="carol")[1] == [], "the game master has not played"


def test_a_deleted_account_is_found_by_none_of_its_names(client: Client) -> None:
    game, alice = finished(name="Over"), person("alice")
    delete_account(alice)
    for name in ("alice", alice.get_username()):
        assert "There is no player with this name." in search(client, player=name)[2]
    assert search(client, name="Over")[1] == [game.slug]


def test_every_game_that_a_search_finds_is_on_exactly_one_of_its_pages(client: Client) -> None:
    game = Game.objects.get(pk=finished(name="Geneva").pk)
    same = {field.attname: getattr(game, field.attname) for field in Game._meta.concrete_fields if field.name != "id"}
    days = (timedelta(days=number // 3) for number in range(MOST_CARDS + 20))
    copies = [
        Game(**{**same, "slug": f"geneva-{number}", "invitation": f"{number}", "created": game.created - day})
        for number, day in enumerate(days)
    ]
    Game.objects.bulk_create(copies)
    Game.objects.filter(slug="geneva-7").update(name="Rapallo")
    shown, address = [], reverse("games:lobby") + "?show=finished&name=geneva&year=&player="
    for length in (MOST_CARDS, 20):
        page = client.get(address).content.decode()
        found = re.findall(r'<h3><a href="/games/([^/]+)/">', page)
        assert len(found) == length
        shown += found
        link = re.search(r'href="(\?[^"]*)" rel="next">Older games<', page)
        address = reverse("games:lobby") + unescape(link[1]) if link else ""
    assert address == ""
    newest = Game.objects.filter(name="Geneva").order_by("-created", "-pk")
    assert shown == list(newest.values_list("slug", flat=True))


@pytest.mark.parametrize(
    ("bots", "words"),
    [(0, "7 of 7 seats taken"), (6, "7 of 7 seats taken, 6 of them by bots"), (7, "Bots play all 7 seats")],
)
def test_a_row_says_how_many_seats_bots_play(bots: int, words: str) -> None:
    game = running_game()
    Occupancy.objects.filter(pk__in=game.occupancies.values("pk")[:bots]).update(bot="easy")
    row = visitor().get(reverse("games:lobby"), {"show": "running"}).content.decode()
    assert f">{words}<" in re.sub(r">\s+", ">", row)
