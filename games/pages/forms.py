"""Creating a game: groups of options, each a form of its own, sent together."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.forms import BoundField
from django.forms.utils import ErrorList

from games.deadlines.forms import WhenGroup
from games.kernel.cards import PACES
from games.kernel.forms import FreeText, Group, SectionGroup
from games.kernel.game_options import GameOptions, Section, declared
from games.kernel.queries import variant_choices, variants_offered
from games.press.options import PRESS_TEXTS
from games.seating.services.new_game import LONGEST_NAME, SHORTEST_NAME
from variants.registry import ALL

TO_NAME = f"Give the game a name of {SHORTEST_NAME} to {LONGEST_NAME} characters."


class FirstGroup(Group):
    title = "Name and variant"
    template = "pages/create/first.html"

    name = FreeText(
        max_length=LONGEST_NAME,
        help_text="Everyone can see it.",
        error_messages={"required": TO_NAME, "max_length": TO_NAME},
    )
    variant = forms.ChoiceField(widget=forms.RadioSelect, choices=variant_choices, initial=ALL[0].slug)

    variants = property(lambda _self: variants_offered())

    def like(self, options: GameOptions) -> dict[str, Any]:
        """The name isn't copied: every game has its own."""
        return {"variant": options.variant.slug} if options.variant in ALL else {}

    def options(self) -> dict[str, Any]:
        return {"name": self.cleaned_data["name"], "variant": self.cleaned_data["variant"]}


ANY = ""


class LobbyFilter(forms.Form):
    """All fields are optional; a value that isn't offered filters nothing."""

    variant = forms.ChoiceField(required=False, choices=lambda: [(ANY, "Any variant"), *variant_choices()])
    press = forms.ChoiceField(
        label="Press",
        required=False,
        choices=[(ANY, "Any press"), *((key.value, texts[0]) for key, texts in PRESS_TEXTS.items())],
    )
    pace = forms.ChoiceField(required=False, choices=[(ANY, "Any pace"), *PACES.items()])

    def chosen(self) -> dict[str, str]:
        """The chosen filters, by the names of the fields."""
        self.full_clean()
        return {name: value for name, value in self.cleaned_data.items() if value}


MORE = (Section.JOINING, Section.VACANCIES, Section.TALK, Section.MASTER, Section.ENDING)
"""The sections that are folded away, in the order of the page."""


class CreateGameForm:
    """All groups as one form: it shows all mistakes at once and loses nothing that was typed."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, like: GameOptions | None = None) -> None:
        """`like`: options to fill the form in with."""
        self.first: tuple[Group, ...] = (FirstGroup(data), WhenGroup(data))
        self.more = tuple(SectionGroup(section, data=data) for section in MORE)
        self.groups = self.first + self.more
        if like:
            for group in self.groups:
                group.initial = group.like(like)

    def __iter__(self) -> Iterator[BoundField]:
        for group in self.groups:
            yield from group

    def is_valid(self) -> bool:
        return all(group.is_bound for group in self.groups) and not self.errors

    @property
    def errors(self) -> dict[str, ErrorList]:
        return {name: errors for group in self.groups for name, errors in group.errors.items()}

    def non_field_errors(self) -> ErrorList:
        found = ErrorList()
        for group in self.groups:
            found.extend(group.non_field_errors())
        return found

    def add_error(self, name: str, sentence: str) -> None:
        """Add a mistake that the service found: to its field or, if there is none, to the whole form."""
        field = declared()[name][1].asked_as or name if name in declared() else name
        owner = next((group for group in self.groups if field in group.fields), None)
        if owner is not None:
            owner.add_error(field, sentence)
        else:
            self.groups[0].add_error(None, sentence)

    def options(self) -> dict[str, Any]:
        """The arguments for the service that creates games, except `by`."""
        return {name: choice for group in self.groups for name, choice in group.options().items()}
