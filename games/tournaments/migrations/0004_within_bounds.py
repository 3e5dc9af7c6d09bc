"""Terms and moments that contradict themselves, or lie where no zone can show them, become what their pages meant."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import migrations, models

FURTHEST = timedelta(days=9 * 365)
OF_TOURNAMENTS = (
    *("entry", "places", "rounds", "team_best"),
    *("directors_play", "credit", "sitting_out", "shows_running"),
)
MOST_TEAM, MOST_POINTS, MOST_NUMBERS = 7, 100_000, 20


def within(moment: datetime) -> datetime:
    now = datetime.now(UTC)
    return min(max(moment, now - FURTHEST), now + FURTHEST)


def mended(terms: dict[str, Any], *, is_series: bool) -> dict[str, Any]:
    """What was computed and shown stays, where it was of one mind."""
    terms = dict(terms)
    if terms["combine"] == "rounds" and is_series:
        terms["combine"] = "sum"
    if terms["combine"] not in ("best", "rounds"):
        terms["best"] = None
    elif not terms["best"]:
        terms |= {"combine": "sum", "best": None}
    if terms["own"] or terms["scoring"] == "own":
        win, *places = sorted((min(points, MOST_POINTS) for points in terms["own"][:MOST_NUMBERS]), reverse=True) or [1]
        places = places or [0]
        places[0] = min(places[0], MOST_POINTS - 1)
        terms["own"] = [max(win, places[0] + 1), *(min(it, places[0]) for it in places)]
    terms["ties"] = [*dict.fromkeys(terms["ties"])]
    if is_series:
        return {name: value for name, value in terms.items() if name not in OF_TOURNAMENTS}
    if (terms.get("team_best") or 0) > MOST_TEAM:
        terms["team_best"] = 0
    if terms["combine"] in ("powers", "variants") and terms.get("sitting_out"):
        terms["sitting_out"] = 0
    most = terms.get("rounds", 1) * (1 if terms["combine"] == "rounds" else 2)
    return {**terms, "best": terms["best"] and min(terms["best"], most), "first": None, "last": None}


def mend(apps: Any, _editor: Any) -> None:
    series_class, round_class, change_class = (
        apps.get_model("tournaments", name) for name in ("Tournament", "Round", "Change")
    )
    for row in series_class.objects.all():
        row.terms, row.closes = mended(row.terms, is_series=row.is_series), row.closes and within(row.closes)
        row.save(update_fields=["terms", "closes"])
        if "own" not in row.terms or not row.terms["own"]:
            for it in round_class.objects.filter(tournament=row, terms__scoring="own"):
                it.terms["scoring"] = ""
                it.save(update_fields=["terms"])
    for row in change_class.objects.filter(kind="closes"):
        row.facts["moment"] = within(datetime.fromisoformat(row.facts["moment"])).isoformat()
        row.save(update_fields=["facts"])
    for row in change_class.objects.filter(kind="terms").select_related("tournament"):
        for name in ("before", "after"):
            row.facts[name] = mended(row.facts[name], is_series=row.tournament.is_series)
        row.save(update_fields=["facts"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0003_tables_of_each")]
    operations = [
        migrations.AddField("tournament", "hidden", models.DateTimeField(null=True, blank=True)),
        migrations.AddField("tournament", "shut", models.DateTimeField(null=True, blank=True)),
        migrations.RunPython(mend, migrations.RunPython.noop),
    ]
