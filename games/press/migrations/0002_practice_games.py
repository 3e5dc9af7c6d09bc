from django.db import migrations

DELETED_WITH_PRACTICE = """
CREATE OR REPLACE FUNCTION press_message_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (
        SELECT FROM press_thread thread JOIN kernel_game game ON game.id = thread.game_id
        WHERE thread.id = OLD.thread_id AND game.practice
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'messages are never changed' USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""

NEVER_DELETED = """
CREATE OR REPLACE FUNCTION press_message_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'messages are never changed' USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("press", "0001_initial"), ("kernel", "0003_practice_games")]

    operations = [migrations.RunSQL(DELETED_WITH_PRACTICE, NEVER_DELETED)]
