from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("kernel", "0003_practice_games")]

    operations = [
        migrations.AddField(model_name="occupancy", name="own_bot", field=models.BooleanField(default=False)),
        migrations.AddField(model_name="joiner", name="own_bot", field=models.BooleanField(default=False)),
    ]
