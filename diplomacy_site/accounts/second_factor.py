"""The library's second factors, encrypted in the database and accepted at once for the session that sets one up."""

import base64
from typing import Any, ClassVar

from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added
from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.encoding import force_bytes
from django.utils.translation import gettext as _

from games.kernel.languages import later

KEY_BYTES = 32
ENCRYPTED_FACTS = ("secret", "seed")
"""The secrets behind an app and the recovery codes. The server keeps nothing secret for passkeys."""


class EncryptedFactors(DefaultMFAAdapter):  # type: ignore[misc]  # the library has no types
    """Encrypts second factors: the database alone gives no codes. Keys derive from SECRET_KEY and its fallbacks."""

    error_messages: ClassVar = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": later(
            "This code is wrong. Apps show a new one every 30 seconds, and each code works only once."
        ),
    }

    def encrypt(self, text: str) -> str:
        return _cipher_of_all_keys().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return _cipher_of_all_keys().decrypt(encrypted_text.encode()).decode()

    def get_totp_label(self, user: AbstractBaseUser) -> str:
        return user.get_username()

    def generate_authenticator_name(self, user: AbstractBaseUser, type: Any) -> str:  # noqa: A002 - the library's name
        count = Authenticator.objects.filter(user_id=user.pk, type=type).count()
        return _("Passkey {number}").format(number=count + 1) if count else _("My passkey")


def _cipher_of_all_keys() -> MultiFernet:
    secrets = map(force_bytes, (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))
    keys = [HKDF(SHA256(), KEY_BYTES, salt=None, info=b"second factors").derive(secret) for secret in secrets]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in keys])


def reencrypt_second_factors() -> int:
    """Encrypt all second factors with the current key; return their number. Raises InvalidToken if a key is missing."""
    keys, count = _cipher_of_all_keys(), 0
    for row in Authenticator.objects.exclude(type=Authenticator.Type.WEBAUTHN):
        for fact in set(row.data) & set(ENCRYPTED_FACTS):
            row.data[fact] = keys.rotate(row.data[fact].encode()).decode()
        row.save(update_fields=["data"])
        count += 1
    return count


def remove_second_factors(username: str) -> bool:
    """Remove all second factors from an account whose owner has lost them; return whether there were any."""
    user = get_user_model().objects.filter(username=username).first()
    return user is not None and bool(Authenticator.objects.filter(user=user).delete()[0])


@receiver(authenticator_added)
def _record_new_factor(request: HttpRequest, user: Any, authenticator: Any, **_more: object) -> None:
    """Record that the user has just proved who they are, because they have just set up a second factor."""
    if authenticator.type != Authenticator.Type.RECOVERY_CODES:
        record_authentication(request, user, "mfa", id=authenticator.pk, type=authenticator.type)
