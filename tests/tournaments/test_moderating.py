"""People report a tournament or a series; moderators hide it, close it, rename it or empty its text."""

from __future__ import annotations

from http import HTTPStatus
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.urls import reverse

from games.kernel.refusals import WrongMoment
from games.people.export import stored_facts_of
from games.people.models import ActKind, ModerationAct, SeriesReport
from games.tournaments import entry
from games.tournaments import services as acts
from games.tournaments.letters import send_tournament_letters
from games.tournaments.models import Place, TournamentLetter
from games.tournaments.terms import terms_of
from tests.browsers import EVE, visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game
from tests.tournaments.made import entered, tournament
from tests.tournaments.test_series import series

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db
ALICE, BOB = PLAYERS[:2]


@pytest.fixture
def mark() -> Client:
    """A moderator."""
    client = visitor("mark")
    call_command("moderator", "mark", stdout=StringIO())
    return client


def moderated(mark: Client, slug: str, act: ActKind, **sent: str) -> int:
    return mark.post(
        reverse("games:moderate-tournament", args=[slug]), {"act": act, "reason": "Spam", **sent}
    ).status_code


def read(slug: str, client: Client) -> str:
    answer = client.get(reverse("games:tournament", args=[slug]))
    return answer.content.decode() if answer.status_code == HTTPStatus.OK else ""


def test_what_is_reported_is_shown_to_the_moderators_as_it_was_and_dealt_with_once(mark: Client) -> None:
    it, alice = tournament(), visitor(ALICE)
    page = reverse("games:report-tournament", args=[it.slug])
    assert page in read(it.slug, alice)
    assert alice.post(page, {"reason": " "}).status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    for _ in range(2):
        assert alice.post(page, {"reason": "It sells watches"}).status_code == HTTPStatus.SEE_OTHER
    acts.change(**by_carol(it), name="Innocent cup", text="", terms=terms_of(it))
    desk = mark.get("/moderation/").content.decode()
    assert ("Club cup" in desk, "It sells watches" in desk, CAROL in desk, ALICE in desk) == (True, True, True, False)
    deal = {"report": str(SeriesReport.objects.get().pk), "about": "series", "reason": "Closed it"}
    answers = [mark.post("/moderation/reports/", deal, follow=True).content.decode() for _ in range(2)]
    assert ("It sells watches" in answers[0], "has already been dealt with" in answers[1]) == (False, True)
    assert stored_facts_of(person(ALICE).pk)["reported_tournaments"][0]["reason"] == "It sells watches"


def by_carol(it: Any) -> dict[str, Any]:
    return {"tournament_id": it.pk, "by": person(CAROL).pk}


def test_what_is_hidden_is_there_for_its_directors_and_the_moderators_alone(mark: Client) -> None:
    game = running_game()
    for it in (tournament(), series(game)):
        visitor(EVE).get(reverse("games:game", args=[game.slug]))
        acts.log_change(it, "text", person(CAROL).pk)
        assert moderated(mark, it.slug, ActKind.HIDDEN) == HTTPStatus.SEE_OTHER
        feed, api = reverse("games:tournament-feed", args=[it.slug]), reverse("api:tournament", args=[it.slug])
        for client in (visitor(EVE), visitor(ALICE)):
            assert read(it.slug, client) == ""
            assert client.get(feed).status_code == client.get(api).status_code == HTTPStatus.NOT_FOUND
            assert it.slug not in client.get(reverse("games:tournaments")).content.decode()
        assert it.slug not in visitor(EVE).get(reverse("games:game", args=[game.slug])).content.decode()
        assert "have hidden this" in read(it.slug, visitor(CAROL))
        assert "have hidden this" in read(it.slug, mark)
        assert moderated(mark, it.slug, ActKind.SHOWN) == HTTPStatus.SEE_OTHER
        assert read(it.slug, visitor(EVE)) != ""
        assert moderated(mark, it.slug, ActKind.SHOWN) == HTTPStatus.UNPROCESSABLE_ENTITY, "it is so already"


def test_no_letter_of_a_hidden_tournament_is_sent(mark: Client) -> None:
    it = tournament()
    entered(it, [ALICE])
    acts.write_to_entrants(**by_carol(it), message="Buy watches")
    moderated(mark, it.slug, ActKind.HIDDEN)
    send_tournament_letters()
    assert TournamentLetter.objects.filter(next_try__isnull=False).exists()


@pytest.mark.parametrize("act", [ActKind.SHUT, ActKind.HIDDEN])
def test_nobody_enters_or_changes_what_is_closed_and_people_can_withdraw(mark: Client, act: ActKind) -> None:
    it = tournament()
    entered(it, [ALICE])
    assert moderated(mark, it.slug, act) == HTTPStatus.SEE_OTHER
    for refused in (
        lambda: entry.enter(tournament_id=it.pk, by=person(BOB).pk),
        lambda: acts.write_to_entrants(**by_carol(it), message="Buy watches"),
        lambda: entry.set_place(**by_carol(it), username=BOB, place=Place.IN),
    ):
        with pytest.raises(WrongMoment, match="The moderators of this site have closed it"):
            refused()
    assert 'name="substitute"' not in read(it.slug, visitor(BOB)), "no button leads to a refusal"
    entry.withdraw(tournament_id=it.pk, by=person(ALICE).pk)


@pytest.mark.parametrize("act", [ActKind.SHUT, ActKind.HIDDEN])
def test_directors_leave_what_is_closed_but_not_the_last_one(mark: Client, act: ActKind) -> None:
    it, carol = tournament(), visitor(CAROL)
    person(DAVE)
    acts.add_director(**by_carol(it), username=DAVE)
    moderated(mark, it.slug, act)
    leave = reverse("games:do-stop_directing", args=[it.slug])
    assert "Stop being a director" in carol.get(reverse("games:edit-tournament", args=[it.slug])).content.decode()
    carol.post(leave)
    visitor(DAVE).post(leave)
    assert [row.user for row in it.directors.all()] == [person(DAVE)]


def test_a_new_name_and_an_empty_text_leave_nothing_of_the_old_on_the_page(mark: Client) -> None:
    it = tournament()
    acts.change(**by_carol(it), name="Buy watches", text="Watches for sale", terms=terms_of(it))
    acts.write_to_entrants(**by_carol(it), message="Cheap watches")
    assert read(it.slug, visitor(EVE)).lower().count("watches") > 3
    assert moderated(mark, it.slug, ActKind.RENAMED, name=" ") == HTTPStatus.UNPROCESSABLE_ENTITY
    assert moderated(mark, it.slug, ActKind.RENAMED, name="A tournament") == HTTPStatus.SEE_OTHER
    assert moderated(mark, it.slug, ActKind.EMPTIED) == HTTPStatus.SEE_OTHER
    assert "watches" not in read(it.slug, visitor(EVE)).lower(), "the stored page is another one now"
    lines = ModerationAct.objects.values_list("kind", "by__username", "user__username", "series", "reason")
    assert [*lines.order_by("pk")] == [
        (ActKind.RENAMED, "mark", CAROL, it.slug, "Spam"),
        (ActKind.EMPTIED, "mark", CAROL, it.slug, "Spam"),
    ]
    assert it.slug in mark.get(reverse("games:case", args=[CAROL])).content.decode()


def test_for_others_there_is_no_such_page() -> None:
    it = tournament()
    for name in (CAROL, DAVE):
        assert moderated(visitor(name), it.slug, ActKind.HIDDEN) == HTTPStatus.NOT_FOUND
