"""Phases can be undone and orders amended; what was undone is kept beside the phases that count."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("games", "0008_joining")]

    operations = [
        migrations.CreateModel(
            name="Undoing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("back_to", models.CharField(max_length=12)),
                ("reason", models.CharField(max_length=600)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="undoings",
                        to="games.game",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="phase",
            name="undoing",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="phases",
                to="games.undoing",
            ),
        ),
        migrations.RemoveConstraint(model_name="phase", name="phase_ordinal_once"),
        migrations.AddConstraint(
            model_name="phase",
            constraint=models.UniqueConstraint(
                condition=Q(undoing__isnull=True), fields=("game", "ordinal"), name="phase_ordinal_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="phase",
            constraint=models.CheckConstraint(
                condition=Q(undoing__isnull=True) | Q(closed__isnull=False), name="undone_phase_is_closed"
            ),
        ),
        migrations.CreateModel(
            name="Amendment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("power", models.CharField(max_length=40)),
                ("place", models.CharField(max_length=12)),
                ("was", models.CharField(max_length=80)),
                ("instead", models.CharField(blank=True, max_length=80)),
                ("reason", models.CharField(max_length=300)),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="amendments",
                        to="games.phase",
                    ),
                ),
            ],
        ),
    ]
