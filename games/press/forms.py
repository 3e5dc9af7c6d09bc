"""Notes and messages, as they are sent."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _

from games.kernel.languages import later
from games.kernel.parts import PowerCard
from games.press.models import KEY_LENGTH
from games.press.threads import address_of


class NotesForm(forms.Form):
    """`anyway` is the button to overwrite notes that were changed elsewhere."""

    text = forms.CharField(required=False, strip=False)
    version = forms.IntegerField(required=False, min_value=0)
    anyway = forms.CharField(required=False)

    def version_seen(self) -> int | None:
        """The version on the page on which the notes were typed; None to overwrite any version."""
        return None if self.cleaned_data["anyway"] else self.cleaned_data["version"] or 0


class MessageForm(forms.Form):
    """A message and the voice it is written in: one of the thread's voices, by default the first.

    `key` is different in every form, so that a form sent twice, by a double click or over a bad connection, makes one
    message.
    """

    text = forms.CharField(label=later("Message"), required=False, strip=False, widget=forms.Textarea)
    voice = forms.ChoiceField(label=later("Write as"), required=False)
    key = forms.CharField(required=False, initial=lambda: get_random_string(KEY_LENGTH))

    def __init__(self, *args: Any, voices: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["voice"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(voices)
        self.first_voice = voices[0][0] if voices else ""

    def clean_key(self) -> str:
        """The key; "" if it cannot come from this form."""
        key = self.cleaned_data["key"]
        return key if len(key) == KEY_LENGTH and key.isascii() and key.isalnum() else ""

    def chosen_voice(self) -> str:
        return self.cleaned_data["voice"] or self.first_voice


class TalkForm(forms.Form):
    """The powers in a new conversation, besides the writer's own."""

    def __init__(self, *args: Any, others: Sequence[PowerCard], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["power"] = forms.MultipleChoiceField(
            label=_("Powers"),
            choices=[(power.id, power.name) for power in others],
            error_messages={
                "required": _("Choose at least one power to write to."),
                "invalid_choice": _("This game has no power %(value)r. Choose from those shown."),
            },
        )

    def address(self, own_power: str) -> str:
        """The address of the thread of the chosen powers and one's `own_power`."""
        return address_of((own_power, *self.cleaned_data["power"]))
