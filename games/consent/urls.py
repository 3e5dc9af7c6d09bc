"""The addresses of agreeing to something that the game master asks for."""

from django.urls import path

from games.consent import views

urlpatterns = [
    path("games/<slug:slug>/requests/", views.consent, name="consent"),
    path("games/<slug:slug>/requests/<int:number>/", views.answer_or_withdraw, name="answer-consent"),
]
