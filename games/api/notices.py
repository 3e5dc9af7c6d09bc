"""What the site has told a user."""

from typing import Any

from django.conf import settings
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.serializers import Done, sent_as
from games.api.views import Endpoint
from games.news.inbox import count_unseen, mark_one_seen, mark_seen, notices
from games.people.models import Scope

UNTIL = OpenApiParameter("until", str, description="A moment: show only what was written up to it.")


class UntilInput(serializers.Serializer[Any]):
    until = serializers.DateTimeField(required=False, default=None)


class ReadInput(serializers.Serializer[Any]):
    """Without a key, everything is marked as read."""

    key = serializers.CharField(required=False, default="", allow_blank=True, help_text="The `key` of one notice.")
    until = serializers.DateTimeField(
        required=False, default=None, help_text="The page on which that notice is, as you asked for it."
    )


class Notice(serializers.Serializer[Any]):
    """One thing that you were told."""

    key = serializers.CharField(help_text="Identifies it among your own.")
    at = serializers.DateTimeField(help_text="When it was written.")
    game = serializers.CharField(help_text="The name of the game.")
    sentence = serializers.CharField(help_text="What you were told.")
    address = serializers.SerializerMethodField(help_text="The page it leads to.")
    seen = serializers.BooleanField(help_text="Whether it has been read.")

    def get_address(self, line: Any) -> str:
        return f"{settings.SITE_ADDRESS}{line.address}"


class NoticesView(serializers.Serializer[Any]):
    """What you were told, newest first."""

    unread = serializers.IntegerField(help_text="How many are unread, on all pages together.")
    lines = Notice(many=True, help_text="The notices of this page.")
    older = serializers.DateTimeField(allow_null=True, help_text="Send it as `until` for more; null at the end.")


class NoticesAnswer(Endpoint):
    @extend_schema(operation_id="notices", parameters=[UNTIL], responses=NoticesView)
    def get(self, request: Request) -> Response:
        """Your notifications, newest first. Reading them here marks nothing as read."""
        if request.user.pk is None:
            raise NotAuthenticated
        page = notices(request.user, sent_as(UntilInput, request.query_params)["until"])
        shown = {"unread": count_unseen(request.user.pk), "lines": page.lines, "older": page.older}
        return Response(NoticesView(shown).data)


class ReadAnswer(Endpoint):
    scope = Scope.NEWS

    @extend_schema(operation_id="mark_read", request=ReadInput, responses=Done)
    def post(self, request: Request) -> Response:
        """Mark everything as read, or the one notice with this key."""
        assert request.user.pk is not None, "strangers may only read"
        sent = sent_as(ReadInput, request.data)
        if not sent["key"]:
            mark_seen(request.user.pk)
            return Response(Done({"done": "read"}).data)
        lines = notices(request.user, sent["until"]).lines
        line = next((line for line in lines if line.key == sent["key"]), None)
        if line is None:
            raise Http404
        mark_one_seen(line)
        return Response(Done({"done": "read"}).data)
