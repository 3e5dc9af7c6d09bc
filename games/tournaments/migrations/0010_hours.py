from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0009_seen")]

    operations = [
        migrations.AddField("round", "due", models.DateTimeField(blank=True, null=True)),
        migrations.AddField(
            "round", "hindrance", models.CharField(blank=True, db_default="", default="", max_length=10)
        ),
        migrations.AddIndex(
            "round", models.Index(condition=Q(due__isnull=False), fields=["due"], name="rounds_by_hour")
        ),
    ]
