"""The addresses of messages, notes and the gallery."""

from django.urls import path

from games.press import views

urlpatterns = [
    path("games/<slug:slug>/notes/", views.notebook, name="notebook"),
    path("games/<slug:slug>/talk/", views.talk, name="talk"),
    path("games/<slug:slug>/gallery/", views.gallery, name="gallery"),
    path("games/<slug:slug>/gallery/<int:place>/", views.one_remark, name="remark"),
    path("games/<slug:slug>/talk/search/", views.search, name="search"),
    path("games/<slug:slug>/talk/unread/", views.unread, name="unread"),
    path("games/<slug:slug>/talk/<str:address>/", views.thread, name="thread"),
    path("games/<slug:slug>/talk/<str:address>/mute/", views.mute_power, name="mute"),
    path("games/<slug:slug>/talk/<str:address>/<int:place>/", views.message, name="message"),
    path("games/<slug:slug>/talk/<str:address>/new/", views.messages, name="messages"),
]
