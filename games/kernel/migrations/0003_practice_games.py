from django.db import migrations, models
from django.db.models import Q

NEVER_CHANGES = """
CREATE FUNCTION kernel_game_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a game of people never becomes a practice game' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER kernel_game_practice_never_changes BEFORE UPDATE ON kernel_game
    FOR EACH ROW WHEN (OLD.practice IS DISTINCT FROM NEW.practice) EXECUTE FUNCTION kernel_game_stays();
"""

MAY_CHANGE = """
DROP TRIGGER kernel_game_practice_never_changes ON kernel_game;
DROP FUNCTION kernel_game_stays();
"""

DELETED_WITH_PRACTICE = """
CREATE OR REPLACE FUNCTION kernel_event_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (SELECT FROM kernel_game WHERE id = OLD.game_id AND practice) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the public log only grows' USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""

NEVER_DELETED = """
CREATE OR REPLACE FUNCTION kernel_event_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the public log only grows' USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("kernel", "0002_bots_in_seats")]

    operations = [
        migrations.AddField(model_name="game", name="practice", field=models.BooleanField(default=False)),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(fields=["created"], condition=Q(("practice", True)), name="practice_games_by_age"),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=Q(("practice", False), ("by_invitation", True), _connector="OR"),
                name="practice_game_is_not_public",
            ),
        ),
        migrations.RunSQL(NEVER_CHANGES, MAY_CHANGE),
        migrations.RunSQL(DELETED_WITH_PRACTICE, NEVER_DELETED),
    ]
