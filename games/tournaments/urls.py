"""The addresses of series."""

from django.urls import path

from games.kernel.once import once_per_page
from games.tournaments import views

urlpatterns = [
    path("tournaments/", views.tournaments, name="tournaments"),
    path("tournaments/new/", once_per_page(views.new), name="new-tournament"),
    path("tournaments/<slug:slug>/", views.tournament, name="tournament"),
    path("tournaments/<slug:slug>/standings.csv", views.standings, name="standings"),
    path("tournaments/<slug:slug>/edit/", views.edit, name="edit-tournament"),
    path("tournaments/<slug:slug>/publish/", views.publish, name="publish-tournament"),
    path("tournaments/<slug:slug>/delete/", views.delete, name="delete-tournament"),
    path("tournaments/<slug:slug>/directors/", views.directors, name="directors"),
    path("tournaments/<slug:slug>/games/", views.games, name="tournament-games"),
]
