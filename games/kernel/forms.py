"""What people write in their own words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from django import forms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.forms.widgets import Widget


TOO_LONG = "This has %(show_value)d characters, and it may have %(limit_value)d. Shorten it."


class FreeText(forms.CharField):
    """A text of `max_length` characters at the most. The browser is not told: it would cut off the end of what is
    pasted and say nothing."""

    default_error_messages = {"max_length": TOO_LONG}  # noqa: RUF012  # as the library has it

    def widget_attrs(self, widget: Widget) -> dict[str, Any]:
        attributes = super().widget_attrs(widget)
        attributes.pop("maxlength", None)
        return attributes


class Choice(NamedTuple):
    """One radio button: what is sent, what it is called, and a line of plain words below it."""

    value: str
    title: str
    help: str = ""


class ExplainedRadios(forms.RadioSelect):
    """Radio buttons whose data hold the line of words that stands below each."""

    def __init__(self, helps: dict[str, str]) -> None:
        super().__init__()
        self.helps = helps

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        return {**option, "help": self.helps.get(str(value), "")}


class OneOf(forms.ChoiceField):
    """One of these; left out: the first."""

    def __init__(self, legend: str, choices: Sequence[Choice]) -> None:
        super().__init__(
            label=legend,
            choices=[(choice.value, choice.title) for choice in choices],
            initial=choices[0].value,
            required=False,
            widget=ExplainedRadios({choice.value: choice.help for choice in choices}),
        )

    def clean(self, value: Any) -> str:
        return super().clean(value) or str(self.initial)


class Group(forms.Form):
    """Some options of a new game, under one title. `template` draws it, as `form`."""

    title: ClassVar[str]
    about: ClassVar[str] = ""
    """What the group is about, in a line beside its title where it is folded away."""
    template: ClassVar[str]

    @property
    def changed(self) -> bool:
        """Is anything here wrong, or chosen otherwise than usual? Then it is not folded away again."""
        return self.touched(self.fields)

    def touched(self, names: Iterable[str]) -> bool:
        """The same of some fields."""
        if not self.is_bound:
            return any(
                _filled(self.initial.get(name)) and self.initial[name] != self.fields[name].initial
                for name in names
            )
        chosen = {name for name in self.changed_data if name in self.data}
        return any(name in self.errors or name in chosen for name in names)

    def options(self) -> dict[str, Any]:
        """What was chosen, as arguments of the service that creates games."""
        raise NotImplementedError

    @classmethod
    def like(cls, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """What stands in the fields where these arguments were chosen, or what comes nearest to them."""
        raise NotImplementedError


def _filled(value: object) -> bool:
    return value is not None and value is not False and value not in ("", [])


MINUTE, HOUR, DAY = 60, 3_600, 86_400

LENGTHS: tuple[tuple[int, str], ...] = (
    (MINUTE, "1 minute"),
    (5 * MINUTE, "5 minutes"),
    (10 * MINUTE, "10 minutes"),
    (15 * MINUTE, "15 minutes"),
    (30 * MINUTE, "30 minutes"),
    (HOUR, "1 hour"),
    (12 * HOUR, "12 hours"),
    (DAY, "1 day"),
    (2 * DAY, "2 days"),
    (3 * DAY, "3 days"),
    (7 * DAY, "1 week"),
)


def nearest(wanted: int, choices: Iterable[tuple[int, str]]) -> int:
    """The value of these choices that comes nearest to the one that is wanted."""
    return min((value for value, _ in choices), key=lambda value: abs(value - wanted))
