"""Whole seasons in fast motion: whatever happens to a clock, a game keeps what it has promised about its deadlines.

The row `seasons` of the long round plays more of each kind.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache

from adjudication.notation import write_sheet
from adjudication.options import must_decide
from adjudication.turns import Turn
from games.deadlines.absences import book_absence, bookings_of, cancel_absence
from games.deadlines.phases import close_due_phase
from games.deadlines.timetable import FIELD_OF_KIND, Holiday, Slot, Week
from games.kernel import codec
from games.kernel.models import OVER, Game, Phase
from games.kernel.refusals import Refusal
from games.mastering.services.desk import extend_deadline, pause_game, resume_game, seat_player, set_deadline
from games.orders.services import save_sheet, set_ready
from games.orders.sheets import SentSheet
from games.seating.services.vacancies import resign
from tests.cast import CAROL, PLAYERS, person
from tests.deadlines.seasons import Booking, Line, Record, Row, Terms, complaints
from tests.factories import HOUR, open_phase, running_game
from tests.long_round import how_many
from variants.bots import Level, play

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.kernel.models import Occupancy
    from tests.moment import Moment

COUNT = how_many("seasons")
MINUTE, DAY = 60, 24 * HOUR
VARIANT, YEARS = "balkan-battle", 2
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Asia/Kolkata", "UTC")
EVENINGS = tuple(Slot(day, 19, 0) for day in range(5))


@dataclass(frozen=True)
class Kind:
    """A timetable, and when its games begin: so that the clocks change, one way and the other."""

    week: Week
    seconds: tuple[int, int, int]
    starts: tuple[datetime, ...]
    more: dict[str, Any] = field(default_factory=dict)

    def options(self) -> dict[str, Any]:
        names = ("movement_seconds", "retreat_seconds", "adjustment_seconds")
        return {"variant": VARIANT, "week": self.week, **dict(zip(names, self.seconds, strict=True)), **self.more}


def noon(*day: int) -> datetime:
    return datetime(*day, 12, tzinfo=UTC)  # type: ignore[arg-type,misc]


AUTUMN, SPRING = noon(2026, 10, 19), noon(2027, 3, 8)
KINDS = {
    "daily, no weekends": Kind(
        Week(zone="Europe/Berlin", days_off=(5, 6)),
        (DAY, 12 * HOUR, 12 * HOUR),
        (AUTUMN, noon(2027, 3, 22)),
        {"grace_seconds": 12 * HOUR, "grace_times": 3, "absence_days": 14, "all_ready": True, "panic_seconds": HOUR},
    ),
    "weekly": Kind(
        Week(zone="Australia/Lord_Howe", movement=(Slot(6, 2, 15),), retreat=(Slot(2, 19, 0),), days_off=(4,)),
        (2 * DAY, DAY, DAY),
        (noon(2026, 9, 14), noon(2027, 3, 22)),
        {"grace_seconds": DAY, "grace_times": 3, "absence_days": 14},
    ),
    "fixed times, holidays": Kind(
        Week(
            zone="America/New_York",
            movement=EVENINGS,
            retreat=EVENINGS,
            adjustment=EVENINGS,
            days_off=(6,),
            holidays=(
                Holiday(date(2026, 11, 10), date(2026, 11, 13), "Harvest"),
                Holiday(date(2027, 3, 25), date(2027, 3, 29)),
            ),
        ),
        (DAY, 12 * HOUR, 12 * HOUR),
        (AUTUMN, SPRING),
        {"grace_seconds": 12 * HOUR, "grace_times": 5, "absence_days": 30, "most_extended": 3},
    ),
    "live": Kind(
        Week(zone="Europe/London"),
        (15 * MINUTE, 5 * MINUTE, 5 * MINUTE),
        (datetime(2026, 10, 24, 23, 40, tzinfo=UTC), datetime(2027, 3, 27, 23, 40, tzinfo=UTC)),
        {"grace_seconds": 3 * MINUTE, "grace_times": 2, "all_ready": True, "panic_seconds": 30},
    ),
}


class Season:
    """One game whose players, game master and clock do whatever comes to mind."""

    def __init__(self, kind: Kind, moment: Moment, start: datetime, seed: int) -> None:
        self.kind, self.moment, self.chance = kind, moment, Random(seed)
        moment.now = start
        self.game = running_game(players=PLAYERS[:2], name=f"Season {seed}", vacant_after=3, **kind.options())
        self.gm = person(CAROL).pk
        self.rows, self.bookings = list[Row](), list[Booking]()
        self.newcomers = 0
        self.see()

    def play(self, years: int) -> Record:
        begun = self.position().turn.year
        while self.game.status not in OVER and self.position().turn.year < begun + years:
            self.save_some()
            for _ in range(self.chance.randrange(3)):
                self.wait(self.chance.random() * 0.7)
                act = self.chance.choice(
                    [self.extend, self.set, self.pause, self.book, self.cancel, self.replace, self.ready]
                )
                self.do(act)
            self.reach_the_deadline()
        return self.record()

    # What they do

    def do(self, act: Callable[[], object]) -> None:
        """What the game refuses does not happen."""
        cache.clear()
        with suppress(Refusal):
            act()
        self.see()

    def save_some(self) -> None:
        position, variant, phase = self.position(), codec.variant_of(self.game), self.phase()
        for one in self.seated():
            lines = ""
            if self.chance.random() < 0.4:
                lines = write_sheet(play(one.seat.power, position, variant.ruleset, 1, Level.EASY), position)
            if self.chance.random() < 0.7:
                sheet = SentSheet(lines, phase.ordinal)
                self.do(partial(save_sheet, occupancy_id=one.pk, sheet=sheet))

    def extend(self) -> None:
        seconds = self.kind.seconds[0] * self.chance.choice([0.1, 0.5, 1, 2.5])
        for _ in range(self.chance.choice([1, 1, 9])):  # at last until it is refused
            extend_deadline(game_id=self.game.pk, by=self.gm, seconds=int(seconds))

    def set(self) -> None:
        ends, length = self.phase().deadline, self.kind.seconds[0]
        if ends is not None:
            until = (ends + timedelta(seconds=length * self.chance.random() * 2)).replace(second=0, microsecond=0)
            set_deadline(game_id=self.game.pk, by=self.gm, until=until)

    def pause(self) -> None:
        pause_game(game_id=self.game.pk, by=self.gm)
        self.see()
        self.moment.now += timedelta(seconds=int(self.kind.seconds[0] * self.chance.choice([0.01, 0.4, 1.3, 4])))
        if self.chance.random() < 0.3:
            self.do(self.chance.choice([self.extend, self.book, self.replace]))
        resume_game(game_id=self.game.pk, by=self.gm)

    def book(self) -> None:
        one = self.chance.choice(self.seated())
        zone = self.chance.choice(ZONES)
        first = self.moment.now.astimezone(ZoneInfo(zone)).date() + timedelta(days=self.chance.randrange(6))
        last = first + timedelta(days=self.chance.randrange(4))
        book_absence(game_id=self.game.pk, user_id=one.user_id, first=first, last=last, zone=zone)
        row = bookings_of(self.game, one.user_id).last()
        assert row is not None
        self.bookings.append(Booking(str(one.user_id), self.moment.now, row.begins, row.ends))

    def cancel(self) -> None:
        one = self.chance.choice(self.seated())
        mine = [number for number, it in enumerate(self.bookings) if it.player == str(one.user_id)]
        place = self.chance.randrange(len(mine)) if mine else 0
        cancel_absence(game_id=self.game.pk, user_id=one.user_id, number=place + 1)
        self.bookings[mine[place]] = replace(self.bookings[mine[place]], left=self.moment.now)

    def replace(self) -> None:
        self.newcomers += 1
        seat = self.chance.choice(list(self.game.seats.order_by("power")))
        gone = self.game.occupancies.filter(seat=seat, until__isnull=True).first()
        if gone is not None and self.chance.random() < 0.3:
            resign(game_id=self.game.pk, user_id=gone.user_id)
        seat_player(
            game_id=self.game.pk, by=self.gm, power=seat.power, username=person(f"new{self.newcomers}").username
        )

    def ready(self) -> None:
        for one in self.seated():
            set_ready(occupancy_id=one.pk, ordinal=self.phase().ordinal, ready=True)
        if self.chance.random() < 0.3:
            self.see()
            set_ready(occupancy_id=one.pk, ordinal=self.phase().ordinal, ready=False)

    # What the clock does

    def wait(self, share: float) -> None:
        """A part of the time that is left."""
        self.moment.now += timedelta(seconds=int(self.phase().time_left(self.moment.now).total_seconds() * share))

    def reach_the_deadline(self) -> None:
        """The worker is a little late."""
        if self.phase().deadline is None:
            self.do(self.replace)
            self.do(lambda: resume_game(game_id=self.game.pk, by=self.gm))
        phase = self.phase()
        assert phase.deadline is not None
        self.moment.now = max(self.moment.now, phase.deadline) + timedelta(seconds=self.chance.choice([0, 1, 40]))
        close_due_phase(phase_id=phase.pk)
        self.game = Game.objects.get(pk=self.game.pk)
        self.see()

    # What can be seen of it

    def phase(self) -> Phase:
        return open_phase(self.game)

    def position(self) -> Any:
        return codec.position_of(self.game.phases.order_by("-ordinal")[0])

    def seated(self) -> list[Occupancy]:
        return list(self.game.occupancies.filter(until__isnull=True).select_related("seat").order_by("seat__power"))

    def see(self) -> None:
        """The rows of the last two phases, as they are now, and the players that have left."""
        self.game = Game.objects.get(pk=self.game.pk)
        still = {str(one.user_id) for one in self.seated()}
        self.bookings = [
            it if it.left or it.player in still else replace(it, left=self.moment.now) for it in self.bookings
        ]
        for phase in reversed(self.game.phases.order_by("-ordinal")[:2]):
            row = self.row(phase)
            if not any(replace(it, at=row.at) == row for it in self.rows[-2:]):
                self.rows.append(row)

    def row(self, phase: Phase) -> Row:
        early = phase.deadline is not None and phase.deadline == phase.window_ends
        deciding = must_decide(codec.position_of(phase), codec.variant_of(self.game).ruleset)
        players = {str(one.user_id) for one in self.seated() if one.seat.power in deciding}
        return Row(
            at=self.moment.now,
            number=phase.ordinal,
            kind=FIELD_OF_KIND[Turn.from_code(phase.turn).kind],
            opened=phase.opened,
            ends=phase.before_window if early else phase.deadline,
            closed=phase.closed,
            early=early,
            players=frozenset(players) if phase.closed is None else frozenset(),
        )

    def record(self) -> Record:
        options, week = self.game.options.values, self.kind.week
        seconds = dict(zip(("movement", "retreat", "adjustment"), self.kind.seconds, strict=True))
        log = [
            Line(it.at, it.kind, int(it.facts.get("seconds", 0)), _moment(it.facts.get("moment")))
            for it in self.game.events.order_by("pk")
        ]
        return Record(Terms(week, seconds, options["most_extended"]), log, self.rows, self.bookings)


def _moment(fact: str | None) -> datetime | None:
    return datetime.fromisoformat(fact) if fact else None


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(COUNT))
@pytest.mark.parametrize("start", [0, 1], ids=["autumn", "spring"])
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_a_game_keeps_its_promises_about_deadlines_whatever_happens(
    moment: Moment, kind: Kind, start: int, seed: int
) -> None:
    record = Season(kind, moment, kind.starts[start], seed).play(YEARS)
    assert len(record.last_rows()) > YEARS
    assert complaints(record) == []


# The checker notices

MONDAY = datetime(2026, 11, 2, 12, tzinfo=UTC)
WEEKDAYS = Terms(Week(zone="UTC", days_off=(5, 6)), {"movement": DAY, "retreat": 12 * HOUR}, lengths=2)
MONDAYS = Terms(Week(zone="UTC", movement=(Slot(0, 19, 0),)), {"movement": 2 * DAY}, lengths=1)
ALICE = Booking("alice", MONDAY, MONDAY + timedelta(hours=12), MONDAY + timedelta(hours=36))
DAY_LATER = timedelta(days=1)


def told(terms: Terms, ends: datetime, *log: Line, **more: Any) -> list[str]:
    """What the checker says of one phase that opened on Monday, and closed at the end that its row says last."""
    facts = {"number": 0, "kind": "movement", "opened": MONDAY, "ends": ends, "players": frozenset({"alice"})}
    row = Row(**{"at": ends, "closed": None, **facts, **more.get("row", {})})
    rows = [*more.get("rows", ()), row]
    return complaints(Record(terms, log, rows, more.get("bookings", ())))


def first(hours: float) -> Row:
    """The row as it was at first."""
    return Row(MONDAY, 0, "movement", MONDAY, MONDAY + timedelta(hours=hours), players=frozenset({"alice"}))


def at(hours: float) -> datetime:
    return MONDAY + timedelta(hours=hours)


SET, SET_LATER = (Line(at(1), "deadline set", until=at(hours)) for hours in (72, 80))
TWICE = [Line(at(1), kind, DAY + 1) for kind in ("deadline moved", "grace given")]
PAUSE = (Line(at(1), "paused"), Line(at(11), "resumed"))


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("on a day off", told(WEEKDAYS, at(5 * 24), Line(at(1), "deadline moved", 2 * DAY), *PAUSE)),
        ("on a day off", told(WEEKDAYS, at(24), rows=[first(5 * 24)], row={"at": at(1)})),
        ("that alice booked", told(WEEKDAYS, at(24), bookings=[ALICE], row={"at": at(2)})),
        ("ends too soon", told(WEEKDAYS, at(23))),
        ("ends too soon", told(MONDAYS, at(30))),
        ("before its deadline", told(WEEKDAYS, at(24), row={"closed": at(20)})),
        ("at the latest promised", told(WEEKDAYS, at(25))),
        ("at the latest promised", told(WEEKDAYS, at(37), Line(at(1), "grace given", 12 * HOUR))),
        ("at the latest promised", told(WEEKDAYS, at(24 + 10 + 26), *PAUSE)),
        ("at the latest promised", told(WEEKDAYS, at(72), bookings=[ALICE], row={"at": at(0)})),
        ("extended by", told(WEEKDAYS, at(72), *TWICE)),
        ("extended by", told(WEEKDAYS, at(80), SET_LATER, rows=[first(24)])),
        ("none of the fixed times", told(MONDAYS, datetime(2026, 11, 9, 18, tzinfo=UTC))),
    ],
)  # fmt: skip
def test_the_checker_notices_each_broken_promise(word: str, found: list[str]) -> None:
    assert any(word in each for each in found), found


@pytest.mark.parametrize(
    "found",
    [
        told(WEEKDAYS, at(24), row={"closed": at(24)}),
        told(WEEKDAYS, at(36), Line(at(1), "grace given", 12 * HOUR)),
        told(WEEKDAYS, at(34), *PAUSE),
        told(WEEKDAYS, at(72), Line(at(1), "player away"), bookings=[ALICE], row={"at": at(1)}),
        told(WEEKDAYS, at(72), SET, rows=[first(24)]),
        told(MONDAYS, datetime(2026, 11, 9, 19, tzinfo=UTC)),
    ],
)
def test_the_checker_has_nothing_against_promises_that_were_kept(found: list[str]) -> None:
    assert found == []
