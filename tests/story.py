"""A game told in sentences: who orders what, when deadlines pass, who sees what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.deadlines.phases import phase_advance
from games.kernel import clock
from games.kernel.access import access_game
from games.orders.services import save_sheet
from games.orders.sheets import SentSheet
from games.pages.queries import phase_view
from tests.cast import person
from tests.factories import occupancy_of, open_phase

if TYPE_CHECKING:
    from games.kernel.models import Game, Phase
    from games.orders.parts import Receipt
    from games.pages.parts import PhaseView


class Story:
    def __init__(self, game: Game) -> None:
        self.game = game

    def order(self, power: str, *lines: str) -> Receipt:
        """The seat's player saves these orders."""
        return save_sheet(
            occupancy_id=occupancy_of(self.game, power).pk,
            sheet=SentSheet("\n".join(lines), open_phase(self.game).ordinal),
        )

    def deadline_comes(self) -> Phase:
        """The open phase becomes due, but is not adjudicated."""
        phase = open_phase(self.game)
        phase.deadline = clock.now()
        phase.save(update_fields=["deadline"])
        return phase

    def deadline(self) -> None:
        """The deadline passes and the phase is adjudicated."""
        assert phase_advance(phase_id=self.deadline_comes().pk)
        self.game.refresh_from_db()

    def seen_by(self, name: str, ordinal: int | None = None) -> PhaseView:
        return phase_view(access_game(user=person(name), slug=self.game.slug, token=self.game.invitation), ordinal)
