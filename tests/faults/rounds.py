"""The rounds: the games run, the writers write, and one fault follows another."""

from __future__ import annotations

import contextlib
import io
import itertools
import random
import sys
import time
from collections import Counter, defaultdict
from statistics import median
from typing import TYPE_CHECKING

from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError, connection

from games.kernel.models import OVER, Game, Status
from games.kernel.refusals import Refusal
from games.mastering.services.desk import pause_game
from tests.faults import faults, mails
from tests.faults.checks import Checks
from tests.faults.eye import Eye
from tests.faults.people import People
from tests.faults.site import NotUpAgain
from tests.faults.writers import Memory, Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.faults.faults import Fault
    from tests.faults.site import Site

PATIENCE = 90.0
STEP = 0.2
TWO_DAYS = 48 * 3600.0
LOOK_AFTER_ROUNDS = 5
WATCHED_SECONDS = 10
RARE = 10


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class Rounds:
    """Everything that takes part."""

    def __init__(self, site: Site, games: int, writers: int, seed: int) -> None:
        self.site, self.games, self.hands = site, games, writers
        self.chance = random.Random(seed)
        self.memory = Memory()
        self.eye = Eye()
        self.checks = Checks(self.memory, site.shifts)
        self.recoveries: dict[str, list[float]] = defaultdict(list)
        self.played = 0

    def begin(self) -> None:
        call_command("migrate", verbosity=0)
        faults.make_breakable()
        self.people = People(self.games)
        self.fill_up()
        self.writers = [
            Writer(number, self.hands, self.site.ports, self.eye, self.people, self.memory)
            for number in range(self.hands)
        ]
        self.hurried = Writer(self.hands, self.hands + 1, self.site.ports, self.eye, self.people, self.memory)
        self.site.supervise()
        self.site.await_up()
        self.site.deaths = 0
        self.eye.up = True
        self.eye.start()
        for writer in self.writers:
            writer.start()

    def fill_up(self) -> None:
        """Keep the number of games constant, even when some have ended."""
        for _ in range(self.games - Game.objects.exclude(status__in=OVER).count()):
            self.people.make_game()

    def play(self, fault: Fault) -> None:
        """One round: a fault while everyone writes, until everything is up and a player has saved again."""
        self.eye.up = fault.borne
        fault.strike(self.site)
        faults.hold(fault)
        connection.close()
        fault.mend(self.site)
        self.site.supervise()
        seconds = self.site.await_up()
        self.eye.up = True
        self._await_a_save()
        if fault.ends_phases:
            for game in list(self.eye.games.values()):
                self.hurried.end_phase(game)
        self.recoveries[fault.name].append(seconds)
        self.played += 1
        sys.stderr.write(f"{self.played}: {fault.name}, all up again after {seconds:.1f} s\n")
        if self.played % LOOK_AFTER_ROUNDS == 0:
            self.look()

    def look(self) -> None:
        self.fill_up()
        self.checks.look()

    def _await_a_save(self) -> None:
        before = self.memory.saved
        self._await(lambda: self.memory.saved > before, "nobody can save")

    def _await(self, done: Callable[[], bool], complaint: str) -> None:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                if done():
                    return
            except DatabaseError:
                connection.close()
            if time.monotonic() > end:
                self.checks.complaints.append(complaint)
                return
            self.site.supervise()
            time.sleep(STEP)

    def end(self) -> None:
        """Dismiss the writers, wait until nothing is due, pause the games, and check everything."""
        for writer in self.writers:
            writer.stop()
        for writer in self.writers:
            writer.thread.join()
        self._await(watchdog_is_content, "phases are overdue at the end")
        self._await(self._clocks_stopped, "phases are not judged at the end")
        self.eye.stop()
        faults.jump(TWO_DAYS)(self.site)  # anything waiting for a retry is tried now
        self._await(lambda: not mails.waiting(), "letters wait")
        self.checks.look_at_the_end()
        self.checks.complaints += [f"{what}, {times} times" for what, times in self.memory.mistakes.items()]
        self.checks.complaints += mails.complaints(self.site.postbox.arrived, self.site.shifts, self.checks.counts)
        self.checks.complaints += [
            f"phase {phase} was overdue for {self.eye.overdue[phase]:.0f} s while all was up" for phase in self.eye.late
        ]
        self.checks.complaints += left_over_sessions()

    def _clocks_stopped(self) -> bool:
        """Pause every running game; return whether none is running any more. Phases that are due are adjudicated
        first."""
        for game in Game.objects.filter(status=Status.RUNNING):
            with contextlib.suppress(Refusal):
                pause_game(game_id=game.pk, by=game.gm_id)
        return not Game.objects.filter(status=Status.RUNNING).exists()

    def report(self) -> bool:
        """Print the counts; return whether nothing is wrong."""
        say(f"{'fault':<38}{'rounds':>7}{'all up again after':>22}")
        for name, seconds in self.recoveries.items():
            say(f"{name:<38}{len(seconds):>7}{median(seconds):>12.1f} s, at most {max(seconds):.1f} s")
        over = Game.objects.filter(status__in=OVER).count()
        say(f"\nrounds {self.played}, games {self.games} (and {over} that ended meanwhile)")
        for what, number in sorted(self.checks.counts.items()):
            say(f"{what}: {number}")
        for (act, answer), number in sorted(self.memory.answers.items()):
            say(f"  {act}, {answer}: {number}")
        say(f"processes that ended by themselves or were killed, and were started again: {self.site.deaths}")
        say(f"longest that a phase was overdue while all was up: {self.eye.longest:.1f} s")
        shown = Counter(self.checks.complaints)
        for complaint, times in shown.items():
            say(f"WRONG: {complaint}" + (f" ({times} times)" if times > 1 else ""))
        say(f"wrong: {len(shown)}")
        return not shown


def watchdog_is_content() -> bool:
    """The output of the command that monitors a site."""
    try:
        call_command("game", "check_deadlines", grace=WATCHED_SECONDS, stdout=io.StringIO())
    except CommandError:
        return False
    return True


def left_over_sessions() -> list[str]:
    """Database sessions that hold something for longer than any work takes."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND state LIKE 'idle in transaction%%' AND state_change < pg_catalog.now() - interval '10 seconds'"
        )
        (number,) = cursor.fetchone()
    return [f"{number} sessions hold a transaction for ever"] if number else []


def sequence(kinds: list[Fault], chance: random.Random) -> Iterator[Fault]:
    """Every kind once, in random order, again and again; slow ones only every tenth time."""
    for turn in itertools.count():
        wanted = [kind for kind in kinds if not kind.rare or turn % RARE == RARE - 1]
        yield from chance.sample(wanted, len(wanted))


def possible(site: Site) -> list[Fault]:
    """The kinds of faults that this machine can produce."""
    if site.disk.mounted:
        return faults.kinds(site.layout)
    say("left out: a full disk, because this machine permits no mounting")
    return [kind for kind in faults.kinds(site.layout) if kind.strike is not faults.fill_disk]


def run(site: Site, *, rounds: int, games: int, writers: int, seed: int, seconds: float) -> bool:
    """Play this many rounds, or until time is up. Returns whether nothing went wrong."""
    site.start()
    playing = Rounds(site, games, writers, seed)
    playing.begin()
    end = time.monotonic() + seconds
    for fault in itertools.islice(sequence(possible(site), playing.chance), rounds):
        if time.monotonic() > end:
            break
        try:
            playing.play(fault)
        except NotUpAgain as problem:
            playing.checks.complaints.append(f"after {fault.name}: {problem}")
            break
    playing.end()
    return playing.report()
