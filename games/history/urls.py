"""The addresses of the history of a game."""

from django.urls import path

from games.history import views

urlpatterns = [
    path("games/<slug:slug>/phases/<int:ordinal>/print/", views.printed, name="print"),
    path("games/<slug:slug>/phases/<int:ordinal>/map.svg", views.map_as_svg, name="map"),
    path("games/<slug:slug>/phases/<int:ordinal>/map.png", views.map_as_png, name="picture"),
    path("games/<slug:slug>/phases/<int:ordinal>/card.png", views.card, name="card"),
    path("games/<slug:slug>/map.svg", views.newest_map, {"kind": "image/svg+xml"}, name="newest-map"),
    path("games/<slug:slug>/map.png", views.newest_map, {"kind": "image/png"}, name="newest-picture"),
    path("games/<slug:slug>/history/", views.history, name="history"),
]
