"""A game as a file to take along: public facts only, since files are passed on."""

from dataclasses import dataclass, replace

from django.http import Http404

from games.kernel import codec
from games.kernel.access import GameAccess
from games.kernel.models import Occupancy
from games.kernel.page import Page, part
from games.kernel.queries import names_are_hidden
from games.orders.records import record_view
from variants.travel import FORMS, READERS, PlayedGame, write_game
from variants.travel.record import read_own_record


def game_file(access: GameAccess, form: str, maps: str, ordinal: int | None = None) -> str:
    """The game in one of FORMS; with an `ordinal`, a report of that phase only. `maps`: the address of a phase's map,
    with {ordinal} in it.

    Raises Http404 for an unknown form, a phase without a result, and a single phase in a form that is not a report.
    """
    if form not in FORMS or (ordinal is not None and form in READERS):
        raise Http404
    game = played_game(access, maps)
    if ordinal is not None:
        phases = tuple(phase for phase in game.standing if phase.ordinal == ordinal)
        if not phases:
            raise Http404
        verdict = game.heading.verdict if phases[0] is game.standing[-1] else None
        game = PlayedGame(replace(game.heading, verdict=verdict), phases)
    return write_game(form, game)


def played_game(access: GameAccess, maps: str = "") -> PlayedGame:
    """Everything about the game that everyone who may see it may know."""
    game = access.game
    recorded = read_own_record(record_view(access), codec.variant_of(game))
    players = recorded.heading.players
    if not players and not names_are_hidden(game, None):
        now = Occupancy.objects.filter(game=game, until__isnull=True).select_related("seat", "user").order_by("seat_id")
        players = {it.seat.power: f"{it.bot} bot" if it.user.is_bot else it.user.get_username() for it in now}
    return replace(recorded, heading=replace(recorded.heading, players=players, maps=maps))


@dataclass(frozen=True, slots=True)
class ElsewhereView:
    """A game that was played elsewhere. `differences`: what our adjudicator finds otherwise, in sentences."""

    differences: tuple[str, ...]


@part("elsewhere")
def elsewhere(page: Page) -> ElsewhereView | None:
    """What our adjudicator found in a game that was played elsewhere."""
    facts = page.rows.game.elsewhere
    return ElsewhereView(tuple(facts["differences"])) if facts else None
