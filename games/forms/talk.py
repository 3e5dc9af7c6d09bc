"""What the players of a new game may write to each other, and whether they know each other's names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from games.forms.groups import Choice, Group, OneOf
from games.models import CLOSABLE, GUNBOAT, OPTION_TEXTS, PRESS_TEXTS, Press
from games.selectors import variants_offered

if TYPE_CHECKING:
    from collections.abc import Mapping

BY_VARIANT, GUNBOAT_TALK = "variant", "gunboat"
SHOWN, HIDDEN = "shown", "hidden"
TALKS = {
    Press.FULL.value: PRESS_TEXTS[Press.FULL],
    Press.PUBLIC.value: PRESS_TEXTS[Press.PUBLIC],
    GUNBOAT_TALK: GUNBOAT,
}


class TalkGroup(Group):
    title = "Talk, names, readiness"
    about = "what players may write to each other, and what they see of each other"
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
    press_closed = forms.MultipleChoiceField(
        choices=list(CLOSABLE.items()), required=False, help_text=OPTION_TEXTS["press_closed"]
    )
    readiness = OneOf(
        "Who is ready, where a phase ends early when all are",
        (
            Choice(SHOWN, "Everybody sees it", "The list of powers shows who has said so."),
            Choice(HIDDEN, "Nobody sees it", "Everybody only sees that the phase has ended."),
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.variants = variants_offered()

    @classmethod
    def like(cls, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """`press` None: as the variant's rules say."""
        press, hidden = chosen["press"], chosen["hidden_names"]
        gunboat = press == Press.NONE and hidden
        return {
            "talk": GUNBOAT_TALK if gunboat else press if press in TALKS else BY_VARIANT,
            "hidden_names": hidden and not gunboat,
            "press_closed": list(chosen["press_closed"]),
            "readiness": SHOWN if chosen["show_ready"] else HIDDEN,
        }

    def options(self) -> dict[str, Any]:
        closed = tuple(self.cleaned_data["press_closed"])
        return {**self._talk(), "press_closed": closed, "show_ready": self.cleaned_data["readiness"] == SHOWN}

    def _talk(self) -> dict[str, str | bool | None]:
        talk = self.cleaned_data["talk"] or BY_VARIANT
        if talk == GUNBOAT_TALK:
            return {"press": Press.NONE.value, "hidden_names": True}
        return {
            "press": None if talk == BY_VARIANT else talk,
            "hidden_names": self.cleaned_data["hidden_names"],
        }
