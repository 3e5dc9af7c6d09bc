import django.db.models.deletion
from django.db import migrations, models

REFUSE = """
CREATE FUNCTION orders_commitment_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (
        SELECT FROM kernel_phase phase JOIN kernel_game game ON game.id = phase.game_id
        WHERE phase.id = OLD.phase_id AND game.practice
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'a sealed record is never changed' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER orders_commitment_is_kept BEFORE UPDATE OR DELETE ON orders_commitment
    FOR EACH ROW EXECUTE FUNCTION orders_commitment_refuse();
"""

ALLOW = """
DROP TRIGGER orders_commitment_is_kept ON orders_commitment;
DROP FUNCTION orders_commitment_refuse();
"""


class Migration(migrations.Migration):
    replaces = [("orders", "0001_initial"), ("orders", "0002_practice_games")]

    initial = True

    dependencies = [("kernel", "0001_of_0_2_0")]

    operations = [
        migrations.CreateModel(
            name="Commitment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("codes", models.JSONField()),
                ("previous", models.CharField(blank=True, max_length=64)),
                ("code", models.CharField(max_length=64)),
                (
                    "phase",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="commitment", to="kernel.phase"
                    ),
                ),
            ],
        ),
        migrations.RunSQL(REFUSE, ALLOW),
    ]
