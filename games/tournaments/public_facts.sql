md5(jsonb_build_array(
    tournaments_tournament.closes > clock_timestamp(), tournaments_tournament.shut,
    tournaments_tournament.name, tournaments_tournament.text,
    -- Terms, rounds, rulings and typed tables change with a line here, under the lock of the tournament; the name of an
    -- account that wrote a line, or that it is about, changes without one.
    -- Points that are hidden until it is finished are left out, and so is everything from which they follow.
    tournaments_tournament.finished,
    (
        SELECT count(*) FROM tournaments_change line
        WHERE line.tournament_id = tournaments_tournament.id AND NOT (
            line.kind = ANY(%s)
            AND coalesce(tournaments_tournament.terms -> 'hides_standings' = 'true', false)
            AND tournaments_tournament.finished IS NULL
        )
    ),
    (
        SELECT jsonb_agg(person.username ORDER BY person.id) FROM accounts_user person
        WHERE person.id IN (
            SELECT unnest(ARRAY[line.by_id, line.user_id]) FROM tournaments_change line
            WHERE line.tournament_id = tournaments_tournament.id AND NOT (
                line.kind = ANY(%s)
                AND coalesce(tournaments_tournament.terms -> 'hides_standings' = 'true', false)
                AND tournaments_tournament.finished IS NULL
            )
        )
    ),
    (
        SELECT jsonb_agg(person.username ORDER BY director.id) FROM tournaments_director director
        JOIN accounts_user person ON person.id = director.user_id
        WHERE director.tournament_id = tournaments_tournament.id
    ),
    (
        SELECT jsonb_agg(jsonb_build_array(person.username, entrant.place, entrant.team, entrant.turn) ORDER BY entrant.id)
        FROM tournaments_entrant entrant JOIN accounts_user person ON person.id = entrant.user_id
        WHERE entrant.tournament_id = tournaments_tournament.id
    ),
    (
        SELECT jsonb_agg(jsonb_build_array(
            played.id, game.status, game.verdict -> 'void', played.outcome IS NULL,
            CASE WHEN NOT (
                coalesce(tournaments_tournament.terms -> 'hides_standings' = 'true', false)
                AND tournaments_tournament.finished IS NULL
            ) THEN jsonb_build_array(game.verdict, played.outcome) END, CASE WHEN NOT game.by_invitation THEN game.name END,
            game.options -> 'hidden_names', CASE WHEN game.verdict IS NOT NULL THEN (
                SELECT jsonb_agg(person.username ORDER BY held.id) FROM kernel_occupancy held
                JOIN accounts_user person ON person.id = held.user_id
                WHERE held.game_id = game.id
            ) END
        ) ORDER BY played.id)
        FROM tournaments_table played
        JOIN tournaments_round round ON round.id = played.round_id
        JOIN kernel_game game ON game.id = played.game_id
        WHERE round.tournament_id = tournaments_tournament.id
    )
)::text)
