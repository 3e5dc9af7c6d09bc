"""What the library says of accounts, in the words of this site."""

from typing import ClassVar

from allauth.account.adapter import DefaultAccountAdapter

NOT_CORRECT = "Name or password is not correct."


class InOurWordsAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # the library has no types
    error_messages: ClassVar = {
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": NOT_CORRECT,
        "username_password_mismatch": NOT_CORRECT,
        "username_taken": "Somebody has this name already. Choose another.",
        "username_blacklisted": "This name is kept for the site. Choose another.",
        "email_taken": "There is an account with this address already. Sign in, or choose a new password for it.",
        "incorrect_password": "This is not your password.",
        "enter_current_password": "This is not your password.",
    }
