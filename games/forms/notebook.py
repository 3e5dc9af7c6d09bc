"""The notes of a player, as they are sent."""

from django import forms


class NotesForm(forms.Form):
    """`anyway` is the button that overwrites notes changed elsewhere."""

    text = forms.CharField(required=False, strip=False)
    version = forms.IntegerField(required=False, min_value=0)
    anyway = forms.CharField(required=False)

    def version_seen(self) -> int | None:
        """The version on the page where they were typed; None to overwrite any."""
        return None if self.cleaned_data["anyway"] else self.cleaned_data["version"] or 0
