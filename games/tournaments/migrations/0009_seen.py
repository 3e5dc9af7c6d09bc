from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0008_played_elsewhere")]

    operations = [
        migrations.AddField(
            model_name="tournamentletter", name="seen", field=models.DateTimeField(blank=True, null=True)
        )
    ]
