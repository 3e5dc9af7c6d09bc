from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("kernel", "0005_played_elsewhere")]

    operations = [migrations.AddField("phase", "announced", models.DateTimeField(blank=True, null=True))]
