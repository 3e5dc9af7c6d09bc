"""What must be true whatever happens: checked in the database, the writers' memory and the emails."""

from __future__ import annotations

import hmac
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from django.db.models import Count, Max

from games.deadlines.news import DEADLINE_MOVED, PAUSED, PHASE_OPENED, RESUMED
from games.kernel import codec
from games.kernel.models import OVER, Event, Game, Letter, Phase, Result
from games.mastering.judging import judge_again
from games.press.models import Message
from games.sealed import store
from games.sealed.crypto import CannotOpen
from games.sealed.models import Sheets
from tests.faults.mails import GRANTED
from tests.faults.writers import REFUSED, SAVED, SENT, TOO_LATE, UNKNOWN

if TYPE_CHECKING:
    from games.sealed.store import Body
    from tests.faults.mails import Shifts
    from tests.faults.writers import Memory, Said


class Checks:
    """Problems, and counts of what was checked."""

    def __init__(self, memory: Memory, shifts: Shifts) -> None:
        self.memory, self.shifts = memory, shifts
        self.complaints: list[str] = []
        self.counts: Counter[str] = Counter()
        self.adjudicated: set[int] = set()
        self.log: dict[int, tuple[int, int]] = {}

    def look(self) -> None:
        """Check everything that is new since the last check."""
        closed = Phase.every.filter(closed__isnull=False).values_list("pk", flat=True)
        for phase in sorted(set(closed) - self.adjudicated):
            self._phase(phase)
        self._log_only_grows()
        self._phases_in_sequence()

    def _complain(self, sentence: str) -> None:
        self.complaints.append(sentence)

    def _phase(self, number: int) -> None:
        """Check one closed phase, once no one is waiting for a response about it."""
        phase = Phase.every.select_related("game").get(pk=number)
        powers = list(phase.game.seats.values_list("power", flat=True))
        said = {power: self._said(phase, power) for power in powers}
        if any(one.answer == SENT for sent in said.values() for one in sent):
            return
        self.adjudicated.add(number)
        if not Sheets.rows.filter(phase=phase).exists():
            self._complain(f"{name_of(phase)} has no sheets")
            return
        try:
            bodies = store.read_closed(phase)
        except CannotOpen as fault:
            self._complain(f"{name_of(phase)}: {fault}")
            return
        self._judged_once_as_written(phase, bodies)
        for power in powers:
            self._what_counted(phase, power, said[power], bodies[power])
            self.memory.sheets.pop((phase.game_id, phase.ordinal, power), None)

    def _said(self, phase: Phase, power: str) -> list[Said]:
        with self.memory.lock:
            return list(self.memory.sheets.get((phase.game_id, phase.ordinal, power), ()))

    def _judged_once_as_written(self, phase: Phase, bodies: dict[str, Body]) -> None:
        """There is one result, which follows from the stored orders, and the next phase follows from it."""
        results = list(Result.every.filter(phase=phase))
        if phase.game.status in OVER and not results:
            self.counts["phases ended by agreement"] += 1
            return
        if len(results) != 1:
            self._complain(f"{name_of(phase)} has {len(results)} results")
            return
        (result,) = results
        written = {power: body.lines for power, body in bodies.items()}
        public = judge_again(phase, codec.variant_to_judge(phase.game), written, ())
        if codec.public_to_row(public) != result.public:
            self._complain(f"{name_of(phase)} is judged otherwise again")
        if not hmac.compare_digest(result.inputs_hmac, codec.keyed_digest(phase, written)):
            self._complain(f"{name_of(phase)} was judged on other sheets than are stored")
        after = Phase.objects.filter(game=phase.game_id, ordinal=phase.ordinal + 1).first()
        if after is not None and after.position != codec.position_to_row(public.next):
            self._complain(f"{name_of(after)} does not follow from the result before it")
        if phase.deadline is not None and phase.closed is not None and phase.closed < phase.deadline:
            self._complain(f"{name_of(phase)} was judged before its deadline")
        self.counts["phases judged"] += 1

    def _what_counted(self, phase: Phase, power: str, said: list[Said], body: Body) -> None:
        """The orders last acknowledged, or later ones whose response got lost, counted."""
        saved = max((number for number, one in enumerate(said) if one.answer == SAVED), default=-1)
        allowed = {one.text for one in said[saved + 1 :] if one.answer == UNKNOWN}
        allowed.add(said[saved].text if saved >= 0 else "")
        if body.typed not in allowed:
            self._complain(
                f"{name_of(phase)}, {power}: counted {body.typed!r}, not {sorted(allowed)}; "
                f"sent were {[(one.text, one.answer) for one in said]}"
            )
        self._too_late_is_too_late(phase, power, said, body)
        answers = Counter(one.answer for one in said)
        self.counts["saves acknowledged"] += answers[SAVED]
        self.counts["saves too late"] += answers[TOO_LATE]
        self.counts["saves refused"] += answers[REFUSED]
        self.counts["saves without an answer"] += answers[UNKNOWN]

    def _too_late_is_too_late(self, phase: Phase, power: str, said: list[Said], body: Body) -> None:
        """The orders that a "too late" response named are those that count, and none were saved later, unless the clock
        was put back afterwards."""
        for number, one in enumerate(said):
            if one.answer != TOO_LATE or self._clock_put_back_after(one.at):
                continue
            if one.told is not None and one.told != body.lines:
                self._complain(f"{name_of(phase)}, {power}: told that {one.told!r} counts")
            if any(later.answer == SAVED for later in said[number:]):
                self._complain(f"{name_of(phase)}, {power}: saved after it was too late")

    def _clock_put_back_after(self, moment: float) -> bool:
        steps = pairwise(self.shifts)
        return any(after[1] < before[1] and after[0] > moment - GRANTED for before, after in steps)

    def _log_only_grows(self) -> None:
        """Earlier lines are still there, and none was added before them."""
        rows = Event.objects.values("game").annotate(number=Count("pk"), last=Max("pk"))
        for game, number, last in rows.values_list("game", "number", "last"):
            before, newest = self.log.get(game, (0, 0))
            if before and Event.objects.filter(game=game, pk__lte=newest).count() != before:
                self._complain(f"the log of game {game} has changed behind its end")
            self.log[game] = (number, last)

    def _phases_in_sequence(self) -> None:
        """Ordinals without a gap, one open phase in a game that is not over, a row of orders for every seat."""
        found = Phase.objects.values("game", "game__status").annotate(
            number=Count("pk"), last=Max("ordinal"), closed_ones=Count("closed")
        )
        for row in found:
            open_ones = row["number"] - row["closed_ones"]
            wanted = 0 if row["game__status"] in OVER else 1
            if row["last"] != row["number"] - 1 or open_ones != wanted:
                self._complain(f"the phases of game {row['game']} are {row}")
        if Game.objects.filter(status="held").exists():
            self._complain(f"held: {sorted(Game.objects.filter(status='held').values_list('slug', flat=True))}")

    def look_at_the_end(self) -> None:
        """What is true only once the writers have stopped."""
        self.look()
        unseen = Phase.every.filter(closed__isnull=False).exclude(pk__in=self.adjudicated).count()
        if unseen:
            self._complain(f"{unseen} closed phases were never looked at")
        self._sheets()
        self._said_once(self.memory.talk, self._messages(), "messages")
        self._said_once(self.memory.acts, self._acts(), "acts of the game master")
        self._letters_once()

    def _sheets(self) -> None:
        phases, rows = Phase.every.count(), Sheets.rows.count()
        sizes = {len(row.sealed) for row in Sheets.rows.iterator()}
        if rows != phases or len(sizes) > 1:
            self._complain(f"{phases} phases have {rows} rows of sheets, of {sorted(sizes)} bytes")

    def _messages(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        rows = Message.objects.order_by("thread", "number").values_list("thread__game", "number", "text")
        for game, number, text in rows:
            found.setdefault(game, []).append(text)
            if number != len(found[game]):
                self._complain(f"the messages of game {game} have a gap before {number}")
        return found

    def _acts(self) -> dict[int, list[str]]:
        kinds = (DEADLINE_MOVED.log, PAUSED.log, RESUMED.log)
        found: dict[int, list[str]] = {}
        for game, facts in Event.objects.filter(kind__in=kinds).values_list("game", "facts"):
            found.setdefault(game, []).append(facts["reason"])
        return found

    def _said_once(self, said: dict[int, list[Said]], stored: dict[int, list[str]], what: str) -> None:
        """Acknowledged messages are stored once, those without a response at most once, refused ones never."""
        for game, sent in said.items():
            there = Counter(stored.get(game, ()))
            for one in sent:
                least, most = {SAVED: (1, 1), REFUSED: (0, 0)}.get(one.answer, (0, 1))
                if not least <= there[one.text] <= most:
                    self._complain(
                        f"{what} of game {game}: {one.text!r}, {one.answer}, is there {there[one.text]} times"
                    )
                self.counts[f"{what} acknowledged"] += one.answer == SAVED

    def _letters_once(self) -> None:
        """No one is notified of the same thing twice."""
        rows = Letter.objects.filter(kind=PHASE_OPENED.letter).values("user", "game", "ordinal")
        twice = rows.annotate(number=Count("pk")).filter(number__gt=1).count()
        if twice:
            self._complain(f"{twice} notices stand there twice")


def name_of(phase: Phase) -> str:
    return f"{phase.game.slug} phase {phase.ordinal}"
