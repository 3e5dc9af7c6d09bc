from django.db import migrations, models

LEVELS = [("easy", "easy"), ("medium", "medium"), ("strong", "strong")]

TO_LEVEL = """
ALTER TABLE kernel_occupancy ALTER COLUMN bot TYPE varchar(10) USING CASE WHEN bot THEN 'easy' ELSE '' END;
"""
TO_YES_OR_NO = """
ALTER TABLE kernel_occupancy ALTER COLUMN bot TYPE boolean USING bot <> '';
"""

HOLD = """
CREATE OR REPLACE FUNCTION kernel_seat_hold() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE changed bigint := COALESCE(NEW.seat_id, OLD.seat_id);
BEGIN
    UPDATE kernel_seat SET held = EXISTS (SELECT FROM kernel_occupancy WHERE seat_id = changed AND until IS NULL%s)
        WHERE id = changed;
    RETURN NULL;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("kernel", "0001_initial")]

    operations = [
        migrations.RunSQL(
            TO_LEVEL,
            TO_YES_OR_NO,
            state_operations=[
                migrations.AlterField(
                    model_name="occupancy",
                    name="bot",
                    field=models.CharField(blank=True, choices=LEVELS, max_length=10),
                )
            ],
        ),
        migrations.AddConstraint(
            model_name="occupancy",
            constraint=models.CheckConstraint(
                condition=models.Q(("bot__in", ["", "easy", "medium", "strong"])), name="occupancy_bot_is_a_level"
            ),
        ),
        migrations.AddField(model_name="occupancy", name="gives_way", field=models.BooleanField(default=False)),
        migrations.RunSQL(HOLD % " AND NOT gives_way", HOLD % ""),
    ]
