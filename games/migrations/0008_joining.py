import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

KEY = {"auto_created": True, "primary_key": True, "serialize": False, "verbose_name": "ID"}


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0007_proposals"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="occupancy",
            name="owed",
            field=models.PositiveIntegerField(default=0),
        ),
        # What was met before it was counted cannot be told any more.
        migrations.RunSQL("UPDATE games_occupancy SET owed = missed", migrations.RunSQL.noop),
        migrations.CreateModel(
            name="Muster",
            fields=[
                ("id", models.BigAutoField(**KEY)),
                ("called", models.DateTimeField()),
                ("deadline", models.DateTimeField()),
                ("incomplete", models.BooleanField(default=False)),
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="muster",
                        to="games.game",
                    ),
                ),
            ],
            options={"indexes": [models.Index(fields=["deadline"], name="musters_by_deadline")]},
        ),
        migrations.CreateModel(
            name="Confirmation",
            fields=[
                ("id", models.BigAutoField(**KEY)),
                (
                    "muster",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="confirmations",
                        to="games.muster",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("muster", "user"), name="confirm_once")]
            },
        ),
        migrations.CreateModel(
            name="Joiner",
            fields=[
                ("id", models.BigAutoField(**KEY)),
                ("wishes", models.JSONField(blank=True, default=list)),
                ("joined", models.DateTimeField()),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="joiners",
                        to="games.game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="joined",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("game", "user"), name="join_once")]},
        ),
        migrations.CreateModel(
            name="JoinRequest",
            fields=[
                ("id", models.BigAutoField(**KEY)),
                ("asked", models.DateTimeField()),
                ("accepted", models.BooleanField(blank=True, null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="requests",
                        to="games.game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("game", "user"), name="ask_once")]},
        ),
    ]
