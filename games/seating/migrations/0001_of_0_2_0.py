import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import games.kernel.models.game


class Migration(migrations.Migration):
    replaces = [("seating", "0001_initial"), ("seating", "0002_mailed_invitations"), ("seating", "0003_inviter")]

    initial = True

    dependencies = [("kernel", "0001_of_0_2_0"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="RollCall",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("called", models.DateTimeField()),
                ("deadline", models.DateTimeField()),
                ("incomplete", models.BooleanField(default=False)),
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="roll_call", to="kernel.game"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Confirmation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "roll_call",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="confirmations", to="seating.rollcall"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Standby",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("variants", models.JSONField(blank=True, default=list)),
                ("pace", models.CharField(blank=True, max_length=10)),
                ("since", models.DateTimeField()),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Approach",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("invited", models.BooleanField()),
                ("made", models.DateTimeField()),
                ("accepted", models.BooleanField(blank=True, null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="approaches", to="kernel.game"
                    ),
                ),
                (
                    "inviter",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="kernel.seat"),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
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
            name="JoinRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("asked", models.DateTimeField()),
                ("accepted", models.BooleanField(blank=True, null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="requests", to="kernel.game"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("game", "user"), name="ask_once")]},
        ),
        migrations.CreateModel(
            name="MailedInvitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("email", models.EmailField(max_length=254)),
                (
                    "token",
                    models.CharField(default=games.kernel.models.game.new_invitation, max_length=43, unique=True),
                ),
                ("expires", models.DateTimeField()),
                ("next_try", models.DateTimeField(blank=True, null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="mailed_invitations", to="kernel.game"
                    ),
                ),
                (
                    "seat",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="kernel.seat"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["expires"], name="mailed_by_expiry"),
                    models.Index(
                        condition=models.Q(("next_try__isnull", False)), fields=["next_try"], name="mailed_to_send"
                    ),
                ],
                "constraints": [models.UniqueConstraint(fields=("game", "email"), name="mailed_once_per_game")],
            },
        ),
        migrations.AddIndex(
            model_name="rollcall", index=models.Index(fields=["deadline"], name="roll_calls_by_deadline")
        ),
        migrations.AddConstraint(
            model_name="confirmation",
            constraint=models.UniqueConstraint(fields=("roll_call", "user"), name="confirm_once"),
        ),
    ]
