"""Proposing an ending, and the end-of-game statement."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from games.endings.models import EndKind
from games.endings.options import Draws
from games.endings.parts import AgreementView
from games.endings.services import write_statement
from games.kernel.acts import player_act
from games.kernel.fields import Radio
from games.kernel.languages import later

AMONG_ALL = "all"
DRAW_OF_ALL = Radio(AMONG_ALL, later("A draw between all remaining powers"))
DRAW_OF_SOME = Radio(EndKind.DRAW, later("A draw between the powers chosen below"))
WIN_OF_ONE = Radio(EndKind.CONCESSION, later("A concession: the power chosen below wins"))
WIN_OF_SOME = Radio(EndKind.CONCESSION, later("A concession: one or more powers chosen below win"))

ALLOWED = {
    Draws.ANY: (DRAW_OF_ALL, DRAW_OF_SOME, WIN_OF_SOME),
    Draws.ALL: (DRAW_OF_ALL, WIN_OF_ONE),
    Draws.NONE: (WIN_OF_ONE,),
}


class ProposalForm(forms.Form):
    """A choice among the endings that a game allows and, if not all powers share it, the powers that it names."""

    def __init__(self, *args: Any, agreement: AgreementView, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.left = agreement.left
        self.ends = ALLOWED[Draws(agreement.draws)]
        self.fields["kind"] = forms.ChoiceField(
            label=_("What you propose"),
            choices=[(end.value, end.title) for end in self.ends],
            initial=self.ends[0].value,
            error_messages={"required": _("Choose what you propose.")},
        )
        message = _("%(value)s has neither a unit nor a supply centre. Choose from those shown.")
        self.fields["power"] = forms.MultipleChoiceField(
            label=_("Powers"),
            choices=[(card.id, card.name) for card in agreement.left],
            required=False,
            error_messages={"invalid_choice": message},
        )

    def chosen_end(self) -> dict[str, Any]:
        """The chosen ending as arguments of the service, without the proposer."""
        kind = self.cleaned_data["kind"]
        if kind == AMONG_ALL:
            return {"kind": EndKind.DRAW, "powers": [card.id for card in self.left]}
        return {"kind": kind, "powers": self.cleaned_data["power"]}


StatementForm = player_act.of(write_statement).form_class()
