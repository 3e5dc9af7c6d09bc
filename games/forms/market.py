"""Vacant seats: when a new game has them, who wants to be told of them, and who is asked into one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from games.forms.groups import Choice, Group, OneOf
from games.selectors import PACES, variants_offered

if TYPE_CHECKING:
    from collections.abc import Mapping

NEVER = "never"
MOST_MISSES = 3


class MarketGroup(Group):
    title = "Vacant seats"
    about = "what becomes of a seat whose player has fallen silent"
    template = "games/create/market.html"

    vacant_after = OneOf(
        "Who saves nothing loses the seat",
        (
            Choice(
                "2",
                "After 2 phases in a row",
                "The seat is vacant then. Anybody who may join the game may take it, with a full phase to write.",
            ),
            Choice("1", "After 1 phase"),
            Choice("3", "After 3 phases in a row"),
            Choice(NEVER, "Never by itself", "You may still take a player out and ask somebody else in."),
        ),
    )

    @classmethod
    def like(cls, chosen: Mapping[str, Any]) -> dict[str, Any]:
        misses = min(chosen["vacant_after"], MOST_MISSES)
        return {"vacant_after": str(misses) if misses else NEVER}

    def options(self) -> dict[str, Any]:
        chosen = self.cleaned_data["vacant_after"]
        return {"vacant_after": 0 if chosen == NEVER else int(chosen)}


class StandbyForm(forms.Form):
    """Nothing chosen: any."""

    variants = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple)
    pace = forms.ChoiceField(required=False, choices=[("", "Any pace"), *PACES.items()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["variants"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(card.slug, card.title) for card in variants_offered()]
