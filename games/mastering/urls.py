"""The addresses of the game master's desk."""

from django.urls import path

from games.kernel.once import once_per_page
from games.mastering.views import correcting, desk

urlpatterns = [
    path("games/<slug:slug>/gm/invite/", desk.send, {"name": "invite"}, name="invite"),
    path("games/<slug:slug>/gm/", desk.desk, name="gm"),
    path("games/<slug:slug>/gm/extend/", desk.send, {"name": "extend"}, name="extend"),
    path("games/<slug:slug>/gm/seat/", desk.send, {"name": "seat"}, name="seat-player"),
    path("games/<slug:slug>/gm/close/", desk.close, name="close"),
    path("games/<slug:slug>/gm/disorder/<str:power>/", desk.civil_disorder, name="disorder"),
    path("games/<slug:slug>/gm/bids/<int:ordinal>/", desk.bids, name="bids"),
    path("games/<slug:slug>/gm/bids/", desk.bids, name="all-bids"),
    path("games/<slug:slug>/gm/mail/", desk.send, {"name": "mail"}, name="mail-invitation"),
    path("games/<slug:slug>/gm/place/", desk.send, {"name": "place"}, name="place-player"),
    path("games/<slug:slug>/gm/remove/", desk.send, {"name": "remove"}, name="remove-player"),
    path("games/<slug:slug>/gm/empty/", desk.send, {"name": "empty"}, name="empty-seat"),
    path("games/<slug:slug>/gm/seat/back/", desk.send, {"name": "give_back"}, name="give-seat-back"),
    path("games/<slug:slug>/gm/bot/", desk.send, {"name": "bot"}, name="seat-bot"),
    path("games/<slug:slug>/gm/bot/out/", desk.send, {"name": "bot_out"}, name="take-bot-out"),
    path("games/<slug:slug>/gm/preview/", desk.preview, name="preview"),
    path("games/<slug:slug>/gm/phases/", correcting.to_chosen_phase, name="choose-phase"),
    path("games/<slug:slug>/gm/back/<int:ordinal>/", correcting.roll_back, name="back"),
    path("games/<slug:slug>/gm/orders/<int:ordinal>/", correcting.choose_orders, name="choose-orders"),
    path("games/<slug:slug>/gm/orders/<int:ordinal>/<str:power>/", correcting.correct, name="correct"),
    path("games/<slug:slug>/gm/position/", correcting.position, name="position"),
    path("games/<slug:slug>/undone/", correcting.undone, name="undone"),
    path("games/<slug:slug>/gm/hand-over/", desk.hand_over, name="hand-over"),
    path("games/<slug:slug>/hand-over/", desk.take_game, name="take-game"),
    path("games/<slug:slug>/gm/saved/", desk.missing, name="missing"),
    path("games/<slug:slug>/gm/remind/", desk.remind, name="remind"),
    path("games/<slug:slug>/gm/assistants/", desk.name_assistant, name="assistants"),
    path("games/<slug:slug>/gm/step-down/", desk.step_down, name="step-down"),
    path("games/<slug:slug>/assist/", desk.assist, name="assist"),
    path("games/<slug:slug>/gm/<slug:verb>/", desk.act, name="act"),
]

for pattern in urlpatterns:
    pattern.callback = once_per_page(pattern.callback)
