from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0010_market")]

    operations = [
        migrations.AddField(
            model_name="message",
            name="key",
            field=models.CharField(blank=True, max_length=64, null=True),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.UniqueConstraint(
                fields=("thread", "power", "key"), name="message_once_per_form"
            ),
        ),
    ]
