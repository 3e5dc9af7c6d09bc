"""The form for a game that is brought along: its position, its players, and what was reported before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _

from games.kernel.forms import FreeText
from games.kernel.languages import later
from games.kernel.models.brought import LONGEST_REPORTS
from games.kernel.queries import variant_choices
from games.travel.bringing import position_text_of_file
from games.travel.services import BadFile
from games.travel.views import CHECKS, POSITIONS, TOO_MANY_CHECKS, TOO_MANY_POSITIONS
from variants.registry import SLUGS, offered, playable
from variants.survivors import survivors
from variants.travel.told_position import MOST_CHARACTERS, PositionMistake, ToldPosition, WrongPosition, read_position

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.forms import BoundField

    from games.kernel.refusals import TooOften
    from variants.variant import Variant


class BringForm(forms.Form):
    """`told_position` is the position, once its text has no mistakes; `mistakes` are those of its lines."""

    variant = forms.ChoiceField(label=later("Variant"), choices=variant_choices, initial=SLUGS[0])
    file = forms.FileField(
        label=later("Or a file"),
        required=False,
        help_text=later(
            "The same as text, or a game in one of the forms for programs: then it goes on where the file ends."
        ),
    )
    position = forms.CharField(
        label=later("The position"),
        required=False,
        strip=False,
        max_length=MOST_CHARACTERS,
        widget=forms.Textarea(attrs={"class": "input", "rows": 18, "spellcheck": "false", "autocomplete": "off"}),
    )
    reports = FreeText(
        label=later("Earlier reports"),
        required=False,
        max_length=LONGEST_REPORTS,
        widget=forms.Textarea(attrs={"class": "input", "rows": 8}),
        help_text=later(
            "As plain text, to be read on the game’s history page. Everyone who may see the game can read it."
        ),
    )

    def __init__(self, *args: Any, too_often: Callable[[str, str, str], TooOften | None], **kwargs: Any) -> None:
        """`too_often(what, rate, sentence)` returns a refusal if this visitor has asked too often. Reading takes time:
        every game in a file is adjudicated again."""
        super().__init__(*args, **kwargs)
        self.too_often = too_often
        self.told_position: ToldPosition | None = None
        self.mistakes: tuple[PositionMistake, ...] = ()
        for power in self.chosen_variant.powers:
            self.fields[f"player_{power.id}"] = FreeText(label=power.name, required=False, max_length=254)

    @property
    def chosen_variant(self) -> Variant:
        slug = self.data.get("variant") or self.initial.get("variant")
        return playable(slug) or offered()[0]

    @property
    def player_fields(self) -> list[BoundField]:
        """The fields of the powers that can be played."""
        remaining = survivors(self.told_position.position, self.chosen_variant) if self.told_position else ()
        return [self[f"player_{power}"] for power in remaining]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if self.errors:
            return data
        try:
            text = self._text_of_position(data)
            if minors := self.data.get("minors"):
                text = f"{text.rstrip()}\nMinor powers: {minors[:20]}\n"
            self.data = {**dict(self.data.items()), "position": text}
            self.told_position = read_position(text, self.chosen_variant)
        except BadFile as refusal:
            self.add_error("file" if data.get("file") else "position", refusal.sentence)
        except WrongPosition as bad_lines:
            self.mistakes = bad_lines.mistakes
            self.add_error("position", _("The position has mistakes. Correct the lines named above."))
        return {**data, "position": self.data.get("position", "")}

    def _text_of_position(self, data: dict[str, Any]) -> str:
        """The position as text, from the file if one was sent. Raises BadFile."""
        file = data.get("file")
        text: str = data.get("position", "")
        if file:
            try:
                text = file.read().decode("utf-8-sig")
            except UnicodeDecodeError as error:
                raise BadFile(_("This file is not text in UTF-8. Save it as text and choose it again.")) from error
        if not text.lstrip().startswith("{"):
            if text.strip() and (refusal := self.too_often("checking-positions", POSITIONS, TOO_MANY_POSITIONS)):
                raise BadFile(refusal.sentence)
            return text
        if refusal := self.too_often("checking-files", CHECKS, TOO_MANY_CHECKS):
            raise BadFile(refusal.sentence)
        return position_text_of_file(text, self.chosen_variant)

    def arguments_of_service(self) -> dict[str, Any]:
        """The arguments for the service that only a game brought from elsewhere needs."""
        return {
            "position": self.cleaned_data["position"],
            "reports": self.cleaned_data["reports"],
            "players": {field.name.removeprefix("player_"): str(field.value() or "") for field in self.player_fields},
        }

    def add_problem(self, name: str, sentence: str) -> bool:
        """Add a mistake that the service found, and return whether this form has a field for it."""
        field = name.replace("player ", "player_")
        if field not in self.fields:
            return False
        self.add_error(field, sentence)
        return True
