"""How a new game may end besides a victory, and what is proposed and said at an end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from games.endings.models import LONGEST_STATEMENT, EndKind
from games.kernel.forms import Choice, FreeText, Group, OneOf
from games.kernel.options import DRAW_TEXTS, OPTION_TEXTS, Draws

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.endings.parts import AgreementView


SECRET, OPEN = "secret", "open"

AMONG_ALL = "all"

DRAW_OF_ALL = Choice(AMONG_ALL, "A draw among all who are left")

DRAW_OF_SOME = Choice(EndKind.DRAW, "A draw among the powers chosen below")

WIN_OF_ONE = Choice(EndKind.CONCESSION, "A concession: the power chosen below wins")

WIN_OF_SOME = Choice(EndKind.CONCESSION, "A concession: the powers chosen below win, one or several")

ALLOWED = {
    Draws.ANY: (DRAW_OF_ALL, DRAW_OF_SOME, WIN_OF_SOME),
    Draws.ALL: (DRAW_OF_ALL, WIN_OF_ONE),
    Draws.NONE: (WIN_OF_ONE,),
}


class EndingGroup(Group):
    title = "The end"
    about = "draws, the votes on them, and a last year"
    template = "endings/partials/create.html"

    draws = OneOf("Ending the game by agreement", tuple(Choice(draws, *DRAW_TEXTS[draws]) for draws in Draws))
    end_votes = OneOf(
        "Votes on such an end",
        (
            Choice(SECRET, "Secret", "Nobody learns who has agreed, or how many, until all have."),
            Choice(OPEN, "Open", "Everybody sees who has agreed to what and who has refused."),
        ),
    )
    last_year = forms.IntegerField(
        label="Last year",
        required=False,
        help_text=OPTION_TEXTS["last_year"],
        error_messages={"invalid": "Write a year as a number, as in 1935, or leave it empty."},
        widget=forms.NumberInput(attrs={"class": "input", "size": 6}),
    )

    @classmethod
    def like(cls, chosen: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "draws": chosen["draws"],
            "end_votes": OPEN if chosen["open_votes"] else SECRET,
            "last_year": chosen["last_year"],
        }

    def options(self) -> dict[str, Any]:
        return {
            "draws": self.cleaned_data["draws"],
            "open_votes": self.cleaned_data["end_votes"] == OPEN,
            "last_year": self.cleaned_data["last_year"],
        }


class ProposalForm(forms.Form):
    """One of the ends that a game allows, and the powers that it names, unless those are all."""

    kind = forms.ChoiceField(
        label="What you propose", error_messages={"required": "Choose what you propose."}
    )
    power = forms.MultipleChoiceField(
        label="Powers",
        required=False,
        error_messages={
            "invalid_choice": "%(value)s has neither a unit nor a supply centre. Choose among those shown."
        },
    )

    def __init__(self, *args: Any, agreement: AgreementView, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.left = agreement.left
        self.ends = ALLOWED[Draws(agreement.draws)]
        kind, power = self.fields["kind"], self.fields["power"]
        assert isinstance(kind, forms.ChoiceField)
        assert isinstance(power, forms.MultipleChoiceField)
        kind.choices = [(end.value, end.title) for end in self.ends]
        kind.initial = self.ends[0].value
        power.choices = [(card.id, card.name) for card in agreement.left]

    def proposed(self) -> dict[str, Any]:
        """The arguments of the service, except who proposes."""
        kind = self.cleaned_data["kind"]
        if kind == AMONG_ALL:
            return {"kind": EndKind.DRAW, "powers": [card.id for card in self.left]}
        return {"kind": kind, "powers": self.cleaned_data["power"]}


class StatementForm(forms.Form):
    """A player's last word; an empty one takes it back."""

    text = FreeText(
        label="Your statement",
        required=False,
        max_length=LONGEST_STATEMENT,
        widget=forms.Textarea(attrs={"class": "input", "rows": 6}),
        help_text="What you planned, whom you thank, what you would do otherwise. Plain text.",
        error_messages={
            "max_length": "A statement may have %(limit_value)d characters; this one has %(show_value)d."
        },
    )
