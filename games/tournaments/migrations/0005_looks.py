import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

DIRECTORS_SO_FAR = """
INSERT INTO tournaments_look (tournament_id, user_id, at)
SELECT DISTINCT t.id, director.user_id, now()
FROM tournaments_tournament t
JOIN (
    SELECT tournament_id, user_id FROM tournaments_director WHERE NOT plays
    UNION SELECT tournament_id, by_id FROM tournaments_change WHERE kind = 'left'
) director ON director.tournament_id = t.id
WHERE NOT t.is_series AND t.published IS NOT NULL
AND NOT EXISTS (SELECT FROM tournaments_entrant e WHERE e.tournament_id = t.id AND e.user_id = director.user_id)
AND NOT EXISTS (
    SELECT FROM tournaments_table seat_at
    JOIN tournaments_round r ON r.id = seat_at.round_id AND r.tournament_id = t.id
    WHERE EXISTS (
        SELECT FROM kernel_occupancy o WHERE o.game_id = seat_at.game_id AND o.user_id = director.user_id
    ) OR EXISTS (SELECT FROM kernel_joiner j WHERE j.game_id = seat_at.game_id AND j.user_id = director.user_id)
)
"""
"""Until now, directors who had not said that they play saw everything, and could not enter. That stays so: they may have
looked, so they count as if they had. Those who have ever entered, or had a seat, have played instead."""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0004_within_bounds"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="Look",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="looks", to="tournaments.tournament"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("tournament", "user"), name="look_once")]},
        ),
        migrations.RunSQL(DIRECTORS_SO_FAR, migrations.RunSQL.noop),
    ]
