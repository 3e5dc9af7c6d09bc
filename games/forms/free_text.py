"""What people write in their own words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

if TYPE_CHECKING:
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
