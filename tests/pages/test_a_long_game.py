"""Half a year of a game, from its form to its draw: players who leave and join, moved deadlines, every email."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from celery import current_app
from django.core import mail

from games import tasks
from games.deadlines.absences import book_absence
from games.deadlines.reminders import reminder_times
from games.endings import services as votes
from games.kernel import codec
from games.kernel.models import Game, Occupancy, Phase, Result, Sitting, Status
from games.kernel.queries import phase_head
from games.mastering.services import desk as game_master
from games.mastering.services import repair
from games.orders.services import save_sheet
from games.orders.sheets import SentSheet
from games.pages.forms import CreateGameForm
from games.press import services as press
from games.seating.models import RollCall
from games.seating.services import joining, sitters
from games.seating.services import new_game as lobby
from games.seating.services import vacancies as market
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import HOUR, occupancy_of, open_phase, powers_of
from tests.moment import Moment
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.django_db

ALICE, BOB, FRITZ, GINA, HUGO, IVAN, JANE = PLAYERS
NADIA, OLGA, SIMON = "nadia", "olga", "simon"
"""One takes a vacant seat, one doesn't answer the roll call, and one sits for a player."""
BRITAIN, FRANCE, GERMANY, ITALY = "BRITAIN", "FRANCE", "GERMANY", "ITALY"
POLAND, SOVIET_UNION = "POLAND", "SOVIET_UNION"
FORM = {
    "name": "Locarno",
    "variant": "1926",
    "pace": "own",
    "zone": "Europe/Berlin",
    "movement_seconds": "259200",
    "retreat_seconds": "86400",
    "adjustment_seconds": "86400",
    "movement_times": "Sun 02:30",
    "holiday_0_first": "2026-12-24",
    "holiday_0_last": "2027-01-02",
    "holiday_0_name": "Christmas",
    "grace_seconds": "43200",
    "grace_times": "1",
    "absence_days": "14",
    "entrance": "open",
    "seats": "preferences",
    "roll_call": "three",
    "talk": "full",
    "part": "runs",
    "bids_for_gm": "blind",
    "bids_at_end": "sealed",
    "draws": "any",
    "end_votes": "secret",
    "vacant_after": "2",
}
ROLL, STARTED, OVER = "please confirm your place", "the game has started", "the game is over"
ENTER, RESULT = "enter your orders for ", "the result of "
BEGUN = {"Spring 1926": f"{STARTED}: {ENTER}Spring 1926, movement"}
VACANT, UNSAVED = "Poland is vacant", "no orders saved yet for "
PUT_RIGHT = "the game master has made a correction: now Fall 1930, movement"
PROPOSAL = "a proposal to end the game"
STOPPED = "the game is paused"
MOVED = {
    "Spring 1927": "Ivan has saved nothing",
    "Spring 1928": "a full phase for Nadia",
    "Spring 1929": "by the game master",
    "Spring 1930": "Bob is away",
    "Fall 1931": "by the game master, after a pause",
}
MOVES = {season: [f"the deadline for {season}, movement, has moved"] for season in MOVED}
MOVES["Fall 1931"].insert(0, STOPPED)
"""Everyone in the game is told this once each time, except the user who did it or joined by it."""
WEEK = 7 * 24 * HOUR
SOON = timedelta(seconds=20)
"""How long after an instant the site does what is due then."""


def utc(*moment: int) -> datetime:
    return datetime(*moment, tzinfo=UTC)  # type: ignore[misc, arg-type]


class Site:
    """The game, and the clock with what the site does as time passes."""

    def __init__(self, moment: Moment, game: Game) -> None:
        self.moment, self.game = moment, game

    def beat(self) -> None:
        for task in (tasks.sweep, tasks.sweep_roll_calls, tasks.sweep_waiting, tasks.remind, tasks.deliver):
            task()

    def until(self, then: datetime) -> None:
        """Let time pass; everything that becomes due before then is done some seconds later."""
        while (due := self._next_due()) is not None and due + SOON <= then:
            self.moment.now = due + SOON
            self.beat()
        self.moment.now = then
        self.beat()

    def _next_due(self) -> datetime | None:
        instants = list(RollCall.objects.filter(game=self.game).values_list("deadline", flat=True))
        for phase in Phase.objects.filter(game=self.game, closed__isnull=True, deadline__isnull=False):
            assert phase.deadline is not None
            instants += [phase.deadline, *reminder_times(phase.opened, phase.deadline)]
        return min((one for one in instants if one + SOON > self.moment.now), default=None)

    def deadline(self) -> datetime:
        found = open_phase(self.game).deadline
        assert found is not None
        return found

    def play(self, turn: str, *, ends: datetime, without: tuple[str, ...] = (), **orders: str) -> None:
        """Everyone with a seat, except those `without`, saves an hour after the phase has opened, which then ends."""
        self.save(turn, without=without, **orders)
        assert self.deadline() == ends
        self.until(ends + SOON)

    def save(self, turn: str, *, without: tuple[str, ...] = (), **orders: str) -> None:
        phase = open_phase(self.game)
        assert phase.turn == turn
        self.until(max(self.moment.now, phase.opened + timedelta(hours=1)))
        for seated in Occupancy.objects.filter(game=self.game, until__isnull=True).select_related("seat"):
            if seated.seat.power not in without:
                text = orders.get(seated.seat.power, "")
                save_sheet(occupancy_id=seated.pk, sheet=SentSheet(text, phase.ordinal))

    def missed(self) -> list[str]:
        """The powers that saved nothing for the latest closed phase."""
        return list(Result.objects.filter(phase__game=self.game).latest("phase__ordinal").missed)

    def orders_of(self, power: str) -> set[str]:
        """What a power's units did in the latest closed phase, in the words of the page."""
        result = Story(self.game).seen_by(DAVE, open_phase(self.game).ordinal - 1).result
        assert result is not None
        return {one.text for one in result.outcomes if one.power == power and one.succeeded}

    def id(self) -> dict[str, Any]:
        return {"game_id": self.game.pk}


def letters_to(name: str) -> list[str]:
    """The subjects of all emails to this user, in order."""
    address = person(name).email
    letters = [letter for letter in mail.outbox if letter.to == [address]]
    return [letter.subject.removeprefix("Locarno: ") for letter in letters]


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> Moment:
    moment = Moment(monkeypatch)
    moment.now = utc(2026, 10, 12, 12)
    return moment


@pytest.fixture
def worker() -> Iterator[None]:
    """Tasks run where they are requested, as if by a worker that never waits."""
    current_app.conf.task_always_eager = current_app.conf.task_eager_propagates = True
    yield
    current_app.conf.task_always_eager = current_app.conf.task_eager_propagates = False


@pytest.mark.usefixtures("worker")
def test_half_a_year_of_a_game_and_all_its_letters(moment: Moment) -> None:
    site = created(moment)
    everybody_joins_and_one_does_not_answer(site)
    germany_takes_czechia_and_builds(site)
    ivan_vanishes_and_loses_the_seat(site)
    nadia_takes_the_seat_and_has_a_full_phase(site)
    hugo_gives_up_and_poland_falls_apart(site)
    a_holiday_moves_a_deadline(site)
    days_away_move_a_deadline(site)
    the_game_master_goes_back(site)
    a_sitter_plays_a_turn(site)
    the_clock_stands_still_for_six_weeks(site)
    a_deadline_comes_in_the_hour_that_is_skipped(site)
    all_who_are_left_agree_on_a_draw(site)
    results = [subject for subject in letters_to(CAROL) if subject.startswith(RESULT)]
    judged = Result.every.filter(phase__game=site.game).exclude(phase__in=site.game.phases.order_by("-ordinal")[:1])
    assert len(results) == judged.count(), "of every phase after which there was another, also of those undone"
    asked = {name: [it for it in letters_to(name) if not it.startswith(RESULT)] for name in expected_letters()}
    assert asked == expected_letters()
    others = [letter for letter in mail.outbox if RESULT not in letter.subject]
    assert len(others) == sum(len(letters) for letters in expected_letters().values()), "nobody else"


def expected_letters() -> dict[str, list[str]]:
    """Players who vanished or left get no more emails, new ones get them from then on, and observers never do."""
    until_the_way_back = turns("Spring 1927", "Spring 1931")
    since = turns("Spring 1931", "Spring 1932")
    asked = [*turns("Spring 1926", "Fall 1926"), *until_the_way_back, PUT_RIGHT, *since, PROPOSAL, OVER]
    spring, fall = "Spring 1927, movement", "Fall 1927, movement"
    return {
        CAROL: [STARTED, *MOVES["Spring 1927"], *MOVES["Spring 1928"], VACANT, *MOVES["Spring 1930"], OVER],
        ALICE: [ROLL, ROLL, *(letter for letter in asked if letter != PROPOSAL)],
        BOB: [ROLL, ROLL, *asked[:2], "a message from Britain", *asked[2:]],
        FRITZ: [ROLL, ROLL, *asked[:2], f"{ENTER}Winter 1926, adjustments", *asked[2:]],
        GINA: [
            *[ROLL, ROLL, *turns("Spring 1926", "Fall 1926"), *until_the_way_back, PUT_RIGHT],
            *["you have a sitter", *since, PROPOSAL, OVER],
        ],
        HUGO: [ROLL, ROLL, *turns("Spring 1926", "Fall 1928")],
        IVAN: [
            *[ROLL, ROLL, *turns("Spring 1926", "Fall 1926")],
            *[ENTER + spring, UNSAVED + spring, UNSAVED + spring],
            *[*MOVES["Spring 1927"], UNSAVED + spring, UNSAVED + spring],  # again, because of the new deadline
            *[ENTER + fall, UNSAVED + fall, UNSAVED + fall, "you have lost your seat"],
        ],
        JANE: [ROLL, *asked],
        NADIA: [
            "would you like to play the Soviet Union?",
            *turns("Fall 1928", "Spring 1931"),
            PUT_RIGHT,
            *since,
            PROPOSAL,
            OVER,
        ],
        OLGA: [ROLL, "you have lost your place"],
        SIMON: ["a player has asked you to sit for them", f"{ENTER}Spring 1931, movement"],
        DAVE: [],
    }


def turns(first: str, last: str) -> list[str]:
    """The emails about the turns from one to another, and about their moved deadlines."""
    names = [f"{season} {year}" for year in range(1926, 1940) for season in ("Spring", "Fall")]
    some = names[names.index(first) : names.index(last) + 1]
    return [letter for name in some for letter in (BEGUN.get(name, f"{ENTER}{name}, movement"), *MOVES.get(name, ()))]


def created(moment: Moment) -> Site:
    form = CreateGameForm(FORM)
    assert form.is_valid(), form.errors
    slug = lobby.create_game(by=person(CAROL).pk, **form.options())
    return Site(moment, Game.objects.get(slug=slug))


def everybody_joins_and_one_does_not_answer(site: Site) -> None:
    """A player who hasn't confirmed after three days loses the place to another."""
    for name in (OLGA, *PLAYERS[:-1]):
        join(site, name)
    confirm(site, *PLAYERS[:-1])
    site.until(utc(2026, 10, 15, 13))
    assert site.game.status == Status.OPEN
    site.until(utc(2026, 10, 16, 12))
    join(site, JANE)
    confirm(site, *PLAYERS[:-1])
    site.game.refresh_from_db()
    assert site.game.status == Status.RUNNING
    holders = Occupancy.objects.filter(game=site.game).values_list("seat__power", "user__username")
    assert dict(holders) == dict(zip(powers_of(site.game), PLAYERS, strict=True)), "all got their first preference"


def join(site: Site, name: str) -> None:
    wishes = [powers_of(site.game)[PLAYERS.index(name)]] if name in PLAYERS else []
    joining.join_game(**site.id(), user_id=person(name).pk, wishes=wishes)
    site.beat()


def confirm(site: Site, *names: str) -> None:
    for name in names:
        joining.confirm_place(**site.id(), user_id=person(name).pk)


def germany_takes_czechia_and_builds(site: Site) -> None:
    """On 25 October it is 02:30 twice in Berlin: the deadline is the first."""
    site.play("S1926M", ends=utc(2026, 10, 25, 0, 30), GERMANY="A Mun-Cze\n1: A Aus S A Mun-Cze")
    press.send_message(**site.id(), user_id=person(ALICE).pk, text="Shall we be friends?", to=[FRANCE])
    site.play("F1926M", ends=utc(2026, 11, 1, 1, 30))
    others = tuple(power for power in powers_of(site.game) if power != GERMANY)
    site.play("W1926A", ends=utc(2026, 11, 2, 1, 30, 20), without=others, GERMANY="Build A Mun")
    germany = next(power for power in Story(site.game).seen_by(DAVE).powers if power.id == GERMANY)
    assert (germany.units, germany.centres) == (4, 4)


def ivan_vanishes_and_loses_the_seat(site: Site) -> None:
    """First there is an extension, then the phase ends without Ivan, and after the second one the seat is vacant."""
    market.join_standby_list(user_id=person(NADIA).pk, variants=["1926"])
    site.save("S1927M", without=(SOVIET_UNION,))
    site.until(utc(2026, 11, 8, 1, 30) + SOON)
    site.play("S1927M", ends=utc(2026, 11, 8, 13, 30), without=(SOVIET_UNION,))
    assert site.missed() == [SOVIET_UNION]
    site.play("F1927M", ends=utc(2026, 11, 15, 1, 30), without=(SOVIET_UNION,))
    assert site.missed() == [SOVIET_UNION]
    assert not Occupancy.objects.filter(game=site.game, user=person(IVAN), until__isnull=True).exists()


def nadia_takes_the_seat_and_has_a_full_phase(site: Site) -> None:
    """A day and a half before the deadline, which therefore moves by a week."""
    site.save("S1928M")
    assert site.deadline() == utc(2026, 11, 22, 1, 30)
    site.until(utc(2026, 11, 20, 12))
    market.take_over_seat(**site.id(), user_id=person(NADIA).pk, power=SOVIET_UNION)
    site.play("S1928M", ends=utc(2026, 11, 29, 1, 30))
    assert site.missed() == []


def hugo_gives_up_and_poland_falls_apart(site: Site) -> None:
    """And the game master extends the deadline by a week for everyone to think about it."""
    site.until(utc(2026, 11, 30, 12))
    market.resign(**site.id(), user_id=person(HUGO).pk)
    site.play("F1928M", ends=utc(2026, 12, 6, 1, 30))
    site.until(utc(2026, 12, 8, 12))
    master = {**site.id(), "by": person(CAROL).pk}
    game_master.declare_civil_disorder(**master, power=POLAND, reason="Nobody comes.")
    game_master.extend_deadline(**master, seconds=WEEK, reason="Think about Poland.")
    site.play("S1929M", ends=utc(2026, 12, 20, 1, 30))
    assert POLAND not in {unit.power for unit in codec.position_of(open_phase(site.game)).units}


def a_holiday_moves_a_deadline(site: Site) -> None:
    """There is none on 27 December."""
    site.play("F1929M", ends=utc(2027, 1, 3, 1, 30))


def days_away_move_a_deadline(site: Site) -> None:
    site.until(utc(2027, 1, 4, 12))
    first, last = date(2027, 1, 8), date(2027, 1, 10)
    book_absence(**site.id(), user_id=person(BOB).pk, first=first, last=last, zone="Europe/Paris")
    site.play("S1930M", ends=utc(2027, 1, 17, 1, 30))


def the_game_master_goes_back(site: Site) -> None:
    """Fall 1930 is played again, with everyone's saved orders."""
    site.play("F1930M", ends=utc(2027, 1, 24, 1, 30), GERMANY="A Mun-Bur")
    again = site.game.phases.get(turn="F1930M")
    site.until(utc(2027, 1, 26, 12))
    mark = phase_head(open_phase(site.game)).mark
    why = "Two of you wrote that the site was away."
    repair.roll_back(**site.id(), by=person(CAROL).pk, ordinal=again.ordinal, seen=mark, reason=why)
    site.until(utc(2027, 1, 29, 12))
    gina_names_a_sitter(site)
    site.play("F1930M", ends=utc(2027, 1, 31, 1, 30), without=tuple(powers_of(site.game)))
    assert site.missed() == []
    assert "A Mun–Bur" in site.orders_of(GERMANY)


def gina_names_a_sitter(site: Site) -> None:
    sitters.name_sitter(
        **site.id(),
        user_id=person(GINA).pk,
        username=person(SIMON).username,
        first=date(2027, 1, 30),
        last=date(2027, 2, 6),
        zone="Europe/Rome",
    )
    site.beat()
    sitting = Sitting.objects.get(sitter=person(SIMON))
    sitters.answer_sitting(user_id=person(SIMON).pk, number=sitting.pk, accept=True)
    site.beat()


def a_sitter_plays_a_turn(site: Site) -> None:
    """Gina saves nothing, and it doesn't count as missed."""
    site.save("S1931M", without=(ITALY,))
    ordinal, seat = open_phase(site.game).ordinal, occupancy_of(site.game, ITALY)
    number = Sitting.objects.get(sitter=person(SIMON)).pk
    save_sheet(occupancy_id=seat.pk, sheet=SentSheet("A Mil-Pie", ordinal), sitting=number)
    site.play("S1931M", ends=utc(2027, 2, 7, 1, 30), without=(ITALY,))
    assert site.missed() == []
    assert "A Mil–Pie" in site.orders_of(ITALY)


def the_clock_stands_still_for_six_weeks(site: Site) -> None:
    master = {**site.id(), "by": person(CAROL).pk}
    site.save("F1931M")
    site.until(utc(2027, 2, 8, 12))
    game_master.pause_game(**master, reason="We all need a rest.")
    site.until(utc(2027, 3, 20, 12))
    game_master.resume_game(**master, reason="Here we go.")


def a_deadline_comes_in_the_hour_that_is_skipped(site: Site) -> None:
    """On 28 March the clocks in Berlin go from 02:00 to 03:00: 02:30 means the instant they change."""
    site.play("F1931M", ends=utc(2027, 3, 28, 1, 0))
    assert site.missed() == []


def all_who_are_left_agree_on_a_draw(site: Site) -> None:
    site.save("S1932M")
    site.until(utc(2027, 3, 29, 12))
    left = [power for power in powers_of(site.game) if power != POLAND]
    votes.propose_end(occupancy_id=occupancy_of(site.game, BRITAIN).pk, kind="draw", powers=left)
    site.until(utc(2027, 3, 29, 18))
    for power in left[1:]:
        votes.vote_on_proposal(occupancy_id=occupancy_of(site.game, power).pk, number=1, agrees=True)
    site.until(utc(2027, 4, 30, 12))
    site.game.refresh_from_db()
    assert site.game.status == Status.FINISHED
    assert site.game.verdict is not None
    assert site.game.verdict["winners"] == left
    assert site.game.verdict_sentence == (
        "All players agreed on a draw between Britain, France, Germany, Italy, the Soviet Union and Turkey."
    )
