"""Seats are abandoned and come back to; people wait for vacant ones, are asked into them, or sit for players."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0009_desk"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="occupancy",
            name="departure",
            field=models.CharField(blank=True, max_length=10),
        ),
        migrations.AddField(
            model_name="occupancy",
            name="returned",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="occupancy",
            name="silent",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.CreateModel(
            name="Standby",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("variants", models.JSONField(blank=True, default=list)),
                ("pace", models.CharField(blank=True, max_length=10)),
                ("since", models.DateTimeField()),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Approach",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("invited", models.BooleanField()),
                ("made", models.DateTimeField()),
                ("accepted", models.BooleanField(blank=True, null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="approaches",
                        to="games.game",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="games.seat"
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
                "verbose_name_plural": "approaches",
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("accepted__isnull", True)),
                        fields=("game", "user"),
                        name="one_approach_at_a_time",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Sitting",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("begins", models.DateTimeField()),
                ("ends", models.DateTimeField()),
                ("talks", models.BooleanField(default=False)),
                ("accepted", models.BooleanField(blank=True, null=True)),
                ("ended", models.DateTimeField(blank=True, null=True)),
                (
                    "occupancy",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sittings",
                        to="games.occupancy",
                    ),
                ),
                (
                    "sitter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("ends__gt", models.F("begins"))),
                        name="sitting_ends_after_it_begins",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(
                            ("ended__isnull", True), models.Q(("accepted", False), _negated=True)
                        ),
                        fields=("occupancy",),
                        name="one_sitter_at_a_time",
                    ),
                ],
            },
        ),
    ]
