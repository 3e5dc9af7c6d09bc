"""Choosing notifications: what to be told by email and on devices."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, time
from zoneinfo import ZoneInfo

from django.contrib.auth import get_user_model
from django.core.signing import BadSignature, Signer
from django.db import transaction

from games.kernel import clock
from games.kernel.days import ONE_DAY, at_wall_time
from games.kernel.members import has_ever_run_a_game
from games.kernel.models import Game
from games.kernel.news import Topic
from games.news.models import USUAL_HOUR, USUAL_MAIL, DailyLetter, Mail, NotificationChoice, PushSilence

DAILY_DIGEST = "day"
"""The daily digest, in place of a topic."""


def chosen_mail(user_id: int, game_id: int | None) -> dict[Topic, str]:
    """The values of the form; for one game, "" means the same as for all games."""
    rows = NotificationChoice.objects.filter(user_id=user_id)
    rows = rows.filter(game=None) if game_id is None else rows.filter(game_id=game_id)
    usual = USUAL_MAIL if game_id is None else dict.fromkeys(Topic, "")
    return {**usual, **{Topic(topic): mail for topic, mail in rows.values_list("topic", "mail")}}


def topics_for(user_id: int, game_id: int | None) -> tuple[Topic, ...]:
    """The topics this user can choose about. The game master's topic is offered only to users who have been one (with
    a game: in that game) or who have chosen something about it."""
    has_run = has_ever_run_a_game(user_id) if game_id is None else Game.objects.get(pk=game_id).is_run_by(user_id)
    if has_run or _has_chosen_as_master(user_id, game_id):
        return tuple(Topic)
    return tuple(topic for topic in Topic if topic != Topic.MASTER)


def _has_chosen_as_master(user_id: int, game_id: int | None) -> bool:
    rows = NotificationChoice.objects.filter(user_id=user_id, game=game_id, topic=Topic.MASTER)
    if game_id is not None:
        return rows.exclude(mail="", push="").exists()
    silent = PushSilence.objects.filter(user_id=user_id, topic=Topic.MASTER)
    return rows.exclude(mail=USUAL_MAIL[Topic.MASTER]).exists() or silent.exists()


def hour_of_digest(user_id: int) -> int:
    hour = DailyLetter.objects.filter(user_id=user_id).values_list("hour", flat=True).first()
    return USUAL_HOUR if hour is None else hour


@transaction.atomic
def choose_mail(
    *,
    user_id: int,
    game_id: int | None = None,
    mail: Mapping[Topic, str],
    hour: int | None = None,
    with_map: bool | None = None,
) -> None:
    """Save these choices, for all games or for one. The hour of the daily digest, and whether emails carry the map, are
    the same for all games."""
    _save_choices(user_id, game_id, "mail", mail)
    if hour is not None:
        digest = lock_digest(user_id)
        digest.hour = hour
        if digest.due is not None:
            digest.due = next_digest_time(hour, digest.user.time_zone, clock.now())
        digest.save(update_fields=["hour", "due"])
    if with_map is not None:
        DailyLetter.objects.update_or_create(user_id=user_id, defaults={"with_map": with_map})


def _save_choices(user_id: int, game_id: int | None, channel: str, choices: Mapping[Topic, str]) -> None:
    """Save the choices for this channel ("mail" or "push"), leaving the other as it is."""
    NotificationChoice.objects.bulk_create(
        [
            NotificationChoice(user_id=user_id, game_id=game_id, topic=topic, **{channel: choice})
            for topic, choice in choices.items()
        ],
        update_conflicts=True,
        unique_fields=("user", "game", "topic"),
        update_fields=(channel,),
    )


def chosen_push(user_id: int, game_id: int) -> dict[Topic, str]:
    """The values of the form for one game; "" means the same as for all games."""
    rows = NotificationChoice.objects.filter(user_id=user_id, game_id=game_id)
    return {**dict.fromkeys(Topic, ""), **{Topic(row.topic): row.push for row in rows}}


def choose_push(*, user_id: int, game_id: int, push: Mapping[Topic, str]) -> None:
    """Save the choices about notifications on devices in one game; "" means the same as for all games."""
    _save_choices(user_id, game_id, "push", push)


@transaction.atomic
def choose_push_topics(*, user_id: int, topics: Iterable[str], among: Collection[Topic] = tuple(Topic)) -> None:
    """Save on which topics devices are notified; `among` are the topics that were offered."""
    PushSilence.objects.filter(user_id=user_id, topic__in=among).delete()
    silent = [topic for topic in among if topic.value not in set(topics)]
    PushSilence.objects.bulk_create(
        [PushSilence(user_id=user_id, topic=topic) for topic in silent], ignore_conflicts=True
    )


@transaction.atomic
def turn_off_mail(*, user_id: int, topic: str) -> None:
    """Turn off emails on this topic from all games, or the daily digest (DAILY_DIGEST)."""
    rows = NotificationChoice.objects.filter(user_id=user_id)
    if topic == DAILY_DIGEST:
        rows.filter(mail=Mail.DAILY).update(mail=Mail.OFF)
        return
    rows.filter(topic=topic, game__isnull=False).update(mail="")
    choose_mail(user_id=user_id, mail={Topic(topic): Mail.OFF})


def _signer() -> Signer:
    return Signer(salt="games.unsubscribe", sep=".")


def unsubscribe_secret(user_id: int, topic: str) -> str:
    """The end of this user's unsubscribe link for a topic. It is signed, so no table has to hold it."""
    return _signer().sign(f"{user_id}-{topic}")


def user_and_topic_of(text: str) -> tuple[int, str] | None:
    """The user and the topic (or DAILY_DIGEST) of an unsubscribe link's secret; None if it isn't one of ours."""
    try:
        user_id, topic = _signer().unsign(text).split("-")
    except (BadSignature, ValueError):
        return None
    is_ours = topic in {*Topic.values, DAILY_DIGEST} and get_user_model().objects.filter(pk=user_id).exists()
    return (int(user_id), topic) if is_ours else None


def next_digest_time(hour: int, zone: str, now: datetime) -> datetime:
    """The next time it is this hour in this zone."""
    place = ZoneInfo(zone)
    day = now.astimezone(place).date()
    today = at_wall_time(day, time(hour), place)
    return today if today > now else at_wall_time(day + ONE_DAY, time(hour), place)


def lock_digest(user_id: int) -> DailyLetter:
    """This user's daily digest, locked until the transaction ends."""
    DailyLetter.objects.get_or_create(user_id=user_id)
    return DailyLetter.objects.select_for_update(of=("self",)).select_related("user").get(user_id=user_id)
