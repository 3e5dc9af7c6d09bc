"""What was written to others stays as it was written, whoever asks."""

from django.db import migrations

REFUSE = """
CREATE FUNCTION games_message_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'messages are never changed' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER games_message_never_changes BEFORE UPDATE OR DELETE ON games_message
    FOR EACH ROW EXECUTE FUNCTION games_message_refuse();
"""

ALLOW = """
DROP TRIGGER games_message_never_changes ON games_message;
DROP FUNCTION games_message_refuse();
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0003_press")]

    operations = [migrations.RunSQL(REFUSE, ALLOW)]
