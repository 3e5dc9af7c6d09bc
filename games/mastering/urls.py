"""The addresses of the game master's desk."""

from django.urls import path

from games.kernel.once import once
from games.mastering.views import assistants, correcting, desk, missing, position

urlpatterns = [
    path("games/<slug:slug>/gm/invite/", once(desk.send), {"name": "invite"}, name="invite"),
    path("games/<slug:slug>/gm/", once(desk.desk), name="gm"),
    path("games/<slug:slug>/gm/extend/", once(desk.send), {"name": "extend"}, name="extend"),
    path("games/<slug:slug>/gm/seat/", once(desk.send), {"name": "seat"}, name="seat-player"),
    path("games/<slug:slug>/gm/close/", once(desk.close), name="close"),
    path("games/<slug:slug>/gm/disorder/<str:power>/", once(desk.civil_disorder), name="disorder"),
    path("games/<slug:slug>/gm/bids/<int:ordinal>/", once(desk.bids), name="bids"),
    path("games/<slug:slug>/gm/bids/", once(desk.bids), name="all-bids"),
    path("games/<slug:slug>/gm/mail/", once(desk.send), {"name": "mail"}, name="mail-invitation"),
    path("games/<slug:slug>/gm/place/", once(desk.send), {"name": "place"}, name="place-player"),
    path("games/<slug:slug>/gm/remove/", once(desk.send), {"name": "remove"}, name="remove-player"),
    path("games/<slug:slug>/gm/empty/", once(desk.send), {"name": "empty"}, name="empty-seat"),
    path("games/<slug:slug>/gm/bot/", once(desk.send), {"name": "bot"}, name="seat-bot"),
    path("games/<slug:slug>/gm/bot/out/", once(desk.send), {"name": "bot_out"}, name="take-bot-out"),
    path("games/<slug:slug>/gm/preview/", once(desk.preview), name="preview"),
    path("games/<slug:slug>/gm/phases/", once(desk.choose_phase), name="choose-phase"),
    path("games/<slug:slug>/gm/back/<int:ordinal>/", once(desk.roll_back), name="back"),
    path("games/<slug:slug>/gm/orders/<int:ordinal>/", once(correcting.choose_orders), name="choose-orders"),
    path("games/<slug:slug>/gm/orders/<int:ordinal>/<str:power>/", once(correcting.correct), name="correct"),
    path("games/<slug:slug>/gm/position/", once(position.position), name="position"),
    path("games/<slug:slug>/undone/", once(desk.undone), name="undone"),
    path("games/<slug:slug>/gm/hand-over/", once(desk.hand_over), name="hand-over"),
    path("games/<slug:slug>/hand-over/", once(desk.take_game), name="take-game"),
    path("games/<slug:slug>/gm/saved/", once(missing.missing), name="missing"),
    path("games/<slug:slug>/gm/remind/", once(missing.remind), name="remind"),
    path("games/<slug:slug>/gm/assistants/", once(assistants.name), name="assistants"),
    path("games/<slug:slug>/gm/step-down/", once(assistants.step_down), name="step-down"),
    path("games/<slug:slug>/assist/", once(assistants.assist), name="assist"),
    path("games/<slug:slug>/gm/<slug:verb>/", once(desk.act), name="act"),
]
