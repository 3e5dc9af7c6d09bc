from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("games", "0005_kinds_are_listed_in_code")]

    operations = []
