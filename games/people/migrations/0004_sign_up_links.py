import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import games.kernel.models.game


class Migration(migrations.Migration):
    dependencies = [("people", "0003_approval"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="SignUpLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "secret",
                    models.CharField(default=games.kernel.models.game.new_invitation, max_length=43, unique=True),
                ),
                ("purpose", models.CharField(max_length=100)),
                ("made", models.DateTimeField()),
                ("used", models.PositiveIntegerField(default=0)),
                ("withdrawn", models.DateTimeField(blank=True, null=True)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        )
    ]
