"""The public log refuses to be changed, whoever asks: also the admin, a console, or a bug."""

from django.db import migrations

REFUSE = """
CREATE FUNCTION games_event_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the public log only grows' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER games_event_only_grows BEFORE UPDATE OR DELETE ON games_event
    FOR EACH ROW EXECUTE FUNCTION games_event_refuse();
"""

ALLOW = """
DROP TRIGGER games_event_only_grows ON games_event;
DROP FUNCTION games_event_refuse();
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]

    operations = [migrations.RunSQL(REFUSE, ALLOW)]
