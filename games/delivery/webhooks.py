"""The webhooks of users: each posts the public news of one game to an address that a user has chosen."""

import secrets
from base64 import b64encode
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Annotated

from django.db import transaction
from django.http import Http404
from django.utils.translation import gettext as _

from games.delivery.outbound import BadAddress, target_of
from games.delivery.posting import secret_key
from games.kernel import clock
from games.kernel.after_commit import start_task_after_commit
from games.kernel.limits import count_test_post
from games.kernel.locking import lock_account, lock_game_for
from games.kernel.marks import InApi
from games.kernel.models import NOT_OVER
from games.kernel.refusals import NotAllowed, Refusal
from games.kernel.rules import only_while, unless
from games.kernel.standpoint import Standpoint
from games.news.models import PostForm, Webhook

MOST_WEBHOOKS = 20
SHOWN_BEFORE = "whsec_"


class BadWebhook(Refusal):
    """An address we don't post to."""


@dataclass(frozen=True, slots=True)
class DeliveryView:
    """One attempt to post."""

    at: Annotated[datetime, InApi("When it was made.")]
    test: Annotated[bool, InApi("It was a test that you asked for.")]
    status: Annotated[int | None, InApi("The status of the answer; null without an answer.")]
    answer: Annotated[str, InApi("The beginning of the answer, or why there was none.")]

    @property
    def has_arrived(self) -> bool:
        return self.status is not None and 200 <= self.status < 300  # noqa: PLR2004 - what HTTP calls success


@dataclass(frozen=True, slots=True)
class WebhookView:
    """Where the news of a game is posted."""

    number: Annotated[int, InApi("Names it in addresses.")]
    slug: Annotated[str, InApi("The game whose news is posted.")]
    game: str
    address: str
    form: Annotated[str, InApi("json (for a program) or chat (for Discord).")]
    form_title: str
    reminders: Annotated[bool, InApi("Reminders of deadlines are posted as well.")]
    failures: Annotated[int, InApi("How many attempts in a row have failed.")]
    stopped: Annotated[bool, InApi("Too many have failed. A test that arrives starts it again.")]
    deliveries: Annotated[tuple[DeliveryView, ...], InApi("The newest attempts first.")]


@transaction.atomic
def add_webhook(*, game_id: int, user_id: int, address: str, form: str, reminders: bool = False) -> tuple[int, str]:
    """Post the public news of this game there from now on, and `reminders` of its deadlines; return the number of the
    webhook, and its secret, which can't be shown again.

    Raises BadWebhook for an address that nothing may be sent to or that has the game's news already; NotAllowed for
    people outside a game by invitation, and if there are too many.
    """
    here = lock_game_for(game_id, user_id)
    may_add_webhook(here)
    try:
        target_of(address)
    except BadAddress as bad:
        raise BadWebhook(bad.sentence) from bad
    lock_account(user_id)
    hooks, now = Webhook.objects.filter(user_id=user_id), here.now
    too_many = _("You already have {most} webhooks, the most you can have. Remove one first.").format(
        most=MOST_WEBHOOKS
    )
    unless(hooks.count() < MOST_WEBHOOKS, NotAllowed(too_many))
    posted_already = _("This game’s news is already posted to this address. Remove that webhook first.")
    unless(not hooks.filter(game_id=game_id, address=address).exists(), BadWebhook(posted_already))
    hook = Webhook.objects.create(
        user_id=user_id,
        game_id=game_id,
        address=address,
        form=PostForm(form),
        seed=secrets.token_hex(16),
        told_until=now,
        next_try=now,
        reminded_until=now if reminders else None,
    )
    return hook.pk, SHOWN_BEFORE + b64encode(secret_key(hook)).decode()


def may_add_webhook(here: Standpoint) -> None:
    """Allow everyone in public games, but only the people in the game if it is by invitation."""
    only_while(here, NOT_OVER)
    is_in = here.rights or here.user_id in here.members
    outside = _("Only the players and the game master of a game by invitation can have its news posted.")
    unless(is_in or not here.game.by_invitation, NotAllowed(outside))


def ask_for_test(*, user_id: int, number: int) -> None:
    """Post a test to this webhook within seconds; its deliveries will show the answer. If it arrives, a webhook that
    had stopped goes on. Raises Http404 without such a webhook; TooOften."""
    hooks = Webhook.objects.filter(user_id=user_id, pk=number)
    if not hooks.exists():
        raise Http404
    count_test_post(user_id)
    hooks.update(next_test=clock.now())
    start_task_after_commit("games.tasks.tell_outside")


def choose_reminders(*, user_id: int, number: int, reminders: bool) -> None:
    """Post reminders of deadlines there as well from now on, or no more. Raises Http404 without such a webhook."""
    hooks = Webhook.objects.filter(user_id=user_id, pk=number)
    if not hooks.update(reminded_until=clock.now() if reminders else None):
        raise Http404


def remove_webhook(*, user_id: int, number: int) -> None:
    """Remove the webhook. Raises Http404 if there is none with this number."""
    deleted, _rows = Webhook.objects.filter(user_id=user_id, pk=number).delete()
    if not deleted:
        raise Http404


def webhooks_of(user_id: int, game_id: int | None = None) -> tuple[WebhookView, ...]:
    """This user's webhooks, oldest first; with `game_id`, only those of this game."""
    rows = Webhook.objects.filter(user_id=user_id).select_related("game").prefetch_related("deliveries").order_by("pk")
    if game_id is not None:
        rows = rows.filter(game_id=game_id)
    return tuple(
        WebhookView(
            number=row.pk,
            slug=row.game.slug,
            game=row.game.name,
            address=row.address,
            form=row.form,
            form_title=PostForm(row.form).label,
            reminders=row.reminded_until is not None,
            failures=row.failures,
            stopped=row.next_try is None,
            deliveries=tuple(
                DeliveryView(it.at, it.test, it.status, it.answer)
                for it in sorted(row.deliveries.all(), key=attrgetter("pk"), reverse=True)
            ),
        )
        for row in rows
    )
