from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("deadlines", "0001_initial")]

    operations = [migrations.AddField(model_name="reminder", name="by_gm", field=models.BooleanField(default=False))]
