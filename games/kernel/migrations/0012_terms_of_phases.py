"""Each phase says what was revealed at every moment while it was open, instead of what the terms were before they first
changed. What the rows of a game under way don't tell is refused."""

from collections.abc import Callable, Collection, Iterable
from datetime import timedelta
from typing import Any

from django.db import migrations, models
from django.db.models import Value

USUAL = {"gm_previews": False, "gm_sees_bids": True, "gm_sees_saved": False, "open_bids_at_end": False}
"""The options that reveal something, as they are if nothing was chosen."""
CHANGED, AGREED = "terms changed", "terms agreed"
WRITTEN_AHEAD = ("R", "A")
CLAIMED = timedelta(minutes=1)
"""So much later the terms may have changed in a phase that is dated by when a worker began to close it."""


def remember(apps: Any, _editor: Any) -> None:
    every_game, phases = apps.get_model("kernel", "Game").objects, apps.get_model("kernel", "Phase").objects
    unchanged: dict[tuple[str, ...], list[int]] = {}
    for number, options in every_game.values_list("pk", "stored_options").iterator():
        unchanged.setdefault(tuple(_chosen({**USUAL, **options})), []).append(number)
    for chosen, games in unchanged.items():
        phases.filter(game__in=games, former_terms__isnull=True).update(reveals=list(chosen))
    for game in every_game.filter(phases__former_terms__isnull=False).distinct():
        of_game, may_have_changed = list(game.phases.order_by("pk").defer("position")), _changes(game)
        for phase in of_game:
            if phase.former_terms is not None:
                kept, since = _chosen({**USUAL, **phase.former_terms}), _begun(phase, of_game)
                phase.reveals = [name for name in kept if not may_have_changed(name, since, phase.closed)]
                phase.save(update_fields=["reveals"])


def _chosen(options: dict[str, Any]) -> list[str]:
    return [name for name in USUAL if options[name]]


def _begun(phase: Any, phases: Iterable[Any]) -> Any:
    """When the first thing in the sheets of this phase may have been written: in the phase before, if it could be
    written ahead, or in a phase that was undone."""
    earlier = [it for it in phases if it.pk <= phase.pk]
    turns = {it.ordinal: it.turn for it in earlier}
    first = phase.ordinal
    while first in turns and turns[first].endswith(WRITTEN_AHEAD):
        first -= 1
    return min(it.opened for it in earlier if first <= it.ordinal <= phase.ordinal)


def _changes(game: Any) -> Callable[[str, Any, Any], bool]:
    """May this option have changed between two moments? Requests tell what changed, the log when; it does not tell what
    changed where no one had to agree."""
    askings = game.askings.filter(matter="terms", outcome="agreed").order_by("pk")
    named = [set(asking.choices) for asking in askings]
    lines = list(game.events.filter(kind__in=(CHANGED, AGREED)).order_by("pk").values_list("kind", "at"))
    agreed = [at for kind, at in lines if kind == AGREED]
    changes: list[tuple[Any, Collection[str]]] = [(at, USUAL) for kind, at in lines if kind == CHANGED]
    changes += zip(agreed, named, strict=True) if len(agreed) == len(named) else ((at, USUAL) for at in agreed)

    def may_have_changed(name: str, since: Any, until: Any) -> bool:
        return any(name in names and since <= at and (until is None or at <= until + CLAIMED) for at, names in changes)

    return may_have_changed


def forget(apps: Any, _editor: Any) -> None:
    """The terms as they were, as the narrowest ones would have been before the first change."""
    phases = apps.get_model("kernel", "Phase").objects
    for phase in phases.select_related("game").defer("position").iterator():
        if phase.reveals != _chosen({**USUAL, **phase.game.stored_options}):
            phase.former_terms = {name: name in phase.reveals for name in USUAL}
            phase.save(update_fields=["former_terms"])


class Migration(migrations.Migration):
    dependencies = [("kernel", "0001_of_0_2_0"), ("consent", "0001_initial")]

    operations = [
        migrations.AddField(
            "phase", "reveals", models.JSONField(blank=True, db_default=Value([], models.JSONField()), default=list)
        ),
        migrations.RunPython(remember, forget),
        migrations.RemoveField("phase", "former_terms"),
    ]
