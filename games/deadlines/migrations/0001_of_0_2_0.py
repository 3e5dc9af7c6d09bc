import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [("deadlines", "0001_initial"), ("deadlines", "0002_reminders_by_game_masters")]

    initial = True

    dependencies = [("kernel", "0001_of_0_2_0"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="CalendarKey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(default=1)),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Absence",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("first", models.DateField()),
                ("last", models.DateField()),
                ("zone", models.CharField(max_length=64)),
                ("begins", models.DateTimeField()),
                ("ends", models.DateTimeField()),
                ("moved", models.BooleanField(default=False)),
                ("cancelled", models.DateTimeField(blank=True, null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="absences", to="kernel.game"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("ends__gt", models.F("begins")), ("last__gte", models.F("first"))),
                        name="absence_ends_after_it_begins",
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="Reminder",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("written", models.DateTimeField()),
                ("next_try", models.DateTimeField(blank=True, null=True)),
                ("for_the_day", models.BooleanField(default=False)),
                ("tries", models.PositiveIntegerField(default=0)),
                ("sent", models.DateTimeField(blank=True, null=True)),
                ("seen", models.DateTimeField(blank=True, null=True)),
                ("next_push", models.DateTimeField(blank=True, null=True)),
                ("pushed", models.BooleanField(default=False)),
                ("due", models.DateTimeField()),
                ("by_gm", models.BooleanField(default=False)),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="reminders", to="kernel.phase"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("sent__isnull", True)), fields=["next_try"], name="reminders_to_send"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("phase", "user", "due"), name="one_reminder_at_a_time")
                ],
            },
        ),
    ]
