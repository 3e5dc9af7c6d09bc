"""The pages of games that emails are written from. What most emails need is read for many readers at once."""

from collections import defaultdict
from collections.abc import Collection
from functools import cached_property, reduce
from operator import attrgetter, or_
from typing import Any

from django.db.models import Q
from django.http import Http404
from django.utils.translation import gettext as _

from adjudication.resolution import Public
from games.deadlines.news import DEADLINE_MOVED
from games.delivery.writing import sections_of
from games.history.files import PNG, map_file
from games.history.queries import result, view_of_result
from games.kernel import codec
from games.kernel.access import GameAccess, access_of, for_access
from games.kernel.members import Participants
from games.kernel.models import Event, Game, Occupancy, Phase, Result, Seat
from games.kernel.news import NEWS_BY_LINE, Topic
from games.kernel.page import Page, part
from games.kernel.phase_rows import PhaseRows
from games.kernel.queries import phase_head
from games.news.log import line_in_words, line_introducing_master
from games.news.outboxes import EmailSection
from variants.maps import drawing_of
from variants.words.orders import phase_words


class GameFacts:
    """The public facts of some games and the people in them, each table read once for all games."""

    def __init__(self, games: Collection[int]) -> None:
        rows = for_access(Game.objects.filter(pk__in=games))
        self.games = {game.pk: game for game in rows.order_by("pk")}
        self.participants = Participants(self.games.values())
        self.shared: dict[int, dict[object, Any]] = defaultdict(dict)

    def access(self, game_id: int, user_id: int, token: str = "") -> GameAccess:
        """Raises Http404 if the user may not see the game."""
        game = self.games.get(game_id)
        if game is None:
            raise Http404
        own_seats = (it for it in self.participants.seated[game_id] if it.user_id == user_id)
        return access_of(game, user_id, next(own_seats, None), token, self.participants.sitting_now)

    @cached_property
    def last_phases(self) -> dict[int, Phase]:
        """The open phase of each game or, if none is open, its last phase."""
        rows = Phase.objects.filter(game__in=self.games).order_by("game_id", "-ordinal").distinct("game_id")
        return {phase.game_id: phase for phase in rows.defer("position", "notices")}

    @cached_property
    def last_results(self) -> dict[int, tuple[Result, Public]]:
        """Each game's last result, and the content of it."""
        rows = Result.objects.filter(phase__game__in=self.games).order_by("phase__game_id", "-phase__ordinal")
        newest = rows.distinct("phase__game_id").select_related("phase__commitment")
        results = {result.phase.game_id: result for result in newest.prefetch_related("phase__amendments")}
        return {game_id: (result, codec.public_result_of(result)) for game_id, result in results.items()}

    @cached_property
    def results_before(self) -> dict[int, list[tuple[Result, Public]]]:
        """Results of phases before the last one that it followed at once, oldest first: no email has told them."""
        chained = [result.phase for result, _ in self.last_results.values() if result.phase.ended_as_it_opened]
        if not chained:
            return {}
        latest = {phase.game_id: phase.ordinal for phase in chained}
        possible = (Q(phase__game=game, phase__ordinal__range=(at - 2, at - 1)) for game, at in latest.items())
        rows = Result.objects.filter(reduce(or_, possible)).select_related("phase").order_by("-phase__ordinal")
        results: dict[int, list[tuple[Result, Public]]] = {}
        for row in rows.prefetch_related("phase__amendments"):
            phase = row.phase
            if phase.ordinal == latest[phase.game_id] - 1:
                results.setdefault(phase.game_id, []).insert(0, (row, codec.public_result_of(row)))
                latest[phase.game_id] -= phase.ended_as_it_opened
        return results

    @cached_property
    def last_lines(self) -> dict[int, list[Event]]:
        """The lines of each game's log from the moments at which its last phase was due and closed."""
        moments = {game: (it.phase.deadline, it.phase.closed) for game, (it, _) in self.last_results.items()}
        at_those = (Q(game=game, at__in=[at for at in both if at]) for game, both in moments.items())
        lines = defaultdict[int, list[Event]](list)
        for row in Event.objects.filter(reduce(or_, at_those)).select_related("by").order_by("pk") if moments else ():
            lines[row.game_id].append(row)
        return lines

    def page(self, access: GameAccess, ordinal: int | None) -> Page:
        """One phase for one reader: the open one or the last, or the one with this ordinal (Http404 without one)."""
        return Page(SharedRows(self, access, ordinal))


class SharedRows(PhaseRows):
    """One reader's rows, taken from what was read for all; what only rare emails need is read for this reader alone."""

    def __init__(self, facts: GameFacts, access: GameAccess, ordinal: int | None) -> None:
        last_phase = facts.last_phases.get(access.game_id)
        is_last = ordinal is None or (last_phase is not None and last_phase.ordinal == ordinal)
        super().__init__(access, None if is_last else ordinal)
        self.facts, self.shared = facts, facts.shared[access.game_id]
        if is_last:
            self.final = ordinal is None and self.final
            self.shown, self.open_phase = last_phase, last_phase if last_phase and last_phase.closed is None else None

    @cached_property
    def seats(self) -> dict[str, Seat]:
        seats = sorted(self.facts.participants.seats[self.game.pk], key=attrgetter("pk"))
        return {seat.power: seat for seat in seats}

    @cached_property
    def seated(self) -> dict[int, Occupancy]:
        return {it.seat_id: it for it in self.facts.participants.seated[self.game.pk]}

    @cached_property
    def _last_result(self) -> tuple[Result | None, Public | None]:
        result, public = self.facts.last_results.get(self.game.pk, (None, None))
        if result is None or self.shown is None:
            return None, None
        is_shown = self.shown.ordinal - 1 <= result.phase.ordinal <= self.shown.ordinal
        return (result, public) if is_shown else (None, None)

    @cached_property
    def result(self) -> Result | None:
        return self._last_result[0]

    @cached_property
    def public(self) -> Public | None:
        return self._last_result[1]


@part("happened")
def sections_of_result(page: Page) -> tuple[EmailSection, ...]:
    """The result in words, for emails, after those of phases that it followed at once."""
    newest, rows = result(page), page.rows
    assert isinstance(rows, SharedRows), "emails are written for many readers at once"
    if newest is None:
        return ()
    views_before = [view_of_result(page, *it) for it in rows.facts.results_before.get(rows.game.pk, ())]
    return tuple(section for view in (*views_before, newest) for section in sections_of(view))


@part("why_ended")
def why_ended(page: Page) -> tuple[str, ...]:
    """Why the last phase ended before its deadline, and which seats became vacant at its end; for emails."""
    rows, result = page.rows, page.rows.result
    assert isinstance(rows, SharedRows), "emails are written for many readers at once"
    if result is None:
        return ()
    phase, hidden = result.phase, page.names_are_hidden
    lines = [line_in_words(row, rows.game, rows.variant, hidden=hidden) for row in rows.facts.last_lines[rows.game.pk]]
    reasons = [
        line_introducing_master(page, line)
        for line in lines
        if line.kind == DEADLINE_MOVED.log and line.at == phase.deadline
    ]
    seats = [line.sentence for line in lines if NEWS_BY_LINE[line.kind].topic == Topic.SEAT and line.at == phase.closed]
    window_ends, before = phase.window_ends, phase.before_window
    if window_ends is not None and before is not None and window_ends == phase.deadline and window_ends < before:
        reasons.append(
            _("{phase}, ended early because all players were ready.").format(phase=phase_words(phase_head(phase)))
        )
    return (*reasons, " ".join(seats))


@part("painted")
def painted_map(page: Page) -> bytes:
    """The map with the orders of the last phase, as its page shows it."""
    rows = page.rows
    assert rows.result is not None, "an email with a result has one"
    assert rows.public is not None, "the same"
    map_drawing = drawing_of(codec.position_of(rows.result.phase), rows.variant, rows.public.outcomes)
    file = map_file(rows.variant.ref, map_drawing, PNG)
    return file.kept or file.make()
