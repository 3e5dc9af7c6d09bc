"""A game's public news as a message in the form that Discord's webhooks read."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.delivery.writing import sections_of
from games.history.results import result_view
from games.kernel import codec
from games.kernel.models import Game, Phase, Result
from games.kernel.queries import phase_head
from games.news.log import PublicLine, address_of_news
from games.news.outboxes import EmailSection
from variants.words.orders import phase_words

LONGEST_CONTENT, LONGEST_TITLE, LONGEST_DESCRIPTION, LONGEST_NAME, LONGEST_VALUE = 1900, 256, 1500, 256, 1024
MOST_FIELDS, MOST_SIGNS = 25, 5800
"""Of an embed: Discord refuses messages with longer ones."""

MARKS = re.compile(r"([\\*_~`|>#\[\]])")


def discord_message(game: Game, sentences: str, news: Sequence[PublicLine]) -> dict[str, Any]:
    """A message with these sentences and the next deadline. With a result, it says what changed and has a field with
    the orders of each power. It notifies no one."""
    ordinal = next((it.ordinal for it in news if it.ordinal is not None), None)
    rows = Result.objects.filter(phase__game=game).select_related("phase__commitment")
    # None, too, if the phase has been undone since.
    row = rows.filter(phase__ordinal=ordinal).first() if ordinal is not None else None
    result = result_view(row, codec.public_result_of(row), codec.variant_of(game)) if row else None
    title = f"{game.name}: {phase_words(result.head)}" if result else game.name
    sections = sections_of(result) if result else ()
    lines = [line for section in sections if not section.folded for line in section.lines]
    changes = _shorten(_without_markup(lines if result else [sentences]), LONGEST_DESCRIPTION)
    heading, text = _without_markup([title])[0][:LONGEST_TITLE], "\n\n".join(filter(None, (changes, _deadline(game))))
    embed: dict[str, Any] = {"title": heading, "url": address_of_news(game, ordinal), "description": text}
    if result is not None:
        room = MOST_SIGNS - len(heading) - len(text)
        embed["fields"] = _fields([section for section in sections if section.folded][:MOST_FIELDS], room)
    if result is not None and not game.by_invitation:
        picture = reverse("games:picture", kwargs={"slug": game.slug, "ordinal": ordinal})
        embed["image"] = {"url": settings.SITE_ADDRESS + picture}
    content = f"{game.name}: {sentences}"[:LONGEST_CONTENT]
    return {"content": content, "embeds": [embed], "allowed_mentions": {"parse": []}}


def _deadline(game: Game) -> str:
    """The deadline as Discord shows it on each reader's own clock, with the time left; "" without a deadline."""
    phase = Phase.objects.filter(game=game, closed__isnull=True).defer("position").first()
    if phase is None or phase.deadline is None:
        return ""
    stamp = int(phase.deadline.timestamp())
    message = _("Deadline for {phase}: {moment} ({distance})")
    return message.format(phase=phase_words(phase_head(phase)), moment=f"<t:{stamp}:F>", distance=f"<t:{stamp}:R>")


def _fields(sections: Sequence[EmailSection], room: int) -> list[dict[str, Any]]:
    """Fields that stand side by side to save height. The longest are cut until all fit."""
    lines = [_without_markup(section.lines) for section in sections]
    room -= sum(len(section.heading) for section in sections)
    most = min(LONGEST_VALUE, _fair_share([sum(len(line) + 1 for line in each) for each in lines], room))
    return [
        {"name": section.heading[:LONGEST_NAME], "value": _shorten(each, most), "inline": True}
        for section, each in zip(sections, lines, strict=True)
    ]


def _fair_share(lengths: Sequence[int], room: int) -> int:
    """The most room that each text may take so that all fit: texts that need less leave the rest to the others."""
    for count, length in enumerate(sorted(lengths)):
        share = room // (len(lengths) - count)
        if length > share:
            return share
        room -= length
    return max(lengths, default=0)


def _shorten(lines: Sequence[str], room: int) -> str:
    """The first lines, as many as fit, and then how many are left out."""
    if len("\n".join(lines)) <= room:
        return "\n".join(lines)
    count = len(lines) - 1
    while count and len("\n".join((*lines[:count], _how_many_more(len(lines) - count)))) > room:
        count -= 1
    return "\n".join((*lines[:count], _how_many_more(len(lines) - count)))


def _how_many_more(count: int) -> str:
    return ngettext("… and {count} more", "… and {count} more", count).format(count=count)


def _without_markup(lines: Iterable[str]) -> list[str]:
    """The lines without anything that Discord would read as markup."""
    return [MARKS.sub(r"\\\1", str(line)) for line in lines]
