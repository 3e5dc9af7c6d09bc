import re
from collections import Counter
from typing import Any

from django.db import migrations


def year_of(turn: str) -> int:
    return int(re.sub(r"^\D+|\D+$", "", turn))


def add_years(apps: Any, _schema: Any) -> None:
    """What a year ends with is what the next one, or the whole game, opens or ends with."""
    phases = apps.get_model("kernel", "Phase").objects.filter(undoing=None).order_by("ordinal")
    for table in apps.get_model("tournaments", "Table").objects.exclude(outcome=None):
        here = phases.filter(game=table.game_id).values_list("turn", "position")
        opened = [(year_of(turn), Counter(position["centres"].values())) for turn, position in here]
        years = range(table.outcome["first"], table.outcome["last"] + 1)
        for row in table.outcome["powers"]:
            row.append([next((held[row[0]] for at, held in opened if at > year), row[1]) for year in years])
        table.save(update_fields=["outcome"])


def drop_years(apps: Any, _schema: Any) -> None:
    for table in apps.get_model("tournaments", "Table").objects.exclude(outcome=None):
        table.outcome["powers"] = [row[:3] for row in table.outcome["powers"]]
        table.save(update_fields=["outcome"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0005_looks"), ("kernel", "0018_answers")]

    operations = [migrations.RunPython(add_years, drop_years)]
