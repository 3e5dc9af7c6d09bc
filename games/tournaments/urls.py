"""The addresses of tournaments and series."""

from django.urls import path

from games.kernel.once import once_per_page
from games.tournaments import views, views_desk
from games.tournaments.forms import SeriesForm, TournamentForm

urlpatterns = [
    path("tournaments/", views.tournaments, name="tournaments"),
    path("tournaments/new/", once_per_page(views.new), {"form_class": TournamentForm}, name="new-tournament"),
    path("tournaments/new-series/", once_per_page(views.new), {"form_class": SeriesForm}, name="new-series"),
    path("tournaments/invitation/<str:token>/", views.invitation, name="tournament-invitation"),
    path("tournaments/<slug:slug>/", views.tournament, name="tournament"),
    path("tournaments/<slug:slug>/standings.csv", views.standings, name="standings"),
    path("tournaments/<slug:slug>/standings.json", views.standings_json, name="standings-json"),
    path("tournaments/<slug:slug>/edit/", views.edit, name="edit-tournament"),
    path("tournaments/<slug:slug>/report/", views.report, name="report-tournament"),
    path("tournaments/<slug:slug>/moderate/", views.moderate, name="moderate-tournament"),
    path("tournaments/<slug:slug>/publish/", views.publish, name="publish-tournament"),
    path("tournaments/<slug:slug>/delete/", views.delete, name="delete-tournament"),
    path("tournaments/<slug:slug>/directors/", views.directors, name="directors"),
    path("tournaments/<slug:slug>/look/", views.look, name="look"),
    path("tournaments/<slug:slug>/games/", views.games, name="tournament-games"),
    path("tournaments/<slug:slug>/link/<str:token>/", views.invited, name="tournament-link"),
    path("tournaments/<slug:slug>/enter/", views.enter, name="enter-tournament"),
    path("tournaments/<slug:slug>/withdraw/", views.withdraw, name="withdraw-from-tournament"),
    path("tournaments/<slug:slug>/entry/", views.own_entry, name="own-entry"),
    path("tournaments/<slug:slug>/check-in/", views.check_in, name="check-in"),
    path("tournaments/<slug:slug>/manage/", once_per_page(views.manage), name="manage-tournament"),
    path("tournaments/<slug:slug>/desk/", once_per_page(views_desk.desk), name="tournament-desk"),
    path("tournaments/<slug:slug>/place/", views.place, name="place-of-entrant"),
    path("tournaments/<slug:slug>/rounds/<int:number>/call/", views.call, name="call-check-in"),
    path("tournaments/<slug:slug>/rounds/<int:number>/plan/", views.plan, name="plan"),
]
