"""Everything the games keep of one person, for that person alone."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Q

from games.deadlines.models import Absence
from games.endings.models import Statement, Vote
from games.kernel.blocks import blocked_by
from games.kernel.members import times_as_master
from games.kernel.models import Game, Joiner, Occupancy, Sitting
from games.kernel.news import Topic
from games.news.choices import push_wanted
from games.news.models import DailyLetter, NotificationChoice, PushDevice, Webhook
from games.orders.queries import own_sheets
from games.people.models import SignIn
from games.press.models import Message, Mute, Notebook, Remark, RemarkReport, Report
from games.seating.models import JoinRequest, Standby


def papers_of(user_id: int) -> dict[str, Any]:
    """Seats, sheets, messages and the rest by name, in values that JSON has; moments are ISO 8601 in UTC."""
    seats = list(Occupancy.objects.filter(user_id=user_id).select_related("game", "seat").order_by("pk"))
    return {
        "seats": [_seat(seat) for seat in seats],
        "game_master_of": [_game(game) for game in Game.objects.filter(gm_id=user_id).order_by("pk")],
        "sheets": [
            {"game": sheet.slug, "power": sheet.power, "turn": sheet.turn, "text": sheet.text}
            for sheet in own_sheets(user_id)
        ],
        "messages": [_message(message) for message in _messages(user_id, seats)],
        **_around_the_talk(user_id),
        **_around_the_seats(user_id),
        **_news(user_id),
        **_before_the_start(user_id),
        **_in_games(user_id),
        "sign_ins": [
            {"at": _moment(row.at), "address": row.address, "browser": row.browser}
            for row in SignIn.objects.filter(user_id=user_id).order_by("at")
        ],
        "blocked": list(blocked_by(user_id)),
        "statements": [
            {**_game(row.occupancy.game), "text": row.text, "written": _moment(row.written)}
            for row in Statement.objects.filter(occupancy__user_id=user_id)
            .select_related("occupancy__game")
            .order_by("pk")
        ],
    }


def _before_the_start(user_id: int) -> dict[str, Any]:
    return {
        "waiting_for_a_power": [
            {**_game(row.game), "wishes": row.wishes, "joined": _moment(row.joined)}
            for row in Joiner.objects.filter(user_id=user_id).select_related("game").order_by("pk")
        ],
        "requests_to_join": [
            {**_game(row.game), "asked": _moment(row.asked), "accepted": row.accepted}
            for row in JoinRequest.objects.filter(user_id=user_id).select_related("game").order_by("pk")
        ],
    }


def _in_games(user_id: int) -> dict[str, Any]:
    return {
        "days_away": [
            {**_game(row.game), "first": row.first.isoformat(), "last": row.last.isoformat()}
            for row in Absence.objects.filter(user_id=user_id).select_related("game").order_by("pk")
        ],
        "votes": [
            {**_game(row.proposal.game), "proposal": row.proposal.number, "agrees": row.agrees}
            for row in Vote.objects.filter(occupancy__user_id=user_id).select_related("proposal__game").order_by("pk")
        ],
        "notes": [
            {**_game(row.occupancy.game), "text": row.text}
            for row in Notebook.objects.filter(occupancy__user_id=user_id).select_related("occupancy__game")
        ],
    }


def _around_the_talk(user_id: int) -> dict[str, Any]:
    """Remarks, mutes and reports."""
    remarks = Remark.objects.filter(user_id=user_id).select_related("game")
    muted = Mute.objects.filter(user_id=user_id).select_related("game")
    reports = Report.objects.filter(user_id=user_id).select_related("message__thread__game")
    remark_reports = RemarkReport.objects.filter(user_id=user_id).select_related("remark__game")
    return {
        "remarks_after_the_end": [
            {**_game(row.game), "text": row.text, "sent": _moment(row.sent)} for row in remarks.order_by("pk")
        ],
        "muted_powers": [{**_game(row.game), "power": row.power} for row in muted.order_by("pk")],
        "reported_remarks": [
            {**_game(row.remark.game), "text": row.remark.text, "reason": row.reason, "made": _moment(row.made)}
            for row in remark_reports.order_by("pk")
        ],
        "reported_messages": [
            {**_message(row.message), "reason": row.reason, "made": _moment(row.made)} for row in reports.order_by("pk")
        ],
    }


def _around_the_seats(user_id: int) -> dict[str, Any]:
    """Sitting for others and being sat for, and the wish for a vacant seat."""
    both = Q(sitter_id=user_id) | Q(occupancy__user_id=user_id)
    sittings = Sitting.objects.filter(both).select_related("occupancy__game", "sitter")
    return {
        "sittings": [_sitting(row, user_id) for row in sittings.order_by("pk")],
        "standby_wishes": [
            {"variants": row.variants or "any", "pace": row.pace or "any", "since": _moment(row.since)}
            for row in Standby.objects.filter(user_id=user_id)
        ],
    }


def _sitting(row: Sitting, user_id: int) -> dict[str, Any]:
    mine = row.occupancy.user_id == user_id
    return {
        **_game(row.occupancy.game),
        "sitter": row.sitter.get_username() if mine else "you",
        "begins": _moment(row.begins),
        "ends": _moment(row.ends),
        "messages_too": row.talks,
        "accepted": row.accepted,
        "ended": _moment(row.ended),
    }


def _news(user_id: int) -> dict[str, Any]:
    """What the person wants to be told, on which devices, and where the news of his games are posted."""
    chosen = NotificationChoice.objects.filter(user_id=user_id).select_related("game")
    hooks = Webhook.objects.filter(game__gm_id=user_id).select_related("game")
    wanted = push_wanted(user_id)
    return {
        "notification_choices": [
            {
                "game": row.game.slug if row.game else "all",
                "topic": row.topic,
                "mail": row.mail or "as in all",
                "devices": row.push or "as in all",
            }
            for row in chosen.order_by("pk")
        ],
        "hour_of_the_daily_letter": [row.hour for row in DailyLetter.objects.filter(user_id=user_id)],
        "posted_news": [{**_game(row.game), "address": row.address} for row in hooks.order_by("pk")],
        "told_on": [
            {"address": row.endpoint, "since": _moment(row.since)}
            for row in PushDevice.objects.filter(user_id=user_id).order_by("pk")
        ],
        "not_told_there": [topic.label for topic in Topic if topic not in wanted],
    }


def _game(game: Game) -> dict[str, Any]:
    return {"game": game.slug, "name": game.name, "variant": game.variant_slug, "status": game.status}


def _seat(seat: Occupancy) -> dict[str, Any]:
    return {
        **_game(seat.game),
        "power": seat.seat.power,
        "since": _moment(seat.since),
        "until": _moment(seat.until),
        "bot": seat.bot,
        "phases_to_decide_in": seat.owed,
        "phases_missed": seat.missed,
    }


def _messages(user_id: int, seats: list[Occupancy]) -> list[Message]:
    """What this person wrote: for a power while he sat there, and as the game master."""
    mine = Q(pk__in=())
    for game_id, since, until in times_as_master(user_id):
        time = (Q(sent__gte=since) if since else Q()) & (Q(sent__lt=until) if until else Q())
        mine |= Q(power="", thread__game_id=game_id) & time
    for seat in seats:
        sent = Q(sent__gte=seat.since) if seat.until is None else Q(sent__range=(seat.since, seat.until))
        mine |= sent & Q(thread__game_id=seat.game_id, power=seat.seat.power)
    return list(Message.objects.filter(mine).select_related("thread__game").order_by("sent", "pk"))


def _message(message: Message) -> dict[str, Any]:
    return {
        "game": message.thread.game.slug,
        "as": message.power or "game master",
        "to": message.thread.powers or "everybody",
        "sent": _moment(message.sent),
        "text": message.text,
    }


def _moment(when: datetime | None) -> str | None:
    return when.isoformat() if when else None
