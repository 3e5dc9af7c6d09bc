"""A user's webhooks: where the news of games is posted, signed."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.answers import Done, NewWebhook, WebhookPage
from games.api.endpoint import Endpoint
from games.api.from_views import answer_of
from games.api.inputs import sent_as
from games.api.lists import whole
from games.delivery.outbound import LONGEST_ADDRESS
from games.delivery.webhooks import (
    WebhookView,
    add_webhook,
    ask_for_test,
    choose_reminders,
    remove_webhook,
    webhooks_of,
)
from games.kernel.access import access_game
from games.news.models import PostForm
from games.people.models import Scope


class WebhookInput(serializers.Serializer[Any]):
    """Where to post what."""

    game = serializers.CharField(help_text="The slug of the game.")
    address = serializers.CharField(max_length=LONGEST_ADDRESS, help_text="A public address that begins with https://.")
    form = serializers.ChoiceField(
        PostForm.choices, default=PostForm.JSON, help_text="`json` for a program, `chat` for Discord."
    )
    reminders = serializers.BooleanField(default=False, help_text="Also post a reminder before each deadline.")


class RemindersInput(serializers.Serializer[Any]):
    reminders = serializers.BooleanField(help_text="Also post a reminder before each deadline.")


class WebhooksAnswer(Endpoint):
    scope = Scope.NEWS
    bots_may = True

    @extend_schema(operation_id="webhooks", responses=WebhookPage)
    def get(self, request: Request) -> Response:
        """Your webhooks with their newest attempts, the oldest webhook first."""
        return Response(WebhookPage(whole(webhooks_of(_caller(request)))).data)

    @extend_schema(operation_id="add_webhook", request=WebhookInput, responses={201: NewWebhook})
    def post(self, request: Request) -> Response:
        """Have the public news of a game posted to an address of yours from now on.

        With the form `json`, a post is an object with `id`, `event` (`news`, `reminder` or `test`), `at`, `game` (its
        slug, name and address), `lines`, each with its `kind`, `sentence` and, for a result, the `ordinal` of its
        phase, and the `deadline` that a reminder is about. Posts are signed as Standard Webhooks says:
        `Webhook-Signature` is "v1," and the HMAC-SHA256, in base64, of `Webhook-Id`, `Webhook-Timestamp` and the body,
        joined by dots; the key is the secret after "whsec_", from base64. A post that is not answered with 2xx is
        repeated, with the same id, up to 8 times.
        """
        sent = sent_as(WebhookInput, request.data)
        access = access_game(user=request.user, slug=sent["game"])
        wanted = {name: sent[name] for name in ("address", "form", "reminders")}
        number, secret = add_webhook(game_id=access.game_id, user_id=_caller(request), **wanted)
        return Response(NewWebhook({"number": number, "secret": secret}).data, status=201)


class WebhookAnswer(Endpoint):
    scope = Scope.NEWS
    bots_may = True

    @extend_schema(operation_id="webhook", responses=answer_of(WebhookView))
    def get(self, request: Request, number: int) -> Response:
        """One of your webhooks, with its newest attempts."""
        hook = next((hook for hook in webhooks_of(_caller(request)) if hook.number == number), None)
        if hook is None:
            raise Http404
        return Response(answer_of(WebhookView)(hook).data)

    @extend_schema(operation_id="choose_reminders", request=RemindersInput, responses=Done)
    def patch(self, request: Request, number: int) -> Response:
        """Post reminders of deadlines there as well, or no more."""
        choose_reminders(user_id=_caller(request), number=number, **sent_as(RemindersInput, request.data))
        return Response(Done({"done": "changed"}).data)

    @extend_schema(operation_id="remove_webhook", request=None, responses=Done)
    def delete(self, request: Request, number: int) -> Response:
        """Post nothing there any more."""
        remove_webhook(user_id=_caller(request), number=number)
        return Response(Done({"done": "removed"}).data)


class TestAnswer(Endpoint):
    scope = Scope.NEWS
    bots_may = True

    @extend_schema(operation_id="test_webhook", request=None, responses={202: Done})
    def post(self, request: Request, number: int) -> Response:
        """Have a test posted within seconds; the attempts of the webhook will show the answer. If it arrives, a webhook
        that had stopped goes on."""
        ask_for_test(user_id=_caller(request), number=number)
        return Response(Done({"done": "asked for"}).data, status=202)


def _caller(request: Request) -> int:
    if request.user.pk is None:
        raise NotAuthenticated
    return int(request.user.pk)
