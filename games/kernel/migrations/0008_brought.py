import django.db.models.deletion
from django.db import migrations, models

import games.kernel.models.packed


class Migration(migrations.Migration):
    dependencies = [("kernel", "0007_assistants")]

    operations = [
        migrations.CreateModel(
            name="Brought",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", games.kernel.models.packed.PackedJSONField()),
                ("notices", models.JSONField(blank=True, default=list)),
                ("reports", models.TextField(blank=True, max_length=200_000)),
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="brought", to="kernel.game"
                    ),
                ),
            ],
            options={"verbose_name_plural": "brought games"},
        )
    ]
