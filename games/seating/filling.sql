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
