from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("kernel", "0009_following")]

    operations = [migrations.AddField("phase", "former_terms", models.JSONField(blank=True, null=True))]
