"""The lists of what is logged and mailed grow with the site; they are closed by the types that services write."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0004_messages_are_never_changed"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="event",
            name="event_kind_is_known",
        ),
        migrations.RemoveConstraint(
            model_name="letter",
            name="letter_kind_is_known",
        ),
        migrations.AlterField(
            model_name="event",
            name="kind",
            field=models.CharField(max_length=30),
        ),
        migrations.AlterField(
            model_name="letter",
            name="kind",
            field=models.CharField(max_length=30),
        ),
    ]
