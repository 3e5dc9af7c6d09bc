from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("people", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="apitoken",
            name="kind",
            field=models.CharField(choices=[("app", "An app of mine"), ("bot", "A bot")], default="app", max_length=3),
        )
    ]
