"""Bots in seats of their own: they sit down when the people who are wanted are there, and leave for a person."""

from __future__ import annotations

import signal
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core.cache import cache
from django.urls import reverse

from games import tasks
from games.bots import services as bots
from games.deadlines.phases import close_due_phase
from games.kernel.models import Event, Letter, Occupancy, Seat, Status
from games.kernel.refusals import BadGame, BadReason, NotAllowed, SeatTaken, WrongMoment
from games.mastering.services.desk import close_game, empty_seat
from games.mastering.services.repair import roll_back
from games.orders.services import has_saved
from games.seating.news import BOTS_SEATED
from games.seating.services.bots import (
    fill_long_vacant_seats_with_bots,
    games_with_seats_long_vacant,
    seat_bot,
    unseat_bot,
)
from games.seating.services.joining import confirm_place, join_game
from games.seating.services.new_game import take_seat
from games.seating.services.vacancies import come_back, resign, take_over_seat
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, open_phase, running_game, waiting_game
from tests.story import Story
from variants.bots import Level, easy
from variants.registry import find

if TYPE_CHECKING:
    from games.kernel.models import Game
    from tests.moment import Moment

pytestmark = pytest.mark.django_db
ALICE, BOB, *_ = PLAYERS


def game_with_bots(**options: Any) -> Game:
    """Alice plays Germany and Bob Italy; strong bots took the other seats."""
    game = waiting_game(**{"bots": 5, "bot_level": "strong", **options})
    for name, power in ((ALICE, "GERMANY"), (BOB, "ITALY")):
        take_seat(game_id=game.pk, user_id=person(name).pk, power=power)
    game.refresh_from_db()
    return game


def bot_seats(game: Game) -> list[Occupancy]:
    held = Occupancy.objects.filter(game=game, until__isnull=True, user__is_bot=True)
    return list(held.select_related("user", "seat").order_by("seat__power"))


def test_seven_seats_with_five_bots_start_with_two_people() -> None:
    game = waiting_game(bots=5, bot_level="strong")
    take_seat(game_id=game.pk, user_id=person(ALICE).pk, power="GERMANY")
    game.refresh_from_db()
    assert (game.status, bot_seats(game)) == (Status.OPEN, [])
    take_seat(game_id=game.pk, user_id=person(BOB).pk, power="ITALY")
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    found = bot_seats(game)
    assert [one.seat.power for one in found] == sorted(
        power.id for power in find("1926").powers if power.id not in {"GERMANY", "ITALY"}
    )
    assert {(one.bot, one.gives_way) for one in found} == {("strong", True)}
    assert not any(one.user.is_active or one.user.has_usable_password() for one in found)
    line = Event.objects.get(game=game, kind="bots seated")
    assert BOTS_SEATED.line_of is not None
    assert (line.by, BOTS_SEATED.line_of(line, game)) == (None, "{who} seated 5 {named} bots: {powers}.")
    assert not Letter.objects.filter(user__is_bot=True).exists()


def test_powers_are_dealt_and_confirmed_by_people_alone() -> None:
    game = waiting_game(bots=6, seats="random", roll_call_seconds=86_400)
    join_game(game_id=game.pk, user_id=person(ALICE).pk)
    game.refresh_from_db()
    assert game.status == Status.RUNNING, "the one who filled the game has confirmed, and no one else has to"
    other = waiting_game(bots=5, seats="random", roll_call_seconds=86_400)
    for name in (ALICE, BOB):
        join_game(game_id=other.pk, user_id=person(name).pk)
    with pytest.raises(SeatTaken):
        join_game(game_id=other.pk, user_id=person(DAVE).pk)
    assert not bot_seats(other)
    confirm_place(game_id=other.pk, user_id=person(ALICE).pk)
    assert len(bot_seats(other)) == 5
    assert {one.user_id for one in bot_seats(game)} >= {one.user_id for one in bot_seats(other)}, "accounts are shared"


def test_a_game_is_never_for_bots_alone() -> None:
    with pytest.raises(BadGame, match="bots can play at most 6"):
        waiting_game(bots=7)


def test_every_seat_of_every_phase_has_a_seed_of_its_own_and_shares_one() -> None:
    game = game_with_bots()
    phase = open_phase(game)
    own, shared = set[int](), set[int]()
    for _ in range(2):
        phase.ordinal += 1
        for power in ("GERMANY", "ITALY"):
            seed = bots._seed(phase, power)
            own.add(seed % 2**easy.OWN_BITS)
            shared.add(seed >> easy.OWN_BITS)
    assert (len(own), len(shared)) == (4, 2)


def test_bots_declare_together_what_takes_two_though_each_has_its_own_seed() -> None:
    variant = find("formal-diplomacy")

    def rng(shared: int) -> set[int]:
        eyes = {
            power: easy._View(power, variant.start, variant.ruleset, shared << easy.OWN_BITS | number)
            for number, power in enumerate(("FRANCE", "ENGLAND"))
        }
        assert eyes["FRANCE"].number_for("declare") != eyes["ENGLAND"].number_for("declare")
        return {eyes["FRANCE"].shared_number("ENGLAND"), eyes["ENGLAND"].shared_number("FRANCE")}

    one, other = rng(1), rng(2)
    assert (len(one), len(other)) == (1, 1)
    assert one != other


def test_a_bot_is_asked_once_in_a_phase_and_again_only_if_its_worker_died(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_with_bots()
    asked: list[str] = []

    def play(power: str, *args: object) -> object:
        asked.append(power)
        if len(asked) == 2:
            raise MemoryError
        return easy.play(power, *args[:3])  # type: ignore[arg-type]

    monkeypatch.setattr(bots, "play", play)
    tasks.play_bots()
    powers = [one.seat.power for one in bot_seats(game)]
    assert asked == powers, "a bot that fails stops no other"
    saved = [has_saved(occupancy_id=one.pk, ordinal=0) for one in bot_seats(game)]
    assert saved == [True, False, True, True, True]
    tasks.play_bots()
    assert len(asked) == 5
    cache.clear()
    tasks.play_bots()
    assert asked == [*powers, powers[1]]


def test_bots_wait_while_a_phase_is_due_and_save_nothing_once_it_has_closed() -> None:
    game, due = game_with_bots(), running_game(name="Due")
    phase = Story(due).deadline_comes()
    tasks.play_bots()
    assert not has_saved(occupancy_id=bot_seats(game)[0].pk, ordinal=0)
    close_due_phase(phase_id=phase.pk)
    one = bot_seats(game)[0]
    Story(game).deadline()
    assert not bots.play_bot_turn(occupancy_id=one.pk, ordinal=0)
    one.refresh_from_db()
    assert (one.owed, one.missed, one.silent) == (0, 0, 0), "its silence is no one's"
    assert game.phases.count() == 2, "neither is more time given for it"


def test_a_bot_that_runs_wild_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_with_bots()
    monkeypatch.setattr(bots, "play", lambda *_: signal.raise_signal(signal.SIGVTALRM))
    with pytest.raises(bots.BotTookTooLong):
        bots.play_bot_turn(occupancy_id=bot_seats(game)[0].pk, ordinal=0)
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)


def test_a_person_takes_over_a_bots_seat_with_what_it_has_saved_for_the_open_phase() -> None:
    game = game_with_bots(all_ready=True, bot_level="easy")
    assert bots.play_bot_turn(occupancy_id=occupancy_of(game, "FRANCE").pk, ordinal=0)
    assert Seat.objects.filter(game=game, held=False).count() == 5
    take_over_seat(game_id=game.pk, user_id=person(DAVE).pk, power="FRANCE")
    held = occupancy_of(game, "FRANCE")
    assert (held.user, held.bot) == (person(DAVE), "")
    assert Seat.objects.get(game=game, power="FRANCE").held
    assert not game.phases.filter(readiness__seat=held.seat).exists(), "Dave has not said it"
    own = Story(game).seen_by(DAVE).order_sheet
    assert own is not None
    assert own.saved
    assert own.complete
    Story(game).order("FRANCE", "A Par H")
    Story(game).deadline()
    assert bots.play_bot_turn(occupancy_id=held.pk, ordinal=1) is False, "the bot has gone"


def test_bots_that_stay_are_not_replaced_but_those_in_seats_that_people_left_are(moment: Moment) -> None:
    game = game_with_bots(bots_leave=False, bots_after_hours=24)
    with pytest.raises(SeatTaken):
        take_over_seat(game_id=game.pk, user_id=person(DAVE).pk, power="FRANCE")
    resign(game_id=game.pk, user_id=person(BOB).pk)
    moment.wait(hours=23)
    assert games_with_seats_long_vacant() == []
    phase = open_phase(game)
    phase.deadline = moment.now + timedelta(hours=2)
    phase.save(update_fields=["deadline"])
    moment.wait(hours=1)
    assert games_with_seats_long_vacant() == [game.pk]
    tasks.sweep_vacant()
    assert not fill_long_vacant_seats_with_bots(game_id=game.pk), "once is enough"
    bot = occupancy_of(game, "ITALY")
    assert (bot.user.is_bot, bot.bot, bot.gives_way) == (True, "strong", True)
    take_over_seat(game_id=game.pk, user_id=person(DAVE).pk, power="ITALY")
    assert occupancy_of(game, "ITALY").user == person(DAVE)


def test_the_game_master_puts_a_bot_into_a_vacant_seat_and_takes_it_out_again() -> None:
    game, gm = running_game(), person(CAROL).pk
    with pytest.raises(BadReason):
        seat_bot(game_id=game.pk, by=gm, power="ITALY", level=Level.MEDIUM)
    with pytest.raises(WrongMoment, match="No bot has this seat"):
        unseat_bot(game_id=game.pk, by=gm, power="ITALY")
    empty_seat(game_id=game.pk, by=gm, power="ITALY", reason="Gone.")
    with pytest.raises(NotAllowed):
        seat_bot(game_id=game.pk, by=person(DAVE).pk, power="ITALY", level=Level.MEDIUM)
    seat_bot(game_id=game.pk, by=gm, power="ITALY", level=Level.MEDIUM)
    bot = occupancy_of(game, "ITALY")
    assert (bot.bot, bot.user.is_bot) == ("medium", True)
    with pytest.raises(SeatTaken):
        seat_bot(game_id=game.pk, by=gm, power="ITALY", level=Level.EASY, reason="Not well.")
    assert bots.play_bot_turn(occupancy_id=bot.pk, ordinal=0)
    with pytest.raises(WrongMoment, match="Take the bot out"):
        empty_seat(game_id=game.pk, by=gm, power="ITALY", reason="Gone.")
    unseat_bot(game_id=game.pk, by=gm, power="ITALY")
    assert not Occupancy.objects.filter(game=game, seat__power="ITALY", until__isnull=True).exists()
    lines = [event.kind for event in Event.objects.filter(game=game).order_by("-pk")[:2]]
    assert lines == ["bot unseated", "bots seated"]
    seat_bot(game_id=game.pk, by=gm, power="ITALY", level=Level.EASY)
    assert not has_saved(occupancy_id=occupancy_of(game, "ITALY").pk, ordinal=0), "the other bot’s orders are gone"


def test_a_bot_decides_again_when_the_game_master_goes_back() -> None:
    game = game_with_bots(bot_level="easy")
    assert bots.play_bot_turn(occupancy_id=occupancy_of(game, "FRANCE").pk, ordinal=0)
    Story(game).order("GERMANY", "A Mun H")
    Story(game).deadline()
    seen = Story(game).seen_by(CAROL).mark
    roll_back(game_id=game.pk, by=person(CAROL).pk, ordinal=0, seen=seen, reason="A mistake.")
    powers = ("GERMANY", "FRANCE")
    assert [has_saved(occupancy_id=occupancy_of(game, power).pk, ordinal=0) for power in powers] == [True, False]
    tasks.play_bots()
    assert has_saved(occupancy_id=occupancy_of(game, "FRANCE").pk, ordinal=0)


def test_a_bot_is_shown_as_a_bot_with_its_level_and_without_a_name() -> None:
    game = game_with_bots()
    view = Story(game).seen_by(DAVE)
    shown = {power.id: (power.player, power.person, power.bot) for power in view.powers}
    assert shown["FRANCE"] == ("", False, "strong")
    assert shown["GERMANY"] == (ALICE, True, "")


def test_a_player_who_missed_phases_comes_back_to_the_seat_that_a_bot_has_meanwhile(moment: Moment) -> None:
    game = game_with_bots(vacant_after=1, bots_after_hours=1)
    for power in ("GERMANY", "FRANCE"):
        Story(game).order(power, "# here")
    Story(game).deadline()
    moment.wait(hours=2)
    tasks.sweep_vacant()
    assert occupancy_of(game, "ITALY").user.is_bot
    assert come_back(game_id=game.pk, user_id=person(BOB).pk) == "ITALY"
    assert occupancy_of(game, "ITALY").user == person(BOB)


def test_a_conversation_with_a_bot_says_that_it_does_not_read_messages() -> None:
    game = game_with_bots()
    alice = visitor(ALICE)

    def told(address: str) -> str:
        return alice.get(reverse("games:thread", args=[game.slug, address])).content.decode()

    assert "France is played by a bot, which doesn’t read or answer messages." in told("FRANCE+GERMANY")
    assert "France and Poland are played by bots, which don’t read" in told("FRANCE+GERMANY+POLAND")
    assert "by a bot" not in told("GERMANY+ITALY")
    assert "by a bot" not in told("everybody")
    close_game(game_id=game.pk, by=person(CAROL).pk)
    assert "France is played by a bot" in told("FRANCE+GERMANY")
