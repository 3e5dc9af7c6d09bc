"""A game told in sentences: who orders what, when deadlines pass, who sees what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.deadlines.phases import close_due_phase
from games.kernel import clock
from games.kernel.access import access_game
from games.kernel.page import page_of
from games.kernel.queries import phase_head
from games.mastering.services.correcting import correct_sheet, published_orders
from games.orders.services import save_sheet
from games.orders.sheets import SentSheet
from tests.cast import person
from tests.factories import occupancy_of, open_phase

if TYPE_CHECKING:
    from games.kernel.models import Game, Phase
    from games.orders.parts import Receipt


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
        assert close_due_phase(phase_id=self.deadline_comes().pk)
        self.game.refresh_from_db()

    def correct(self, power: str, order: str, instead: str = "", *, ordinal: int = 0, reason: str = "A slip.") -> None:
        """The game master replaces one of a power's published orders; without another, the unit holds."""
        phase = self.game.phases.select_related("result").get(ordinal=ordinal)
        lines = list(published_orders(phase, power))
        lines[lines.index(order)] = instead
        text, seen = "\n".join(filter(None, lines)), phase_head(open_phase(self.game)).mark
        correct_sheet(
            game_id=self.game.pk, by=self.game.gm_id, ordinal=ordinal, power=power, text=text, seen=seen, reason=reason
        )

    def seen_by(self, name: str, ordinal: int | None = None) -> Any:
        return page_of(access_game(user=person(name), slug=self.game.slug, token=self.game.invitation), ordinal)
