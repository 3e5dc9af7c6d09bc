"""What the players of a new game may write to each other, and whether they know each other's names."""

from __future__ import annotations

from typing import Any

from django import forms

from games.forms.groups import Group
from games.models import GUNBOAT, OPTION_TEXTS, PRESS_TEXTS, Press
from games.selectors import variants_offered

BY_VARIANT, GUNBOAT_TALK = "variant", "gunboat"
TALKS = {
    Press.FULL.value: PRESS_TEXTS[Press.FULL],
    Press.PUBLIC.value: PRESS_TEXTS[Press.PUBLIC],
    GUNBOAT_TALK: GUNBOAT,
}


class TalkGroup(Group):
    title = "Talk and names"
    template = "games/create/talk.html"
    talks = TALKS

    talk = forms.ChoiceField(
        choices=[
            (BY_VARIANT, "As the variant's rules say"),
            *((key, talk[0]) for key, talk in TALKS.items()),
        ],
        initial=BY_VARIANT,
        required=False,
    )
    hidden_names = forms.BooleanField(required=False, help_text=OPTION_TEXTS["hidden_names"])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.variants = variants_offered()

    def options(self) -> dict[str, Any]:
        talk = self.cleaned_data["talk"] or BY_VARIANT
        if talk == GUNBOAT_TALK:
            return {"press": Press.NONE.value, "hidden_names": True}
        return {
            "press": None if talk == BY_VARIANT else talk,
            "hidden_names": self.cleaned_data["hidden_names"],
        }
