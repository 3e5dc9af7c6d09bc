import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("news", "0001_initial"),
        ("news", "0002_webhooks_of_programs"),
        ("news", "0003_reminders_to_webhooks"),
        ("news", "0004_map_in_emails"),
    ]

    initial = True

    dependencies = [("kernel", "0001_of_0_2_0"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="PushDevice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("endpoint", models.CharField(max_length=400, unique=True)),
                ("key", models.CharField(max_length=100)),
                ("auth", models.CharField(max_length=30)),
                ("since", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("address", models.CharField(max_length=400)),
                (
                    "form",
                    models.CharField(
                        choices=[("chat", "A message for Discord"), ("json", "JSON for a program")],
                        default="chat",
                        max_length=10,
                    ),
                ),
                ("seed", models.CharField(max_length=32)),
                ("told_until", models.DateTimeField()),
                ("next_try", models.DateTimeField(blank=True, null=True)),
                ("next_test", models.DateTimeField(blank=True, null=True)),
                ("reminded_until", models.DateTimeField(blank=True, null=True)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="webhooks", to="kernel.game"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("test", models.BooleanField(default=False)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("answer", models.CharField(blank=True, max_length=200)),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="deliveries", to="news.webhook"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="DailyLetter",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hour", models.PositiveSmallIntegerField(default=8)),
                ("with_map", models.BooleanField(default=False)),
                ("due", models.DateTimeField(blank=True, db_index=True, null=True)),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("hour__lt", 24)), name="daily_letter_hour_exists")
                ]
            },
        ),
        migrations.CreateModel(
            name="NotificationChoice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("topic", models.CharField(max_length=20)),
                ("mail", models.CharField(blank=True, max_length=10)),
                ("push", models.CharField(blank=True, max_length=10)),
                (
                    "game",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="kernel.game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "game", "topic"), name="one_choice_per_topic_and_game", nulls_distinct=False
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("game__isnull", False), ("mail__gt", ""), _connector="OR"),
                        name="choice_is_made",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="PushSilence",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("topic", models.CharField(max_length=20)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("user", "topic"), name="one_push_silence_per_topic")]
            },
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.UniqueConstraint(fields=("user", "game", "address"), name="one_webhook_per_address"),
        ),
    ]
