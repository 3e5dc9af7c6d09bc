"""Tokens of programs, in place of the library's, which stood readable in their table: these end here."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

END_THE_OLD = """
DO $$ BEGIN
  IF to_regclass('authtoken_token') IS NOT NULL THEN DELETE FROM authtoken_token; END IF;
END $$
"""


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0017_receipts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("prefix", models.CharField(max_length=8, unique=True)),
                ("digest", models.CharField(max_length=64)),
                ("scopes", models.JSONField(default=list)),
                ("made", models.DateTimeField()),
                ("expires", models.DateTimeField()),
                ("last_used", models.DateField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.RunSQL(END_THE_OLD, migrations.RunSQL.noop),
    ]
