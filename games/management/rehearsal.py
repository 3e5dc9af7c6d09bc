"""Games that bots play in this process: saving orders and closing phases as usual, but without waiting."""

from collections.abc import Sequence

from adjudication.turns import Turn
from games.bots.services import open_bot_turns, play_bot_turn
from games.deadlines.phases import close_due_phase
from games.kernel.days import DAY
from games.kernel.models import Game, Occupancy, Status
from games.mastering.services.desk import close_game, end_phase_early
from games.seating.services.new_game import create_game, let_bot_play, take_seat
from variants.bots import Level

PACE_SECONDS = 60


def create_bot_game(
    *, name: str, variant: str, gm: int, players: Sequence[int], early: bool, level: Level = Level.EASY
) -> Game:
    """A running game in which a bot plays for every player, one phase a minute. `early`: its phases can be ended before
    their deadline, which is far enough away that no bot misses it on a busy machine."""
    pace = DAY if early else PACE_SECONDS
    slug = create_game(
        by=gm,
        name=name,
        variant=variant,
        movement_seconds=pace,
        retreat_seconds=pace // 2,
        adjustment_seconds=pace // 2,
        gm_processes_early=early,
        open_bids_at_end=True,
    )
    game = Game.objects.get(slug=slug)
    powers = game.seats.order_by("power").values_list("power", flat=True)
    for user_id, power in zip(players, list(powers), strict=True):
        take_seat(game_id=game.pk, user_id=user_id, power=power)
        let_bot_play(occupancy_id=Occupancy.objects.get(game=game, user_id=user_id).pk, level=level)
    game.refresh_from_db()
    return game


def play_phase(game: Game) -> bool:
    """Let the bots save orders, end the phase and adjudicate it. Return whether this call did so."""
    for turn in open_bot_turns([game.pk]):
        play_bot_turn(occupancy_id=turn.occupancy_id, ordinal=turn.ordinal)
    phase = game.phases.get(closed__isnull=True)
    end_phase_early(game_id=game.pk, by=game.gm_id)
    was_adjudicated = close_due_phase(phase_id=phase.pk)
    game.refresh_from_db()
    return was_adjudicated


def play_to_the_end(game: Game, *, years: int) -> int:
    """Play to a victory, or to a draw after so many years, and return the number of adjudicated phases."""
    phases = 0
    first_year = Turn.from_code(game.phases.get(closed__isnull=True).turn).year
    while game.status == Status.RUNNING:
        if Turn.from_code(game.phases.get(closed__isnull=True).turn).year >= first_year + years:
            close_game(game_id=game.pk, by=game.gm_id)
            game.refresh_from_db()
            break
        phases += play_phase(game)
    return phases
