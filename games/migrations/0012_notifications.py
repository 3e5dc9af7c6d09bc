import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

OUTBOXES = ("letter", "pressletter", "reminder")


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0011_press_widened"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        *(
            migrations.AddField(model, "for_the_day", models.BooleanField(default=False))
            for model in OUTBOXES
        ),
        *(
            migrations.AlterField(model, "next_try", models.DateTimeField(blank=True, null=True))
            for model in OUTBOXES
        ),
        *(
            migrations.AddField(model, "seen", models.DateTimeField(blank=True, null=True))
            for model in OUTBOXES
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.CharField(max_length=400)),
                ("told_until", models.DateTimeField()),
                ("next_try", models.DateTimeField(blank=True, null=True)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhook",
                        to="games.game",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="DailyLetter",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("hour", models.PositiveSmallIntegerField(default=8)),
                ("due", models.DateTimeField(blank=True, db_index=True, null=True)),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=Q(hour__lt=24), name="daily_letter_hour_exists")
                ],
            },
        ),
        migrations.CreateModel(
            name="NotificationChoice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("topic", models.CharField(max_length=20)),
                ("mail", models.CharField(blank=True, max_length=10)),
                (
                    "game",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "game", "topic"),
                        name="one_choice_per_topic_and_game",
                        nulls_distinct=False,
                    ),
                    models.CheckConstraint(
                        condition=Q(game__isnull=False) | Q(mail__gt=""), name="choice_is_made"
                    ),
                ],
            },
        ),
    ]
