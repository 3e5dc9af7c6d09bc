"""The addresses of files, and of the page that takes them."""

from django.urls import path

from games.travel import views

urlpatterns = [
    path("add-a-game/", views.add, name="add-game"),
    path("games/<slug:slug>/export/<slug:form>/", views.export, name="export"),
]
