"""The form of a series: name, text and terms."""

from dataclasses import asdict
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from games.kernel.forms import AccountName, FreeText
from games.kernel.languages import later, later_as
from games.tournaments.models import LONGEST_NAME, LONGEST_TEXT, Tournament
from games.tournaments.rules.combining import Tie
from games.tournaments.rules.scoring import SYSTEMS
from games.tournaments.services import BadName, good_name
from games.tournaments.terms import BEST, MOST_BEST, SUM, TIES, WAYS, Terms

NO_TIE_BREAK = ("", later_as("a tie-break", "nothing"))


def _day(label: str) -> forms.DateField:
    shown = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label=label, required=False, widget=shown, help_text=later("In UTC; empty for any day."))


class SeriesForm(forms.Form):
    name = FreeText(
        label=later_as("of a series", "Name"),
        max_length=LONGEST_NAME,
        error_messages={"required": later("Give the series a name.")},
    )
    text = FreeText(
        label=later("About the series"),
        max_length=LONGEST_TEXT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=later("Bold, lists and links work as in messages."),
    )
    scoring = forms.ChoiceField(
        label=later("Scoring of a game"), choices=[(slug, later(it.title)) for slug, it in SYSTEMS.items()]
    )
    combine = forms.ChoiceField(label=later("A player’s total"), choices=list(WAYS.items()), initial=SUM)
    best = forms.IntegerField(
        label=later("How many games, if only the best count"), min_value=1, max_value=MOST_BEST, required=False
    )
    tie = forms.ChoiceField(
        label=later("If totals are equal, what decides"), choices=[NO_TIE_BREAK, *TIES.items()], required=False
    )
    next_tie = forms.ChoiceField(
        label=later("If that is equal, too"), choices=[NO_TIE_BREAK, *TIES.items()], required=False
    )
    first = _day(later("First day on which a game may begin"))
    last = _day(later("Last day on which a game may begin"))

    def clean_name(self) -> str:
        try:
            return good_name(self.cleaned_data["name"])
        except BadName as refusal:
            raise forms.ValidationError(refusal.sentence) from None

    def clean(self) -> dict[str, Any]:
        """What services want: name, text and terms."""
        given = self.cleaned_data
        if given.get("combine") == BEST and not given.get("best") and "best" not in self.errors:
            told = _("Say how many of a player’s games count, from 1 to {most}.")
            self.add_error("best", told.format(most=MOST_BEST))
        first, last = given.get("first"), given.get("last")
        if first and last and last < first:
            self.add_error("last", _("The last day is before the first day. Choose the same day or a later one."))
        if self.errors:
            return given
        ties = tuple(dict.fromkeys(Tie(tie) for tie in (given["tie"], given["next_tie"]) if tie))
        best = given["best"] if given["combine"] == BEST else None
        terms = Terms(given["scoring"], given["combine"], best, ties, first, last)
        return {"name": given["name"], "text": given["text"], "terms": terms}

    @staticmethod
    def like(series: Tournament) -> dict[str, Any]:
        """The values of the fields for this series."""
        terms = Terms.stored(series.terms)
        tie, next_tie = (*terms.ties, "", "")[:2]
        return {**asdict(terms), "name": series.name, "text": series.text, "tie": tie, "next_tie": next_tie}


class DirectorForm(forms.Form):
    username = AccountName()
