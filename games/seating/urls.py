"""The addresses of seats."""

from django.urls import path

from games.kernel.once import once_per_page
from games.seating import views

urlpatterns = [
    path("quick-game/", views.quick, name="quick"),
    path("seats/", views.seats, name="seats"),
    path("seats/standby/", views.standby, name="standby"),
    path("games/<slug:slug>/seats/<str:power>/", views.vacant, name="vacant"),
    path("sitting/", views.sittings, name="sitting"),
    path("sitting/<int:number>/", views.answer_sitter, name="answer-sitting"),
    path("games/<slug:slug>/sitter/", views.sitter, name="sitter"),
    path("games/<slug:slug>/sitter/gm/", views.gm_enters, name="gm-enters"),
    path("games/<slug:slug>/resign/", views.resign, name="resign"),
    path("games/<slug:slug>/come-back/", views.come_back, name="come-back"),
    path("games/<slug:slug>/offer/", views.offer, name="offer"),
    path("games/<slug:slug>/gm/approaches/", once_per_page(views.answer_approach), name="answer-approach"),
    path("invitations/by-email/<name:token>/", views.mailed, name="mailed"),
    path("invitations/never/<str:secret>/", views.never, name="never-invite"),
    path("games/<slug:slug>/terms/", views.terms, name="terms"),
    path("games/<slug:slug>/seat/", views.seat, name="seat"),
    path("games/<slug:slug>/own-bot/", views.own_bot, name="own-bot"),
    path("games/<slug:slug>/ask/", views.ask, name="ask"),
    path("games/<slug:slug>/ask/back/", views.take_back, name="unask"),
    path("games/<slug:slug>/rematch/", views.rematch, name="rematch"),
    path("games/<slug:slug>/confirm/", views.confirm, name="confirm"),
    path("games/<slug:slug>/gm/requests/", once_per_page(views.answer_request), name="answer"),
]
