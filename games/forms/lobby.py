"""Which games of a shelf are looked for."""

from __future__ import annotations

from typing import Any

from django import forms

from games.models import PRESS_TEXTS
from games.selectors import PACES, variants_offered

ANY = ""


class LobbyFilter(forms.Form):
    """All are optional; what is not offered narrows nothing."""

    variant = forms.ChoiceField(required=False)
    press = forms.ChoiceField(
        label="Talk",
        required=False,
        choices=[(ANY, "Any talk"), *((key.value, texts[0]) for key, texts in PRESS_TEXTS.items())],
    )
    pace = forms.ChoiceField(required=False, choices=[(ANY, "Any pace"), *PACES.items()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["variant"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(ANY, "Any variant"), *((card.slug, card.title) for card in variants_offered())]

    def chosen(self) -> dict[str, str]:
        """What narrows the lists, by the names of the fields."""
        self.full_clean()
        return {name: value for name, value in self.cleaned_data.items() if value}
