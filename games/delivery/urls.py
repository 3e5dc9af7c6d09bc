"""The addresses of notifications, feeds and webhooks."""

from django.urls import path
from django.views.decorators.http import require_safe

from games.delivery import views
from games.delivery.feeds import GameFeed, LobbyFeed, TournamentFeed
from games.kernel.limits import FEEDS, rate_limited

urlpatterns = [
    path("games/feed.atom", require_safe(rate_limited("feeds", FEEDS)(LobbyFeed())), name="lobby-feed"),
    path("games/<slug:slug>/feed.atom", require_safe(rate_limited("feeds", FEEDS)(GameFeed())), name="game-feed"),
    path(
        "tournaments/<slug:slug>/feed.atom",
        require_safe(rate_limited("feeds", FEEDS)(TournamentFeed())),
        name="tournament-feed",
    ),
    path("games/<slug:slug>/webhooks/", views.webhooks, name="webhooks"),
    path("games/<slug:slug>/webhooks/<int:number>/test/", views.send_test, name="test-webhook"),
    path("games/<slug:slug>/webhooks/<int:number>/reminders/", views.reminders, name="webhook-reminders"),
    path("games/<slug:slug>/webhooks/<int:number>/remove/", views.remove, name="remove-webhook"),
    path("worker.js", views.worker, name="worker"),
    path("notifications/", views.inbox, name="notices"),
    path("notifications/bell/", views.bell, name="bell"),
    path("notifications/read/", views.read, name="read-notices"),
    path("notifications/settings/", views.choices, name="notify"),
    path("notifications/devices/", views.push_on, name="push-on"),
    path("notifications/devices/kinds/", views.push_topics, name="push-topics"),
    path("notifications/devices/off/", views.push_off, name="push-off"),
    path("games/<slug:slug>/notifications/", views.choices_for_game, name="notify-game"),
    path("unsubscribe/<str:secret>/", views.unsubscribe, name="unsubscribe"),
]
