"""One email: its text and its HTML, which say the same, and the headers by which mail programs sort it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.crypto import salted_hmac

from adjudication.english import amount
from games.news.choices import THE_DAY, leaving_secret
from games.news.outboxes import Words

SALT = "games.news.message"
MAP = "map"
"""By this name the HTML refers to the picture."""


@dataclass(frozen=True, slots=True)
class WrittenLetter:
    """An email as plain text and as HTML, with the same content."""

    subject: str
    body: str
    html: str
    headers: Mapping[str, str]
    picture: bytes | None = None


def letter_of(words: Words, *, user_id: int, topic: str, about: str, picture: bytes | None = None) -> WrittenLetter:
    """What a user who can turn off this topic is told; `about` tells it from all other emails of theirs. `picture`: the
    map, if it is to be in the email."""
    links = _links(user_id, topic)
    foot = f"Turn off emails like this one: {links['leave']}\nNotification settings: {links['settings']}"
    body = "\n\n".join((*words.paragraphs, foot)) + "\n"
    shown = f"cid:{MAP}" if picture else ""
    html = render_to_string("news/mail/letter.html", {"words": words, "shown": shown, **links})
    headers = _headers(user_id, about, links["leave"]) | _thread(words.slug)
    return WrittenLetter(words.subject, body, html, headers, picture)


def day_of(news: Sequence[Words], *, user_id: int, about: str) -> WrittenLetter:
    """The daily digest of everything that was waiting for it."""
    links = _links(user_id, THE_DAY)
    subject = f"Your daily digest: {amount(len(news), 'update')}"
    foot = f"Turn off the daily digest: {links['leave']}\nNotification settings: {links['settings']}"
    parts = ["\n\n".join((words.subject, *words.paragraphs)) for words in news]
    html = render_to_string("news/mail/day.html", {"subject": subject, "news": news, **links})
    headers = _headers(user_id, about, links["leave"])
    return WrittenLetter(subject, "\n\n\n".join((*parts, foot)) + "\n", html, headers)


def single_email(
    subject: str, sentence: str, *, to: str, about: str, address: str, act: str, closing: str = "", never: str = ""
) -> EmailMultiAlternatives:
    """An email with one thing to do, for someone whose settings don't matter; `about` tells it from all others. It may
    go to an address that no one has confirmed, so nothing in it may come from strangers. `never`: the path at which
    its reader can ask for no more like it."""
    address, never = settings.SITE_ADDRESS + address, never and settings.SITE_ADDRESS + never
    words = {"subject": subject, "sentence": sentence, "address": address, "act": act, "closing": closing}
    headers = {"Message-ID": f"<{about}@{host()}>", "Auto-Submitted": "auto-generated", **_one_click(never)}
    foot = f"Never invite this address again: {never}" if never else ""
    body = "\n\n".join(filter(None, (sentence, address, closing, foot))) + "\n"
    mail = EmailMultiAlternatives(subject, body, None, [to], headers=headers)
    mail.attach_alternative(render_to_string("news/mail/single.html", {**words, "never": never}), "text/html")
    return mail


def _links(user_id: int, what: str) -> dict[str, str]:
    """Those of the footer: unsubscribe, and notification settings."""
    secret = {"secret": leaving_secret(user_id, what)}
    return {
        "leave": settings.SITE_ADDRESS + reverse("games:unsubscribe", kwargs=secret),
        "settings": settings.SITE_ADDRESS + reverse("games:notify"),
    }


def host() -> str:
    """The site's name in the headers of emails; the machine that sends them is nobody's business."""
    return urlsplit(settings.SITE_ADDRESS).hostname or "localhost"


def _headers(user_id: int, about: str, leave: str) -> dict[str, str]:
    """An email that is sent twice has the same Message-ID, so mail programs can show it once."""
    mark = salted_hmac(SALT, f"{user_id} {about}", algorithm="sha256").hexdigest()[:32]
    return {"Message-ID": f"<{mark}@{host()}>", "Auto-Submitted": "auto-generated", **_one_click(leave)}


def _one_click(leave: str) -> dict[str, str]:
    """With which mail programs show a button of their own."""
    return {"List-Unsubscribe": f"<{leave}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"} if leave else {}


def _thread(slug: str) -> dict[str, str]:
    """Mail programs show the emails of one game as one conversation, and can file them by its list."""
    if not slug:
        return {}
    root = f"<game-{slug}@{host()}>"
    return {"List-Id": f"<{slug}.games.{host()}>", "In-Reply-To": root, "References": root}
