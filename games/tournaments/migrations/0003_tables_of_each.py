from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0002_seating")]

    operations = [
        migrations.AddField(model_name="round", name="tables_of_each", field=models.JSONField(blank=True, default=list))
    ]
