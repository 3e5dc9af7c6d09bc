from django.db import migrations, models

import diplomacy_site.accounts.models


class Migration(migrations.Migration):
    """Nobody was seen today because a column was added: so far, the last day is that of the last sign-in."""

    dependencies = [("accounts", "0003_guests")]

    operations = [
        migrations.AddField("user", "last_seen", models.DateField(editable=False, null=True)),
        migrations.RunSQL(
            "UPDATE accounts_user SET last_seen = (last_login AT TIME ZONE 'UTC')::date", migrations.RunSQL.noop
        ),
        migrations.AlterField(
            "user",
            "last_seen",
            models.DateField(default=diplomacy_site.accounts.models.today, editable=False, null=True),
        ),
    ]
