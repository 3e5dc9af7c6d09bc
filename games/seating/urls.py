"""The addresses of seats."""

from django.urls import path

from games.kernel.once import once_per_page
from games.seating import views

urlpatterns = [
    path("quick-game/", views.quick_game_page, name="quick"),
    path("seats/", views.vacant_seats_page, name="seats"),
    path("seats/standby/", views.standby_page, name="standby"),
    path("games/<slug:slug>/seats/<str:power>/", views.vacant_seat_page, name="vacant"),
    path("sitting/", views.sittings_page, name="sitting"),
    path("sitting/<int:number>/", views.answer_or_end_sitting, name="answer-sitting"),
    path("games/<slug:slug>/sitter/", views.sitter_page, name="sitter"),
    path("games/<slug:slug>/sitter/gm/", views.let_gm_enter, name="gm-enters"),
    path("games/<slug:slug>/resign/", views.resign_page, name="resign"),
    path("games/<slug:slug>/offer/", views.answer_offer, name="offer"),
    path("games/<slug:slug>/gm/approaches/", once_per_page(views.answer_or_withdraw_approach), name="answer-approach"),
    path("invitations/by-email/<name:token>/", views.email_invitation, name="mailed"),
    path("invitations/never/<str:secret>/", views.stop_invitations_to_address, name="never-invite"),
    path("games/<slug:slug>/terms/", views.terms_page, name="terms"),
    path("games/<slug:slug>/seat/", views.join_or_change_wishes, name="seat"),
    path("games/<slug:slug>/rematch/", views.rematch, name="rematch"),
    path("games/<slug:slug>/gm/requests/", once_per_page(views.answer_join_request), name="answer"),
]
