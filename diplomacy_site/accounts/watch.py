"""Logs every refused sign-in and second factor, without the name and with the network only as a keyed digest."""

import logging

from allauth.mfa.signals import authentication_failed
from django.contrib.auth.signals import user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from games.kernel.limits import network_of

log = logging.getLogger(__name__)
SHORT = 12


@receiver(user_login_failed)
def _password(request: HttpRequest | None = None, **_more: object) -> None:
    log.warning("password refused, network %s", _digest(request))


@receiver(authentication_failed)
def _code(request: HttpRequest, **_more: object) -> None:
    log.warning("second factor refused, network %s", _digest(request))


def _digest(request: HttpRequest | None) -> str:
    """The same digest means the same network."""
    return salted_hmac("refused", network_of(request), algorithm="sha256").hexdigest()[:SHORT] if request else "none"
