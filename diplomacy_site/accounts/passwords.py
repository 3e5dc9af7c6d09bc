"""What a new password must be besides what the framework asks."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError

LONGEST = 128


class NotTooLong:
    """As long as a sentence, and not as a book."""

    def validate(self, password: str, _user: AbstractBaseUser | None = None) -> None:
        if len(password) > LONGEST:
            raise ValidationError(self.get_help_text(), code="password_too_long")

    def get_help_text(self) -> str:
        return f"A password has at most {LONGEST} characters."
