"""One email: its text and its HTML, which say the same, and the headers by which mail programs sort it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.delivery.choosing import DAILY_DIGEST, unsubscribe_secret
from games.history.parts import OutcomeView, ResultView, SideResult
from games.news.emails import host_of_site, unsubscribe_headers
from games.news.outboxes import EmailSection, EmailWords
from variants.words.english import listed
from variants.words.messages import term
from variants.words.orders import phase_words

SALT = "games.news.message"
MOST_HOLDS_SHOWN = 3
"""So many units of one side that only held are one line."""
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


def write_letter(
    words: EmailWords, *, user_id: int, topic: str, about: str, picture: bytes | None = None
) -> WrittenLetter:
    """An email to a user who can turn off this topic, with the game's name first; `about` tells it from all other
    emails to this user. `picture`: the map, if the email is to show it."""
    if words.sentences:
        words = replace(words, sentences=(f"{words.game}: {words.sentences[0]}", *words.sentences[1:]))
    links = _footer_links(user_id, topic)
    body = "\n\n".join((*words.paragraphs, _footer(links, _("Turn off emails like this one: {address}")))) + "\n"
    picture_source = f"cid:{MAP}" if picture else ""
    html = render_to_string("delivery/mail/letter.html", {"words": words, "shown": picture_source, **links})
    headers = _mail_headers(user_id, about, links["leave"])
    if words.slug:  # mail programs show the emails of one game as one conversation, and can file them by its list
        root = f"<game-{words.slug}@{host_of_site()}>"
        headers |= {"List-Id": f"<{words.slug}.games.{host_of_site()}>", "In-Reply-To": root, "References": root}
    return WrittenLetter(words.subject, body, html, headers, picture)


def write_digest(news: Sequence[EmailWords], *, user_id: int, about: str) -> WrittenLetter:
    """The daily digest of everything that was waiting for it."""
    links = _footer_links(user_id, DAILY_DIGEST)
    subject = ngettext("Your daily digest: {count} update", "Your daily digest: {count} updates", len(news))
    subject = subject.format(count=len(news))
    footer = _footer(links, _("Turn off the daily digest: {address}"))
    parts = ["\n\n".join((words.subject, *words.paragraphs)) for words in news]
    html = render_to_string("delivery/mail/day.html", {"subject": subject, "news": news, **links})
    headers = _mail_headers(user_id, about, links["leave"])
    return WrittenLetter(subject, "\n\n\n".join((*parts, footer)) + "\n", html, headers)


def _footer_links(user_id: int, topic: str) -> dict[str, str]:
    """The links of the footer: unsubscribe, and notification settings."""
    secret = {"secret": unsubscribe_secret(user_id, topic)}
    return {
        "leave": settings.SITE_ADDRESS + reverse("games:unsubscribe", kwargs=secret),
        "settings": settings.SITE_ADDRESS + reverse("games:notify"),
    }


def _footer(links: Mapping[str, str], message: str) -> str:
    to_settings = _("Notification settings: {address}").format(address=links["settings"])
    return "\n".join((message.format(address=links["leave"]), to_settings))


def _mail_headers(user_id: int, about: str, unsubscribe_link: str) -> dict[str, str]:
    """The headers of an email. The Message-ID is the same if it is sent twice, so mail programs can show it once."""
    mark = salted_hmac(SALT, f"{user_id} {about}", algorithm="sha256").hexdigest()[:32]
    return {
        "Message-ID": f"<{mark}@{host_of_site()}>",
        "Auto-Submitted": "auto-generated",
        **unsubscribe_headers(unsubscribe_link),
    }


# What happened in a phase.


def sections_of(result: ResultView) -> tuple[EmailSection, ...]:
    """The sections of this result that have any lines, below a title that names the phase."""
    own = [EmailSection(_("Your orders"), tuple(_lines_of_side(side))) for side in result.sides if side.mine]
    gains = tuple(
        capfirst(_("{power} won {centres}.").format(power=side.called, centres=listed(side.won)))
        for side in result.sides
        if side.won
    )
    corrections = tuple(
        _("Corrected by the game master: {sentence}").format(sentence=sentence) for sentence in result.amendments
    )
    rest = [EmailSection(side.name, tuple(_lines_of_side(side)), folded=True) for side in result.sides if not side.mine]
    sections = (
        *own,
        EmailSection(_("Supply centres"), gains),
        EmailSection(pgettext("what else happened", "Also"), (*corrections, *result.general)),
        *rest,
    )
    with_lines = tuple(section for section in sections if section.lines)
    return (
        EmailSection(
            _("Result of {phase}").format(phase=phase_words(result.head)),
            () if with_lines else (_("There were no orders."),),
        ),
        *with_lines,
    )


def _lines_of_side(side: SideResult) -> Iterator[str]:
    if side.missed:
        yield _("No orders received.")
    holds = term("order holds", unit="")
    only_held = [outcome.text.removesuffix(holds) for outcome in side.outcomes if _only_held(outcome)]
    is_folded = len(only_held) >= MOST_HOLDS_SHOWN
    for outcome in side.failures_first:
        if not (is_folded and _only_held(outcome)):
            reason = f" – {capfirst(outcome.sentence)}" if outcome.sentence else ""
            yield f"{'✓' if outcome.succeeded else '✕'} {outcome.text}{reason}"
    if is_folded:
        yield _("✓ {units} hold").format(units=listed(only_held))
    yield from side.notices
    if side.lost:
        yield _("Lost {centres}.").format(centres=listed(side.lost))


def _only_held(outcome: OutcomeView) -> bool:
    return outcome.held and not outcome.sentence
