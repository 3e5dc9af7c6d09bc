"""Many emails: what they say is read for a batch, and one connection carries them all."""

from __future__ import annotations

import smtplib
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import tasks
from games.deadlines.news import PHASE_OPENED
from games.delivery.letters import claim_letters, deliver_letters
from games.delivery.readers import GameFacts
from games.kernel import clock
from games.kernel.access import access_game
from games.kernel.models import Letter
from games.kernel.page import page_of
from tests.cast import CAROL, PLAYERS, person
from tests.delivery.test_letters import Killed
from tests.factories import running_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from django.core.mail import EmailMessage
    from pytest_django.fixtures import Settings

    from games.kernel.models import Game

pytestmark = pytest.mark.django_db
TOLD = len([*PLAYERS, CAROL])
"""How many are told that a phase has ended: the players and the game master."""


def addresses() -> list[str]:
    return sorted(person(it).email for it in [*PLAYERS, CAROL])


class Counted(EmailBackend):
    """Counts connections, and ends one after so many emails, as some servers do."""

    opened: ClassVar[int] = 0
    longest: ClassVar[int] = 1000

    left: int | None = None

    def open(self) -> bool:
        if self.left is not None:
            return False
        self.left = self.longest
        Counted.opened += 1
        return True

    def close(self) -> None:
        self.left = None

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        assert self.left is not None, "it is open"
        if not self.left:
            raise smtplib.SMTPServerDisconnected
        self.left -= 1
        return int(super().send_messages(messages))


class DiesAfterTwo(EmailBackend):
    """The process is killed while it sends the third email."""

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        if len(mail.outbox) == 2:
            raise Killed
        return int(super().send_messages(messages))


@pytest.fixture(autouse=True)
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Counted, "opened", 0)
    monkeypatch.setattr(Counted, "longest", 1000)


def second_phase(name: str = "Locarno") -> Game:
    """A game whose players are about to be told of its second phase."""
    game = running_game(name=name)
    deliver_letters()
    mail.outbox.clear()
    Story(game).deadline()
    return game


def statements_for(games: int) -> int:
    made = [running_game(name=f"Game {number}") for number in range(games)]
    deliver_letters()
    for game in made:
        Story(game).deadline()
    with CaptureQueriesContext(connection) as queries:
        assert deliver_letters() == games * TOLD
    return len([query for query in queries.captured_queries if "SAVEPOINT" not in query["sql"]])


def test_an_email_more_takes_one_statement_more_and_a_game_more_takes_none() -> None:
    few = statements_for(1)
    many = statements_for(4)
    assert many - few == 3 * TOLD, "each is marked as sent by itself"


@pytest.mark.parametrize("reader", [*PLAYERS[:2], CAROL])
def test_what_an_email_names_is_what_the_page_shows(reader: str) -> None:
    game = second_phase()
    facts = GameFacts([game.pk])
    access = facts.access(game.pk, person(reader).pk)
    email: Any = facts.page(access, 1)
    page: Any = page_of(access_game(user=person(reader), slug=game.slug), 1)
    for name in ("head", "my_power", "result", "newest_events", "powers", "order_sheet", "may_write", "is_asked"):
        assert getattr(email, name) == getattr(page, name), name
    assert page.result is not None
    assert email.part("sealed_record").endswith(page.result.sealed_record)
    for name in ("name", "variant_title", "gm_name", "verdict"):
        assert getattr(email, name) == getattr(page.game, name)


def test_one_connection_carries_many_emails(settings: Settings) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.Counted"
    second_phase()
    Counted.opened = 0
    assert deliver_letters() == TOLD
    assert Counted.opened == 1


def test_a_server_that_ends_the_connection_now_and_then_gets_every_email_once(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.Counted"
    monkeypatch.setattr(Counted, "longest", 2)
    second_phase()
    Counted.opened = 0
    assert deliver_letters() == TOLD
    assert sorted(to for message in mail.outbox for to in message.to) == addresses()
    assert Counted.opened == -(-TOLD // 2)


def test_a_process_that_dies_in_the_middle_of_a_batch_repeats_one_email_at_most(settings: Settings) -> None:
    second_phase()
    settings.EMAIL_BACKEND = f"{__name__}.DiesAfterTwo"
    with pytest.raises(Killed):
        deliver_letters()
    assert len(mail.outbox) == Letter.objects.filter(ordinal=1, sent__isnull=False).count() == 2
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    Letter.objects.filter(sent__isnull=True).update(next_try=clock.now())
    assert deliver_letters() == TOLD - 2
    assert sorted(to for message in mail.outbox for to in message.to) == addresses()


def test_what_was_read_for_a_batch_is_read_again_after_some_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow mail server must not make emails say what is no longer true."""
    second_phase()
    batches: list[int] = []

    def read(games: Collection[int]) -> GameFacts:
        batches.append(len(games))
        return GameFacts(games)

    monkeypatch.setattr("games.delivery.letters.GameFacts", read)
    monkeypatch.setattr("games.delivery.letters.FRESH_SECONDS", 0)
    assert deliver_letters() == TOLD
    assert len(batches) == TOLD
    letters = Letter.objects.filter(kind=PHASE_OPENED.letter, ordinal=1)
    assert {letter.tries for letter in letters} == {1}, "those not tried are put back"


def test_two_processes_claim_different_emails() -> None:
    second_phase()
    waiting = Letter.objects.filter(ordinal=1)
    first, second = claim_letters(waiting, 3), claim_letters(waiting, 3)
    assert len(first) == len(second) == 3
    assert not {letter.pk for letter in first} & {letter.pk for letter in second}


def test_emails_wait_while_a_phase_is_due() -> None:
    story = Story(second_phase())
    story.deadline_comes()
    tasks.deliver.apply()
    assert mail.outbox == []
    tasks.sweep.apply()
    tasks.deliver.apply()
    assert len(mail.outbox) == TOLD, "about the newest phase; those about the one before are no longer true"
