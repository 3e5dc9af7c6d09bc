import uuid

import django.db.models.deletion
import django.db.models.manager
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [("kernel", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Sheet",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("sealed", models.BinaryField()),
                (
                    "phase",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="kernel.phase"),
                ),
                (
                    "seat",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="kernel.seat"),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("phase", "seat"), name="one_sheet_per_seat_and_phase")]
            },
            managers=[("rows", django.db.models.manager.Manager())],
        )
    ]
