"""The addresses of the pages."""

from django.urls import path

from games.views import game, game_master, history, lobby, orders, people, press, tutorial, variants, whatif

app_name = "games"

urlpatterns = [
    path("", lobby.home, name="home"),
    path("theme/", people.theme, name="theme"),
    path("profile/", people.profile, name="profile"),
    path("variants/", variants.variants, name="variants"),
    path("variants/<slug:slug>/", variants.variant, name="variant"),
    path("learn/", tutorial.learn, name="learn"),
    path("learn/<int:number>/", tutorial.lesson, name="lesson"),
    path("learn/orders/<slug:form>/", tutorial.order_form, name="order-form"),
    path("invitations/<str:token>/", lobby.invited, name="invited"),
    path("games/", lobby.games, name="lobby"),
    path("new-game/", lobby.create, name="create"),
    path("games/<slug:slug>/", game.game, name="game"),
    path("games/<slug:slug>/pulse/", game.pulse, name="pulse"),
    path("games/<slug:slug>/phases/<int:ordinal>/", game.phase, name="phase"),
    path("games/<slug:slug>/phases/<int:ordinal>/print/", history.printed, name="print"),
    path("games/<slug:slug>/phases/<int:ordinal>/map.svg", history.drawn, name="map"),
    path("games/<slug:slug>/phases/<int:ordinal>/map.png", history.picture, name="picture"),
    path("games/<slug:slug>/phases/<int:ordinal>/card.png", history.card, name="card"),
    path("games/<slug:slug>/history/", history.history, name="history"),
    path("games/<slug:slug>/try/", whatif.whatif, name="whatif"),
    path("games/<slug:slug>/seat/", game.seat, name="seat"),
    path("games/<slug:slug>/leave/", game.leave, name="leave"),
    path("games/<slug:slug>/take-over/", game.take_over, name="take-over"),
    path("games/<slug:slug>/orders/", orders.orders, name="orders"),
    path("games/<slug:slug>/orders/read/", orders.read, name="read"),
    path("games/<slug:slug>/orders/ready/", orders.ready, name="ready"),
    path("games/<slug:slug>/talk/", press.talk, name="talk"),
    path("games/<slug:slug>/talk/unread/", press.unread, name="unread"),
    path("games/<slug:slug>/talk/<str:address>/", press.thread, name="thread"),
    path("games/<slug:slug>/talk/<str:address>/new/", press.messages, name="messages"),
    path("games/<slug:slug>/gm/", game_master.desk, name="gm"),
    path("games/<slug:slug>/gm/extend/", game_master.extend, name="extend"),
    path("games/<slug:slug>/gm/seat/", game_master.seat_player, name="seat-player"),
    path("games/<slug:slug>/gm/close/", game_master.close, name="close"),
    path("games/<slug:slug>/gm/disorder/<str:power>/", game_master.civil_disorder, name="disorder"),
    path("games/<slug:slug>/gm/bids/<int:ordinal>/", game_master.bids, name="bids"),
    path("games/<slug:slug>/gm/<slug:verb>/", game_master.act, name="act"),
]
