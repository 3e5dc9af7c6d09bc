"""Words and pictures for the pages: moments, lengths of time, the board, how many notifications are unread."""

import re
from collections.abc import Iterable
from datetime import datetime
from zoneinfo import ZoneInfo

from django import template
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.dateformat import format as formatted
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.deadlines.timetable import city_of_zone
from games.delivery.inbox import count_unseen
from games.history.parts import ResultView, SideResult
from games.kernel.cards import MOST_COUNTED
from games.kernel.live_tickets import ticket_for
from games.kernel.page import Page
from games.kernel.parts import AssistantView, GameCard
from games.kernel.shared_pages import part_for_everyone
from games.kernel.wording import duration_in_words, moment_words, rough_duration, words_for_power, words_of_phase_kind
from games.orders.parts import Receipt, SheetView
from games.press.markup import message_html
from games.seating.options import WaitForPlayers
from variants.maps import Drawing, draw_svg
from variants.registry import UnknownVariant, find
from variants.words.english import listed
from variants.words.orders import phase_words

register = template.Library()
register.filter("phase_words", phase_words)
register.filter("place", city_of_zone)
register.filter("moment_words", moment_words)
register.filter("roughly", rough_duration)
CODE = re.compile("`([^`]+)`")
NEAR_SECONDS = 120
POLL_NEAR, POLL_FAR = 5, 20


@register.filter
def on_this_site(path: str) -> str:
    """The whole address of a path. It doesn't repeat the port of the request, because strangers share the page."""
    return settings.SITE_ADDRESS + path


@register.filter
def coded(text: str) -> SafeString:
    """Text in which everything between `backticks` is code."""
    return mark_safe(CODE.sub(r"<code>\1</code>", conditional_escape(text)))  # noqa: S308  # escaped before


@register.filter
def lasting(seconds: int) -> str:
    """A length of time in its two largest units: 5400 -> "1 hour 30 minutes"."""
    return duration_in_words(seconds, 2) or _("no time")


@register.filter
def called_in(power: str, variant: str) -> str:
    """A power's name within a sentence, as in "the Soviet Union"; its id if the variant is no longer there."""
    try:
        return find(variant).power(power).called
    except UnknownVariant:
        return power


@register.simple_tag
def moment(time: datetime) -> SafeString:
    """A moment in the reader's zone as a `<time>`, which scripts may show in the browser's own zone."""
    words = moment_words(time, str(timezone.get_current_timezone()))
    return format_html('<time datetime="{}" data-local>{}</time>', time.isoformat(), words)


@register.simple_tag
def ago(time: datetime) -> SafeString:
    """A moment that scripts show as "5 minutes ago" until it is clicked."""
    words = moment_words(time, str(timezone.get_current_timezone()))
    return format_html('<time datetime="{}" data-local data-ago>{}</time>', time.isoformat(), words)


@register.simple_tag
def moment_in(time: datetime, zone: str) -> str:
    """A moment on the clocks of a zone: "Mon 19:00 in New York"; "" if the reader's clocks are the same."""
    if zone == str(timezone.get_current_timezone()):
        return ""
    local = timezone.localtime(time, ZoneInfo(zone))
    return _("{moment} in {place}").format(moment=formatted(local, "D H:i"), place=city_of_zone(zone))


@register.simple_tag
def countdown(until: datetime) -> SafeString:
    """The time left until then, as in "1 hour 30 minutes left", which scripts keep up to date."""
    left = max(0, int((until - timezone.now()).total_seconds()))
    words = _("{length} left").format(length=lasting(left)) if left else _("due any moment now")
    return format_html('<span data-countdown="{}">{}</span>', until.isoformat(), words)


@register.simple_tag
def person(name: str) -> SafeString | str:
    """A name with a link to the profile. A name with a space belongs to nobody who could have one."""
    if not name or " " in name:
        return name
    return format_html('<a href="{}">{}</a>', reverse("games:person", args=[name]), name)


@register.simple_tag
def persons(those: Iterable[AssistantView]) -> SafeString:
    """Names with links to their profiles, as in "Anna, Ben and Cleo"."""
    return mark_safe(listed(conditional_escape(person(one.name)) for one in those))  # noqa: S308  # escaped before


@register.filter
def ticket(game: GameCard) -> str:
    """A token with which the browser is told about changes of a game that its page shows."""
    return ticket_for(game.slug)


@register.simple_tag
def new_notices(user_id: int) -> int:
    """How many of this user's notifications are unread, beside the bell."""
    return count_unseen(user_id)


@register.filter
def up_to_99(count: int) -> str:
    """A number beside the name of a list, which is counted only so far."""
    return str(count) if count < MOST_COUNTED else f"{MOST_COUNTED - 1}+"


@register.filter
def poll_seconds(game: GameCard) -> int:
    """How often a page asks for news if nobody tells it: often when the deadline is near, or only bots are left."""
    near = game.deadline is not None and (game.deadline - timezone.now()).total_seconds() < NEAR_SECONDS
    return POLL_NEAR if near or game.practice else POLL_FAR


@register.simple_tag
def board(variant: str, drawing: Drawing, ground: str = "") -> SafeString:
    """The map of a position as inline SVG, without its ground if `ground` names the one that the page already has.

    Every text is escaped as it is drawn.
    """
    return mark_safe(draw_svg(variant, drawing, ground))  # noqa: S308


@register.simple_tag
def seen_alike(view: Page, template: str, **context: str | None) -> SafeString:
    """A part of the page of a game that is the same for every reader, made once for all."""
    return mark_safe(part_for_everyone(view, template, **context))  # noqa: S308 - what a template has made


@register.filter
def side_of(result: ResultView | None, power: str | None) -> SideResult | None:
    """This power's part of the result."""
    sides = (*result.sides, *result.quiet) if result else ()
    return next((side for side in sides if side.power == power), None)


@register.filter
def markup(text: str) -> SafeString:
    """A message as HTML; its writer's own tags are shown, not obeyed."""
    return message_html(text)


@register.filter
def without_orders(receipt: Receipt) -> str:
    """What happened to a player who saved nothing in this phase."""
    return words_of_phase_kind(receipt.kind, bids=receipt.budget > 0).left_out


@register.filter
def warning(order_sheet: SheetView) -> str:
    """What will happen if nothing is saved for this open phase."""
    return words_for_power(order_sheet).unsaved


@register.filter
def waits_until(game: GameCard) -> datetime | None:
    """When an open game stops waiting for players."""
    return WaitForPlayers(wait_days=game.options.wait_days).until(game.created)


@register.filter
def free_seats(game: GameCard) -> range:
    """A range with one item for each vacant seat, which a template can loop over."""
    return range(game.players - game.taken)


@register.filter
def taken_seats(game: GameCard) -> range:
    """A range with one item for each taken seat, which a template can loop over."""
    return range(game.taken)
