"""The addresses of deadlines, absences and calendars."""

from django.urls import path

from games.deadlines import views

urlpatterns = [
    path("calendar/", views.my_calendar, name="my-calendar"),
    path("calendar/<str:secret>.ics", views.user_calendar, name="feed"),
    path("games/<slug:slug>/calendar.ics", views.game_calendar, name="calendar"),
    path("games/<slug:slug>/absences/", views.absences, name="absences"),
    path("games/<slug:slug>/absences/<int:number>/cancel/", views.cancel_booking, name="cancel-absence"),
]
