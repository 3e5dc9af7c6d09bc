"""Forms for the standby list, sitters and preferred powers."""

from collections.abc import Iterator, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from games.deadlines.forms import AbsenceForm
from games.kernel.acts import player_act
from games.kernel.cards import PACE_FILTERS
from games.kernel.languages import later, later_as
from games.kernel.queries import variant_choices
from games.kernel.wording import one_line
from games.press.options import PRESS_TEXTS
from games.seating.parts import PowerView
from games.seating.services.sitters import name_sitter

PACE = later_as("of a game", "Pace")


class StandbyForm(forms.Form):
    """A place on the standby list. Fields left empty mean any variant or pace."""

    variants = forms.MultipleChoiceField(
        label=later("Variants"), required=False, widget=forms.CheckboxSelectMultiple, choices=variant_choices
    )
    pace = forms.ChoiceField(label=PACE, required=False, choices=[("", later("Any pace")), *PACE_FILTERS.items()])


class SitterForm(AbsenceForm):
    """A sitter from the first day to the last, both included."""

    username, talks = (player_act.of(name_sitter).arguments[it].form_field() for it in ("username", "talks"))
    field_order = ("username", "first", "last", "talks")


ORDINALS = (later("First"), later("Second"), later("Third"))


class WishForm(forms.Form):
    """A choice for each place in the list; places may be left empty, and no power is named twice."""

    def __init__(self, powers: Sequence[PowerView], wishes: Sequence[str] = (), data: Any = None) -> None:
        super().__init__(data)
        choices = [("", _("no preference")), *((power.id, power.name) for power in powers)]
        for number in range(len(powers)):
            self.fields[f"wish_{number + 1}"] = forms.ChoiceField(
                label=ORDINALS[number] if number < len(ORDINALS) else _("{place}th").format(place=number + 1),
                choices=choices,
                required=False,
                initial=wishes[number] if number < len(wishes) else "",
            )

    def clean(self) -> dict[str, Any]:
        powers_seen: set[str] = set()
        for name, power in self._wish_values():
            if power in powers_seen:
                self.add_error(name, _("You have already ranked this power higher up. Choose each power only once."))
            powers_seen.add(power)
        return self.cleaned_data

    def wishes(self) -> list[str]:
        return [power for _name, power in self._wish_values()]

    def _wish_values(self) -> Iterator[tuple[str, str]]:
        for name in self.fields:
            if self.cleaned_data.get(name):
                yield name, self.cleaned_data[name]


ANY = ""


class LobbyFilter(forms.Form):
    """Optional filters for the lists of games. A value that isn't offered filters nothing."""

    variant = forms.ChoiceField(
        label=later("Variant"), required=False, choices=lambda: [(ANY, _("Any variant")), *variant_choices()]
    )
    press = forms.ChoiceField(
        label=later("Press"),
        required=False,
        choices=[(ANY, later("Any press")), *((key.value, texts[0]) for key, texts in PRESS_TEXTS.items())],
    )
    pace = forms.ChoiceField(label=PACE, required=False, choices=[(ANY, later("Any pace")), *PACE_FILTERS.items()])
    name = forms.CharField(
        label=later("Part of the name"),
        required=False,
        widget=forms.TextInput({"type": "search", "placeholder": later("Part of the name")}),
    )

    def clean_name(self) -> str:
        """The name with single spaces, as the names of games have."""
        return one_line(self.cleaned_data["name"])

    def chosen(self) -> dict[str, str]:
        """The chosen filters, by the names of the fields."""
        self.full_clean()
        return {name: value for name, value in self.cleaned_data.items() if value}
