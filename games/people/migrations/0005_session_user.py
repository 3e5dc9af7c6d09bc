from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """The column stays as it is."""

    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL), ("people", "0001_of_0_2_0")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField(model_name="session", name="user_id"),
                migrations.AddField(
                    model_name="session",
                    name="user",
                    field=models.ForeignKey(
                        null=True,
                        db_constraint=False,
                        on_delete=models.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ]
        )
    ]
