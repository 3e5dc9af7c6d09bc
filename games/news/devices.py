"""Turning notices on a device on and off, and choosing their kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account.signals import password_changed, password_reset, password_set
from django.contrib.auth.signals import user_logged_out
from django.db import transaction
from django.dispatch import receiver

from games.kernel import clock
from games.news.choices import keep_choices
from games.news.models import NotificationChoice, Push, PushDevice, PushSilence, Topic

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from django.http import HttpRequest


MOST_DEVICES = 10

SESSION_KEY = "push"


@transaction.atomic
def turn_on(*, user_id: int, endpoint: str, key: str, auth: str) -> int:
    """Tell this person on this device from now on, and nobody else; the device's number.

    With too many devices the oldest ones hear nothing more.
    """
    facts = {"user_id": user_id, "key": key, "auth": auth, "since": clock.now()}
    device, _ = PushDevice.objects.update_or_create(endpoint=endpoint, defaults=facts)
    newest = PushDevice.objects.filter(user_id=user_id).order_by("-since", "-pk")
    too_old = newest.values_list("pk", flat=True)[MOST_DEVICES:]
    PushDevice.objects.filter(pk__in=list(too_old)).delete()
    return device.pk


def turn_off(*, user_id: int, number: int) -> None:
    """No more notices on this device of this person."""
    PushDevice.objects.filter(user_id=user_id, pk=number).delete()


def forget_devices(user_id: int) -> None:
    """No more notices on any device of this person."""
    PushDevice.objects.filter(user_id=user_id).delete()


def devices_of(user_id: int) -> frozenset[int]:
    """The numbers of the devices on which this person is told."""
    return frozenset(PushDevice.objects.filter(user_id=user_id).values_list("pk", flat=True))


def wanted(user_id: int) -> frozenset[Topic]:
    """The kinds of news that this person wants on devices; all, if nothing was chosen."""
    silent = set(PushSilence.objects.filter(user_id=user_id).values_list("topic", flat=True))
    return frozenset(topic for topic in Topic if topic.value not in silent)


def wants(user_id: int, game_id: int, topic: Topic) -> bool:
    """Is this to be told on devices: as chosen for this game, else for all games?"""
    rows = NotificationChoice.objects.filter(user_id=user_id, game_id=game_id, topic=topic).exclude(push="")
    here = rows.values_list("push", flat=True).first()
    return topic in wanted(user_id) if here is None else here == Push.ON


def chosen_here(user_id: int, game_id: int) -> dict[Topic, str]:
    """What stands in the form of one game: "" where it is as in all games."""
    rows = NotificationChoice.objects.filter(user_id=user_id, game_id=game_id)
    return {**dict.fromkeys(Topic, ""), **{Topic(row.topic): row.push for row in rows}}


def choose_here(*, user_id: int, game_id: int, push: Mapping[Topic, str]) -> None:
    """Keep what is wanted on devices in one game, "" for as in all games."""
    keep_choices(user_id, game_id, "push", push)


@transaction.atomic
def choose_topics(*, user_id: int, topics: Iterable[str], among: Collection[Topic] = tuple(Topic)) -> None:
    """Keep which kinds are wanted on devices, `among` those that were offered."""
    PushSilence.objects.filter(user_id=user_id, topic__in=among).delete()
    silent = [topic for topic in among if topic.value not in set(topics)]
    PushSilence.objects.bulk_create(
        [PushSilence(user_id=user_id, topic=topic) for topic in silent], ignore_conflicts=True
    )


def devices_paper(user_id: int) -> dict[str, Any]:
    """What is kept of a person's devices, for the file that people take along."""
    rows = PushDevice.objects.filter(user_id=user_id).order_by("pk")
    silent = [topic.label for topic in Topic if topic not in wanted(user_id)]
    return {
        "told_on": [{"address": row.endpoint, "since": row.since.isoformat()} for row in rows],
        "not_told_there": silent,
    }


@receiver(user_logged_out)
def _signed_out(request: HttpRequest | None, user: Any, **_more: object) -> None:
    """Who signs out of a browser is told nothing there any more."""
    number = request.session.get(SESSION_KEY) if request is not None else None
    if user is not None and number is not None:
        turn_off(user_id=user.pk, number=number)


@receiver([password_changed, password_reset, password_set])
def _signed_out_everywhere(user: Any, **_more: object) -> None:
    """A new password ends all sessions, and what was told on their devices."""
    forget_devices(user.pk)
