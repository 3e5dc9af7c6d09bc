from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("seating", "0001_of_0_2_0")]

    operations = [
        migrations.CreateModel(
            "UnwantedAddress",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
            ],
            {"verbose_name_plural": "unwanted addresses"},
        )
    ]
