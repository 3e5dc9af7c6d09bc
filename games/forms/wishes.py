"""The powers somebody would like to play, the dearest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.phase_view import PowerView

PLACES = ("First", "Second", "Third")


class WishForm(forms.Form):
    """A list for each place; places may be left empty, and no power stands twice."""

    def __init__(self, powers: Sequence[PowerView], wishes: Sequence[str] = (), data: Any = None) -> None:
        super().__init__(data)
        choices = [("", "no wish"), *((power.id, power.name) for power in powers)]
        for number in range(len(powers)):
            self.fields[f"wish_{number + 1}"] = forms.ChoiceField(
                label=PLACES[number] if number < len(PLACES) else f"{number + 1}th",
                choices=choices,
                required=False,
                initial=wishes[number] if number < len(wishes) else "",
            )

    def clean(self) -> dict[str, Any]:
        seen: set[str] = set()
        for name, power in self._chosen():
            if power in seen:
                self.add_error(name, "This power stands further up already. Name each power once.")
            seen.add(power)
        return self.cleaned_data

    def wishes(self) -> list[str]:
        return [power for _name, power in self._chosen()]

    def _chosen(self) -> Iterator[tuple[str, str]]:
        for name in self.fields:
            if self.cleaned_data.get(name):
                yield name, self.cleaned_data[name]
