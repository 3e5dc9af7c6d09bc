"""What is new: the changes in all games of a user, the stream of events, a user's notifications, and the webhooks to
which news of games is posted."""

from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from games.api.answers import Done, NewWebhook, NotificationPage, Stream, WebhookPage
from games.api.endpoint import INVITATION, Endpoint, caller_id, done_answer, game_access, operation
from games.api.from_views import answer_class
from games.api.inputs import Input, MomentField, checked_input
from games.api.lists import on_one_page
from games.delivery import webhooks as hooks
from games.delivery.inbox import count_unseen, mark_one_seen, mark_seen, notice_page
from games.delivery.outbound import LONGEST_ADDRESS
from games.kernel.access import access_game
from games.kernel.languages import later
from games.kernel.live_tickets import PUBLIC, channel_of_user, ticket_for
from games.news.models import PostForm
from games.pages.changes import LONGEST_MARK, MOST_GAMES, Changes, changes_since, current_games
from games.pages.queries import GameLists
from games.people.models import Scope

SINCE = OpenApiParameter("since", str, description="The mark of an earlier answer; without it, everything is new.")
GAME = OpenApiParameter("game", str, description="The slug of one game, in place of all your own.")
GAMES = OpenApiParameter("game", str, many=True, description="The slugs of games, in place of all your own.")


class ChangesInput(Input):
    since = serializers.RegexField(
        rf"^[A-Za-z0-9_-]{{0,{LONGEST_MARK}}}\Z",
        default="",
        allow_blank=True,
        error_messages={"invalid": later("This is no mark. Send the `mark` of an earlier answer, or nothing.")},
    )
    game = serializers.CharField(default="", allow_blank=True)


class EventsInput(Input):
    game = serializers.ListField(child=serializers.CharField(), max_length=MOST_GAMES)


class ChangesAnswer(Endpoint):
    @operation(operation_id="changes", parameters=[SINCE, GAME, INVITATION], responses=answer_class(Changes))
    def get(self, request: Request) -> Response:
        """What has changed since a mark, in all your games or in one that you may see. Games that are over stay in the
        list for a week. Ask again with the new mark: whatever changed in between is in the next answer."""
        query = checked_input(ChangesInput, request.query_params)
        game = game_access(request, query["game"]) if query["game"] else None
        if game is None and not request.user.is_authenticated:
            raise NotAuthenticated
        return Response(answer_class(Changes)(changes_since(query["since"], request.user, game)).data)


class EventsAnswer(Endpoint):
    @operation(operation_id="events", parameters=[GAMES, INVITATION], responses=Stream)
    def get(self, request: Request) -> Response:
        """The address of a stream of server-sent events for your own games and public games that begin, or only for the
        games that you name.

        `GET /events/` with your token in its header opens the same stream directly. It begins with `event: hello` and
        the slugs of your games, and then sends `{"game": slug, "version": version}` whenever anything public changes in
        one of them or in one that you join meanwhile, and when a public game begins. If there is none yet, it waits.
        Ask for the changes then. It ends after ten minutes. Open it again, and ask for the changes once.
        """
        slugs_asked = checked_input(EventsInput, {"game": request.query_params.getlist("game")})["game"]
        slugs = [game_access(request, slug).slug for slug in slugs_asked]
        channels = slugs
        if not slugs_asked:
            own = [channel_of_user(request.user.pk)] if request.user.is_authenticated else []
            slugs = (
                list(current_games(GameLists(request.user)).values_list("slug", flat=True)[:MOST_GAMES]) if own else []
            )
            channels = [*slugs, *own, PUBLIC]
        ticket = ticket_for(*channels)
        stream = f"{settings.SITE_ADDRESS}{reverse('events')}?{urlencode({'ticket': ticket})}"
        return Response(Stream({"games": slugs, "ticket": ticket, "stream": stream}).data)


UNTIL = OpenApiParameter("until", str, description="A moment: show only what was written up to it.")


class UntilInput(Input):
    until = MomentField(required=False, default=None)


class ReadInput(Input):
    """Without a key, everything is marked as read."""

    key = serializers.CharField(required=False, default="", allow_blank=True)
    until = MomentField(required=False, default=None)


class NoticesAnswer(Endpoint):
    @operation(operation_id="notices", parameters=[UNTIL], responses=NotificationPage)
    def get(self, request: Request) -> Response:
        """Your notifications, newest first. Reading them here marks nothing as read."""
        user_id = caller_id(request)
        page = notice_page(request.user, checked_input(UntilInput, request.query_params)["until"])
        here = settings.SITE_ADDRESS + request.path
        answer = {
            "next": replace_query_param(here, "until", page.older.isoformat()) if page.older else None,
            "previous": None,
            "unread": count_unseen(user_id),
            "results": page.lines,
        }
        return Response(NotificationPage(answer).data)


class ReadAnswer(Endpoint):
    scope = Scope.NEWS
    bots_may = True

    @operation(operation_id="mark_read", request=ReadInput, responses=Done)
    def post(self, request: Request) -> Response:
        """Mark everything as read, or the one notice with this key."""
        data = checked_input(ReadInput, request.data)
        if not data["key"]:
            mark_seen(caller_id(request))
            return done_answer("read")
        lines = notice_page(request.user, data["until"]).lines
        line = next((line for line in lines if line.key == data["key"]), None)
        if line is None:
            raise Http404
        mark_one_seen(line)
        return done_answer("read")


class WebhookInput(Input):
    """Where to post what."""

    game = serializers.CharField()
    address = serializers.CharField(max_length=LONGEST_ADDRESS)
    form = serializers.ChoiceField(PostForm.choices, default=PostForm.JSON)
    reminders = serializers.BooleanField(default=False)


class RemindersInput(Input):
    reminders = serializers.BooleanField()


class WebhooksAnswer(Endpoint):
    scope = Scope.NEWS
    bots_may = True

    @operation(operation_id="webhooks", responses=WebhookPage)
    def get(self, request: Request) -> Response:
        """Your webhooks with their newest attempts, the oldest webhook first."""
        return Response(WebhookPage(on_one_page(hooks.webhooks_of(caller_id(request)))).data)

    @operation(operation_id="add_webhook", request=WebhookInput, responses={201: NewWebhook})
    def post(self, request: Request) -> Response:
        """Have the public news of a game posted to an address of yours from now on.

        With the form `json`, a post is an object with `id`, `event` (`news`, `reminder` or `test`), `at`, `game` (its
        slug, name and address), `lines`, each with its `kind`, `sentence` and, for a result, the `ordinal` of its
        phase, and the `deadline` that a reminder is about. Posts are signed as Standard Webhooks says:
        `Webhook-Signature` is "v1," and the HMAC-SHA256, in base64, of `Webhook-Id`, `Webhook-Timestamp` and the body,
        joined by dots; the key is the secret after "whsec_", from base64. A post that is not answered with 2xx is
        repeated, with the same id, up to 8 times.
        """
        sent = checked_input(WebhookInput, request.data)
        access = access_game(user=request.user, slug=sent["game"])
        wanted = {name: sent[name] for name in ("address", "form", "reminders")}
        number, secret = hooks.add_webhook(game_id=access.game_id, user_id=caller_id(request), **wanted)
        return Response(NewWebhook({"number": number, "secret": secret}).data, status=201)


class WebhookAnswer(Endpoint):
    scope = Scope.NEWS
    bots_may = True

    @operation(operation_id="webhook", responses=answer_class(hooks.WebhookView))
    def get(self, request: Request, number: int) -> Response:
        """One of your webhooks, with its newest attempts."""
        hook = next((hook for hook in hooks.webhooks_of(caller_id(request)) if hook.number == number), None)
        if hook is None:
            raise Http404
        return Response(answer_class(hooks.WebhookView)(hook).data)

    @operation(operation_id="choose_reminders", request=RemindersInput, responses=Done)
    def patch(self, request: Request, number: int) -> Response:
        """Post reminders of deadlines there as well, or no more."""
        hooks.choose_reminders(user_id=caller_id(request), number=number, **checked_input(RemindersInput, request.data))
        return done_answer("changed")

    @operation(operation_id="remove_webhook", request=None, responses=Done)
    def delete(self, request: Request, number: int) -> Response:
        """Post nothing there any more."""
        hooks.remove_webhook(user_id=caller_id(request), number=number)
        return done_answer("removed")


class TestAnswer(Endpoint):
    scope = Scope.NEWS
    bots_may = True

    @operation(operation_id="test_webhook", request=None, responses={202: Done})
    def post(self, request: Request, number: int) -> Response:
        """Have a test posted within seconds; the attempts of the webhook will show the answer. If it arrives, a webhook
        that had stopped goes on."""
        hooks.ask_for_test(user_id=caller_id(request), number=number)
        return done_answer("asked for", status=202)
