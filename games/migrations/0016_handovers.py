import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0015_push"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="report",
            name="dealt",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.CreateModel(
            name="Handover",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("by_moderators", models.BooleanField(default=False)),
                ("made", models.DateTimeField()),
                ("accepted", models.BooleanField(blank=True, null=True)),
                ("answered", models.DateTimeField(blank=True, null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="handovers",
                        to="games.game",
                    ),
                ),
                (
                    "giver",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "taker",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("accepted__isnull", True)),
                        fields=("game",),
                        name="one_handover_at_a_time",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("accepted__isnull", True), ("answered__isnull", False), _connector="XOR"
                        ),
                        name="handover_answered_when",
                    ),
                ],
            },
        ),
    ]
