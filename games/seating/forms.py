"""Who may join a new game, how the powers are given, and when it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from games.deadlines.forms import AbsenceForm
from games.kernel.cards import PACES
from games.kernel.forms import DAY, Choice, Group, OneOf, nearest
from games.kernel.options import OPTION_TEXTS, SEAT_TEXTS, muster_seconds_for
from games.kernel.queries import variants_offered

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from games.history.parts import PowerView


OPEN, APPROVAL, INVITATION = "open", "approval", "invitation"

BY_PACE = "pace"

MUSTERS = {BY_PACE: None, "day": DAY, "three": 3 * DAY, "week": 7 * DAY, "none": 0}

PERCENTAGES = (50, 75, 90, 95)


class JoiningGroup(Group):
    title = "Joining"
    about = "who may join, how the powers are given, and what comes before the first turn"
    template = "seating/partials/create_joining.html"

    entrance = OneOf(
        "Who may join",
        (
            Choice(OPEN, "Everybody", "The game stands in the lobby; anybody may watch it and take a seat."),
            Choice(
                APPROVAL,
                "Whoever you let in",
                "The game stands in the lobby and anybody may watch it. Who wants to play asks you first.",
            ),
            Choice(
                INVITATION, "By invitation link", "Only people with the link see the game and may join it."
            ),
        ),
    )
    least_reliability = forms.TypedChoiceField(
        label="Least reliability",
        choices=[(0, "None"), *((figure, f"{figure} % of phases met") for figure in PERCENTAGES)],
        coerce=int,
        initial=0,
        required=False,
        help_text=OPTION_TEXTS["least_reliability"],
    )
    newcomers = OneOf(
        "New players, where reliability is wanted",
        (
            Choice("welcome", "Welcome", OPTION_TEXTS["newcomers_welcome"]),
            Choice("not", "Not in this game", "Only players who have shown that they keep up."),
        ),
    )
    seats = OneOf(
        "How the powers are given", tuple(Choice(key.value, *texts) for key, texts in SEAT_TEXTS.items())
    )
    muster = OneOf(
        "Before the first turn",
        (
            Choice(
                BY_PACE,
                "As the pace says",
                "In a slow game everybody has 3 days to confirm. A live evening starts as soon as it is full.",
            ),
            Choice("day", "Everybody has 1 day to confirm"),
            Choice("three", "Everybody has 3 days to confirm"),
            Choice("week", "Everybody has a week to confirm"),
            Choice("none", "Start as soon as the game is full", "Nobody is asked once more."),
        ),
    )

    @classmethod
    def like(cls, chosen: Mapping[str, Any]) -> dict[str, Any]:
        entrance = INVITATION if chosen["by_invitation"] else APPROVAL if chosen["approval"] else OPEN
        figures = [(0, ""), *((figure, "") for figure in PERCENTAGES)]
        return {
            "entrance": entrance,
            "least_reliability": nearest(chosen["least_reliability"], figures),
            "newcomers": "welcome" if chosen["newcomers_welcome"] else "not",
            "seats": chosen["seats"],
            "muster": cls._muster(chosen["muster_seconds"], chosen["movement_seconds"]),
        }

    @classmethod
    def _muster(cls, seconds: int, movement_seconds: int) -> str:
        if seconds == muster_seconds_for(movement_seconds):
            return BY_PACE
        known = {length: key for key, length in MUSTERS.items() if length is not None}
        return known[nearest(seconds, ((length, "") for length in known))]

    def options(self) -> dict[str, Any]:
        chosen = self.cleaned_data
        return {
            "by_invitation": chosen["entrance"] == INVITATION,
            "approval": chosen["entrance"] == APPROVAL,
            "least_reliability": chosen["least_reliability"] or 0,
            "newcomers_welcome": chosen["newcomers"] == "welcome",
            "seats": chosen["seats"],
            "muster_seconds": MUSTERS[chosen["muster"]],
        }


NEVER = "never"

MOST_MISSES = 3


class MarketGroup(Group):
    title = "Vacant seats"
    about = "what becomes of a seat whose player has fallen silent"
    template = "seating/partials/create_vacancies.html"

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


class SitterForm(AbsenceForm):
    """Both days are meant, and all between them."""

    username = forms.CharField(
        label="Name of the account",
        max_length=150,
        help_text="Somebody who has no part in this game. A letter asks for a yes.",
        error_messages={"required": "Write the name of an account."},
    )
    talks = forms.BooleanField(
        label="The sitter may read and write my messages",
        required=False,
        help_text="Those that come during these days, not what was written before.",
    )
    field_order = ("username", "first", "last", "talks")


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
