"""Fields for free text, and the groups of fields in the form for a new game."""

from collections.abc import Container, Iterable, Mapping
from copy import deepcopy
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.forms import BoundField
from django.forms.widgets import Widget
from django.utils import timezone
from django.utils.translation import gettext as _

from games.kernel.days import at_wall_time, refuse_unlikely_day
from games.kernel.fields import OneOf, Pick, nearest
from games.kernel.game_options import GameOptions, Section, declared_options, values_if_empty
from games.kernel.languages import later

TOO_LONG = later("This has %(show_value)d characters, but at most %(limit_value)d are allowed. Shorten it.")


class FreeText(forms.CharField):
    """A text of at most `max_length` characters. The browser isn't told: it would silently cut off pasted text."""

    default_error_messages = {"max_length": TOO_LONG}  # noqa: RUF012  # as in the library

    def widget_attrs(self, widget: Widget) -> dict[str, Any]:
        attributes = super().widget_attrs(widget)
        attributes.pop("maxlength", None)
        return attributes


class Day(forms.DateField):
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    default_validators = [refuse_unlikely_day]  # noqa: RUF012  # as in the library


class WallMoment(forms.DateTimeField):
    """A time in the reader's time zone. If the clocks skip it or show it twice, the rule for deadlines applies."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    input_formats = ("%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M")
    default_error_messages = {  # noqa: RUF012  # as in the library
        "required": later("Enter a date and a time."),
        "invalid": later("Enter date and time as in 2026-11-30 19:00."),
    }

    def to_python(self, value: Any) -> datetime | None:
        if value in self.empty_values:
            return None
        wall = super(forms.DateTimeField, self).to_python(str(value))
        assert wall is not None, "it is not empty"
        refuse_unlikely_day(wall)
        zone = ZoneInfo(timezone.get_current_timezone_name())
        moment = at_wall_time(wall.date(), wall.time(), zone)
        return moment.astimezone(UTC)  # in a repeated hour nothing equals local times


class Group(forms.Form):
    """A group of fields for a new game. `template` draws the group, which it calls `form`."""

    template: str

    def has_changes(self, names: Iterable[str]) -> bool:
        """Is any of these fields wrong, or not as usual? Then the page doesn't fold them away."""
        if not self.is_bound:
            return any(
                _is_filled(self.initial.get(name)) and self.initial[name] != self.fields[name].initial for name in names
            )
        chosen = {name for name in self.changed_data if name in self.data}
        return any(name in self.errors or name in chosen for name in names)

    def options(self) -> dict[str, Any]:
        """The choices, as arguments for the service that creates games."""
        raise NotImplementedError

    def like(self, options: GameOptions) -> dict[str, Any]:
        """The field values for these options, or the nearest available."""
        raise NotImplementedError


class SectionGroup(Group):
    """The fields of some sections; the template is that of the first. `asks`: field -> option."""

    def __init__(self, *sections: Section, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.template = sections[0].template
        self.names = {section: options_by_field(section) for section in sections}
        self.asks = {name: option for names in self.names.values() for name, option in names.items()}
        for name, option in self.asks.items():
            declaration = declared_options()[option][1]
            assert declaration.asked is not None
            field = self.fields[name] = deepcopy(declaration.asked)
            field.help_text = declaration.help_text if declaration.asked_help is None else declaration.asked_help

    def leave_out(self, options: Container[str]) -> None:
        """Remove the fields of these options."""
        for name in [name for name, option in self.asks.items() if option in options]:
            del self.fields[name], self.asks[name]
            for names in self.names.values():
                names.pop(name, None)

    def fields_to_draw(self, section: Section) -> list[BoundField]:
        """The fields of a section that its template does not draw by hand."""
        names = self.names[section].items()
        return [self[name] for name, option in names if not declared_options()[option][1].by_hand]

    @property
    def rest(self) -> list[BoundField]:
        """The first section's fields that its template does not draw by hand."""
        return self.fields_to_draw(next(iter(self.names)))

    def in_section(self, section: Section) -> Iterable[str]:
        """The names of a section's fields."""
        return self.names[section]

    def held(self, section: Section, options: GameOptions) -> str:
        """What these options mean for a section, in words."""
        return options.held(section) or _("Nothing special.")

    def options(self) -> dict[str, Any]:
        values, combined_values = dict[str, Any](), dict[str, Any]()
        for name, option in self.asks.items():
            field, value = self.fields[name], self.cleaned_data[name]
            if isinstance(field, OneOf):
                combined_values |= field.chooses(value, option)
            else:
                values[option] = value
        return {**values, **combined_values}

    def like(self, options: GameOptions) -> dict[str, Any]:
        """Leave out a field if its option has no value, or is part of a choice in another field."""
        current = {**options.values, "by_invitation": options.by_invitation}
        defaults = values_if_empty(options.values, options.variant)
        values, read_names = dict[str, Any](), set[str]()
        for name, option in self.asks.items():
            field = self.fields[name]
            if isinstance(field, OneOf):
                values[name] = field.like(option, current, defaults)
                read_names |= {option, *field.chooses(values[name], option)}
        for name, option in self.asks.items():
            field, value = self.fields[name], current[option]
            if option not in read_names and value is not None:
                values[name] = nearest(value, field.numbers) if isinstance(field, Pick) else value
        return values


def options_by_field(section: Section) -> dict[str, str]:
    """Field -> option, for the fields of a section."""
    on_form = [(kind, name, it) for name, (kind, it) in declared_options().items() if it.asked]
    return {
        it.asked_as or name: name
        for kind, name, it in sorted(on_form, key=lambda row: row[0].last_in_section)
        if (it.section or kind.section) is section
    }


def _is_filled(value: object) -> bool:
    return value is not None and value is not False and value not in ("", [], ())


LONGEST_NUMBER = 9


def parse_whole_number(text: str) -> int | None:
    """A whole number from 0 up, as an address or a form sends it; None if it isn't one, or is longer than ours."""
    return int(text) if text.isdecimal() and len(text) <= LONGEST_NUMBER else None


def parse_moment(text: str) -> datetime | None:
    """A moment, as an address names it; None for any other text."""
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
