"""A new game, and what its game master fills in."""

from __future__ import annotations

from typing import Any

from django import forms

from games.models import GUNBOAT, OPTION_TEXTS, PRESS_TEXTS, Press
from games.selectors import variants_offered
from games.services.lobby import LONGEST_NAME

MINUTE, HOUR, DAY = 60, 3_600, 86_400

LENGTHS = (
    (MINUTE, "1 minute"),
    (5 * MINUTE, "5 minutes"),
    (10 * MINUTE, "10 minutes"),
    (15 * MINUTE, "15 minutes"),
    (30 * MINUTE, "30 minutes"),
    (HOUR, "1 hour"),
    (12 * HOUR, "12 hours"),
    (DAY, "1 day"),
    (2 * DAY, "2 days"),
    (3 * DAY, "3 days"),
    (7 * DAY, "1 week"),
)
OWN_LENGTHS = "own"
BY_VARIANT, GUNBOAT_TALK = "variant", "gunboat"
TALKS = {
    Press.FULL.value: PRESS_TEXTS[Press.FULL],
    Press.PUBLIC.value: PRESS_TEXTS[Press.PUBLIC],
    GUNBOAT_TALK: GUNBOAT,
}
PACES = {
    "daily": ("A turn a day", "24 hours for orders, 12 for retreats and builds", (DAY, 12 * HOUR, 12 * HOUR)),
    "calm": ("Two turns a week", "3 days for orders, 1 day for retreats and builds", (3 * DAY, DAY, DAY)),
    "evening": (
        "One long evening",
        "15 minutes for orders, 5 for retreats and builds",
        (15 * MINUTE, 5 * MINUTE, 5 * MINUTE),
    ),
}


class CreateGameForm(forms.Form):
    """A new game. The lengths come from a pace or, for the pace "own", from three fields of their own."""

    name = forms.CharField(max_length=LONGEST_NAME, help_text="Everybody sees it. You may make it up.")
    variant = forms.ChoiceField(widget=forms.RadioSelect)
    pace = forms.ChoiceField(
        choices=[*((key, pace[0]) for key, pace in PACES.items()), (OWN_LENGTHS, "My own")], initial="daily"
    )
    movement_seconds = forms.TypedChoiceField(label="Orders", choices=LENGTHS, coerce=int, initial=DAY)
    retreat_seconds = forms.TypedChoiceField(label="Retreats", choices=LENGTHS, coerce=int, initial=12 * HOUR)
    adjustment_seconds = forms.TypedChoiceField(
        label="Builds, removals, declarations", choices=LENGTHS, coerce=int, initial=12 * HOUR
    )
    entrance = forms.ChoiceField(choices=[("open", "Open"), ("invitation", "By invitation")], initial="open")
    part = forms.ChoiceField(choices=[("plays", "I play"), ("runs", "I only run it")], initial="plays")
    talk = forms.ChoiceField(
        choices=[
            (BY_VARIANT, "As the variant's rules say"),
            *((key, talk[0]) for key, talk in TALKS.items()),
        ],
        initial=BY_VARIANT,
        required=False,
    )
    hidden_names = forms.BooleanField(required=False, help_text=OPTION_TEXTS["hidden_names"])
    bids_for_gm = forms.ChoiceField(choices=[("blind", "Blind"), ("sees", "May look")], initial="sees")
    bids_at_end = forms.ChoiceField(
        choices=[("sealed", "Sealed for ever"), ("opened", "Opened")], initial="sealed"
    )
    all_ready = forms.BooleanField(required=False, help_text=OPTION_TEXTS["all_ready"])
    gm_processes_early = forms.BooleanField(required=False, help_text=OPTION_TEXTS["gm_processes_early"])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered = variants_offered()
        field = self.fields["variant"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(card.slug, card.title) for card in offered]
        field.initial = offered[0].slug

    def options(self) -> dict[str, Any]:
        """The arguments of the service that creates games, except `by`."""
        chosen = self.cleaned_data
        return {
            "name": chosen["name"],
            "variant": chosen["variant"],
            **self._lengths(),
            "by_invitation": chosen["entrance"] == "invitation",
            "gm_plays": chosen["part"] == "plays",
            **self._talk(),
            "gm_sees_bids": chosen["bids_for_gm"] == "sees",
            "open_bids_at_end": chosen["bids_at_end"] == "opened",
            "all_ready": chosen["all_ready"],
            "gm_processes_early": chosen["gm_processes_early"],
        }

    def _talk(self) -> dict[str, str | bool | None]:
        talk = self.cleaned_data["talk"] or BY_VARIANT
        if talk == GUNBOAT_TALK:
            return {"press": Press.NONE.value, "hidden_names": True}
        return {
            "press": None if talk == BY_VARIANT else talk,
            "hidden_names": self.cleaned_data["hidden_names"],
        }

    def _lengths(self) -> dict[str, int]:
        names = ("movement_seconds", "retreat_seconds", "adjustment_seconds")
        if self.cleaned_data["pace"] == OWN_LENGTHS:
            return {name: self.cleaned_data[name] for name in names}
        return dict(zip(names, PACES[self.cleaned_data["pace"]][2], strict=True))


class ExtendForm(forms.Form):
    """By how much the game master puts off the deadline."""

    seconds = forms.TypedChoiceField(
        label="Put the deadline off by",
        coerce=int,
        choices=LENGTHS,
        initial=DAY,
        error_messages={"invalid_choice": "Choose one of the lengths of the list."},
    )


class SeatPlayerForm(forms.Form):
    """Whom the game master puts into which seat."""

    power = forms.CharField(max_length=40)
    username = forms.CharField(label="Name of the account", max_length=150)
