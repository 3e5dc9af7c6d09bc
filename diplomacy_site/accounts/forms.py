"""The account forms of the library, in the words of this site."""

from typing import Any

from allauth.account import forms as library

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
    pass


class AddEmailForm(InOurWords, library.AddEmailForm):  # type: ignore[misc]
    pass


class ResetPasswordForm(InOurWords, library.ResetPasswordForm):  # type: ignore[misc]
    pass
