"""The answers that are written out: pages of lists, what no page shows, and values of the rules, which don't know the
API. All others are made of views, with `answer_class`.

The name of a class, without "Serializer", is its name in the schema.
"""

import tomllib
from copy import deepcopy
from datetime import datetime
from functools import cache
from pathlib import Path

from django.utils.module_loading import import_string
from rest_framework.serializers import BooleanField, CharField, DictField, ListField

from games.api.from_views import (
    Address,
    ApiAnswer,
    Field,
    Flag,
    Number,
    SitePath,
    Text,
    Texts,
    describe_value,
    field_of,
    fields_marked_in,
    list_field,
    object_field,
    tells_of,
    with_schema,
)
from games.consent.queries import AskingView
from games.delivery.webhooks import WebhookView
from games.history.boards import BoardView
from games.kernel.game_options import declared_options, shown_values
from games.kernel.page import types_of_parts
from games.kernel.parts import AssistantView, EventView, GameCard, GameOptionsView, VariantCard
from games.news.outboxes import InboxLine
from games.orders.parts import PhaseBids, PowerBids, Receipt, Replaced
from games.press.parts import MessageView, ThreadView
from games.seating.parts import ApproachView, Mailed, RequestView, SittingView, Waiting
from games.tournaments.tournament_page import PlannedTable


class Phase(ApiAnswer):
    """A game in one of its phases, as you see it."""

    def get_fields(self) -> dict[str, Field]:
        return deepcopy(_fields_of_page())


@cache
def _fields_of_page() -> dict[str, Field]:
    return fields_marked_in(types_of_parts())


class Done(ApiAnswer):
    """The act was done."""

    done = Text("What was done.")


class Changed(Done):
    """The act was done, and this is so now."""

    power = Text("The power that it was about, or that you have now; null without one.", null=True)
    deadline = field_of(datetime | None, help_text="The deadline of the open phase; null if its clock stands.")


class Created(ApiAnswer):
    """A game that was just created."""

    slug = Text("Its name in addresses.")
    invitation = Text("The token of its invitation link; empty for a public game.")


class Saving(ApiAnswer):
    """What a save of orders replaced."""

    replaced = object_field(
        Replaced, "What was saved before; null if nothing was, or if it is what you have sent again.", null=True
    )


class Entered(Saving, Done):
    """Orders that you have entered for a player."""

    code = Text("The code of their receipt: send it as `after` with orders that should replace these and no others.")


class SavedReceipt(Saving):
    """What you have saved, and what it replaced."""

    of = Receipt
    ready = Flag("You had said that you are ready, and still are; null where the game doesn’t ask.", null=True)


class Stream(ApiAnswer):
    """Where to listen."""

    games = Texts("The slugs of the games listened to.")
    ticket = Text("Lets its bearer listen to these games for a quarter of an hour.")
    stream = Address("The address of the stream, with the ticket.")


class Requests(ApiAnswer):
    """The open requests of a game for you."""

    requests = list_field(AskingView, "The oldest first; empty for everyone who is not asked.")


class Desk(ApiAnswer):
    """Those who want something of you as the game master, and those whom you could ask."""

    requests = list_field(RequestView, "Requests to join that wait for your answer.")
    asking = list_field(ApproachView, "Players who ask for a vacant seat.")
    invited = list_field(ApproachView, "Players whom you have invited to a seat.")
    mailed = list_field(Mailed, "People whom you have invited by email.")
    waiting = list_field(Waiting, "Players on the standby list whom a seat here would suit.")
    successor = Text("The user you have asked to take over the game; empty if no one.")
    assistants = list_field(AssistantView, "The game master’s assistants, and those asked to be one.")


class SheetText(ApiAnswer):
    """The orders and bids of a power."""

    text = Text("One order or bid in each line.")


class OpenedBidsSerializer(ApiAnswer):
    """The bids of a closed phase."""

    powers = list_field(PowerBids, "The bids of each power that bid.")


class BidTable(ApiAnswer):
    """The bids of all closed phases."""

    phases = list_field(PhaseBids, "The phases in which bids were made.")


@tells_of(WebhookView)
class WebhookSerializer(ApiAnswer):
    """Where the news of a game is posted."""

    address = Address("Where it is posted.")


@tells_of(InboxLine)
class Notification(ApiAnswer):
    """One thing that you were told."""

    address = SitePath("The page that it leads to.")


class NewWebhook(ApiAnswer):
    """A webhook that was just added."""

    number = Number("Names it in addresses.")
    secret = Text("Signs the posts. It is not shown again.")


class TournamentCreated(ApiAnswer):
    """A tournament or series that was just made."""

    slug = Text("Its name in addresses.")


class ListedTournament(ApiAnswer):
    """A published tournament or series."""

    slug = Text("Its name in addresses.")
    name = Text("Its name.")
    is_series = Flag("It is a series: its games are put into it, and nobody is seated.")
    closes = field_of(datetime | None, help_text="When entry closes; null for a series.")


class PlanSerializer(ApiAnswer):
    """A seating plan that nobody else sees yet."""

    seed = field_of(int | None, help_text="The seed that it was made with; null without a plan.")
    total = field_of(int | None, help_text="What its faults weigh; null without a plan.")
    tables = list_field(PlannedTable, "The tables, then those without another seat.")


# Pages of lists.


class ListPage(ApiAnswer):
    """A page of a list; a subclass says of what, as `results`."""

    next = Address("The address of the next page; null on the last one.", null=True)
    previous = Address("The address of the page before; null on the first one.", null=True)


class GamePageSerializer(ListPage):
    """A page of a list of games, newest first."""

    results = list_field(GameCard, "The games.")


class EventPage(ListPage):
    """A page of the public log, newest first."""

    results = list_field(EventView, "The lines.")


class NotificationPage(ListPage):
    """What you were told, newest first."""

    unread = Number("How many are unread, on all pages together.")
    results = list_field(InboxLine, "The notifications.")


class SittingPage(ListPage):
    """Sittings that you are asked for or have agreed to."""

    results = list_field(SittingView, "The sittings.")


class ThreadPage(ListPage):
    """A page of a conversation. The next page has the messages before these."""

    of = ThreadView
    results = list_field(MessageView, "The messages, oldest first.")


class VariantPage(ListPage):
    """A page of a list of variants."""

    results = list_field(VariantCard, "The variants.")


class WebhookPage(ListPage):
    """Your webhooks, the oldest first."""

    results = list_field(WebhookView, "The webhooks.")


# What the rules and the options say for themselves.


@tells_of(GameOptionsView)
class OptionsSerializer(ApiAnswer):
    """All options of a game. Lengths are in seconds; 0 stands for "none"."""

    def get_fields(self) -> dict[str, Field]:
        """Add every option, which its subject declares together with its description."""
        options = {name: field_of(spec.hint, help_text=spec.help_text) for name, spec in shown_values().items()}
        for name, (_, spec) in declared_options().items():
            if isinstance(spec.allowed, tuple) and shown_values()[name].hint is str:
                options[name] = with_schema(CharField, type="string", enum=list(spec.allowed))(help_text=spec.help_text)
        return {**super().get_fields(), **options}


class VariantSerializer(ApiAnswer):
    """A variant with its board."""

    of = VariantCard
    version = Text("Its version. A game goes on under the rules with which it began.")
    digest = Text("A SHA-256 of all that decides results: the board and the rules’ facts.")
    map = Address("The address of the empty map as SVG. Its shapes carry `data-province` with the ids of provinces.")
    board = object_field(BoardView, "The board.")


class RecordPhase(ApiAnswer):
    """An adjudicated phase of a record."""

    ordinal = Number("Its place among all phases of the game, from 0.")
    turn = Text("Its code, as in “S1926M”.")
    closed = field_of(datetime, help_text="When it ended.")
    position = DictField(help_text="The position in which its orders were given.")
    notices = ListField(child=DictField(), help_text="What changed without an order before it ended.")
    amendments = ListField(child=DictField(), help_text="Orders that the game master corrected.")
    result = DictField(help_text="Outcomes, notices, the next position, and the verdict if the game ended.")
    missed = Texts("The powers that saved nothing.")
    engine = Text("The version of the rules’ code.")
    record = DictField(allow_null=True, help_text="The codes of all orders and of the record before.")
    sheets = DictField(allow_null=True, help_text="All orders with their salts, once they are published.")
    undone = DictField(allow_null=True, help_text="When and why it was undone; null if it counts.")
    bids = DictField(required=False, help_text="The bids of a game that was played elsewhere.")
    stays_sealed = BooleanField(required=False, help_text="Its orders are never published.")


class Record(ApiAnswer):
    """Everything that is published of a game, as `python -m variants replay` reads it."""

    format = Text("The name and the version of this form.")
    language = Text("That of the sentences.")
    game = Text("The slug of the game.")
    name = Text("The name of the game.")
    variant = DictField(child=CharField(), help_text="Its slug, version and digest.")
    options = DictField(help_text="Those that a replay needs.")
    status = Text("As in `GameCard.status`.")
    verdict = DictField(allow_null=True, help_text="How the game ended.")
    players = DictField(required=False, help_text="The players of a game that was played elsewhere.")
    phases = list_field(RecordPhase, "In the order in which the results were published, with those that were undone.")


VALUES_OF_RULES = tomllib.loads(Path(__file__).with_name("values.toml").read_text(encoding="utf-8"))
for value, told in VALUES_OF_RULES.items():
    describe_value(import_string(value), told["name"], told["says"], **told["fields"])
