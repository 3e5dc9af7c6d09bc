import django.db.models.deletion
import django.db.models.manager
from django.db import migrations, models

# Every save leaves a whole row behind: the room that it took is used again soon.
TIDY = """
ALTER TABLE sealed_sheets
    SET (autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.05);
"""
USUAL = """
ALTER TABLE sealed_sheets
    RESET (autovacuum_vacuum_scale_factor, toast.autovacuum_vacuum_scale_factor);
"""


class Migration(migrations.Migration):
    initial = True

    dependencies = [("kernel", "0001_of_0_2_0")]

    operations = [
        migrations.CreateModel(
            name="Sheets",
            fields=[
                (
                    "phase",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="kernel.phase",
                    ),
                ),
                ("sealed", models.BinaryField()),
            ],
            options={"verbose_name_plural": "sheets"},
            managers=[("rows", django.db.models.manager.Manager())],
        ),
        migrations.RunSQL(TIDY, USUAL),
    ]
