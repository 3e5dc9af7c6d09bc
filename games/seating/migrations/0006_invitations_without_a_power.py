import django.db.models.deletion
from django.db import migrations, models

OF_NO_SEAT = "DELETE FROM seating_mailedinvitation WHERE seat_id IS NULL"
"""Before this version, an invitation is to a seat."""


class Migration(migrations.Migration):
    dependencies = [("seating", "0005_kept_seats")]

    operations = [
        migrations.AlterField(
            model_name="mailedinvitation",
            name="seat",
            field=models.OneToOneField(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="kernel.seat"
            ),
        ),
        migrations.RunSQL(migrations.RunSQL.noop, OF_NO_SEAT),
    ]
