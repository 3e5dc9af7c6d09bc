"""A game master invites people by email who may have no account yet."""

from __future__ import annotations

import re
from datetime import timedelta
from http import HTTPStatus

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.kernel import clock
from games.kernel.cards import game_cards
from games.kernel.models import Game, Joiner, Occupancy, Status
from games.kernel.parts import GameCard
from games.kernel.refusals import NotAllowed, SeatTaken, WrongMoment
from games.mastering.services.desk import close_game, empty_seat, start_game
from games.seating.models import MailedInvitation, UnwantedAddress
from games.seating.queries import public_vacant_seats
from games.seating.services.joining import join_game
from games.seating.services.new_game import take_seat
from games.seating.services.placing import (
    accept_email_invitation,
    place_player,
    send_email_invitation,
    send_invitations,
    withdraw_email_invitation,
)
from games.seating.services.vacancies import take_over_seat
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, powers_of, running_game, waiting_game
from tests.listening import current_version

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESS = "new@example.org"


def invited(game: Game, power: str = "GERMANY", email: str = ADDRESS) -> str:
    """The token in the email."""
    send_email_invitation(game_id=game.pk, by=person(CAROL).pk, power=power, email=email)
    return MailedInvitation.objects.get(seat__power=power, game=game).token


def test_the_email_has_a_link_that_seats_one_person_once() -> None:
    game = waiting_game(by_invitation=True)
    token = invited(game)
    send_invitations()
    send_invitations()
    (letter,) = mail.outbox
    assert isinstance(letter, EmailMultiAlternatives)
    assert letter.extra_headers["Auto-Submitted"] == "auto-generated"
    assert letter.extra_headers["Message-ID"].endswith("@testserver>")
    assert letter.to == [ADDRESS]
    link, _never = re.findall(r"https?://\S+", str(letter.body))
    path = "/" + link.split("/", 3)[3]
    assert path == f"/invitations/by-email/{token}/"
    assert "A game master invites you to play Germany in a game of Diplomacy (1926)." in letter.body
    ((page, kind),) = letter.alternatives
    assert kind == "text/html"
    assert f'href="{link}">See the invitation<' in str(page)
    stranger = Client()
    page = stranger.get(path).content.decode()
    assert "Sign up" in page
    assert stranger.get(f"/games/{game.slug}/terms/").status_code == HTTPStatus.OK
    assert "/login/" in stranger.post(path)["Location"]
    dave = Client()
    dave.force_login(person(DAVE))
    assert "Accept the seat" in dave.get(path).content.decode()
    assert dave.post(path)["Location"] == f"/games/{game.slug}/"
    assert occupancy_of(game, "GERMANY").user == person(DAVE)
    assert not MailedInvitation.objects.exists()
    assert Client().get(path).status_code == HTTPStatus.NOT_FOUND


def test_the_last_person_who_accepts_starts_the_game() -> None:
    game = waiting_game()
    tokens = [invited(game, power, f"{power}@example.org") for power in powers_of(game)]
    for token, name in zip(tokens, PLAYERS, strict=True):
        accept_email_invitation(token=token, user_id=person(name).pk)
    game.refresh_from_db()
    assert game.status == Status.RUNNING


def test_a_vacant_seat_of_a_game_under_way_is_taken_in_the_same_way() -> None:
    game = running_game()
    with pytest.raises(SeatTaken):
        invited(game)
    empty_seat(game_id=game.pk, by=person(CAROL).pk, power="GERMANY", reason="Gone.")
    token = invited(game)
    with pytest.raises(NotAllowed, match="already has a seat"):
        accept_email_invitation(token=token, user_id=person(PLAYERS[0]).pk)
    accept_email_invitation(token=token, user_id=person(DAVE).pk)
    assert occupancy_of(game, "GERMANY").user == person(DAVE)


def test_an_invitation_is_over_after_a_month_and_when_it_is_withdrawn_or_the_seat_is_taken() -> None:
    game = waiting_game()
    dave = person(DAVE).pk
    token = invited(game)
    MailedInvitation.objects.update(expires=clock.now() - timedelta(seconds=1))
    with pytest.raises(WrongMoment, match="no longer open"):
        accept_email_invitation(token=token, user_id=dave)
    token = invited(game)
    withdraw_email_invitation(game_id=game.pk, by=person(CAROL).pk, number=MailedInvitation.objects.get().pk)
    with pytest.raises(WrongMoment, match="no longer open"):
        accept_email_invitation(token=token, user_id=dave)
    token = invited(game)
    place_player(game_id=game.pk, by=person(CAROL).pk, power="GERMANY", username=person(PLAYERS[0]).username)
    with pytest.raises(WrongMoment, match="no longer open"):
        accept_email_invitation(token=token, user_id=dave)
    close_game(game_id=game.pk, by=person(CAROL).pk)
    send_invitations()
    assert mail.outbox == []
    assert not MailedInvitation.objects.exists()


def test_what_is_no_address_or_is_invited_already_is_refused() -> None:
    game = waiting_game()
    for typed in ("dave", "Dave <dave>", "Dave dave@example.org"):
        with pytest.raises(NotAllowed, match=f"“{typed}” is not an email address"):
            invited(game, email=typed)
    invited(game, email=f"Dave, of London <{ADDRESS}>")
    assert MailedInvitation.objects.get().email == ADDRESS
    with pytest.raises(NotAllowed, match="another seat of this game"):
        invited(game, "FRANCE")
    invited(game, email="other@example.org")
    assert MailedInvitation.objects.get().email == "other@example.org"
    with pytest.raises(NotAllowed):
        send_email_invitation(game_id=game.pk, by=person(DAVE).pk, power="FRANCE", email=ADDRESS)


def test_one_address_gets_five_invitations_a_day_and_no_inviter_learns_of_the_others() -> None:
    for number in range(7):
        invited(waiting_game(name=f"Game {number}"))
        send_invitations()
    assert len(mail.outbox) == 5
    assert MailedInvitation.objects.filter(next_try=None).count() == 7


def test_the_desk_shows_no_whole_address_and_withdraws() -> None:
    game, client = waiting_game(), Client()
    client.force_login(person(CAROL))
    desk = f"/games/{game.slug}/gm/"
    client.post(f"{desk}mail/", {"power": "GERMANY", "email": ADDRESS})
    page = client.get(desk).content.decode()
    assert "n…@example.org" in page
    assert ADDRESS not in page.replace(f"We’re writing to {ADDRESS}", "")
    number = MailedInvitation.objects.get().pk
    client.post(f"{desk.replace('/gm/', '/gm/approaches/')}", {"number": number, "answer": "withdraw-mailed"})
    assert not MailedInvitation.objects.exists()


def test_games_whose_invitations_expire_together_are_locked_in_order() -> None:
    """So that two workers never wait for each other. A set of such ids has another order."""
    games = [waiting_game(name="Rome"), waiting_game(name="Paris")]
    while games[-1].pk % 8:
        games.append(waiting_game(name="Genoa"))
    for game in games[-2:]:
        invited(game, email=f"{game.pk}@example.org")
    MailedInvitation.objects.update(expires=clock.now() - timedelta(seconds=1))
    with CaptureQueriesContext(connection) as asked:
        send_invitations()
    locks = [it["sql"] for it in asked if '"kernel_game"."id" = ' in it["sql"] and "FOR UPDATE" in it["sql"]]
    assert [f'"id" = {game.pk} ' in sql for game, sql in zip(games[-2:], locks, strict=True)] == [True, True]


def never_link() -> str:
    """The path in the newest email, for a reader who wants no more."""
    return str(mail.outbox[-1].extra_headers["List-Unsubscribe"]).strip("<>").removeprefix("http://testserver")


def test_the_email_says_nothing_that_a_stranger_chose() -> None:
    send_email_invitation(game_id=waiting_game(name="Get rich").pk, by=person(CAROL).pk, power="GERMANY", email=ADDRESS)
    send_invitations()
    (letter,) = mail.outbox
    assert isinstance(letter, EmailMultiAlternatives)
    for words in (letter.subject, letter.body, str(letter.alternatives[0][0]), *letter.extra_headers.values()):
        assert "carol" not in words.casefold()
        assert "rich" not in words.casefold()


def test_an_address_that_wants_no_more_invitations_gets_none_and_the_inviter_sees_no_difference() -> None:
    invited(waiting_game())
    send_invitations()
    never = never_link()
    assert never in mail.outbox[0].body
    stranger = Client()
    assert "Send me no more of them" in stranger.get(never).content.decode()
    invited(waiting_game())
    send_invitations()
    assert len(mail.outbox) == 2, "looking is not asking"
    desks = []
    for asks in (False, True):
        if asks:
            assert "You won’t get these emails any more" in stranger.post(never).content.decode()
            assert stranger.post(never).status_code == HTTPStatus.OK
        MailedInvitation.objects.all().delete()
        game, gm = waiting_game(name="Genoa"), Client()
        gm.force_login(person(CAROL))
        invited(game)
        send_invitations()
        desk = gm.get(f"/games/{game.slug}/gm/").content.decode()
        waits = MailedInvitation.objects.get().next_try
        desks.append((desk.count("n…@example.org"), desk.count("withdraw-mailed"), waits))
    assert desks[0] == desks[1]
    assert len(mail.outbox) == 3, "the first of these two was sent"


@pytest.mark.parametrize("written", ["NEW@example.org", "new+game@Example.ORG", "New <new@example.org>"])
def test_it_means_the_address_however_it_is_written(written: str) -> None:
    invited(waiting_game())
    send_invitations()
    Client(enforce_csrf_checks=True).post(never_link(), {"List-Unsubscribe": "One-Click"})
    invited(waiting_game(), email=written)
    invited(waiting_game(), email="renew@example.org")
    send_invitations()
    assert [letter.to for letter in mail.outbox] == [[ADDRESS], ["renew@example.org"]]


def test_no_one_can_ask_for_another_address_and_no_table_says_whose_it_was() -> None:
    invited(waiting_game())
    send_invitations()
    never = never_link()
    for wrong in (never[:-2] + "x/", "/invitations/never/new@example.org/"):
        assert Client().post(wrong).status_code == HTTPStatus.NOT_FOUND
    assert not UnwantedAddress.objects.exists()
    Client().post(never)
    assert "new" not in UnwantedAddress.objects.get().digest
    assert "example.org" not in never


def test_an_address_that_wants_invitations_again_gets_them_by_its_own_link_alone() -> None:
    invited(waiting_game())
    send_invitations()
    never = never_link()
    for sent in ({}, {"again": "yes"}):
        Client().post(never, sent)
        assert ("Send me these emails again" in Client().get(never).content.decode()) is not bool(sent)
        invited(waiting_game())
        send_invitations()
        assert len(mail.outbox) == (2 if sent else 1)


def test_a_seat_is_kept_for_its_guest_whoever_else_comes() -> None:
    game = waiting_game()
    token = invited(game)
    with pytest.raises(SeatTaken, match="kept for a guest"):
        take_seat(game_id=game.pk, user_id=person("alice").pk, power="GERMANY")
    for name in PLAYERS[:6]:
        assert take_seat(game_id=game.pk, user_id=person(name).pk) != "GERMANY"
    with pytest.raises(SeatTaken, match="last seat"):
        take_seat(game_id=game.pk, user_id=person("eve2").pk)
    game.refresh_from_db()
    assert game.status == Status.OPEN, "the game waits for the guest"
    accept_email_invitation(token=token, user_id=person(DAVE).pk)
    assert occupancy_of(game, "GERMANY").user == person(DAVE)
    game.refresh_from_db()
    assert game.status == Status.RUNNING


@pytest.mark.parametrize("seats", ["preferences", "random"])
def test_where_powers_are_assigned_a_place_and_its_power_are_kept(seats: str) -> None:
    game = waiting_game(seats=seats)
    token = invited(game)
    for name in PLAYERS[:6]:
        join_game(game_id=game.pk, user_id=person(name).pk, wishes=["GERMANY"])
    with pytest.raises(SeatTaken, match="last place"):
        join_game(game_id=game.pk, user_id=person("eve2").pk)
    with pytest.raises(SeatTaken, match="taken or kept for guests"):
        place_player(game_id=game.pk, by=person(CAROL).pk, power="FRANCE", username=person("eve2").username)
    with pytest.raises(SeatTaken, match="taken or kept for guests"):
        invited(game, "FRANCE", "second@example.org")
    accept_email_invitation(token=token, user_id=person(DAVE).pk)
    assert occupancy_of(game, "GERMANY").user == person(DAVE)


def test_bots_leave_the_seat_of_a_guest_alone_when_the_game_master_starts_without_them() -> None:
    game = waiting_game(bots=2, bot_level="easy")
    token = invited(game)
    take_seat(game_id=game.pk, user_id=person("alice").pk, power="FRANCE")
    start_game(game_id=game.pk, by=person(CAROL).pk)
    assert not game.seats.get(power="GERMANY").occupancies.exists()
    assert Occupancy.objects.filter(game=game, user__is_bot=True).count() == 2
    with pytest.raises(SeatTaken, match="kept for a guest"):
        take_over_seat(game_id=game.pk, user_id=person(DAVE).pk, power="GERMANY")
    assert "GERMANY" not in [seat.power.id for seat in public_vacant_seats(person(DAVE)).seats]
    accept_email_invitation(token=token, user_id=person("eve2").pk)
    assert occupancy_of(game, "GERMANY").user == person("eve2")


@pytest.mark.parametrize("how", ["withdrawn", "over", "given"])
def test_a_kept_seat_is_free_again_once_nobody_is_awaited(how: str) -> None:
    game, carol = waiting_game(), person(CAROL).pk
    invited(game)
    if how == "withdrawn":
        withdraw_email_invitation(game_id=game.pk, by=carol, number=MailedInvitation.objects.get().pk)
    elif how == "over":
        MailedInvitation.objects.update(expires=clock.now() - timedelta(seconds=1))
        send_invitations()
    else:
        place_player(game_id=game.pk, by=carol, power="GERMANY", username=person(DAVE).username)
        assert not MailedInvitation.objects.exists()
        return
    assert card_of(game).taken == 0
    take_seat(game_id=game.pk, user_id=person(DAVE).pk, power="GERMANY")


def test_everyone_sees_that_a_seat_is_kept_and_only_the_game_master_for_whom() -> None:
    game = waiting_game()
    version = current_version(game.pk)
    invited(game)
    assert current_version(game.pk) != version, "open pages are told"
    assert (card_of(game).taken, card_of(game).kept) == (1, 1)
    page = Client().get(f"/games/{game.slug}/").content.decode()
    assert "kept for a guest" in page
    assert "example.org" not in page
    assert "1 of 7 seats taken, 1 of them kept for a guest" in page


def card_of(game: Game) -> GameCard:
    (card,) = game_cards(Game.objects.filter(pk=game.pk), user_id=None)
    return card


def invited_to_a_place(game: Game, email: str = ADDRESS) -> str:
    send_email_invitation(game_id=game.pk, by=person(CAROL).pk, email=email)
    return MailedInvitation.objects.get(game=game, email=email).token


@pytest.mark.parametrize("seats", ["preferences", "random"])
def test_a_guest_invited_without_a_power_joins_like_everyone_else(seats: str) -> None:
    game = waiting_game(seats=seats, by_invitation=True)
    token = invited_to_a_place(game)
    invited_to_a_place(waiting_game(seats=seats, name="Another"))
    send_invitations()
    assert "A game master invites you to a game of Diplomacy (1926)." in str(mail.outbox[0].body)
    dave = Client()
    dave.force_login(person(DAVE))
    path = f"/invitations/by-email/{token}/"
    assert "Would you like to join this game?" in dave.get(path).content.decode()
    assert "You’ll get a power before the first turn." in dave.post(path, follow=True).content.decode()
    answer = dave.get(f"/games/{game.slug}/terms/").content.decode()
    assert ("favourite first" in answer) == (seats == "preferences"), "they say what they would like"
    assert Joiner.objects.get(game=game).user == person(DAVE)
    assert not MailedInvitation.objects.filter(game=game).exists()


def test_a_place_without_a_power_is_kept_and_the_power_that_is_left_after_the_start() -> None:
    game = waiting_game(seats="preferences", bots=1, bot_level="easy")
    token = invited_to_a_place(game)
    for name in PLAYERS[:5]:
        join_game(game_id=game.pk, user_id=person(name).pk)
    with pytest.raises(SeatTaken, match="last place"):
        join_game(game_id=game.pk, user_id=person("eve2").pk)
    with pytest.raises(SeatTaken, match="taken or kept for guests"):
        invited_to_a_place(game, "second@example.org")
    assert (card_of(game).taken, card_of(game).players) == (6, 6)
    start_game(game_id=game.pk, by=person(CAROL).pk)
    kept = MailedInvitation.objects.get(game=game).seat
    assert kept is not None
    assert not kept.occupancies.exists()
    assert Occupancy.objects.filter(game=game).count() == 6
    accept_email_invitation(token=token, user_id=person(DAVE).pk)
    assert occupancy_of(game, kept.power).user == person(DAVE)


def test_the_guest_who_comes_last_starts_the_game() -> None:
    game = waiting_game(seats="random")
    token = invited_to_a_place(game)
    for name in PLAYERS[:6]:
        join_game(game_id=game.pk, user_id=person(name).pk)
    accept_email_invitation(token=token, user_id=person(DAVE).pk)
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    assert Occupancy.objects.filter(game=game, user=person(DAVE)).exists()


def test_a_guest_who_has_joined_meanwhile_frees_the_place_that_was_kept() -> None:
    game = waiting_game(seats="random")
    token = invited_to_a_place(game)
    join_game(game_id=game.pk, user_id=person(DAVE).pk)
    accept_email_invitation(token=token, user_id=person(DAVE).pk)
    assert card_of(game).taken == 1


def test_where_powers_are_chosen_a_guest_is_invited_to_one() -> None:
    with pytest.raises(WrongMoment, match="Choose a seat from the list"):
        invited_to_a_place(waiting_game())


def test_the_desk_says_for_whom_a_place_is_kept_and_withdraws() -> None:
    game = waiting_game(seats="preferences")
    gm = Client()
    gm.force_login(person(CAROL))
    desk = f"/games/{game.slug}/gm/"
    answer = gm.post(f"{desk}mail/", {"power": "", "email": "nobody"})
    page = answer.content.decode()
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert 'value="nobody"' in page
    assert page.count("“nobody” is not an email address") >= 1
    gm.post(f"{desk}mail/", {"power": "", "email": ADDRESS})
    assert "A place is kept for a guest, without a power yet: <strong>n…@example.org" in gm.get(desk).content.decode()
    other = Client().get(f"/games/{game.slug}/").content.decode()
    assert ("kept for a guest" in other, "example.org" in other) == (True, False)
    number = MailedInvitation.objects.get().pk
    withdraw_email_invitation(game_id=game.pk, by=person(CAROL).pk, number=number)
    assert card_of(game).taken == 0
