"""The forms of tournaments and series: name, text and terms; what an entrant would like; what directors send."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, ClassVar

from django import forms
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext as _

from games.kernel.forms import Day, FreeText, WallMoment
from games.kernel.languages import later, later_as
from games.kernel.queries import variant_choices
from games.people.forms import ReasonForm
from games.people.models import ActKind
from games.press.models import LONGEST_REPORT
from games.tournaments.acts import BY_DIRECTORS
from games.tournaments.models import LONGEST_NAME, LONGEST_TEAM, LONGEST_TEXT, Entrant, Tournament, Wishes
from games.tournaments.roster import MOST_CHARACTERS
from games.tournaments.rounds import round_terms
from games.tournaments.rules.combining import Tie
from games.tournaments.rules.scoring import SYSTEMS, WORDS
from games.tournaments.terms import (
    MOMENTS,
    MOST_TABLES,
    NUMBERED,
    OWN,
    TIMES,
    WAYS,
    Powers,
    RoundTerms,
    Terms,
    TournamentTerms,
    limits,
    terms_of,
)
from games.tournaments.texts import texts
from variants.variant import Variant

TEAM_CHOICES = (
    ("", later("No teams")),
    ("0", later("Add up the totals of all members")),
    ("1", later("Take the total of the best member")),
    *((str(n), format_lazy(later("Add up the totals of the {count} best members"), count=n)) for n in range(2, 8)),
)
MODERATING = (
    (ActKind.HIDDEN.value, later("Hide it from all but its directors")),
    (ActKind.SHOWN.value, later("Show it again")),
    (ActKind.SHUT.value, later("Close it: nobody enters, is seated or changes anything")),
    (ActKind.OPENED.value, later("Open it again")),
    (ActKind.RENAMED.value, later("Give it another name")),
    (ActKind.EMPTIED.value, later("Empty its text, and delete what directors wrote to entrants")),
)
NO_TIE_BREAK = ("", later_as("a tie-break", "nothing"))


def _choices(*path: str) -> list[tuple[str, str]]:
    return list(texts(*path).items())


def said(name: str) -> dict[str, Any]:
    """The label of a field and, if it has one, its line of help."""
    return {**texts("fields", name)}


class SeriesForm(forms.Form):
    folded: ClassVar[tuple[tuple[Any, tuple[str, ...]], ...]] = (
        (later("Totals and ties"), ("combine", "best", "tie", "next_tie", "shares", "conceded_as_drawn")),
        (later("Which games count"), ("first", "last")),
    )
    """The titles and fields that a new one can leave as they are."""

    name = FreeText(
        label=later_as("of a series", "Name"),
        max_length=LONGEST_NAME,
        error_messages={"required": later("Give the series a name.")},
    )
    text = FreeText(**said("about"), max_length=LONGEST_TEXT, required=False, widget=forms.Textarea(attrs={"rows": 6}))
    scoring = forms.ChoiceField(
        **said("scoring"),
        choices=[*((slug, later(it.title)) for slug, it in SYSTEMS.items()), (OWN, later(WORDS[OWN]["title"]))],
    )
    own = FreeText(**said("own"), max_length=100, required=False)
    combine = forms.ChoiceField(**said("combine"), choices=list(WAYS.items()))
    best = forms.IntegerField(**said("best"), required=False, **limits("best"))
    tie = forms.ChoiceField(**said("tie"), choices=[NO_TIE_BREAK, *_choices("ties")], required=False)
    next_tie = forms.ChoiceField(**said("next_tie"), choices=[NO_TIE_BREAK, *_choices("ties")], required=False)
    shares = forms.BooleanField(**said("shares"), required=False)
    conceded_as_drawn = forms.BooleanField(**said("conceded_as_drawn"), required=False)
    first, last = Day(**said("first"), required=False), Day(**said("last"), required=False)

    @property
    def first_fields(self) -> list[forms.BoundField]:
        return [field for field in self if not any(field.name in names for _title, names in self.folded)]

    @property
    def folds(self) -> list[tuple[str, list[forms.BoundField]]]:
        return [(title, [self[name] for name in names]) for title, names in self.folded]

    @property
    def systems(self) -> list[dict[str, str]]:
        """What each scoring is called, and what it gives."""
        about = ((it.title, (it.sentence, it.generalised)) for it in SYSTEMS.values())
        return [{"title": _(title), "sentence": " ".join(map(_, sentences))} for title, sentences in about]

    def clean(self) -> dict[str, Any]:
        """The arguments that the services want: name, text and terms."""
        data = self.cleaned_data
        if self.errors:
            return data
        ties = tuple(dict.fromkeys(Tie(tie) for tie in (data["tie"], data["next_tie"]) if tie))
        best = data["best"] if data["combine"] in NUMBERED else None
        chosen: dict[str, Any] = {name: data.get(name) for name in ("first", "last", "shares", "conceded_as_drawn")}
        try:
            own = tuple(map(int, data.get("own", "").replace(",", " ").split()))
        except ValueError:
            own = (0,)  # which the terms refuse
        terms = Terms(data["scoring"], data["combine"], best, ties, own=own, **chosen)
        return {"name": data["name"], "text": data["text"], "terms": terms}

    @classmethod
    def like(cls, series: Tournament) -> dict[str, Any]:
        """The values of the fields for this series or tournament."""
        terms = terms_of(series)
        tie, next_tie = (*terms.ties, "", "")[:2]
        written = {"name": series.name, "text": series.text, "own": ", ".join(map(str, terms.own))}
        return {**asdict(terms), **written, "tie": tie, "next_tie": next_tie}


class RoundForm(forms.Form):
    """The questions about a round's tables that the form of a new game doesn't ask."""

    others = forms.MultipleChoiceField(**said("others"), required=False, widget=forms.CheckboxSelectMultiple)
    scoring = forms.ChoiceField(**said("scoring"), required=False)
    powers = forms.ChoiceField(**said("powers"), choices=_choices("powers"))
    times = forms.TypedChoiceField(**said("times"), choices=list(TIMES.items()), coerce=int, initial=1)
    top_tables = forms.IntegerField(**said("top_tables"), required=False, min_value=0, max_value=MOST_TABLES)
    starts = WallMoment(**said("starts"), required=False)
    ends = WallMoment(**said("ends"), required=False)

    def __init__(self, data: Any = None, *, terms: Terms, like: RoundTerms | None) -> None:
        super().__init__(data, initial={**asdict(like), "others": like.variants[1:]} if like else {})
        own = [(OWN, _("The directors’ points by place"))] if terms.own else []
        systems = [(slug, _(it.title)) for slug, it in SYSTEMS.items()]
        self.fields["scoring"].choices = [("", _("As the tournament says")), *systems, *own]  # type: ignore[attr-defined]
        self.fields["others"].choices = variant_choices()  # type: ignore[attr-defined]

    def terms(self, *, name: str, variant: str, by_invitation: bool = False, **choices: Any) -> RoundTerms:
        """The terms of the round, with the choices made in the form of a new game. Raises BadGame."""
        data = self.cleaned_data
        return round_terms(
            name=name,
            variants=(variant, *data["others"]),
            choices=choices,
            by_invitation=by_invitation,
            scoring=data["scoring"],
            times=data["times"],
            powers=Powers(data["powers"]),
            top_tables=data["top_tables"] or 0,
            **{name: data[name] for name in MOMENTS},
        )


DirectorForm = BY_DIRECTORS["add_director"].form_class()
MessageForm = BY_DIRECTORS["message"].form_class()
CheckInForm = BY_DIRECTORS["call_check_in"].form_class("number")
EndForm = BY_DIRECTORS["move_end"].form_class("number")


class TournamentForm(SeriesForm):
    """A tournament with all of its terms but the rounds."""

    folded = (
        SeriesForm.folded[0],
        (later("Teams, and seats that change hands"), ("team_best", "credit", "sitting_out")),
        (
            later("Directors, standings and running games"),
            ("directors_play", "hides_standings", "shows_running", "notes"),
        ),
    )
    closes = WallMoment(**said("closes"))
    entry = forms.ChoiceField(**said("entry"), choices=_choices("terms", "entry"), initial="open")
    places = forms.IntegerField(**said("places"), required=False, **limits("places"))
    rounds = forms.IntegerField(**said("rounds"), initial=1, **limits("rounds"))
    team_best = forms.ChoiceField(**said("team_best"), choices=TEAM_CHOICES, required=False)
    credit = forms.ChoiceField(**said("credit"), choices=_choices("shares"))
    sitting_out = forms.IntegerField(**said("sitting_out"), required=False, **limits("sitting_out"))
    shows_running = forms.BooleanField(**said("shows_running"), required=False)
    hides_standings = forms.BooleanField(**said("hides_standings"), required=False)
    directors_play = forms.BooleanField(**said("directors_play"), required=False)
    notes = FreeText(**said("notes"), max_length=LONGEST_TEXT, required=False, widget=forms.Textarea(attrs={"rows": 3}))
    field_order = ("name", "text", "closes", "entry", "places", "rounds", "scoring", "own", "combine", "best", "tie")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["first"], self.fields["last"]
        self.fields["combine"].choices = _choices("ways")  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if self.errors:
            return data
        chosen = self.cleaned_data
        team_best = int(chosen["team_best"]) if chosen["team_best"] else None
        own_terms = {name: chosen[name] for name in ("places", "rounds", "shows_running", "hides_standings")}
        own_terms |= {name: chosen[name] for name in ("directors_play", "entry", "credit")}
        own_terms["sitting_out"] = chosen["sitting_out"] or 0
        terms = TournamentTerms.stored({**data["terms"].to_json(), **own_terms, "team_best": team_best})
        return {**data, "terms": terms, "closes": chosen["closes"], "notes": chosen["notes"]}

    @classmethod
    def like(cls, series: Tournament) -> dict[str, Any]:
        fields, closes = super().like(series), series.closes and timezone.localtime(series.closes)
        team_best = "" if fields["team_best"] is None else str(fields["team_best"])
        return {**fields, "team_best": team_best, "closes": closes, "notes": series.notes}


class EntryForm(forms.Form):
    """What an entrant would like."""

    second_seat = forms.BooleanField(**said("second_seat"), required=False)
    refused = FreeText(
        **said("refused"),
        required=False,
        max_length=1_700,
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false"}),
    )

    def __init__(
        self,
        *args: Any,
        boards: Sequence[Variant],
        variants: Sequence[Variant],
        teams: Sequence[str] | None,
        kept: Mapping[str, Sequence[str]],
        **kwargs: Any,
    ) -> None:
        """`boards`: those for which one can name powers. `variants`: those among which one can have a favourite.
        `teams`: the teams that exist; None if people can't choose one now. `kept`: the powers named so far."""
        super().__init__(*args, **kwargs)
        self.boards, self.variants, self.kept = boards, variants, kept
        if teams is not None:
            shown = forms.TextInput(attrs={"list": "teams", "autocomplete": "off"})
            self.fields["team"] = FreeText(label=_("Team"), max_length=LONGEST_TEAM, required=False, widget=shown)
            self.fields["team"].help_text = _("Everyone can see it.")
        for board in boards:
            choices = [("", _("no preference")), *((power.id, power.name) for power in board.powers)]
            for number in range(len(board.powers)):
                label = _("{variant}: power {number}").format(variant=board.title, number=number + 1)
                field = forms.ChoiceField(label=label, choices=choices, required=False)
                self.fields[f"{board.slug}-{number}"] = field
        if len(variants) > 1:
            several = [("", _("no preference")), *((board.slug, board.title) for board in variants)]
            label = _("Favourite variant")
            self.fields["variant"] = forms.ChoiceField(label=label, choices=several, required=False)

    @property
    def folds(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The fields of each variant under its title."""
        return [(it.title, [self[f"{it.slug}-{n}"] for n in range(len(it.powers))]) for it in self.boards]

    @property
    def others(self) -> list[forms.BoundField]:
        return [self[name] for name in ("team", "variant", "second_seat", "refused") if name in self.fields]

    def clean(self) -> dict[str, Any]:
        """The arguments that the service wants."""
        data = self.cleaned_data
        powers = dict[str, list[str]]()
        for board in self.boards:
            named = [data.get(f"{board.slug}-{number}", "") for number in range(len(board.powers))]
            powers[board.slug] = list(dict.fromkeys(filter(None, named)))
        favourite = data.get("variant")
        variants = [favourite, *(it.slug for it in self.variants if it.slug != favourite)] if favourite else []
        wishes = {"powers": {slug: of for slug, of in {**self.kept, **powers}.items() if of}, "variants": variants}
        return {
            **wishes,
            "team": data.get("team", ""),
            "second_seat": data.get("second_seat", False),
            "refused": data.get("refused", "").splitlines(),
        }

    @staticmethod
    def like(entrant: Entrant, wishes: Wishes | None, refused_powers: Sequence[str]) -> dict[str, Any]:
        fields: dict[str, Any] = {"team": entrant.team, "second_seat": entrant.second_seat}
        if wishes is None:
            return fields
        named = {f"{slug}-{place}": power for slug, of in wishes.powers.items() for place, power in enumerate(of)}
        return {**fields, **named, "refused": "\n".join(refused_powers), "variant": next(iter(wishes.variants), "")}


class RosterForm(forms.Form):
    text = FreeText(
        **said("people"),
        max_length=MOST_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        required=False,
    )
    file = forms.FileField(**said("file"), required=False)

    def __init__(self, *sent: Any, boards: Sequence[Variant]) -> None:
        """`boards`: those of the rounds. Two powers of the first are the example."""
        super().__init__(*sent)
        powers = "; ".join(it.name for board in boards[:1] for it in board.powers[:2])
        example = _("Ann, ann@example.org, {powers}, Reds").format(powers=powers)
        self.fields["text"].help_text = str(self.fields["text"].help_text).format(example=example)

    def clean(self) -> dict[str, Any]:
        """The `text` alone, pasted or of the file."""
        sent = super().clean() or {}
        text, file = sent.get("text", ""), sent.get("file")
        if bool(text) == bool(file):
            self.add_error("text", _("Paste a line for each person, or choose a file."))
        if file:
            try:
                text = file.read().decode("utf-8-sig")
            except UnicodeDecodeError:
                self.add_error("file", _("This file is not text in UTF-8. Save it as CSV in UTF-8 and try again."))
        return {"text": text}


class PlanForm(forms.Form):
    seed = BY_DIRECTORS["plan"].arguments["seed"].form_field()

    def __init__(self, data: Any = None, *, boards: Sequence[Variant], tables: Sequence[int]) -> None:
        """`boards`: the variants between which one can choose. `tables`: how many of each the last plan was to have; ()
        if that was left to the site."""
        super().__init__(data, initial={it.slug: count for it, count in zip(boards, tables, strict=False)})
        for board in boards:
            label = _("Tables of {variant}").format(variant=board.title)
            field = forms.IntegerField(label=label, min_value=0, max_value=MOST_TABLES, required=False)
            self.fields[board.slug] = field

    def clean(self) -> dict[str, Any]:
        """The arguments that the service wants."""
        seed, *tables = (self.cleaned_data.get(name) for name in self.fields)
        return {"seed": seed, "tables": () if set(tables) <= {None} else tuple(count or 0 for count in tables)}


class ReportForm(forms.Form):
    reason = FreeText(
        label=later("What’s wrong with it?"),
        max_length=LONGEST_REPORT,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": later("Not sent: say in a few words what’s wrong with it.")},
    )


class ModerateForm(ReasonForm):
    act = forms.ChoiceField(label=later("What to do"), choices=MODERATING)
    name = FreeText(label=later("New name, if you rename it"), max_length=LONGEST_NAME, required=False)
    field_order = ("act", "name", "reason")
