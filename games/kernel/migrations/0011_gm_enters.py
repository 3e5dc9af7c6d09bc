from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("kernel", "0010_former_terms")]

    operations = [
        migrations.AddField(model_name="occupancy", name="gm_enters", field=models.BooleanField(default=False))
    ]
