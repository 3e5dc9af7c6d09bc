SELECT count(DISTINCT CASE
    WHEN game.options -> 'hidden_names' = 'true' AND game.verdict IS NULL THEN -held.seat_id
    ELSE held.user_id
END)
FROM date_trunc('day', clock_timestamp(), 'UTC') AS today
JOIN kernel_phase phase ON phase.closed >= today - interval '1 day' AND phase.closed < today
JOIN kernel_game game ON game.id = phase.game_id AND NOT game.by_invitation
JOIN kernel_result result ON result.phase_id = phase.id
JOIN kernel_occupancy held ON held.game_id = game.id AND held.bot = ''
    AND held.since <= phase.closed AND (held.until IS NULL OR held.until > phase.closed)
JOIN kernel_seat seat ON seat.id = held.seat_id
WHERE phase.undoing_id IS NULL AND phase.turn LIKE '%%M' AND NOT result.missed ? seat.power
