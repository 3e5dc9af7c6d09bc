"""The addresses of the game master's desk."""

from django.urls import path

from games.kernel.once import once_per_page
from games.mastering.acts import WITH_BUTTON
from games.mastering.views import correcting, desk

FORMER_ADDRESSES = {
    "assistants": "name_assistant",
    "bot": "seat_bot",
    "bot/out": "take_bot_out",
    "cancel-roll-call": "cancel_roll_call",
    "hand-over": "hand_over",
    "roll-call": "start",
    "seat/back": "give_back",
    "start-anyway": "start_anyway",
}
"""Where pages send acts that were open before this version: until the next release."""

urlpatterns = [
    path("games/<slug:slug>/gm/", desk.desk, name="gm"),
    path("games/<slug:slug>/gm/close/", desk.close, name="close"),
    path("games/<slug:slug>/gm/disorder/<str:power>/", desk.civil_disorder, name="disorder"),
    path("games/<slug:slug>/gm/bids/<int:ordinal>/", desk.bids, name="bids"),
    path("games/<slug:slug>/gm/bids/", desk.bids, name="all-bids"),
    path("games/<slug:slug>/gm/preview/", desk.preview, name="preview"),
    path("games/<slug:slug>/gm/phases/", correcting.to_chosen_phase, name="choose-phase"),
    path("games/<slug:slug>/gm/back/<int:ordinal>/", correcting.roll_back, name="back"),
    path("games/<slug:slug>/gm/orders/<int:ordinal>/", correcting.choose_orders, name="choose-orders"),
    path("games/<slug:slug>/gm/orders/<int:ordinal>/<str:power>/", correcting.correct, name="correct"),
    path("games/<slug:slug>/gm/position/", correcting.position, name="position"),
    path("games/<slug:slug>/undone/", correcting.undone, name="undone"),
    path("games/<slug:slug>/hand-over/", desk.take_game, name="take-game"),
    path("games/<slug:slug>/gm/saved/", desk.missing, name="missing"),
    path("games/<slug:slug>/gm/step-down/", desk.step_down, name="step-down"),
    path("games/<slug:slug>/assist/", desk.assist, name="assist"),
    *(path(f"games/<slug:slug>/gm/{verb}/", desk.do, {"verb": verb}, name=f"gm-{verb}") for verb in WITH_BUTTON),
    *(
        path(f"games/<slug:slug>/gm/{old}/", desk.do, {"verb": verb}, name=f"gm-from-{old.replace('/', '-')}")
        for old, verb in FORMER_ADDRESSES.items()
    ),
]

for pattern in urlpatterns:
    pattern.callback = once_per_page(pattern.callback)
