"""The account forms of the library, in the words of this site."""

from typing import Any

from allauth.account import forms as library
from django import forms
from django.contrib.auth.base_user import AbstractBaseUser

from diplomacy_site.accounts.leaving import is_retired

LABELS = {
    "login": "Name or e-mail address",
    "username": "Name",
    "email": "E-mail address",
    "remember": "Remember me",
}


class InOurWords:
    """Labels as the other pages have them, and no second label inside the field."""

    fields: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label = LABELS.get(name, field.label)
            field.widget.attrs.pop("placeholder", None)


class LoginForm(InOurWords, library.LoginForm):  # type: ignore[misc]  # the library has no types
    pass


class SignupForm(InOurWords, library.SignupForm):  # type: ignore[misc]
    def clean_username(self) -> str:
        name: str = super().clean_username()
        if is_retired(name):
            raise forms.ValidationError(
                "Somebody has had this name here, and it is not given out again. Choose another."
            )
        return name


class AddEmailForm(InOurWords, library.AddEmailForm):  # type: ignore[misc]
    pass


class ResetPasswordForm(InOurWords, library.ResetPasswordForm):  # type: ignore[misc]
    pass


class DeleteAccountForm(forms.Form):
    """The password again, because this cannot be undone."""

    password = forms.CharField(
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}), strip=False
    )

    def __init__(self, user: AbstractBaseUser, *args: Any) -> None:
        super().__init__(*args)
        self.user = user

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise forms.ValidationError("This is not your password. Nothing was deleted.")
        return password
