"""What new passwords must satisfy besides the framework's own rules."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError

LONGEST = 128


class NotTooLong:
    """A password may be as long as a sentence, but not as long as a book."""

    def validate(self, password: str, _user: AbstractBaseUser | None = None) -> None:
        if len(password) > LONGEST:
            raise ValidationError(self.get_help_text(), code="password_too_long")

    def get_help_text(self) -> str:
        return f"A password can have at most {LONGEST} characters."
