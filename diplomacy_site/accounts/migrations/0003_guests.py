import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_user_is_bot")]

    operations = [
        migrations.AddField(
            model_name="user", name="is_guest", field=models.BooleanField(default=False, editable=False)
        ),
        migrations.AddField(
            model_name="user",
            name="joins",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="guests",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.CheckConstraint(
                condition=models.Q(("is_guest", True), ("joins__isnull", True), _connector="OR"),
                name="only_guests_join_an_account",
            ),
        ),
    ]
