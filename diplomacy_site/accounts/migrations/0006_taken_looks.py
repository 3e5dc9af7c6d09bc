from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from diplomacy_site.accounts.looks import looks_of


def take_looks(apps: Any, _editor: Any) -> None:
    """Of names that look alike, the oldest account has the look."""
    taken = apps.get_model("accounts", "TakenLook")
    people = apps.get_model("accounts", "User").objects.filter(is_bot=False, is_guest=False).order_by("pk")
    looks = [
        taken(look=look, user_id=pk)
        for pk, name in people.values_list("pk", "username").iterator()
        for look in looks_of(name)
    ]
    taken.objects.bulk_create(looks, ignore_conflicts=True, batch_size=2_000)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_of_0_2_0")]

    operations = [
        migrations.CreateModel(
            "TakenLook",
            [
                ("look", models.CharField(max_length=600, primary_key=True, serialize=False)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="looks", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.RunPython(take_looks, migrations.RunPython.noop),
    ]
