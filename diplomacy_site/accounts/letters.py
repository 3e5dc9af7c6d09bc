"""The letters about accounts: their links lead to the site's own address, whatever name a request was sent to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from diplomacy_site.accounts.adapter import InOurWordsAdapter


@dataclass(frozen=True, slots=True)
class Place:
    """What the templates ask of a site."""

    domain: str
    name: str


class AccountLetters(InOurWordsAdapter):
    """Who asks for a letter to somebody else chooses the name and the port in his request, and so would choose where
    its link leads."""

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        here = urlsplit(settings.SITE_ADDRESS).netloc
        links = {name: _of_this_site(value) for name, value in context.items() if name.endswith("_url")}
        own = {"current_site": Place(here, here), "site_address": settings.SITE_ADDRESS}
        super().send_mail(template_prefix, email, {**context, **links, **own})


def _of_this_site(address: str) -> str:
    parts = urlsplit(address)
    return settings.SITE_ADDRESS + parts.path + (f"?{parts.query}" if parts.query else "")
