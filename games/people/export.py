"""Everything that the games store about one user, for that user alone."""

from datetime import date
from operator import attrgetter
from typing import Any

from django.db.models import Q, QuerySet

from games.consent.models import Consent
from games.deadlines.models import Absence
from games.endings.models import Statement, Vote
from games.kernel.blocks import blocked_by
from games.kernel.hooks import stored_facts
from games.kernel.members import periods_as_master
from games.kernel.models import Assistant, Following, Game, Joiner, Occupancy, Sitting
from games.kernel.news import Topic
from games.news.choices import topics_wanted_on_devices
from games.news.models import DailyLetter, NotificationChoice, PushDevice, Webhook
from games.orders.queries import own_sheets
from games.people.models import SeriesReport, SignIn
from games.press.models import Message, Mute, Notebook, Remark, RemarkReport, Report
from games.press.threads import NAMELESS, user_of_voice, voice_of_waiting_user
from games.seating.models import JoinRequest, Standby


def stored_facts_of(user_id: int) -> dict[str, Any]:
    """The user's seats, orders, messages and the rest by name, as JSON values; times are ISO 8601 in UTC."""
    seats = list(Occupancy.objects.filter(user_id=user_id).select_related("game", "seat").order_by("pk"))
    as_either = Q(sitter_id=user_id) | Q(occupancy__user_id=user_id)
    sittings = Sitting.objects.filter(as_either).select_related("occupancy__game", "sitter").order_by("pk")
    reports = Report.objects.filter(user_id=user_id).select_related("message__thread__game").order_by("pk")
    choices = NotificationChoice.objects.filter(user_id=user_id).select_related("game")
    topics = topics_wanted_on_devices(user_id)
    return {
        "seats": [_seat_facts(seat) for seat in seats],
        "game_master_of": [_game_facts(game) for game in Game.objects.filter(gm_id=user_id).order_by("pk")],
        "assistant_of": _exported_rows(
            Assistant.objects.filter(user_id=user_id), "game", "rights", "made", "accepted", "answered", "ended"
        ),
        "sheets": list(own_sheets(user_id)),
        "messages": [_message_facts(message) for message in _messages_written_by(user_id, seats)],
        "remarks_after_the_end": _exported_rows(Remark.objects.filter(user_id=user_id), "game", "text", "sent"),
        "muted_powers": _exported_rows(Mute.objects.filter(user_id=user_id), "game", "power"),
        "reported_remarks": _exported_rows(
            RemarkReport.objects.filter(user_id=user_id), "remark.game", "remark.text", "reason", "made"
        ),
        "reported_tournaments": _exported_rows(
            SeriesReport.objects.filter(user_id=user_id), "", "series", "name", "text", "reason", "made"
        ),
        "reported_messages": [
            {**_message_facts(row.message), "reason": row.reason, "made": row.made.isoformat()} for row in reports
        ],
        "sittings": [
            {
                **_game_facts(row.occupancy.game),
                "sitter": row.sitter.get_username() if row.occupancy.user_id == user_id else "you",
                "begins": _as_json_value(row.begins),
                "ends": _as_json_value(row.ends),
                "messages_too": row.talks,
                "accepted": row.accepted,
                "ended": _as_json_value(row.ended),
            }
            for row in sittings
        ],
        "standby_wishes": [
            {"variants": row.variants or "any", "pace": row.pace or "any", "since": row.since.isoformat()}
            for row in Standby.objects.filter(user_id=user_id)
        ],
        "notification_choices": [
            {
                "game": row.game.slug if row.game else "all",
                "topic": row.topic,
                "mail": row.mail or "as in all",
                "devices": row.push or "as in all",
            }
            for row in choices.order_by("pk")
        ],
        "map_in_emails": DailyLetter.objects.filter(user_id=user_id, with_map=True).exists(),
        "hour_of_the_daily_letter": [row.hour for row in DailyLetter.objects.filter(user_id=user_id)],
        "posted_news": _exported_rows(Webhook.objects.filter(user_id=user_id), "game", "address", "form"),
        "told_on": [
            {"address": row.endpoint, "since": row.since.isoformat()}
            for row in PushDevice.objects.filter(user_id=user_id).order_by("pk")
        ],
        "not_told_there": [topic.label for topic in Topic if topic not in topics],
        "waiting_for_a_power": _exported_rows(
            Joiner.objects.filter(user_id=user_id), "game", "wishes", "own_bot", "joined"
        ),
        "requests_to_join": _exported_rows(JoinRequest.objects.filter(user_id=user_id), "game", "asked", "accepted"),
        "days_away": _exported_rows(Absence.objects.filter(user_id=user_id), "game", "first", "last"),
        "votes": [
            {**_game_facts(row.proposal.game), "proposal": row.proposal.number, "agrees": row.agrees}
            for row in Vote.objects.filter(occupancy__user_id=user_id).select_related("proposal__game").order_by("pk")
        ],
        "agreed_to": _exported_rows(Consent.objects.filter(user_id=user_id), "asking.game", "asking.told"),
        "notes": _exported_rows(Notebook.objects.filter(occupancy__user_id=user_id), "occupancy.game", "text"),
        "sign_ins": _exported_rows(SignIn.objects.filter(user_id=user_id), "", "at", "address", "browser"),
        "followed_games": _exported_rows(Following.objects.filter(user_id=user_id), "game", "since"),
        "blocked": list(blocked_by(user_id)),
        "statements": _exported_rows(
            Statement.objects.filter(occupancy__user_id=user_id), "occupancy.game", "text", "written"
        ),
        **{name: facts for told in stored_facts(user_id) for name, facts in told.items()},
    }


def _exported_rows(rows: QuerySet[Any], game: str, *names: str) -> list[dict[str, Any]]:
    """These attributes of each row, by the last part of their names; with the row's game, if `game` is a path to it."""
    game_of = attrgetter(game) if game else None
    return [
        (_game_facts(game_of(row)) if game_of else {})
        | {name.rpartition(".")[2]: _as_json_value(attrgetter(name)(row)) for name in names}
        for row in (rows.select_related(game.replace(".", "__")) if game else rows).order_by("pk")
    ]


def _as_json_value(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def _game_facts(game: Game) -> dict[str, Any]:
    return {"game": game.slug, "name": game.name, "variant": game.variant_slug, "status": game.status}


def _seat_facts(seat: Occupancy) -> dict[str, Any]:
    return {
        **_game_facts(seat.game),
        "power": seat.seat.power,
        "since": _as_json_value(seat.since),
        "until": _as_json_value(seat.until),
        "bot": seat.bot,
        "own_bot": seat.own_bot,
        "game_master_may_enter_orders": seat.gm_enters,
        "phases_to_decide_in": seat.owed,
        "phases_missed": seat.missed,
    }


def _messages_written_by(user_id: int, seats: list[Occupancy]) -> list[Message]:
    """The messages that this user wrote: for a power while they played it, and as game master or an assistant."""
    own_voices = Q(assistant_id=user_id) | Q(power__in=(voice_of_waiting_user(user_id), f"{NAMELESS}{user_id}"))
    for game_id, since, until in periods_as_master(user_id):
        time = (Q(sent__gte=since) if since else Q()) & (Q(sent__lt=until) if until else Q())
        own_voices |= Q(power="", assistant=None, thread__game_id=game_id) & time
    for seat in seats:
        sent = Q(sent__gte=seat.since) if seat.until is None else Q(sent__range=(seat.since, seat.until))
        own_voices |= sent & Q(thread__game_id=seat.game_id, power=seat.seat.power)
    return list(Message.objects.filter(own_voices).select_related("thread__game").order_by("sent", "pk"))


def _name_of_voice(power: str) -> str:
    return "player without a seat" if user_of_voice(power) is not None else power or "game master"


def _message_facts(message: Message) -> dict[str, Any]:
    return {
        "game": message.thread.game.slug,
        "as": _name_of_voice(message.power),
        "to": [_name_of_voice(power) for power in message.thread.powers] or "everybody",
        "sent": _as_json_value(message.sent),
        "text": message.text,
    }
