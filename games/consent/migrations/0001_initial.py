import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [("kernel", "0001_of_0_2_0"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="Asking",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("matter", models.CharField(choices=[("terms", "Terms"), ("deadline", "Deadline")], max_length=10)),
                ("at", models.DateTimeField()),
                ("until", models.DateTimeField()),
                ("told", models.TextField()),
                ("choices", models.JSONField(blank=True, default=dict)),
                ("deadline", models.DateTimeField(blank=True, null=True)),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("agreed", "Agreed"),
                            ("refused", "Refused"),
                            ("withdrawn", "Withdrawn"),
                            ("lapsed", "Lapsed"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="askings", to="kernel.game"
                    ),
                ),
                (
                    "phase",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="kernel.phase",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Consent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "asking",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="consents", to="consent.asking"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="asking",
            constraint=models.UniqueConstraint(
                condition=models.Q(("outcome", "open")), fields=("game", "matter"), name="one_asking_at_a_time"
            ),
        ),
        migrations.AddConstraint(
            model_name="asking",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("deadline__isnull", True), ("matter", "terms"), ("phase__isnull", True)),
                    models.Q(("deadline__isnull", False), ("matter", "deadline"), ("phase__isnull", False)),
                    _connector="OR",
                ),
                name="asking_has_its_matter",
            ),
        ),
        migrations.AddConstraint(
            model_name="consent", constraint=models.UniqueConstraint(fields=("asking", "user"), name="consent_once")
        ),
    ]
