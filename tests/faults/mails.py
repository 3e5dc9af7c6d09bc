"""What must be true of the emails: all news has arrived, and none tell of events that never happened."""

from __future__ import annotations

import time
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from adjudication.options import must_decide
from adjudication.turns import Turn
from games.deadlines.news import PHASE_OPENED
from games.kernel import codec
from games.kernel.models import Letter, Occupancy, Phase
from games.press.models import AnnouncementLetter, PressLetter

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from tests.faults.wires import Arrived

    Shifts: TypeAlias = Sequence[tuple[float, float]]
    """(moment, seconds): from this moment on, by the clock that never jumps, the site's clock was wrong by so much."""

GRANTED = 0.5
"""Seconds allowed for comparing the database's clock with the mail server's."""
ROUNDED = 1.0
"""A phase opens in whole seconds, so its moment may be up to one before the clock was set."""


def subject_of(phase: Phase) -> str:
    turn = Turn.from_code(phase.turn)
    title = f"{turn.title}, {turn.kind_title.lower()}"
    begun = "" if phase.ordinal else "the game has started: "
    return f"{phase.game.name}: {begun}enter your orders for {title}"


def subject_of_result(phase: Phase) -> str:
    turn = Turn.from_code(phase.turn)
    return f"{phase.game.name}: the result of {turn.title}, {turn.kind_title.lower()}"


def subject_of_reminder(phase: Phase) -> str:
    turn = Turn.from_code(phase.turn)
    return f"{phase.game.name}: no orders saved yet for {turn.title}, {turn.kind_title.lower()}"


def waiting() -> list[str]:
    """Emails that have not been sent yet, each with how often that was tried and when it will be tried again."""
    rows = (
        box.objects.filter(sent__isnull=True, next_try__isnull=False)
        for box in (Letter, PressLetter, AnnouncementLetter)
    )
    return [
        f"{type(row).__name__} {getattr(row, 'kind', '')}, tried {row.tries} times, next at {row.next_try:%d %H:%M:%S}"
        for row in chain(*rows)
    ]


def complaints(arrived: Sequence[Arrived], shifts: Shifts, counts: Counter[str]) -> list[str]:
    """To be called once no email is waiting. Counts what was checked."""
    phases = {subject_of(phase): phase for phase in Phase.objects.select_related("game")}
    told = {**phases, **{subject_of_reminder(phase): phase for phase in phases.values()}}
    told |= {subject_of_result(phase): phase for phase in phases.values()}
    by_reader = Counter((mail.to, mail.subject) for mail in arrived)
    found = [f"an email waits for ever: {row}" for row in waiting()]
    found += [one for mail in arrived if (one := _told_too_early(shifts, mail, told))]
    rows = Letter.objects.filter(kind=PHASE_OPENED.letter).select_related("user")
    for letter in rows.filter(sent__isnull=False):
        subject = subject_of(Phase.objects.get(pk=letter.key.split(":")[2]))
        counts["letters about a phase"] += 1
        if not by_reader[letter.user.email, subject]:
            found.append(f"{letter.key} is marked as sent, and did not arrive")
    found += _of_open_phases(by_reader)
    counts["mails that arrived"] = len(arrived)
    counts["mails about a phase that arrived again"] = sum(
        number - 1 for (_, subject), number in by_reader.items() if subject in phases
    )
    return found


def _told_too_early(shifts: Shifts, mail: Arrived, phases: dict[str, Phase]) -> str:
    """An email about a phase that doesn't exist or began later tells of something that was rolled back."""
    kinds = ("movement", "retreats", "adjustments", "builds")
    if not mail.subject.endswith(tuple(f", {kind}" for kind in kinds)):
        return ""
    phase = phases.get(mail.subject)
    if phase is None:
        return f"a mail tells of {mail.subject}, which there is not"
    if mail.at < real_time(shifts, phase.opened.timestamp()) - GRANTED:
        return f"a mail told of {mail.subject} before it came to be"
    return ""


def real_time(shifts: Shifts, stamp: float) -> float:
    """That moment by the clock that never jumps; the earliest, if the site's clock showed it twice."""
    difference = time.time() - time.monotonic()
    ends = [began for began, _ in shifts[1:]] + [float("inf")]
    for (began, shift), end in zip(shifts, ends, strict=True):
        moment = stamp - shift - difference
        if began - GRANTED - ROUNDED <= moment <= end + GRANTED:
            return moment
    raise AssertionError(f"the clock never showed {stamp}")


def _of_open_phases(by_reader: Counter[tuple[str, str]]) -> list[str]:
    """Everyone with a decision to make in an open phase has been told so."""
    found = []
    for phase in Phase.objects.filter(closed__isnull=True).select_related("game"):
        deciding = must_decide(codec.position_of(phase), codec.variant_of(phase.game).ruleset)
        seated = Occupancy.objects.filter(game=phase.game, seat__power__in=deciding).select_related("user")
        found += [
            f"nobody told {one.user.email} of {subject_of(phase)}"
            for one in seated
            if not by_reader[one.user.email, subject_of(phase)]
        ]
    return found
