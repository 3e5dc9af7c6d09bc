"""The addresses of games against bots."""

from django.urls import path

from games.practice import views

urlpatterns = [
    path("play/", views.play, name="play"),
    path("games/<slug:slug>/delete/", views.delete, name="delete-practice"),
]
