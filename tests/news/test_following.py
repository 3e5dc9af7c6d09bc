"""Following a public game: it is in one's lists, and one is told of its results, until one stops."""

from __future__ import annotations

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from diplomacy_site.accounts.leaving import account_file, delete_account
from games.delivery.letters import deliver_letters
from games.kernel.models import Following, Game, Letter
from games.kernel.refusals import NotAllowed, WrongMoment
from games.mastering.services.desk import close_game
from games.news.choices import follow
from games.seating.services.new_game import take_seat
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import powers_of, running_game, waiting_game
from tests.story import Story

pytestmark = pytest.mark.django_db
ALICE = PLAYERS[0]


def page_of(game: Game, browser: Client) -> str:
    return browser.get(reverse("games:game", args=[game.slug])).content.decode()


def told(name: str) -> list[str]:
    return list(Letter.objects.filter(user=person(name)).order_by("pk").values_list("kind", flat=True))


def test_a_followed_game_is_in_the_lists_of_its_follower_and_of_nobody_else() -> None:
    game, dave = running_game(), visitor(DAVE)
    assert ">Follow this game<" in page_of(game, dave)
    assert f'?next=/games/{game.slug}/">Sign in to follow this game<' in page_of(game, Client())
    answer = dave.post(reverse("games:follow", args=[game.slug]), follow=True)
    assert f"You follow {game.name}." in answer.content.decode()
    for address in (reverse("games:home"), f"{reverse('games:lobby')}?show=followed"):
        listed = dave.get(address).content.decode()
        assert f'href="/games/{game.slug}/">{game.name}' in listed
    assert "show=followed" not in visitor("gina").get(reverse("games:lobby")).content.decode()
    page = page_of(game, dave)
    assert [words in page for words in (">Stop following this game<", ">Follow this game<")] == [True, False]
    dave.post(reverse("games:follow", args=[game.slug]), {"stop": "yes"})
    assert not Following.objects.exists()
    assert "show=followed" not in dave.get(reverse("games:lobby")).content.decode()


def test_followers_are_told_of_start_results_and_end_and_nobody_who_has_stopped() -> None:
    game = waiting_game(name="Followed")
    follow(game_id=game.pk, user_id=person(DAVE).pk)
    for name, power in zip(PLAYERS, powers_of(game), strict=True):
        take_seat(game_id=game.pk, user_id=person(name).pk, power=power)
    game.refresh_from_db()
    Story(game).deadline()
    close_game(game_id=game.pk, by=person(CAROL).pk)
    assert told(DAVE) == ["game started", "result", "game over"]
    deliver_letters()
    subjects = [sent.subject for sent in mail.outbox if sent.to == ["dave@example.org"]]
    assert len(subjects) > 0
    assert all("Followed" in subject for subject in subjects)


def test_who_takes_a_seat_is_told_once_and_finds_the_game_among_their_own() -> None:
    game = waiting_game()
    follow(game_id=game.pk, user_id=person(ALICE).pk)
    take_seat(game_id=game.pk, user_id=person(ALICE).pk, power=powers_of(game)[0])
    for page in ("games:lobby", "games:home"):
        assert "show=followed" not in visitor(ALICE).get(reverse(page)).content.decode()


def test_only_public_games_of_others_can_be_followed() -> None:
    dave, alice, carol = (person(name).pk for name in (DAVE, ALICE, CAROL))
    secret, public = running_game(by_invitation=True), running_game()
    with pytest.raises(NotAllowed, match="public games only"):
        follow(game_id=secret.pk, user_id=dave)
    for part in (alice, carol):
        with pytest.raises(NotAllowed, match="part of this game"):
            follow(game_id=public.pk, user_id=part)
    close_game(game_id=public.pk, by=carol)
    with pytest.raises(WrongMoment, match="The game is over"):
        follow(game_id=public.pk, user_id=dave)
    assert not Following.objects.exists()


def test_followers_choose_for_one_game_how_they_are_told() -> None:
    game, dave = running_game(), visitor(DAVE)
    address = reverse("games:notify-game", args=[game.slug])
    assert dave.get(address).status_code == 404
    follow(game_id=game.pk, user_id=person(DAVE).pk)
    assert dave.get(address).status_code == 200


def test_followed_games_are_in_the_users_file_and_forgotten_with_the_account() -> None:
    game, dave = running_game(), person(DAVE)
    follow(game_id=game.pk, user_id=dave.pk)
    assert [one["game"] for one in account_file(dave)["followed_games"]] == [game.slug]
    delete_account(dave)
    assert not Following.objects.exists()
