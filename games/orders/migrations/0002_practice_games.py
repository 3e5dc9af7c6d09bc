from django.db import migrations

DELETED_WITH_PRACTICE = """
CREATE OR REPLACE FUNCTION orders_commitment_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (
        SELECT FROM kernel_phase phase JOIN kernel_game game ON game.id = phase.game_id
        WHERE phase.id = OLD.phase_id AND game.practice
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'a sealed record is never changed' USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""

NEVER_DELETED = """
CREATE OR REPLACE FUNCTION orders_commitment_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a sealed record is never changed' USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("orders", "0001_initial"), ("kernel", "0003_practice_games")]

    operations = [migrations.RunSQL(DELETED_WITH_PRACTICE, NEVER_DELETED)]
