jsonb_build_array(
    kernel_game.id,
    kernel_game.status,
    (
        SELECT jsonb_build_array(ordinal, closed, deadline, remaining) FROM kernel_phase
        WHERE game_id = kernel_game.id AND undoing_id IS NULL ORDER BY ordinal DESC LIMIT 1
    ),
    (SELECT count(*) FROM kernel_event WHERE game_id = kernel_game.id),
    (
        SELECT array_agg(seat.power ORDER BY seat.power) FROM kernel_readiness ready
        JOIN kernel_seat seat ON seat.id = ready.seat_id
        WHERE seat.game_id = kernel_game.id
    ),
    CASE WHEN kernel_game.options -> 'hidden_names' = 'true' AND kernel_game.verdict IS NULL THEN NULL ELSE (
        SELECT array_agg(DISTINCT person.username) FROM kernel_occupancy held
        JOIN accounts_user person ON person.id IN (held.user_id, kernel_game.gm_id)
        WHERE held.game_id = kernel_game.id
    ) END,
    %s
)::text
