FROM press_message message
JOIN press_thread thread ON thread.id = message.thread_id
JOIN kernel_game game ON game.id = thread.game_id
LEFT JOIN kernel_occupancy held ON held.game_id = game.id AND held.user_id = %(user)s AND held.until IS NULL
LEFT JOIN kernel_seat seat ON seat.id = held.seat_id
LEFT JOIN press_bookmark seen ON seen.thread_id = thread.id AND seen.user_id = %(user)s
WHERE game.id = ANY(%(games)s)
  AND (seen.id IS NULL OR message.number > seen.number)
  AND NOT (message.power = '' AND COALESCE(message.assistant_id, game.gm_id) = %(user)s)
  AND CASE
    WHEN thread.powers = '{waiting-room}' THEN
      game.status = 'open'
      AND message.power NOT IN ('@' || %(user)s::text, '?' || %(user)s::text)
      AND (
        game.options @> '{"hidden_names": true}'
        OR message.power NOT IN (SELECT '@' || whom_id::text FROM kernel_block WHERE by_id = %(user)s)
      )
      AND (
        held.id IS NOT NULL
        OR game.gm_id = %(user)s
        OR jsonb_exists(game.assistants, %(user)s::text)
        OR EXISTS (SELECT FROM kernel_joiner WHERE game_id = game.id AND user_id = %(user)s)
      )
    WHEN '@' || %(user)s::text = ANY(thread.powers) THEN message.power = ''
    WHEN held.id IS NOT NULL THEN
      message.sent >= held.since
      AND message.power <> seat.power
      AND (thread.powers = '{}' OR seat.power = ANY(thread.powers))
    WHEN game.gm_id = %(user)s OR jsonb_exists(game.assistants, %(user)s::text) THEN
      thread.powers = '{}' OR ('' = ANY(thread.powers) AND message.sent >= CASE
        WHEN game.gm_id = %(user)s THEN COALESCE(
          (SELECT max(answered) FROM kernel_handover WHERE game_id = game.id AND accepted), game.created
        )
        WHEN jsonb_exists(game.assistants -> %(user)s::text, 'talk') THEN (
          SELECT answered FROM kernel_assistant
          WHERE game_id = game.id AND user_id = %(user)s AND accepted AND ended IS NULL
        )
      END)
    WHEN EXISTS (SELECT FROM kernel_joiner WHERE game_id = game.id AND user_id = %(user)s) THEN thread.powers = '{}'
    ELSE EXISTS (
      SELECT FROM kernel_sitting sitting
      JOIN kernel_occupancy lent ON lent.id = sitting.occupancy_id AND lent.game_id = game.id AND lent.until IS NULL
      JOIN kernel_seat place ON place.id = lent.seat_id
      WHERE sitting.sitter_id = %(user)s AND sitting.accepted AND sitting.talks AND sitting.ended IS NULL
        AND sitting.begins <= %(now)s AND sitting.ends > %(now)s
        AND message.sent >= sitting.begins
        AND message.power <> place.power
        AND (thread.powers = '{}' OR place.power = ANY(thread.powers))
    )
  END
  AND NOT EXISTS (SELECT FROM press_withheld WHERE message_id = message.id AND user_id = %(user)s)
  AND NOT EXISTS (SELECT FROM press_mute WHERE game_id = game.id AND user_id = %(user)s AND power = message.power)
