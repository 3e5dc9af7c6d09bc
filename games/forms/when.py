"""When the phases of a new game end."""

from __future__ import annotations

from typing import Any

from django import forms

from games.forms.groups import Group
from games.forms.lengths import DAY, HOUR, LENGTHS, MINUTE
from games.models import OPTION_TEXTS

OWN_LENGTHS = "own"
PACES = {
    "daily": ("A turn a day", "24 hours for orders, 12 for retreats and builds", (DAY, 12 * HOUR, 12 * HOUR)),
    "calm": ("Two turns a week", "3 days for orders, 1 day for retreats and builds", (3 * DAY, DAY, DAY)),
    "evening": (
        "One long evening",
        "15 minutes for orders, 5 for retreats and builds",
        (15 * MINUTE, 5 * MINUTE, 5 * MINUTE),
    ),
}


class WhenGroup(Group):
    """The lengths come from a pace or, for the pace "own", from three fields of their own."""

    title = "Pace"
    template = "games/create/when.html"
    paces = PACES

    pace = forms.ChoiceField(
        choices=[*((key, pace[0]) for key, pace in PACES.items()), (OWN_LENGTHS, "My own")], initial="daily"
    )
    movement_seconds = forms.TypedChoiceField(label="Orders", choices=LENGTHS, coerce=int, initial=DAY)
    retreat_seconds = forms.TypedChoiceField(label="Retreats", choices=LENGTHS, coerce=int, initial=12 * HOUR)
    adjustment_seconds = forms.TypedChoiceField(
        label="Builds, removals, declarations", choices=LENGTHS, coerce=int, initial=12 * HOUR
    )
    all_ready = forms.BooleanField(required=False, help_text=OPTION_TEXTS["all_ready"])
    gm_processes_early = forms.BooleanField(required=False, help_text=OPTION_TEXTS["gm_processes_early"])

    def options(self) -> dict[str, Any]:
        return {
            **self._lengths(),
            "all_ready": self.cleaned_data["all_ready"],
            "gm_processes_early": self.cleaned_data["gm_processes_early"],
        }

    def _lengths(self) -> dict[str, int]:
        names = ("movement_seconds", "retreat_seconds", "adjustment_seconds")
        if self.cleaned_data["pace"] == OWN_LENGTHS:
            return {name: self.cleaned_data[name] for name in names}
        return dict(zip(names, PACES[self.cleaned_data["pace"]][2], strict=True))
