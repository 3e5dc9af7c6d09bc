"""Notes and messages, as they are sent."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.crypto import get_random_string

from games.kernel.parts import PowerCard
from games.press.models import KEY_LENGTH
from games.press.talk import address_of


class NotesForm(forms.Form):
    """`anyway` is the button that overwrites notes changed elsewhere."""

    text = forms.CharField(required=False, strip=False)
    version = forms.IntegerField(required=False, min_value=0)
    anyway = forms.CharField(required=False)

    def version_seen(self) -> int | None:
        """The version on the page where they were typed; None to overwrite any."""
        return None if self.cleaned_data["anyway"] else self.cleaned_data["version"] or 0


def new_key() -> str:
    return get_random_string(KEY_LENGTH)


class MessageForm(forms.Form):
    """What is written, and as whom: one of the voices of the thread, the first of them unless chosen.

    `key` is another in every form, so that one sent twice, by two clicks or over a bad line, is one message.
    """

    text = forms.CharField(label="Message", required=False, strip=False, widget=forms.Textarea)
    voice = forms.ChoiceField(label="Write as", required=False)
    key = forms.CharField(required=False, initial=new_key)

    def __init__(self, *args: Any, voices: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["voice"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(voices)
        self.first_voice = voices[0][0] if voices else ""

    def clean_key(self) -> str:
        """One that no form of ours had is none."""
        key = self.cleaned_data["key"]
        return key if len(key) == KEY_LENGTH and key.isascii() and key.isalnum() else ""

    def chosen_voice(self) -> str:
        return self.cleaned_data["voice"] or self.first_voice


class TalkForm(forms.Form):
    """The powers of a new talk, besides the writer's own."""

    power = forms.MultipleChoiceField(
        label="Powers",
        error_messages={
            "required": "Choose at least one power to talk to.",
            "invalid_choice": "This game has no power %(value)r. Choose among those shown.",
        },
    )

    def __init__(self, *args: Any, others: Sequence[PowerCard], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["power"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(power.id, power.name) for power in others]

    def address(self, own: str) -> str:
        """The address of the thread with the chosen powers."""
        return address_of((own, *self.cleaned_data["power"]))
