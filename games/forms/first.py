"""What a new game is called and which variant is played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from games.forms.free_text import FreeText
from games.forms.groups import Group
from games.selectors import variants_offered
from games.services.lobby import LONGEST_NAME, SHORTEST_NAME

if TYPE_CHECKING:
    from collections.abc import Mapping

TO_NAME = f"Give the game a name of {SHORTEST_NAME} to {LONGEST_NAME} characters."


class FirstGroup(Group):
    title = "Name and variant"
    template = "games/create/first.html"

    name = FreeText(
        max_length=LONGEST_NAME,
        help_text="Everybody sees it. You may make it up.",
        error_messages={"required": TO_NAME, "max_length": TO_NAME},
    )
    variant = forms.ChoiceField(widget=forms.RadioSelect)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.variants = variants_offered()
        field = self.fields["variant"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(card.slug, card.title) for card in self.variants]
        field.initial = self.variants[0].slug

    @classmethod
    def like(cls, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """Every game has a name of its own."""
        offered = {card.slug for card in variants_offered()}
        return {"variant": chosen["variant"]} if chosen["variant"] in offered else {}

    def options(self) -> dict[str, Any]:
        return {"name": self.cleaned_data["name"], "variant": self.cleaned_data["variant"]}
