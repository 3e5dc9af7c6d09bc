from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("kernel", "0004_own_bots")]

    operations = [
        migrations.AddField(model_name="game", name="elsewhere", field=models.JSONField(blank=True, null=True)),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=Q(("elsewhere__isnull", True))
                | Q(("practice", False), ("status__in", ("finished", "closed"))),
                name="game_played_elsewhere_is_over",
            ),
        ),
    ]
