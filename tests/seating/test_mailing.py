"""A game master invites people by email who may have no account yet."""

from __future__ import annotations

import re
from datetime import timedelta
from http import HTTPStatus

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.test import Client

from games.kernel import clock
from games.kernel.models import Game, Status
from games.kernel.refusals import NotAllowed, SeatTaken, WrongMoment
from games.mastering.services.desk import close_game, empty_seat
from games.seating.models import MailedInvitation, UnwantedAddress
from games.seating.services.mailing import accept_mailed, mail_invitation, send_invitations, withdraw_mailed
from games.seating.services.new_game import take_seat
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, powers_of, running_game, waiting_game

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESS = "new@example.org"


def invited(game: Game, power: str = "GERMANY", email: str = ADDRESS) -> str:
    """The token in the email."""
    mail_invitation(game_id=game.pk, by=person(CAROL).pk, power=power, email=email)
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
        accept_mailed(token=token, user_id=person(name).pk)
    game.refresh_from_db()
    assert game.status == Status.RUNNING


def test_a_vacant_seat_of_a_game_under_way_is_taken_in_the_same_way() -> None:
    game = running_game()
    with pytest.raises(SeatTaken):
        invited(game)
    empty_seat(game_id=game.pk, by=person(CAROL).pk, power="GERMANY", reason="Gone.")
    token = invited(game)
    with pytest.raises(NotAllowed, match="already has a seat"):
        accept_mailed(token=token, user_id=person(PLAYERS[0]).pk)
    accept_mailed(token=token, user_id=person(DAVE).pk)
    assert occupancy_of(game, "GERMANY").user == person(DAVE)


def test_an_invitation_is_over_after_a_month_and_when_it_is_withdrawn_or_the_seat_is_taken() -> None:
    game = waiting_game()
    dave = person(DAVE).pk
    token = invited(game)
    MailedInvitation.objects.update(expires=clock.now() - timedelta(seconds=1))
    with pytest.raises(WrongMoment, match="no longer open"):
        accept_mailed(token=token, user_id=dave)
    token = invited(game)
    withdraw_mailed(game_id=game.pk, by=person(CAROL).pk, number=MailedInvitation.objects.get().pk)
    with pytest.raises(WrongMoment, match="no longer open"):
        accept_mailed(token=token, user_id=dave)
    token = invited(game)
    take_seat(game_id=game.pk, user_id=person(PLAYERS[0]).pk, power="GERMANY")
    with pytest.raises(SeatTaken):
        accept_mailed(token=token, user_id=dave)
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
        mail_invitation(game_id=game.pk, by=person(DAVE).pk, power="FRANCE", email=ADDRESS)


def test_one_address_gets_only_so_many_invitations() -> None:
    for number in range(5):
        invited(waiting_game(name=f"Game {number}"))
    with pytest.raises(NotAllowed, match="too many open invitations"):
        invited(waiting_game(name="One more"))


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


def never_link() -> str:
    """The path in the newest email, for a reader who wants no more."""
    return str(mail.outbox[-1].extra_headers["List-Unsubscribe"]).strip("<>").removeprefix("http://testserver")


def test_the_email_says_nothing_that_a_stranger_chose() -> None:
    mail_invitation(game_id=waiting_game(name="Get rich").pk, by=person(CAROL).pk, power="GERMANY", email=ADDRESS)
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
    assert "Send me no more invitations" in stranger.get(never).content.decode()
    invited(waiting_game())
    send_invitations()
    assert len(mail.outbox) == 2, "looking is not asking"
    desks = []
    for asks in (False, True):
        if asks:
            assert "You won’t be invited again" in stranger.post(never).content.decode()
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


def test_the_limits_count_an_address_that_wants_no_more_like_any_other() -> None:
    invited(waiting_game())
    send_invitations()
    Client().post(never_link())
    for number in range(4):
        invited(waiting_game(name=f"Game {number}"))
    with pytest.raises(NotAllowed, match="too many open invitations"):
        invited(waiting_game(name="One more"))


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
