"""Creating a game: groups of options, each a form of its own, sent together."""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR
from typing import Any

from django import forms
from django.contrib.auth.models import AbstractUser
from django.forms import BoundField
from django.forms.utils import ErrorList
from django.utils.text import format_lazy
from django.utils.translation import gettext as _

from games.deadlines.forms import LENGTH_NAMES, WhenGroup
from games.deadlines.options import PhaseLengths
from games.kernel import clock
from games.kernel.fields import OneOf
from games.kernel.forms import FreeText, Group, SectionGroup
from games.kernel.game_options import BadOptions, GameOptions, Section, declared_options
from games.kernel.languages import later
from games.kernel.parts import VariantCard
from games.kernel.queries import variant_choices, variants_offered
from games.kernel.wording import one_line
from games.learning.rules_page import thumbnail_of
from games.pages.queries import Search
from games.people.profiles import account_called
from games.seating.services.new_game import LONGEST_NAME, SHORTEST_NAME
from variants.registry import SLUGS, find, offered

NAME_RULE = format_lazy(
    later("Give the game a name of {least} to {most} characters."), least=SHORTEST_NAME, most=LONGEST_NAME
)
MEETINGS = (
    later("Conference of {town}"),
    later("Congress of {town}"),
    later("Convention of {town}"),
    later("Entente of {town}"),
    later("Pact of {town}"),
    later("Summit of {town}"),
    later("Treaty of {town}"),
)
TOWNS = (
    "Amiens", "Bergen", "Bruges", "Cetinje", "Corfu", "Fiume", "Galway", "Geneva", "Ghent", "Gorizia", "Izmir",
    "Kaunas", "Kotor", "Lausanne", "Lugano", "Memel", "Odessa", "Porto", "Ragusa", "Rapallo", "Riga", "Salonica",
    "Spa", "Stresa", "Tartu", "Tilsit", "Trieste", "Turku", "Uppsala", "Valletta", "Vilnius", "Zadar",
)  # fmt: skip


def suggested_name() -> str:
    """A name for a new game, as in "Treaty of Trieste". It changes every second."""
    second = int(clock.now().timestamp())
    return MEETINGS[second % len(MEETINGS)].format(town=TOWNS[second % len(TOWNS)])


class FirstGroup(Group):
    template = "pages/create/first.html"

    name = FreeText(
        label=later("Name"),
        initial=suggested_name,
        max_length=LONGEST_NAME,
        help_text=later("A suggestion. Everyone can see the name."),
        error_messages={"required": NAME_RULE, "max_length": NAME_RULE},
    )
    variant = forms.ChoiceField(
        label=later("Variant"), widget=forms.RadioSelect, choices=variant_choices, initial=SLUGS[0]
    )

    @property
    def variants(self) -> list[tuple[VariantCard, str]]:
        """The variants, each with its map."""
        return [(card, thumbnail_of(card.slug)) for card in variants_offered()]

    def like(self, options: GameOptions) -> dict[str, Any]:
        """The values of these options. The name isn't copied, because every game has its own."""
        return {"variant": options.variant.slug} if options.variant in offered() else {}

    def options(self) -> dict[str, Any]:
        return {"name": self.cleaned_data["name"], "variant": self.cleaned_data["variant"]}


SHORTEST_SEARCH = 3
"""In characters: the index of names has three at a time."""


class ArchiveSearch(forms.Form):
    """What a finished game must match. All fields are optional, but a mistake in one of them finds nothing."""

    name = forms.CharField(
        label=later("Part of the name"),
        required=False,
        min_length=SHORTEST_SEARCH,
        max_length=LONGEST_NAME,
        error_messages={
            "min_length": format_lazy(later("Enter at least {least} characters of the name."), least=SHORTEST_SEARCH)
        },
    )
    player = forms.CharField(
        label=later("Player"),
        required=False,
        max_length=150,
        widget=forms.TextInput({"autocapitalize": "none", "spellcheck": "false"}),
    )
    year = forms.IntegerField(
        label=later("Year created"),
        required=False,
        min_value=MINYEAR,
        max_value=MAXYEAR,
        widget=forms.TextInput({"inputmode": "numeric"}),
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), later("Enter a year, such as 2026.")),
    )

    def clean_name(self) -> str:
        """The name with single spaces, as the names of games have."""
        return one_line(self.cleaned_data["name"])

    def clean_player(self) -> AbstractUser | None:
        typed = self.cleaned_data["player"]
        player = account_called(typed) if typed else None
        if typed and player is None:
            raise forms.ValidationError(_("There is no player with this name. Enter the whole name."))
        return player

    def typed_values(self) -> dict[str, str]:
        """What was typed, by the names of the fields."""
        return {name: str(value) for name, value in self.cleaned_data.items() if value}

    def search(self) -> Search:
        self.full_clean()
        wanted = self.cleaned_data
        player = wanted.get("player")
        return Search(name=wanted.get("name", ""), player=player.pk if player else None, year=wanted.get("year"))


FOLDED_SECTIONS = (Section.JOINING, Section.TALK, Section.MASTER, Section.VACANCIES, Section.ENDING)
FOLDED_SECTIONS_OF_TIME = (Section.EARLY_END, Section.EXTRA_TIME, Section.DAYS_OFF)
"""The sections that are folded away, in the order of the page; the last ones are asked for with the pace."""


@dataclass(frozen=True, slots=True)
class Fold:
    """Fields that are folded away, and a summary of their values; "" if they are wrong."""

    section: Section
    group: SectionGroup
    summary: str

    @property
    def fields(self) -> list[BoundField]:
        """The fields that the template of the section doesn't place itself."""
        return self.group.fields_to_draw(self.section)

    @property
    def is_open(self) -> bool:
        return self.group.has_changes(self.group.in_section(self.section))


class CreateGameForm:
    """All groups as one form: it shows all mistakes at once and loses nothing that was typed."""

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, options_to_copy: GameOptions | None = None, zone: str = "UTC"
    ) -> None:
        """`options_to_copy` fill in the form; `zone` is that of fixed times, unless another one is chosen."""
        self.when = WhenGroup(data, zone=zone)
        self.first: tuple[Group, ...] = (FirstGroup(data), self.when, SectionGroup(Section.ENTRANCE, data=data))
        self.folded = {section: SectionGroup(section, data=data) for section in FOLDED_SECTIONS}
        self.groups: tuple[Group, ...] = (*self.first, *self.folded.values())
        if options_to_copy:
            for group in self.groups:
                group.initial = group.like(options_to_copy)

    def start_with(self, values: Mapping[str, Any]) -> None:
        """Fill these fields in otherwise than usual. Folded ones stay folded."""
        for group in self.groups:
            for name in values.keys() & group.fields.keys():
                group.fields[name].initial = values[name]

    def options_so_far(self) -> GameOptions:
        """The options as the form stands, before or after it is sent. Raises BadOptions, by field or option."""
        form = self if self.when.is_bound else CreateGameForm({field.html_name: field.value() for field in self})
        if not form.is_valid():
            raise BadOptions({name: str(errors[0]) for name, errors in form.errors.items()})
        chosen = form.options()
        del chosen["name"]
        return GameOptions.create(find(chosen.pop("variant")), **chosen)

    def folded_sections(self, options: GameOptions | None) -> list[Fold]:
        """The folded sections. `options`: those that the form stands for, or None if no game can have them."""
        groups = {**self.folded, **dict.fromkeys(FOLDED_SECTIONS_OF_TIME, self.when)}
        return [
            Fold(section, group, group.held(section, options) if options else "") for section, group in groups.items()
        ]

    def __iter__(self) -> Iterator[BoundField]:
        for group in self.groups:
            yield from group

    def is_valid(self) -> bool:
        return all(group.is_bound for group in self.groups) and not self.errors

    @property
    def errors(self) -> dict[str, ErrorList]:
        return {name: errors for group in self.groups for name, errors in group.errors.items()}

    def non_field_errors(self) -> ErrorList:
        all_errors = ErrorList()
        for group in self.groups:
            all_errors.extend(group.non_field_errors())
        return all_errors

    def add_error(self, name: str, sentence: str) -> None:
        """Add a mistake that the service found: to its field or, if there is none, to the whole form."""
        field = declared_options()[name][1].asked_as or name if name in declared_options() else name
        owner = next((group for group in self.groups if field in group.fields), None)
        if owner is not None:
            owner.add_error(field, sentence)
        else:
            self.groups[0].add_error(None, sentence)

    def options(self) -> dict[str, Any]:
        """The arguments for the service that creates games, except `by`."""
        return {name: choice for group in self.groups for name, choice in group.options().items()}


class TermsForm(CreateGameForm):
    """The options of a game that may still change. Only values that were changed count."""

    def __init__(self, data: Mapping[str, Any] | None, *, options: GameOptions, fixed: Container[str]) -> None:
        """Leave out the `fixed` options, and any section whose own template shows one of them."""
        super().__init__(data, options_to_copy=options, zone=options[PhaseLengths].zone or "UTC")
        self.first = (self.when,)
        for section, group in list(self.folded.items()):
            is_left_out = any(it in fixed and declared_options()[it][1].by_hand for it in group.asks.values())
            group.leave_out(fixed)
            if is_left_out or not group.fields:
                del self.folded[section]
        self.groups = (self.when, *self.folded.values())

    def changed_options(self) -> dict[str, Any]:
        """The options that were changed, by name."""
        new_values = dict[str, Any]()
        for group in (self.when, *self.folded.values()):
            values, changed_fields = group.options(), set(group.changed_data)
            for name in changed_fields.intersection(group.asks):
                field, option = group.fields[name], group.asks[name]
                option_names = field.means_options(option) if isinstance(field, OneOf) else {option}
                new_values |= {name_of_option: values[name_of_option] for name_of_option in option_names}
            if group is self.when and changed_fields.intersection(self.when.timetable_fields):
                new_values |= {
                    name_of_option: values[name_of_option] for name_of_option in ("week", "all_ready", *LENGTH_NAMES)
                }
        if "grace_seconds" in new_values:
            new_values["grace_times"] = self.when.options()["grace_times"]
        return new_values
