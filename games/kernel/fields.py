"""The fields in which options are chosen."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django import forms

from games.kernel.days import DAY, HOUR, MINUTE
from games.kernel.languages import later
from games.kernel.wording import duration_in_words_later

SHORT = (MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR)
LENGTHS = (
    *((time, duration_in_words_later(time)) for time in (*SHORT, 12 * HOUR, DAY, 2 * DAY, 3 * DAY)),
    (7 * DAY, later("1 week")),
)

SAME: Any = object()


class Radio(NamedTuple):
    """One radio button: what is sent, its label, and a line of help below it.

    `means`: the option's value, if that isn't what is sent, or several options' values by name.
    """

    value: str
    title: str
    help: str = ""
    means: Any = SAME


class ExplainedRadios(forms.RadioSelect):
    """Radio buttons with a line of help below each."""

    def __init__(self, help_texts: dict[str, str]) -> None:
        super().__init__()
        self.helps = help_texts

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        return {**option, "help": self.helps.get(str(value), "")}


class OneOf(forms.ChoiceField):
    """A choice among these; the first is the default."""

    drawn_by = "pages/create/choices.html"

    def __init__(self, legend: str, choices: Sequence[Radio]) -> None:
        super().__init__(
            label=legend,
            choices=[(choice.value, choice.title) for choice in choices],
            initial=choices[0].value,
            required=False,
            widget=ExplainedRadios({choice.value: choice.help for choice in choices}),
        )
        self.means = {it.value: it.value if it.means is SAME else it.means for it in choices}

    def clean(self, value: Any) -> str:
        return super().clean(value) or str(self.initial)

    def chooses(self, value: str, option: str) -> dict[str, Any]:
        """The values that this choice means, by option."""
        means = self.means[value]
        return means if isinstance(means, dict) else {option: means}

    def means_options(self, option: str) -> set[str]:
        """All options that any choice sets."""
        return {name for value in self.means for name in self.chooses(value, option)}

    def like(self, option: str, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str:
        """The first choice that means what is chosen or, for numbers, the nearest. In one, None is the usual value."""
        for value in self.means:
            meaning = self.chooses(value, option)
            if all(values[name] == (defaults[name] if it is None else it) for name, it in meaning.items()):
                return value
        numbers = {meaning: value for value, meaning in self.means.items() if isinstance(meaning, int)}
        return numbers[nearest(values[option], numbers)] if numbers else str(self.initial)


class Pick(forms.TypedChoiceField):
    """A choice among these numbers; `initial` is the default, unless the field is required."""

    def __init__(self, label: str, choices: Sequence[tuple[int, str]], initial: int, *, required: bool = True) -> None:
        super().__init__(
            label=label,
            choices=choices,
            coerce=int,
            initial=initial,
            empty_value=initial,  # type: ignore[arg-type]  # of the type that coerce returns
            required=required,
        )
        self.numbers = dict(choices)


class Tick(forms.BooleanField):
    """A check box below a legend."""

    drawn_by = "pages/create/tick.html"

    def __init__(self, label: str, legend: str = "") -> None:
        super().__init__(label=label, required=False)
        self.legend = legend


class Ticks(forms.MultipleChoiceField):
    """Check boxes in a row below a legend."""

    drawn_by = "pages/create/ticks.html"

    def __init__(self, legend: str, choices: Iterable[tuple[str, str]]) -> None:
        super().__init__(label=legend, choices=list(choices), required=False, widget=forms.CheckboxSelectMultiple)

    def clean(self, value: Any) -> tuple[str, ...]:
        return tuple(super().clean(value))


def nearest(target: int, values: Iterable[int]) -> int:
    """The value nearest to the one wanted."""
    return min(values, key=lambda value: abs(value - target))
