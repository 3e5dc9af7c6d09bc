from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("games", "0011_press_widened")]

    operations = []
