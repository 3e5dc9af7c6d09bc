"""A user's webhooks: where the news of games is posted, signed."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.serializers import Done, sent_as
from games.api.views import Endpoint
from games.kernel.access import access_game
from games.news.models import PostForm
from games.news.outbound import LONGEST_ADDRESS
from games.news.webhooks import add_webhook, ask_for_test, remove_webhook, webhooks_of
from games.people.models import Scope


class WebhookInput(serializers.Serializer[Any]):
    """Where to post what."""

    game = serializers.CharField(help_text="The slug of the game.")
    address = serializers.CharField(max_length=LONGEST_ADDRESS, help_text="A public address that begins with https://.")
    form = serializers.ChoiceField(
        PostForm.choices, default=PostForm.JSON, help_text="`json` for a program, `chat` for Discord."
    )


class Delivery(serializers.Serializer[Any]):
    """One attempt to post."""

    at = serializers.DateTimeField(help_text="When it was made.")
    test = serializers.BooleanField(help_text="Whether it was a test that you asked for.")
    status = serializers.IntegerField(allow_null=True, help_text="The status of the answer; null without an answer.")
    answer = serializers.CharField(help_text="The beginning of the answer, or why there was none.")


class WebhookView(serializers.Serializer[Any]):
    """One of your webhooks."""

    number = serializers.IntegerField(help_text="Identifies it.")
    slug = serializers.CharField(help_text="The game whose news is posted.")
    address = serializers.CharField(help_text="Where it is posted.")
    form = serializers.ChoiceField(PostForm.choices, help_text="What is posted.")
    failures = serializers.IntegerField(help_text="How many attempts in a row have failed.")
    stopped = serializers.BooleanField(help_text="Too many have failed. A test that arrives starts it again.")
    deliveries = Delivery(many=True, help_text="The newest attempts first.")


class NewWebhook(serializers.Serializer[Any]):
    """A webhook that was just added."""

    number = serializers.IntegerField(help_text="Identifies it.")
    secret = serializers.CharField(help_text="Signs the posts. It is not shown again.")


class WebhooksAnswer(Endpoint):
    scope = Scope.NEWS

    @extend_schema(operation_id="webhooks", responses=WebhookView(many=True))
    def get(self, request: Request) -> Response:
        """Your webhooks with their newest attempts, the oldest webhook first."""
        return Response(WebhookView(webhooks_of(_caller(request)), many=True).data)

    @extend_schema(operation_id="add_webhook", request=WebhookInput, responses={201: NewWebhook})
    def post(self, request: Request) -> Response:
        """Have the public news of a game posted to an address of yours from now on.

        With the form `json`, a post is an object with `id`, `event` (`news` or `test`), `at`, `game` (its slug, name
        and address) and `lines`, each with its `kind`, `sentence` and, for a result, the `ordinal` of its phase. Posts
        are signed as Standard Webhooks says: `Webhook-Signature` is "v1," and the HMAC-SHA256, in base64, of
        `Webhook-Id`, `Webhook-Timestamp` and the body, joined by dots; the key is the secret after "whsec_", from
        base64. A post that is not answered with 2xx is repeated, with the same id, up to 8 times.
        """
        sent = sent_as(WebhookInput, request.data)
        access = access_game(user=request.user, slug=sent["game"])
        number, secret = add_webhook(
            game_id=access.game_id, user_id=_caller(request), address=sent["address"], form=sent["form"]
        )
        return Response(NewWebhook({"number": number, "secret": secret}).data, status=201)


class WebhookAnswer(Endpoint):
    scope = Scope.NEWS

    @extend_schema(operation_id="webhook", responses=WebhookView)
    def get(self, request: Request, number: int) -> Response:
        """One of your webhooks, with its newest attempts."""
        hook = next((hook for hook in webhooks_of(_caller(request)) if hook.number == number), None)
        if hook is None:
            raise Http404
        return Response(WebhookView(hook).data)

    @extend_schema(operation_id="remove_webhook", request=None, responses=Done)
    def delete(self, request: Request, number: int) -> Response:
        """Post nothing there any more."""
        remove_webhook(user_id=_caller(request), number=number)
        return Response(Done({"done": "removed"}).data)


class TestAnswer(Endpoint):
    scope = Scope.NEWS

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
