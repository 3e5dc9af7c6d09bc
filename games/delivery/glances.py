"""What emails say about a game: a few facts, read for many readers at once. Only rare ones need the whole page."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING

from django.db.models import Q
from django.http import Http404

from games.delivery.happened import sections_of
from games.endings.queries import agreement as agreement_on
from games.history.files import AHEAD_SECONDS, PNG, map_of
from games.history.queries import bots_at, result_of
from games.kernel import codec
from games.kernel.access import access_of, for_access
from games.kernel.members import Company
from games.kernel.models import Game, Phase, Result
from games.kernel.news import LINES, Topic
from games.kernel.page import Page, page_of
from games.kernel.phase_rows import Gathered
from games.kernel.queries import head_of, names_are_hidden
from games.mastering.queries import gm as gm_on
from games.mastering.queries import market as market_on
from games.news.log import events_of
from games.news.outboxes import turn_words
from games.orders.queries import own_order_sheet
from games.seating.queries import joining_now
from games.seating.queries import powers as powers_on
from variants.maps import drawing_of

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from adjudication.resolution import Public
    from games.endings.parts import AgreementView
    from games.history.parts import ResultView
    from games.kernel.access import GameAccess
    from games.kernel.page import Page
    from games.kernel.parts import EventView, PhaseHead
    from games.mastering.parts import GmPowers
    from games.news.outboxes import Section
    from games.orders.parts import SheetView
    from games.seating.parts import JoiningView, MarketView, PowerView


class GameFacts:
    """The public facts of some games, each table read once for all of them, and who plays there."""

    def __init__(self, games: Collection[int]) -> None:
        rows = for_access(Game.objects.filter(pk__in=games))
        self.games = {game.pk: game for game in rows.order_by("pk")}
        self.company = Company(self.games.values())
        self._events: dict[tuple[int, bool], tuple[EventView, ...]] = {}

    def access(self, game_id: int, user_id: int, token: str = "") -> GameAccess:
        """Http404 if the user may not see the game."""
        game = self.games.get(game_id)
        if game is None:
            raise Http404
        held = (one for one in self.company.seated[game_id] if one.user_id == user_id)
        return access_of(game, user_id, next(held, None), token, self.company.now_for)

    @cached_property
    def last_phases(self) -> dict[int, Phase]:
        """The open phase of each game, or its last."""
        rows = Phase.objects.filter(game__in=self.games).order_by("game_id", "-ordinal").distinct("game_id")
        return {phase.game_id: phase for phase in rows.defer("position", "notices")}

    @cached_property
    def results(self) -> dict[int, tuple[int, str, str | None]]:
        """The ordinal, the turn and the sealed record of each game's last result."""
        rows = Result.objects.filter(phase__game__in=self.games).order_by("phase__game_id", "-phase__ordinal")
        newest = rows.distinct("phase__game_id").values_list(
            "phase__game_id", "phase__ordinal", "phase__turn", "phase__commitment__code"
        )
        return {game: (ordinal, turn, code) for game, ordinal, turn, code in newest}

    @cached_property
    def told(self) -> dict[int, tuple[Result, Public]]:
        """Each game's last result, and what it says."""
        rows = Result.objects.filter(phase__game__in=self.games).order_by("phase__game_id", "-phase__ordinal")
        newest = rows.distinct("phase__game_id").select_related("phase__commitment")
        found = {result.phase.game_id: result for result in newest.prefetch_related("phase__amendments")}
        return {game_id: (result, codec.public_of(result)) for game_id, result in found.items()}

    @cached_property
    def told_before(self) -> dict[int, list[tuple[Result, Public]]]:
        """The results of the phases that the last one followed at once, the oldest first: nothing told them before."""
        hasty = [result.phase for result, _ in self.told.values() if result.phase.is_due_at_once]
        if not hasty:
            return {}
        latest = {phase.game_id: phase.ordinal for phase in hasty}
        may_be = (Q(phase__game=game, phase__ordinal__range=(at - 2, at - 1)) for game, at in latest.items())
        rows = Result.objects.filter(reduce(or_, may_be)).select_related("phase").order_by("-phase__ordinal")
        found: dict[int, list[tuple[Result, Public]]] = {}
        for result in rows.prefetch_related("phase__amendments"):
            phase = result.phase
            if phase.ordinal == latest[phase.game_id] - 1:
                found.setdefault(phase.game_id, []).insert(0, (result, codec.public_of(result)))
                latest[phase.game_id] -= phase.is_due_at_once
        return found

    def events(self, game: Game, *, hidden: bool) -> tuple[EventView, ...]:
        if (game.pk, hidden) not in self._events:
            self._events[game.pk, hidden] = events_of(game, codec.variant_of(game), hidden=hidden)
        return self._events[game.pk, hidden]


@dataclass(frozen=True)
class GameGlance:
    """The parts of a game's card that emails name."""

    name: str
    variant_title: str
    gm_name: str
    verdict: str
    reader: Glance = field(repr=False)

    @property
    def slug(self) -> str:
        return self.reader.access.slug

    @property
    def status_sentence(self) -> str:
        return self.reader.page.game.status_sentence


class Glance:
    """One phase for one reader: the open one or the last, or the one with this ordinal (Http404 if there is none).

    Everything is as on the page. What only rare emails need is taken from there.
    """

    def __init__(self, facts: GameFacts, access: GameAccess, ordinal: int | None) -> None:
        self.facts, self.access, self.ordinal = facts, access, ordinal
        game = access.game
        self.my_power = access.sheet.power if access.sheet else None
        self.is_gm = access.is_gm
        self.role = "the game master" if access.user_id == access.game.gm_id else "an assistant of the game master"
        self.head = self._head()
        variant = game.options.variant
        self.game = GameGlance(
            name=game.name,
            variant_title=variant.title if variant else game.variant_slug,
            gm_name=game.gm.get_username(),
            verdict=game.verdict["sentence"] if game.verdict else "",
            reader=self,
        )

    def _head(self) -> PhaseHead | None:
        last = self.facts.last_phases.get(self.access.game_id)
        if self.ordinal is not None and (last is None or last.ordinal != self.ordinal):
            return self.page.head
        return head_of(last) if last else None

    @property
    def may_write(self) -> bool:
        """May the reader write orders for the phase shown?"""
        return self.access.sheet is not None and self.head is not None and self.head.is_open

    @property
    def is_asked(self) -> bool:
        """Does the reader have anything to decide in the phase shown?"""
        return self.order_sheet is not None and not self.order_sheet.nothing_to_decide

    @property
    def power_name(self) -> str:
        """The reader's, within a sentence; "" if the reader plays none."""
        return codec.variant_of(self.access.game).power(self.my_power).called if self.my_power else ""

    @property
    def sealed_record(self) -> str:
        """In emails it is out of the site's reach, so it can't be changed afterwards."""
        found = self.facts.results.get(self.access.game_id)
        if found is None or self.head is None:
            return ""
        ordinal, turn, code = found
        is_shown = self.head.ordinal - 1 <= ordinal <= self.head.ordinal
        return f"Fingerprint of the sealed record for {turn_words(turn)}: {code}" if code and is_shown else ""

    @cached_property
    def result(self) -> ResultView | None:
        """What happened in the phase shown or, while that is open, in the one before."""
        result, public = self.facts.told.get(self.access.game_id, (None, None))
        if result is None or public is None or self.head is None:
            return None
        if not self.head.ordinal - 1 <= result.phase.ordinal <= self.head.ordinal:
            return None
        return self._view_of(result, public)

    def _view_of(self, result: Result, public: Public) -> ResultView:
        variant, seated = codec.variant_of(self.access.game), self.facts.company.seated[self.access.game_id]
        return result_of(result, public, variant, mine=self.my_power, bots=bots_at(result, seated))

    def painted(self) -> bytes:
        """The map with the orders of that phase, as its page shows it."""
        result, public = self.facts.told[self.access.game_id]
        variant = codec.variant_of(self.access.game)
        file = map_of(variant.slug, drawing_of(codec.position_of(result.phase), variant, public.outcomes), PNG)
        return file.kept or file.make(AHEAD_SECONDS)

    @property
    def happened(self) -> tuple[Section, ...]:
        """The same in words, after what the phase followed at once."""
        if not self.result:
            return ()
        before = [self._view_of(*told) for told in self.facts.told_before.get(self.access.game_id, ())]
        return tuple(section for view in (*before, self.result) for section in sections_of(view))

    def _newest_event(self, topic: Topic) -> EventView | None:
        hidden = names_are_hidden(self.access.game, self.access.user_id)
        events = self.facts.events(self.access.game, hidden=hidden)
        return next((event for event in events if LINES[event.kind].topic == topic), None)

    def is_overtaken(self, topic: Topic, moment: datetime) -> bool:
        """Has the public log a line on this topic from after this moment?"""
        event = self._newest_event(topic)
        return event is not None and event.at > moment

    def newest_line(self, topic: Topic) -> str:
        """The last line of the public log on this topic, which introduces the game master."""
        event = self._newest_event(topic)
        if event is None:
            return ""
        by_master = LINES[event.kind].line.startswith("{who} ") and event.sentence.startswith(f"{self.game.gm_name} ")
        return f"The game master, {event.sentence.replace(' ', ', ', 1)}" if by_master else event.sentence

    @cached_property
    def page(self) -> Page:
        """The whole page, whose game is read for this reader alone."""
        return page_of(self.access.again(), self.ordinal)

    @cached_property
    def order_sheet(self) -> SheetView | None:
        return own_order_sheet(Gathered(self.access, self.ordinal), None)

    @property
    def agreement(self) -> AgreementView | None:
        return agreement_on(self.page)

    @property
    def joining(self) -> JoiningView | None:
        return joining_now(self.page)

    @property
    def gm(self) -> GmPowers | None:
        return gm_on(self.page)

    @property
    def market(self) -> MarketView:
        return market_on(self.page)

    @property
    def powers(self) -> tuple[PowerView, ...]:
        return powers_on(self.page)
