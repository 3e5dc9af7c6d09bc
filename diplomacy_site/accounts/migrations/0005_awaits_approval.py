from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_last_seen")]

    operations = [
        migrations.AddField("user", "awaits_approval", models.BooleanField(default=False, editable=False)),
        migrations.AddConstraint(
            "user",
            models.CheckConstraint(
                condition=models.Q(("awaits_approval", False), ("is_active", False), _connector="OR"),
                name="waits_to_be_active",
            ),
        ),
    ]
