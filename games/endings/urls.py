"""The addresses of ending a game by agreement."""

from django.urls import path

from games.endings import views

urlpatterns = [
    path("games/<slug:slug>/proposals/", views.proposals, name="proposals"),
    path("games/<slug:slug>/proposals/<int:number>/vote/", views.vote, name="vote"),
    path("games/<slug:slug>/statement/", views.statement, name="statement"),
]
