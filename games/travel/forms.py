"""The form for a file."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from games.kernel.forms import FreeText
from games.kernel.languages import later
from games.seating.services.new_game import LONGEST_NAME


class FileForm(forms.Form):
    """A file or its text, and an optional name. `text()` is what was sent."""

    file = forms.FileField(
        label=later("File"), required=False, help_text=later("A text file with one game, at most 8 MB.")
    )
    pasted = forms.CharField(
        label=later("Or paste it here"),
        required=False,
        strip=False,
        help_text=later("Up to 200,000 characters. Choose a file for more."),
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "autocomplete": "off"}),
    )
    name = FreeText(
        label=later("Name"),
        required=False,
        max_length=LONGEST_NAME,
        help_text=later("The name in the archive. If you leave it empty, the game keeps the one in the file."),
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        file, pasted_text = data.get("file"), data.get("pasted", "")
        if bool(file) == bool(pasted_text.strip()):
            sentence = (
                _("Send either a file or its text, not both.") if file else _("Choose a file, or paste its text.")
            )
            raise forms.ValidationError(sentence)
        if file:
            try:
                pasted_text = file.read().decode("utf-8-sig")
            except UnicodeDecodeError:
                self.add_error(
                    "file", _("This file is not text in UTF-8. Save it as text, unpacked, and choose it again.")
                )
        return {**data, "text": pasted_text}
