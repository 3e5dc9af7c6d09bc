import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("kernel", "0014_acts_of_a_page")]

    operations = [
        migrations.AddField(
            model_name="occupancy",
            name="instead_of",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="kernel.occupancy",
            ),
        )
    ]
