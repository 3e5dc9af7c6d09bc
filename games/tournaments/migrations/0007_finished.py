from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0006_centres_by_year")]

    operations = [migrations.AddField("tournament", "finished", models.DateTimeField(blank=True, null=True))]
