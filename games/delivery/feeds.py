"""Atom feeds: the public news of a game or of a tournament, and the games that are looking for players."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.syndication.views import Feed
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.text import Truncator, capfirst

from games.delivery.writing import sections_of
from games.history.results import result_view
from games.kernel import codec
from games.kernel.languages import later
from games.kernel.models import Game, Result
from games.kernel.parts import GameCard
from games.kernel.view_helpers import access_for_visitor
from games.kernel.wording import moment_words
from games.news.log import PublicLine, address_of_news, public_news_of
from games.news.outboxes import EmailSection
from games.pages.queries import GameLists
from games.tournaments.queries import Line
from games.tournaments.tournament_page import TournamentView

MOST_ENTRIES, MOST_RESULTS, LONGEST_TITLE = 30, 8, 120
"""Of a feed: its entries, those of results that tell them, and the characters of a title."""


class GameFeed(Feed):  # type: ignore[type-arg]
    """The news of one game, for everyone who may see it; Http404 for everyone else."""

    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, *_args: Any, **kwargs: Any) -> Game:
        return Game.objects.get(pk=access_for_visitor(request, kwargs["slug"]).game_id)

    def title(self, game: Game) -> str:
        return f"{game.name} · Diplomacy"

    def link(self, game: Game) -> str:
        return address_of_news(game, None)

    def feed_url(self, game: Game) -> str:
        return _full_address("games:game-feed", slug=game.slug)

    def items(self, game: Game) -> list[tuple[Game, PublicLine, tuple[EmailSection, ...]]]:
        news, variant = public_news_of(game, most=MOST_ENTRIES), codec.variant_of(game)
        newest = [it.ordinal for it in news if it.ordinal is not None][:MOST_RESULTS]
        rows = Result.objects.filter(phase__game=game, phase__ordinal__in=newest).select_related("phase__commitment")
        told: dict[int | None, tuple[EmailSection, ...]] = {
            row.phase.ordinal: sections_of(result_view(row, codec.public_result_of(row), variant))
            for row in rows.prefetch_related("phase__amendments")
        }
        return [(game, line, told.get(line.ordinal, ())) for line in news]

    def item_title(self, item: Any) -> str:
        return str(item[1].sentence)

    def item_description(self, item: Any) -> str:
        """In HTML; that of a result has the orders, the centres won and lost and, of a public game, the map."""
        game, news, sections = item
        sentence = escape(f"{game.name}, {moment_words(news.at, _zone(game))}: {news.sentence}")
        if not sections:
            return sentence
        words = {"sections": sections, "picture": not game.by_invitation, "picture_address": self.item_link(item)}
        picture = _full_address("games:picture", slug=game.slug, ordinal=news.ordinal)
        return sentence + render_to_string("delivery/mail/happened.html", {"words": words, "shown": picture})

    def item_link(self, item: Any) -> str:
        game, news, _ = item
        return address_of_news(game, news.ordinal)

    def item_guid(self, item: Any) -> str:
        game, news, _ = item
        return f"{address_of_news(game, None)}#{news.at.timestamp():.6f}-{news.ordinal}"

    def item_pubdate(self, item: Any) -> datetime:
        game, news, _ = item
        at: datetime = news.at
        return at.astimezone(ZoneInfo(_zone(game)))

    item_updateddate = item_pubdate


class LobbyFeed(Feed):  # type: ignore[type-arg]
    """The public games that are looking for players now."""

    feed_type = Atom1Feed
    title = later("New games · Diplomacy")

    def link(self) -> str:
        return _full_address("games:lobby")

    def feed_url(self) -> str:
        return _full_address("games:lobby-feed")

    def items(self) -> tuple[GameCard, ...]:
        return GameLists(AnonymousUser()).page("open", most=MOST_ENTRIES).games

    def item_title(self, item: Any) -> str:
        return f"{item.name}, {item.variant_title}"

    def item_description(self, item: Any) -> str:
        return f"{item.status_sentence} {capfirst(item.options.pace)}. {item.options.press_title}."

    def item_link(self, item: Any) -> str:
        return _full_address("games:game", slug=item.slug)

    def item_pubdate(self, item: Any) -> datetime:
        created: datetime = item.created
        return created

    item_updateddate = item_pubdate


class TournamentFeed(Feed):  # type: ignore[type-arg]
    """What a stranger reads of a tournament or series: its changes, who sits where, and the standings. Http404 for a
    draft."""

    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, *_args: Any, **kwargs: Any) -> TournamentView:  # noqa: ARG002  # Django's
        return TournamentView(kwargs["slug"], None)

    def title(self, view: TournamentView) -> str:
        return f"{view.row.name} · Diplomacy"

    def link(self, view: TournamentView) -> str:
        return _full_address("games:tournament", slug=view.row.slug)

    def feed_url(self, view: TournamentView) -> str:
        return _full_address("games:tournament-feed", slug=view.row.slug)

    def items(self, view: TournamentView) -> list[tuple[str, Line]]:
        return [(self.link(view), line) for line in view.news(MOST_ENTRIES)]

    def item_title(self, item: Any) -> str:
        return Truncator(item[1].sentence).chars(LONGEST_TITLE)

    def item_description(self, item: Any) -> str:
        return str(item[1].sentence)

    def item_link(self, item: Any) -> str:
        return str(item[0])

    def item_guid(self, item: Any) -> str:
        address, line = item
        return f"{address}#{line.key}"

    def item_pubdate(self, item: Any) -> datetime:
        at: datetime = item[1].at
        return at

    item_updateddate = item_pubdate


def _zone(game: Game) -> str:
    """The time zone of the game's fixed times and days off."""
    return game.options.shown()["zone"] or "UTC"


def _full_address(name: str, **kwargs: object) -> str:
    return settings.SITE_ADDRESS + reverse(name, kwargs=kwargs)
