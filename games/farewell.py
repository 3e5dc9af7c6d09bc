"""What the page of a game that is over says besides its verdict: points of two systems, and the players' statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.endings import draw_size, sum_of_squares
from games.models import Occupancy, Statement
from games.phase_view import FarewellView, ScoreView, StatementView
from games.selectors import NOBODY, card_of_power, names_are_hidden

if TYPE_CHECKING:
    from adjudication.position import Position
    from games.models import Game
    from variants.variant import Variant


def farewell_of(game: Game, position: Position, variant: Variant, user_id: int | None) -> FarewellView:
    """On the final position; `user_id` is the viewer's."""
    winners = tuple((game.verdict or {}).get("winners", ()))
    mine = last_seat_of(game, user_id)
    statement = Statement.objects.filter(occupancy=mine).first() if mine else None
    return FarewellView(
        winners=tuple(card_of_power(power) for power in variant.powers if power.id in winners),
        scores=_scores(position, variant, winners),
        statements=_statements(game, variant, user_id),
        may_state=mine is not None,
        my_statement=statement.text if statement else "",
    )


def last_seat_of(game: Game, user_id: int | None) -> Occupancy | None:
    """Where this user was the last to sit, in a game that is over; None where nowhere."""
    last = Occupancy.objects.filter(game=game).order_by("seat_id", "-since", "-pk").distinct("seat_id")
    held = Occupancy.objects.filter(pk__in=last.values("pk"), user_id=user_id or NOBODY)
    return held.select_related("seat").order_by("-since", "-pk").first()


def _scores(position: Position, variant: Variant, winners: tuple[str, ...]) -> tuple[ScoreView, ...]:
    """The highest first; nothing where nobody won."""
    if not winners:
        return ()
    centres = {power.id: len(position.centres_of(power.id)) for power in variant.powers}
    shared, squares = draw_size(centres, winners), sum_of_squares(centres, winners)
    best = sorted(variant.powers, key=lambda power: (-shared[power.id], -squares[power.id]))
    return tuple(
        ScoreView(
            power=card_of_power(power),
            centres=centres[power.id],
            draw_size=f"{shared[power.id]:.1f}",
            squares=f"{squares[power.id]:.1f}",
        )
        for power in best
    )


def _statements(game: Game, variant: Variant, user_id: int | None) -> tuple[StatementView, ...]:
    """In the sequence of the powers."""
    rows = Statement.objects.filter(occupancy__game=game).select_related("occupancy__seat", "occupancy__user")
    hidden = names_are_hidden(game, user_id)
    places = [power.id for power in variant.powers]
    return tuple(
        StatementView(
            power=card_of_power(variant.power(row.occupancy.seat.power)),
            player="" if hidden else row.occupancy.user.get_username(),
            written=row.written,
            text=row.text,
        )
        for row in sorted(rows, key=lambda row: places.index(row.occupancy.seat.power))
    )
