"""The addresses of seats."""

from django.urls import path

from games.kernel.once import once
from games.seating.views import joining, mailed, sitting, vacancies

urlpatterns = [
    path("seats/", vacancies.seats, name="seats"),
    path("seats/standby/", vacancies.standby, name="standby"),
    path("games/<slug:slug>/seats/<str:power>/", vacancies.vacant, name="vacant"),
    path("sitting/", sitting.sitting, name="sitting"),
    path("sitting/<int:number>/", sitting.answer, name="answer-sitting"),
    path("games/<slug:slug>/sitter/", sitting.sitter, name="sitter"),
    path("games/<slug:slug>/sitter/gm/", sitting.gm_enters, name="gm-enters"),
    path("games/<slug:slug>/resign/", vacancies.resign, name="resign"),
    path("games/<slug:slug>/come-back/", vacancies.come_back, name="come-back"),
    path("games/<slug:slug>/offer/", vacancies.offer, name="offer"),
    path("games/<slug:slug>/gm/approaches/", once(vacancies.answer), name="answer-approach"),
    path("invitations/by-email/<name:token>/", mailed.mailed, name="mailed"),
    path("invitations/never/<str:secret>/", mailed.never, name="never-invite"),
    path("games/<slug:slug>/terms/", joining.terms, name="terms"),
    path("games/<slug:slug>/seat/", joining.seat, name="seat"),
    path("games/<slug:slug>/own-bot/", joining.own_bot, name="own-bot"),
    path("games/<slug:slug>/ask/", joining.ask, name="ask"),
    path("games/<slug:slug>/ask/back/", joining.take_back, name="unask"),
    path("games/<slug:slug>/confirm/", joining.confirm, name="confirm"),
    path("games/<slug:slug>/gm/requests/", once(joining.answer), name="answer"),
]
