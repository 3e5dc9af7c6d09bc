"""How long games like an open one took to start."""

from collections.abc import Collection

from django.db import connection

from games.kernel.queries import LIVE_SECONDS

Kind = tuple[str, bool]
"""A variant, and whether a game is live."""

LEAST_KNOWN = 3
"""Fewer games than this say nothing about the next."""

TOOK = """
SELECT kind.variant, kind.live, round(percentile_cont(0.5) WITHIN GROUP (ORDER BY started.took))::int
FROM unnest(%s::text[], %s::bool[]) AS kind(variant, live)
CROSS JOIN LATERAL (
    SELECT extract(epoch FROM phase.opened - game.created)::float AS took
    FROM kernel_game game JOIN kernel_phase phase ON phase.game_id = game.id AND phase.ordinal = 0
    WHERE game.variant_slug = kind.variant AND NOT game.by_invitation AND phase.undoing_id IS NULL
        AND game.elsewhere IS NULL
        AND ((game.options ->> 'movement_seconds')::int < %s) = kind.live
        AND COALESCE((game.options ->> 'bots')::int, 0) = 0
    ORDER BY game.created DESC
    LIMIT 20
) started
GROUP BY kind.variant, kind.live
HAVING count(*) >= %s
"""
"""Of the newest public games of each kind that have started, without those that bots helped to fill, the one in the
middle."""


def kind_of(variant: str, movement_seconds: int) -> Kind:
    return variant, movement_seconds < LIVE_SECONDS


def seconds_to_fill(kinds: Collection[Kind]) -> dict[Kind, int]:
    """From a game's creation to its start, for the kinds of which enough games have started."""
    if not kinds:
        return {}
    variants, live = zip(*sorted(set(kinds)), strict=True)
    with connection.cursor() as cursor:
        cursor.execute(TOOK, (list(variants), list(live), LIVE_SECONDS, LEAST_KNOWN))
        return {(variant, is_live): took for variant, is_live, took in cursor.fetchall()}
