"""What the site has told a user."""

from typing import Any

from django.conf import settings
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from games.api.answers import Done, NotificationPage
from games.api.endpoint import Endpoint
from games.api.inputs import sent_as
from games.delivery.inbox import count_unseen, mark_one_seen, mark_seen, notices
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


class NoticesAnswer(Endpoint):
    @extend_schema(operation_id="notices", parameters=[UNTIL], responses=NotificationPage)
    def get(self, request: Request) -> Response:
        """Your notifications, newest first. Reading them here marks nothing as read."""
        if request.user.pk is None:
            raise NotAuthenticated
        page = notices(request.user, sent_as(UntilInput, request.query_params)["until"])
        here = settings.SITE_ADDRESS + request.path
        shown = {
            "next": replace_query_param(here, "until", page.older.isoformat()) if page.older else None,
            "previous": None,
            "unread": count_unseen(request.user.pk),
            "results": page.lines,
        }
        return Response(NotificationPage(shown).data)


class ReadAnswer(Endpoint):
    scope = Scope.NEWS
    bots_may = True

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
