"""Another username: the old one stays reserved, and nothing else changes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from diplomacy_site.accounts.leaving import delete_account, is_retired, rename_account
from diplomacy_site.accounts.models import RetiredName, TakenLook
from games.kernel import clock
from games.kernel.refusals import NotAllowed, TooOften
from tests.browsers import visitor
from tests.cast import DAVE, PLAYERS, person
from tests.factories import running_game

pytestmark = pytest.mark.django_db
ADDRESS = reverse("account-name")
ALICE = PLAYERS[0]


def sent(name: str) -> str:
    return visitor(ALICE).post(ADDRESS, {"name": name}, follow=True).content.decode()


def test_an_account_takes_another_name_and_its_games_come_along() -> None:
    game = running_game()
    user, shown = person(ALICE), reverse("games:game", args=[game.slug])
    assert f">{ALICE}</a>" in Client().get(shown).content.decode()
    assert "Your username is now alicia." in sent("alicia")
    user.refresh_from_db()
    assert user.username == "alicia"
    page = Client().get(shown).content.decode()
    assert ">alicia</a>" in page
    assert f">{ALICE}</a>" not in page
    assert f"{ALICE} is now called alicia." in page


def test_no_one_else_takes_the_old_name_or_one_like_it() -> None:
    rename_account(person(ALICE), "alicia")
    for name in (ALICE, ALICE.upper(), "a1ice"):
        with pytest.raises(NotAllowed):
            rename_account(person(DAVE), name)
    assert is_retired(ALICE)


def test_a_name_is_changed_once_in_thirty_days_and_its_owner_may_take_the_old_one_back() -> None:
    user = person(ALICE)
    rename_account(user, "alicia")
    with pytest.raises(TooOften):
        rename_account(user, ALICE)
    RetiredName.objects.all().update(since=clock.now() - timedelta(days=31))
    rename_account(user, ALICE)
    assert get_user_model().objects.filter(username=ALICE).exists()
    with pytest.raises(TooOften):
        rename_account(user, "alicia")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (DAVE, "or one that looks like it, is or was another player’s"),
        ("www.example.org", "looks like a web address"),
        ("two words", "This username can’t be used."),
        ("x" * 31, "This username has 31 characters."),
        ("", "required"),
        (ALICE, "This is your username already."),
    ],
)
def test_what_is_no_good_name_is_refused_in_words_and_kept(name: str, sentence: str) -> None:
    person(DAVE)
    user = person(ALICE)
    page = sent(name)
    assert sentence in page
    assert f'value="{name}"' in page or not name
    user.refresh_from_db()
    assert user.username == ALICE
    assert TakenLook.objects.filter(user=user).exists()


def test_an_anonymous_game_shows_nothing_of_it() -> None:
    game = running_game(hidden_names=True)
    addresses = [reverse(f"games:{page}", args=[game.slug]) for page in ("game", "log")]
    before = [visitor(DAVE).get(address).headers.get("ETag") for address in addresses]
    rename_account(person(ALICE), "alicia")
    assert [visitor(DAVE).get(address).headers.get("ETag") for address in addresses] == before
    for address in addresses:
        assert "alicia" not in visitor(DAVE).get(address).content.decode()


def test_nothing_tells_whose_a_name_was_once_the_account_is_deleted() -> None:
    user = person(ALICE)
    rename_account(user, "alicia")
    delete_account(user)
    assert not RetiredName.objects.filter(user__isnull=False).exists()
    assert is_retired(ALICE)
    assert is_retired("alicia")
