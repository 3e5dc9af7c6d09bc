import secrets
from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def give_owners(apps: Any, _editor: Any) -> None:
    """Each belongs to its game's master and gets a secret of its own."""
    for hook in apps.get_model("news", "Webhook").objects.select_related("game"):
        hook.user_id, hook.seed = hook.game.gm_id, secrets.token_hex(16)
        hook.save(update_fields=["user", "seed"])


def keep_one(apps: Any, _editor: Any) -> None:
    """Before, a game had only its master's webhook, for chats."""
    hooks = apps.get_model("news", "Webhook").objects
    kept = hooks.filter(user=models.F("game__gm"), form="chat").order_by("game", "pk").distinct("game")
    hooks.exclude(pk__in=list(kept.values_list("pk", flat=True))).delete()


class Migration(migrations.Migration):
    dependencies = [("news", "0001_initial"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.AddField(
            model_name="webhook",
            name="user",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="webhook",
            name="form",
            field=models.CharField(
                choices=[("chat", "A message for Discord"), ("json", "JSON for a program")],
                default="chat",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="webhook", name="seed", field=models.CharField(default="", max_length=32), preserve_default=False
        ),
        migrations.AddField(model_name="webhook", name="next_test", field=models.DateTimeField(blank=True, null=True)),
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", "SET CONSTRAINTS ALL IMMEDIATE"),
        migrations.RunPython(give_owners, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="webhook",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AlterField(
            model_name="webhook",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="webhooks", to="kernel.game"
            ),
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.UniqueConstraint(fields=("user", "game", "address"), name="one_webhook_per_address"),
        ),
        migrations.RunPython(migrations.RunPython.noop, keep_one),
        migrations.RunSQL(migrations.RunSQL.noop, "SET CONSTRAINTS ALL IMMEDIATE"),
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
    ]
